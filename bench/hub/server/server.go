// Package server embeds the NATS server of a hub, with its store, keys and permissions.
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"github.com/nats-io/nuid"

	"gyre/bench/hub/internal/resources"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
)

// Config says where a hub stores its data and where it listens.
type Config struct {
	Store  string // folder, created if it does not exist
	Listen string // HOST:PORT; empty for this process only, without a port
	// Websocket is the HOST:PORT for WebSocket connections; empty for none.
	Websocket string
	// TLSCert and TLSKey are PEM files; empty for no TLS.
	TLSCert, TLSKey string
	// NATS has the addresses of another NATS server, or of a cluster, on which to serve instead of
	// listening here, NATSKey the file of a key for a hub there, and NATSAuthority a PEM file of the
	// authorities that sign its certificate; empty for those of the system.
	NATS, NATSKey, NATSAuthority string
	// Space returns how many bytes the disk of a folder has, and how many are free; nil for what the system says.
	Space func(folder string) (free, total uint64, err error)
	// NoRefill lets the quotas of keys count all that they ever send, for tests: no slow machine changes those.
	NoRefill bool
	// Warn reports suspended keys, a store that is full or has space again, a damaged file that was moved away, and
	// invalid changes of the keys; it may be nil.
	Warn func(error)

	writeDeadline time.Duration // how long a client may take to read what waits for it; 0 for the default
	handshake     time.Duration // how long a client may take for its request for a WebSocket connection; 0 for the default
}

// Server is the server of a hub: an embedded NATS server, or a client of another one, with a store
// that belongs to this process alone.
type Server struct {
	config  Config
	disk    resources.Disk // of the store
	lock    *journal.Journal
	server  *server.Server // nil for another one
	web     *websockets    // nil for none
	own     nkeys.KeyPair  // of connections in this process
	ownDoor nkeys.KeyPair  // of the door
	door    *door

	conn      *nats.Conn // of the door
	stopGuard func()
	guarding  sync.WaitGroup
	failed    chan error    // gets one error at most
	began     string        // when, on another NATS server, and what tells it from hubs of the same moment
	started   chan struct{} // closed when the door serves, or the start has failed
	delayed   chan struct{}

	// mu is held only briefly, and nobody calls the NATS server while holding it: that may hold the lock of a connection when it
	// reports what it sends.
	mu          sync.Mutex
	keys        map[string]Key         // by their public part
	open        bool                   // whether there are no keys and were none
	connections map[uint64]*connection // of clients, by number
	copies      map[destination]int    // how many subscriptions get the same messages
	held        []held                 // what ended connections may still hold
	waiting     map[string]int         // how many bytes wait for the connections of keys, by name, at the last look
	owned       []uint64               // connections of the hub itself
	inboxes     map[string]*inbox      // of the owners of matches, by name
	stuck       error                  // why nothing can be stored now; nil if it can

	pacing sync.RWMutex // held to let clients wait before they send the hub more
	begun  atomic.Int64 // bytes that they have begun to send it since that was last decided
}

