// Package hub distributes games of a match over many machines. A hub is a NATS server with
// JetStream: it passes jobs to workers and their results back, and stores nothing that cannot be
// sent again. The match stays on the machine that started it, with its schedule, its test and
// its journal, or, detached, on the hub's. The journal is the only record.
//
//	hub.go          Hub: a connection to a hub, and the key it signs in with
//	messages.go     jobs, requests, replies, and the status of matches and workers
//	spec.go         Spec: a match as workers need it, with its engines and files
//	dispatcher.go   hands out jobs to workers and replies to them
//	results.go      judges results, has some jobs played again, and suspends workers
//	executor.go     pairs of games as jobs: plays a match
//	ranges.go       ranges of numbers as jobs: runs a program
//	worker.go       Worker: plays jobs of all matches of a hub
//	preparation.go  fetches and checks the programs of a match on a worker
//	clocks.go       scales real clocks to the speed of each worker
//	detached.go     Controller: matches that the hub plays by itself
//	server          the embedded server, its store and its permissions
//	internal/wire   subjects, buckets, keys and permissions
//
// A job is a pair: both games of an opening, played on one machine. A worker asks a match for a
// job with a request; its next request carries the result, and the reply comes when the games
// are on disk. A worker without a reply sends the result again. The match gives a job to another
// worker if its worker is silent for too long or its result is rejected, and once more, as a
// backup, if all later pairs wait for it. Several results of one job do no harm: each is
// checked against the schedule and the rules, and the first valid one counts.
//
// If the engines' turns depend on node counts alone, a match over a hub has the same games
// as a local match, whatever connections and machines fail. With real clocks games differ
// each time, as they do locally, and each worker's times are scaled by the speed of one
// engine of the match.
package hub

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/hub/internal/wire"
)

// Role is what a key is for.
type Role = wire.Role

// The roles.
const (
	ForWorker = wire.ForWorker // takes jobs and sends results
	ForMatch  = wire.ForMatch  // plays matches and reads the status
	ForAdmin  = wire.ForAdmin  // may also stop the detached matches of others
)

// Address says where a hub is and how to sign in.
type Address struct {
	URL string // such as nats://HOST:4222, tls://HOST:4222 or wss://HOST, or several separated by commas
	Key string // file of a key; empty for none
	CA  string // PEM file of the authorities that sign the hub's certificate; empty for those of the system
	// Server, if not nil, is a hub in this process. URL is ignored then.
	Server interface {
		InProcessConn() (net.Conn, error)
		Credentials() ([]nats.Option, error)
	}
	Role Role   // what the key must be for; empty for any. ForMatch also creates missing streams.
	Name string // of a worker without a key
	// Wait is for how long Connect waits for a hub that restarts; 0 for 30 s. Waits, if not nil,
	// gets the reason before it waits, once.
	Wait  time.Duration
	Waits func(why error)
}

// Hub is a connection to a hub. It reconnects by itself.
type Hub struct {
	url  string
	name string // the key's, or the address's
	conn *nats.Conn
	js   jetstream.JetStream

	mu sync.Mutex
	// connection is canceled, with errReconnected, and replaced at each reconnection.
	connection context.Context
	interrupt  context.CancelCauseFunc // cancels connection
	closed     chan struct{}           // closed when the connection will not come back
}

const (
	dialTimeout   = 10 * time.Second
	replyTimeout  = 30 * time.Second
	retryInterval = 500 * time.Millisecond
	// transferTimeout is how long a file may take: the library's default is 30 seconds, too
	// short for an engine over a slow line.
	transferTimeout = 10 * time.Minute
	// sendTimeout is how long the system may take to send the end of a file that has been read: it
	// buffers some megabytes.
	sendTimeout = 3 * time.Minute
	// requestTimeout is how long a worker waits for the reply of a match before it sends the
	// request again. The match replies within about jobWait.
	requestTimeout = 10 * time.Second
	// jobWait is how long a match keeps a request for which it has no job.
	jobWait = time.Second
	// closeTimeout bounds the last messages of a match or a worker.
	closeTimeout = 5 * time.Second
	// maxRequests is how many messages of workers a match keeps. The workers send others again.
	maxRequests = 1 << 14
)

// ErrNoAccess reports that a hub rejects a connection without a key or with an unknown one.
var ErrNoAccess = errors.New("the hub rejects this key: it was removed there, belongs to another hub, or is missing; give -key FILE, a file that `gyre-hub key add` wrote")

