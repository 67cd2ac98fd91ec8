package mcts

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"gyre/position"
	"gyre/search/internal/memory"
)

// branch is a turn in the tree and what is known of the position after it.
// Chances and proofs are told for the side that makes the turn.
//
// The fields that are not atomic are written before the branch is published
// (by storing its block in its parent) and while no search is running.
type branch struct {
	turn   position.Turn
	total  atomic.Int64  // sum of the chances that visits found, of 1/certain
	visits atomic.Uint32 // begun: those still on their way count as lost, so that threads spread out
	block  atomic.Uint32 // of the children; noBlock, or busyBlock while a thread makes them
	state  atomic.Uint32 // chance in the low half, proof in the high half
	prior  uint16        // share of the parent's attention, of 1/certain
}

// The values of branch.block that are not the place of a block. Place 0 is the
// root's.
const (
	noBlock   = 0
	busyBlock = 1<<32 - 1
)

// branchBytes is the size of a branch.
const branchBytes = int(unsafe.Sizeof(branch{}))

// chance returns the best that is known of the turn without averaging: the
// evaluation, or the minimax of those below.
func (b *branch) chance() chance { return chance(b.state.Load()) }

// proof returns what is proven of the turn.
func (b *branch) proof() proof { return proof(b.state.Load() >> 16) }

// setChance changes the chance of a branch that is not proven.
func (b *branch) setChance(c chance) {
	for {
		old := b.state.Load()
		if old>>16 != 0 || chance(old) == c || b.state.CompareAndSwap(old, uint32(c)) {
			return
		}
	}
}

// setProof proves the branch. The first proof stays.
func (b *branch) setProof(p proof) {
	for {
		old := b.state.Load()
		if old>>16 != 0 || b.state.CompareAndSwap(old, uint32(p)<<16|uint32(p.chance())) {
			return
		}
	}
}

// fill sets a branch up that nobody has visited.
func (b *branch) fill(t position.Turn, prior uint16, c chance, p proof) {
	b.turn, b.prior = t, prior
	b.total.Store(0)
	b.visits.Store(0)
	b.block.Store(noBlock)
	b.state.Store(uint32(p)<<16 | uint32(c))
}

// copyFrom makes b equal to another branch.
func (b *branch) copyFrom(other *branch) {
	b.turn, b.prior = other.turn, other.prior
	b.total.Store(other.total.Load())
	b.visits.Store(other.visits.Load())
	b.block.Store(other.block.Load())
	b.state.Store(other.state.Load())
}

// mean returns the mean of what visits found, and whether there were any.
func (b *branch) mean() (float64, bool) {
	n := b.visits.Load()
	if n == 0 {
		return 0, false
	}
	return float64(b.total.Load()) / (float64(n) * float64(certain)), true
}

// arena holds all branches of a tree in one array whose length never changes.
// Place 0 is the root. The rest, up to used, is blocks one after the other: a
// header and then the children of one branch, the owner, in the order of their
// evaluation, the best first. A block lies behind its owner. A header keeps the
// owner's place in its turn and the number of children in its visits.
//
// When the array is full, makeRoom takes the least visited parts of the tree
// away, so that a search can go on for any time in any memory.
type arena struct {
	memory   *memory.Block[branch]
	branches []branch // the values of memory
	used     atomic.Uint32
}

// branchesIn returns how many branches fit in mebibytes.
func branchesIn(mebibytes int) int {
	return int(min(uint64(max(1, mebibytes))<<20/uint64(branchBytes), busyBlock))
}

// newArena returns the largest arena that fits in mebibytes, or, on a machine
// without so much memory, in half, and so on.
func newArena(mebibytes int) *arena {
	a := &arena{memory: memory.AtMost[branch](branchesIn(mebibytes))}
	a.branches = a.memory.Values()
	a.clear()
	return a
}

// resize gives the arena the largest size that fits in mebibytes, and empties
// it. If there is no memory for it the arena stays as it is.
func (a *arena) resize(mebibytes int) error {
	fresh, err := memory.New[branch](branchesIn(mebibytes))
	if err != nil {
		return err
	}
	a.close()
	a.memory, a.branches = fresh, fresh.Values()
	a.clear()
	return nil
}

// close gives the memory back.
func (a *arena) close() {
	a.memory.Free()
	a.branches = nil
}

// clear leaves just a root that nobody has visited.
func (a *arena) clear() {
	a.branches[0].fill(position.None, 0, even, unproven)
	a.used.Store(1)
}

// allot takes room for a block of n children, and tells its place, or that
// there is no room.
func (a *arena) allot(owner uint32, n int) (block uint32, ok bool) {
	for {
		used := a.used.Load()
		if len(a.branches)-int(used) < n+1 {
			return noBlock, false
		}
		if a.used.CompareAndSwap(used, used+uint32(n)+1) {
			header := &a.branches[used]
			header.turn = position.Turn(owner)
			header.visits.Store(uint32(n))
			return used, true
		}
	}
}

