package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-board/internal/review"
	"gyre/cmd/internal/engine"
	"gyre/position"
	"gyre/protocol"
)

// rowInOne is a position in which White, with the ring at f3, can make a row. In blitz it wins.
const rowInOne = "W2B/WW4B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 0-0"

// asksWorth returns the messages from the answer to an order to the end of the search.
func asksWorth(t *testing.T, order string) []string {
	t.Helper()
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	hub := NewHub("1.0", []Engine{{Name: "E", Start: start}}, DefaultBounds, DefaultPatience)
	page := talk{says: make(chan string, 1), hears: make(chan string, 64)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hub.Serve(t.Context(), page)
	}()
	page.says <- order
	var heard []string
	for message := range page.hears {
		heard = append(heard, message)
		if strings.Contains(message, `"event":`) || strings.Contains(message, `"error":`) {
			break
		}
	}
	close(page.says)
	<-ended
	return heard
}

// TestWorth checks the values of a ring's targets. One of them wins.
func TestWorth(t *testing.T) {
	heard := asksWorth(t, fmt.Sprintf(`{"id":1,"do":"worth","search":7,"engine":"E","path":{"rules":"blitz","start":%q},"from":"f3","nodes":300}`, rowInOne))
	var event worthEvent
	if err := json.Unmarshal([]byte(heard[len(heard)-1]), &event); err != nil || event.Event != "worth" || event.Search != 7 {
		t.Fatalf("it ends with %s: %v", heard[len(heard)-1], err)
	}
	p, err := position.Parse(rowInOne, position.Blitz)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{} // targets
	for _, turn := range p.Turns(nil) {
		if turn.From().String() == "f3" && turn.Before() == 0 {
			want[turn.To().String()] = true
		}
	}
	got := map[string]bool{}
	wins := 0
	for _, target := range event.Targets {
		got[target.To] = true
		turn, err := p.ParseTurn(target.Turn)
		if err != nil || turn.To().String() != target.To {
			t.Errorf("the best turn to %s is %q: %v", target.To, target.Turn, err)
			continue
		}
		child := p.After(turn)
		if child.Over() {
			wins++
		}
		if child.Over() != (target.Lost == 0) || review.LabelOf(target.Lost) != target.Label {
			t.Errorf("%+v, the game is over: %t", target, child.Over())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || wins == 0 || wins == len(event.Targets) {
		t.Errorf("%d of the targets win (-want +got):\n%s", wins, diff)
	}
}

// TestWorthRejected asks about points without a movable ring, and with too few nodes.
func TestWorthRejected(t *testing.T) {
	for _, test := range []struct{ order, why string }{
		{`"from":"f3"`, `nodes 0 is not between 1 and 250000000000`},
		{`"from":"f3","nodes":5`, `no ring at \"f3\" can move first`},
		{`"path":{"start":"` + rowInOne + `"},"from":"e5","nodes":5`, `no ring at \"e5\" can move first`},
		{`"path":{"turns":["f6","f6"]},"from":"f3","nodes":5`, `f6 is not vacant`},
	} {
		heard := asksWorth(t, `{"id":1,"do":"worth","search":1,"engine":"E",`+test.order+`}`)
		if len(heard) != 1 || !strings.Contains(heard[0], test.why) {
			t.Errorf("%s: the answer is\n%s\nwant %s", test.order, heard, test.why)
		}
	}
}

// TestTargets checks that turns are grouped by target, including turns that remove different
// rings.
func TestTargets(t *testing.T) {
	p, err := position.Parse(rowInOne, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	targets := targetsOf(&p, "f3")
	most := slices.MaxFunc(targets, func(a, b target) int { return len(a.turns) - len(b.turns) })
	if len(most.turns) < 2 {
		t.Errorf("no target has several turns: %v", targets)
	}
	all := 0
	for _, target := range targets {
		all += len(target.turns)
	}
	if want := slices.DeleteFunc(p.Turns(nil), func(turn position.Turn) bool { return turn.From().String() != "f3" }); all != len(want) {
		t.Errorf("%d turns, want %d", all, len(want))
	}
	if targets := targetsOf(&p, "a2"); len(targets) == 0 {
		t.Error("the ring at a2 has no targets")
	}
}