// Connect connects to a hub of this version. If nobody listens at the address, it waits for a hub
// that restarts.
func Connect(ctx context.Context, a Address) (*Hub, error) {
	h := &Hub{url: a.URL, name: a.Name, closed: make(chan struct{})}
	h.connection, h.interrupt = context.WithCancelCause(context.Background())
	options := []nats.Option{
		nats.Name("gyre-arena"), nats.MaxReconnects(-1), nats.ReconnectWait(retryInterval), nats.Timeout(dialTimeout),
		nats.ReconnectHandler(func(*nats.Conn) { h.reconnect() }),
		nats.ClosedHandler(func(*nats.Conn) { close(h.closed) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // the default prints
	}
	for address := range strings.SplitSeq(a.URL, ",") {
		if scheme, _, is := strings.Cut(address, "://"); is && !slices.Contains([]string{"nats", "tls", "ws", "wss"}, scheme) {
			return nil, fmt.Errorf("hub %s: an address begins with nats://, tls://, ws:// or wss://, not with %s://", address, scheme)
		}
	}
	more, err := h.signIn(a)
	if err != nil {
		return nil, err
	}
	options = append(options, more...)
	deadline := time.Now().Add(cmp.Or(a.Wait, replyTimeout))
	for h.conn, err = nats.Connect(a.URL, options...); err != nil; h.conn, err = nats.Connect(a.URL, options...) {
		err = h.connectError(err)
		// A hub that is killed during the greeting resets the connection: it may be back soon.
		if why, known := errors.AsType[*hubError](err); !known || why.text != noAnswer || time.Now().After(deadline) {
			return nil, err
		}
		if a.Waits != nil {
			a.Waits(err)
			a.Waits = nil
		}
		select {
		case <-time.After(retryInterval):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if h.js, err = jetstream.New(h.conn, jetstream.WithDefaultTimeout(replyTimeout)); err == nil {
		err = h.resilient(ctx, func(ctx context.Context) (err error) {
			ctx, stop := context.WithTimeout(ctx, replyTimeout) // a cluster without a leader does not answer
			defer stop()
			if a.Role == ForMatch {
				err = h.ensure(ctx)
			}
			if err == nil {
				err = wire.CheckVersion(ctx, h.js)
			}
			return err
		})
	}
	if err != nil {
		h.Close()
		return nil, h.wrap(err)
	}
	return h, nil
}

// signIn returns the options that identify this program, and sets h.url and h.name.
func (h *Hub) signIn(a Address) (options []nats.Option, err error) {
	if a.Server != nil {
		h.url = "of this process"
		if a.Key == "" {
			if options, err = a.Server.Credentials(); err != nil {
				return nil, err
			}
		}
		options = append(options, nats.InProcessServer(a.Server))
	} else if a.CA != "" {
		text, err := os.ReadFile(a.CA)
		if err != nil {
			return nil, err
		}
		if !x509.NewCertPool().AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s: it has no certificate in PEM form", a.CA)
		}
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Key == "" {
		return options, nil
	}
	secret, err := wire.ReadSecret(a.Key)
	if err != nil {
		return nil, err
	}
	if a.Role != "" && secret.Role != a.Role && (a.Role != ForMatch || secret.Role != ForAdmin) {
		return nil, fmt.Errorf("%s: this key is for a %s, and a key for a %s is needed", a.Key, secret.Role, a.Role)
	}
	h.name = secret.Name
	options = append(options, nats.Nkey(secret.Public, secret.Pair.Sign))
	if secret.Role == ForWorker {
		options = append(options, nats.CustomInboxPrefix(wire.Inbox(secret.Name)))
	}
	return options, nil
}

// noAnswer explains that nobody listens at an address, or stopped during the greeting.
const noAnswer = "no hub answers there: check the address, and that gyre-hub is running"

// connectError explains why a connection failed.
func (h *Hub) connectError(err error) error {
	text := ""
	_, isNetwork := errors.AsType[*net.OpError](err)
	_, isPlain := errors.AsType[tls.RecordHeaderError](err)
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](err)
	switch lower := strings.ToLower(err.Error()); {
	case errors.Is(err, nats.ErrAuthorization), strings.Contains(lower, "authorization"), strings.Contains(lower, "nkeys not supported"):
		return fmt.Errorf("hub %s: %w", h.url, ErrNoAccess)
	case errors.Is(err, nats.ErrSecureConnWanted), isPlain:
		text = "it has no TLS: use nats:// or ws:// without -tls-ca"
	case strings.Contains(lower, "invalid websocket connection"):
		text = "it accepts no WebSocket connection: check the address, and if the hub uses TLS, use wss://"
	case isInvalid && invalid.Reason == x509.Expired:
		text = expired(invalid.Cert)
	case strings.Contains(lower, "certificate"):
		text = "it uses TLS, and no known authority has signed its certificate for this name: give -tls-ca FILE, or check the address"
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), errors.Is(err, nats.ErrConnectionClosed), isNetwork, errors.Is(err, io.EOF):
		text = noAnswer
	default:
		return h.wrap(err)
	}
	return fmt.Errorf("hub %s: %w", h.url, &hubError{text, err})
}

// expired says that a certificate is not valid now.
func expired(c *x509.Certificate) string {
	if time.Now().Before(c.NotBefore) {
		return fmt.Sprintf("its certificate is valid from %s on only: check the clock of this machine, or give the hub another certificate", c.NotBefore.Format(time.DateOnly))
	}
	return fmt.Sprintf("its certificate expired on %s: give the hub a new one and restart it, or check the clock of this machine", c.NotAfter.Format(time.DateOnly))
}

// hubError is an error of the hub in words for a user.
type hubError struct {
	text string
	err  error // as NATS reports it
}

func (e *hubError) Error() string { return e.text }

func (e *hubError) Unwrap() error { return e.err }

// starting reports whether the hub has not created its buckets yet.
func (e *hubError) starting() bool {
	return errors.Is(e.err, jetstream.ErrBucketNotFound) || errors.Is(e.err, jetstream.ErrStreamNotFound) || errors.Is(e.err, jetstream.ErrNoStreamResponse)
}

// wrap adds the hub's URL to an error, and replaces the words of NATS by ours. It returns nil
// for nil.
func (h *Hub) wrap(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(h.conn.LastError(), nats.ErrAuthorization) {
		err = ErrNoAccess // the key was removed, which closed the connection
	}
	return fmt.Errorf("hub %s: %w", h.url, explain(err))
}

// explain replaces the words of NATS in an error by ours.
func explain(err error) error {
	if _, ok := errors.AsType[*hubError](err); ok {
		return err
	}
	text := ""
	api, isAPI := errors.AsType[*jetstream.APIError](err)
	js, isJS := errors.AsType[jetstream.JetStreamError](err)
	if !isAPI && isJS && js.APIError() != nil {
		api, isAPI = js.APIError(), true
	}
	switch {
	case isAPI && api.ErrorCode == jetstream.ErrorCode(nats.JSErrCodeInsufficientResourcesErr):
		text = "its store is full or cannot be written: free some space there and restart it"
	case errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
		text = "it has just started with an empty store and is not ready yet"
	case errors.Is(err, nats.ErrMaxPayload):
		text = fmt.Sprintf("the message is too large: the server must allow max_payload %d", wire.MaxPayload)
	case errors.Is(err, nats.ErrPermissionViolation):
		text = "this key does not permit that"
	case isAPI && api.Code >= 500:
		text = fmt.Sprintf("its store does not work (error %d): look at the hub's messages and restart it", api.ErrorCode)
	case isAPI:
		text = fmt.Sprintf("it rejects the request (error %d)", api.ErrorCode)
	case errors.Is(err, errReconnected), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout),
		errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, nats.ErrDisconnected), errors.Is(err, nats.ErrConnectionClosed):
		text = "it does not answer"
	case isJS, strings.Contains(err.Error(), "nats: "):
		text = "it does not work as expected: look at the hub's messages and restart it"
	default:
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = errReconnected // nobody takes it for an interruption by the user
	}
	return &hubError{text, err}
}

