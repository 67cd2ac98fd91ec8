// Package hub distributes games of a match over many machines. A hub is a NATS server with
// JetStream: it passes jobs to workers and their results back. The match stays on the machine
// that started it, with its schedule, its test and its journal. The journal is the only
// record; whatever the hub loses is played again.
//
//	hub.go          Hub: a connection to a hub, and the key it signs in with
//	streams.go      streams, buckets and subjects
//	messages.go     jobs, results and status records
//	spec.go         Spec: a match as workers need it, with its engines and files
//	dispatcher.go   hands out jobs, judges results, replays some of them
//	executor.go     pairs of games as jobs: plays a match
//	ranges.go       ranges of numbers as jobs: runs a program
//	worker.go       Worker: plays jobs of all matches of a hub
//	preparation.go  fetches and checks the programs of a match on a worker
//	clocks.go       scales real clocks to the speed of each worker
//	status.go       Status: the matches and workers of a hub
//	server.go       Server: the embedded server, its store and its permissions
//	keys.go         the keys of a hub
//
// A job is a pair: both games of an opening, played on one machine. The hub hands it out
// again if its worker is silent for too long or its result is rejected, and once more, as a
// backup, if all later pairs wait for it. Several results of one job do no harm: each is
// checked against the schedule and the rules, and the first valid one counts.
//
// If the engines' turns depend on node counts alone, a match over a hub has the same games
// as a local match, whatever connections and machines fail. With real clocks games differ
// each time, as they do locally, and each worker's times are scaled by the speed of one
// engine of the match.
package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Address is where a hub is, and how to get in.
type Address struct {
	URL string // such as nats://HOST:4222, tls://HOST:4222 or wss://HOST, or several with commas between
	Key string // file of a key; empty for none
	CA  string // file of the certificates in PEM that a hub's is signed by; empty: those of the system
	// Server, if not nil, is a hub of this process, in place of URL.
	Server interface {
		InProcessConn() (net.Conn, error)
		credentials() ([]nats.Option, error)
	}
	Role  Role   // what the key has to be for, if there is one
	Name  string // of a worker without a key
	Makes bool   // whether streams that are not there are made
}

// Hub is a connection to a hub, which comes back by itself when it was broken.
type Hub struct {
	url  string
	name string // the key's, or the address's
	conn *nats.Conn
	js   jetstream.JetStream

	mu     sync.Mutex
	denied error         // the last thing that the hub did not permit
	back   chan struct{} // closed and made anew each time that the connection comes back
	closed chan struct{} // closed when it never comes back
}

// How a connection waits.
const (
	dialWithin  = 10 * time.Second
	backAfter   = 500 * time.Millisecond
	replyWithin = 30 * time.Second
)

// ErrNoAccess is why a hub lets nobody in: without a key, or with one that it does not
// know, or knows no more.
var ErrNoAccess = errors.New("the hub lets nobody in with this key: it was removed there, is of another hub, or none was given (-key FILE, made by `gyre-arena hub key add`)")

