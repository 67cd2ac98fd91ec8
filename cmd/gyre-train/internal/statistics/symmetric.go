package statistics

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"gyre/position"
)

// The kinds of keys: of the four kinds of pieces, and of what else tells
// positions apart.
const (
	ringKey   = iota // and the side
	markerKey = ringKey + 2
	pieceKeys = markerKey + 2
	restKey   = pieceKeys
)

// keyOf returns the key of a kind with a number.
func keyOf(kind, number int) uint64 {
	var name [16]byte
	binary.LittleEndian.PutUint64(name[:], uint64(kind))
	binary.LittleEndian.PutUint64(name[8:], uint64(number))
	return xxh3.Hash(name[:])
}

// images holds, for each kind of piece and point, the keys of the piece where
// each symmetry takes it.
var images = func() (all [pieceKeys][128][position.Symmetries]uint64) {
	for kind := range all {
		for _, p := range position.Board().Points(nil) {
			for s := range position.Symmetry(position.Symmetries) {
				all[kind][p][s] = keyOf(kind, int(s.Point(p)))
			}
		}
	}
	return all
}()

// symmetricKey returns a key that positions share which a symmetry takes to each
// other; others have the same only by a chance of one in 2^64. It is the least
// of the hashes of the 12 images.
func symmetricKey(p *position.Position) uint64 {
	var keys [position.Symmetries]uint64
	for side := range position.Side(2) {
		addPieces(&keys, &images[ringKey+side], p.Rings(side))
		addPieces(&keys, &images[markerKey+side], p.Markers(side))
	}
	least := keys[0]
	for _, key := range keys[1:] {
		least = min(least, key)
	}
	rest := int(p.SideToMove()) | int(p.Rules())<<1 | p.Removed(position.White)<<8 | p.Removed(position.Black)<<16
	return least ^ keyOf(restKey, rest)
}

// addPieces adds the keys of pieces of a kind to those of the images.
func addPieces(keys *[position.Symmetries]uint64, of *[128][position.Symmetries]uint64, pieces position.Bitboard) {
	for ; !pieces.IsEmpty(); pieces = pieces.WithoutFirst() {
		for s, key := range &of[pieces.First()&127] {
			keys[s] ^= key
		}
	}
}