// reconnect wakes everybody who waits for the connection.
func (h *Hub) reconnect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.interrupt(errReconnected)
	h.connection, h.interrupt = context.WithCancelCause(context.Background())
}

// reconnected returns a channel that is closed at the next reconnection.
func (h *Hub) reconnected() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.connection.Done()
}

func (h *Hub) connected() bool { return h.conn.IsConnected() }

// errReconnected is the cause of contexts of perConnection.
var errReconnected = errors.New("the connection to the hub was interrupted")

// perConnection returns a context that is canceled when the connection is re-established: no
// reply to an earlier request comes then. Call the function to release it.
func (h *Hub) perConnection(ctx context.Context) (context.Context, func()) {
	h.mu.Lock()
	connection := h.connection
	h.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(connection, func() { cancel(errReconnected) })
	return ctx, func() { stop(); cancel(nil) }
}

// resilient calls do, again if the connection was interrupted meanwhile or if nobody replies yet. It
// waits for the hub for replyTimeout.
func (h *Hub) resilient(ctx context.Context, do func(context.Context) error) error {
	var deadline time.Time // zero before the first interruption
	for {
		attempt, release := h.perConnection(ctx)
		err := do(attempt)
		interrupted := attempt.Err() != nil || !h.connected()
		release()
		if _, local := errors.AsType[*fileError](err); err == nil || local || ctx.Err() != nil {
			return err
		}
		if deadline.IsZero() {
			if !interrupted && !errors.Is(err, nats.ErrNoResponders) {
				return err
			}
			deadline = time.Now().Add(replyTimeout)
		}
		select {
		case <-time.After(retryInterval):
		case <-h.closed:
			return err
		case <-ctx.Done():
			return err
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

// Close closes the connection.
func (h *Hub) Close() { h.conn.Close() }

// ensure creates all missing streams and buckets. A cluster that loses a leader also loses
// requests, so ensure repeats those without a reply.
func (h *Hub) ensure(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, replyTimeout)
	defer stop()
	for {
		asking, stop := context.WithTimeout(ctx, requestTimeout)
		err := wire.Ensure(asking, h.conn, h.js)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
	}
}

// errNotFound reports that the hub has no such file.
var errNotFound = errors.New("the hub does not have it")

// put writes a value into a table as JSON. Its subscribers get the value even if its bucket
// has no leader to store it.
func (h *Hub) put(ctx context.Context, table wire.Table, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, replyTimeout)
	defer stop()
	_, err = h.js.Publish(ctx, table.Subject(key), text)
	return err
}

// create writes a value into a table unless the key exists, which it reports.
func (h *Hub) create(ctx context.Context, table wire.Table, key string, value []byte) (exists bool, err error) {
	store, err := h.js.KeyValue(ctx, table.Bucket)
	if err == nil {
		_, err = store.Create(ctx, table.Prefix+key, value)
	}
	if errors.Is(err, jetstream.ErrKeyExists) {
		return true, nil
	}
	return false, err
}

func (h *Hub) remove(ctx context.Context, table wire.Table, key string) error {
	store, err := h.js.KeyValue(ctx, table.Bucket)
	if err != nil {
		return err
	}
	return store.Delete(ctx, table.Prefix+key)
}

// snapshot returns all values of a table that parse as T.
func snapshot[T any](ctx context.Context, h *Hub, table wire.Table) (map[string]T, error) {
	ctx, stop := context.WithTimeout(ctx, replyTimeout)
	defer stop()
	return wire.Snapshot[T](ctx, h.js, table)
}

// updateFaults changes the faults of a worker on the hub.
func (h *Hub) updateFaults(ctx context.Context, worker string, change func(*wire.Faults)) error {
	store, err := h.js.KeyValue(ctx, wire.StateBucket)
	if err != nil {
		return err
	}
	key := wire.WorkerFaults.Prefix + worker
	for {
		var f wire.Faults
		entry, err := store.Get(ctx, key)
		var revision uint64
		switch {
		case err == nil:
			if revision = entry.Revision(); !wire.WorkerFaults.Expired(entry) {
				err = json.Unmarshal(entry.Value(), &f)
			}
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
		if revision == 0 { // also after a deletion
			_, err = store.Create(ctx, key, text)
		} else {
			_, err = store.Update(ctx, key, text, revision)
		}
		if !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return err
		}
	}
}

// value returns a value of a table, or the zero value if there is none.
func value[T any](ctx context.Context, h *Hub, table wire.Table, key string) (v T, err error) {
	store, err := h.js.KeyValue(ctx, table.Bucket)
	if err != nil {
		return v, err
	}
	entry, err := store.Get(ctx, table.Prefix+key)
	if errors.Is(err, jetstream.ErrKeyNotFound) || err == nil && table.Expired(entry) {
		return v, nil
	}
	if err == nil {
		err = json.Unmarshal(entry.Value(), &v)
	}
	return v, err
}

// errNoMatch reports that the client of a match is not connected to the hub.
var errNoMatch = errors.New("the match is not connected")

// request sends a worker's request to a match and returns the reply. The error is errNoMatch
// if the match is not there.
func (h *Hub) request(ctx context.Context, match, worker string, m *nextMessage) (*nextReply, error) {
	m.Version = wire.Version
	text, err := m.text()
	if err != nil {
		return nil, err
	}
	ctx, release := h.perConnection(ctx)
	defer release()
	ctx, stop := context.WithTimeout(ctx, requestTimeout)
	defer stop()
	msg, err := h.conn.RequestWithContext(ctx, wire.NextSubject(match, worker), text)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, errNoMatch
	}
	if err != nil {
		return nil, err
	}
	var r nextReply
	if err := json.Unmarshal(msg.Data, &r); err != nil || r.Version != wire.Version {
		return nil, errors.Join(errors.New("the reply is not one of a match"), err)
	}
	return &r, nil
}

