package ladder

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/position"
	"gyre/protocol"
)

// TestPlayersPlay has each of the quick players play random by way of the
// protocol. They are stronger, but lose a game in ten: so many games make it sure
// that they win most.
func TestPlayersPlay(t *testing.T) {
	const games = 25
	for _, name := range []string{"random", "greedy", "alphabeta-100", "mcts-100", "boardspace-2"} {
		t.Run(name, func(t *testing.T) {
			if name == "boardspace-2" && testing.Short() {
				t.Skip("two seconds")
			}
			won := 0
			for range games {
				played := playRandom(t, name)
				if played.Reason.Fault() {
					t.Fatalf("%v by %v: %s", played.Result, played.Reason, played.Detail)
				}
				if played.Result == position.WhiteWins {
					won++
				}
			}
			if name != "random" && won <= games/2 {
				t.Errorf("%d of %d games won against random", won, games)
			}
		})
	}
}

// playRandom plays a game of a player, as White, against random.
func playRandom(t *testing.T, name string) *game.Played {
	t.Helper()
	var players [2]*game.Player
	for side, n := range []string{name, "random"} {
		p, err := Find(n)
		if err != nil {
			t.Fatal(err)
		}
		engine := p.Engine()
		players[side] = game.NewPlayer(&engine, protocol.Patience{}, nil)
		defer players[side].Kill()
	}
	played, err := game.Play(context.Background(), players, game.Opening{Start: position.Start(position.Standard)}, game.Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// TestSearchersSeeAWin gives the searchers positions in which a turn wins at
// once: where a turn that ends the game exists, alpha-beta takes it.
func TestSearchersSeeAWin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	found := 0
	for found < 10 {
		p := position.Start(position.Blitz)
		for !p.Over() {
			turns := p.Turns(nil)
			var child position.Position
			for _, turn := range turns {
				if p.Play(&child, turn); child.Over() && child.Result() == position.WhiteWins+position.Result(p.SideToMove()) {
					found++
					c := byNodes(10_000).choose(&p, func() bool { return false })
					var after position.Position
					if p.Play(&after, c.turn); after.Result() != child.Result() || c.score != won {
						t.Errorf("%v: %v with score %d", &p, c.turn, c.score)
					}
					break
				}
			}
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
		}
	}
}

// TestAlphaBetaIsMinimax compares its scores with those of a search without
// bounds.
func TestAlphaBetaIsMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5 {
		p := position.Start(position.Standard)
		for range 30 {
			turns := p.Turns(nil)
			if len(turns) == 0 {
				break
			}
			var child position.Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
		}
		a := byNodes(1 << 40)
		a.stopped = func() bool { return false }
		if got, want := a.search(&p, 2, -won-1, won+1), minimax(&p, 2, judge); got != want {
			t.Errorf("%v: %d, want %d", &p, got, want)
		}
	}
}

func minimax(p *position.Position, depth int, judge func(*position.Position) int) int {
	if depth == 0 || p.Over() {
		return judge(p)
	}
	best := -won - 1
	for _, t := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, t)
		best = max(best, -minimax(&child, depth-1, judge))
	}
	return best
}

// TestJudgementIsFair checks that the judgement is the same for both sides and
// all symmetries.
func TestJudgementIsFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	p := position.Start(position.Standard)
	for !p.Over() {
		for s := range position.Symmetry(position.Symmetries) {
			image := s.Position(&p)
			if judge(&image) != judge(&p) {
				t.Fatalf("%v is worth %d, its image %v %d", &p, judge(&p), &image, judge(&image))
			}
		}
		turns := p.Turns(nil)
		var child position.Position
		p.Play(&child, turns[rng.IntN(len(turns))])
		p = child
	}
}

// TestStoppedAtOnce checks that players that are stopped still give a turn.
func TestStoppedAtOnce(t *testing.T) {
	p := position.Start(position.Standard)
	for _, player := range Players() {
		c := player.make().choose(&p, func() bool { return true })
		if !p.Legal(c.turn) {
			t.Errorf("%s: %v", player.Name, c.turn)
		}
	}
}

func TestRatings(t *testing.T) {
	all, err := Ratings()
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Name != Anchor || all[0].Elo.Value != 0 || all[0].Elo.Error != 0 {
		t.Errorf("the anchor is %+v", all[0])
	}
	var text strings.Builder
	if err := WriteRatings(&text, "made\nup", all); err != nil {
		t.Fatal(err)
	}
	again, err := ParseRatings(text.String())
	if diff := cmp.Diff(all, again); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for wrong, want := range map[string]string{
		"":                         "none of random",
		"random 0":                 "line 1: not NAME",
		"\nnobody 0 0":             `line 2: reference player "nobody"`,
		"random zero 0":            `"zero"`,
		"random 0 -1":              `"-1"`,
		"random 0 0\nrandom 0 0\n": "line 2: random is there twice",
	} {
		if _, err := ParseRatings(wrong); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v", wrong, err)
		}
	}
}

func FuzzRatings(f *testing.F) {
	f.Add(ratingsText)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseRatings(text)
		if err != nil {
			return
		}
		var out strings.Builder
		if err := WriteRatings(&out, "", all); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseRatings(out.String()); err != nil {
			t.Errorf("%v in %q", err, out.String())
		}
	})
}
