package position_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// The package must say what the reference says: which turns there are, what each leads to, and how the game stands.

func TestGamesAgreeWithReference(t *testing.T) {
	games := 30
	if testing.Short() {
		games = 4
	}
	randomGames(t, games, agree)
}

func TestVectorsAgreeWithReference(t *testing.T) {
	for _, vector := range perftVectors(t) {
		p := mustParse(t, vector.position, "standard")
		agree(t, &p, p.Turns(nil))
		if t.Failed() {
			t.Fatalf("perft.txt:%d", vector.line)
		}
	}
	for _, c := range rulingCases(t) {
		p := mustParse(t, c.position, c.rules)
		agree(t, &p, p.Turns(nil))
		if t.Failed() {
			t.Fatalf("rulings.txt:%d", c.line)
		}
	}
}

func TestCrowdedBoardsAgreeWithReference(t *testing.T) {
	boards := 1000
	if testing.Short() {
		boards = 200
	}
	crowdedBoards(t, boards, agree)
}

// agree compares a position with the reference.
func agree(t *testing.T, p *position.Position, turns []position.Turn) {
	r := newReference(p.String(), p.Rules().String())
	if text := r.String(); text != p.String() {
		t.Errorf("text is %s, want %s", p.String(), text)
	}
	if want := r.result(); p.Result().String() != want || p.Over() != (want != "ongoing") {
		t.Errorf("result is %s, over %t, want %s", p.Result(), p.Over(), want)
	}
	if p.Pool() != r.pool() || p.Placing() != r.placing() {
		t.Errorf("pool %d, placing %t, want %d, %t", p.Pool(), p.Placing(), r.pool(), r.placing())
	}
	wanted := r.turns()
	after := map[string]string{}
	var want []string
	for i := range wanted {
		want = append(want, wanted[i].word)
		after[wanted[i].word] = wanted[i].after.String()
	}
	got := wordsOf(turns)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("turns (-want +got):\n%s", diff)
	}
	if p.Count() != len(want) {
		t.Errorf("counts %d turns, want %d", p.Count(), len(want))
	}
	agreeOnPlay(t, p, turns, after)
}

// agreeOnPlay compares where some of the turns lead: all of a few, or a sample of many.
func agreeOnPlay(t *testing.T, p *position.Position, turns []position.Turn, after map[string]string) {
	const most = 200
	rng := rand.New(rand.NewPCG(uint64(len(turns)), 1))
	for i, turn := range turns {
		if len(turns) > most && rng.IntN(len(turns)) >= most {
			continue
		}
		var child position.Position
		p.Play(&child, turn)
		if got, want := child.String(), after[turn.String()]; got != want {
			t.Errorf("turn %d, %s, leads to %s, want %s", i, turn, got, want)
		}
	}
}