// beat reports to a match that a worker plays a job, or, if left is set, that it does not.
func (h *Hub) beat(match, worker string, b beatMessage) {
	if text, err := json.Marshal(b); err == nil {
		_ = h.conn.Publish(wire.BeatSubject(match, worker), text) // the next one may arrive
	}
}

// subscribe returns a channel of messages and a function that ends the subscription. When the
// function returns, the channel holds all messages that were on their way.
func (h *Hub) subscribe(subjects ...string) (messages chan *nats.Msg, unsubscribe func(), err error) {
	messages = make(chan *nats.Msg, maxRequests)
	var all []*nats.Subscription
	unsubscribe = func() {
		for _, s := range all {
			_ = s.Drain() // it ends with the connection, too
		}
		if h.connected() {
			_ = h.conn.FlushTimeout(closeTimeout)
		}
	}
	for _, subject := range subjects {
		s, err := h.conn.ChanSubscribe(subject, messages)
		if err != nil {
			unsubscribe()
			return nil, nil, err
		}
		all = append(all, s)
	}
	return messages, unsubscribe, nil
}

// putBlob sends a file to the hub, unless the hub has it and overwrite is false.
func (h *Hub) putBlob(ctx context.Context, b *Blob, overwrite bool) error {
	store, err := h.js.ObjectStore(ctx, wire.BlobsBucket)
	if err != nil {
		return err
	}
	if info, err := store.GetInfo(ctx, b.SHA256); err == nil && info.Size == uint64(b.Size) && !overwrite {
		return nil
	}
	if sum, _, err := hashOf(b.path); err != nil || sum != b.SHA256 {
		return &fileError{errors.Join(fmt.Errorf("%s has changed since the match began, and the workers need it: restore it", b.path), err)}
	}
	file, err := os.Open(b.path)
	if err == nil {
		defer file.Close()
		sending, contents, release := transfer(ctx, file)
		defer release()
		_, err = store.Put(sending, jetstream.ObjectMeta{Name: b.SHA256, Description: b.Name}, contents)
		if err != nil && sending.Err() != nil {
			err = context.Cause(sending)
		}
	}
	if err != nil {
		return fmt.Errorf("sending %s: %w", b.path, explain(err))
	}
	return nil
}