const (
	startTimeout = time.Minute
	tlsTimeout   = 10 * time.Second
	// meterInterval is the least time between two looks at what each key sends, and meterShare the most of
	// a processor that they may use. guardInterval is the time between two looks at the keys and the store.
	meterInterval = 25 * time.Millisecond
	meterShare    = 0.02
	guardInterval = time.Second
	// probeSize is how much free space a store needs, in bytes.
	probeSize = 64 << 10
	// maxSubscriptions is how many subscriptions a connection may have: those of the hub itself are the most.
	maxSubscriptions = 4096
	// A key for matches may have maxConnections connections at once, and a worker's key workerConnections. On
	// average each has keySubscriptions subscriptions or fewer.
	maxConnections    = 256
	workerConnections = 64
	keySubscriptions  = 4
	// maxCopies is how many subscriptions of a key may get the same message: that of a client, and that of its previous
	// connection, which the server may still believe in. The server copies the message for each.
	maxCopies = 2
	// maxPending is how many bytes may wait for a slow connection before it is closed, and maxKeyPending how many
	// for all connections of a key before some are. While more than maxReplied wait, the hub carries out none of the
	// key's requests that are in a lane.
	maxPending    = 4 * wire.MaxPayload
	maxKeyPending = maxPending
	maxReplied    = maxKeyPending / 2
	// heldTime is how long what waits for a connection may stay in memory after its end: the NATS server tries to
	// write what it is writing, and then the rest.
	heldTime = 2 * server.DEFAULT_FLUSH_DEADLINE
	// maxUnfinished is how many bytes the unfinished messages of all connections of a key may have, of those with
	// more than leastUnfinished: the server makes room for all of a message when it begins.
	maxUnfinished   = 2 * wire.MaxPayload
	leastUnfinished = wire.MaxRequest
	// maxBacklog is how many bytes may wait for a connection of the hub itself before clients must wait to send it
	// more, backlogStep how many they begin to send between two looks at that, and backlogInterval how long a look
	// lasts while they wait.
	maxBacklog      = maxPending / 4
	backlogStep     = 1 << 20
	backlogInterval = time.Millisecond
	// maxBehind is how many bytes may wait for the owner of matches before no worker may have more than one of roomParts equal
	// parts of what is left until the hub carries out no more requests of the owner; see maxReplied.
	maxBehind = maxPending / 8
	roomParts = 4
	// maxReplyWait is the longest time that a match waits before it sends a reply. It sends one at a time over its
	// connection, so only many connections wait longer. The first message that has to costs excessCost bytes more, and
	// its connection is closed after closeTime at the latest: nobody may read the rest of it.
	maxReplyWait = 10 * time.Second
	excessCost   = 8 << 20
	closeTime    = time.Second
	// reservedFiles is how many files of the process are no connections: those of the store, of detached matches
	// and of the page.
	reservedFiles = 512
	// rejectDelay is how long a suspended key that connects again and again waits for its rejection, and
	// maxDelayed how many connections do.
	rejectDelay = time.Second
	maxDelayed  = 64
	// doorWait is how long the door waits before it connects to the server in this process again.
	doorWait = 10 * time.Millisecond
	// expireInterval is the time between two looks for old files and faults.
	expireInterval = time.Hour
)

// Start starts a hub. Without keys it listens on loopback addresses only.
func Start(ctx context.Context, config Config) (*Server, error) {
	keys, err := ReadKeys(config.Store)
	if err != nil {
		return nil, err
	}
	options, err := config.options(len(keys) > 0)
	if err != nil {
		return nil, err
	}
	if config.NATS != "" && len(keys) == 0 {
		return nil, fmt.Errorf("%s: the store %s has no keys, and anybody who can reach those servers could act in any name: add keys first", config.NATS, config.Store)
	}
	if err := os.MkdirAll(config.Store, 0o700); err != nil {
		return nil, unusable(config.Store, err)
	}
	if config.Warn == nil {
		config.Warn = func(error) {}
	}
	s := &Server{config: config, disk: resources.Disk{Folder: config.Store, Space: config.Space}, failed: make(chan error, 1), started: make(chan struct{}), delayed: make(chan struct{}, maxDelayed), connections: map[uint64]*connection{}, inboxes: map[string]*inbox{}, copies: map[destination]int{}}
	s.lock, err = journal.Open(filepath.Join(config.Store, "lock"), func(io.Reader) (int64, error) { return 0, nil })
	if _, system := errors.AsType[*os.PathError](err); system {
		return nil, unusable(config.Store, err)
	}
	if err != nil {
		return nil, fmt.Errorf("another hub may use the store %s: %w", config.Store, err)
	}
	if err = s.start(ctx, options, keys); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// options returns the options of the NATS server.
func (c *Config) options(keys bool) (*server.Options, error) {
	host, port, err := parseListen(c.Listen, keys)
	if err != nil {
		return nil, err
	}
	o := &server.Options{
		ServerName: "gyre-hub", Host: host, Port: port, DontListen: c.Listen == "",
		MaxPayload: wire.MaxPayload, MaxPending: maxPending, MaxSubs: maxSubscriptions, MaxClosedClients: 1,
		MaxConn: maxOpen(resources.OpenFiles(), c.Websocket != ""),
		NoSigs:  true, NoLog: true, WriteDeadline: c.writeDeadline,
		AlwaysEnableNonce: true, // keys sign it
		// A message can have a million headers. Its receiver parses them, for seconds and into 200 MB, before
		// it sees the sender.
		NoHeaderSupport: true,
		TraceHeaders:    true, // instead of messages, which the meter does not need
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return nil, errors.New("TLS needs both a certificate and its key")
	}
	if c.TLSCert != "" {
		if err := errors.Join(wire.CheckRegular(c.TLSCert), wire.CheckRegular(c.TLSKey)); err != nil {
			return nil, err
		}
		if err := c.checkCertificate(time.Now()); err != nil {
			return nil, err
		}
		if o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: c.TLSCert, KeyFile: c.TLSKey}); err != nil {
			return nil, err
		}
		o.TLS, o.TLSTimeout = true, tlsTimeout.Seconds()
	}
	_, _, err = parseListen(c.Websocket, keys)
	return o, err
}

