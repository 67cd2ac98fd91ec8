package mate

import (
	"math/bits"

	"gyre/search/internal/memory"
)

// proof is what is known of a position with the attacker to move.
type proof struct {
	hash   uint64 // of the position
	wins   int8   // wins in so many of his turns; 0 if not known to win
	misses int8   // does not win in so many
}

// mostProofs is how many proofs a prover remembers, in 16 MiB.
const mostProofs = 1 << 20

// proofs is the prover's transposition table: each position has one place, which
// it takes from whichever had it.
type proofs struct {
	memory *memory.Block[proof]
	places []proof // the values of memory
}

// newProofs returns a table with so many places, none of them taken. Close it.
func newProofs(most int) proofs {
	block := memory.AtMost[proof](most)
	return proofs{memory: block, places: block.Values()}
}

// close gives the memory back.
func (p *proofs) close() { p.memory.Free() }

// place returns where a position is kept.
func (p *proofs) place(hash uint64) *proof {
	i, _ := bits.Mul64(hash, uint64(len(p.places)))
	return &p.places[i]
}

// find returns what is known of a position.
func (p *proofs) find(hash uint64) proof {
	if known := *p.place(hash); known.hash == hash {
		return known
	}
	return proof{hash: hash}
}

// keep remembers what is known of a position.
func (p *proofs) keep(known proof) { *p.place(known.hash) = known }
