// Package server embeds the NATS server of a hub, with its store, keys and permissions.
package server

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
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
	err = json.Unmarshal(text, &file)
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
		return fmt.Errorf("the hub has no key %s", name)
	}
	return writeKeys(store, slices.Delete(keys, at, at+1))
}

// Config says where a hub stores its data and where it listens.
type Config struct {
	Store  string // folder, created if it does not exist
	Listen string // HOST:PORT; empty for this process only, without a port
	// Websocket is the HOST:PORT for WebSocket connections; empty for none.
	Websocket string
	// TLSCert and TLSKey are PEM files; empty for no TLS.
	TLSCert, TLSKey string
	// Warn reports that a damaged store was moved away, or that changed keys are wrong; it may be nil.
	Warn func(error)
}

// Server is the server of a hub: an embedded NATS server with JetStream. Its store belongs to
// this process alone.
type Server struct {
	config  Config
	lock    *journal.Journal
	server  *server.Server
	options *server.Options
	own     nkeys.KeyPair // of connections in this process

	conn      *nats.Conn // of this process
	stopGuard func()
	guarding  sync.WaitGroup
	failed    chan error // gets one error at most
	damaged   bool       // whether Close must move the store away; set before failed gets its error
}

const (
	startTimeout = time.Minute
	replyTimeout = 30 * time.Second
	tlsTimeout   = 10 * time.Second
	// guardInterval is the time between two looks at the keys, the faults of workers and the store.
	guardInterval = time.Second
	// probeSize is how much free space a store needs, in bytes, and probeStreams after how
	// many intervals its streams are checked too.
	probeSize    = 64 << 10
	probeStreams = 10
	// probeTimeout bounds the check at a start.
	probeTimeout = 10 * time.Second
)

// Start starts a hub and creates its streams. Without keys it listens on loopback addresses
// only.
func Start(ctx context.Context, config Config) (*Server, error) {
	keys, err := ReadKeys(config.Store)
	if err != nil {
		return nil, err
	}
	options, err := config.options(len(keys) > 0)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(config.Store, 0o700); err != nil {
		return nil, unusable(config.Store, err)
	}
	s := &Server{config: config, failed: make(chan error, 1)}
	s.lock, err = journal.Open(filepath.Join(config.Store, "lock"), func(io.Reader) (int64, error) { return 0, nil })
	if _, system := errors.AsType[*os.PathError](err); system {
		return nil, unusable(config.Store, err)
	}
	if err != nil {
		return nil, fmt.Errorf("another hub may use the store %s: %w", config.Store, err)
	}
	s.options = options
	if s.own, err = nkeys.CreateUser(); err == nil {
		err = s.start(ctx, keys)
	}
	if damage, ok := errors.AsType[*StoreError](err); ok && damage.Damaged { // start with an empty store
		s.stop()
		var moved string
		if moved, err = quarantine(config.Store); err == nil {
			if config.Warn != nil {
				config.Warn(fmt.Errorf("the store was damaged and has been moved to %s; unfinished games are played again: %s", moved, damage.Text))
			}
			err = s.start(ctx, keys)
		}
	}
	if err != nil {
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
		JetStream: true, StoreDir: c.Store, SyncAlways: true, MaxPayload: wire.MaxPayload,
		NoSigs: true, NoLog: true,
		AlwaysEnableNonce: true, // connections of this process sign it and survive the first key
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return nil, errors.New("TLS needs both a certificate and its key")
	}
	if c.TLSCert != "" {
		if o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: c.TLSCert, KeyFile: c.TLSKey}); err != nil {
			return nil, err
		}
		if err := c.checkCertificate(time.Now()); err != nil {
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
		return fmt.Errorf("%s: %w", c.TLSCert, err)
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
	if err != nil || s.config.Warn == nil {
		return // options has just read it
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
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !keys {
		return "", 0, fmt.Errorf("other machines can reach %s, and the hub has no keys: anybody could make all workers run programs; add keys first, or listen on 127.0.0.1", address)
	}
	return host, port, nil
}

// checkListen returns the system's error if nobody can listen there now. The NATS server would
// only retry.
func checkListen(host string, port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(max(port, 0))))
	if err != nil {
		return err
	}
	return listener.Close()
}

// start starts the NATS server and creates the streams.
func (s *Server) start(ctx context.Context, keys []Key) error {
	var err error
	if s.options.Nkeys, err = s.users(keys, nil); err != nil {
		return err
	}
	for _, at := range []struct {
		name string
		on   bool
		host string
		port int
	}{{"-listen", !s.options.DontListen, s.options.Host, s.options.Port}, {"-websocket", s.config.Websocket != "", s.options.Websocket.Host, s.options.Websocket.Port}} {
		if err := checkListen(at.host, at.port); at.on && err != nil {
			return fmt.Errorf("%s: %w", at.name, err)
		}
	}
	if err = s.dropIndexes(); err != nil {
		return unusable(s.config.Store, err)
	}
	if s.server, err = server.NewServer(s.options); err != nil {
		return err
	}
	s.server.Start()
	if !s.server.ReadyForConnections(startTimeout) || !s.server.JetStreamEnabled() {
		return fmt.Errorf("the hub does not start: the store %s may not be writable or not be a hub's", s.config.Store)
	}
	js, err := s.connect(ctx, keys)
	if err != nil {
		if ctx.Err() == nil && s.probeFolder() == nil {
			err = &StoreError{Store: s.config.Store, Text: "it cannot be read", Damaged: true, err: err}
		}
		return err
	}
	folder, err := os.Stat(s.folder())
	if err != nil {
		return err
	}
	guarding, stopGuard := context.WithCancel(context.Background())
	s.stopGuard = stopGuard
	s.guarding.Go(func() { s.guard(guarding, js, keys) })
	s.guarding.Go(func() { s.watchStore(guarding, js, folder) })
	s.guarding.Go(func() { s.watchCertificate(guarding) })
	return nil
}

