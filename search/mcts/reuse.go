package mcts

import (
	"slices"

	"gyre/position"
)

// adopt makes the tree that of a position: it goes on with the part of the old
// tree that begins there, at most two turns below the old root, or begins anew.
func (s *Searcher) adopt(root *position.Position) {
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
func (s *Searcher) find(sought *position.Position) (at uint32, found bool) {
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
func (s *Searcher) place(parent uint32, i int) uint32 {
	return s.arena.branches[parent].block.Load() + 1 + uint32(i)
}

// openRoot sees to it that the root has just these turns for children. If it
// has others, what lies below it is forgotten. It fails if the arena has no
// room for them.
func (r *run) openRoot(turns []position.Turn) bool {
	root := &r.arena.branches[0]
	if children := r.arena.children(0); len(children) == 0 || !sameTurns(children, turns) {
		r.arena.clear()
		r.visits.Store(1)
		root.visits.Store(1)
		if !newExplorer(r).openRoot(turns) {
			return false
		}
	}
	r.done.Store(r.settled())
	return true
}

// sameTurns tells whether branches are those of the given turns.
func sameTurns(branches []branch, turns []position.Turn) bool {
	for i := range branches {
		if !slices.Contains(turns, branches[i].turn) {
			return false
		}
	}
	return len(branches) == len(turns)
}
