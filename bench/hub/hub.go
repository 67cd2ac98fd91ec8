// Package hub distributes games of a match over many machines. A hub is a NATS server and a handful
// of services on it: it passes jobs to workers and their results back, and stores nothing that cannot
// be sent again. The match stays on the machine that started it, with its schedule, its test and
// its journal, or, detached, on the hub's. The journal is the only record.
//
//	hub.go          Hub: a connection to a hub, and the key it signs in with
//	messages.go     jobs, requests, replies, and the status of matches and workers
//	spec.go         Spec: a match as workers need it, with its engines and files
//	dispatcher.go   hands out jobs to workers and replies to them
//	window.go       the jobs in progress, and which of them is slow
//	peers.go        what a match knows of a worker: what it may send and how many jobs it may have
//	reports.go      what a match reports to the hub, and learns from it
//	results.go      judges results, has some jobs played again, and suspends workers
//	executor.go     pairs of games as jobs: plays a match
//	ranges.go       ranges of numbers as jobs: runs a program
//	worker.go       Worker: plays jobs of all matches of a hub
//	preparation.go  fetches and checks the programs of a match on a worker
//	clocks.go       scales real clocks to the speed of each worker
//	request.go      matches that the hub plays by itself, for those who start them
//	controller.go   Controller: starts, stops and keeps these matches
//	detached.go     plays one of them
//	server          the embedded server, its keys, its services and its store
//	internal/wire   subjects, messages of the services, keys, permissions and limits
//	internal/resources  what the system has left: space on disks and open files
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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"gyre/bench/hub/internal/wire"
	"gyre/protocol"
)

// Role is what a key is for.
type Role = wire.Role

// The roles.
const (
	ForWorker = wire.ForWorker // takes jobs and sends results
	ForMatch  = wire.ForMatch  // plays matches and reads the status
	ForAdmin  = wire.ForAdmin  // may also stop the detached matches of others, and suspend workers for all
	ForHub    = wire.ForHub    // serves a hub on another NATS server
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
	Role Role   // what the key must be for; empty for any
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
	id   string // of the connection, in the subjects of its replies
	conn *nats.Conn
	// requests is the number of requests so far.
	requests atomic.Uint64
	roster   roster

	mu      sync.Mutex
	waiting map[string]chan *nats.Msg // for replies, by their subjects
	// connection is canceled, with errReconnected, and replaced at each reconnection.
	connection context.Context
	interrupt  context.CancelCauseFunc // cancels connection
	closed     chan struct{}           // closed when the connection will not come back
}

