package hub

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/position"
)

// TestReference measures the speed of a program once: the hub knows it then, but not with
// other options or by other rules, nor as it was on a busy machine.
func TestReference(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Counts, enginetest.Counts)
	s := newSite(t)
	ctx, h := context.Background(), s.connect("")
	if clock, told, err := h.Reference(ctx, m, programs, 0); clock != nil || told != "" || err != nil {
		t.Errorf("without clocks: %v, %q, %v", clock, told, err)
	}
	timed(s, m, 0)
	ask := func(nodes uint64) string {
		got, from, err := h.speedOf(ctx, m, 1, &programs[1], measures(nodes))
		return fmt.Sprint(got, " ", from, " ", err)
	}
	if first, again := ask(700), ask(800); !strings.HasPrefix(first, "700 as on this one") || !strings.HasPrefix(again, "700 as the hub knows") {
		t.Errorf("%s, then %s", first, again)
	}
	m.Engines[1].Settings = []game.Setting{{Name: "Hash", Value: "2"}}
	late := func(context.Context, *match.Match, int, int) (speed, error) {
		return speed{nodes: 1, late: "late"}, nil
	}
	if got, from, err := h.speedOf(ctx, m, 1, &programs[1], late); got != 1 || !strings.Contains(from, "busy with other things (late)") || err != nil {
		t.Errorf("on a busy machine: %d %s %v", got, from, err)
	}
	if other := ask(900); !strings.HasPrefix(other, "900 as on this one") {
		t.Errorf("with other options: %s", other)
	}
	standard := m.Openings
	m.Openings = oneOpening{game.Opening{Start: position.Start(position.Blitz)}}
	if other := ask(950); !strings.HasPrefix(other, "950 as on this one") {
		t.Errorf("by other rules: %s", other)
	}
	m.Openings = standard
	clock, told, err := h.Reference(ctx, m, programs, 5)
	if diff := cmp.Diff(&ClockSpec{Engine: 1, Speed: 5}, clock); diff != "" || !strings.Contains(told, "counts1 visits 5 nodes a second in each game, as was said") || err != nil {
		t.Errorf("as given: %s, %q, %v", diff, told, err)
	}
	if got, err := measureSpeed(ctx, m, 1, 2); got.nodes == 0 || err != nil {
		t.Errorf("measured: %+v, %v", got, err)
	}
	m.Engines[1].Limits = game.Limits{Nodes: 1}
	if at := reference(m, programs); at != 0 {
		t.Errorf("engine %d is the reference of one with a clock and one without", at)
	}
	if got := reference(m, []Program{{Reference: "random"}, programs[1]}); got != -1 {
		t.Errorf("engine %d is the reference, of which none is sent", got)
	}
}
