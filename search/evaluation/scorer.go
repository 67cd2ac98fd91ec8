package evaluation

import "gyre/position"

// Scorer is an evaluator with a memory, for one thread. A turn changes few lines of the
// board, so in a search most lines have been seen before: what quiet turns change on them is
// looked up, in 0.8 MB. What it remembers is exact and depends on its evaluator alone, so it is never
// cleared.
type Scorer struct {
	*Evaluator
	memory [boardLines][wordsALine]lineGains
}

// wordsALine is how many words of each line are remembered.
const (
	wordBits   = 8
	wordsALine = 1 << wordBits
)

// NewScorer returns a scorer that scores as an evaluator evaluates.
func NewScorer(e *Evaluator) *Scorer { return &Scorer{Evaluator: e} }

// lookUp finds the gains on each line of a position, for a side, at a stage.
func (s *Scorer) lookUp(gains *[boardLines]*lineGains, a *Accumulator, stage Stage, side position.Side) {
	key := keyOf(stage, side)
	for line, word := range &a.lines {
		key := key | lineKey(word)
		known := &s.memory[line][key.slot()]
		if known.key != key {
			known.key = key
			known.compute(&s.worths[stage], word, side)
		}
		gains[line] = known
	}
}

// lineKey names what is known of a line: its word, and above it the stage and the side. 0
// stands for nothing.
type lineKey uint64

// keyOf returns the key for a side at a stage, of a line whose word is still to come.
func keyOf(stage Stage, side position.Side) lineKey {
	return (2*lineKey(stage) + lineKey(side&1) + 1) << 32
}

// slot returns where what is known by the key is kept (Fibonacci hashing, Knuth).
func (k lineKey) slot() int { return int(k * 0x9E3779B97F4A7C15 >> (64 - wordBits)) }