// dropIndexes deletes the index of each stream on disk, so that the NATS server verifies the checksum
// of every message. With an index it trusts the messages. If a bit of a message's number is wrong, it
// can then look for 2^60 messages and never start.
func (s *Server) dropIndexes() error {
	indexes, err := fs.Glob(os.DirFS(s.folder()), "*/streams/*/msgs/index.db")
	for _, index := range indexes {
		err = errors.Join(err, os.Remove(filepath.Join(s.folder(), filepath.FromSlash(index))))
	}
	return err
}

// connect opens the connection of this process and creates the streams.
func (s *Server) connect(ctx context.Context, keys []Key) (jetstream.JetStream, error) {
	ctx, stop := context.WithTimeout(ctx, replyTimeout)
	defer stop()
	options, err := s.Credentials()
	if err != nil {
		return nil, err
	}
	if s.conn, err = nats.Connect("", append(options, nats.InProcessServer(s), nats.MaxReconnects(-1))...); err != nil {
		return nil, err
	}
	js, err := jetstream.New(s.conn, jetstream.WithDefaultTimeout(replyTimeout))
	if err == nil {
		err = wire.Ensure(ctx, s.conn, js)
	}
	if err == nil {
		err = wire.SetVersion(ctx, js)
	}
	if err == nil {
		err = setLimits(ctx, js, keys)
	}
	if err == nil {
		err = wire.CheckStreams(ctx, js)
	}
	if err == nil {
		err = probe(ctx, js, probeTimeout)
	}
	return js, err
}

// setLimits stores how many jobs the matches of each key may have out. Matches read that.
func setLimits(ctx context.Context, js jetstream.JetStream, keys []Key) error {
	limits := map[string]int{}
	for _, k := range keys {
		if k.Jobs > 0 {
			limits[k.Name] = k.Jobs
		}
	}
	text, err := json.Marshal(limits)
	if err != nil {
		return err
	}
	matches, err := js.KeyValue(ctx, wire.StateBucket)
	if err == nil {
		_, err = matches.Put(ctx, wire.LimitsKey, text)
	}
	return err
}

// folder returns the folder of the NATS server's files.
func (s *Server) folder() string { return filepath.Join(s.config.Store, server.JetStreamStoreDir) }

// probeFolder returns an error if the store cannot be written.
func (s *Server) probeFolder() error {
	file, err := os.CreateTemp(s.config.Store, "probe-")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, probeSize))
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
}

// watchStore reports a store that fails, until ctx is done. The NATS server does not: it stays
// up, with or without a store.
func (s *Server) watchStore(ctx context.Context, js jetstream.JetStream, folder os.FileInfo) {
	tick := time.NewTicker(guardInterval)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		var failed *StoreError
		if now, err := os.Stat(s.folder()); err != nil || !os.SameFile(now, folder) {
			failed = &StoreError{Store: s.config.Store, Text: "its files were deleted while the hub ran", err: err}
		} else if err := s.probeFolder(); err != nil {
			failed = unusable(s.config.Store, err)
		} else if n%probeStreams != 0 {
			continue
		} else if err := probe(ctx, js, replyTimeout); err != nil && ctx.Err() == nil {
			failed = &StoreError{Store: s.config.Store, Text: "it does not accept data", Damaged: true, err: err}
		} else {
			continue
		}
		s.damaged = failed.Damaged
		s.failed <- failed
		return
	}
}

// probe returns an error if a stream on disk does not accept data within a time.
func probe(ctx context.Context, js jetstream.JetStream, timeout time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	return wire.Probe(ctx, js)
}

// unusable returns the error for a store that cannot be written, with the system's reason.
func unusable(store string, err error) *StoreError {
	text := err.Error()
	if system, ok := errors.AsType[*os.PathError](err); ok {
		text = system.Err.Error()
	}
	return &StoreError{Store: store, Text: text, err: err}
}

