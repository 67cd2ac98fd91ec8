package hub

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/enginetest"
	"gyre/bench/match"
)

// TestSameGames plays a match on two workers, and has the same games as here.
func TestSameGames(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 3, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	s.work("one", nil)
	s.work("two", nil)
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if line.Worker != "one" && line.Worker != "two" {
			t.Errorf("game %d was played by worker %q", number, line.Worker)
		}
	}
}

// TestWorkersInMemory has a hub write no word of its workers to the disk, also one whose store
// an earlier version made.
func TestWorkersInMemory(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), context.Background()
	h := s.connect("")
	err := h.js.DeleteKeyValue(ctx, workersBucket)
	if err == nil {
		_, err = h.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: workersBucket})
	}
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	s.stop()
	s.start()
	bucket, err := s.connect("").js.KeyValue(ctx, workersBucket)
	if err != nil {
		t.Fatal(err)
	}
	status, err := bucket.Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if is := status.Config().Storage; is != jetstream.MemoryStorage {
		t.Errorf("the storage is %v", is)
	}
}

// errEnough ends a run of a test.
var errEnough = errors.New("enough")

// TestFaultsOfMachines has everything break that can, in the middle of a match: its games
// are those of a run without.
func TestFaultsOfMachines(t *testing.T) {
	for name, breaks := range map[string]func(t *testing.T, s *site, stop func() error){
		"the hub is begun anew":       func(_ *testing.T, s *site, _ func() error) { s.stop(); s.start() },
		"the hub's store is lost":     func(t *testing.T, s *site, _ func() error) { s.stop(); remove(t, s.store); s.start() },
		"a worker leaves in its game": func(_ *testing.T, s *site, stop func() error) { _ = stop(); s.work("two", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
			j := locally(t, m)
			s := newSite(t)
			stop := s.work("one", nil)
			l := &listener{t: t, act: func(ended int) {
				if ended == 5 {
					breaks(t, s, stop)
				}
			}}
			if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
				t.Fatal(err)
			}
			j.check(t)
		})
	}
}

// TestGoOn breaks a match off some times and goes on with it, as after Ctrl-C and as after
// a crash between the results and the journal.
func TestGoOn(t *testing.T) {
	long(t)
	m, programs := pairing(t, 8, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	s.work("one", nil)
	s.work("two", nil)
	for range 3 {
		ctx, stop := context.WithCancelCause(context.Background())
		err := s.over(ctx, m, programs, j.path, &listener{t: t, act: func(ended int) {
			if ended == 3 {
				stop(errEnough)
			}
		}})
		if err != nil && !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
}

// remove deletes a folder.
func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// long skips a test that is too long for -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Parallel()
}

// telling tells whether a warning tells something.
func telling(what string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, what) }
}

// untilWarned plays a match over a hub until a warning is enough, which ends it.
func (s *site) untilWarned(m *match.Match, programs []Program, enough func(text string) bool) error {
	s.t.Helper()
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	l := &listener{t: s.t, warned: func(text string) {
		if enough(text) {
			stop(errEnough)
		}
	}}
	return s.over(ctx, m, programs, filepath.Join(s.t.TempDir(), "games.jsonl"), l)
}
