// Package wire holds what the clients and the server of a hub share: subjects, the messages of its
// services, keys, what the holder of each key may do, and how many warnings a key may cause.
//
// Every subject names its sender. The hub's NATS server lets the holder of a key publish under the
// key's name only, and nobody publishes to a subject that somebody else chose, so the name on a
// message is the one that the server authenticated:
//
//	gyre.hub.SERVICE.NAME               a request of NAME to the hub
//	gyre.next.OWNER.MATCH.WORKER        a request of a worker to a match of OWNER
//	gyre.beat.OWNER.MATCH.WORKER        a heartbeat of a worker
//	gyre.to.NAME.FROM.CONNECTION.N      a reply to NAME, from the hub or from the owner of a match
//	gyre.match.OWNER.MATCH              the status of a match, from the hub
package wire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nats-io/nkeys"
	"golang.org/x/time/rate"

	"gyre/position/boundedjson"
	"gyre/position/plaintext"
)

// Version is the version of the messages and names in use. Programs of different versions
// refuse to work together.
const Version = 9

// CheckVersion returns an error if a client has another version than its hub.
func CheckVersion(client int) error {
	if client != Version {
		return fmt.Errorf("the hub speaks version %d and this program version %d: use the same release everywhere", Version, client)
	}
	return nil
}

// LiveTTL is how long the status of a match or a worker counts if it is not renewed.
const LiveTTL = time.Minute

const (
	// MaxPayload bounds a message, in bytes. The result of a pair has about 40,000, more
	// with principal variations.
	MaxPayload = 8 << 20
	// MaxRequest bounds the requests to most services, in bytes, and so the status of a worker or a
	// match.
	MaxRequest = 64 << 10
	// MaxChunk bounds the part of a file in a message, in bytes.
	MaxChunk = 256 << 10
	// MaxResult bounds the result of a job, in bytes, and MaxHeader a heartbeat, and a request to a match without its
	// result.
	MaxResult = 2 << 20
	MaxHeader = 1 << 10
	// MaxReply bounds the reply of a match to a worker, in bytes: a job, or a specification, which may have 700 kB.
	MaxReply = 1 << 20
)

// Hub is the name of the hub itself and of connections without a key. No key can have it: see Name.
const Hub = "~"

// Service is what a hub does for its clients.
type Service string

// The services of a hub.
const (
	Hello  Service = "hello"  // says whether the hub has this Version
	Join   Service = "join"   // takes the status of a worker
	Get    Service = "get"    // sends a part of a file
	Put    Service = "put"    // takes a part of a file
	Report Service = "report" // takes the status of a match
	Blame  Service = "blame"  // takes a fault of a worker
	Speed  Service = "speed"  // stores the speed of an engine
	Status Service = "status" // sends the status of the hub
	// Unsuspend forgets the faults of a key.
	Unsuspend Service = "unsuspend"

	// Those for detached matches.
	Start  Service = "start"
	Stop   Service = "stop"
	Pause  Service = "pause"
	Resume Service = "resume"
	Delete Service = "delete"
	Fetch  Service = "fetch"
)

// Detached are the services for detached matches.
var Detached = []Service{Start, Stop, Pause, Resume, Delete, Fetch}

// Services returns the services that the holder of a key for a role may use.
func (r Role) Services() []Service {
	if r == ForWorker {
		return []Service{Hello, Join, Get}
	}
	return append([]Service{Hello, Put, Report, Blame, Unsuspend, Speed, Status}, Detached...)
}

// Limit returns how large a request to a service may be, in bytes.
func (s Service) Limit() int {
	switch s {
	case Start:
		return MaxPayload
	case Put:
		return MaxChunk + MaxRequest
	}
	return MaxRequest
}

