package position_test

import (
	"errors"
	"slices"
	"testing"

	"gyre/position"
)

// FuzzParse parses any text. An accepted position must survive the round trip through
// its text, and it must be playable.
func FuzzParse(f *testing.F) {
	for _, vector := range perftVectors(f) {
		f.Add(vector.position, false, uint64(1))
	}
	for _, c := range rulingCases(f) {
		f.Add(c.position, c.rules == "blitz", uint64(2))
	}
	f.Fuzz(func(t *testing.T, text string, blitz bool, choice uint64) {
		rules := position.Standard
		if blitz {
			rules = position.Blitz
		}
		p, err := position.Parse(text, rules)
		if err != nil {
			fuzzError(t, err)
			return
		}
		checkText(t, &p)
		if t.Failed() {
			return
		}
		playSteps(t, p, choice)
	})
}

// playSteps plays some turns step by step. A position can have far more turns than
// steps.
func playSteps(t *testing.T, p position.Position, choice uint64) {
	for range 12 {
		begun := position.Begin(&p)
		for !begun.Complete() {
			steps := begun.Steps(nil)
			begun.Apply(steps[choice%uint64(len(steps))])
			choice = choice*6364136223846793005 + 1442695040888963407
			choice ^= choice >> 29
		}
		turn := begun.Turn()
		if p.Over() != (turn == position.None) || p.Legal(turn) != (turn != position.None) {
			t.Fatalf("%s in %s, over %t", turn, p.String(), p.Over())
		}
		const fewRows = 3
		if len(p.Rows(p.SideToMove(), nil)) <= fewRows && p.Count() < 1000 {
			if turns := p.Turns(nil); len(turns) != p.Count() || turn != position.None && !slices.Contains(turns, turn) {
				t.Fatalf("%s of %d turns, counted %d, in %s", turn, len(turns), p.Count(), p.String())
			}
		}
		if turn == position.None {
			return
		}
		child := p.After(turn)
		checkText(t, &child)
		p = child
	}
}

// FuzzParseTurn parses any word as a turn. An accepted turn must survive the round
// trip.
func FuzzParseTurn(f *testing.F) {
	var positions []position.Position
	for _, c := range rulingCases(f) {
		positions = append(positions, mustParse(f, c.position, c.rules))
		for _, word := range append(append(slices.Clone(c.turns), c.has...), c.lacks...) {
			f.Add(word, uint8(len(positions)-1))
		}
	}
	f.Fuzz(func(t *testing.T, word string, which uint8) {
		p := positions[int(which)%len(positions)]
		turn, err := p.ParseTurn(word)
		if err != nil {
			fuzzError(t, err)
			return
		}
		back, err := p.ParseTurn(turn.String())
		if err != nil || back != turn || !p.Legal(turn) || !slices.Contains(p.Turns(nil), turn) {
			t.Fatalf("%q is %s, and that is %s, %v in %s", word, turn, back, err, p.String())
		}
		child := p.After(turn)
		checkText(t, &child)
	})
}

// FuzzParsePoint parses any word as a point. An accepted point must survive the round
// trip.
func FuzzParsePoint(f *testing.F) {
	for _, word := range []string{"a2", "f6", "K10", "e10", "l1", "a06", "", "f"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		p, err := position.ParsePoint(word)
		if err != nil {
			fuzzError(t, err)
			return
		}
		if back, err := position.ParsePoint(p.String()); err != nil || back != p || !p.OnBoard() {
			t.Fatalf("%q is %s, and that is %s, %v", word, p, back, err)
		}
	})
}

// fuzzError checks the properties of every error of the package.
func fuzzError(t *testing.T, err error) {
	t.Helper()
	var typed *position.Error
	if !errors.As(err, &typed) || typed.Field == "" || typed.Reason == "" || len(err.Error()) > 1000 {
		t.Fatalf("%T with %d bytes: %.500q", err, len(err.Error()), err)
	}
}
