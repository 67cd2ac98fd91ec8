package fit

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"gyre/position"
	"gyre/search/evaluation"
)

// Example is a position to learn from. All fields are from the point of view of the side to
// move.
type Example struct {
	Board       evaluation.Board
	Rules       position.Rules
	Own, Theirs int // removed rings
	Score       int // of a search, in centipawns; ±evaluation.MaxScore if the result is proven
	Result      int // of the game: -1 loss, 0 draw, 1 win; or NoResult
	Source      int // from 0 to MaxSources-1; the scale of scores depends on the source
}

// MaxSources is the maximum number of sources.
const MaxSources = 256 / evaluation.BoardStates

// NoResult marks an example whose game does not determine its result.
const NoResult = 2

// NewExample returns the example of a position.
func NewExample(p *position.Position, score, result int) *Example {
	us := p.SideToMove()
	return &Example{Board: evaluation.BoardOf(p, us), Rules: p.Rules(), Own: p.Removed(us), Theirs: p.Removed(us.Opponent()), Score: score, Result: result}
}

// stage returns the stage of the example.
func (e *Example) stage() evaluation.Stage {
	return evaluation.StageBy(e.Rules, e.Own, e.Theirs, e.Board.Markers())
}

// An example takes recordBytes on disk and in memory:
//
//	 0..28  the states of the 85 points, three per byte in base 5, lowest first;
//	        the last byte holds one point, and 5 x the source
//	29      own removed rings + 3 x theirs + 9 x (result + 1) + 36 x rules
//	30..31  score, little-endian, two's complement
//
// The indexes of the patterns are not stored. They follow from the points.
const (
	statesAt    = 0
	sourceAt    = 28
	removedAt   = 29
	scoreAt     = 30
	recordBytes = 32
)

// record is a packed example.
type record [recordBytes]byte

// pack packs the example.
func (e *Example) pack() (r record) {
	for i := 0; i < len(e.Board); i += 3 {
		packed := byte(0)
		for _, state := range slices.Backward(e.Board[i:min(i+3, len(e.Board))]) {
			packed = packed*evaluation.BoardStates + state
		}
		r[statesAt+i/3] = packed
	}
	r[sourceAt] += byte(evaluation.BoardStates * e.Source)
	r[removedAt] = byte(e.Own + 3*e.Theirs + 9*(e.Result+1) + 36*int(e.Rules))
	binary.LittleEndian.PutUint16(r[scoreAt:], uint16(int16(e.Score)))
	return r
}

// unpackedStates maps a byte to the states of three points.
var unpackedStates = func() (all [256][3]uint8) {
	for packed := range all {
		for i, rest := 0, packed; i < 3; i, rest = i+1, rest/evaluation.BoardStates {
			all[packed][i] = uint8(rest % evaluation.BoardStates)
		}
	}
	return all
}()

// unpack sets e to the example in r.
func (e *Example) unpack(r *record) {
	var states [removedAt * 3]uint8 // two more than the points, for the last byte
	for i, packed := range r[statesAt:removedAt] {
		three := &unpackedStates[packed]
		states[3*i], states[3*i+1], states[3*i+2] = three[0], three[1], three[2]
	}
	e.Board = evaluation.Board(states[:position.PointCount])
	e.Source = int(r[sourceAt]) / evaluation.BoardStates
	e.Own = int(r[removedAt]) % 3
	e.Theirs = int(r[removedAt]) / 3 % 3
	e.Result = int(r[removedAt])/9%4 - 1
	e.Rules = position.Rules(r[removedAt] / 36)
	e.Score = int(int16(binary.LittleEndian.Uint16(r[scoreAt:])))
}

// Dataset holds the examples of a fit in bounded memory. It assigns each example at random to
// one of many shards on disk. For each epoch it reads the shards in random order and shuffles
// each in memory. In the first epoch all orders are equally likely; later epochs shuffle only
// within the shards. The examples of some games are held out for validation.
type Dataset struct {
	options DatasetOptions
	shards  []*shard
	held    *shard
	rng     *rand.Rand     // chooses shards
	scores  []*phaseCounts // of the examples to learn from, by source
}

// DatasetOptions are the parameters of a dataset.
type DatasetOptions struct {
	Seed     uint64
	Hold     float64 // share of the games to hold out, between 0 and 1
	Keep     float64 // share of the positions to use, above 0 and at most 1
	Expected int     // approximate number of positions, to choose the number of shards
	Folder   string  // for the shards; "" for the system's temporary folder
}

// DefaultDataset are the options for the engine's evaluation.
var DefaultDataset = DatasetOptions{Seed: 1, Hold: 0.1, Keep: 1}

// Check reports what is wrong with the options, or nil.
func (o *DatasetOptions) Check() error {
	switch {
	case !(o.Hold > 0 && o.Hold < 1):
		return fmt.Errorf("hold %v: the share of held-out games must be between 0 and 1", o.Hold)
	case !(o.Keep > 0 && o.Keep <= 1):
		return fmt.Errorf("keep %v: the share of used positions must be above 0 and at most 1", o.Keep)
	}
	return nil
}

// shardSize is the approximate number of examples in a shard. One shard is in memory at a time.
const shardSize = 1 << 19

