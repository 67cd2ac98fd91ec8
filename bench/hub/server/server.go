// Package server embeds the NATS server of a hub, with its store, keys and permissions.
package server

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	"gyre/position/plaintext"
)

// Key is a key of a hub.
type Key = wire.Key

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
	if err != nil {
		return nil, err // names the file
	}
	var file keysFile
	decoded, err := plaintext.Decode(string(text))
	if err == nil {
		err = json.Unmarshal([]byte(decoded), &file)
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
	return journal.WriteFile(keysPath(store), keysKind, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(keysFile{Kind: keysKind, Keys: keys})
	})
}

// AddKey adds a key for a role to a store and writes its secret part to a new file that only
// its owner can read. The name and the file must not exist. jobs is how many jobs the key's matches
// together may have out; 0 for any number.
func AddKey(store, name string, role wire.Role, jobs int, path string) error {
	if !wire.Name.MatchString(name) {
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
		return fmt.Errorf("%s: the hub has no key %s", store, name)
	}
	return writeKeys(store, slices.Delete(keys, at, at+1))
}

// WriteAccount writes the account of a hub in the form of a configuration of NATS: its users with what
// each may do.
func WriteAccount(w io.Writer, keys []Key) error {
	var text strings.Builder
	text.WriteString("accounts {\n  GYRE {\n    users: [\n")
	for _, k := range keys {
		publish, subscribe := wire.Permissions(k, false)
		fmt.Fprintf(&text, "      # %s, for %s\n      { nkey: %s, permissions: {\n          publish: [\"%s\"]\n          subscribe: [\"%s\"] } }\n",
			k.Name, k.Role, k.Public, strings.Join(publish, `", "`), strings.Join(subscribe, `", "`))
	}
	text.WriteString("    ]\n  }\n}\n")
	_, err := io.WriteString(w, text.String())
	return err
}

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
}

