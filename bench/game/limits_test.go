package game

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
)

func TestVirtualTime(t *testing.T) {
	for _, test := range []struct {
		nodes, nodesTime uint64
		want             time.Duration
	}{
		{0, 1000, 0},
		{1, 1000, time.Microsecond},
		{1234567, 1000, 1234567 * time.Microsecond},
		{5, 3, 1666666},
		{999_999, 1_000_000, 999_999},
	} {
		if got := virtualTime(test.nodes, test.nodesTime); got != test.want {
			t.Errorf("%d nodes, %d per millisecond: %v, want %v", test.nodes, test.nodesTime, got, test.want)
		}
	}
	for _, nodesTime := range []uint64{1, 1_000_000} { // no overflow
		if got := virtualTime(math.MaxUint64, nodesTime); got <= longest {
			t.Errorf("the maximum of nodes, %d per millisecond: %v", nodesTime, got)
		}
	}
}

func TestTimeControls(t *testing.T) {
	for _, test := range []struct {
		text      string
		want      TimeControl
		canonical string // empty for an invalid text
	}{
		{"60+0.6", TimeControl{Base: time.Minute, Increment: 600 * time.Millisecond}, "60+0.6"},
		{"1+0.01", TimeControl{Base: time.Second, Increment: 10 * time.Millisecond}, "1+0.01"},
		{"200ms+2ms", TimeControl{Base: 200 * time.Millisecond, Increment: 2 * time.Millisecond}, "0.2+0.002"},
		{"5m", TimeControl{Base: 5 * time.Minute}, "300"},
		{"40/10s+0.1s", TimeControl{Turns: 40, Base: 10 * time.Second, Increment: 100 * time.Millisecond}, "40/10+0.1"},
		{"1/500ms", TimeControl{Turns: 1, Base: 500 * time.Millisecond}, "1/0.5"},
		{"0.0004", TimeControl{}, ""},
		{"0", TimeControl{}, ""},
		{"", TimeControl{}, ""},
		{"1+", TimeControl{}, ""},
		{"1+x", TimeControl{}, ""},
		{"-1", TimeControl{}, ""},
		{"NaN", TimeControl{}, ""},
		{"1e300", TimeControl{}, ""},
		{"25h", TimeControl{}, ""},
		{"0/10", TimeControl{}, ""},
		{"-3/10", TimeControl{}, ""},
		{"x/10", TimeControl{}, ""},
		{"40/", TimeControl{}, ""},
		{"1001/10", TimeControl{}, ""},
	} {
		var got TimeControl
		if err := got.setTimeControl(test.text); (err == nil) != (test.canonical != "") {
			t.Errorf("%q: error %v", test.text, err)
		} else if err == nil && (got != test.want || got.timeControl() != test.canonical || got.Check() != nil) {
			t.Errorf("%q: %+v, %q, %v", test.text, got, got.timeControl(), got.Check())
		}
	}
}

// TestTinyTimes checks that a positive time is never rounded to none.
func TestTinyTimes(t *testing.T) {
	for _, pair := range [][2]string{{"movetime", "0.4"}, {"movetime", "400us"}, {"movetime", "1e-300"}, {"tc", "1+0.0004"}, {"tc", "1+499us"}, {"tc", "0.0004"}} {
		var l TimeControl
		if _, err := l.Set(pair[0], pair[1]); err == nil || !strings.Contains(err.Error(), "1ms") {
			t.Errorf("%v: %v, error %v", pair, l, err)
		}
	}
	for _, text := range []string{"0.5", "0", "0s"} {
		var l TimeControl
		if _, err := l.Set("movetime", text); err != nil {
			t.Errorf("movetime %s: %v", text, err)
		}
	}
}

func FuzzTimeControl(f *testing.F) {
	for _, text := range []string{"60+0.6", "200ms+2ms", "5m", "1e-3+1e3", "40/10s+0.1s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first, again TimeControl
		if first.setTimeControl(text) != nil {
			return
		}
		if err := first.Check(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if err := again.setTimeControl(first.timeControl()); err != nil || again != first {
			t.Errorf("%q: %+v, then %+v, %v", text, first, again, err)
		}
	})
}

