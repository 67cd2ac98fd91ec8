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
const Version = 7

// The stream, and the key-value and object buckets. Programs of version 6 read the version in
// StateBucket, too, and say that it differs.
const (
	LogStream   = "GYRE_LOG"     // rejected results and mismatches, for people
	StateBucket = "gyre-matches" // values on disk
	LiveBucket  = "gyre-live"    // values in memory, which expire after LiveTTL
	BlobsBucket = "gyre-blobs"   // files by their SHA-256

	// Two keys of the Settings.
	VersionKey = "version"
	LimitsKey  = "limits" // how many jobs the matches of each key may have out, by its name
)

// Table is a kind of values in a bucket. Their keys have a prefix.
type Table struct{ Bucket, Prefix string }

// The tables.
var (
	Settings     = Table{StateBucket, ""}
	Specs        = Table{StateBucket, "spec."}  // the Spec of each match
	WorkerFaults = Table{StateBucket, "fault."} // the Faults of each worker
	Speeds       = Table{StateBucket, "speed."} // speeds of engines, in nodes a second
	Matches      = Table{LiveBucket, "match."}  // the MatchStatus of each match while it is played
	Workers      = Table{LiveBucket, "worker."} // the WorkerStatus of each connected worker
)

// Subject returns the subject of the messages that store the value of a key.
func (t Table) Subject(key string) string { return "$KV." + t.Bucket + "." + t.Prefix + key }

// former are the streams of earlier versions.
var former = []string{"GYRE_JOBS", "GYRE_RESULTS", "KV_gyre-running", "KV_gyre-workers", "KV_gyre-faults", "KV_gyre-speeds"}

// How long a record counts if it is not renewed.
const (
	LiveTTL   = time.Minute
	FaultsTTL = 24 * time.Hour
	LogTTL    = 7 * 24 * time.Hour
)

const (
	// MaxPayload bounds a message, in bytes. The result of a pair has about 40,000, more
	// with principal variations.
	MaxPayload = 8 << 20
	// MaxStatus bounds the status of a worker or a match, in bytes.
	MaxStatus = 64 << 10
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
	if _, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: LogStream, Subjects: []string{"gyre.log.>"}, MaxAge: LogTTL, Replicas: replicas}); err != nil {
		return fmt.Errorf("stream %s: %w", LogStream, err)
	}
	state, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: StateBucket, Replicas: replicas})
	if err != nil {
		return fmt.Errorf("bucket %s: %w", StateBucket, err)
	}
	// A worker writes to this bucket. Unlike those of the library, it denies rollups: a message
	// cannot delete those of others.
	_, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "KV_" + LiveBucket, Subjects: []string{"$KV." + LiveBucket + ".>"},
		Storage: jetstream.MemoryStorage, MaxAge: LiveTTL, MaxMsgsPerSubject: 1, MaxMsgSize: MaxStatus, Discard: jetstream.DiscardNew,
		AllowDirect: true, DenyDelete: true, Replicas: replicas})
	if err != nil {
		return fmt.Errorf("bucket %s: %w", LiveBucket, err)
	}
	if _, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: BlobsBucket, Replicas: replicas}); err != nil {
		return fmt.Errorf("bucket %s: %w", BlobsBucket, err)
	}
	if _, err = state.Create(ctx, VersionKey, []byte(strconv.Itoa(Version))); errors.Is(err, jetstream.ErrKeyExists) {
		return nil
	}
	return err
}

// Probe writes to each stream on disk, deletes that again, and reads the version. A stream whose
// files are damaged or cannot be written does not reply, or replies with an error.
func Probe(ctx context.Context, js jetstream.JetStream) error {
	for name, subject := range map[string]string{
		LogStream: "gyre.log.probe", "OBJ_" + BlobsBucket: "$O." + BlobsBucket + ".C.probe", "KV_" + StateBucket: Settings.Subject("probe"),
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

// SetVersion stores the Version on a hub, and deletes the streams of earlier versions.
func SetVersion(ctx context.Context, js jetstream.JetStream) error {
	for _, name := range former {
		if err := js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	state, err := js.KeyValue(ctx, StateBucket)
	if err == nil {
		_, err = state.Put(ctx, VersionKey, []byte(strconv.Itoa(Version)))
	}
	return err
}

// CheckVersion returns an error unless js is a hub of this Version.
func CheckVersion(ctx context.Context, js jetstream.JetStream) error {
	state, err := js.KeyValue(ctx, StateBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return errors.New("this NATS server has not been used as a hub yet: start a match there first")
	}
	if err != nil {
		return fmt.Errorf("no hub there: %w", err)
	}
	entry, err := state.Get(ctx, VersionKey)
	if err != nil {
		return err
	}
	if version := string(entry.Value()); version != strconv.Itoa(Version) {
		return fmt.Errorf("the hub speaks version %.10q and this program version %d: use the same release everywhere", version, Version)
	}
	return nil
}

// Snapshot returns all values of a table that parse as T, by key; others were written by somebody
// else. The live bucket is in memory and so missing after a NATS server restarts, until a hub or a
// match creates it: then there are no values.
func Snapshot[T any](ctx context.Context, js jetstream.JetStream, table Table) (map[string]T, error) {
	all := map[string]T{}
	store, err := js.KeyValue(ctx, table.Bucket)
	if table.Bucket == LiveBucket && errors.Is(err, jetstream.ErrBucketNotFound) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	watcher, err := store.Watch(ctx, table.Prefix+"*", jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = watcher.Stop() }() // it ends with the connection too
	for {
		select {
		case entry, open := <-watcher.Updates():
			if entry == nil || !open {
				return all, nil
			}
			var value T
			if !table.Expired(entry) && json.Unmarshal(entry.Value(), &value) == nil {
				all[strings.TrimPrefix(entry.Key(), table.Prefix)] = value
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Expired reports whether a value is of no use any more, although it is still stored.
func (t Table) Expired(entry jetstream.KeyValueEntry) bool {
	return t == WorkerFaults && time.Since(entry.Created()) > FaultsTTL
}