// Connect connects to a hub of this Version. The error says whether there is none, or it
// lets us not in, or is of another version.
func Connect(ctx context.Context, a Address) (*Hub, error) {
	h := &Hub{url: a.URL, name: a.Name, back: make(chan struct{}), closed: make(chan struct{})}
	options := []nats.Option{
		nats.Name("gyre-arena"), nats.MaxReconnects(-1), nats.ReconnectWait(backAfter), nats.Timeout(dialWithin),
		nats.ReconnectHandler(func(*nats.Conn) { h.cameBack() }),
		nats.ClosedHandler(func(*nats.Conn) { close(h.closed) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { h.heard(err) }),
	}
	more, err := h.identify(a)
	if err != nil {
		return nil, err
	}
	if h.conn, err = nats.Connect(a.URL, append(options, more...)...); err != nil {
		return nil, h.refused(err)
	}
	ctx, stop := context.WithTimeout(ctx, replyWithin) // a cluster without a leader says nothing
	defer stop()
	if h.js, err = jetstream.New(h.conn, jetstream.WithDefaultTimeout(replyWithin)); err == nil && a.Makes {
		err = h.ensure(ctx)
	}
	if err == nil {
		err = h.checkVersion(ctx)
	}
	if err != nil {
		h.Close()
		return nil, fmt.Errorf("hub %s: %w", h.url, err)
	}
	return h, nil
}

// identify returns how to say who we are.
func (h *Hub) identify(a Address) ([]nats.Option, error) {
	if a.Server != nil {
		h.url = "of this process"
		options, err := a.Server.credentials()
		if err != nil {
			return nil, err
		}
		if a.Key == "" {
			return append(options, nats.InProcessServer(a.Server)), nil
		}
	}
	var options []nats.Option
	if a.CA != "" {
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Server != nil {
		options = append(options, nats.InProcessServer(a.Server))
	}
	if a.Key == "" {
		return options, nil
	}
	secret, err := readSecret(a.Key)
	if err != nil {
		return nil, err
	}
	if a.Role != "" && secret.role != a.Role {
		return nil, fmt.Errorf("%s: the key of a %s, and one of a %s is needed", a.Key, secret.role, a.Role)
	}
	h.name = secret.name
	options = append(options, nats.Nkey(secret.public, secret.pair.Sign))
	if secret.role == ForWorker {
		options = append(options, nats.CustomInboxPrefix(inboxOf(secret.name)))
	}
	return options, nil
}

// refused says why a connection did not come about.
func (h *Hub) refused(err error) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization), strings.Contains(strings.ToLower(err.Error()), "authorization"), strings.Contains(err.Error(), "nkeys not supported"):
		return fmt.Errorf("hub %s: %w", h.url, ErrNoAccess)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("hub %s: it wants TLS: give tls:// in place of nats://", h.url)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("hub %s: it has no TLS: give nats:// in place of tls://", h.url)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("hub %s: nobody answers there: %w", h.url, err)
	}
	return fmt.Errorf("hub %s: %w", h.url, err)
}

// checkVersion returns an error unless there is a hub, of this version.
func (h *Hub) checkVersion(ctx context.Context) error {
	matches, err := h.js.KeyValue(ctx, matchesBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return errors.New("a NATS server that was never a hub: begin a match there first")
	}
	if err != nil {
		return fmt.Errorf("no hub there: %w", err)
	}
	entry, err := matches.Get(ctx, versionKey)
	if err != nil {
		return err
	}
	if version := string(entry.Value()); version != strconv.Itoa(Version) {
		return fmt.Errorf("it is of version %.10q of what goes over a hub, and this program of %d: use the same version of gyre-arena everywhere", version, Version)
	}
	return nil
}

// cameBack wakes those that wait for the connection.
func (h *Hub) cameBack() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.back)
	h.back = make(chan struct{})
}

// returned is closed when the connection next comes back.
func (h *Hub) returned() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.back
}

// errBroken is why something was not asked to its end.
var errBroken = errors.New("the connection to the hub was broken")

// whole returns a context for what is asked over one connection: it ends when that was
// broken and is back, as no answer comes then any more. In the end call the function.
func (h *Hub) whole(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	back := h.returned()
	go func() {
		select {
		case <-back:
			cancel(errBroken)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// heard remembers what the hub did not permit.
func (h *Hub) heard(err error) {
	if errors.Is(err, nats.ErrPermissionViolation) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.denied = err
	}
}

// Close ends the connection.
func (h *Hub) Close() { h.conn.Close() }

// Role is what a key is for.
type Role string

// The roles.
const (
	ForWorker Role = "worker" // takes jobs and sends results
	ForMatch  Role = "match"  // plays matches, and sees the status
)

// secretKey is what a key's holder has.
type secretKey struct {
	role   Role
	name   string
	pair   nkeys.KeyPair
	public string
}

// readSecret reads a file that AddKey wrote.
func readSecret(path string) (*secretKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) != 3 || words[0] != string(ForWorker) && words[0] != string(ForMatch) || !names.MatchString(words[1]) {
			break
		}
		pair, err := nkeys.FromSeed([]byte(words[2]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		public, err := pair.PublicKey()
		return &secretKey{role: Role(words[0]), name: words[1], pair: pair, public: public}, err
	}
	return nil, fmt.Errorf("%s: no key of a hub, as `gyre-arena hub key add` writes it", path)
}

// names are words that can stand in a subject.
var names = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// inboxOf is where answers to a worker go, which no other worker hears.
func inboxOf(name string) string { return "_INBOX_" + name }
