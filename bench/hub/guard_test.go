package hub

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/bench/game"
)

// TestBarred has a worker barred that goes on all the same, on a hub with keys and on one
// that gets its first while it runs.
func TestBarred(t *testing.T) {
	t.Run("keys from the start", func(t *testing.T) {
		long(t)
		s, _, worker, player := guarded(t)
		bars(t, s, worker, player)
	})
	t.Run("keys that come later", func(t *testing.T) {
		long(t)
		at := newSite(t)
		at.stop()
		at.listen = "127.0.0.1:-1"
		at.start()
		worker, player := filepath.Join(t.TempDir(), "attic.key"), filepath.Join(t.TempDir(), "me.key")
		err := errors.Join(AddKey(at.store, "attic", ForWorker, worker), AddKey(at.store, "me", ForMatch, player), at.hub.Reload())
		if err != nil {
			t.Fatal(err)
		}
		bars(t, at.hub, worker, player)
	})
}

// bars has worker attic barred: it may do nothing more, is told why when it asks, and may
// again when what was held against it is gone.
func bars(t *testing.T, s *Server, worker, player string) {
	t.Helper()
	ctx := context.Background()
	connect := func(key string) *Hub {
		h, err := Connect(ctx, Address{URL: s.URL(), Key: key})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Close)
		return h
	}
	attic, client := connect(worker), connect(player)
	pair := 0
	// let waits until the hub lets the worker publish a result, or no more.
	let := func(want bool) {
		t.Helper()
		for is := !want; is != want; pair++ {
			subject := resultSubject("m", pair, 0, "attic")
			waiting, stop := context.WithTimeout(ctx, time.Second)
			_, err := attic.js.Publish(waiting, subject, nil)
			stop()
			attic.mu.Lock()
			denied := attic.denied != nil && strings.Contains(attic.denied.Error(), subject)
			attic.mu.Unlock()
			if err == nil || denied {
				is = err == nil
			}
		}
	}
	let(true)
	for range mostFaults {
		if err := client.count(ctx, "attic", errors.New("a lie")); err != nil {
			t.Fatal(err)
		}
	}
	let(false)
	again := &Worker{Hub: connect(worker), Slots: 1, Cache: t.TempDir()}
	if err := again.Run(ctx); err == nil || !strings.Contains(err.Error(), "a lie") {
		t.Errorf("the barred worker is told: %v", err)
	}
	bucket, err := client.js.KeyValue(ctx, faultsBucket)
	if err == nil {
		err = bucket.Delete(ctx, "attic")
	}
	if err != nil {
		t.Fatal(err)
	}
	let(true)
}

// TestFaultsGone has a fault be counted after those before it were deleted, and a match
// that goes on take the worker's results again.
func TestFaultsGone(t *testing.T) {
	t.Parallel()
	h := newSite(t).connect("")
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	count := func() {
		t.Helper()
		if err := h.count(ctx, "attic", errors.New("a lie")); err != nil {
			t.Fatal(err)
		}
	}
	for range mostFaults {
		count()
	}
	match := &dealer{hub: h, key: "m", warn: func(error) {}}
	if err := match.look(ctx); err != nil || !match.isBarred("attic") {
		t.Errorf("after %d faults: %+v, %v", mostFaults, match.faults, err)
	}
	bucket, err := h.js.KeyValue(ctx, faultsBucket)
	if err == nil {
		err = bucket.Delete(ctx, "attic")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := match.look(ctx); err != nil || match.isBarred("attic") {
		t.Errorf("after they were deleted: %+v, %v", match.faults, err)
	}
	count()
	count()
	if f, err := h.faultsOf(ctx, "attic"); err != nil || f.Count != 2 {
		t.Errorf("the hub holds %+v, %v, and not 2 faults", f, err)
	}
}

// TestEnvironment has engines run on a worker in a folder of their own and with nothing of
// the worker's environment but what the match gives them.
func TestEnvironment(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	t.Setenv("GYRE_TEST_SECRET", "of this machine")
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	for i := range programs {
		text, err := os.ReadFile(programs[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(string(text), "\n")
		// It tells beside itself, which is another place here and on the worker.
		told := "\necho \"$PWD|$GYRE_TEST_SECRET|$GYRE_TEST_GIVEN\" >\"$0.told\"\n"
		if err := os.WriteFile(programs[i].Path, []byte(first+told+rest), 0o700); err != nil {
			t.Fatal(err)
		}
		programs[i].Env = []string{"GYRE_TEST_GIVEN=by the match"}
		m.Engines[i].Start, m.Engines[i].Build = programs[i].Start, game.BuildOf(programs[i].Program)
	}
	s := newSite(t)
	var cache string
	s.work("one", func(w *Worker) { cache = w.Cache })
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	told, err := filepath.Glob(filepath.Join(cache, "*", "*.told"))
	if err != nil || len(told) == 0 {
		t.Fatalf("no engine told of itself: %v", err)
	}
	for _, path := range told {
		text, err := os.ReadFile(path)
		if want := filepath.Dir(path) + "||by the match\n"; err != nil || string(text) != want {
			t.Errorf("an engine told %q, not %q; %v", text, want, err)
		}
	}
}