// Limit returns how large a message to a subject may be, in bytes.
func Limit(subject string) int {
	service, isRequest := strings.CutPrefix(subject, "gyre.hub.")
	switch {
	case isRequest:
		service, _, _ = strings.Cut(service, ".")
		return Service(service).Limit()
	case strings.HasPrefix(subject, "gyre.next."):
		return MaxHeader + 1 + MaxResult
	case strings.HasPrefix(subject, "gyre.beat."):
		return MaxHeader
	case strings.HasPrefix(subject, "gyre.to."):
		return MaxReply
	}
	return MaxPayload
}

// IsHubs reports whether the hub itself receives messages to a subject: as services, or for a match that it plays.
func IsHubs(subject string) bool {
	return strings.HasPrefix(subject, "gyre.hub.") || strings.HasPrefix(subject, "gyre.next."+Hub+".") || strings.HasPrefix(subject, "gyre.beat."+Hub+".")
}

// Lane is which requests of a key wait for each other.
type Lane int

// The lanes.
const (
	NoLane     Lane = iota // requests that are carried out at once
	FileLane               // those about files, which may take long to hash
	DataLane               // others with much to read or to write
	StartLane              // those that change detached matches
	FollowLane             // those for the games of detached matches, which do not wait for a start
)

// Lane returns the lane of requests to a service.
func (s Service) Lane() Lane {
	switch s {
	case Get, Put:
		return FileLane
	case Report, Status:
		return DataLane
	case Fetch:
		return FollowLane
	case Hello, Join, Blame, Unsuspend, Speed:
		return NoLane
	}
	return StartLane
}

// IsRepeatable reports whether a second copy of a request to a service is harmless, so that the client may send one if it
// gets no reply. A second fault would count, a worker may be at fault again after its faults were forgotten, and matches
// report again anyway.
func (s Service) IsRepeatable() bool { return s != Blame && s != Unsuspend && s != Report }

// ServiceSubject returns the subject of requests of a name to a service.
func ServiceSubject(s Service, name string) string { return "gyre.hub." + string(s) + "." + name }

// NextSubject returns the subject on which a worker sends a result to a match and asks it for a
// job. A match is OWNER.KEY, with the name of the key that plays it.
func NextSubject(match, worker string) string { return "gyre.next." + match + "." + worker }

// BeatSubject returns the subject on which a worker reports that it still plays a job.
func BeatSubject(match, worker string) string { return "gyre.beat." + match + "." + worker }

// MatchSubject returns the subject on which the hub sends the status of a match; empty when it ends.
func MatchSubject(match string) string { return "gyre.match." + match }

// ReplySubjects returns what the subjects of the replies of from to name begin with.
func ReplySubjects(name, from string) string { return "gyre.to." + name + "." + from + "." }

// IsReply reports whether a subject is one for a reply of from to name. Whoever asks chooses it, and from pays for others,
// which its key does not permit.
func IsReply(subject, name, from string) bool {
	rest, is := strings.CutPrefix(subject, ReplySubjects(name, from))
	connection, number, _ := strings.Cut(rest, ".")
	return is && Name.MatchString(connection) && Name.MatchString(number)
}

// Any, as a name in a subject, is the pattern of all names.
const Any = "*"

// AnyMatch is the pattern of all matches.
const AnyMatch = "*.*"

// Owner returns the owner of a match OWNER.KEY.
func Owner(match string) string {
	owner, _, _ := strings.Cut(match, ".")
	return owner
}

// LastToken returns what follows the last period of a subject, such as its sender, or the key of a
// match.
func LastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// MaxValues bounds the values in a message of MaxRequest bytes; see Unmarshal.
const MaxValues = 2_500

// maxLevels bounds the levels of arrays and objects. What quotes a status adds some, and parsers have limits.
const maxLevels = 100

// CheckJSON returns an error if a text has more than most values, or if it is nested too deeply.
func CheckJSON(text []byte, most int) error { return boundedjson.Check(text, most, maxLevels) }

// Unmarshal parses a message of somebody else, unless CheckJSON rejects it.
func Unmarshal(text []byte, value any, most int) error {
	return boundedjson.Unmarshal(text, value, most, maxLevels)
}

