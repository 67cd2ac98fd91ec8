package referee

import (
	"bufio"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// wholeTurns appends the words of all turns that the steps lead to, each as the
// steps complete it.
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

// TestStepsLeadToAllTurns walks through the steps in positions of games and
// compares where they lead with the list of all turns.
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

// TestActsMakeTheTurn takes what each turn of a game did as steps: they make the
// same turn, and lead to the same board.
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

// TestReplay plays games again by the steps of their turns: the turns are the same, and
// what is not legal changes nothing.
func TestReplay(t *testing.T) {
	for _, game := range games(t) {
		line := read(t, Path{Turns: game})
		r := NewReplay(*line.Start())
		for i, want := range line.Turns {
			side := line.Positions[i].SideToMove()
			steps := StepsOf(want)
			for n, step := range steps {
				if _, _, err := r.Do(side.Opponent(), step); err == nil {
					t.Errorf("turn %d: a step of the other side is taken", i+1)
				}
				if _, _, err := r.Do(side, position.Step{Kind: position.StepPass}); err == nil && step.Kind != position.StepPass {
					t.Errorf("turn %d: a pass is taken", i+1)
				}
				got, complete, err := r.Do(side, step)
				last := n == len(steps)-1
				if err != nil || complete != last || r.InTurn() == last || last && got != want {
					t.Fatalf("turn %d, %v: %v, %t, %v", i+1, want, got, complete, err)
				}
			}
			if !r.Now().Equal(line.Positions[i+1]) {
				t.Errorf("turn %d leads to %v", i+1, r.Now())
			}
		}
	}
}

// games are the games of people among the test data of package position, a turn
// a word.
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

// BenchmarkGame tells all about a game of 66 turns, as after each turn played.
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

// BenchmarkSteps tells the targets of a ring late in a game.
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