// blockAt returns the children in a block; none for noBlock and busyBlock.
func (a *arena) blockAt(block uint32) []branch {
	if block == noBlock || block == busyBlock {
		return nil
	}
	n := a.branches[block].visits.Load()
	return a.branches[block+1 : block+1+n]
}

// children returns the children of the branch at a place.
func (a *arena) children(at uint32) []branch { return a.blockAt(a.branches[at].block.Load()) }

// full returns the share of the arena that is in use, in thousandths, with
// what earlier turns left and no sweep has taken away yet.
func (a *arena) full() int { return int(uint64(a.used.Load()) * 1000 / uint64(len(a.branches))) }

// unowned marks the header of a block whose owner is gone.
const unowned = position.Turn(busyBlock)

// makeRoom sweeps the arena if it has no room for n children. No search may be
// in it. Branches that nothing leads to go first; if that leaves less than half
// of the arena, the children of the least visited branches go too. A branch
// that loses its children keeps what they taught it, and gets them back when
// it is visited again. Children of the root always stay.
func (a *arena) makeRoom(n int) {
	if len(a.branches)-int(a.used.Load()) > n {
		return
	}
	a.sweep(0)
	if int(a.used.Load()) > len(a.branches)/2 {
		a.sweep(a.thinning())
	}
}

// thinning returns below how many visits branches have to lose their children
// so that half of the arena is free.
func (a *arena) thinning() uint32 {
	var room [33]int // of blocks by the length of the owner's visits in bits
	for from := uint32(1); from < a.used.Load(); {
		header := &a.branches[from]
		size := header.visits.Load() + 1
		room[bits.Len32(a.branches[header.turn].visits.Load())] += int(size)
		from += size
	}
	length, kept := 32, 0
	for ; length > 0; length-- {
		if kept += room[length]; kept > len(a.branches)/2 {
			break
		}
	}
	return 1<<length - 1
}

// sweep moves the blocks that stay to the front, in their order. Those go that
// nothing leads to, and those whose owner, not the root, has at most thin
// visits. As a block lies behind its owner, the owner's new place is known
// when its block is met; its block still names the old place.
func (a *arena) sweep(thin uint32) {
	to, used := uint32(1), a.used.Load()
	for from := uint32(1); from < used; {
		header := &a.branches[from]
		size := header.visits.Load() + 1
		owner := header.turn
		stays := owner != unowned && a.branches[owner].block.Load() == from
		if stays && owner != 0 && a.branches[owner].visits.Load() <= thin {
			a.branches[owner].block.Store(noBlock)
			stays = false
		}
		a.readdress(from, to, stays)
		if stays {
			a.branches[owner].block.Store(to)
			for i := range size {
				a.branches[to+i].copyFrom(&a.branches[from+i])
			}
			to += size
		}
		from += size
	}
	a.used.Store(to)
}

// readdress tells the blocks below the block at from where their owners will
// be, when it moves to another place or goes.
func (a *arena) readdress(from, to uint32, stays bool) {
	for i := range a.blockAt(from) {
		below := a.branches[from+1+uint32(i)].block.Load()
		if below == noBlock {
			continue
		}
		a.branches[below].turn = unowned
		if stays {
			a.branches[below].turn = position.Turn(to) + 1 + position.Turn(i)
		}
	}
}

// reroot makes the branch at a place the root. All that does not hang on it
// stays until the next sweep.
func (a *arena) reroot(at uint32) {
	if at == 0 {
		return
	}
	root, branch := &a.branches[0], &a.branches[at]
	root.copyFrom(branch)
	branch.block.Store(noBlock)
	if block := root.block.Load(); block != noBlock {
		a.branches[block].turn = 0
	}
}

// tree is a tree and the position at its root.
type tree struct {
	arena *arena
	root  position.Position
}

// adopt makes the tree that of a position: it goes on with the part of the old
// tree that begins there, at most two turns below the old root, or begins anew.
func (s *tree) adopt(root *position.Position) {
	at, found := s.find(root)
	switch {
	case !found:
		s.arena.clear()
	case at != 0:
		s.arena.reroot(at)
		s.arena.makeRoom(len(s.arena.branches) / 2)
	}
	s.root = *root
}

// find looks for a position at the root of the tree, or one or two turns below.
func (s *tree) find(sought *position.Position) (at uint32, found bool) {
	switch {
	case s.arena.branches[0].block.Load() == noBlock || s.root.Rules() != sought.Rules():
		return 0, false
	case s.root == *sought:
		return 0, true
	}
	var child, grandchild position.Position
	for i := range s.arena.children(0) {
		at := s.place(0, i)
		s.root.Play(&child, s.arena.branches[at].turn)
		if child == *sought {
			return at, true
		}
		if child.SideToMove() == sought.SideToMove() {
			continue
		}
		for j := range s.arena.children(at) {
			below := s.place(at, j)
			child.Play(&grandchild, s.arena.branches[below].turn)
			if grandchild == *sought {
				return below, true
			}
		}
	}
	return 0, false
}

// place returns the place of a branch's child number i.
func (s *tree) place(parent uint32, i int) uint32 {
	return s.arena.branches[parent].block.Load() + 1 + uint32(i)
}
