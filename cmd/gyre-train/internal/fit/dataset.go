package fit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/zeebo/xxh3"
)

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
