package selfplay

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
)

// ringTurns is how many turns the placing of the rings takes.
const ringTurns = 2 * position.RingsPerSide

// opening is a plan of how a game begins: from which position, and which turns are
// random.
type opening struct {
	start position.Position
	first int             // ply of the start
	rings [ringTurns]bool // which of the rings are placed at random
	end   int             // ply of the first turn after the opening
}

// newOpening draws a plan: from a late position if the recipe has some, and else from
// the start. There, in half of the games all rings are placed at random; in the others
// a coin decides for each ring whether it is, or the engine places it. The first ring
// is always placed at random: otherwise games would begin alike.
func newOpening(r *Recipe, rng *rand.Rand) opening {
	if r.Late != nil {
		return r.Late.opening(rng)
	}
	o := opening{start: position.Start(r.Rules)}
	all := rng.IntN(2) == 0
	for i := range o.rings {
		o.rings[i] = i == 0 || all || rng.IntN(2) == 0
	}
	o.end = ringTurns + rng.IntN(r.RandomTurns+1)
	return o
}

// random tells whether a turn of the opening is a random one.
func (o *opening) random(ply int) bool { return ply >= ringTurns || o.rings[ply] }

// Late are positions late in games of before, for games to begin from: those where
// each side has removed a ring. There evaluations err most, and games from the start
// seldom come to them.
type Late struct {
	origin  string // what they are from
	records []byte // samples, one after the other
}

// mostLateTurns is the largest number of random turns that are made from a late
// position. A game makes one at least.
const mostLateTurns = 3

// ReadLate reads the late positions of a file of samples. Name is that of the file.
// Damage is told and passed over. The error says that the file is none, of other rules
// or has no such position.
func ReadLate(in io.Reader, name string, rules position.Rules, tell func(error)) (*Late, error) {
	hash := xxh3.New()
	r, err := sample.NewReader(io.TeeReader(in, hash))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l := &Late{}
	for {
		g, err := r.Next()
		if err == io.EOF {
			break
		}
		if damage, damaged := errors.AsType[*sample.Damage](err); damaged {
			tell(fmt.Errorf("%s: %w", name, damage))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := l.add(g, rules); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if l.count() == 0 {
		return nil, fmt.Errorf("%s: it has no position where each side has removed a ring", name)
	}
	l.origin = fmt.Sprintf("%s, xxh3 %016x", name, hash.Sum64())
	return l, nil
}

// add adds the late positions of a game.
func (l *Late) add(g *sample.Game, rules position.Rules) error {
	for i := range g.Samples {
		s := &g.Samples[i]
		p := &s.Position
		if p.Rules() != rules {
			return fmt.Errorf("game %d is by the %v rules, not the %v ones", g.Number, p.Rules(), rules)
		}
		if p.Removed(position.White) > 0 && p.Removed(position.Black) > 0 {
			l.records = s.Append(l.records)
		}
	}
	return nil
}

// count returns how many positions there are.
func (l *Late) count() int { return len(l.records) / sample.Size }

// opening draws a position and how many random turns are made from it.
func (l *Late) opening(rng *rand.Rand) opening {
	at := rng.IntN(l.count()) * sample.Size
	s, err := sample.Decode(l.records[at : at+sample.Size])
	if err != nil {
		panic("a sample that was read: " + err.Error()) // it was written by Append
	}
	return opening{start: s.Position, first: int(s.Ply), end: int(s.Ply) + 1 + rng.IntN(mostLateTurns)}
}

// String says what they are.
func (l *Late) String() string {
	return fmt.Sprintf("from %d positions where each side has removed a ring, of %s; 1 to %d random turns", l.count(), l.origin, mostLateTurns)
}
