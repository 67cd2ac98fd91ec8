package position

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// TestPieces takes the positions of random games apart and puts them together
// again.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	for game := range 40 {
		p := Start(Rules(game % 2))
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
			var child Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
			pieces := p.Pieces()
			if again, err := pieces.Position(); err != nil || !again.Equal(p) {
				t.Fatalf("%v became %v, %v", &p, &again, err)
			}
		}
	}
}

// TestPiecesRefused changes one thing of a position so that it cannot be.
func TestPiecesRefused(t *testing.T) {
	p, err := Parse("1BB1/1B5/2B5/9/2B4w2/9/1W1W1w4/1WW2W3/8/7/4 w 0-0", Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		field  string
		change func(*Pieces)
	}{
		{"side", func(c *Pieces) { c.SideToMove = 2 }},
		{"rules", func(c *Pieces) { c.Rules = 2 }},
		{"score", func(c *Pieces) { c.Removed[White] = -1 }},
		{"score", func(c *Pieces) { c.Removed[Black] = 256 }},
		{"score", func(c *Pieces) { c.Removed = [2]int{3, 3} }},
		{"board", func(c *Pieces) { c.Removed[White] = 1 }},
		{"board", func(c *Pieces) { c.Markers[Black] = c.Rings[White] }},
		{"board", func(c *Pieces) { c.Markers[Black] = Bitboard{Lo: 1} }},
		{"board", func(c *Pieces) { c.Markers[White].Hi |= 1 << 63 }},
		{"board", func(c *Pieces) { c.Rings[White] = c.Rings[White].WithoutFirst() }},
		{"board", func(c *Pieces) { c.Markers[Black] = Row(40).Points() }},
	} {
		pieces := p.Pieces()
		test.change(&pieces)
		got, err := pieces.Position()
		if wrong, ok := errors.AsType[*Error](err); !ok || wrong.Field != test.field {
			t.Errorf("%+v became %v, error %v, not of the field %s", pieces, &got, err, test.field)
		}
	}
}
