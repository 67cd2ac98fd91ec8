package referee

import (
	"bufio"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
)

// A promptCase is a turn of which some steps are done, and the expected prompt.
type promptCase struct {
	name, path string // a position, or turns from the start
	rules      string
	steps      []Step
	prompt     Prompt
}

func TestPrompts(t *testing.T) {
	const (
		six    = "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"
		apart  = "W2B/W5B/1wwwww2/9/W9/9/10/2wwwww2/B7/B6/WW1B w 0-0"
		cross  = "W3/W6/W7/3w5/W3w5/2wwwww2/5w4/5w3/B7/B6/BBB1 w 1-0"
		early  = "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0"
		passes = "4/6w/b5ww/1b4bw1/2b3ww2/2w2bb2/3w1bw3/3bbw3/wbbWwbww/2BWbwb/BWB1 w 2-2"
	)
	row := func(first, last string) Step { return Step{Do: DoRow, Row: &[2]string{first, last}} }
	ring := func(from string) Step { return Step{Do: DoRing, From: from} }
	for _, test := range []promptCase{
		{"the first ring", "", "", nil, Prompt{AskPlace, "w", 1, 5}},
		{"a later ring", "f6 e5 a2", "", nil, Prompt{AskPlace, "b", 2, 5}},
		{"a ring placed", "f6", "", []Step{{Do: DoPlace, To: "e5"}}, Prompt{Ask: AskTurnIsDone, Side: "b"}},
		{"six in a row", six, "", nil, Prompt{Ask: AskGivenFive, Side: "w"}},
		{"the ring for it", six, "", []Step{row("f3", "f7")}, Prompt{Ask: AskRing, Side: "w"}},
		{"the third ring", six, "", []Step{row("f7", "f3"), ring("a2")}, Prompt{Ask: AskGameIsEnded, Side: "w"}},
		{"two rows apart", apart, "", nil, Prompt{AskGivenRowOf, "w", 1, 2}},
		{"the second of two rows", apart, "", []Step{row("c2", "c6"), ring("a2")}, Prompt{AskRowOf, "w", 2, 2}},
		{"two rows that cross", cross, "", nil, Prompt{Ask: AskGivenFive, Side: "w"}},
		{"one row", early, "", nil, Prompt{Ask: AskGivenRow, Side: "w"}},
		{"the ring move after it", early, "", []Step{row("f3", "f7"), ring("k7")}, Prompt{Ask: AskMove, Side: "w"}},
		{"a row made in the turn", early, "", []Step{row("f3", "f7"), ring("k7"), {Do: DoMove, From: "b5", To: "d5"}}, Prompt{Ask: AskRow, Side: "w"}},
		{"a pass", passes, "", nil, Prompt{Ask: AskPass, Side: "w"}},
		{"a game that is over", "W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2", "", nil, Prompt{Ask: AskGameIsEnded, Side: "b"}},
		{"a blitz game won", "W3/W6/W7/W8/W9/1wwwww3/10/9/8/6B/BBBB w 0-0", "blitz", []Step{row("f3", "f7"), ring("a2")}, Prompt{Ask: AskGameIsEnded, Side: "w"}},
		{"a draw", "2bw/4bbw/5www/bbwwwbbbB/wwbwbwwWWB/bbwwbbwBW/6wwbw/5bbbw/4wwb1/3wbw1/1bwb w 2-2", "", nil, Prompt{Ask: AskGameIsEnded, Side: "w"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := Path{Rules: test.rules, Turns: strings.Fields(test.path)}
			if strings.Contains(test.path, "/") {
				path.Start, path.Turns = test.path, nil
			}
			next, err := read(t, path).Steps(test.steps)
			if err != nil {
				t.Fatal(err)
			}
			if next.Prompt != test.prompt {
				t.Errorf("asks %+v, want %+v", next.Prompt, test.prompt)
			}
		})
	}
}

