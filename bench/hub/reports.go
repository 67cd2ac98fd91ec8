package hub

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// snapshot returns all values of a bucket that can be read as T.
func snapshot[T any](ctx context.Context, h *Hub, bucket string) (map[string]T, error) {
	ctx, stop := context.WithTimeout(ctx, replyWithin)
	defer stop()
	store, err := h.js.KeyValue(ctx, bucket)
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
	store, err := h.js.KeyValue(ctx, bucket)
	if err == nil {
		_, err = store.Put(ctx, key, text)
	}
	return err
}

// errAlone tells that nobody plays.
var errAlone = errors.New("no worker is there yet: games begin when one comes")

// look counts the slots of the workers that take jobs of this match.
func (c *Crew) look(ctx context.Context) error {
	present, err := snapshot[Present](ctx, c.Hub, workersBucket)
	if err != nil {
		return err
	}
	c.slots = 0
	for name, worker := range present {
		if !c.isBarred(name) && !slices.Contains(worker.Refuses, c.key) && worker.Slots > 0 {
			c.slots += min(worker.Slots, mostSlots)
		}
	}
	if c.slots == 0 && !c.alone {
		c.warn(c.wrong(errAlone))
	}
	c.alone = c.slots == 0
	return nil
}

// report tells the hub how the match goes, and that it is played.
func (c *Crew) report(ctx context.Context) error {
	c.mu.Lock()
	kept := c.kept
	c.mu.Unlock()
	r := Running{Match: c.match.ID, Client: c.Client, Games: kept, Out: len(c.window.pairs)}
	if c.Score != nil {
		r.Score = c.Score()
	}
	return put(ctx, c.Hub, runningBucket, c.key, r)
}
