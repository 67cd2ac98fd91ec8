package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// mostTold is how many faults of a worker are kept, and how long each may be.
const (
	mostTold    = 5
	longestTold = 300
)

// isBarred tells whether results of a worker are taken no more.
func (d *dealer) isBarred(worker string) bool {
	f := d.faults[worker]
	return f != nil && f.Barred()
}

// blame holds a result that was refused against its worker: in the log whole, in the
// bucket of faults as a count, which the hub keeps for a day. After mostFaults the worker
// gets no more work.
func (d *dealer) blame(ctx context.Context, from origin, result []byte, why error) {
	f := d.faults[from.worker]
	if f == nil {
		f = &Faults{}
		d.faults[from.worker] = f
	}
	f.add(why)
	d.warn(fmt.Errorf("a result of worker %s is refused: %w", from.worker, why))
	if f.Barred() {
		d.warn(fmt.Errorf("worker %s gets no more work: %d of its results were refused", from.worker, f.Count))
	}
	entry, err := json.Marshal(map[string]any{"worker": from.worker, "job": from.unit, "attempt": from.attempt, "why": why.Error(), "result": json.RawMessage(jsonOr(result))})
	if err == nil {
		_, err = d.hub.js.Publish(ctx, fmt.Sprintf("gyre.log.%s.%d.%s", d.key, from.unit, from.worker), entry)
	}
	if err = errors.Join(err, d.hub.count(ctx, from.worker, why)); err != nil && ctx.Err() == nil {
		d.warn(d.wrong(fmt.Errorf("the fault is not on the hub: %w", err)))
	}
}

// learnFaults takes over what the hub holds against workers: it forgets after a day.
func (d *dealer) learnFaults(ctx context.Context) error {
	held, err := snapshot[*Faults](ctx, d.hub, faultsBucket)
	if err == nil {
		d.faults = held
	}
	return err
}

// jsonOr returns a text that is JSON: what is not as a string.
func jsonOr(text []byte) []byte {
	if json.Valid(text) {
		return text
	}
	quoted, _ := json.Marshal(string(text)) // a string can always be quoted
	return quoted
}

// numbered returns a number of results in words.
func numbered(results int) string {
	if results == 1 {
		return "1 result"
	}
	return fmt.Sprintf("%d results", results)
}

// Lines tells the faults for people.
func (f *Faults) Lines() (lines []string) {
	if f.Count > 0 {
		line := numbered(f.Count) + " refused of late"
		if f.Barred() {
			line += " and gets no more work"
		}
		lines = append(lines, line+f.because())
	}
	if f.Differ > 0 {
		lines = append(lines, fmt.Sprintf("%s of late unlike that of another worker for the same job, the last unlike that of %s", numbered(f.Differ), f.Beside))
	}
	return lines
}

// because tells why the last result was refused, where that is known: what the hub holds may
// be written by whoever has a key for matches.
func (f *Faults) because() string {
	if len(f.Last) == 0 {
		return ""
	}
	return ", the last because: " + f.Last[len(f.Last)-1]
}

// add adds a fault.
func (f *Faults) add(why error) {
	f.Count++
	text := why.Error()
	f.Last = append(f.Last, text[:min(len(text), longestTold)])
	f.Last = f.Last[max(0, len(f.Last)-mostTold):]
}

// count adds a fault of a worker on the hub.
func (h *Hub) count(ctx context.Context, worker string, why error) error {
	return h.hold(ctx, worker, func(f *Faults) { f.add(why) })
}

// hold changes what is held against a worker on the hub.
func (h *Hub) hold(ctx context.Context, worker string, change func(*Faults)) error {
	bucket, err := h.js.KeyValue(ctx, faultsBucket)
	if err != nil {
		return err
	}
	for {
		var f Faults
		entry, err := bucket.Get(ctx, worker)
		var revision uint64
		switch {
		case err == nil:
			revision = entry.Revision()
			err = json.Unmarshal(entry.Value(), &f)
		case errors.Is(err, jetstream.ErrKeyNotFound):
			err = nil
		}
		if err != nil {
			return err
		}
		change(&f)
		text, err := json.Marshal(f)
		if err != nil {
			return err
		}
		if revision == 0 { // also after one that was deleted
			_, err = bucket.Create(ctx, worker, text)
		} else {
			_, err = bucket.Update(ctx, worker, text, revision)
		}
		if !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return err
		}
	}
}

// faultsOf returns what is held against a worker.
func (h *Hub) faultsOf(ctx context.Context, worker string) (*Faults, error) {
	var f Faults
	bucket, err := h.js.KeyValue(ctx, faultsBucket)
	if err != nil {
		return nil, err
	}
	entry, err := bucket.Get(ctx, worker)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return &f, nil
	}
	if err == nil {
		err = json.Unmarshal(entry.Value(), &f)
	}
	return &f, err
}
