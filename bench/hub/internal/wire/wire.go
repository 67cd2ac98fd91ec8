// Package wire holds what the clients and the server of a hub share: the names of subjects
// and buckets, keys, and what the holder of each key may do.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Version is the version of the messages and names in use. Programs of different versions
// refuse to work together.
const Version = 8

// The key-value and object buckets. Programs since version 6 read the version in
// StateBucket, too, and say that it differs.
const (
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
	WorkerFaults = Table{StateBucket, "fault."} // the Faults of each worker
	Speeds       = Table{StateBucket, "speed."} // speeds of engines, in nodes a second
	Matches      = Table{LiveBucket, "match."}  // the MatchStatus of each match while it is played
	Workers      = Table{LiveBucket, "worker."} // the WorkerStatus of each connected worker
)

// Subject returns the subject of the messages that store the value of a key.
func (t Table) Subject(key string) string { return "$KV." + t.Bucket + "." + t.Prefix + key }

// former are the streams of earlier versions.
var former = []string{"GYRE_JOBS", "GYRE_RESULTS", "GYRE_LOG", "KV_gyre-running", "KV_gyre-workers", "KV_gyre-faults", "KV_gyre-speeds"}

// How long a record counts if it is not renewed.
const (
	LiveTTL   = time.Minute
	FaultsTTL = 24 * time.Hour
	BlobsTTL  = 30 * 24 * time.Hour // a match in progress sends them again
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
// server publish a reply under another worker's name, but it cannot choose its contents.
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
	if stream, err := js.Stream(ctx, "KV_"+StateBucket); err == nil {
		replicas = max(stream.CachedInfo().Config.Replicas, 1)
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
	if _, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: BlobsBucket, TTL: BlobsTTL, Replicas: replicas}); err != nil {
		return fmt.Errorf("bucket %s: %w", BlobsBucket, err)
	}
	if _, err = state.Create(ctx, VersionKey, []byte(strconv.Itoa(Version))); errors.Is(err, jetstream.ErrKeyExists) {
		return nil
	}
	return err
}

// onDisk maps each stream on disk to the subject that Probe writes to.
var onDisk = map[string]string{
	"OBJ_" + BlobsBucket: "$O." + BlobsBucket + ".C.probe", "KV_" + StateBucket: Settings.Subject("probe"),
}

// CheckStreams reports messages of the streams on disk that a server lost when it read its files,
// and reads the last message of each subject. A server whose files are damaged may otherwise accept
// messages that it cannot find later.
func CheckStreams(ctx context.Context, js jetstream.JetStream) error {
	for name := range onDisk {
		err := checkStream(ctx, js, name)
		for attempt := 1; attempt < checkAttempts && errors.Is(err, jetstream.ErrMsgNotFound); attempt++ {
			err = checkStream(ctx, js, name)
		}
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	return nil
}

// checkAttempts is how often CheckStreams tries a stream: a message may be replaced while it reads.
const checkAttempts = 3

func checkStream(ctx context.Context, js jetstream.JetStream, name string) error {
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return err
	}
	if err := checkLost(ctx, js.Conn(), name); err != nil {
		return err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		if _, err := stream.GetLastMsgForSubject(ctx, subject); err != nil {
			return fmt.Errorf("%s: %w", subject, err)
		}
	}
	return nil
}

// checkLost returns an error if the server lost messages of a stream. The jetstream package does not
// report that.
func checkLost(ctx context.Context, conn *nats.Conn, name string) error {
	reply, err := conn.RequestWithContext(ctx, "$JS.API.STREAM.INFO."+name, []byte(`{"deleted_details":true}`))
	if err != nil {
		return err
	}
	var info struct {
		State struct {
			Lost *struct {
				Bytes uint64 `json:"bytes"`
			} `json:"lost"`
		} `json:"state"`
	}
	if err := json.Unmarshal(reply.Data, &info); err != nil {
		return err
	}
	if lost := info.State.Lost; lost != nil {
		return fmt.Errorf("%d bytes of messages cannot be read", lost.Bytes)
	}
	return nil
}