// TestRowOfSix checks all answers while a row of a run of six is removed.
func TestRowOfSix(t *testing.T) {
	line := read(t, Path{Start: "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"})
	next, err := line.Steps(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Step{
		{Do: DoRow, Row: &[2]string{"f3", "f7"}, Points: []string{"f3", "f4", "f5", "f6", "f7"}},
		{Do: DoRow, Row: &[2]string{"f4", "f8"}, Points: []string{"f4", "f5", "f6", "f7", "f8"}},
	}
	if diff := cmp.Diff(want, next.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	next, err = line.Steps(next.Steps[1:])
	if err != nil || next.Taking == nil || *next.Taking != [2]string{"f4", "f8"} {
		t.Errorf("takes %v, %v", next.Taking, err)
	}
	if diff := cmp.Diff([]Step{{Do: DoRing, From: "a2"}, {Do: DoRing, From: "b1"}, {Do: DoRing, From: "c1"}}, next.Steps); diff != "" {
		t.Errorf("rings (-want +got):\n%s", diff)
	}
}

// TestFlipOrder checks the order of the markers that a move flips, in both directions.
func TestFlipOrder(t *testing.T) {
	for start, want := range map[string]Step{
		"W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0": {From: "f3", To: "f8", Flips: []string{"f4", "f5", "f6", "f7"}},
		"W2B/6B/8/9/10/2wwbwW1b/10/9/B7/B6/WWWB w 0-0":  {From: "f8", To: "f3", Flips: []string{"f7", "f6", "f5", "f4"}},
	} {
		want.Do = DoMove
		next, err := read(t, Path{Start: start}).Steps(nil)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(next.Steps, func(s Step) bool { return s.From == want.From && s.To == want.To })
		if at < 0 {
			t.Errorf("%s cannot move to %s", want.From, want.To)
			continue
		}
		if diff := cmp.Diff(want, next.Steps[at]); diff != "" {
			t.Error(diff)
		}
	}
}

// read reads a legal path.
func read(t testing.TB, path Path) *Line {
	t.Helper()
	line, err := path.Read()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func TestRejectedPaths(t *testing.T) {
	for _, test := range []struct {
		path    Path
		prefix  []Step
		where   string
		message string
	}{
		{Path{Rules: "fast"}, nil, "rules", "fast"},
		{Path{Start: "4/7 w 0-0"}, nil, "start", "2 columns instead of 11"},
		{Path{Turns: []string{"f6", "f6"}}, nil, "turn 2", "f6 is not vacant"},
		{Path{Turns: []string{"z9"}}, nil, "turn 1", "z9"},
		{Path{}, []Step{{Do: DoPlace, To: "f6"}, {Do: DoPlace, To: "f7"}}, "step 2", "ring on f7 is not possible here"},
		{Path{}, []Step{{Do: DoRow}}, "step 1", "is not possible here"},
		{Path{}, []Step{{Do: "dance\n"}}, "step 1", "dance"},
	} {
		line, err := test.path.Read()
		if err == nil {
			_, err = line.Steps(test.prefix)
		}
		fault, ok := err.(*Error)
		if !ok || fault.Where != test.where || !strings.Contains(fault.Message, test.message) {
			t.Errorf("%v: %v", test.path, err)
		}
	}
}

func TestThreatened(t *testing.T) {
	const standing = "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB "
	line, err := read(t, Path{Start: standing + "w 0-0"}).Threatened()
	if err != nil || line.End().String() != standing+"b 0-0" || len(line.Turns) != 0 {
		t.Errorf("%v, %v", line, err)
	}
	for _, path := range []Path{
		{},
		{Start: "W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2"},
		{Start: "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"},
	} {
		if line, err := read(t, path).Threatened(); err == nil {
			t.Errorf("%v: %v", path, line.End().String())
		}
	}
}

// wholeTurns appends all turns that complete the given steps.
func wholeTurns(t *testing.T, line *Line, prefix []Step, words []string) []string {
	t.Helper()
	next, err := line.Steps(prefix)
	if err != nil {
		t.Fatal(err)
	}
	if next.Complete != nil {
		return append(words, *next.Complete)
	}
	for _, step := range next.Steps {
		words = wholeTurns(t, line, append(prefix[:len(prefix):len(prefix)], step), words)
	}
	return words
}

// TestStepsLeadToAllTurns checks, in positions of real games, that the steps lead to all legal
// turns and to no others.
func TestStepsLeadToAllTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, game := range games(t) {
		line := read(t, Path{Turns: game})
		for i := range line.Positions {
			p := &line.Positions[i]
			turns := p.Turns(nil)
			if len(turns) > 200 || !p.HasRow(p.SideToMove()) && rng.IntN(12) > 0 {
				continue
			}
			short := &Line{Positions: line.Positions[:i+1], Turns: line.Turns[:i]}
			got := wholeTurns(t, short, nil, nil)
			var want []string
			for _, turn := range turns {
				want = append(want, turn.String())
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v (-want +got):\n%s", p, diff)
			}
		}
	}
}

// TestActsMakeTheTurn replays the acts of each turn as steps, and compares the turn and the
// board.
func TestActsMakeTheTurn(t *testing.T) {
	for _, game := range games(t) {
		line := read(t, Path{Turns: game})
		whole := line.Game()
		if len(whole.Views) != len(game)+1 || len(whole.Turns) != len(game) {
			t.Fatalf("%d views of %d turns", len(whole.Views), len(game))
		}
		for i, played := range whole.Turns {
			short := &Line{Positions: line.Positions[:i+1], Turns: line.Turns[:i]}
			var steps []Step
			for _, act := range played.Acts {
				steps = append(steps, act.Step)
			}
			next, err := short.Steps(steps)
			if err != nil || next.Complete == nil || *next.Complete != game[i] {
				t.Fatalf("turn %d, %s: %+v, %v", i+1, game[i], steps, err)
			}
			after := whole.Views[i+1]
			if diff := cmp.Diff(after.Points, next.View.Points); diff != "" {
				t.Errorf("turn %d, %s (-view +steps):\n%s", i+1, game[i], diff)
			}
		}
	}
}

// games returns the human games of package position's test data, one word per turn.
func games(t testing.TB) [][]string {
	t.Helper()
	file, err := os.Open("../../../../position/testdata/human.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var games [][]string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if line := lines.Text(); line != "" && line[0] != '#' {
			games = append(games, strings.Fields(line[strings.LastIndex(line, "|")+1:]))
		}
	}
	if len(games) == 0 {
		t.Fatal("no games")
	}
	return games
}

// BenchmarkGame describes a game of 66 turns, as the server does after each turn.
func BenchmarkGame(b *testing.B) {
	path := Path{Turns: games(b)[0]}
	for b.Loop() {
		line, err := path.Read()
		if err != nil {
			b.Fatal(err)
		}
		line.Game()
	}
}

// BenchmarkSteps lists the steps late in a game.
func BenchmarkSteps(b *testing.B) {
	path := Path{Turns: games(b)[0][:60]}
	for b.Loop() {
		line, err := path.Read()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := line.Steps(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSetUpPositions sets up positions of random games piece by piece.
func TestSetUpPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 5))
	for range 200 {
		p := position.Start(position.Rules(rng.IntN(2)))
		for n := rng.IntN(60); n > 0 && !p.Over(); n-- {
			turns := p.Turns(nil)
			p = p.After(turns[rng.IntN(len(turns))])
		}
		view := viewOf(&p)
		got, err := Setting{Rules: view.Rules, Side: view.Side, Points: view.Points, Removed: view.Removed}.SetUp()
		if err != nil || got.Problem != "" || got.Position != p.String() || got.Over != p.Over() || got.Prompt.Ask == "" {
			t.Fatalf("%v: %+v, %v", p, got, err)
		}
	}
}

// TestImpossibleSettings checks the reasons why a position is impossible.
func TestImpossibleSettings(t *testing.T) {
	rings := map[string]string{"a2": "W", "a3": "W", "b1": "W", "c1": "W", "d1": "W", "k7": "B", "k8": "B", "k9": "B", "k10": "B", "j10": "B"}
	with := func(more ...string) map[string]string {
		all := map[string]string{}
		for point, letter := range rings {
			all[point] = letter
		}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	for _, test := range []struct {
		name    string
		setting Setting
		problem string
	}{
		{"all is well", Setting{Side: "w", Points: with()}, ""},
		{"too many rings", Setting{Side: "w", Points: with("f6", "W")}, "white has 6 rings, 0 of them removed, but there are only 5"},
		{"the wrong side", Setting{Side: "w", Points: map[string]string{"f6": "W"}}, "white cannot be the side to move"},
		{"markers too early", Setting{Side: "b", Points: map[string]string{"f6": "W", "f7": "w"}}, "1 markers before all rings are placed"},
		{"a row of the other side", Setting{Side: "w", Points: with("f3", "b", "f4", "b", "f5", "b", "f6", "b", "f7", "b")}, "black has a row, f3-f7, but is not the side to move"},
		{"both have won", Setting{Side: "w", Rules: "blitz", Points: map[string]string{}, Removed: [2]int{1, 1}}, "both sides have removed the 1 rings that win"},
	} {
		got, err := test.setting.SetUp()
		if err != nil || (got.Problem == "") != (test.problem == "") || !strings.Contains(got.Problem, test.problem) || (got.Position == "") != (test.problem != "") {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
}

// TestMalformedSettings checks which field an error reports.
func TestMalformedSettings(t *testing.T) {
	for _, test := range []struct {
		setting Setting
		where   string
	}{
		{Setting{Rules: "fast", Side: "w"}, "rules"},
		{Setting{Side: "x"}, "side"},
		{Setting{Side: "w", Points: map[string]string{"z9": "W"}}, "points"},
		{Setting{Side: "w", Points: map[string]string{"f6": "x"}}, "points"},
	} {
		_, err := test.setting.SetUp()
		if fault, ok := errors.AsType[*Error](err); !ok || fault.Where != test.where {
			t.Errorf("%+v: %v", test.setting, err)
		}
	}
}