const (
	dialTimeout   = 10 * time.Second
	replyTimeout  = 30 * time.Second
	retryInterval = 500 * time.Millisecond
	// repeatInterval is how long a request to a service waits for its reply before it is sent again.
	repeatInterval = 5 * time.Second
	// partTimeout is how long a part of a file may take over a slow line.
	partTimeout = 3 * time.Minute
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
	h := &Hub{url: a.URL, name: a.Name, id: nuid.Next(), waiting: map[string]chan *nats.Msg{}, closed: make(chan struct{})}
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
	more, err := h.signIn(ctx, a)
	if err != nil {
		return nil, err
	}
	options = append(options, more...)
	waiting, stop := protocol.WithPatience(context.Background(), cmp.Or(a.Wait, replyTimeout))
	defer stop()
	for h.conn, err = nats.Connect(a.URL, options...); err != nil; h.conn, err = nats.Connect(a.URL, options...) {
		err = h.connectError(err)
		// A hub that is killed during the greeting resets the connection: it may be back soon.
		if why, known := errors.AsType[*hubError](err); !known || why.text != noAnswer || waiting.Err() != nil {
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
	name := wire.Any // of replies; a key gets no others than its own
	if a.Key != "" {
		name = h.token()
	}
	if _, err = h.conn.Subscribe(wire.ReplySubjects(name, wire.Any)+h.id+"."+wire.Any, h.deliver); err == nil {
		err = h.resilient(ctx, func(ctx context.Context) error {
			_, err := h.ask(ctx, wire.Hello, h.token(), &wire.HelloRequest{Version: wire.Version}, nil, &wire.Reply{})
			return err
		})
		if errors.Is(err, nats.ErrNoResponders) {
			err = &hubError{"no gyre-hub serves there, or one of another version: use the same release everywhere", err}
		}
		if _, suspended := errors.AsType[*SuspendedError](err); suspended && a.Role == ForWorker {
			err = nil // Run returns it
		}
	}
	if err != nil {
		h.Close()
		return nil, h.wrap(err)
	}
	return h, nil
}

// signIn returns the options that identify this program, and sets h.url and h.name.
func (h *Hub) signIn(ctx context.Context, a Address) (options []nats.Option, err error) {
	if a.Server != nil {
		h.url = "of this process"
		if a.Key == "" {
			if options, err = a.Server.Credentials(); err != nil {
				return nil, err
			}
		}
		options = append(options, nats.InProcessServer(a.Server))
	} else if a.CA != "" {
		if err := wire.CheckAuthorities(a.CA); err != nil {
			return nil, err
		}
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Key == "" {
		return options, nil
	}
	secret, err := wire.ReadSecret(ctx, a.Key)
	if err != nil {
		return nil, err
	}
	if a.Role != "" && secret.Role != a.Role && (a.Role != ForMatch || secret.Role != ForAdmin) {
		return nil, fmt.Errorf("%s: this key is for a %s, and a key for a %s is needed", a.Key, secret.Role, a.Role)
	}
	if h.name = secret.Name; secret.Role == ForHub {
		h.name = ""
	}
	return append(options, nats.Nkey(secret.Public, secret.Pair.Sign)), nil
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
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		text = fmt.Sprintf("the message is too large: the server must allow max_payload %d", wire.MaxPayload)
	case errors.Is(err, nats.ErrPermissionViolation):
		text = "this key does not permit that"
	case errors.Is(err, errReconnected), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout),
		errors.Is(err, nats.ErrNoResponders), errors.Is(err, nats.ErrDisconnected), errors.Is(err, nats.ErrConnectionClosed):
		text = "it does not answer"
	case strings.Contains(err.Error(), "nats: "):
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

// isInterrupted reports whether the connection of a context of perConnection was interrupted. An error
// of a request may say so before the context does.
func isInterrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, errReconnected)
}

// isConnections reports whether an error of a request is one of the connection. Others, such as those that the hub replies with,
// are definite.
func isConnections(err error) bool {
	_, isNetwork := errors.AsType[*net.OpError](err)
	return isNetwork || slices.ContainsFunc([]error{errReconnected, context.Canceled, context.DeadlineExceeded, io.EOF, io.ErrClosedPipe,
		nats.ErrNoResponders, nats.ErrTimeout, nats.ErrDisconnected, nats.ErrConnectionClosed, nats.ErrConnectionReconnecting, nats.ErrStaleConnection,
		nats.ErrReconnectBufExceeded, nats.ErrInvalidConnection, nats.ErrNoServers}, func(one error) bool { return errors.Is(err, one) })
}

// resilient calls do, again if the connection was interrupted meanwhile or if nobody replies yet. It
// waits for the hub for replyTimeout. A definite error ends that.
func (h *Hub) resilient(ctx context.Context, do func(context.Context) error) error {
	var waiting context.Context // nil before the first interruption
	for {
		attempt, release := h.perConnection(ctx)
		err := do(attempt)
		interrupted := isInterrupted(attempt, err) || !h.connected()
		release()
		if _, local := errors.AsType[*fileError](err); err == nil || ctx.Err() != nil || local || !isConnections(err) || !interrupted && !errors.Is(err, nats.ErrNoResponders) {
			return err
		}
		if waiting == nil {
			var stop context.CancelFunc
			waiting, stop = protocol.WithPatience(context.Background(), replyTimeout)
			defer stop()
		}
		select {
		case <-time.After(retryInterval):
		case <-h.closed:
			return err
		case <-ctx.Done():
			return err
		}
		if waiting.Err() != nil {
			return err
		}
	}
}

// Close closes the connection.
func (h *Hub) Close() { h.conn.Close() }

// errNotFound reports that the hub has no such file.
var errNotFound = errors.New("the hub does not have it")

// token returns the name of this connection in subjects.
func (h *Hub) token() string { return cmp.Or(h.name, wire.Hub) }

// deliver takes a reply.
func (h *Hub) deliver(m *nats.Msg) {
	h.mu.Lock()
	waits := h.waiting[m.Subject]
	delete(h.waiting, m.Subject)
	h.mu.Unlock()
	if waits != nil {
		waits <- m
	}
}

// replySubject returns the subject for the reply of another to the request with a number in a name.
func (h *Hub) replySubject(name, from string, number uint64) string {
	return wire.ReplySubjects(name, from) + h.id + "." + strconv.FormatUint(number, 36)
}

// roundTrip sends a request and returns the reply. If repeat is set, it sends the request again whenever there is no reply for
// repeatInterval: a NATS server that dies may have dropped it. All copies have the same subject for the reply, by which the
// hub recognizes them.
func (h *Hub) roundTrip(ctx context.Context, m *nats.Msg, repeat bool) ([]byte, error) {
	waits := make(chan *nats.Msg, 1)
	h.mu.Lock()
	h.waiting[m.Reply] = waits
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.waiting, m.Reply)
	}()
	ctx, release := h.perConnection(ctx)
	defer release()
	if err := h.conn.PublishMsg(m); err != nil {
		return nil, err
	}
	var again <-chan time.Time
	var idle <-chan error
	if repeat {
		again = time.After(repeatInterval)
	}
	for {
		select {
		case reply := <-waits:
			if len(reply.Data) == 0 && reply.Header.Get("Status") != "" { // another NATS server sends it if nobody listens
				return nil, nats.ErrNoResponders
			}
			return reply.Data, nil
		case <-again:
			idle = h.lineIdle(ctx)
		case err := <-idle:
			if err == nil && ctx.Err() == nil {
				_ = h.conn.PublishMsg(m) // the first one may get a reply
			}
			again = time.After(repeatInterval)
		case <-h.closed:
			return nil, nats.ErrConnectionClosed
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// lineIdle returns a channel that gets nil once the line has carried all that was sent before in both directions, or an error.
// So nothing is sent twice over a line that is slow.
func (h *Hub) lineIdle(ctx context.Context) <-chan error {
	idle := make(chan error, 1)
	go func() {
		ctx, stop := context.WithTimeout(ctx, partTimeout) // Flush needs a deadline
		defer stop()
		idle <- h.conn.FlushWithContext(ctx)
	}()
	return idle
}

// ask sends a request to a service of the hub in a name, with data after it, and parses the reply. It
// returns the data after that.
func (h *Hub) ask(ctx context.Context, s wire.Service, name string, request any, data []byte, reply wire.Replier) ([]byte, error) {
	text, err := wire.Lines(request, data)
	if err != nil {
		return nil, err
	}
	if len(text) > s.Limit() { // the hub would take it for a fault of this key, and not reply
		return nil, &hubError{fmt.Sprintf("the request %s has %d bytes, and a hub takes %d", s, len(text), s.Limit()), nats.ErrMaxPayload}
	}
	timeout := replyTimeout
	if s == wire.Put || s == wire.Get {
		timeout = partTimeout
	}
	ctx, stop := protocol.WithPatience(ctx, timeout)
	defer stop()
	m := &nats.Msg{Subject: wire.ServiceSubject(s, name), Reply: h.replySubject(name, wire.Hub, h.requests.Add(1)), Data: text}
	if text, err = h.roundTrip(ctx, m, s.IsRepeatable()); err != nil {
		return nil, err
	}
	if data, err = wire.ParseLines(text, wire.MaxPayload, reply); err != nil {
		return nil, fmt.Errorf("the reply is not one of a hub: %w", err)
	}
	switch outcome := reply.Outcome(); {
	case outcome.Unserved:
		return nil, nats.ErrNoResponders
	case outcome.Suspended != nil:
		return nil, &SuspendedError{*outcome.Suspended}
	case outcome.Error != "":
		return nil, errors.New(outcome.Error)
	}
	return data, nil
}

// SuspendedError reports that the hub has suspended the key of this connection.
type SuspendedError struct{ Faults Faults }

// Error includes the last fault.
func (e *SuspendedError) Error() string {
	return "the hub has suspended this key for a day" + printable(e.Faults.Reason())
}

// errNoMatch reports that the client of a match is not connected to the hub.
var errNoMatch = errors.New("the match is not connected")

// next returns a worker's request to a match as a message.
func (h *Hub) next(match, worker string, m *nextMessage) (*nats.Msg, error) {
	m.Version, m.number = wire.Version, h.requests.Add(1)
	text, err := m.text()
	return &nats.Msg{Subject: wire.NextSubject(match, worker), Reply: h.replySubject(worker, wire.Owner(match), m.number), Data: text}, err
}

// request sends a worker's request to a match and returns the reply. The error is errNoMatch
// if the match is not there.
func (h *Hub) request(ctx context.Context, match, worker string, m *nextMessage) (*nextReply, error) {
	message, err := h.next(match, worker, m)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, requestTimeout)
	defer stop()
	text, err := h.roundTrip(ctx, message, false)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, errNoMatch
	}
	if err != nil {
		return nil, err
	}
	return parseReply(text)
}

