package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"gyre/bench/journal"
)

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

// keysFile is the format of a store's file of keys.
type keysFile struct {
	Kind string `json:"kind"` // keysKind
	Keys []Key  `json:"keys"`
}

const keysKind = "keys of a gyre hub"

func keysPath(store string) string { return filepath.Join(store, "keys.json") }

// ReadKeys returns the keys of a store. A store without a file of keys has none.
func ReadKeys(store string) ([]Key, error) {
	text, err := os.ReadFile(keysPath(store))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var file keysFile
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err == nil && file.Kind != keysKind {
		err = fmt.Errorf("its kind is %q, not %q", file.Kind, keysKind)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keysPath(store), err)
	}
	return file.Keys, nil
}

func writeKeys(store string, keys []Key) error {
	text, err := json.MarshalIndent(keysFile{Kind: keysKind, Keys: keys}, "", "  ")
	if err != nil {
		return err
	}
	file, err := journal.Replace(keysPath(store), keysKind)
	if err != nil {
		return err
	}
	if _, err = file.Write(append(text, '\n')); err == nil {
		err = file.Publish()
	}
	return errors.Join(err, file.Close())
}

// Name matches the names of workers, keys and offered engines. Subjects contain them.
var Name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// AddKey adds a key to a store and writes its secret part to a new file that only its owner
// can read. The name and the file must not exist. jobs is Key.Jobs.
func AddKey(store, name string, role Role, jobs int, path string) error {
	if !Name.MatchString(name) {
		return fmt.Errorf("name %q: use 1 to 40 letters, digits, _ and -", name)
	}
	keys, err := ReadKeys(store)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(keys, func(k Key) bool { return k.Name == name }) {
		return fmt.Errorf("the hub already has a key %s", name)
	}
	if err := os.MkdirAll(store, 0o700); err != nil {
		return err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return err
	}
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	secret, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(secret, "# key for a gyre-hub: keep it secret\n%s %s %s\n", role, name, seed)
	if err = errors.Join(err, secret.Close()); err != nil {
		return err
	}
	return writeKeys(store, append(keys, Key{Name: name, Role: role, Public: public, Added: time.Now().UTC().Truncate(time.Second), Jobs: jobs}))
}

// RemoveKey removes a key from a store.
func RemoveKey(store, name string) error {
	keys, err := ReadKeys(store)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if at < 0 {
		return fmt.Errorf("the hub has no key %s", name)
	}
	return writeKeys(store, slices.Delete(keys, at, at+1))
}

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
// nil for all of them. The holder may also reply to requests. An administrator may do anything,
// and a key for matches everything except asking for detached matches in another name. A worker reads matches, files and its own faults, and sends results,
// requests for jobs and its status under its own name. A suspended worker may only read its
// faults.
func Permissions(k Key, suspended bool) (publish, subscribe []string) {
	switch k.Role {
	case ForAdmin:
		return nil, nil
	case ForMatch:
		return []string{"$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$KV.>", "$O.>", "gyre.log.>", ControlSubject(k.Name, "*")}, nil
	}
	publish = []string{
		"$JS.API.INFO",
		"$JS.API.STREAM.INFO.KV_" + StateBucket,
		getSubject(Settings, VersionKey), getSubject(Specs, "*"), getSubject(WorkerFaults, k.Name),
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
	text := why.Error()
	f.Last = append(f.Last, text[:min(len(text), MaxText)])
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
