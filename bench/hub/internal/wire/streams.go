// Package wire holds what the clients and the server of a hub share: the names of subjects
// and buckets, keys, and what the holder of each key may do.
//
//	streams.go  subjects, buckets and the stream of the log
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
const Version = 6

// The stream, and the key-value and object buckets.
const (
	LogStream = "GYRE_LOG" // rejected results and mismatches, for people

	MatchesBucket = "gyre-matches" // the Spec of each match; and VersionKey
	RunningBucket = "gyre-running" // the MatchStatus of each match while it is played
	WorkersBucket = "gyre-workers" // the WorkerStatus of each connected worker
	FaultsBucket  = "gyre-faults"  // the Faults of each worker
	SpeedsBucket  = "gyre-speeds"  // speeds of engines, in nodes a second
	BlobsBucket   = "gyre-blobs"   // files by their SHA-256

	VersionKey = "version"
	LimitsKey  = "limits" // how many jobs the matches of each key may have out, by its name
)

// formerStreams held jobs and results up to version 5.
var formerStreams = []string{"GYRE_JOBS", "GYRE_RESULTS"}

// How long a record lives if it is not renewed. The statuses of matches and workers are in
// memory.
const (
	RunningTTL = time.Minute
	WorkerTTL  = 45 * time.Second
	FaultsTTL  = 24 * time.Hour
	LogTTL     = 7 * 24 * time.Hour
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

// NextSubject returns the subject on which a worker sends a result to a match and asks it for
// a job: gyre.next.MATCH.WORKER. A worker may publish only under its own name. It can make the
// server reply under another worker's name, but cannot choose the contents.
func NextSubject(match, worker string) string { return "gyre.next." + match + "." + worker }

// BeatSubject returns the subject on which a worker reports that it still plays a job:
// gyre.beat.MATCH.WORKER.
func BeatSubject(match, worker string) string { return "gyre.beat." + match + "." + worker }

// ControlSubject returns the subject on which the holder of a key asks the hub for something
// about detached matches: gyre.ctl.KEY.OPERATION. Keys for matches may publish only under their
// own name.
func ControlSubject(key, operation string) string { return "gyre.ctl." + key + "." + operation }

// AnyWorker, as the worker of a subject, is the pattern of all workers.
const AnyWorker = "*"

// ValueSubject returns the subject of the messages that store the value of a key in a bucket.
func ValueSubject(bucket, key string) string { return "$KV." + bucket + "." + key }

// LastToken returns what follows the last period of a subject: the worker of a request, or the
// match of a status.
func LastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// LogSubject returns the subject of a log entry about a worker's result.
func LogSubject(match string, unit int, worker string) string {
	return fmt.Sprintf("gyre.log.%s.%d.%s", match, unit, worker)
}

// Inbox returns the prefix of the subjects on which a worker gets replies. No other worker
// may subscribe to them.
func Inbox(name string) string { return "_INBOX_" + name }

// Ensure creates all missing streams and buckets. New ones have three replicas in a cluster
// of at least three servers; existing ones keep their number of replicas.
func Ensure(ctx context.Context, conn *nats.Conn, js jetstream.JetStream) error {
	replicas := 1
	if conn.ConnectedClusterName() != "" && len(conn.Servers()) >= Replicas {
		replicas = Replicas
	}
	if stream, err := js.Stream(ctx, LogStream); err == nil {
		replicas = max(stream.CachedInfo().Config.Replicas, 1)
	}
	for _, name := range formerStreams {
		if err := js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	if _, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: LogStream, Subjects: []string{"gyre.log.>"}, MaxAge: LogTTL, Replicas: replicas}); err != nil {
		return fmt.Errorf("stream %s: %w", LogStream, err)
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