// Lines returns a message: a value as a line of JSON, and data, which may be anything.
func Lines(value any, data []byte) ([]byte, error) {
	text, err := Marshal(value)
	return append(append(text, '\n'), data...), err
}

// Marshal returns a value as JSON, with <, > and & as they are: escaped for HTML, each would take six bytes.
func Marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// ParseLines parses a message of Lines, of which the first line has limit bytes at most.
func ParseLines(text []byte, limit int, value any) (data []byte, err error) {
	first, data, _ := bytes.Cut(text, []byte("\n"))
	if len(first) > limit {
		return nil, fmt.Errorf("a line of %d bytes", len(first))
	}
	return data, json.Unmarshal(first, value)
}

// NonsenseError is why a request cannot be one of this protocol. That is its sender's fault.
type NonsenseError struct{ Err error }

// Error describes what is wrong with the request.
func (e *NonsenseError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *NonsenseError) Unwrap() error { return e.Err }

// Reply begins every reply of the hub.
type Reply struct {
	Version int    `json:"version"`
	Error   string `json:"error,omitempty"`
	// Unserved says that nobody carries out such requests now. A hub that starts soon does.
	Unserved bool `json:"unserved,omitempty"`
	// Suspended has the faults of the asking key if the hub has suspended it.
	Suspended *Faults `json:"suspended,omitempty"`
}

// Outcome returns the common part of a reply.
func (r *Reply) Outcome() *Reply { return r }

// Replier is a reply of the hub.
type Replier interface{ Outcome() *Reply }

// HelloRequest asks for the version of the hub. Every version of the protocol has it.
type HelloRequest struct {
	Version int `json:"version"`
	// Began says when the hub that sends this began, which is how two hubs on one NATS server find each other. Clients
	// send none.
	Began string `json:"began,omitempty"`
}

// JoinReply is the reply to a worker that reports its status.
type JoinReply struct {
	Reply
	// Excluded has the owners whose matches give this worker no more work, with the reasons.
	Excluded map[string]string `json:"excluded,omitempty"`
}

// ReportRequest is the status of a match while it is played.
type ReportRequest struct {
	Key   string `json:"key"`
	Ended bool   `json:"ended,omitempty"`
	// Owner is who started a detached match. Of others it is the key that reports.
	Owner string `json:"owner,omitempty"`
	Out   int    `json:"out"`   // jobs
	Limit int    `json:"limit"` // of them, that the match uses now
	// Idle says that no worker has a job of the match, and that none got a job or the specification lately.
	Idle bool `json:"idle,omitempty"`
	// Status is a status as clients read it.
	Status json.RawMessage `json:"status,omitempty"`
}

// ReportReply is what a match needs to know.
type ReportReply struct {
	Reply
	Faults  map[string]*Faults         `json:"faults"`  // of workers, as this match sees them
	Workers map[string]json.RawMessage `json:"workers"` // their statuses
	// Limit is how many jobs the match may have out; negative for any number.
	Limit int `json:"limit"`
	// Removed says that the limit is 0 because the hub no longer has the key of the match's owner.
	Removed bool `json:"removed,omitempty"`
	// Sharing is how many of the key's own matches, this one included, share what it may send a worker, or how many of its
	// detached matches. Idle ones do not count, unless this match is idle or was until now. It is 0 for detached matches
	// without an owner.
	Sharing int `json:"sharing,omitempty"`
}

// Listed is the status of a match as the hub shows it.
type Listed struct {
	Owner  string          `json:"owner,omitempty"`
	Status json.RawMessage `json:"status"`
	// Absent says that the client of the match is not connected.
	Absent bool `json:"absent,omitempty"`
}

// BlameRequest is a fault of a worker.
type BlameRequest struct {
	Worker string `json:"worker"`
	Why    string `json:"why"`
	// Suspend says that this fault alone suspends the worker, and Mismatch that it may be another
	// worker's.
	Suspend  bool `json:"suspend,omitempty"`
	Mismatch bool `json:"mismatch,omitempty"`
	// Owner is who started the detached match that found the fault.
	Owner string `json:"owner,omitempty"`
}

