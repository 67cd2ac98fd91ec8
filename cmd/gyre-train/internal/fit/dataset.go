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
	"slices"

	"github.com/zeebo/xxh3"

	"gyre/position"
	"gyre/search/evaluation"
)

// Example is a position to learn from, with what is known about it. All is from
// the side to move.
type Example struct {
	Board       evaluation.Board
	Rules       position.Rules
	Own, Theirs int // rings removed
	Score       int // of a search, in centipawns: ±evaluation.Bound where it proved the end
	Result      int // of the game: -1 a loss, 0 a draw, 1 a win; or NoResult
	Source      int // from 0, below MostSources: scores of one mean other chances than those of another
}

// MostSources is how many sources of examples there can be.
const MostSources = 256 / evaluation.BoardStates

// NoResult is the result of an example whose game says nothing of it.
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

// Features returns the example as weights see it.
func (e *Example) Features() *evaluation.Features {
	f := &evaluation.Features{}
	f.Set(&e.Board, e.stage(), e.Own, e.Theirs)
	return f
}

// An example takes recordBytes on disk and in memory:
//
//	 0..28  the states of the 85 points, three to a byte in base 5, the first lowest;
//	        the last byte has one point, and 5 x the source
//	29      own rings removed + 3 x theirs + 9 x (result + 1) + 36 x rules
//	30..31  score, little-endian, in two's complement
//
// The indexes of the patterns are not stored: they follow from the points.
const (
	statesAt    = 0
	sourceAt    = 28
	removedAt   = 29
	scoreAt     = 30
	recordBytes = 32
)

// record is an example in short.
type record [recordBytes]byte

// pack returns the record of an example.
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

// unpackedStates are the states of three points by their byte.
var unpackedStates = func() (all [256][3]uint8) {
	for packed := range all {
		for i, rest := 0, packed; i < 3; i, rest = i+1, rest/evaluation.BoardStates {
			all[packed][i] = uint8(rest % evaluation.BoardStates)
		}
	}
	return all
}()

// unpack sets e to the example of a record.
func (e *Example) unpack(r *record) {
	var states [removedAt * 3]uint8 // room for the two points that the last byte has not
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

// Dataset is the examples of a fit, of any number in bounded memory. Each example
// to learn from goes to one of many shards on disk, chosen at random, and for
// every epoch the shards come in a random order, each shuffled in memory: all
// orders of the first epoch are equally likely, and a later epoch mixes within
// the shards. The examples of some games are held out for validation: they are
// for measuring alone.
type Dataset struct {
	options DatasetOptions
	shards  []*shard
	held    *shard
	rng     *rand.Rand     // chooses shards
	scores  []*phaseCounts // of the examples to learn from, by source
}

// DatasetOptions say how a dataset is made.
type DatasetOptions struct {
	Seed     uint64
	Hold     float64 // share of the games that is held out, between 0 and 1
	Keep     float64 // share of the positions that is used, above 0 and at most 1
	Expected int     // about how many positions come: it sets the number of shards
	Folder   string  // for the shards; "" for that of temporary files
}

// DefaultDataset are the options of the engine's evaluation.
var DefaultDataset = DatasetOptions{Seed: 1, Hold: 0.1, Keep: 1}

// Check returns what is wrong with the options, nil if nothing.
func (o *DatasetOptions) Check() error {
	switch {
	case !(o.Hold > 0 && o.Hold < 1):
		return fmt.Errorf("%v of the games held out: give a share between 0 and 1", o.Hold)
	case !(o.Keep > 0 && o.Keep <= 1):
		return fmt.Errorf("%v of the positions used: give a share above 0 and at most 1", o.Keep)
	}
	return nil
}

// shardSize is about how many examples a shard gets. One shard is in memory at a
// time.
const shardSize = 1 << 19

// NewDataset returns an empty dataset. It takes disk space until it is closed,
// recordBytes an example.
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

// HeldOut tells whether a game is held out. It depends on the number of the game
// and the seed alone: of a game that two files have, both copies are held out or
// neither.
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

// Learned returns how many examples there are to learn from.
func (d *Dataset) Learned() (count int) {
	for _, p := range d.shards {
		count += p.count
	}
	return count
}

// Held returns how many examples are held out.
func (d *Dataset) Held() int { return d.held.count }

// Scales returns by source the centipawns to a logit that make the scores of each phase
// predict the results best, over the examples to learn from.
func (d *Dataset) Scales() ([]Scales, error) { return scalesOf(d.scores) }

// batches yields the examples to learn from for an epoch 0, 1, ..., each once,
// in n batches that differ by one example at most. A batch is valid until the
// next.
func (d *Dataset) batches(epoch, n int) iter.Seq2[[]record, error] {
	rng := rand.New(rand.NewPCG(d.options.Seed, uint64(epoch)+1))
	learned := d.Learned()
	return func(yield func([]record, error) bool) {
		var room []record // what the last shard has left over, and the next shard
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

// heldChunk is how many examples held out are in memory at a time.
const heldChunk = 1 << 14

// heldOut yields the examples held out, in chunks that are valid until the next.
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

// Close gives the disk space back.
func (d *Dataset) Close() error {
	err := d.held.close()
	for _, p := range d.shards {
		err = errors.Join(err, p.close())
	}
	return err
}

// shard is examples on disk, in a file without a name where the system allows it,
// so that nothing is left behind when the program is killed. It is written
// first, then read as often as wanted.
type shard struct {
	file    *os.File
	out     *bufio.Writer
	in      *bufio.Reader // nil until rewind
	count   int
	unnamed bool // whether the file has lost its name already
}

// shardBuffer is the memory of a shard while it is written, in bytes.
const shardBuffer = 64 << 10

// newShard returns an empty shard in a folder, that of temporary files if it is "".
func newShard(folder string) (*shard, error) {
	file, err := os.CreateTemp(folder, "gyre-train-*.shard")
	if err != nil {
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

// rewind ends the writing and begins to read from the first record.
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

// read appends the next records of the shard to dst, at most n; none at its end.
func (s *shard) read(dst []record, n int) ([]record, error) {
	dst = slices.Grow(dst, n)
	for range n {
		var r record
		switch _, err := io.ReadFull(s.in, r[:]); {
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, fmt.Errorf("reading back a temporary file: %w", err)
		}
		dst = append(dst, r)
	}
	return dst, nil
}

// readAll appends all records of the shard to dst.
func (s *shard) readAll(dst []record) ([]record, error) {
	if err := s.rewind(); err != nil {
		return dst, err
	}
	begin := len(dst)
	dst, err := s.read(dst, s.count)
	if err == nil && len(dst)-begin < s.count {
		err = fmt.Errorf("a temporary file has lost %d of %d positions", s.count-(len(dst)-begin), s.count)
	}
	return dst, err
}

// close gives the disk space back.
func (s *shard) close() error {
	err := s.file.Close()
	if !s.unnamed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