// respond replies to a request of a name, if the reply goes to its sender, and returns how many bytes the reply has.
func (h *Hub) respond(m *nats.Msg, name string, reply any) (size int, err error) {
	text, err := json.Marshal(reply)
	switch {
	case err != nil:
		return 0, err
	case len(text) > wire.MaxReply: // the hub would take it for a fault of this key
		return 0, fmt.Errorf("the match needs a message of %d bytes, and a hub takes %d: use fewer and shorter options", len(text), wire.MaxReply)
	case !wire.IsReply(m.Reply, name, h.token()):
		return 0, nil
	}
	_ = h.conn.Publish(m.Reply, text) // the sender asks again
	return len(m.Reply) + len(text), nil
}

// beat reports to a match that a worker plays a job, or, if left is set, that it does not.
func (h *Hub) beat(match, worker string, b beatMessage) {
	if text, err := json.Marshal(b); err == nil {
		_ = h.conn.Publish(wire.BeatSubject(match, worker), text) // the next one may arrive
	}
}

// delivery is a message in the queue of a subscription.
type delivery struct {
	*nats.Msg
	sender *sender
	size   int // in the queue
}

// sender counts what a sender has in the queue of a subscription, and what was dropped since its last
// message came out of the queue, in bytes.
type sender struct{ queued, dropped atomic.Int64 }