// receiveFile returns the contents that the hub has for a file, at most one byte more than it
// should have, or errNotFound.
func (h *Hub) receiveFile(ctx context.Context, b *Blob) ([]byte, error) {
	store, err := h.js.ObjectStore(ctx, wire.BlobsBucket)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, transferTimeout)
	defer stop()
	object, err := store.Get(ctx, b.SHA256)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, errNotFound
	}
	if err != nil {
		return nil, err
	}
	return readAll(ctx, io.LimitReader(object, b.Size+1), func() { _ = object.Close() })
}

// errStalled reports a transfer that made no progress for replyTimeout.
var errStalled = errors.New("the transfer makes no progress")

// readAll returns all data of a reader and calls done at its end. It does not wait for a reader
// that is silent for replyTimeout, or when ctx is done.
func readAll(ctx context.Context, r io.Reader, done func()) ([]byte, error) {
	ctx, r, release := transfer(ctx, r)
	defer release()
	var contents []byte
	ended := make(chan error, 1)
	go func() {
		defer done()
		var err error
		contents, err = io.ReadAll(r)
		ended <- err
	}()
	select {
	case err := <-ended:
		return contents, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// transfer returns a context and a reader for the transfer of a file. The context ends after
// transferTimeout. It ends earlier, with errStalled, if nothing is read for replyTimeout, or for
// sendTimeout after the end of the file. Call the function to release it.
func transfer(ctx context.Context, r io.Reader) (context.Context, io.Reader, func()) {
	ctx, expire := context.WithTimeout(ctx, transferTimeout)
	ctx, stop := context.WithCancelCause(ctx)
	stalled := time.AfterFunc(replyTimeout, func() { stop(errStalled) })
	return ctx, readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if err == io.EOF {
			stalled.Reset(sendTimeout)
		} else {
			stalled.Reset(replyTimeout)
		}
		return n, err
	}), func() { stalled.Stop(); stop(nil); expire() }
}

// readerFunc is a function as an io.Reader.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
