package game

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/position"
)

// spoken keeps the lines that go to engines.
type spoken struct {
	mu    sync.Mutex
	lines []string
}

func (s *spoken) trace(toEngine bool, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if toEngine {
		s.lines = append(s.lines, line)
	}
}

// tracedPlayer is a good player whose lines are kept.
func tracedPlayer(t *testing.T, limits Limits, settings ...Setting) (*Player, *spoken) {
	t.Helper()
	heard := &spoken{}
	engine := &Engine{Name: "traced", Start: enginetest.Program(enginetest.Good, "").Start, Limits: limits, Settings: settings}
	p := NewPlayer(engine, hasty, heard.trace)
	t.Cleanup(p.Kill)
	return p, heard
}

// TestWholeGameTold checks that an engine is told the opening's start and all
// turns since, not the position at hand alone.
func TestWholeGameTold(t *testing.T) {
	t.Parallel()
	traced, heard := tracedPlayer(t, nodes)
	opening := testOpening(2, 11)
	played, err := Play(context.Background(), [2]*Player{traced, testPlayer(t, enginetest.Good, nodes)}, opening, Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	var turns []string
	for _, turn := range opening.Turns {
		turns = append(turns, turn.String())
	}
	for i := range played.Plies {
		turns = append(turns, played.Plies[i].Turn.String())
	}
	end, err := opening.End()
	if err != nil {
		t.Fatal(err)
	}
	for i := range played.Plies {
		own := i%2 == 0 == (end.SideToMove() == position.White)
		line := "position startpos moves " + strings.Join(turns[:len(opening.Turns)+i], " ")
		if own && !slices.Contains(heard.lines, line) {
			t.Fatalf("before turn %d it was not told %q", i+1, line)
		}
	}
}

// TestOpeningFromPosition checks that the start of an opening is told when it is
// not that of a game.
func TestOpeningFromPosition(t *testing.T) {
	t.Parallel()
	from := testOpening(4, 13)
	start, err := from.End()
	if err != nil {
		t.Fatal(err)
	}
	traced, heard := tracedPlayer(t, nodes)
	if _, err := Play(context.Background(), [2]*Player{traced, testPlayer(t, enginetest.Good, nodes)}, Opening{Start: start}, Conditions{}); err != nil {
		t.Fatal(err)
	}
	if want := "position fen " + start.String(); !slices.Contains(heard.lines, want) {
		t.Errorf("it was not told %q", want)
	}
}

// TestPositionsTaken checks that an engine which knows positions from the start
// alone plays openings from there, and is at fault, with its own words, for one
// that is not; so is one that has another position than it was told.
func TestPositionsTaken(t *testing.T) {
	t.Parallel()
	opening := testOpening(6, 13)
	end, err := opening.End()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		opening Opening
		detail  string // of its fault; empty for none
	}{
		{enginetest.OnlyStart, opening, ""},
		{enginetest.OnlyStart, Opening{Start: end}, "only startpos"},
		{enginetest.Forgets, Opening{Start: position.Start(position.Standard)}, ""},
		{enginetest.Forgets, opening, "instead of " + end.String()},
	} {
		played, err := Play(context.Background(), [2]*Player{testPlayer(t, test.name, nodes), testPlayer(t, enginetest.Good, nodes)}, test.opening, Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		if played.Reason.Fault() != (test.detail != "") || !strings.Contains(played.Detail, test.detail) {
			t.Errorf("%s: %v: %s", test.name, played.Reason, played.Detail)
		}
	}
}

// TestOverheadTold checks that an engine with a clock is told how much of its
// overhead the margin forgives, unless its description sets the option.
func TestOverheadTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limits   Limits
		margin   time.Duration
		settings []Setting
		want     string // empty for none told
	}{
		{timing, 6 * time.Millisecond, nil, "setoption name MoveOverhead value 4"},
		{timing, 20 * time.Millisecond, nil, "setoption name MoveOverhead value 1"},
		{nodes, 6 * time.Millisecond, nil, ""},
		{timing, 6 * time.Millisecond, []Setting{{"moveoverhead", "7"}}, "setoption name MoveOverhead value 7"},
	} {
		traced, heard := tracedPlayer(t, test.limits, test.settings...)
		players := [2]*Player{traced, testPlayer(t, enginetest.Good, nodes)}
		if _, err := Play(context.Background(), players, testOpening(8, 11), Conditions{Margin: test.margin}); err != nil {
			t.Fatal(err)
		}
		told := slices.DeleteFunc(heard.lines, func(line string) bool { return !strings.Contains(line, "MoveOverhead") })
		if strings.Join(told, "; ") != test.want {
			t.Errorf("%v: told %q, want %q", test.limits, told, test.want)
		}
	}
}

// TestSettingsChange checks that a player's options change from game to game on the
// engine that runs, and that an engine started anew has them all.
func TestSettingsChange(t *testing.T) {
	t.Parallel()
	traced, heard := tracedPlayer(t, nodes, Setting{"MoveOverhead", "3"}, Setting{"Hash", "2"})
	other := testPlayer(t, enginetest.Good, nodes)
	shared := traced.Engine
	play := func() {
		t.Helper()
		if _, err := Play(context.Background(), [2]*Player{traced, other}, testOpening(2, 11), Conditions{}); err != nil {
			t.Fatal(err)
		}
	}
	play()
	traced.Set([]Setting{{"hash", "5"}})
	play()
	play()
	traced.Kill()
	play()
	var told []string
	for _, line := range heard.lines {
		if words := strings.Fields(line); words[0] == "setoption" && words[2] != "Rules" {
			told = append(told, words[2]+" "+words[4])
		}
	}
	want := []string{"MoveOverhead 3", "Hash 2", "Hash 5", "MoveOverhead 3", "Hash 5"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if got := shared.Settings[1]; got != (Setting{"Hash", "2"}) {
		t.Errorf("the description that others share has %v", got)
	}
}