// checkCertificate returns an error if the certificate, if there is one, is not valid at a time.
func (c *Config) checkCertificate(at time.Time) error {
	if c.TLSCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	switch {
	case err != nil:
		return fmt.Errorf("-tls-cert %s and -tls-key %s: not a certificate and its key, in PEM form (%w)", c.TLSCert, c.TLSKey, err)
	case at.After(pair.Leaf.NotAfter):
		return fmt.Errorf("%s: the certificate expired on %s, so no program connects: renew it and start the hub again", c.TLSCert, pair.Leaf.NotAfter.Format(time.DateOnly))
	case at.Before(pair.Leaf.NotBefore):
		return fmt.Errorf("%s: the certificate is valid from %s on only, so no program connects: check the clock of this machine", c.TLSCert, pair.Leaf.NotBefore.Format(time.DateOnly))
	}
	return nil
}

// expiresSoon is how long before the end of its certificate a running hub warns.
const expiresSoon = 7 * 24 * time.Hour

// watchCertificate warns before the certificate that the hub started with expires, and again when it
// does, until ctx is done.
func (s *Server) watchCertificate(ctx context.Context) {
	pair, err := tls.LoadX509KeyPair(s.config.TLSCert, s.config.TLSKey)
	if err != nil {
		return // there is none, or options has just read it
	}
	end := pair.Leaf.NotAfter
	for _, at := range []time.Time{end.Add(-expiresSoon), end} {
		select {
		case <-time.After(time.Until(at)):
			s.config.Warn(fmt.Errorf("%s: the certificate of this hub is valid until %s: renew it and restart the hub", s.config.TLSCert, end.Format(time.DateTime)))
		case <-ctx.Done():
			return
		}
	}
}

// parseListen parses HOST:PORT. Without keys, HOST must be a loopback address.
func parseListen(address string, keys bool) (host string, port int, err error) {
	if address == "" {
		return "", 0, nil
	}
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < -1 || port > 65535 {
		return "", 0, fmt.Errorf("%q: not HOST:PORT, such as 127.0.0.1:4222", address)
	}
	if port == 0 { // which NATS takes for its default port
		port = -1
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !keys {
		return "", 0, fmt.Errorf("other machines can reach %s, and the hub has no keys: anybody could make all workers run programs; add keys first, or listen on 127.0.0.1", address)
	}
	return host, port, nil
}

// ListenError is the error of a hub that cannot listen on an address.
type ListenError struct {
	Flag    string // of gyre-hub: "-listen" or "-websocket"
	Address string
	Err     error // of the system
}

func (e *ListenError) Error() string { return fmt.Sprintf("%s: %v", e.Flag, e.Err) }

// Unwrap returns the error of the system.
func (e *ListenError) Unwrap() error { return e.Err }

// checkListen returns the system's error if nobody can listen there now. The NATS server would
// only retry.
func checkListen(host string, port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(max(port, 0))))
	if err != nil {
		return err
	}
	return listener.Close()
}

// start starts the NATS server and the door.
func (s *Server) start(ctx context.Context, options *server.Options, keys []Key) error {
	defer close(s.started)
	var err error
	if err = s.probeFolder(); err != nil {
		return unusable(s.config.Store, err)
	}
	if s.door, err = newDoor(s.config.Store, s.config.Warn); err != nil {
		return unusable(s.config.Store, err)
	}
	s.door.files.room, s.door.files.share, s.door.noRefill = s.Room, s.disk.Share, s.config.NoRefill
	s.open = true
	s.setKeys(keys)
	if s.config.NATS != "" {
		s.began = fmt.Sprintf("%020d %s", time.Now().UnixNano(), nuid.Next())
		s.door.meet = s.meet
		err = s.join(ctx)
	} else {
		err = s.embed(options)
	}
	if err == nil {
		err = s.door.serve(s.conn)
	}
	if err != nil {
		return err
	}
	guarding, stopGuard := context.WithCancel(context.Background())
	s.stopGuard = stopGuard
	s.guarding.Go(func() { s.guard(guarding, keys) })
	s.guarding.Go(func() { s.watchStore(guarding) })
	s.guarding.Go(func() { s.watchCertificate(guarding) })
	if s.config.NATS != "" {
		s.guarding.Go(func() { s.announce(guarding) })
	}
	return nil
}

