package position

import "sync/atomic"

// Perft returns the number of sequences of depth whole turns from p: 1 for
// depth 0 or less, and games that end earlier do not count. The last turn is
// counted without playing it. Once stop (which may be nil) is true, the count
// ends soon and is of no use.
func Perft(p *Position, depth int, stop *atomic.Bool) uint64 {
	return Divide(p, depth, stop, func(Turn, uint64) {})
}

// Divide is Perft that tells the count for each first turn as it is known.
func Divide(p *Position, depth int, stop *atomic.Bool, visit func(t Turn, nodes uint64)) uint64 {
	if depth <= 0 {
		return 1
	}
	counter := perft{stop: stop, plies: make([]perftPly, depth)}
	total := uint64(0)
	var child Position
	for _, t := range p.Turns(nil) {
		p.Play(&child, t)
		nodes := counter.count(&child, depth-1)
		if counter.stopped() {
			return total
		}
		visit(t, nodes)
		total += nodes
	}
	return total
}

// perft counts with memory that it makes once.
type perft struct {
	stop  *atomic.Bool
	plies []perftPly // by the depth that is left
}

// perftPly is the memory for one ply.
type perftPly struct {
	child Position
	turns []Turn
}

// count returns the number of sequences of depth turns from p. It looks at the
// stop flag wherever it plays turns: once that is set, each ply only runs out
// its list.
func (c *perft) count(p *Position, depth int) uint64 {
	switch {
	case depth == 0:
		return 1
	case depth == 1:
		return uint64(p.Count())
	case c.stopped():
		return 0
	case depth == 2 && p.repliesOnLines():
		return p.countReplies()
	}
	ply := &c.plies[depth]
	ply.turns = p.Turns(ply.turns[:0])
	total := uint64(0)
	for _, t := range ply.turns {
		p.Play(&ply.child, t)
		total += c.count(&ply.child, depth-1)
	}
	return total
}

// stopped tells whether to give up.
func (c *perft) stopped() bool { return c.stop != nil && c.stop.Load() }
