package session

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
)

// TestLevelsRise checks that no level is weaker than the previous one.
func TestLevelsRise(t *testing.T) {
	for i := 1; i < len(levels); i++ {
		weaker, stronger := levels[i-1], levels[i]
		last := i == len(levels)-1
		if !last && (stronger.Elo <= weaker.Elo || stronger.bareNodes <= weaker.bareNodes) {
			t.Errorf("%s is weaker than %s", stronger.Name, weaker.Name)
		}
	}
	if fullStrength.Elo != 0 || fullStrength.most(false) != 0 || fullStrength.most(true) != 0 {
		t.Errorf("full strength has a limit: %+v", *fullStrength)
	}
}

// TestLimits reads limits, and checks their timeouts.
func TestLimits(t *testing.T) {
	clock := func(left time.Duration) protocol.Clock {
		return protocol.Clock{Set: true, Left: left, Increment: time.Second}
	}
	for _, test := range []struct {
		text    string
		level   uint64
		want    protocol.Limits
		longest time.Duration
		refused string
	}{
		{text: `{"nodes":5000}`, want: protocol.Limits{Nodes: 5000}, longest: 9 * time.Second},
		{text: `{"nodes":5000}`, level: 100, want: protocol.Limits{Nodes: 100}, longest: 4100 * time.Millisecond},
		{text: `{}`, level: 100, want: protocol.Limits{Nodes: 100}, longest: 4100 * time.Millisecond},
		{text: `{}`, want: protocol.Limits{MoveTime: 3 * time.Second}, longest: 4 * time.Second},
		{text: `{"movetime":250}`, want: protocol.Limits{MoveTime: 250 * time.Millisecond}, longest: 1250 * time.Millisecond},
		{text: `{"depth":4}`, want: protocol.Limits{Depth: 4}, longest: depthTime + time.Second},
		{text: `{"infinite":true}`, want: protocol.Limits{Infinite: true}},
		{
			text: `{"clock":{"white":60000,"black":-5,"inc":1000}}`,
			want: protocol.Limits{Clock: [2]protocol.Clock{clock(time.Minute), clock(0)}}, longest: 62 * time.Second,
		},
		{text: `{"infinite":true,"depth":3}`, refused: "cannot be combined"},
		{text: `{"infinite":true}`, level: 100, refused: "cannot be combined"},
		{text: `{"nodes":2000000000000}`, refused: "nodes"},
		{text: `{"depth":1001}`, refused: "depth"},
		{text: `{"movetime":-1}`, refused: "movetime"},
		{text: `{"clock":{"inc":-1}}`, refused: "clock"},
		{text: `{"clock":{"white":100000000}}`, refused: "clock"},
	} {
		var order limitsOrder
		if err := json.Unmarshal([]byte(test.text), &order); err != nil {
			t.Fatal(err)
		}
		got, err := order.read(test.level)
		if test.refused != "" {
			if err == nil || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("%s: %+v, %v", test.text, got, err)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", test.text, err, diff)
		}
		if most := hangTimeout(got, position.White, time.Second); most != test.longest {
			t.Errorf("%s may take %v, want %v", test.text, most, test.longest)
		}
	}
}
