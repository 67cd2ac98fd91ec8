// Package statistics counts what files of samples hold.
//
//	statistics.go  Statistics: the counts, and how games ended
//	symmetric.go   a key that the 12 symmetries share
//	duplicates.go  how many positions come again, in bounded memory
//	write.go       the counts as tables
package statistics

import (
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
)

// Statistics counts games and their positions. Begin with New.
type Statistics struct {
	games     int
	results   [4]int // games by position.Result
	positions outcomes

	placing  outcomes
	removed  [2*position.RingsPerSide + 1]outcomes // by rings removed, of both sides; placing apart
	markers  [markerBins]outcomes                  // by markers on the board; placing apart
	scores   [2*scoreBins + 1]outcomes             // see scoreBin
	proven   outcomes
	longest  int // ply of the last sample of a game
	lengths  int // the sum of these
	repeated duplicates
}

// The bins of markers.
const (
	markerBin  = 10 // markers
	markerBins = position.MarkersInGame/markerBin + 1
)

// The bins of scores: one around 0 and so many on either side, the last of them
// for all that is beyond.
const (
	scoreBinWidth = 50 // centipawns
	scoreBins     = 10
)

// New returns statistics of nothing.
func New() *Statistics { return &Statistics{repeated: newDuplicates(mostKeys)} }

// Add counts a game.
func (c *Statistics) Add(g *sample.Game) {
	c.games++
	c.results[g.Result()&3]++
	for i := range g.Samples {
		c.add(&g.Samples[i])
	}
	if n := len(g.Samples); n > 0 {
		ply := int(g.Samples[n-1].Ply)
		c.longest = max(c.longest, ply)
		c.lengths += ply
	}
}

// add counts a position.
func (c *Statistics) add(s *sample.Sample) {
	p := &s.Position
	c.positions.add(s)
	if p.Placing() {
		c.placing.add(s)
	} else {
		c.removed[p.Removed(position.White)+p.Removed(position.Black)].add(s)
		c.markers[(position.MarkersInGame-p.Pool())/markerBin].add(s)
	}
	if s.Score == sample.MostScore || s.Score == -sample.MostScore {
		c.proven.add(s)
	} else {
		c.scores[scoreBin(int(s.Score))].add(s)
	}
	c.repeated.add(symmetricKey(p))
}

// scoreBin returns the bin of a score: scoreBins for those nearest to 0.
func scoreBin(score int) int {
	const half = scoreBinWidth / 2
	bin := (max(score, -score) + half) / scoreBinWidth
	if score < 0 {
		bin = -bin
	}
	return scoreBins + max(-scoreBins, min(scoreBins, bin))
}

// outcomes are positions of one kind, by how their games ended for the side to
// move.
type outcomes struct{ Lost, Drawn, Won int }

// add counts a position.
func (o *outcomes) add(s *sample.Sample) {
	switch {
	case s.Result < 0:
		o.Lost++
	case s.Result > 0:
		o.Won++
	default:
		o.Drawn++
	}
}

// total returns the number of positions.
func (o *outcomes) total() int { return o.Lost + o.Drawn + o.Won }

// points returns the share of the points that the side to move got, in percent.
func (o *outcomes) points() float64 {
	return percent(2*o.Won+o.Drawn, 2*o.total())
}

// percent returns a part of a whole, 0 where there is no whole.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
