package hub

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// follow keeps track of the matches that are played.
func (w *Worker) follow(ctx context.Context, stop context.CancelCauseFunc) {
	for ctx.Err() == nil {
		watching, stopWatching := w.Hub.whole(ctx)
		err := w.watch(watching, stop)
		stopWatching()
		if err != nil {
			select {
			case <-time.After(backAfter):
			case <-ctx.Done():
			}
		}
	}
}

// watch follows the matches until the connection is back after a break.
func (w *Worker) watch(ctx context.Context, stop context.CancelCauseFunc) error {
	store, err := w.Hub.js.KeyValue(ctx, runningBucket)
	if err != nil {
		return err
	}
	watcher, err := store.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }() // it goes with the connection too
	heard := map[string]time.Time{}
	stale := time.NewTicker(runningFor / 4)
	defer stale.Stop()
	for {
		select {
		case entry, open := <-watcher.Updates():
			switch {
			case !open:
				return errors.New("the watch ended")
			case entry == nil: // all that there was
			case entry.Operation() == jetstream.KeyValuePut:
				heard[entry.Key()] = time.Now()
				if !w.offersFor(entry.Value()) {
					delete(heard, entry.Key())
				}
			default:
				delete(heard, entry.Key())
			}
		case <-stale.C:
			maps.DeleteFunc(heard, func(_ string, at time.Time) bool { return time.Since(at) > runningFor })
		case <-ctx.Done():
			return nil
		}
		w.setRunning(heard, stop)
	}
}

// offersFor tells whether the worker offers what a match that is played needs.
func (w *Worker) offersFor(running []byte) bool {
	var r Running
	return json.Unmarshal(running, &r) == nil && offersAll(w.Offers, r.Needs)
}

// setRunning notes which matches are played.
func (w *Worker) setRunning(heard map[string]time.Time, stop context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Once && w.last != "" && w.running[w.last] && heard[w.last].IsZero() {
		stop(errDone)
	}
	same := len(heard) == len(w.running)
	for key := range heard {
		same = same && w.running[key]
	}
	if same {
		return
	}
	w.running = map[string]bool{}
	for key := range heard {
		w.running[key] = true
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// open returns the matches that a slot of the worker can play in, in order, and what is
// closed when there are others.
func (w *Worker) open(slot int) ([]string, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var keys []string
	if slots, _ := w.atOnce(); slot >= slots {
		return nil, w.changed
	}
	for _, key := range slices.Sorted(maps.Keys(w.running)) {
		if made := w.ready[key]; made == nil || made.refused() == nil {
			keys = append(keys, key)
		}
	}
	return keys, w.changed
}

// count notes games that are played, and pairs that were.
func (w *Worker) count(busy, pairs int, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy += busy
	w.pairs += pairs
	w.last = key
}