// guard applies the keys of the store when they change, and revokes the permissions of suspended
// workers for as long as they are suspended, until ctx is done. A hub without keys cannot tell its
// workers apart.
func (s *Server) guard(ctx context.Context, js jetstream.JetStream, keys []Key) {
	var suspended []string // workers, sorted
	state := func() string { return fmt.Sprint(keys, suspended) }
	applied, warned := state(), ""
	tick := time.NewTicker(guardInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		asking, stop := context.WithTimeout(ctx, replyTimeout)
		if faults, err := wire.Snapshot[wire.Faults](asking, js, wire.WorkerFaults); err == nil { // otherwise the next tick has them
			suspended = nil
			for name, f := range faults {
				if f.Suspended() {
					suspended = append(suspended, name)
				}
			}
			slices.Sort(suspended)
		}
		var err error
		if keys, err = ReadKeys(s.config.Store); err == nil && state() != applied {
			if err = s.apply(asking, js, keys, suspended); err == nil {
				applied = state()
			}
		}
		stop()
		if text := fmt.Sprint(err); text != warned {
			if warned = text; err != nil && ctx.Err() == nil && s.config.Warn != nil {
				s.config.Warn(fmt.Errorf("the previous keys stay valid: %w", err))
			}
		}
	}
}

// users returns who may connect; nil for everybody, if there are no keys and were none. Removing the
// last key must not open the hub to everybody.
func (s *Server) users(keys []Key, suspended []string) ([]*server.NkeyUser, error) {
	if len(keys)+len(s.options.Nkeys) == 0 {
		return nil, nil
	}
	public, err := s.own.PublicKey()
	if err != nil {
		return nil, err
	}
	users := []*server.NkeyUser{{Nkey: public}}
	for _, k := range keys {
		user := &server.NkeyUser{Nkey: k.Public}
		if publish, subscribe := wire.Permissions(k, slices.Contains(suspended, k.Name)); publish != nil {
			user.Permissions = &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
			if k.Role == wire.ForMatch {
				user.Permissions.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: replyTimeout}
			}
		}
		users = append(users, user)
	}
	return users, nil
}

// apply lets keys count, without a restart. Connections with a removed key are closed, and a suspended
// worker can only read its faults.
func (s *Server) apply(ctx context.Context, js jetstream.JetStream, keys []Key, suspended []string) error {
	if err := setLimits(ctx, js, keys); err != nil {
		return fmt.Errorf("the limits of the keys: %w", err)
	}
	options := s.options.Clone()
	var err error
	if options.Nkeys, err = s.users(keys, suspended); err != nil {
		return err
	}
	if len(options.Nkeys) == 0 {
		return nil // without keys everybody may connect, and there is nothing to change
	}
	// This is last: requests at the time of a reload may get no reply.
	if err := s.server.ReloadOptions(options); err != nil {
		return fmt.Errorf("the hub rejects its keys: %w", err)
	}
	s.options = options
	return nil
}

// Failed returns a channel with the reason why the hub no longer works, such as a full disk.
// Close it then; it can be started again once the cause is fixed.
func (s *Server) Failed() <-chan error { return s.failed }

// URL returns the address for workers and matches.
func (s *Server) URL() string { return s.server.ClientURL() }

// WebsocketURL returns the address for WebSocket connections, if there is one.
func (s *Server) WebsocketURL() string { return s.server.WebsocketURL() }

// InProcessConn returns a connection within this process.
func (s *Server) InProcessConn() (net.Conn, error) { return s.server.InProcessConn() }

// Credentials returns how a connection within this process signs in. It is valid for a hub
// without keys, too.
func (s *Server) Credentials() ([]nats.Option, error) {
	public, err := s.own.PublicKey()
	return []nats.Option{nats.Nkey(public, s.own.Sign)}, err
}

// Close stops the hub after all its data is on disk. A damaged store is moved away.
func (s *Server) Close() error {
	s.stop()
	var err error
	if s.damaged {
		_, err = quarantine(s.config.Store)
	}
	return errors.Join(err, s.lock.Close())
}

func (s *Server) stop() {
	if s.stopGuard != nil {
		s.stopGuard()
		s.guarding.Wait()
	}
	if s.conn != nil {
		s.conn.Close()
	}
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	s.server, s.conn, s.stopGuard = nil, nil, nil
}

// StoreError is why a hub can no longer store anything.
type StoreError struct {
	Store   string // folder
	Text    string // the reason
	Damaged bool   // whether the store has wrong contents
	err     error
}

// Unwrap returns the reason as the system or the NATS server reports it; nil if unknown.
func (e *StoreError) Unwrap() error { return e.err }

// Error says what is wrong and what to do.
func (e *StoreError) Error() string {
	if e.Damaged {
		return fmt.Sprintf("the store %s is damaged, and its folder %s has been moved next to it: %s; start the hub again, and unfinished games are played again", e.Store, server.JetStreamStoreDir, e.Text)
	}
	return fmt.Sprintf("the store %s cannot be used: %s; make it writable, with free space, and start the hub again: matches and workers wait for it", e.Store, e.Text)
}

// quarantine moves a damaged store away, so that the next start begins with an empty one: all
// its contents can be recreated. It returns the folder's new name.
func quarantine(store string) (string, error) {
	from := filepath.Join(store, server.JetStreamStoreDir)
	to := filepath.Join(store, "damaged-"+time.Now().UTC().Format("20060102-150405.000"))
	return to, os.Rename(from, to)
}