// Server is the server of a hub: an embedded NATS server, or a client of another one, with a store
// that belongs to this process alone.
type Server struct {
	config  Config
	disk    resources.Disk // of the store
	lock    *journal.Journal
	server  *server.Server // nil for another one
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

// grant is what a connection may do. It ends when that changes, except for the owners.
type grant struct {
	public    string // empty without a key
	name      string
	suspended bool
	excluded  string // the owners that exclude the worker, separated by spaces
}

// connection is what a client sends over a connection.
type connection struct {
	grant
	excluding string // the owners that exclude the worker from its next line on
	count            // since the last look
	waiting   int    // bytes that waited for it at the last look
	queued    int    // bytes of messages to it since then
	begun     int64  // bytes of all messages that it has begun to send
	last      int    // bytes of the last one; 0 if all of it has come
	// subscribed has the destinations of subscriptions, by the names that the client gave these.
	subscribed map[string]string
}

// inbox is what workers send to the matches of an owner.
type inbox struct {
	begun  int       // bytes since the last look
	looked time.Time // when that was
	behind bool      // whether more than maxBehind waited for one of the owner's connections then
}

// held is how many bytes wait for a connection of a key after its end: until the system has taken the rest, or refuses to.
type held struct {
	name  string
	bytes int
	until time.Time
}

// destination is what subscriptions of a key are to; see wire.Destination.
type destination struct{ public, of string }

// count is what a connection has sent. A message has one line, and its bytes count when it begins.
type count struct{ lines, refused, bytes int }

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
	// maxBehind is how many bytes may wait for a connection of the owner of matches before workers may send it little. There is
	// room for what one key has begun to send by then.
	maxBehind = maxPending / 8
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
	// expireInterval is the time between two looks for old files.
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
		MaxConn: maxOpen(resources.OpenFiles()),
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
	if c.Websocket != "" {
		if o.Websocket.Host, o.Websocket.Port, err = parseListen(c.Websocket, keys); err != nil {
			return nil, err
		}
		o.Websocket.TLSConfig, o.Websocket.NoTLS = o.TLSConfig, o.TLSConfig == nil
		o.Websocket.HandshakeTimeout = tlsTimeout // also for a request without an end
		// Browsers send the origin of a page and programs send none. So no page can connect.
		// Otherwise a page could reach a hub without keys on its visitor's machine.
		o.Websocket.AllowedOrigins = []string{"https://nobody.invalid"}
	}
	return o, nil
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
	for _, at := range []struct {
		name string
		on   bool
		host string
		port int
	}{{"-listen", !options.DontListen, options.Host, options.Port}, {"-websocket", s.config.Websocket != "", options.Websocket.Host, options.Websocket.Port}} {
		if err := checkListen(at.host, at.port); at.on && err != nil {
			return &ListenError{at.name, net.JoinHostPort(at.host, strconv.Itoa(max(at.port, 0))), err}
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

// charge charges each key with what it has sent since the last call, and then closes all connections
// whose rights have changed.
func (s *Server) charge() {
	if s.server == nil {
		return
	}
	now := time.Now()
	s.mu.Lock()
	known, queued := maps.Clone(s.connections), map[uint64]int{}
	for number, c := range known {
		queued[number] = c.queued
	}
	s.mu.Unlock()
	list, err := s.settle()
	if err != nil { // who is connected is unknown
		s.config.Warn(err)
		return
	}
	live := map[uint64]*server.ConnInfo{}
	for _, c := range list {
		live[c.Cid] = c
	}
	for number, c := range known {
		s.mu.Lock()
		sent := c.count
		c.count = count{}
		if info := live[number]; info != nil {
			c.waiting, c.queued = info.Pending, c.queued-queued[number]
		} else {
			if bytes := c.waiting + c.queued; bytes > 0 && c.name != "" {
				s.held = append(s.held, held{c.name, bytes, now.Add(heldTime)})
			}
			s.unsubscribe(c)
			delete(s.connections, number)
		}
		s.mu.Unlock()
		silenced := c.name != "" && s.door.charge(c.name, sent.bytes+requestCost*sent.refused, sent.lines, now)
		if live[number] != nil && (silenced || s.changed(c)) {
			_ = s.server.DisconnectClientByID(number) // it may have ended
		}
	}
	s.limitKeys(list, now)
	s.door.hideAbsent()
}

// settle returns all connections, and notes which of them have sent all of their last message.
func (s *Server) settle() ([]*server.ConnInfo, error) {
	list, err := s.server.Connz(&server.ConnzOptions{Limit: math.MaxInt32})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, info := range list.Conns {
		if c := s.connections[info.Cid]; c != nil && info.InBytes >= c.begun {
			c.last = 0
		}
	}
	return list.Conns, nil
}

// changed reports whether a connection must end because its rights have changed. A key for matches can exclude a worker
// and readmit it all the time, so that does not end the worker's connections: take applies it.
func (s *Server) changed(c *connection) bool {
	after := s.rights(c.public)
	s.mu.Lock()
	defer s.mu.Unlock()
	excluding := after.excluded
	if after.excluded = c.excluded; after != c.grant {
		return true
	}
	c.excluding = excluding
	return false
}

// maxOpen returns how many connections to allow in a process that may open this many files.
func maxOpen(files int) int {
	return min(max(files-reservedFiles, files/2), server.DEFAULT_MAX_CONNECTIONS)
}

// connectionsOf returns how many connections a key may have.
func connectionsOf(k Key) int {
	if k.Role == wire.ForWorker {
		return workerConnections
	}
	return maxConnections
}

// limitKeys suspends the keys with too many subscriptions, and closes the slowest connections of those for which too
// much waits.
func (s *Server) limitKeys(all []*server.ConnInfo, now time.Time) {
	byKey, waiting := map[string][]*server.ConnInfo{}, map[string]int{}
	s.mu.Lock()
	keys := s.keys
	for _, c := range all {
		if known := s.connections[c.Cid]; known != nil && keys[known.public].Name != "" {
			byKey[known.public] = append(byKey[known.public], c)
			waiting[known.name] += c.Pending
		}
	}
	s.held = slices.DeleteFunc(s.held, func(h held) bool { return now.After(h.until) })
	for _, h := range s.held {
		waiting[h.name] += h.bytes
	}
	s.waiting = waiting
	s.mu.Unlock()
	for public, connections := range byKey {
		key, subscriptions := keys[public], 0
		for _, c := range connections {
			subscriptions += int(c.NumSubs)
		}
		if most := keySubscriptions * connectionsOf(key); subscriptions > most && s.door.suspended(key.Name) == nil {
			s.door.offend(key.Name, fmt.Errorf("it had %d subscriptions, and may have %d", subscriptions, most), true)
		}
		slices.SortFunc(connections, func(a, b *server.ConnInfo) int { return b.Pending - a.Pending })
		pending := waiting[key.Name]
		for _, c := range connections {
			if pending <= maxKeyPending || c.Pending == 0 {
				break
			}
			pending -= c.Pending
			_ = s.server.DisconnectClientByID(c.Cid) // it may have ended
		}
	}
}

// crowded reports whether too much waits for the connections of a key for replies to more requests.
func (s *Server) crowded(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting[name] > maxReplied
}

// meter counts what each connection sends. It is the log of the NATS server, which names every line of the
// protocol when it has come in, also those that are no messages, and what it refuses because a key does not permit it.
// The server reads the rest of a message only after its line.
type meter struct{ hub *Server }

// numberOf returns the number of the connection that a line of the log begins with: "ADDRESS - cid:N - ...", or wid:N
// over WebSocket; 0 if it is about none. What follows may be of anybody, such as in a line about a request that is no
// connection yet.
func numberOf(line string) uint64 {
	_, line, _ = strings.Cut(line, " - ")
	kind, line, _ := strings.Cut(line, ":")
	if kind != "cid" && kind != "wid" {
		return 0
	}
	digits, _, _ := strings.Cut(line, " ")
	number, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0
	}
	return number
}

// Tracef takes a line of the protocol, whose arrow says whether it came in or goes out. It implements the Logger of the NATS
// server, like the methods below.
func (m meter) Tracef(format string, arguments ...any) {
	if strings.HasSuffix(format, " - ->> %s") {
		if size := sizeOf(arguments); size > 0 {
			m.hub.queue(numberOf(format), size)
		}
	}
	if !strings.HasSuffix(format, " - <<- %s") {
		return
	}
	number, subject, size := numberOf(format), "", 0
	verb, rest := lineOf(arguments)
	if verb == "PUB" {
		subject, size = messageOf(rest)
	}
	m.hub.take(number, subject, count{lines: 1, bytes: size})
	if verb == "SUB" || verb == "UNSUB" {
		m.hub.follow(number, verb, strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }))
	}
}

