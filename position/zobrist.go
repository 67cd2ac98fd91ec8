package position

import "github.com/zeebo/xxh3"

// zobrist holds the keys whose exclusive or is a position's hash (Zobrist,
// "A New Hashing Method with Application for Game Playing", 1970). Each key is
// the xxh3 hash of a name, so that it can only change with its name.
type zobrist struct {
	ring    [2][padded]uint64 // by side and point
	marker  [2][padded]uint64
	flip    [padded]uint64              // a marker of either colour to the other
	removed [2][RingsPerSide + 1]uint64 // by side and rings removed; none for 0
	black   uint64                      // black to move
	blitz   uint64
}

var keys = func() (k zobrist) {
	for _, s := range [...]Side{White, Black} {
		for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
			p := b.First()
			k.ring[s][p] = xxh3.HashString("ring " + s.String() + " " + p.String())
			k.marker[s][p] = xxh3.HashString("marker " + s.String() + " " + p.String())
			k.flip[p] ^= k.marker[s][p]
		}
		for n := 1; n <= RingsPerSide; n++ {
			k.removed[s][n] = xxh3.HashString("removed " + s.String() + " " + string(rune('0'+n)))
		}
	}
	k.black = xxh3.HashString("black to move")
	k.blitz = xxh3.HashString("blitz")
	return k
}()
