// Package wire holds what the clients and the server of a hub share: the names of streams,
// buckets and subjects, keys, and what the holder of each key may do.
//
//	streams.go  streams, buckets and subjects
//	access.go   keys, permissions and suspended workers
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Version is the version of the messages and names in use. Programs of different versions
// refuse to work together.
const Version = 4

// The streams, and the key-value and object buckets.
const (
	JobsStream    = "GYRE_JOBS"
	ResultsStream = "GYRE_RESULTS"
	LogStream     = "GYRE_LOG"

	MatchesBucket = "gyre-matches" // the Spec of each match; and VersionKey
	RunningBucket = "gyre-running" // the MatchStatus of each match while it is played
	WorkersBucket = "gyre-workers" // the WorkerStatus of each connected worker
	FaultsBucket  = "gyre-faults"  // the Faults of each worker
	SpeedsBucket  = "gyre-speeds"  // speeds of engines, in nodes a second
	BlobsBucket   = "gyre-blobs"   // files by their SHA-256

	VersionKey = "version"
)

// How long a record lives if it is not renewed.
const (
	RunningTTL = time.Minute
	WorkerTTL  = 45 * time.Second
	FaultsTTL  = 24 * time.Hour
	ResultTTL  = 7 * 24 * time.Hour // results of a match that is not resumed
	IdleTTL    = 7 * 24 * time.Hour // the consumer of a match
)

const (
	// MaxPayload bounds a message, in bytes. The result of a pair has about 40,000, more
	// with principal variations.
	MaxPayload = 8 << 20
	// MaxWorkerStatus bounds the status of a worker, in bytes.
	MaxWorkerStatus = 64 << 10
	// Replicas is how many servers of a cluster store each message.
	Replicas = 3
)

// JobSubject returns the subject of a job: gyre.job.MATCH.UNIT.ATTEMPT. The broker accepts
// one message for each.
func JobSubject(match string, unit, attempt int) string {
	return fmt.Sprintf("gyre.job.%s.%d.%d", match, unit, attempt)
}

// JobsOf returns the pattern of all jobs of a match.
func JobsOf(match string) string { return "gyre.job." + match + ".>" }

// ResultSubject returns the subject of a result: gyre.result.MATCH.UNIT.ATTEMPT.WORKER.
// A worker may publish only under its own name. It can make the server reply under another
// worker's name, so a result also contains its worker's name; a result that does not is
// nobody's fault.
func ResultSubject(match string, unit, attempt int, worker string) string {
	return fmt.Sprintf("gyre.result.%s.%d.%d.%s", match, unit, attempt, worker)
}

// ResultsOf returns the pattern of all results of a match.
func ResultsOf(match string) string { return "gyre.result." + match + ".>" }

// LogSubject returns the subject of a log entry about a worker's result.
func LogSubject(match string, unit int, worker string) string {
	return fmt.Sprintf("gyre.log.%s.%d.%s", match, unit, worker)
}

// Inbox returns the prefix of the subjects on which a worker gets replies. No other worker
// may subscribe to them.
func Inbox(name string) string { return "_INBOX_" + name }

// Origin is what a subject says of its job or result.
type Origin struct {
	Match         string
	Unit, Attempt int    // from 0
	Worker        string // of a result
}

// ParseSubject parses the subject of a job or a result.
func ParseSubject(subject string) (Origin, error) {
	words := strings.Split(subject, ".")
	if len(words) < 5 || len(words) > 6 {
		return Origin{}, fmt.Errorf("subject %q: neither a job's nor a result's", subject)
	}
	o := Origin{Match: words[2]}
	var errs [2]error
	o.Unit, errs[0] = strconv.Atoi(words[3])
	o.Attempt, errs[1] = strconv.Atoi(words[4])
	if len(words) == 6 {
		o.Worker = words[5]
	}
	if err := errors.Join(errs[:]...); err != nil || o.Unit < 0 || o.Attempt < 0 {
		return Origin{}, errors.Join(fmt.Errorf("subject %q", subject), err)
	}
	return o, nil
}

