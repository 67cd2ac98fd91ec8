package sample

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"gyre/position"
)

// mark begins every block.
const mark = "\xf6GmB"

// The layout of a block.
const (
	checksumAt = len(mark)
	numberAt   = checksumAt + 8
	lengthAt   = numberAt + 4
	recordsAt  = lengthAt + 4
)

// mostSamples bounds the samples of a game: their plies are below it.
const mostSamples = 256

// Game is a game of a file.
type Game struct {
	Number  uint32
	Samples []Sample // in the order of their plies
}

// Result returns how the game ended: Ongoing if it has no samples to tell.
func (g *Game) Result() position.Result {
	if len(g.Samples) == 0 {
		return position.Ongoing
	}
	first := &g.Samples[0]
	switch white := first.Position.SideToMove() == position.White; {
	case first.Result == 0:
		return position.Draw
	case (first.Result > 0) == white:
		return position.WhiteWins
	default:
		return position.BlackWins
	}
}

// AppendGame appends a game's block to dst. The error tells which sample cannot
// be written.
func AppendGame(dst []byte, g *Game) ([]byte, error) {
	if len(g.Samples) > mostSamples {
		return dst, fmt.Errorf("game %d: %d samples, more than %d", g.Number, len(g.Samples), mostSamples)
	}
	begin := len(dst)
	block := append(dst, mark...)
	block = binary.LittleEndian.AppendUint64(block, 0)
	block = binary.LittleEndian.AppendUint32(block, g.Number)
	block = binary.LittleEndian.AppendUint32(block, uint32(len(g.Samples)*Size))
	for i := range g.Samples {
		s := &g.Samples[i]
		if err := g.check(s); err != nil {
			return dst, fmt.Errorf("game %d: sample %d: %w", g.Number, i, err)
		}
		block = s.Append(block)
	}
	sum := xxh3.Hash(block[begin+numberAt:])
	binary.LittleEndian.PutUint64(block[begin+checksumAt:], sum)
	return block, nil
}

// check tells what is wrong with a sample of the game.
func (g *Game) check(s *Sample) error {
	if s.Game != g.Number {
		return fmt.Errorf("it is of game %d", s.Game)
	}
	return s.check()
}

// blockLength returns the length of the block whose first recordsAt bytes these
// are, or an error if none begins so.
func blockLength(start []byte) (int, error) {
	if string(start[:len(mark)]) != mark {
		return 0, errors.New("no game begins here")
	}
	length := binary.LittleEndian.Uint32(start[lengthAt:])
	if length > mostSamples*Size || length%Size != 0 {
		return 0, fmt.Errorf("%d bytes are no length of a game", length)
	}
	return recordsAt + int(length), nil
}

// errChecksum is the error of a block that was changed.
var errChecksum = errors.New("the checksum is wrong")

// readBlock reads a block into g, and uses the memory of g again.
func readBlock(block []byte, g *Game) error {
	if xxh3.Hash(block[numberAt:]) != binary.LittleEndian.Uint64(block[checksumAt:]) {
		return errChecksum
	}
	g.Number = binary.LittleEndian.Uint32(block[numberAt:])
	g.Samples = g.Samples[:0]
	for at := recordsAt; at < len(block); at += Size {
		s, err := Decode(block[at : at+Size])
		if err == nil {
			err = g.check(&s)
		}
		if err != nil {
			return fmt.Errorf("game %d: sample %d: %w", g.Number, len(g.Samples), err)
		}
		g.Samples = append(g.Samples, s)
	}
	return nil
}