// NewDataset returns an empty dataset. Until it is closed, it uses recordBytes of disk space
// for each example.
func NewDataset(o DatasetOptions) (*Dataset, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	d := &Dataset{options: o, rng: rand.New(rand.NewPCG(o.Seed, 0))}
	var err error
	if d.held, err = newShard(o.Folder); err != nil {
		return nil, err
	}
	for range int(float64(o.Expected)*o.Keep)/shardSize + 1 {
		p, err := newShard(o.Folder)
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		d.shards = append(d.shards, p)
	}
	return d, nil
}

// HeldOut reports whether a game is held out. It depends only on the game's number and the
// seed, so copies of a game in two files are treated alike.
func (o *DatasetOptions) HeldOut(game uint32) bool {
	number := binary.LittleEndian.AppendUint32(nil, game)
	return float64(xxh3.HashSeed(number, o.Seed)) < o.Hold*math.MaxUint64
}

// Add adds an example of a game.
func (d *Dataset) Add(e *Example, game uint32) error {
	if d.options.Keep < 1 && d.rng.Float64() >= d.options.Keep {
		return nil
	}
	for e.Source >= len(d.scores) {
		d.scores = append(d.scores, new(phaseCounts))
	}
	if d.options.HeldOut(game) {
		return d.held.add(e.pack())
	}
	d.scores[e.Source].add(e)
	return d.shards[d.rng.IntN(len(d.shards))].add(e.pack())
}

// Learned returns the number of examples to learn from.
func (d *Dataset) Learned() (count int) {
	for _, p := range d.shards {
		count += p.count
	}
	return count
}

// Held returns the number of held-out examples.
func (d *Dataset) Held() int { return d.held.count }

// batches yields the examples of an epoch, counted from 0, in n batches whose sizes differ by at
// most one. A batch is valid until the next one.
func (d *Dataset) batches(epoch, n int) iter.Seq2[[]record, error] {
	rng := rand.New(rand.NewPCG(d.options.Seed, uint64(epoch)+1))
	learned := d.Learned()
	return func(yield func([]record, error) bool) {
		var room []record // the rest of the previous shard and the next shard
		batch, done := 0, 0
		for _, next := range rng.Perm(len(d.shards)) {
			left := len(room)
			var err error
			if room, err = d.shards[next].readAll(room); err != nil {
				yield(nil, err)
				return
			}
			fresh := room[left:]
			rng.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
			rest := room
			for ; batch < n; batch++ {
				size := (batch+1)*learned/n - done
				if size > len(rest) {
					break
				}
				if !yield(rest[:size], nil) {
					return
				}
				rest, done = rest[size:], done+size
			}
			room = append(room[:0], rest...)
		}
	}
}

// heldChunk is the number of held-out examples in memory at a time.
const heldChunk = 1 << 14

// heldOut yields the held-out examples, in chunks that are valid until the next one.
func (d *Dataset) heldOut() iter.Seq2[[]record, error] {
	return func(yield func([]record, error) bool) {
		if err := d.held.rewind(); err != nil {
			yield(nil, err)
			return
		}
		chunk := make([]record, 0, heldChunk)
		for {
			some, err := d.held.read(chunk[:0], heldChunk)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(some) == 0 || !yield(some, nil) {
				return
			}
		}
	}
}

// Close frees the disk space.
func (d *Dataset) Close() error {
	err := d.held.close()
	for _, p := range d.shards {
		err = errors.Join(err, p.close())
	}
	return err
}

// shard is a list of examples on disk. Where the system allows it, the file has no name, so that
// it disappears if the program is killed. A shard is written first and then read repeatedly.
type shard struct {
	file    *os.File
	out     *bufio.Writer
	in      *bufio.Reader // nil before rewind
	count   int
	unnamed bool // whether the file's name is already removed
}

// shardBuffer is the size of a shard's write buffer in bytes.
const shardBuffer = 64 << 10

// newShard returns an empty shard in folder, or in the temporary folder if it is "".
func newShard(folder string) (*shard, error) {
	file, err := os.CreateTemp(folder, "gyre-train-*.shard")
	if err != nil {
		if e, ok := errors.AsType[*os.PathError](err); ok { // the user knows the folder, not the file
			e.Path = filepath.Dir(e.Path)
		}
		return nil, err
	}
	unnamed := os.Remove(file.Name()) == nil
	return &shard{file: file, out: bufio.NewWriterSize(file, shardBuffer), unnamed: unnamed}, nil
}

// add appends a record.
func (s *shard) add(r record) error {
	s.count++
	_, err := s.out.Write(r[:])
	return err
}

// rewind finishes writing and starts reading at the first record.
func (s *shard) rewind() error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	s.in = bufio.NewReaderSize(s.file, shardBuffer)
	return nil
}

// read appends at most n records to dst, and none at the end of the shard.
func (s *shard) read(dst []record, n int) ([]record, error) {
	dst = slices.Grow(dst, n)
	for range n {
		var r record
		switch _, err := io.ReadFull(s.in, r[:]); {
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, fmt.Errorf("reading a temporary file: %w", err)
		}
		dst = append(dst, r)
	}
	return dst, nil
}

// readAll appends all records to dst.
func (s *shard) readAll(dst []record) ([]record, error) {
	if err := s.rewind(); err != nil {
		return dst, err
	}
	begin := len(dst)
	dst, err := s.read(dst, s.count)
	if err == nil && len(dst)-begin < s.count {
		err = fmt.Errorf("a temporary file lost %d of %d positions", s.count-(len(dst)-begin), s.count)
	}
	return dst, err
}

// close frees the disk space.
func (s *shard) close() error {
	err := s.file.Close()
	if !s.unnamed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
