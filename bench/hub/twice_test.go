package hub

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/enginetest"
)

// TestTwice has a worker tell scores that its engine did not: no replay can know, and
// another worker that plays the same job has others. Both are named, to the match and by
// the hub, and neither is barred.
func TestTwice(t *testing.T) {
	long(t)
	m, programs := pairing(t, 200, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.settings.Twice = 1
	s.work("honest", nil)
	h := s.connect("liar")
	present := func() { // of a worker by hand, which goes by itself after a while
		if err := put(context.Background(), h, workersBucket, "liar", Present{Name: "liar", System: system, Slots: 1}); err != nil {
			t.Error(err)
		}
	}
	present()
	s.byHand("liar", func(job jetstream.Msg, from origin, result *resultMessage) bool {
		present()
		score := 1 + *result.Games[0].Turns[2].CP
		result.Games[0].Turns[2].CP = &score
		s.publish(h, from, "liar", result)
		_ = job.Ack()
		return true
	})
	told := ""
	err := s.untilWarned(m, programs, func(text string) bool {
		told = text
		return strings.Contains(text, "different results of the same job")
	})
	if !errors.Is(err, errEnough) || !strings.Contains(told, "liar") || !strings.Contains(told, "honest") || !strings.Contains(told, "turn 14 is") {
		t.Errorf("the match ended with %v, and told %q", err, told)
	}
	status, err := h.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"liar", "honest"} {
		if f := status.Faults[name]; f.Differ == 0 || f.Barred() || f.Beside == "" {
			t.Errorf("the hub holds %+v against %s", f, name)
		}
	}
}

// TestTwiceTheSame plays all jobs twice on workers that are true: nothing is told.
func TestTwiceTheSame(t *testing.T) {
	long(t)
	m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.settings.Twice = 1
	watching, again := s.connect(""), atomic.Int64{}
	_, err := watching.conn.Subscribe("gyre.result.*.*.1.*", func(*nats.Msg) { again.Add(1) })
	if err = errors.Join(err, watching.conn.Flush()); err != nil {
		t.Fatal(err)
	}
	s.work("one", nil)
	s.work("two", nil)
	l := &listener{t: t, warned: func(text string) {
		if strings.Contains(text, "different results") || strings.Contains(text, "refused") {
			t.Error(text)
		}
	}}
	for again.Load() == 0 { // nobody waits for second results: a match may end before the first
		j := locally(t, m)
		if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
			t.Fatal(err)
		}
		j.check(t)
	}
}