// Probe writes a message to each stream on disk, deletes it, and checks the version. A stream whose
// files are damaged or cannot be written does not reply, or replies with an error.
func Probe(ctx context.Context, js jetstream.JetStream) error {
	for name, subject := range onDisk {
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
	missing, err := subjects(ctx, js, table)
	if err != nil {
		return nil, err
	}
	watcher, err := store.Watch(ctx, table.Prefix+"*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = watcher.Stop() }() // it ends with the connection too
	add := func(entry jetstream.KeyValueEntry) {
		key := strings.TrimPrefix(entry.Key(), table.Prefix)
		delete(missing, table.Subject(key))
		delete(all, key) // its value may be an older one
		var value T
		if entry.Operation() == jetstream.KeyValuePut && !table.Expired(entry) && json.Unmarshal(entry.Value(), &value) == nil {
			all[key] = value
		}
	}
	for ended := false; !ended; {
		select {
		case entry, open := <-watcher.Updates():
			if ended = entry == nil || !open; !ended {
				add(entry)
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	// A watcher reports its end too early if a value is updated meanwhile, and lacks that value.
	for subject := range missing {
		entry, err := store.Get(ctx, table.Prefix+strings.TrimPrefix(subject, table.Subject("")))
		if err == nil {
			add(entry)
		} else if !errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil, err
		}
	}
	return all, nil
}

// subjects returns the subjects of a table that have a value.
func subjects(ctx context.Context, js jetstream.JetStream, table Table) (map[string]uint64, error) {
	stream, err := js.Stream(ctx, "KV_"+table.Bucket)
	if err != nil {
		return nil, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(table.Subject("*")))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

// Expired reports whether a value is of no use any more, although it is still stored.
func (t Table) Expired(entry jetstream.KeyValueEntry) bool {
	return t == WorkerFaults && time.Since(entry.Created()) > FaultsTTL
}

// Role is what a key is for.
type Role string

// The roles.
const (
	ForWorker Role = "worker" // takes jobs and sends results
	ForMatch  Role = "match"  // plays matches and reads the status
	ForAdmin  Role = "admin"  // may also stop the detached matches of others
)

// Key is a key of a hub: the public part of an Ed25519 key pair. Only its holder has the
// secret part.
type Key struct {
	Name   string    `json:"name"`
	Role   Role      `json:"role"`
	Public string    `json:"public"`
	Added  time.Time `json:"added"`
	// Jobs is how many jobs all its matches together may have out; 0 for any number.
	Jobs int `json:"jobs,omitempty"`
}

// Name matches the names of workers, keys and offered engines. Subjects contain them.
var Name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// Secret is the secret part of a key.
type Secret struct {
	Role   Role
	Name   string
	Public string
	Pair   nkeys.KeyPair
}

// ReadSecret reads a file that AddKey wrote.
func ReadSecret(path string) (*Secret, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) != 3 || words[0] != string(ForWorker) && words[0] != string(ForMatch) && words[0] != string(ForAdmin) || !Name.MatchString(words[1]) {
			break
		}
		pair, err := nkeys.FromSeed([]byte(words[2]))
		if err != nil {
			return nil, fmt.Errorf("%s: the key is damaged: %w", path, err)
		}
		public, err := pair.PublicKey()
		return &Secret{Role: Role(words[0]), Name: words[1], Pair: pair, Public: public}, err
	}
	return nil, fmt.Errorf("%s: not a key of a hub; `gyre-hub key add` writes one", path)
}

// Permissions returns the subjects that the holder of a key may publish and subscribe to;
// nil for all of them. The holder may also reply to requests. An administrator may do anything.
// A key for matches may do anything except ask for detached matches under another name. A worker
// reads the statuses of matches, files and its own faults. It sends results, requests for jobs and
// its status under its own name. A suspended worker may only read its faults.
func Permissions(k Key, suspended bool) (publish, subscribe []string) {
	switch k.Role {
	case ForAdmin:
		return nil, nil
	case ForMatch:
		return []string{"$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$KV.>", "$O.>", ControlSubject(k.Name, "*")}, nil
	}
	publish = []string{
		"$JS.API.INFO",
		"$JS.API.STREAM.INFO.KV_" + StateBucket,
		getSubject(Settings, VersionKey), getSubject(WorkerFaults, k.Name),
	}
	if !suspended {
		publish = append(publish, workSubjects(k.Name)...)
	}
	return publish, []string{Inbox(k.Name) + ".>", Matches.Subject("*")}
}

// getSubject returns the subject of requests for a value.
func getSubject(t Table, key string) string {
	return "$JS.API.DIRECT.GET.KV_" + t.Bucket + "." + t.Subject(key)
}

// workSubjects returns the subjects that a worker needs for its work.
func workSubjects(name string) []string {
	return []string{
		"$JS.API.STREAM.INFO.OBJ_" + BlobsBucket,
		"$JS.API.DIRECT.GET.OBJ_" + BlobsBucket + ".>",
		"$JS.API.CONSUMER.CREATE.OBJ_" + BlobsBucket + ".>",
		"$JS.API.CONSUMER.DELETE.OBJ_" + BlobsBucket + ".>",
		"$JS.FC.>",
		NextSubject("*", name), BeatSubject("*", name),
		Workers.Subject(name),
	}
}

// Faults are the faults of a worker within FaultsTTL.
type Faults struct {
	Count int      `json:"count"`
	Last  []string `json:"last"` // the last few
	// Mismatches counts results that differ from another worker's result of the same job;
	// it is unknown which of the two was wrong. LastMismatch describes the last one.
	Mismatches   int    `json:"mismatches,omitempty"`
	LastMismatch string `json:"last_mismatch,omitempty"`
}

const (
	// MaxFaults is the number of rejected results that suspends a worker.
	MaxFaults = 3
	// MaxText bounds a fault and other short texts of workers and matches, in characters.
	MaxText = 300

	keptFaults = 5
)

// Suspended reports whether the worker gets no more work.
func (f *Faults) Suspended() bool { return f.Count >= MaxFaults }

// Add adds a fault.
func (f *Faults) Add(why error) {
	f.Count++
	f.Last = append(f.Last, fmt.Sprintf("%.*s", MaxText, why.Error()))
	f.Last = f.Last[max(0, len(f.Last)-keptFaults):]
}

// Lines describes the faults for people.
func (f *Faults) Lines() (lines []string) {
	results := func(n int) string {
		if n == 1 {
			return "1 result"
		}
		return fmt.Sprintf("%d results", n)
	}
	if f.Count > 0 {
		line := results(f.Count) + " rejected recently"
		if f.Suspended() {
			line += "; suspended"
		}
		lines = append(lines, line+f.Reason())
	}
	if f.Mismatches > 0 {
		lines = append(lines, fmt.Sprintf("%s recently unlike another worker's for the same job, the last unlike that of %s", results(f.Mismatches), f.LastMismatch))
	}
	return lines
}

// Reason returns why the last result was rejected, as a clause; empty if it is unknown.
// Anybody with a key for matches can write this record.
func (f *Faults) Reason() string {
	if len(f.Last) == 0 {
		return ""
	}
	return ", the last because: " + f.Last[len(f.Last)-1]
}
