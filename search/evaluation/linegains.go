package evaluation

import "gyre/position"

// lineGains tells what a quiet turn of a side changes on a line that it crosses: for each
// point of the line by how much the sum of the line changes if the point does what such a
// turn can have it do. A vacant point gets a ring of the side, a marker is flipped, and a
// ring of the side leaves a marker; a ring of the other side stays.
type lineGains struct {
	key   lineKey
	sum   pair             // of the line as it is
	gains [linePoints]pair // by the number of the point on the line
}

// compute computes the gains on a line with a word, for a side.
func (g *lineGains) compute(worths *table, word uint32, side position.Side) {
	g.sum = worths.sumOfLine(uint64(word))
	for i := range g.gains {
		at := place{shift: uint8(pointBits * i)}
		g.gains[i] = 0
		if by := changeOf(word>>(at.shift&31)&beyond, side); by != 0 {
			old := around(word, at)
			g.gains[i] = worths.sumOfCodes(old^uint64(by)<<marginBits) - worths.sumOfCodes(old)
		}
	}
}

// changeOf returns how a quiet turn of a side changes the state of a point on its way, 0
// if it does not.
func changeOf(state uint32, side position.Side) uint32 {
	side &= 1
	switch state {
	case vacant:
		return ringState[side]
	case ownMarker, theirMarker:
		return markerState[0] ^ markerState[1]
	case ringState[side]:
		return ringState[side] ^ markerState[side]
	}
	return 0
}
