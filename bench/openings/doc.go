// Package openings makes the positions that games of a match begin with: at
// random from a seed, or from a file.
//
//	recipe.go     Recipe: what random openings are made by
//	rings.go      Rings: how many of the rings are placed at random
//	generator.go  Generator: the openings of a recipe that a search finds even
//	book.go       Book: openings from a file, and writing one
//	selection.go  Selection: which openings of a book, in which order
//	explore.go    Exploration: how games of the engine with itself go on from each
package openings
