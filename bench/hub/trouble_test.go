package hub

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/enginetest"
	"gyre/bench/game"
)

// TestRepeatedResults has all results of a match come before it is gone on with, twice and
// in reverse, as after a client that died before it wrote any of them: no game is played
// again, as there is no worker, and each is in the journal once.
func TestRepeatedResults(t *testing.T) {
	long(t)
	m, programs := pairing(t, 4, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	stop := s.work("one", nil)
	h := s.connect("")
	var mu sync.Mutex
	var heard []*nats.Msg
	sub, err := h.conn.Subscribe("gyre.result.>", func(msg *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, msg)
	})
	if err == nil {
		err = h.conn.Flush()
	}
	if err == nil {
		err = s.over(context.Background(), m, programs, j.path, &listener{t: t})
	}
	if err == nil {
		err = errors.Join(sub.Unsubscribe(), h.conn.Flush(), os.Remove(j.path))
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = stop()
	s.stop()
	remove(t, s.store)
	s.start()
	mu.Lock()
	defer mu.Unlock()
	back := s.connect("")
	for i := len(heard) - 1; i >= 0; i-- {
		for _, by := range []string{"", "x"} {
			if _, err := back.js.Publish(context.Background(), heard[i].Subject+by, heard[i].Data); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
}

// TestWrongBlob has the hub hold something else than a program under its hash: the worker
// runs it not, keeps it not, and says why.
func TestWrongBlob(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	s := newSite(t)
	h := s.connect("")
	store, err := h.js.ObjectStore(context.Background(), blobsBucket)
	if err != nil {
		t.Fatal(err)
	}
	b, err := blobOf(programs[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("x", int(b.Size))
	if _, err := store.Put(context.Background(), jetstream.ObjectMeta{Name: b.SHA256}, strings.NewReader(other)); err != nil {
		t.Fatal(err)
	}
	var dir string
	s.work("one", func(w *Worker) { dir = w.Cache })
	err = s.untilWarned(m, programs, telling("the hub sent something else"))
	if !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, b.SHA256, "*")); len(kept) > 0 {
		t.Errorf("kept %q", kept)
	}
}

// TestEngineThatDoesNotStart names the worker on which an engine does not start, though
// it did on the machine of the match.
func TestEngineThatDoesNotStart(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	// It starts only where its file has the name that it has here.
	path := programs[1].Path
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(path, []byte(first+"\ntest \"$0\" = '"+path+"' || exit 3\n"+rest), 0o700); err != nil {
		t.Fatal(err)
	}
	m.Engines[1].Build = game.BuildOf(programs[1].Program)
	s := newSite(t)
	s.work("one", nil)
	err = s.untilWarned(m, programs, telling("engine good1 cannot play"))
	if !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
}
