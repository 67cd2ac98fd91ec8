package ladder

import (
	"context"
	"math/rand/v2"
	"testing"

	"gyre/bench/game"
	"gyre/position"
	"gyre/protocol"
)

// TestPlayersPlay plays games of each fast player against random, over the protocol. The
// players are stronger but lose one game in ten, so 25 games make a majority certain.
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

// playRandom plays a game of the named player, as White, against random.
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

// TestEvaluationIsFair checks that the evaluation is the same for both sides and under all
// symmetries.
func TestEvaluationIsFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	p := position.Start(position.Standard)
	for !p.Over() {
		for s := range position.Symmetry(position.Symmetries) {
			image := s.Position(&p)
			if evaluate(&image) != evaluate(&p) {
				t.Fatalf("%v is worth %d, its image %v %d", &p, evaluate(&p), &image, evaluate(&image))
			}
		}
		turns := p.Turns(nil)
		p = p.After(turns[rng.IntN(len(turns))])
	}
}

// TestStoppedAtOnce checks that a player that is stopped at once still picks a legal turn.
func TestStoppedAtOnce(t *testing.T) {
	p := position.Start(position.Standard)
	for _, player := range Players() {
		c := player.make().choose(&p, func() bool { return true })
		if !p.Legal(c.turn) {
			t.Errorf("%s: %v", player.Name, c.turn)
		}
	}
}