// sizeOf returns the bytes of a message, and of the line before it, that goes out; 0 for other lines.
func sizeOf(arguments []any) int {
	if len(arguments) == 1 {
		if words, ok := arguments[0].([]any); ok && len(words) == 1 {
			if line, _ := words[0].(string); strings.HasPrefix(line, "MSG ") {
				size, _ := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1:]) // which the server wrote
				return len(line) + size
			}
		}
	}
	return 0
}

// lineOf returns the first word of a line and the rest of it; an empty word if it has no rest.
func lineOf(arguments []any) (verb, rest string) {
	if len(arguments) == 1 {
		if words, ok := arguments[0].([]any); ok && len(words) == 2 {
			verb, _ = words[0].(string)
			if rest, ok = words[1].(string); ok {
				return verb, rest
			}
		}
	}
	return "", ""
}

// messageOf returns the subject and the size of the message that a line with PUB begins; an empty subject if the server
// rejects it.
func messageOf(line string) (subject string, size int) {
	line = strings.TrimRight(line, " \t")
	if end := strings.IndexAny(line, " \t"); end >= 0 {
		if bytes, err := strconv.ParseUint(line[strings.LastIndexAny(line, " \t")+1:], 10, 31); err == nil {
			return line[:end], int(bytes)
		}
	}
	return "", 0
}

// Errorf takes an error of a connection.
func (m meter) Errorf(format string, arguments ...any) {
	if strings.Contains(format, "Publish Violation") || strings.Contains(format, "Subscription Violation") {
		number := numberOf(format)
		if len(arguments) == 1 { // the subject of a message
			if subject, ok := arguments[0].([]byte); ok && m.hub.denies(number, string(subject)) {
				return
			}
		}
		m.hub.take(number, "", count{refused: 1})
	}
}

// denies reports whether a subject is denied to a connection only because its owner excludes the worker. A message to it
// costs no more than others: the worker may not know yet, and nobody may get it suspended by that.
func (s *Server) denies(number uint64, subject string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.connections[number]
	words := strings.Split(subject, ".")
	return c != nil && len(words) == 5 && words[0] == "gyre" && (words[1] == "next" || words[1] == "beat") &&
		slices.Contains(strings.Fields(c.excluded), words[2]) && words[4] == c.name
}

