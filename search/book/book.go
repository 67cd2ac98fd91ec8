// Package book reads and writes opening books, and chooses turns from them.
//
// A book holds the positions of a tree of openings, up to the 12 symmetries of the board,
// each with its score. A position is expanded if the book also holds the positions after
// its best turns. The book offers turns in expanded positions only.
//
// [Book.Turns] returns the turns that the book offers, and [Book.Choose] picks one of them.
// gyre-arena book makes books with deep searches.
package book

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"gyre/position"
	"gyre/search"
)

// Entry is a position of a book.
type Entry struct {
	Key      uint64       // [position.Position.SymmetricHash]
	Score    search.Score // for the side to move; not a proven result
	Expanded bool         // whether the book holds the positions after its best turns
}

// Book is an opening book.
type Book struct {
	// About says how the book was made, in one line of at most MaxAbout bytes.
	About   string
	entries []Entry // sorted by key
}

// MaxAbout is the maximum length of About.
const MaxAbout = 1000

// New returns a book with the given entries, in any order. The keys must be distinct.
func New(about string, entries []Entry) (*Book, error) {
	b := &Book{About: about, entries: slices.Clone(entries)}
	slices.SortFunc(b.entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	if err := b.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, nil
}

// check reports what is wrong with the book, or nil.
func (b *Book) check() error {
	if len(b.About) > MaxAbout || !utf8.ValidString(b.About) || strings.ContainsFunc(b.About, isControl) {
		return fmt.Errorf("the description is not one line of at most %d bytes of UTF-8", MaxAbout)
	}
	for i, e := range b.entries {
		if _, proven := e.Score.Mate(); proven {
			return fmt.Errorf("entry %d: a score of %d is a proven result", i+1, e.Score)
		}
		if i > 0 && e.Key <= b.entries[i-1].Key {
			return fmt.Errorf("entry %d: the keys are not in order", i+1)
		}
	}
	start := position.Start(position.Standard)
	blitz := position.Start(position.Blitz)
	if !b.find(start.SymmetricHash()).Expanded && !b.find(blitz.SymmetricHash()).Expanded {
		return errors.New("it has no turn for the empty board; it may come from another version, so make it again with gyre-arena book")
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// Len returns the number of positions.
func (b *Book) Len() int { return len(b.entries) }

// Entries returns the positions, ordered by key.
func (b *Book) Entries() []Entry { return slices.Clone(b.entries) }

// find returns the entry with a key, or the zero entry.
func (b *Book) find(key uint64) Entry {
	if i, found := slices.BinarySearchFunc(b.entries, key, func(e Entry, key uint64) int { return cmp.Compare(e.Key, key) }); found {
		return b.entries[i]
	}
	return Entry{}
}

// Choice is a turn of the book.
type Choice struct {
	Turn  position.Turn
	Score search.Score // for the side that makes the turn
}

// Turns returns the turns that the book offers in a position, the best first. There are
// none if the position is not expanded.
func (b *Book) Turns(p *position.Position) (choices []Choice) {
	if p.Over() || !b.find(p.SymmetricHash()).Expanded {
		return nil
	}
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		key := child.SymmetricHash()
		if e := b.find(key); e.Key == key {
			choices = append(choices, Choice{Turn: t, Score: -e.Score})
		}
	}
	slices.SortStableFunc(choices, func(a, b Choice) int { return cmp.Compare(b.Score, a.Score) })
	return choices
}

// Choose picks one of the turns that the book offers in a position, at random among those
// that are at most deviation centipawns worse than the best. The same seed and position get
// the same turn. The second result is false if the book offers none.
func (b *Book) Choose(p *position.Position, deviation int, seed uint64) (Choice, bool) {
	choices := b.Turns(p)
	if len(choices) == 0 {
		return Choice{}, false
	}
	least := choices[0].Score - search.Score(deviation)
	count := len(choices)
	for count > 1 && choices[count-1].Score < least {
		count--
	}
	rng := rand.New(rand.NewPCG(seed, p.Hash()))
	return choices[rng.IntN(count)], true
}

// A file of a book has these parts:
//
//	the line "gyre-book 1"
//	the line About
//	the number of entries, 4 bytes
//	each entry, ordered by key: the key, 8 bytes; twice the score plus 1 if expanded, 4 bytes
//	the XXH3 hash (64 bits, Y. Collet) of everything before, 8 bytes
//
// Numbers are little-endian; scores are in two's complement.

// Mark is the first line of the file of a book.
const Mark = "gyre-book 1\n"

// The sizes of the parts of a file in bytes.
const (
	countBytes = 4
	entryBytes = 12
	sumBytes   = 8
)

// MaxEntries is the maximum number of positions in a file.
const MaxEntries = 1 << 24

// Write writes a book. It returns an error if the book has too many positions.
func (b *Book) Write(out io.Writer) error {
	if len(b.entries) > MaxEntries {
		return fmt.Errorf("%d positions: a book has at most %d", len(b.entries), MaxEntries)
	}
	data := append([]byte(Mark), b.About...)
	data = append(data, '\n')
	data = binary.LittleEndian.AppendUint32(data, uint32(len(b.entries)))
	for _, e := range b.entries {
		value := int32(e.Score) << 1
		if e.Expanded {
			value |= 1
		}
		data = binary.LittleEndian.AppendUint64(data, e.Key)
		data = binary.LittleEndian.AppendUint32(data, uint32(value))
	}
	data = binary.LittleEndian.AppendUint64(data, xxh3.Hash(data))
	_, err := out.Write(data)
	return err
}

// maxFile is the size of the file of the largest book.
const maxFile = len(Mark) + MaxAbout + len("\n") + countBytes + MaxEntries*entryBytes + sumBytes

// The reasons why a file is no book. An error of Read about the file wraps one of them.
var (
	ErrForeign   = errors.New("not an opening book: make one with gyre-arena book")
	ErrVersion   = errors.New("a book of another version: make it again with gyre-arena book")
	ErrTruncated = errors.New("the file is truncated")
	ErrTrailing  = errors.New("the file continues after its end")
	ErrDamaged   = errors.New("damaged")
)

// Read reads a book. It returns an error if the file is not a book, is damaged or truncated,
// or belongs to another version of Gyre.
func Read(in io.Reader) (*Book, error) {
	var all bytes.Buffer
	if _, err := all.ReadFrom(io.LimitReader(in, int64(len(Mark)))); err != nil {
		return nil, err
	}
	if all.String() == Mark { // otherwise the rest may be as large as a disk
		if _, err := all.ReadFrom(io.LimitReader(in, int64(maxFile-len(Mark))+1)); err != nil {
			return nil, err
		}
	}
	file := all.Bytes()
	rest, found := bytes.CutPrefix(file, []byte(Mark))
	if !found {
		if family, _, _ := strings.Cut(Mark, " "); bytes.HasPrefix(file, []byte(family+" ")) {
			return nil, ErrVersion
		}
		return nil, ErrForeign
	}
	about, rest, ended := bytes.Cut(rest, []byte("\n"))
	switch {
	case len(about) > MaxAbout:
		return nil, fmt.Errorf("%w: its description has more than %d bytes", ErrDamaged, MaxAbout)
	case !ended || len(rest) < countBytes:
		return nil, ErrTruncated
	}
	number := binary.LittleEndian.Uint32(rest)
	if number > MaxEntries {
		return nil, fmt.Errorf("%w: %d positions, and a book has at most %d", ErrDamaged, number, MaxEntries)
	}
	rest = rest[countBytes:]
	size := int(number) * entryBytes
	switch {
	case len(rest) < size+sumBytes:
		return nil, ErrTruncated
	case binary.LittleEndian.Uint64(rest[size:]) != xxh3.Hash(file[:len(file)-len(rest)+size]):
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	case len(rest) > size+sumBytes:
		return nil, ErrTrailing
	}
	b := &Book{About: string(about)}
	for record := range slices.Chunk(rest[:size], entryBytes) {
		value := int32(binary.LittleEndian.Uint32(record[8:]))
		b.entries = append(b.entries, Entry{Key: binary.LittleEndian.Uint64(record), Score: search.Score(value >> 1), Expanded: value&1 != 0})
	}
	return b, b.check()
}
