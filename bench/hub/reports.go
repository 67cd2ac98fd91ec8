package hub

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// snapshot returns all values of a bucket that can be read as T. That of workers is in memory,
// and not there after a NATS server was begun anew, until a hub or a match makes it: then
// nobody is there.
func snapshot[T any](ctx context.Context, h *Hub, bucket string) (map[string]T, error) {
	ctx, stop := context.WithTimeout(ctx, replyWithin)
	defer stop()
	store, err := h.js.KeyValue(ctx, bucket)
	if bucket == workersBucket && errors.Is(err, jetstream.ErrBucketNotFound) {
		return map[string]T{}, nil
	}
	if err != nil {
		return nil, err
	}
	watcher, err := store.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = watcher.Stop() }() // it goes with the connection too
	all := map[string]T{}
	for {
		select {
		case entry, open := <-watcher.Updates():
			if entry == nil || !open {
				return all, nil
			}
			var value T
			if json.Unmarshal(entry.Value(), &value) == nil { // what is no T was written by somebody else
				all[entry.Key()] = value
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// put writes a value into a bucket.
func put(ctx context.Context, h *Hub, bucket, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, replyWithin)
	defer stop()
	store, err := h.js.KeyValue(ctx, bucket)
	if err == nil {
		_, err = store.Put(ctx, key, text)
	}
	return err
}

// errAlone tells that nobody plays.
var errAlone = errors.New("no worker is there yet: games begin when one comes")

// look counts the slots of the workers that take jobs of this match, and learns which are
// barred.
func (d *dealer) look(ctx context.Context) error {
	if err := d.learnFaults(ctx); err != nil {
		return err
	}
	present, err := snapshot[Present](ctx, d.hub, workersBucket)
	if err != nil {
		return err
	}
	if len(present) == 0 && time.Since(d.woken) < usualBeat {
		return nil // a hub that was begun anew is told by each of them soon
	}
	d.slots, d.crew = 0, 0
	for name, worker := range present {
		if !d.isBarred(name) && !slices.Contains(worker.Refuses, d.key) && worker.Slots > 0 && offersAll(worker.Offers, d.needs) {
			d.slots += min(worker.Slots, mostSlots)
			d.crew++
		}
	}
	if d.slots == 0 && !d.alone {
		d.warn(d.wrong(alone(d.needs)))
	}
	d.alone = d.slots == 0
	return nil
}

// report tells the hub how the match goes, and that it is played.
func (d *dealer) report(ctx context.Context) error {
	d.mu.Lock()
	kept := d.kept
	d.mu.Unlock()
	r := Running{Match: d.of.name(), Client: d.client, Games: kept, Out: len(d.window.open), Newest: d.of.newest(), Needs: d.needs}
	if d.score != nil {
		r.Progress = d.score()
	}
	return put(ctx, d.hub, runningBucket, d.key, r)
}