// embed starts the embedded NATS server, which has no JetStream: it publishes nothing by itself.
func (s *Server) embed(options *server.Options) error {
	if !options.DontListen {
		if err := checkListen(options.Host, options.Port); err != nil {
			return &ListenError{"-listen", net.JoinHostPort(options.Host, strconv.Itoa(max(options.Port, 0))), err}
		}
	}
	if at := s.config.Websocket; at != "" {
		host, port, err := parseListen(at, true) // options has checked who may reach it
		if err == nil {
			s.web, err = newWebsockets(host, port, options.MaxConn, options.TLSConfig, cmp.Or(s.config.handshake, tlsTimeout))
		}
		if err != nil {
			return &ListenError{"-websocket", net.JoinHostPort(host, strconv.Itoa(max(port, 0))), err}
		}
	}
	s.door.metered = true
	options.CustomClientAuthentication = s
	var err error
	if s.own, err = nkeys.CreateUser(); err == nil {
		s.ownDoor, err = nkeys.CreateUser()
	}
	if err == nil {
		s.server, err = server.NewServer(options)
	}
	if err != nil {
		return err
	}
	s.server.SetLogger(meter{s}, false, true)
	s.door.interest = s.server.GlobalAccount().Interest
	s.door.crowded = s.crowded
	s.server.Start()
	if !s.server.ReadyForConnections(startTimeout) {
		return errors.New("the hub does not start")
	}
	if s.web != nil {
		warn := func(err error) { s.door.warnings.Warn("WebSocket connections", err) }
		go s.web.serve(s.server.InProcessConn, warn, cmp.Or(s.config.writeDeadline, server.DEFAULT_FLUSH_DEADLINE))
	}
	credentials, err := signing(s.ownDoor)
	if err == nil {
		s.conn, err = nats.Connect("", append(credentials, nats.InProcessServer(s), nats.MaxReconnects(-1), nats.ReconnectWait(doorWait), nats.ErrorHandler(ignore))...)
	}
	return err
}

// join connects to another NATS server, unless a hub serves there already.
func (s *Server) join(ctx context.Context) error {
	options := []nats.Option{nats.Name("gyre-hub"), nats.MaxReconnects(-1), nats.ErrorHandler(ignore),
		nats.CustomInboxPrefix("gyre.to." + wire.Hub + "." + wire.Hub)} // another hub replies to no other subject
	if s.config.NATSAuthority != "" {
		if err := wire.CheckAuthorities(s.config.NATSAuthority); err != nil {
			return err
		}
		options = append(options, nats.RootCAs(s.config.NATSAuthority))
	}
	if s.config.NATSKey != "" {
		secret, err := wire.ReadSecret(ctx, s.config.NATSKey)
		if err != nil {
			return err
		}
		if secret.Role != wire.ForHub {
			return fmt.Errorf("%s: this key is for a %s, and a key for a hub is needed", s.config.NATSKey, secret.Role)
		}
		options = append(options, nats.Nkey(secret.Public, secret.Pair.Sign))
	}
	var err error
	if s.conn, err = nats.Connect(s.config.NATS, options...); err != nil {
		return fmt.Errorf("-nats %s: %w", s.config.NATS, err)
	}
	ctx, stop := context.WithTimeout(ctx, helloTimeout)
	defer stop()
	text, err := json.Marshal(&wire.HelloRequest{Version: wire.Version})
	if err != nil {
		return err
	}
	for { // a cluster needs a moment to know who listens
		switch _, err = s.conn.RequestWithContext(ctx, wire.ServiceSubject(wire.Hello, wire.Hub), text); {
		case err == nil:
			return fmt.Errorf("-nats %s: %w", s.config.NATS, errOtherHub)
		case errors.Is(err, context.DeadlineExceeded):
			return nil
		case !errors.Is(err, nats.ErrNoResponders):
			return fmt.Errorf("-nats %s: %w", s.config.NATS, err)
		}
		select {
		case <-time.After(helloTimeout / 20):
		case <-ctx.Done():
			return nil
		}
	}
}

