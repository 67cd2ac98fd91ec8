package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Version is that of what goes over a hub. All parts have the same, or refuse to work
// together.
const Version = 4

// The streams, and the buckets of keys and values and of objects.
const (
	jobsStream    = "GYRE_JOBS"
	resultsStream = "GYRE_RESULTS"
	logStream     = "GYRE_LOG"

	matchesBucket = "gyre-matches" // by match, its Spec; and versionKey
	runningBucket = "gyre-running" // by match, its Running, while it is played
	workersBucket = "gyre-workers" // by worker, its Present, while it is there
	faultsBucket  = "gyre-faults"  // by worker, its Faults
	speedsBucket  = "gyre-speeds"  // of engines by speedKey, in nodes a second
	blobsBucket   = "gyre-blobs"   // by SHA-256

	versionKey = "version"
)

// How long things stay that nobody renews.
const (
	runningFor = time.Minute
	presentFor = 45 * time.Second
	faultsFor  = 24 * time.Hour
	keptFor    = 7 * 24 * time.Hour // results of a match that nobody goes on with
	idleFor    = 7 * 24 * time.Hour // the consumer of a match
)

// A job's subject is gyre.job.MATCH.PAIR.ATTEMPT, of which the broker takes one.
func jobSubject(match string, pair, attempt int) string {
	return fmt.Sprintf("gyre.job.%s.%d.%d", match, pair, attempt)
}

func jobsOf(match string) string { return "gyre.job." + match + ".>" }

// A result's subject is gyre.result.MATCH.PAIR.ATTEMPT.WORKER: a worker can publish
// under its own name alone. It can have the server answer under the name of another, so the
// result names its worker too, and an answer is held against nobody.
func resultSubject(match string, pair, attempt int, worker string) string {
	return fmt.Sprintf("gyre.result.%s.%d.%d.%s", match, pair, attempt, worker)
}

func resultsOf(match string) string { return "gyre.result." + match + ".>" }

// origin is what a job's subject tells, and a result's, which has a worker too.
type origin struct {
	match         string
	unit, attempt int // numbers from 0
	worker        string
}

// parseSubject reads the subject of a job or a result.
func parseSubject(subject string) (origin, error) {
	words := strings.Split(subject, ".")
	if len(words) < 5 || len(words) > 6 {
		return origin{}, fmt.Errorf("subject %q: neither a job's nor a result's", subject)
	}
	o := origin{match: words[2]}
	var errs [2]error
	o.unit, errs[0] = strconv.Atoi(words[3])
	o.attempt, errs[1] = strconv.Atoi(words[4])
	if len(words) == 6 {
		o.worker = words[5]
	}
	if err := errors.Join(errs[:]...); err != nil || o.unit < 0 || o.attempt < 0 {
		return origin{}, errors.Join(fmt.Errorf("subject %q", subject), err)
	}
	return o, nil
}

// mostPresent bounds what a worker tells of itself, in bytes.
const mostPresent = 64 << 10

// replicas is how many servers of a cluster keep each message.
const replicas = 3

