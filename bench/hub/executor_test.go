package hub

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// behaviours are what a match does whoever plays its games: what it is of, and what is wrong
// with how it ended, nil if nothing.
var behaviours = map[string]struct {
	engines []string
	pairs   int // of each two of them
	recover bool
	wrong   func(*match.Standing, error) error
}{
	"a tournament": {[]string{enginetest.Good, enginetest.Good, enginetest.Good}, 2, false, func(s *match.Standing, err error) error {
		if err != nil || s.Games != 12 || s.Settled != 6 || !s.Over() || len(s.Pairings) != 3 {
			return fmt.Errorf("%+v, %w", s, err)
		}
		return nil
	}},
	"faults that it goes on after": {[]string{enginetest.Illegal, enginetest.Good}, 2, true, func(s *match.Standing, err error) error {
		faults := cmp.Diff([]map[game.Reason]int{{game.IllegalTurn: 4}, {}}, s.Faults)
		if err != nil || faults != "" || s.LeftOut != 2 || s.Pairings[0].Pairs.Total() != 0 || !s.Over() {
			return fmt.Errorf("%d pairs left out, %s, %w", s.LeftOut, faults, err)
		}
		return nil
	}},
	"a fault that ends it": {[]string{enginetest.Good, enginetest.Illegal}, 20, false, func(s *match.Standing, err error) error {
		broken, ok := errors.AsType[*match.BrokenError](err)
		if !ok || broken.Line.Loser() != s.Names[1] || s.Over() {
			return fmt.Errorf("%d games, %w", s.Games, err)
		}
		return nil
	}},
}

// TestCrews plays matches with workers in this process and with those of a hub. Both end the same
// way, and with the same games if all games were played.
func TestCrews(t *testing.T) {
	for name, test := range behaviours {
		t.Run(name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, test.pairs, test.engines...)
			m.ContinueOnFault = test.recover
			s := newSite(t)
			s.work("one", nil)
			s.work("two", nil)
			run := func(crew match.Executor) (*match.Standing, map[int]*match.Line) {
				ctx, stop := context.WithTimeout(context.Background(), guard)
				defer stop()
				m.Executor = crew
				path := filepath.Join(t.TempDir(), "games.jsonl")
				standing, err := m.Run(ctx, files(path), &listener{t: t})
				if standing == nil {
					t.Fatal(err)
				}
				if wrong := test.wrong(standing, err); wrong != nil {
					t.Fatalf("over the hub %v: %v", crew != nil, wrong)
				}
				return standing, played(t, path)
			}
			here, games := run(nil)
			there, same := run(&Executor{Hub: s.connect("client"), Programs: programs, Client: "here", Settings: quick})
			if !here.Over() {
				return // it ended in whatever game was the first
			}
			if diff := cmp.Diff(games, same, sameGames); diff != "" {
				t.Errorf("the games differ (-here +over the hub):\n%s", diff)
			}
			if diff := cmp.Diff(here, there, cmp.AllowUnexported(match.Standing{}), cmpopts.IgnoreTypes(&stats.SPRT{})); diff != "" {
				t.Errorf("the standings differ (-here +over the hub):\n%s", diff)
			}
		})
	}
}

// TestDeterministic checks which options keep the hub from comparing the games of a match, because
// its engines do not repeat them.
func TestDeterministic(t *testing.T) {
	for _, test := range []struct {
		option, value string
		want          bool
	}{
		{"Hash", "64", true},
		{"Threads", "1", true},
		{"Threads", "2", false},
		{"Skill", "20", true},
		{"skill", "5", false},
		{"UCI_LimitStrength", "true", false},
		{"UCI_LimitStrength", "false", true},
		{"OwnBook", "true", false},
	} {
		e := &Executor{match: &match.Match{}, made: &Spec{Engines: []EngineSpec{{}, {Settings: []SettingSpec{{Name: test.option, Value: test.value}}}}}}
		if got := e.deterministic(); got != test.want {
			t.Errorf("deterministic with %s=%s is %v, want %v", test.option, test.value, got, test.want)
		}
	}
}
