package ladder

import (
	"sync"

	"gyre/position"
)

// The alpha-beta robots of boardspace.net, where most people have met a program that
// plays YINSH: WeakBot searches 2 turns deep, Dumbot 3, SmartBot 4, in the placing of
// rings as well. Their evaluation is, of each side,
//
//	100 for a ring that it has removed
//	0.1 for each move that its rings have
//	0.1 for each marker that these moves flip
//	0.1 for each marker of its colour on the board
//
// and the difference of the two sides. This is written from that description (D. Dyer,
// yinsh/common/YinshPlay.java in the sources of boardspace.net, 2006-2023), not from
// their code, and differs where it says nothing or what depends on their driver:
//
//   - In their first 12 moves they take one of their best 21 to 32 at random. Here
//     equal turns alone are chosen among by chance: matches begin from openings.
//   - A game that is over counts more than any evaluation.
//   - All flips of all moves are added up, those of one marker by several moves too.
//   - They have no limit of time here.
//
// Units are tenths, so that they are whole numbers.
const (
	boardspaceRing = 1000
	boardspaceOne  = 1
)

// boardspace is the robot of a depth.
func boardspace(depth int) *alphaBeta {
	return &alphaBeta{limit: 1 << 62, deepest: depth, judge: judgeBoardspace}
}

// judgeBoardspace returns their evaluation for the side to move.
func judgeBoardspace(p *position.Position) int {
	own := p.SideToMove()
	if ended, score := judgeEnd(p, own); ended {
		return score
	}
	return boardspaceSide(p, own) - boardspaceSide(p, own.Opponent())
}

// boardspaceSide is the part of one side.
func boardspaceSide(p *position.Position, s position.Side) int {
	spans := betweenPoints()
	markers := p.AllMarkers()
	moves, flips := 0, 0
	for rings := p.Rings(s); !rings.IsEmpty(); rings = rings.WithoutFirst() {
		from := rings.First()
		for targets := p.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			moves++
			flips += spans[from][targets.First()].And(markers).Count()
		}
	}
	return boardspaceRing*p.Removed(s) + boardspaceOne*(moves+flips+p.Markers(s).Count())
}

// paddedPoints is how many values a position.Point has.
const paddedPoints = 121

// betweenPoints returns the points between each two of a line.
var betweenPoints = sync.OnceValue(func() *[paddedPoints][paddedPoints]position.Bitboard {
	var all [paddedPoints][paddedPoints]position.Bitboard
	points := position.Board().Points(nil)
	for _, from := range points {
		for _, to := range points {
			d, ok := position.DirectionOf(from, to)
			if from == to || !ok {
				continue
			}
			for _, middle := range points {
				first, ok1 := position.DirectionOf(from, middle)
				second, ok2 := position.DirectionOf(middle, to)
				inside := min(from, to) < middle && middle < max(from, to)
				if inside && ok1 && ok2 && first == d && second == d {
					all[from][to] = all[from][to].Or(setOf(middle))
				}
			}
		}
	}
	return &all
})

// setOf returns the set of one point.
func setOf(p position.Point) position.Bitboard {
	rest := position.Board()
	for rest.First() != p {
		rest = rest.WithoutFirst()
	}
	return rest.AndNot(rest.WithoutFirst())
}