// errOtherHub is why a hub does not start, or ends.
var errOtherHub = errors.New("another gyre-hub serves there: stop it first")

// announce says when this hub began, again and again until ctx is done. Two hubs that started at the same time,
// or while the network between them was down, heard nobody.
func (s *Server) announce(ctx context.Context) {
	tick := time.NewTicker(helloTimeout)
	defer tick.Stop()
	for {
		s.sayBegan()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// sayBegan says when this hub began.
func (s *Server) sayBegan() {
	if text, err := json.Marshal(&wire.HelloRequest{Version: wire.Version, Began: s.began}); err == nil {
		_ = s.conn.Publish(wire.ServiceSubject(wire.Hello, wire.Hub), text) // the next one may arrive
	}
}

// meet ends this hub if one serves that began earlier. A later one gets to know at once that this one is there.
func (s *Server) meet(began string) {
	switch {
	case began > s.began:
		s.sayBegan()
	case began < s.began:
		s.fail(fmt.Errorf("-nats %s: %w", s.config.NATS, errOtherHub))
	}
}

// fail reports why the hub no longer works, unless it has failed already.
func (s *Server) fail(why error) {
	select {
	case s.failed <- why:
	default:
	}
}

// ignore replaces the default, which prints: a flood fills a queue until its sender is suspended.
func ignore(*nats.Conn, *nats.Subscription, error) {}

// helloTimeout is how long another hub may take to say that it is there.
const helloTimeout = 3 * time.Second

// probeFolder returns an error if the store cannot be written.
func (s *Server) probeFolder() error {
	file, err := os.CreateTemp(s.config.Store, "probe-")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, probeSize))
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
}

// watchStore keeps the store until ctx is done, and reports one that fails.
func (s *Server) watchStore(ctx context.Context) {
	tick, expire := time.NewTicker(guardInterval), time.NewTicker(expireInterval)
	defer tick.Stop()
	defer expire.Stop()
	for {
		var err error
		select {
		case <-tick.C:
			s.door.warnings.Flush(false)
			if err = s.disk.Full(); err == nil {
				err = s.probeFolder()
			}
			if err == nil {
				err = s.door.save()
			}
			if err == nil || s.disk.Full() != nil || resources.IsFull(err) {
				s.setStuck(err)
				continue
			}
		case <-expire.C:
			s.door.forgetOldFaults()
			if err = s.door.files.expire(time.Now()); resources.IsFull(err) {
				continue // the next time
			}
		case <-ctx.Done():
			return
		}
		if errors.Is(err, os.ErrNotExist) {
			s.fail(&StoreError{Store: s.config.Store, Text: "its files were deleted while the hub ran", err: err})
			return
		}
		if err != nil {
			s.fail(unusable(s.config.Store, err))
			return
		}
	}
}

// setStuck sets why nothing can be stored now, and reports a change.
func (s *Server) setStuck(why error) {
	s.mu.Lock()
	before := s.stuck
	s.stuck = why
	s.mu.Unlock()
	switch {
	case why != nil && before == nil:
		s.config.Warn(fmt.Errorf("the store %s cannot be used: %w: detached matches wait, and no others begin, until it has space", s.config.Store, why))
	case why == nil && before != nil:
		s.config.Warn(fmt.Errorf("the store %s has space again: detached matches resume", s.config.Store))
	}
}

// Stuck returns why nothing can be stored now, such as a full disk; nil if it can.
func (s *Server) Stuck() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stuck
}

// Room returns an error if the store's disk has no room for size more bytes besides what matches in progress need.
func (s *Server) Room(size int64) error {
	if err := s.disk.Room(size); err != nil {
		return fmt.Errorf("the hub takes no new files and matches: %w", err)
	}
	return nil
}

// SetStored sets what the detached matches of each key have on the store's disk, and returns why keys may store no more, by key:
// with their files, they have their share of the disk. Keys whose matches wait for that need some room.
func (s *Server) SetStored(matches map[string]wire.Stored, waits map[string]bool) (full map[string]error) {
	return s.door.files.setMatches(matches, waits)
}

