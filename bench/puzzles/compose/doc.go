// Package compose makes puzzles from games of the engine.
//
//	recipe.go     Recipe: all that puzzles depend on, but for the engine
//	games.go      games between levels of strength
//	candidate.go  positions with one right turn, by searches of more and more nodes
//	solution.go   how it goes on: proofs, and turns that are the only right ones too
//	rating.go     how strong a player must be
//	selection.go  which puzzles come into a set
//	run.go        Run: the set that is there, then game after game until it is whole
//
// A game depends on the recipe, its number and the engine; which of its positions
// become puzzles depends also on the games before it, whose puzzles fill the themes.
// So the same recipe, with the same set to begin with, makes the same set.
package compose