// Noticef does nothing, like the methods below: the rest of the log is not kept.
func (meter) Noticef(string, ...any) {}

func (meter) Warnf(string, ...any)  {}
func (meter) Fatalf(string, ...any) {}
func (meter) Debugf(string, ...any) {}

// take counts what a connection sends, in its goroutine, and ends the connection if it begins a message that is too large,
// or one too many. It denies a message for whose receiver too much waits, as if the receiver excluded its sender. It returns
// when the hub has time for the message.
func (s *Server) take(number uint64, subject string, sent count) {
	s.mu.Lock()
	c := s.connections[number]
	if c == nil { // it is the hub's own, or has not signed in
		s.mu.Unlock()
		return
	}
	size, limit, excluded := sent.bytes, wire.Limit(subject), c.excluding
	if owner := wire.Addressee(subject); owner != "" && c.name != "" {
		s.mu.Unlock()
		behind := s.isBehind(owner, size+len(subject)) && !s.door.mayAdd(c.name, owner, size+len(subject), time.Now())
		if s.mu.Lock(); behind { // the worker sends it again
			excluded += " " + owner
		}
	}
	large := c.name != "" && size > limit // without a key, anybody may be anybody
	if large {                            // nobody reads it
		sent.bytes, sent.refused = 0, 1
	}
	c.lines, c.refused, c.bytes = c.lines+sent.lines, c.refused+sent.refused, c.bytes+sent.bytes
	c.begun, c.last = c.begun+int64(sent.bytes), sent.bytes
	changed := excluded != c.excluded
	c.excluded = excluded
	now, key := c.grant, s.keys[c.public]
	s.mu.Unlock()
	if changed {
		if client := s.server.GetClient(number); client != nil {
			permit(client, key, now)
		}
	}
	switch {
	case large:
		if !c.suspended {
			s.door.offend(c.name, fmt.Errorf("it sent a message of %d bytes, and %d are allowed", size, limit), false)
		}
		_ = s.server.DisconnectClientByID(number) // it may have ended
	case c.name != "" && size > leastUnfinished && s.unfinished(c) > maxUnfinished:
		_ = s.server.DisconnectClientByID(number) // it may have ended
	case wire.IsHubs(subject):
		s.pace(size)
	default:
		s.paceReply(number, c, subject, size)
	}
}

// queue counts a message that waits for a connection.
func (s *Server) queue(number uint64, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.connections[number]; c != nil {
		c.queued += size
	}
}

// follow takes a line that begins or ends a subscription, in the goroutine of its connection. Of the subscriptions of a key
// that would get the same message, the last ones stay, and the connections of the others end: a client that connects again
// takes the place of its previous connection.
func (s *Server) follow(number uint64, verb string, words []string) {
	s.mu.Lock()
	c := s.connections[number]
	if c == nil || c.name == "" || len(words) == 0 { // the hub's own; without a key, anybody may be anybody
		s.mu.Unlock()
		return
	}
	var ended []uint64
	name, to := words[len(words)-1], destination{c.public, wire.Destination(words[0], c.name)}
	of, again := c.subscribed[name]
	switch {
	case verb == "UNSUB":
		if again && len(words) == 1 { // others end later
			s.addCopies(destination{c.public, of}, -1)
			delete(c.subscribed, name)
		}
	case to.of == "": // the server rejects it
	case again, strings.HasSuffix(to.of, "."+wire.Any), len(c.subscribed) == maxSubscriptions: // no client does that
		c.refused++
		ended = append(ended, number)
	default:
		if c.subscribed == nil {
			c.subscribed = map[string]string{}
		}
		c.subscribed[name] = to.of
		s.addCopies(to, 1)
		ended = s.supersede(c, to)
	}
	s.mu.Unlock()
	for _, other := range ended {
		_ = s.server.DisconnectClientByID(other) // it may have ended
	}
}