// unusable returns the error for a store that cannot be written, with the system's reason.
func unusable(store string, err error) *StoreError {
	text := err.Error()
	if system, ok := errors.AsType[*os.PathError](err); ok {
		text = system.Err.Error()
	}
	return &StoreError{Store: store, Text: text, err: err}
}

// setKeys applies keys. Removing the last one does not open the hub to everybody.
func (s *Server) setKeys(keys []Key) {
	s.mu.Lock()
	s.open = s.open && len(keys) == 0
	open := s.open
	s.keys = map[string]Key{}
	for _, k := range keys {
		s.keys[k.Public] = k
	}
	s.mu.Unlock()
	s.door.setKeys(keys, open)
}

// guard applies the keys of the store when they change, counts what each key sends, and closes the
// connections that may do something else now, until ctx is done.
func (s *Server) guard(ctx context.Context, keys []Key) {
	applied, warned := fmt.Sprint(keys), ""
	tick, meter := time.NewTicker(guardInterval), time.NewTimer(meterInterval)
	defer tick.Stop()
	defer meter.Stop()
	for {
		select {
		case <-meter.C:
			began := time.Now()
			s.charge()
			meter.Reset(min(max(meterInterval, time.Duration(float64(time.Since(began))/meterShare)), guardInterval/4))
			continue
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		keys, err := ReadKeys(s.config.Store)
		if err == nil && fmt.Sprint(keys) != applied {
			applied = fmt.Sprint(keys)
			s.setKeys(keys)
		}
		if text := fmt.Sprint(err); text != warned {
			if warned = text; err != nil {
				s.config.Warn(fmt.Errorf("the previous keys stay valid: %w", err))
			}
		}
	}
}

// Serve lets do carry out the requests of keys to the services for detached matches, until stop is called. The
// requests have passed the limits of their keys. do may be called from several goroutines, also after stop.
func (s *Server) Serve(do func(key string, s wire.Service, text []byte) (wire.Replier, error)) (stop func()) {
	s.door.setDetached(do)
	return func() { s.door.setDetached(nil) }
}

// IsAdmin reports whether a key is for an administrator.
func (s *Server) IsAdmin(key string) bool { return s.door.isAdmin(key) }

// Failed returns a channel with the reason why the hub no longer works, such as a store that was deleted.
// Close it then; it can be started again once the cause is fixed.
func (s *Server) Failed() <-chan error { return s.failed }

// URL returns the address for workers and matches.
func (s *Server) URL() string {
	if s.server == nil {
		return s.config.NATS
	}
	return s.server.ClientURL()
}

// WebsocketURL returns the address for WebSocket connections; empty for none.
func (s *Server) WebsocketURL() string {
	if s.web == nil {
		return ""
	}
	return s.web.url()
}

// InProcessConn returns a connection within this process.
func (s *Server) InProcessConn() (net.Conn, error) { return s.server.InProcessConn() }

// Credentials returns how a connection within this process signs in. It is valid for a hub
// without keys, too.
func (s *Server) Credentials() ([]nats.Option, error) { return signing(s.own) }

// signing returns the option of a connection that signs with a key.
func signing(pair nkeys.KeyPair) ([]nats.Option, error) {
	public, err := pair.PublicKey()
	return []nats.Option{nats.Nkey(public, pair.Sign)}, err
}

// Close stops the hub after all its data is on disk.
func (s *Server) Close() error {
	var err error
	if s.stopGuard != nil {
		s.stopGuard()
		s.guarding.Wait()
	}
	if s.conn != nil {
		s.conn.Close()
	}
	if s.door != nil {
		s.door.close()
	}
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	if s.web != nil {
		s.web.close()
	}
	if s.door != nil {
		s.door.warnings.Flush(true)
		err = s.door.save()
	}
	return errors.Join(err, s.lock.Close())
}

// StoreError is why a hub can no longer store anything.
type StoreError struct {
	Store string // folder
	Text  string // the reason
	err   error
}

// Unwrap returns the reason as the system reports it.
func (e *StoreError) Unwrap() error { return e.err }

// Error says what is wrong and what to do.
func (e *StoreError) Error() string {
	return fmt.Sprintf("the store %s cannot be used: %s; make it writable, with free space, and start the hub again: matches and workers wait for it", e.Store, e.Text)
}