// A sender may have maxQueued bytes in a queue, of which each message takes leastQueued or more. So none
// takes the place of others.
const (
	maxQueued   = 16 << 20
	leastQueued = 16 << 10
	maxSenders  = 10_000
)

// take takes a message out of the queue. It returns the bytes of the message and of those that were
// dropped before it.
func (m *delivery) take() int {
	m.sender.queued.Add(-int64(m.size))
	return len(m.Data) + int(m.sender.dropped.Swap(0))
}

// subscribe returns a channel of messages and a function that ends the subscription. When the
// function returns, the channel holds all messages that were on their way.
func (h *Hub) subscribe(subjects ...string) (messages chan delivery, unsubscribe func(), err error) {
	messages = make(chan delivery, maxRequests)
	var mu sync.Mutex
	senders := map[string]*sender{}
	receive := func(m *nats.Msg) {
		name := wire.LastToken(m.Subject)
		mu.Lock()
		if len(senders) > maxSenders {
			clear(senders)
		}
		from := senders[name]
		if from == nil {
			from = &sender{}
			senders[name] = from
		}
		mu.Unlock()
		size := leastQueued + len(m.Data)
		if from.queued.Add(int64(size)) <= maxQueued {
			select {
			case messages <- delivery{m, from, size}:
				return
			default:
			}
		}
		from.queued.Add(-int64(size))
		from.dropped.Add(int64(len(m.Data) + wire.MessageCost))
	}
	var all []*nats.Subscription
	var open sync.WaitGroup
	unsubscribe = func() {
		for _, s := range all {
			if h.connected() {
				_ = s.Drain() // it ends with the connection, too
			} else {
				_ = s.Unsubscribe()
			}
		}
		ended := make(chan struct{})
		go func() { open.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(closeTimeout):
		}
	}
	for _, subject := range subjects {
		s, err := h.conn.Subscribe(subject, receive)
		if err == nil {
			open.Add(1)
			s.SetClosedHandler(func(string) { open.Done() })
			err = s.SetPendingLimits(-1, 2*maxQueued)
		}
		if err != nil {
			unsubscribe()
			return nil, nil, err
		}
		all = append(all, s)
	}
	return messages, unsubscribe, nil
}

