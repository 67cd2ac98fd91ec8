package game

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
)

func TestTimeControls(t *testing.T) {
	for _, test := range []struct {
		text            string
		base, increment time.Duration
		canonical       string // empty for a text that is refused
	}{
		{"60+0.6", time.Minute, 600 * time.Millisecond, "60+0.6"},
		{"1+0.01", time.Second, 10 * time.Millisecond, "1+0.01"},
		{"200ms+2ms", 200 * time.Millisecond, 2 * time.Millisecond, "0.2+0.002"},
		{"5m", 5 * time.Minute, 0, "300"},
		{"0.0004", 0, 0, ""},
		{"0", 0, 0, ""},
		{"", 0, 0, ""},
		{"1+", 0, 0, ""},
		{"1+x", 0, 0, ""},
		{"-1", 0, 0, ""},
		{"NaN", 0, 0, ""},
		{"1e300", 0, 0, ""},
		{"25h", 0, 0, ""},
	} {
		base, increment, err := parseTimeControl(test.text)
		if (err == nil) != (test.canonical != "") {
			t.Errorf("%q: error %v", test.text, err)
			continue
		}
		if err == nil && (base != test.base || increment != test.increment || formatTimeControl(base, increment) != test.canonical) {
			t.Errorf("%q: %v + %v", test.text, base, increment)
		}
	}
}

func FuzzTimeControl(f *testing.F) {
	for _, text := range []string{"60+0.6", "200ms+2ms", "5m", "1e-3+1e3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		base, increment, err := parseTimeControl(text)
		if err != nil {
			return
		}
		if err := (Limits{Base: base, Increment: increment}).Check(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		again, more, err := parseTimeControl(formatTimeControl(base, increment))
		if err != nil || again != base || more != increment {
			t.Errorf("%q: %v + %v, then %v + %v, %v", text, base, increment, again, more, err)
		}
	})
}

func TestLimits(t *testing.T) {
	var l Limits
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
	free := Limits{}
	if known, err := free.Set("limit", "none"); !known || err != nil || free.Check() != nil || free.String() != "limit=none" || free.Timed() {
		t.Errorf("no limit: %t, %v, %v, %q", known, err, free.Check(), free.String())
	}
	for _, pair := range [][2]string{{"limit", "some"}, {"nodes", "-1"}, {"depth", "x"}, {"depth", "-2"}, {"movetime", "later"}, {"nodestime", "-1"}} {
		if _, err := l.Set(pair[0], pair[1]); err == nil {
			t.Errorf("%v was taken", pair)
		}
	}
	if known, _ := l.Set("patience", "1"); known {
		t.Error("patience is a limit")
	}
	for _, wrong := range []Limits{{}, {Free: true, Depth: 1}, {Increment: time.Second}, {Depth: -1}, {MoveTime: time.Microsecond}, {Base: -time.Second},
		{Nodes: 5, NodesTime: 1000}, {Base: time.Second, NodesTime: 1_000_001}} {
		if wrong.Check() == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

// TestClocks checks what engines are told of the clocks, and what a turn leaves.
func TestClocks(t *testing.T) {
	clocks := [2]clock{
		{limits: Limits{Base: time.Second, Increment: 10 * time.Millisecond}, left: time.Second},
		{limits: Limits{Nodes: 5}},
	}
	clocks[0].spend(300 * time.Millisecond)
	want := protocol.Limits{Clock: [2]protocol.Clock{position.White: {Set: true, Left: 710 * time.Millisecond, Increment: 10 * time.Millisecond}}}
	if diff := cmp.Diff(want, clocks[0].limits.ask(clocks)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(protocol.Limits{HasNodes: true, Nodes: 5}, clocks[1].limits.ask(clocks)); diff != "" {
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
		t.Error("nodes are a time")
	}
}
