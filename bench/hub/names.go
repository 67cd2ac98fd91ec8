package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ClientOf returns what is told of where results are kept: this machine and the file.
func ClientOf(file string) string {
	machine, err := os.Hostname()
	if err != nil {
		machine = "unknown"
	}
	if path, err := filepath.Abs(file); err == nil {
		file = path
	}
	return machine + ":" + file
}

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