// Apply adds the fault to those of the worker.
func (r *BlameRequest) Apply(f *Faults) {
	switch {
	case r.Mismatch:
		f.Mismatches++
		f.LastMismatch = Printable(r.Why, MaxText)
	case r.Suspend:
		f.Suspend(errors.New(r.Why))
	default:
		f.Add(errors.New(r.Why))
	}
}

// UnsuspendRequest asks the hub to forget the faults of a key: all of them if an administrator asks, and
// otherwise those that the asking key has reported.
type UnsuspendRequest struct {
	Key string `json:"key"`
}

// SpeedRequest asks for the speed of an engine, and stores the given one if there is none.
type SpeedRequest struct {
	Key   string `json:"key"` // 64 hexadecimal digits
	Speed uint64 `json:"speed,omitempty"`
}

// SpeedReply has the stored speed; 0 for none.
type SpeedReply struct {
	Reply
	Speed uint64 `json:"speed"`
}

// FileRequest asks for a part of a file, or comes before one.
type FileRequest struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size,omitempty"`
	Offset int64  `json:"offset"`
	// Owner is who started the detached match that sends the file.
	Owner string `json:"owner,omitempty"`
	// Doubted says that a worker did not get the file from the hub as it should be.
	Doubted bool `json:"doubted,omitempty"`
}

// FileReply comes before a part of a file, or says which part the hub needs next.
type FileReply struct {
	Reply
	Found  bool  `json:"found,omitempty"` // the hub has the file
	Size   int64 `json:"size,omitempty"`
	Offset int64 `json:"offset,omitempty"`
}

// StatusReply is the status of a hub.
type StatusReply struct {
	Reply
	Matches map[string]Listed          `json:"matches"` // by OWNER.KEY
	Workers map[string]json.RawMessage `json:"workers"`
	Faults  map[string]*Faults         `json:"faults"` // by worker or KEY.WORKER, as in hub.Status
	// Stored is how many bytes keys have on the hub's disk, and Share how many each may have; 0 for any number.
	Stored map[string]int64 `json:"stored,omitempty"`
	Share  int64            `json:"share,omitempty"`
}

// Stored is what a key has on the disk of a hub, in bytes.
type Stored struct {
	Bytes   int64 // on the disk
	Claimed int64 // of what is not there yet, or counts for more than it has
}

// Plus returns the sum.
func (s Stored) Plus(other Stored) Stored {
	return Stored{s.Bytes + other.Bytes, s.Claimed + other.Claimed}
}

// All returns how many bytes count.
func (s Stored) All() int64 { return s.Bytes + s.Claimed }

// LeastFile is how many bytes a file that a key sends counts as at least: a disk has room for a number of files, too.
const LeastFile = 1 << 20

// Role is what a key is for.
type Role string

// The roles.
const (
	ForWorker Role = "worker" // takes jobs and sends results
	ForMatch  Role = "match"  // plays matches and reads the status
	ForAdmin  Role = "admin"  // may also stop the detached matches of others, and suspend workers for all
	ForHub    Role = "hub"    // serves a hub on another NATS server
)

// Known reports whether r is a role.
func (r Role) Known() bool {
	return r == ForWorker || r == ForMatch || r == ForAdmin || r == ForHub
}

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

// Hash matches a SHA-256 in hexadecimal.
var Hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// HashFile returns the SHA-256 of a file in hexadecimal, and its size in bytes.
func HashFile(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close() // only read
	return HashAll(file)
}