// supersede returns the connections of the key of c that must end because too many subscriptions have the same destination,
// the first ones. s.mu must be held.
func (s *Server) supersede(c *connection, to destination) (ended []uint64) {
	most := maxCopies
	if to.of == "match" { // all workers that share a key get the statuses
		most = connectionsOf(s.keys[c.public])
	}
	if s.copies[to] <= most {
		return nil
	}
	c.bytes += connectCost // a look at all connections takes time
	for _, number := range slices.Sorted(maps.Keys(s.connections)) {
		if other := s.connections[number]; s.copies[to] > most && other.public == c.public && slices.Contains(slices.Collect(maps.Values(other.subscribed)), to.of) {
			s.unsubscribe(other)
			ended = append(ended, number)
		}
	}
	return ended
}

// unsubscribe forgets the subscriptions of a connection, which ends. s.mu must be held.
func (s *Server) unsubscribe(c *connection) {
	for _, of := range c.subscribed {
		s.addCopies(destination{c.public, of}, -1)
	}
	c.subscribed = nil
}

// addCopies changes how many subscriptions have the same destination. s.mu must be held.
func (s *Server) addCopies(to destination, change int) {
	if s.copies[to] += change; s.copies[to] == 0 {
		delete(s.copies, to)
	}
}

// paceReply lets a client wait before it replies to another one. It ends the connection of one that sends so much over many
// of them that this would take long.
func (s *Server) paceReply(number uint64, c *connection, subject string, size int) {
	wait := s.door.pace(c.name, subject, size, time.Now())
	if wait > maxReplyWait {
		s.mu.Lock()
		c.bytes += excessCost
		s.mu.Unlock()
		_ = s.server.DisconnectClientByID(number) // it may have ended
		wait = closeTime
	}
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-s.door.closing:
		}
	}
}

// unfinished returns how many bytes the unfinished messages of the key of a connection have. Above maxUnfinished it
// knows which are complete.
func (s *Server) unfinished(c *connection) (size int) {
	for settled := false; ; settled = true {
		size = 0
		s.mu.Lock()
		for _, other := range s.connections {
			if other.public == c.public && other.last > leastUnfinished {
				size += other.last
			}
		}
		if settled || size <= maxUnfinished {
			s.mu.Unlock()
			return size
		}
		c.bytes += connectCost // a look at all connections takes time
		s.mu.Unlock()
		if _, err := s.settle(); err != nil {
			s.config.Warn(err)
		}
	}
}

// pace lets a client wait before it sends size bytes to the hub, while too much waits for the hub's own connections: the
// NATS server ends those for which more than maxPending waits.
func (s *Server) pace(size int) {
	s.pacing.RLock()
	begun := s.begun.Add(int64(size + wire.MessageCost))
	s.pacing.RUnlock()
	if begun < backlogStep {
		return
	}
	s.pacing.Lock()
	defer s.pacing.Unlock()
	for ; s.backlog() > maxBacklog; time.Sleep(backlogInterval) {
	}
	s.begun.Store(0)
}

// backlog returns how many bytes wait for the connection of the hub itself for which most wait.
func (s *Server) backlog() (most int) {
	s.mu.Lock()
	owned := slices.Clone(s.owned)
	s.mu.Unlock()
	for _, number := range owned {
		list, err := s.server.Connz(&server.ConnzOptions{CID: number})
		if err != nil || len(list.Conns) == 0 {
			s.mu.Lock()
			s.owned = slices.DeleteFunc(s.owned, func(other uint64) bool { return other == number })
			s.mu.Unlock()
			continue
		}
		most = max(most, list.Conns[0].Pending)
	}
	return most
}

// isBehind reports whether much waits for the owner of matches, to whom a worker begins to send size bytes.
func (s *Server) isBehind(owner string, size int) bool {
	if !s.door.knows(owner) {
		return false
	}
	now := time.Now()
	s.mu.Lock()
	in := s.inboxes[owner]
	if in == nil {
		in = &inbox{}
		s.inboxes[owner] = in
	}
	in.begun += size
	behind, look := in.behind, in.begun >= backlogStep || in.behind && now.Sub(in.looked) >= meterInterval
	if look {
		in.begun, in.looked = 0, now
	}
	s.mu.Unlock()
	if look {
		behind = s.backlogOf(owner) > maxBehind
		s.mu.Lock()
		in.behind = behind
		s.mu.Unlock()
	}
	return behind
}

