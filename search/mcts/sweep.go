package mcts

import (
	"math/bits"

	"gyre/position"
)

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
