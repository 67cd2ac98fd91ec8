package hub

import (
	"context"
	"strings"
	"testing"

	"gyre/bench/enginetest"
)

// TestOffers plays a match of an engine that is not sent: the worker that does not offer it
// gets no job, the match says that nobody does, and one that comes and does plays it.
func TestOffers(t *testing.T) {
	long(t)
	m, programs := pairing(t, 4, enginetest.Good, enginetest.Good)
	own := programs[1].Program
	programs[1] = Program{Offered: "own"}
	m.Engines[1].Program = Offered("own")
	j := locally(t, m)
	m.Engines[1].Start, m.Engines[1].Build = nil, ""
	s := newSite(t)
	h := s.connect("")
	s.work("plain", func(w *Worker) { w.Offers = map[string]Offer{"other": {Program: own}} })
	begun := false
	l := &listener{t: t, warned: func(text string) {
		if strings.Contains(text, "cannot play this match") {
			t.Error(text)
		}
		if !begun && strings.Contains(text, "no worker is there yet that offers own: games begin when one comes") {
			begun = true
			s.work("owner", func(w *Worker) { w.Offers = map[string]Offer{"own": {Program: own}} })
		}
	}}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if line.Worker != "owner" {
			t.Errorf("game %d was played by worker %s", number, line.Worker)
		}
	}
	var told strings.Builder
	status, err := h.Status(context.Background())
	if err == nil {
		err = status.Write(&told)
	}
	if err != nil || !strings.Contains(told.String(), "offers own (build ") {
		t.Errorf("status tells %q, %v", told.String(), err)
	}
	if _, err := (&EngineSpec{Offered: "own"}).engine(context.Background(), nil, nil); err == nil || !strings.Contains(err.Error(), `offers no "own"`) {
		t.Errorf("a worker without it: %v", err)
	}
	if err := CheckOffer("a.b"); err == nil {
		t.Error("a name with a dot was taken")
	}
}
