package analysis

import (
	"context"
	"slices"
	"strings"

	"gyre/position"
	"gyre/protocol"
)

// demo is an analyst for tests. Its scores are made up, and its turns are the first in
// the alphabet.
type demo struct {
	// forever has each search last until it is ended. It tells of each one that begins.
	forever chan position.Position
}

func (d *demo) Search(ctx context.Context, root position.Position, limits Limits, report func(protocol.Info)) {
	turns := alphabetical(&root)
	for depth := 1; depth <= 3; depth++ {
		for i, t := range turns[:min(limits.MultiPV, len(turns))] {
			line := demoLine(root, t, depth)
			info := protocol.Info{
				Depth: depth, MultiPV: i + 1, Nodes: uint64(100 * depth), PV: line,
				HasScore: true, Score: protocol.Score{Value: 10 * (depth - i)},
			}
			if wins(&root, t) {
				info.Score = protocol.Score{Mate: true, Value: 1}
			}
			report(info)
		}
		if depth == 1 && wins(&root, turns[0]) {
			return
		}
	}
	if d.forever != nil {
		select {
		case d.forever <- root:
			<-ctx.Done()
		case <-ctx.Done():
		}
	}
}

// demoLine is a line that begins with a turn, of at most so many turns.
func demoLine(p position.Position, t position.Turn, length int) (line []position.Turn) {
	for {
		line = append(line, t)
		var child position.Position
		p.Play(&child, t)
		if p = child; p.Over() || len(line) == length {
			return line
		}
		t = alphabetical(&p)[0]
	}
}

// alphabetical returns the turns of a position, those that win first.
func alphabetical(p *position.Position) []position.Turn {
	turns := p.Turns(nil)
	slices.SortFunc(turns, func(a, b position.Turn) int {
		switch winning := wins(p, a); {
		case winning == wins(p, b):
			return strings.Compare(a.String(), b.String())
		case winning:
			return -1
		}
		return 1
	})
	return turns
}

// wins tells whether a turn ends the game, which whoever makes it has then won.
func wins(p *position.Position, t position.Turn) bool {
	var child position.Position
	p.Play(&child, t)
	return child.Removed(p.SideToMove()) >= p.Rules().WinningRings()
}
