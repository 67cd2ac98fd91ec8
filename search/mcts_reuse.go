package search

import (
	"slices"

	"gyre/position"
)

// adopt makes the tree that of a position: it goes on with the part of the old
// tree that begins there, at most two turns below the old root, or begins anew.
func (s *MCTS) adopt(root *position.Position) {
	at, found := uint32(0), s.root == *root
	if !found && s.root.Rules() == root.Rules() {
		at, found = s.find(root)
	}
	if found {
		s.arena.reroot(at)
	} else {
		s.arena.clear()
	}
	s.root = *root
}

// find looks for a position one or two turns below the root of the tree.
func (s *MCTS) find(sought *position.Position) (at uint32, found bool) {
	if s.arena.branches[0].block.Load() == noBlock {
		return 0, false
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
func (s *MCTS) place(parent uint32, i int) uint32 {
	return s.arena.branches[parent].block.Load() + 1 + uint32(i)
}

// openRoot sees to it that the root has its children, all of them if only some
// are to be considered or several lines are asked for, and notes which are
// considered. It fails if the arena has no room for them.
func (r *mctsRun) openRoot(turns []position.Turn) bool {
	root := &r.arena.branches[0]
	search := r.control.limits.SearchTurns
	whole := len(search) > 0 || r.lines > 1
	if whole && len(r.arena.children(0)) != len(turns) {
		root.block.Store(noBlock)
	}
	if root.block.Load() == noBlock {
		r.arena.makeRoom(len(turns))
		r.visits.Store(1)
		if !newExplorer(r).openRoot(whole) {
			return false
		}
	}
	children := r.arena.children(0)
	r.allowed = make([]bool, len(children))
	for i := range children {
		r.allowed[i] = len(search) == 0 || slices.Contains(search, children[i].turn)
	}
	if !slices.Contains(r.allowed, true) {
		for i := range r.allowed {
			r.allowed[i] = true
		}
	}
	return true
}
