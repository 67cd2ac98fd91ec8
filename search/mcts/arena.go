package mcts

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"gyre/position"
	"gyre/search/internal/memory"
)

// branch is a turn in the tree and the data of the position after it. Chances and
// proofs are from the point of view of the side that makes the turn.
//
// The fields that are not atomic are written only before the branch is published, by
// storing its block in its parent, and while no search is running.
type branch struct {
	turn   position.Turn
	total  atomic.Int64  // sum of the chances that visits found, in units of 1/certain
	visits atomic.Uint32 // visits started: a visit in progress counts as a loss, so that threads spread out
	block  atomic.Uint32 // block of the children; noBlock, or busyBlock while a thread creates them
	state  atomic.Uint32 // chance in the low half, proof in the high half
	prior  uint16        // share of the parent's prior, in units of 1/certain
}

// The values of branch.block that are not the place of a block. Place 0 is the root.
const (
	noBlock   = 0
	busyBlock = 1<<32 - 1
)

const branchBytes = int(unsafe.Sizeof(branch{}))

// chance returns the best estimate of the turn without averaging: the evaluation, or
// the minimax of the subtree.
func (b *branch) chance() chance { return chance(b.state.Load()) }

// proof returns the proven result of the turn.
func (b *branch) proof() proof { return proof(b.state.Load() >> 16) }

// setChance sets the chance of an unproven branch.
func (b *branch) setChance(c chance) {
	for {
		old := b.state.Load()
		if old>>16 != 0 || chance(old) == c || b.state.CompareAndSwap(old, uint32(c)) {
			return
		}
	}
}

// setProof sets the proof of the branch. The first proof is kept.
func (b *branch) setProof(p proof) {
	for {
		old := b.state.Load()
		if old>>16 != 0 || b.state.CompareAndSwap(old, uint32(p)<<16|uint32(p.chance())) {
			return
		}
	}
}

// fill initializes an unvisited branch.
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

// mean returns the mean of the visits, and whether there were any.
func (b *branch) mean() (float64, bool) {
	n := b.visits.Load()
	if n == 0 {
		return 0, false
	}
	return float64(b.total.Load()) / (float64(n) * float64(certain)), true
}

// arena holds all branches of a tree in one array of fixed length. Place 0 is the
// root. The other places, up to used, hold consecutive blocks: a header, then the
// children of one branch, the owner, sorted by evaluation, best first. A block comes
// after its owner. A header stores the owner's place in its turn and the number of
// children in its visits.
//
// When the array is full, makeRoom removes the least visited parts of the tree, so
// that a search can run for any time in any amount of memory.
type arena struct {
	memory   *memory.Block[branch]
	branches []branch // the values of memory
	used     atomic.Uint32
}

// branchesIn returns the number of branches that fit in mebibytes.
func branchesIn(mebibytes int) int {
	return int(min(uint64(max(1, mebibytes))<<20/uint64(branchBytes), busyBlock))
}

// newArena returns an arena of the given size. If the machine does not have enough
// memory, newArena tries half the size, and so on.
func newArena(mebibytes int) *arena {
	a := &arena{memory: memory.AtMost[branch](branchesIn(mebibytes))}
	a.branches = a.memory.Values()
	a.clear()
	return a
}

// resize sets the size of the arena and clears it. If there is not enough memory,
// resize returns an error and changes nothing.
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

// close frees the memory.
func (a *arena) close() {
	a.memory.Free()
	a.branches = nil
}

// clear leaves only an unvisited root.
func (a *arena) clear() {
	a.branches[0].fill(position.None, 0, even, unproven)
	a.used.Store(1)
}

// allot allocates a block of n children and returns its place, and whether there was
// room.
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

// blockAt returns the children in a block, or none for noBlock and busyBlock.
func (a *arena) blockAt(block uint32) []branch {
	if block == noBlock || block == busyBlock {
		return nil
	}
	n := a.branches[block].visits.Load()
	return a.branches[block+1 : block+1+n]
}

func (a *arena) children(at uint32) []branch { return a.blockAt(a.branches[at].block.Load()) }

// full returns the used share of the arena in thousandths. It includes the remains of
// earlier turns that no sweep has removed yet.
func (a *arena) full() int { return int(uint64(a.used.Load()) * 1000 / uint64(len(a.branches))) }

// unowned marks the header of a block whose owner was removed.
const unowned = position.Turn(busyBlock)

// makeRoom sweeps the arena if it has no room for n children. No search may be using
// it. Unreachable branches are removed first. If that frees less than half of the
// arena, the children of the least visited branches are removed, too. A branch
// without its children keeps its statistics, and gets the children back when it is
// visited again. Children of the root are never removed.
func (a *arena) makeRoom(n int) {
	if len(a.branches)-int(a.used.Load()) > n {
		return
	}
	a.sweep(0)
	if int(a.used.Load()) > len(a.branches)/2 {
		a.sweep(a.thinning())
	}
}

// thinning returns the largest number of visits at which branches must lose their
// children to free half of the arena.
func (a *arena) thinning() uint32 {
	var room [33]int // size of the blocks, by the bit length of the owner's visits
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

// sweep moves the blocks that are kept to the front, in order. It removes blocks that
// are unreachable, and blocks whose owner is not the root and has at most thin
// visits. A block comes after its owner, so the owner's new place is known when its
// block is reached; the block still holds the old place.
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

// readdress updates the blocks below the block at from when their owners move to
// another place or are removed.
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

// reroot makes a branch the root. The rest of the tree stays in the arena until the
// next sweep.
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

// tree is a tree and the position of its root.
type tree struct {
	arena *arena
	root  position.Position
}

// adopt makes root the root of the tree. It keeps the part of the old tree below that
// position if it is at most two turns below the old root; otherwise it starts with an
// empty tree.
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

// find searches for a position at the root of the tree, or one or two turns below it.
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

// place returns the place of a child.
func (s *tree) place(parent uint32, i int) uint32 {
	return s.arena.branches[parent].block.Load() + 1 + uint32(i)
}
