package hub

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"gyre/bench/enginetest"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// TestVerdict has a test decide while pairs are out: by the same pairs as here, and nothing
// stays out.
func TestVerdict(t *testing.T) {
	long(t)
	m, programs := pairing(t, 400, enginetest.Good, enginetest.Good)
	var err error
	if m.Test, err = stats.NewSPRT(stats.Hypotheses{Model: stats.Logistic, Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05}); err != nil {
		t.Fatal(err)
	}
	run := func(crew match.Crew) *match.Standing {
		ctx, stop := context.WithTimeout(context.Background(), guard)
		defer stop()
		run := *m
		run.Crew = crew
		standing, err := run.Run(ctx, files(filepath.Join(t.TempDir(), "games.jsonl")), &listener{t: t})
		if err != nil {
			t.Fatal(err)
		}
		return standing
	}
	want := run(nil)
	s := newSite(t)
	s.work("one", nil)
	s.work("two", nil)
	h := s.connect("client")
	got := run(&Crew{Hub: h, Programs: programs, Client: "here", Settings: quick})
	if want.State == stats.Continue || got.State != want.State || got.Settled != want.Settled || got.LLR != want.LLR {
		t.Errorf("over the hub: %v after %d pairs with an LLR of %v, here %v after %d with %v", got.State, got.Settled, got.LLR, want.State, want.Settled, want.LLR)
	}
	if status, err := h.Status(context.Background()); err != nil || status.Waiting > 0 || len(status.Matches) > 0 {
		t.Errorf("left on the hub: %+v, %v", status, err)
	}
}

// TestOnce has a worker that was to play once end when its first match is over.
func TestOnce(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	s := newSite(t)
	h := s.connect("one")
	ended := make(chan error, 1)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	go func() {
		w := &Worker{Hub: h, Name: "one", Slots: 1, Once: true, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
		ended <- w.Run(ctx)
	}()
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// TestUnknownMatch has the hub lose what it knows of a match before a worker comes: the
// worker says so, and the match tells the hub again.
func TestUnknownMatch(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	h := s.connect("")
	forgotten := false
	l := &listener{t: t}
	l.warned = func(text string) {
		if !telling("no worker is there yet")(text) {
			return
		}
		running, err := snapshot[Running](context.Background(), h, runningBucket)
		for key := range running {
			store, wrong := h.js.KeyValue(context.Background(), matchesBucket)
			if err = errors.Join(err, wrong); err == nil {
				err = store.Purge(context.Background(), key)
				forgotten = true
			}
		}
		if err != nil {
			t.Error(err)
		}
		s.work("one", nil)
	}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	told := false
	for _, text := range l.warnings {
		told = told || telling("the hub does not know the match")(text)
	}
	if !forgotten || !told {
		t.Errorf("forgotten %v, told %v", forgotten, told)
	}
}