// HashAll returns the SHA-256 of all that in has, in hexadecimal, and how many bytes that is.
func HashAll(in io.Reader) (sum string, size int64, err error) {
	hash := sha256.New()
	size, err = io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// Secret is the secret part of a key.
type Secret struct {
	Role   Role
	Name   string
	Public string
	Pair   nkeys.KeyPair
}

// ReadSecret reads a file or a pipe with what AddKey wrote. A pipe may wait for its writer for ever,
// so it returns the cause of ctx once that is done.
func ReadSecret(ctx context.Context, path string) (*Secret, error) {
	var text []byte
	var err error
	read := make(chan struct{})
	go func() {
		defer close(read)
		text, err = readSome(path)
	}()
	select {
	case <-read:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	decoded, err := plaintext.Decode(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, line := range plaintext.Entries(decoded) {
		words := strings.Fields(line)
		if len(words) != 3 || !Role(words[0]).Known() || !Name.MatchString(words[1]) {
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

// maxSecret is more than a file of a key has, in bytes. A device may have no end.
const maxSecret = 64 << 10

// readSome reads the beginning of a file, which is all of a key.
func readSome(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // only read
	return io.ReadAll(io.LimitReader(file, maxSecret))
}

// CheckRegular returns an error if path is not a regular file, such as those of certificates, which
// are read more than once.
func CheckRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &os.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: this is a pipe or a device: save its content to a file, and name that", path)
	}
	return nil
}

// CheckAuthorities returns an error if path is not a PEM file of certificates.
func CheckAuthorities(path string) error {
	if err := CheckRegular(path); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err == nil && !x509.NewCertPool().AppendCertsFromPEM(text) {
		err = fmt.Errorf("%s: it has no certificate in PEM form", path)
	}
	return err
}

// Permissions returns the subjects that the holder of a key may publish and subscribe to. A
// suspended holder may only ask why.
func Permissions(k Key, suspended bool) (publish, subscribe []string) {
	if k.Role == ForHub {
		all, own := Any+"."+Any, Hub+"."+Any
		return []string{ReplySubjects(Any, Hub) + all, MatchSubject(AnyMatch), ServiceSubject(Any, Hub)},
			[]string{ServiceSubject(Any, Any), ReplySubjects(Hub, Any) + all, MatchSubject(AnyMatch), NextSubject(own, Any), BeatSubject(own, Any)}
	}
	subscribe = []string{ReplySubjects(k.Name, Any) + Any + "." + Any}
	services := k.Role.Services()
	if suspended {
		services = []Service{Hello, Join, Report}
	}
	for _, s := range services {
		publish = append(publish, ServiceSubject(s, k.Name))
	}
	switch {
	case suspended:
	case k.Role == ForWorker:
		publish = append(publish, NextSubject(AnyMatch, k.Name), BeatSubject(AnyMatch, k.Name))
		subscribe = append(subscribe, MatchSubject(AnyMatch))
	default:
		mine := k.Name + "." + Any
		publish = append(publish, ReplySubjects(Any, k.Name)+"*.*")
		subscribe = append(subscribe, NextSubject(mine, Any), BeatSubject(mine, Any))
	}
	return publish, subscribe
}

// A key for workers may send QuotaBurst bytes at once and QuotaRate a second on average. A result of a
// pair has about 40,000 bytes with principal variations, and one of samples about half a million.
// MessageCost is what each message costs in addition, in bytes: a worker may send 4,096 a second. Other keys may send
// MatchBurst times as much at once, and MatchFactor times as much a second.
const (
	QuotaBurst  = 32 << 20
	QuotaRate   = 8 << 20
	MatchBurst  = 4
	MatchFactor = 8
	MessageCost = 2 << 10
)

// NewQuota returns a quota in bytes, with multiples of the rate and the burst of a key for workers.
func NewQuota(factor, burst float64) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(factor*QuotaRate), int(burst*QuotaBurst))
}

// A key may reply to another key with ReplyBurst bytes at once, and ReplyRate a second on average. Whatever it sends, the
// connection of the other does not end, unless its line is slower.
const (
	ReplyBurst = 2 * MaxReply
	ReplyRate  = MaxReply / 2
)

// Receiver returns the name to which a message to a subject is a reply; empty for other messages.
func Receiver(subject string) string {
	rest, _ := strings.CutPrefix(subject, "gyre.to.")
	name, _, is := strings.Cut(rest, ".")
	if !is || rest == subject {
		return ""
	}
	return name
}

// Addressee returns the owner of the match to which a worker sends a message; empty for other messages, and for matches that
// the hub plays.
func Addressee(subject string) string {
	match, is := strings.CutPrefix(subject, "gyre.next.")
	if !is {
		match, is = strings.CutPrefix(subject, "gyre.beat.")
	}
	if owner := Owner(match); is && owner != Hub {
		return owner
	}
	return ""
}

// Destination returns what a subscription of a name is to: the replies to a connection, the requests or heartbeats to a match,
// or the statuses of matches; empty if its permissions have no such one. All subscriptions of the name that get a message
// have the same, unless one takes Any connection or match.
func Destination(subject, name string) string {
	words := strings.Split(subject, ".")
	switch {
	case len(words) == 6 && words[1] == "to" && words[2] == name:
		return "to." + words[4]
	case len(words) == 5 && (words[1] == "next" || words[1] == "beat") && words[2] == name:
		return words[1] + "." + words[3]
	case len(words) == 4 && words[1] == "match":
		return "match"
	}
	return ""
}

// FaultsTTL is how long the faults of a worker count after the last one.
const FaultsTTL = 24 * time.Hour

// Faults are the faults of a key within FaultsTTL.
type Faults struct {
	Count int      `json:"count"`
	Last  []string `json:"last"` // the last few, each with what was wrong: "it sent ..."
	// Mismatches counts results that differ from another worker's result of the same job;
	// it is unknown which of the two was wrong. LastMismatch describes the last one.
	Mismatches   int    `json:"mismatches,omitempty"`
	LastMismatch string `json:"last_mismatch,omitempty"`
}

const (
	// MaxFaults is the number of faults that suspends a key.
	MaxFaults = 3
	// MaxText bounds a fault and other short texts of workers and matches, in characters.
	MaxText = 300

	keptFaults = 5
)

// Printable returns a text of an untrusted sender in one line that a terminal can show, of at most longest characters.
func Printable(text string, longest int) string {
	text = text[:min(len(text), utf8.UTFMax*longest)] // a worker may send megabytes
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, text)
	return fmt.Sprintf("%.*s", longest, text)
}

// Suspended reports whether the worker gets no more work.
func (f *Faults) Suspended() bool { return f.Count >= MaxFaults }

// Add adds a fault. Its text may quote what anybody sent.
func (f *Faults) Add(why error) {
	f.Count++
	f.Last = append(f.Last, Printable(why.Error(), MaxText))
	f.Last = f.Last[max(0, len(f.Last)-keptFaults):]
}

// Suspend adds a fault that alone suspends the worker.
func (f *Faults) Suspend(why error) {
	f.Add(why)
	f.Count = max(f.Count, MaxFaults)
}

// Merge adds the faults that somebody else reported.
func (f *Faults) Merge(other *Faults) {
	f.Count += other.Count
	f.Last = append(f.Last, other.Last...)
	f.Last = f.Last[max(0, len(f.Last)-keptFaults):]
	if f.Mismatches += other.Mismatches; other.LastMismatch != "" {
		f.LastMismatch = other.LastMismatch
	}
}

// Lines describes the faults for people.
func (f *Faults) Lines() (lines []string) {
	count := func(n int, what string) string {
		if n != 1 {
			what += "s"
		}
		return fmt.Sprintf("%d %s", n, what)
	}
	if f.Count > 0 {
		line := count(f.Count, "fault") + " in the last day"
		if f.Suspended() {
			line += "; suspended"
		}
		lines = append(lines, line+f.Reason())
	}
	if f.Mismatches > 0 {
		lines = append(lines, fmt.Sprintf("%s recently unlike another worker's for the same job, the last unlike that of %s", count(f.Mismatches, "result"), f.LastMismatch))
	}
	return lines
}

// Reason returns the last fault as a clause; empty if it is unknown. Anybody with a key for matches can
// write that for its own matches.
func (f *Faults) Reason() string {
	if len(f.Last) == 0 {
		return ""
	}
	return ", the last because: " + f.Last[len(f.Last)-1]
}
