package position_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gyre/position"
)

// everywhere visits the positions of random games and crowded boards.
func everywhere(t *testing.T, visit func(t *testing.T, p *position.Position, turns []position.Turn)) {
	t.Helper()
	games, boards := 16, 500
	if testing.Short() {
		games, boards = 4, 100
	}
	randomGames(t, games, visit)
	crowdedBoards(t, boards, visit)
}

func TestHashAndTextKeepUp(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		checkText(t, p)
		for _, turn := range someOf(turns) {
			var child position.Position
			p.Play(&child, turn)
			checkText(t, &child)
		}
	})
}

func TestHashesDiffer(t *testing.T) {
	texts := map[uint64]string{}
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		text := p.String() + " " + p.Rules().String()
		if other, met := texts[p.Hash()]; met && other != text {
			t.Errorf("%s and %s have the hash %#x", text, other, p.Hash())
		}
		texts[p.Hash()] = text
	})
}

func TestTurnTextAndLegal(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		for _, turn := range someOf(turns) {
			back, err := p.ParseTurn(turn.String())
			if err != nil || back != turn {
				t.Errorf("%s comes back as %s, %v", turn, back, err)
			}
			if !p.Legal(turn) {
				t.Errorf("%s is listed and not legal", turn)
			}
		}
	})
}

func TestTurnsAreDistinctAndAppended(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		seen := make(map[position.Turn]bool, len(turns))
		for _, turn := range turns {
			if seen[turn] || turn == position.None {
				t.Errorf("%s is listed twice, or none", turn)
			}
			seen[turn] = true
		}
		const mark = position.Turn(12345)
		appended := p.Turns([]position.Turn{mark})
		if appended[0] != mark || !slices.Equal(appended[1:], turns) {
			t.Errorf("appending gives %q", wordsOf(appended))
		}
		if p.Over() != (len(turns) == 0) || p.Over() != (p.Result() != position.Ongoing) {
			t.Errorf("over is %t, result %s, with %d turns", p.Over(), p.Result(), len(turns))
		}
	})
}

func TestLegalTellsAnyWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		for range 5 {
			turn := position.Turn(rng.Uint64())
			if len(turns) > 0 {
				turn = turns[rng.IntN(len(turns))] ^ 1<<rng.IntN(64)
			}
			if got, want := p.Legal(turn), slices.Contains(turns, turn); got != want {
				t.Errorf("legal of %#x, %s, is %t, want %t", uint64(turn), turn, got, want)
			}
		}
		if p.Legal(position.None) {
			t.Error("no turn is legal")
		}
	})
}

func TestPlayLeavesItsSource(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		before := *p
		for _, turn := range someOf(turns) {
			var child position.Position
			p.Play(&child, turn)
			if !p.Equal(before) {
				t.Errorf("%s changed its source to %s", turn, p.String())
			}
			if child.SideToMove() != p.SideToMove().Opponent() || child.Rules() != p.Rules() {
				t.Errorf("after %s it is %s's turn by %s rules", turn, child.SideToMove(), child.Rules())
			}
		}
	})
}

// A game ends by itself: what grows by one with each ring move has an upper bound, and so no position comes back.
func TestGamesAreFinite(t *testing.T) {
	const most = 71
	var met map[string]bool
	moves, last := 0, 0
	randomGames(t, 40, func(t *testing.T, p *position.Position, turns []position.Turn) {
		if p.String() == startText {
			met, moves, last = map[string]bool{}, 0, 0
		}
		if met[p.String()] {
			t.Error("the position comes back")
		}
		met[p.String()] = true
		markers := p.AllMarkers().Count()
		grown := markers + 5*(p.Removed(position.White)+p.Removed(position.Black))
		if grown != last {
			moves++
		}
		if grown-last > 1 || grown < last || moves > most || moves != grown {
			t.Errorf("%d ring moves, markers and rows grown to %d from %d", moves, grown, last)
		}
		last = grown
		if markers > 51 || p.Pool() != 51-markers {
			t.Errorf("%d markers with a pool of %d", markers, p.Pool())
		}
	})
	if position.MaxRingMoves != most {
		t.Errorf("at most %d ring moves, want %d", position.MaxRingMoves, most)
	}
}

// The two colours play by the same rules: with all colours swapped, the same words are turns.
func TestColoursAreAlike(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		white, black := p.Rings(position.White), p.Rings(position.Black)
		if p.Placing() && white.Count() != black.Count() {
			return // white places first
		}
		swapped := p.String()
		if !p.Placing() {
			swapped = swapColours(swapped)
		}
		q := mustParse(t, swapped, p.Rules().String())
		if !slices.Equal(sorted(wordsOf(q.Turns(nil))), sorted(wordsOf(turns))) || q.Count() != p.Count() {
			t.Errorf("other turns with the colours swapped: %s", swapped)
		}
	})
}

func swapColours(text string) string {
	fields := strings.Fields(strings.NewReplacer("w", "b", "b", "w", "W", "B", "B", "W").Replace(text))
	white, black, _ := strings.Cut(fields[2], "-")
	return fmt.Sprintf("%s %s %s-%s", fields[0], fields[1], black, white)
}

// A turn put together step by step is a turn, and each turn can be put together in one way.
func TestStepsMakeTheTurns(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		if len(turns) > 3000 {
			return
		}
		begun := position.Begin(p)
		if p.Over() {
			if !begun.Complete() || begun.Turn() != position.None || len(begun.Steps(nil)) > 0 {
				t.Error("a turn begins after the end")
			}
			return
		}
		var made []string
		walkSteps(t, p, &begun, &made)
		if !slices.Equal(sorted(made), sorted(wordsOf(turns))) {
			t.Errorf("steps make %d turns, want %d", len(made), len(turns))
		}
	})
}

// walkSteps lists what every way to go on with a turn makes, and compares the board at its end.
func walkSteps(t *testing.T, p *position.Position, b *position.Partial, made *[]string) {
	if b.Complete() {
		*made = append(*made, b.Turn().String())
		var child position.Position
		p.Play(&child, b.Turn())
		board, _, _ := strings.Cut(child.String(), " ")
		if !strings.HasPrefix(b.Position().String(), board+" ") || b.Position().SideToMove() != p.SideToMove() {
			t.Errorf("the steps of %s lead to %s, the turn to %s", b.Turn(), b.Position(), child.String())
		}
		return
	}
	steps := b.Steps(nil)
	if len(steps) == 0 {
		t.Errorf("no step after %s", b.Turn())
	}
	for _, step := range steps {
		next := *b
		next.Apply(step)
		walkSteps(t, p, &next, made)
	}
}

// someOf thins a long list of turns out.
func someOf(turns []position.Turn) []position.Turn {
	const most = 50
	if len(turns) <= most {
		return turns
	}
	var some []position.Turn
	for i := 0; i < len(turns); i += (len(turns) + most - 1) / most {
		some = append(some, turns[i])
	}
	return some
}

func sorted(words []string) []string {
	slices.Sort(words)
	return words
}