// backlogOf returns how many bytes wait for the connection of a key for which most wait.
func (s *Server) backlogOf(name string) (most int) {
	s.mu.Lock()
	var numbers []uint64
	for number, c := range s.connections {
		if c.name == name {
			numbers = append(numbers, number)
		}
	}
	s.mu.Unlock()
	for _, number := range numbers {
		if list, err := s.server.Connz(&server.ConnzOptions{CID: number}); err == nil && len(list.Conns) > 0 {
			most = max(most, list.Conns[0].Pending)
		}
	}
	return most
}

// rights returns what a connection with a key may do now. The zero grant is for everybody if there
// are no keys, and for nobody otherwise.
func (s *Server) rights(public string) grant {
	s.mu.Lock()
	k, known := s.keys[public]
	open := s.open
	s.mu.Unlock()
	switch {
	case open:
		return grant{public: public}
	case !known:
		return grant{public: "removed"}
	}
	return grant{public, k.Name, s.door.suspended(k.Name) != nil, s.door.excluded(k.Name)}
}

// Check decides whether a connection may begin, and what it may do. It implements the
// Authentication of the NATS server, which calls it for each CONNECT. No client sends a second one.
func (s *Server) Check(c server.ClientAuthentication) bool {
	number := c.GetID()
	s.mu.Lock()
	again := s.connections[number] != nil // what it has sent stays counted
	s.mu.Unlock()
	if again {
		return false
	}
	options := c.GetOpts()
	if g := s.rights(options.Nkey); g.suspended && s.door.silenced(g.name, time.Now()) { // before the signature, which costs more
		s.delay()
		return false
	}
	signed := options.Nkey != "" && isSigned(options, c.GetNonce())
	for _, own := range []nkeys.KeyPair{s.own, s.ownDoor} {
		if public, err := own.PublicKey(); err == nil && options.Nkey == public {
			if own == s.ownDoor { // it can only answer, whatever it is asked
				c.RegisterUser(&server.User{Permissions: permissions(
					[]string{wire.ReplySubjects(wire.Any, wire.Hub) + "*.*", wire.MatchSubject(wire.AnyMatch)}, nil, []string{"gyre.hub.*.*"})})
			}
			if signed {
				s.mu.Lock()
				s.owned = append(s.owned, number)
				s.mu.Unlock()
			}
			return signed
		}
	}
	<-s.started // nobody else would reply to its requests
	g := s.rights(options.Nkey)
	s.mu.Lock()
	key, connections := s.keys[options.Nkey], 0
	for _, other := range s.connections {
		if other.public == g.public {
			connections++
		}
	}
	open := s.open
	allowed := open || signed && key.Name != "" && g.name == key.Name && connections < connectionsOf(key)
	if allowed { // its place is taken before it is charged
		s.connections[number] = &connection{grant: g, excluding: g.excluded}
	}
	s.mu.Unlock()
	if allowed && !open && s.door.charge(key.Name, connectCost, 0, time.Now()) {
		s.mu.Lock()
		delete(s.connections, number)
		s.mu.Unlock()
		return false
	}
	if allowed && !open {
		permit(c, key, g)
	}
	return allowed
}

// permit has the NATS server apply what a connection with a key may do. It is called in the goroutine of the connection.
func permit(c interface{ RegisterUser(*server.User) }, key Key, g grant) {
	publish, subscribe := wire.Permissions(key, g.suspended)
	var deny []string
	for owner := range strings.FieldsSeq(g.excluded) { // nobody there reads it
		deny = append(deny, wire.NextSubject(owner+"."+wire.Any, key.Name), wire.BeatSubject(owner+"."+wire.Any, key.Name))
	}
	c.RegisterUser(&server.User{Permissions: permissions(publish, deny, subscribe)})
}

func permissions(publish, deny, subscribe []string) *server.Permissions {
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish, Deny: deny}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
}

// delay waits before the hub rejects a suspended key that connects again and again.
func (s *Server) delay() {
	select {
	case s.delayed <- struct{}{}:
		time.Sleep(rejectDelay)
		<-s.delayed
	default: // the key has many connections
	}
}

// isSigned reports whether a connection has signed the server's nonce with its key.
func isSigned(options *server.ClientOpts, nonce []byte) bool {
	signature, err := base64.RawURLEncoding.DecodeString(options.Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(options.Nkey)
	return err == nil && len(nonce) > 0 && key.Verify(nonce, signature) == nil
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

// WebsocketURL returns the address for WebSocket connections, if there is one.
func (s *Server) WebsocketURL() string { return s.server.WebsocketURL() }

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