func TestLimits(t *testing.T) {
	var l TimeControl
	for _, pair := range [][2]string{{"tc", "1+0.01"}, {"movetime", "50"}, {"nodes", "1000"}, {"depth", "3"}} {
		if known, err := l.Set(pair[0], pair[1]); !known || err != nil {
			t.Errorf("%v: %t, %v", pair, known, err)
		}
	}
	if got := l.String(); got != "tc=1+0.01 movetime=50 nodes=1000 depth=3" || !l.Timed() || l.Check() != nil {
		t.Errorf("limits %q, %v", got, l.Check())
	}
	if known, err := l.Set("nodestime", "1000"); !known || err != nil || l.Check() != nil || !strings.HasSuffix(l.String(), " nodestime=1000") {
		t.Errorf("virtual time: %t, %v, %q", known, err, l.String())
	}
	free := TimeControl{}
	if known, err := free.Set("limit", "none"); !known || err != nil || free.Check() != nil || free.String() != "limit=none" || free.Timed() {
		t.Errorf("no limit: %t, %v, %v, %q", known, err, free.Check(), free.String())
	}
	for _, pair := range [][2]string{{"limit", "some"}, {"nodes", "-1"}, {"depth", "x"}, {"depth", "-2"}, {"movetime", "later"}, {"nodestime", "-1"}} {
		if _, err := l.Set(pair[0], pair[1]); err == nil {
			t.Errorf("%v was accepted", pair)
		}
	}
	if known, _ := l.Set("patience", "1"); known {
		t.Error("\"patience\" was accepted as a limit")
	}
	for _, wrong := range []TimeControl{{}, {Free: true, Depth: 1}, {Increment: time.Second}, {Depth: -1}, {MoveTime: time.Microsecond}, {Base: -time.Second},
		{Nodes: 5, NodesTime: 1000}, {Turns: 40, Nodes: 5}, {Turns: -1, Base: time.Second}, {Base: time.Second, NodesTime: 1_000_001}} {
		if wrong.Check() == nil {
			t.Errorf("%+v was accepted", wrong)
		}
	}
}

// TestClocks checks the clocks sent to engines and the time left after a turn.
func TestClocks(t *testing.T) {
	clocks := [2]clock{
		{limits: TimeControl{Base: time.Second, Increment: 10 * time.Millisecond}, left: time.Second},
		{limits: TimeControl{Nodes: 5}},
	}
	clocks[0].spend(300 * time.Millisecond)
	want := search.Limits{Clock: [2]search.Clock{position.White: {Left: 710 * time.Millisecond, Increment: 10 * time.Millisecond}}}
	if diff := cmp.Diff(want, searchLimits(position.White, clocks)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(search.Limits{Nodes: 5}, searchLimits(position.Black, clocks)); diff != "" {
		t.Error(diff)
	}
	clocks[0].spend(time.Second)
	if allowed, timed := clocks[0].allowed(); allowed != 10*time.Millisecond || !timed {
		t.Errorf("allowed %v, %t", allowed, timed)
	}
	clocks[0].limits.MoveTime = 5 * time.Millisecond
	if allowed, _ := clocks[0].allowed(); allowed != 5*time.Millisecond {
		t.Errorf("allowed %v", allowed)
	}
	if _, timed := clocks[1].allowed(); timed {
		t.Error("a limit of nodes counts as a limit of time")
	}
}

// TestClockOfSomeTurns checks a clock of two turns: their number counts down, then the
// base time is added again.
func TestClockOfSomeTurns(t *testing.T) {
	white := newClock(TimeControl{Turns: 2, Base: time.Second, Increment: 100 * time.Millisecond})
	type state struct {
		Left time.Duration
		ToGo int
	}
	var got []state
	for range 5 {
		limits := searchLimits(position.White, [2]clock{white, newClock(TimeControl{Nodes: 1})})
		got = append(got, state{limits.Clock[position.White].Left, limits.MovesToGo})
		white.spend(400 * time.Millisecond)
	}
	want := []state{{time.Second, 2}, {700 * time.Millisecond, 1}, {1400 * time.Millisecond, 2}, {1100 * time.Millisecond, 1}, {1800 * time.Millisecond, 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
