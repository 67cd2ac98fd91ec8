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
const Version = 5

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

// How long a record lives if it is not renewed. Jobs, results, and the statuses of matches and
// workers are in memory.
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
	// The journals of matches are the only record, and matches send everything again to a
	// restarted hub. So no job and no result has to be on disk.
	jobs.Storage, results.Storage = jetstream.MemoryStorage, jetstream.MemoryStorage
	for _, stream := range []jetstream.StreamConfig{jobs, results, log} {
		if err := deleteOther(ctx, js, stream.Name, stream.Storage); err != nil {
			return fmt.Errorf("stream %s: %w", stream.Name, err)
		}
		if _, err := js.CreateOrUpdateStream(ctx, stream); err != nil {
			return fmt.Errorf("stream %s: %w", stream.Name, err)
		}
	}
	for _, bucket := range []jetstream.KeyValueConfig{
		{Bucket: MatchesBucket}, {Bucket: SpeedsBucket}, {Bucket: FaultsBucket, TTL: FaultsTTL},
		{Bucket: RunningBucket, TTL: RunningTTL, Storage: jetstream.MemoryStorage},
		{Bucket: WorkersBucket, TTL: WorkerTTL, Storage: jetstream.MemoryStorage, MaxValueSize: MaxWorkerStatus},
	} {
		bucket.Replicas = replicas
		err := deleteOther(ctx, js, "KV_"+bucket.Bucket, bucket.Storage)
		if err == nil {
			_, err = js.CreateOrUpdateKeyValue(ctx, bucket)
		}
		if err != nil {
			return fmt.Errorf("bucket %s: %w", bucket.Bucket, err)
		}
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

// deleteOther deletes a stream with another storage, which an earlier version created.
func deleteOther(ctx context.Context, js jetstream.JetStream, name string, storage jetstream.StorageType) error {
	stream, err := js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err == nil && stream.CachedInfo().Config.Storage != storage {
		err = js.DeleteStream(ctx, name)
	}
	return err
}

// Probe writes to each stream on disk, deletes that again, and reads the version. A stream whose
// files are damaged or cannot be written does not reply, or replies with an error.
func Probe(ctx context.Context, js jetstream.JetStream) error {
	for name, subject := range map[string]string{
		LogStream: "gyre.log.probe", "OBJ_" + BlobsBucket: "$O." + BlobsBucket + ".C.probe", "KV_" + MatchesBucket: "$KV." + MatchesBucket + ".probe",
		"KV_" + SpeedsBucket: "$KV." + SpeedsBucket + ".probe", "KV_" + FaultsBucket: "$KV." + FaultsBucket + ".probe",
	} {
		_, err := js.Publish(ctx, subject, nil)
		var stream jetstream.Stream
		if err == nil {
			stream, err = js.Stream(ctx, name)
		}
		if err == nil {
			err = stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	return CheckVersion(ctx, js)
}

// SetVersion stores the Version on a hub that an earlier version may have used.
func SetVersion(ctx context.Context, js jetstream.JetStream) error {
	matches, err := js.KeyValue(ctx, MatchesBucket)
	if err == nil {
		_, err = matches.Put(ctx, VersionKey, []byte(strconv.Itoa(Version)))
	}
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