// putBlob sends a file of an owner's match to the hub, unless the hub has it. If the file is doubted, the hub soon looks
// whether its contents are right.
func (h *Hub) putBlob(ctx context.Context, owner string, b *Blob, doubted bool) error {
	var file *os.File
	data := []byte(nil)
	for offset := int64(0); ; {
		var reply wire.FileReply
		_, err := h.ask(ctx, wire.Put, h.token(), &wire.FileRequest{SHA256: b.SHA256, Size: b.Size, Offset: offset, Owner: owner, Doubted: doubted}, data, &reply)
		if err != nil {
			return fmt.Errorf("sending %s: %w", b.path, explain(err))
		}
		if reply.Found {
			return nil
		}
		if file == nil { // the hub does not have it
			if sum, _, err := wire.HashFile(b.path); err != nil || sum != b.SHA256 {
				return &fileError{errors.Join(fmt.Errorf("%s has changed since the match began, and the workers need it: restore it", b.path), err)}
			}
			if file, err = os.Open(b.path); err != nil {
				return &fileError{err}
			}
			defer file.Close()
			data = make([]byte, wire.MaxChunk)
		}
		offset = reply.Offset
		n, err := file.ReadAt(data[:cap(data)], offset)
		if data = data[:n]; n == 0 {
			return &fileError{fmt.Errorf("%s ends before byte %d: %w", b.path, offset, err)}
		}
	}
}

// receiveFile writes the contents that the hub has for a file, from byte size on, and returns their size. If they are longer
// than they should be, it writes some of the rest, too. The error is errNotFound if the hub does not have the file, and a
// fileError if w fails.
func (h *Hub) receiveFile(ctx context.Context, b *Blob, size int64, w io.Writer) (int64, error) {
	for {
		var reply wire.FileReply
		data, err := h.ask(ctx, wire.Get, h.token(), &wire.FileRequest{SHA256: b.SHA256, Offset: size}, nil, &reply)
		if err == nil && !reply.Found {
			err = errNotFound
		}
		if err != nil {
			return size, err
		}
		if _, err := w.Write(data); err != nil {
			return size, &fileError{err}
		}
		if size += int64(len(data)); len(data) < wire.MaxChunk || size > b.Size {
			return size, nil
		}
	}
}