// ensure makes all streams and buckets that are not there: on three servers of a cluster
// that has so many. Those that are there stay on as many as they are.
func (h *Hub) ensure(ctx context.Context) error {
	js, kept := h.js, 1
	if h.conn.ConnectedClusterName() != "" && len(h.conn.Servers()) >= replicas {
		kept = replicas
	}
	if stream, err := js.Stream(ctx, jobsStream); err == nil {
		kept = max(stream.CachedInfo().Config.Replicas, 1)
	}
	one := jetstream.StreamConfig{Replicas: kept, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true}
	jobs, results := one, one
	jobs.Name, jobs.Subjects, jobs.Retention = jobsStream, []string{"gyre.job.>"}, jetstream.WorkQueuePolicy
	results.Name, results.Subjects, results.MaxAge = resultsStream, []string{"gyre.result.>"}, keptFor
	log := jetstream.StreamConfig{Name: logStream, Subjects: []string{"gyre.log.>"}, MaxAge: keptFor, Replicas: kept}
	for _, stream := range []jetstream.StreamConfig{jobs, results, log} {
		if _, err := js.CreateOrUpdateStream(ctx, stream); err != nil {
			return fmt.Errorf("stream %s: %w", stream.Name, err)
		}
	}
	for bucket, lives := range map[string]time.Duration{matchesBucket: 0, speedsBucket: 0, runningBucket: runningFor, faultsBucket: faultsFor} {
		if _, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket, TTL: lives, Replicas: kept}); err != nil {
			return fmt.Errorf("bucket %s: %w", bucket, err)
		}
	}
	if err := h.ensureWorkers(ctx, kept); err != nil {
		return fmt.Errorf("bucket %s: %w", workersBucket, err)
	}
	if _, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: blobsBucket, Replicas: kept}); err != nil {
		return fmt.Errorf("bucket %s: %w", blobsBucket, err)
	}
	matches, err := js.KeyValue(ctx, matchesBucket)
	if err == nil {
		_, err = matches.Create(ctx, versionKey, []byte(strconv.Itoa(Version)))
		if errors.Is(err, jetstream.ErrKeyExists) {
			err = nil
		}
	}
	return err
}

// ensureWorkers makes the bucket of workers, in memory: each tells every few seconds that it
// is there, a hub that is begun anew is told at once, and a disk that keeps each word before
// it is answered has no time for results. One that an earlier version made on the disk goes.
func (h *Hub) ensureWorkers(ctx context.Context, kept int) error {
	if bucket, err := h.js.KeyValue(ctx, workersBucket); err == nil {
		status, err := bucket.Status(ctx)
		if err != nil {
			return err
		}
		if status.Config().Storage != jetstream.MemoryStorage {
			if err := h.js.DeleteKeyValue(ctx, workersBucket); err != nil {
				return err
			}
		}
	}
	_, err := h.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: workersBucket, TTL: presentFor, Replicas: kept, Storage: jetstream.MemoryStorage, MaxValueSize: mostPresent})
	return err
}

// isRefusedAgain tells whether the broker has a message of that subject already.
func isRefusedAgain(err error) bool {
	const oneMessageForSubject = 10077
	e, ok := errors.AsType[*jetstream.APIError](err)
	return ok && e.ErrorCode == oneMessageForSubject
}

// mostPayload bounds a message, in bytes: a pair has some 40,000, with lines some more.
const mostPayload = 8 << 20

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

// stored is where the hub keeps a result: in the stream that it has since a break of the
// connection, by number.
type stored struct {
	since    int // breaks
	sequence uint64
}

// arrival is a result as it came.
type arrival struct {
	msg jetstream.Msg
	at  stored
}

// arrivals are the results of a match as the hub has them, from the first that it kept.
type arrivals struct {
	hub    *Hub
	filter string
	came   chan arrival
	breaks int
}

// listen passes results on until ctx is done. After each break of the connection it
// begins at the first again, as the hub may be another one then.
func (a *arrivals) listen(ctx context.Context) {
	for ; ctx.Err() == nil; a.breaks++ {
		back := a.hub.returned()
		consumer, err := a.hub.js.OrderedConsumer(ctx, resultsStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{a.filter}})
		if err == nil {
			err = a.pass(ctx, consumer, back)
		}
		if err != nil {
			select {
			case <-time.After(backAfter):
			case <-ctx.Done():
			}
		}
	}
}

// pass passes on what a consumer gets, until the connection is back.
func (a *arrivals) pass(ctx context.Context, consumer jetstream.Consumer, back <-chan struct{}) error {
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	passing, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-back:
			stop()
		case <-passing.Done():
		}
	}()
	for {
		msg, err := messages.Next(jetstream.NextContext(passing))
		if passing.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := msg.Metadata()
		if err != nil {
			return err
		}
		select {
		case a.came <- arrival{msg, stored{a.breaks, data.Sequence.Stream}}:
		case <-passing.Done():
			return nil
		}
	}
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