// Ensure creates all missing streams and buckets. New ones have three replicas in a cluster
// of at least three servers; existing ones keep their number of replicas.
func Ensure(ctx context.Context, conn *nats.Conn, js jetstream.JetStream) error {
	replicas := 1
	if conn.ConnectedClusterName() != "" && len(conn.Servers()) >= Replicas {
		replicas = Replicas
	}
	if stream, err := js.Stream(ctx, JobsStream); err == nil {
		replicas = max(stream.CachedInfo().Config.Replicas, 1)
	}
	one := jetstream.StreamConfig{Replicas: replicas, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true}
	jobs, results := one, one
	jobs.Name, jobs.Subjects, jobs.Retention = JobsStream, []string{"gyre.job.>"}, jetstream.WorkQueuePolicy
	results.Name, results.Subjects, results.MaxAge = ResultsStream, []string{"gyre.result.>"}, ResultTTL
	log := jetstream.StreamConfig{Name: LogStream, Subjects: []string{"gyre.log.>"}, MaxAge: ResultTTL, Replicas: replicas}
	for _, stream := range []jetstream.StreamConfig{jobs, results, log} {
		if _, err := js.CreateOrUpdateStream(ctx, stream); err != nil {
			return fmt.Errorf("stream %s: %w", stream.Name, err)
		}
	}
	for bucket, ttl := range map[string]time.Duration{MatchesBucket: 0, SpeedsBucket: 0, RunningBucket: RunningTTL, FaultsBucket: FaultsTTL} {
		if _, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket, TTL: ttl, Replicas: replicas}); err != nil {
			return fmt.Errorf("bucket %s: %w", bucket, err)
		}
	}
	if err := ensureWorkers(ctx, js, replicas); err != nil {
		return fmt.Errorf("bucket %s: %w", WorkersBucket, err)
	}
	if _, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: BlobsBucket, Replicas: replicas}); err != nil {
		return fmt.Errorf("bucket %s: %w", BlobsBucket, err)
	}
	matches, err := js.KeyValue(ctx, MatchesBucket)
	if err == nil {
		_, err = matches.Create(ctx, VersionKey, []byte(strconv.Itoa(Version)))
		if errors.Is(err, jetstream.ErrKeyExists) {
			err = nil
		}
	}
	return err
}

// ensureWorkers creates the bucket of workers in memory. Each worker renews its status every
// few seconds, also after a restart of the hub, and a disk that had to sync each renewal
// would have no time for results. A bucket that an earlier version created on disk is deleted.
func ensureWorkers(ctx context.Context, js jetstream.JetStream, replicas int) error {
	if bucket, err := js.KeyValue(ctx, WorkersBucket); err == nil {
		status, err := bucket.Status(ctx)
		if err != nil {
			return err
		}
		if status.Config().Storage != jetstream.MemoryStorage {
			if err := js.DeleteKeyValue(ctx, WorkersBucket); err != nil {
				return err
			}
		}
	}
	_, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: WorkersBucket, TTL: WorkerTTL, Replicas: replicas,
		Storage: jetstream.MemoryStorage, MaxValueSize: MaxWorkerStatus})
	return err
}

// CheckVersion returns an error unless js is a hub of this Version.
func CheckVersion(ctx context.Context, js jetstream.JetStream) error {
	matches, err := js.KeyValue(ctx, MatchesBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return errors.New("this NATS server has not been used as a hub yet: start a match there first")
	}
	if err != nil {
		return fmt.Errorf("no hub there: %w", err)
	}
	entry, err := matches.Get(ctx, VersionKey)
	if err != nil {
		return err
	}
	if version := string(entry.Value()); version != strconv.Itoa(Version) {
		return fmt.Errorf("the hub speaks version %.10q and this program version %d: use the same release everywhere", version, Version)
	}
	return nil
}

// Snapshot returns all values of a bucket that parse as T; others were written by somebody
// else. The bucket of workers is in memory and so missing after a NATS server restarts, until
// a hub or a match creates it: then there are no workers.
func Snapshot[T any](ctx context.Context, js jetstream.JetStream, bucket string) (map[string]T, error) {
	store, err := js.KeyValue(ctx, bucket)
	if bucket == WorkersBucket && errors.Is(err, jetstream.ErrBucketNotFound) {
		return map[string]T{}, nil
	}
	if err != nil {
		return nil, err
	}
	watcher, err := store.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = watcher.Stop() }() // it ends with the connection too
	all := map[string]T{}
	for {
		select {
		case entry, open := <-watcher.Updates():
			if entry == nil || !open {
				return all, nil
			}
			var value T
			if json.Unmarshal(entry.Value(), &value) == nil {
				all[entry.Key()] = value
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
