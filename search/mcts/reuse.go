package mcts

import "gyre/position"

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
