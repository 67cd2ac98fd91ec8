package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
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

	"gyre/bench/journal"
)

// Server is a hub: an embedded NATS server with JetStream that keeps all it has in a
// folder, for this process alone.
type Server struct {
	config ServerConfig
	lock   *journal.Journal
	server *server.Server
	own    nkeys.KeyPair // of our connections in this process

	mu      sync.Mutex
	options *server.Options
	barred  []string // workers, in order

	unguard func() // ends guard
	guarded sync.WaitGroup
	failed  chan error
	told    atomic.Bool // whether an error was given to failed
	damaged atomic.Bool // whether that was of a damaged store
}

// readyWithin is a last guard for a start.
const readyWithin = time.Minute

// StartServer starts a hub, and makes its streams. Without keys it listens on loopback
// alone: another address is an error, as is a store that another hub uses.
func StartServer(ctx context.Context, config ServerConfig) (*Server, error) {
	keys, err := ReadKeys(config.Store)
	if err != nil {
		return nil, err
	}
	options, err := config.options(len(keys) > 0)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(config.Store, 0o700); err != nil {
		return nil, err
	}
	s := &Server{config: config, failed: make(chan error, 1)}
	s.lock, err = journal.Open(filepath.Join(config.Store, "lock"), func(io.Reader) (int64, error) { return 0, nil })
	if err != nil {
		return nil, fmt.Errorf("another hub may use the store %s: %w", config.Store, err)
	}
	s.options = options
	if s.own, err = nkeys.CreateUser(); err == nil {
		begin := func() error { return s.begin(ctx, keys) }
		if err = begin(); err != nil {
			err = startAgain(s, begin, err)
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// begin starts the server and makes its streams.
func (s *Server) begin(ctx context.Context, keys []Key) error {
	var err error
	if s.options.Nkeys, err = s.users(keys); err != nil {
		return err
	}
	if s.server, err = server.NewServer(s.options); err != nil {
		return err
	}
	s.server.SetLoggerV2(storeLog{s}, false, false, false)
	s.server.Start()
	if !s.server.ReadyForConnections(readyWithin) || !s.server.JetStreamEnabled() {
		return fmt.Errorf("the hub does not start on %q with the store %s: the address may be taken, the store not be writable or not be a hub's", s.config.Listen, s.config.Store)
	}
	making, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var failed error // of the store, while the streams are made
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case failed = <-s.failed:
			stop(failed)
		case <-making.Done():
		}
	})
	h, err := Connect(making, Address{Server: s, Makes: true})
	stop(nil)
	watching.Wait()
	if err == nil && failed != nil {
		h.Close()
	}
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	guarding, unguard := context.WithCancel(context.Background())
	s.unguard = unguard
	s.guarded.Go(func() { s.guard(guarding, h) })
	return nil
}

// users returns who may connect: nobody in particular without keys.
func (s *Server) users(keys []Key) ([]*server.NkeyUser, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	public, err := s.own.PublicKey()
	if err != nil {
		return nil, err
	}
	users := []*server.NkeyUser{{Nkey: public}}
	for _, k := range keys {
		users = append(users, &server.NkeyUser{Nkey: k.Public, Permissions: permissions(k, slices.Contains(s.barred, k.Name))})
	}
	return users, nil
}

// Reload takes the keys of the store as they are now. Who has none any more is cut off.
func (s *Server) Reload() error {
	keys, err := ReadKeys(s.config.Store)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	options := s.options.Clone()
	if len(keys) == 0 && len(s.options.Nkeys) > 0 {
		options.Nkeys = s.options.Nkeys[:1] // whoever had the last key must not come in without one
	} else if options.Nkeys, err = s.users(keys); err != nil {
		return err
	}
	if err := s.server.ReloadOptions(options); err != nil {
		return fmt.Errorf("the hub does not take its keys: %w", err)
	}
	s.options = options
	return nil
}

// Failed tells why the hub serves nothing any more, such as a disk that is full: it is to be
// closed then, and can be begun anew when that is mended.
func (s *Server) Failed() <-chan error { return s.failed }

// URL is where workers find the hub.
func (s *Server) URL() string { return s.server.ClientURL() }

// WebsocketURL is where they find it too, if it listens for websockets.
func (s *Server) WebsocketURL() string { return s.server.WebsocketURL() }

// Connect connects to the hub in this process.
func (s *Server) Connect(ctx context.Context) (*Hub, error) { return Connect(ctx, Address{Server: s}) }

// InProcessConn makes a connection of this process.
func (s *Server) InProcessConn() (net.Conn, error) { return s.server.InProcessConn() }

// credentials is how a connection of this process says who it is, also to a hub that has no
// keys yet.
func (s *Server) credentials() ([]nats.Option, error) {
	public, err := s.own.PublicKey()
	return []nats.Option{nats.Nkey(public, s.own.Sign)}, err
}

// Close ends the hub, all of it on disk. A store that was found damaged is put aside.
func (s *Server) Close() error {
	s.end()
	var err error
	if s.damaged.Load() {
		_, err = putAside(s.config.Store)
	}
	return errors.Join(err, s.lock.Close())
}

// end ends the server.
func (s *Server) end() {
	if s.unguard != nil {
		s.unguard()
		s.guarded.Wait()
	}
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	s.server, s.unguard = nil, nil
}

// ServerConfig is where a hub keeps what it has, and where it listens.
type ServerConfig struct {
	Store  string // folder, made if it is not there
	Listen string // HOST:PORT; empty: for this process alone, without a port
	// Websocket is where it listens for websockets too; empty: nowhere.
	Websocket string
	// TLSCert and TLSKey are files in PEM for TLS; empty: none.
	TLSCert, TLSKey string
	// Warn is told of a store that is put aside; it may be nil.
	Warn func(error)
}

// options returns the options of the server.
func (c *ServerConfig) options(keys bool) (*server.Options, error) {
	host, port, err := listenOn(c.Listen, keys)
	if err != nil {
		return nil, err
	}
	o := &server.Options{
		ServerName: "gyre-hub", Host: host, Port: port, DontListen: c.Listen == "",
		JetStream: true, StoreDir: c.Store, SyncAlways: true, MaxPayload: mostPayload,
		NoSigs: true, NoLog: true,
		AlwaysEnableNonce: true, // our own connections sign it, and stay when the first key comes
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return nil, errors.New("TLS needs both a certificate and its key")
	}
	if c.TLSCert != "" {
		if o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: c.TLSCert, KeyFile: c.TLSKey}); err != nil {
			return nil, err
		}
		o.TLS, o.TLSTimeout = true, tlsWithin.Seconds()
	}
	if c.Websocket != "" {
		if o.Websocket.Host, o.Websocket.Port, err = listenOn(c.Websocket, keys); err != nil {
			return nil, err
		}
		o.Websocket.TLSConfig, o.Websocket.NoTLS = o.TLSConfig, o.TLSConfig == nil
		// A browser names the origin of a page, and programs name none: no page gets in,
		// which could otherwise reach a hub without keys on its reader's machine.
		o.Websocket.AllowedOrigins = []string{"https://nobody.invalid"}
	}
	return o, nil
}

// tlsWithin is how long a connection may take to agree on TLS.
const tlsWithin = 10 * time.Second

// listenOn reads HOST:PORT. Without keys HOST has to be of loopback.
func listenOn(address string, keys bool) (host string, port int, err error) {
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
		return "", 0, fmt.Errorf("%s can be reached from other machines, and the hub has no keys: whoever comes could have all workers run programs; make keys first, or listen on 127.0.0.1", address)
	}
	return host, port, nil
}

// StoreError is why a hub keeps nothing any more.
type StoreError struct {
	Store   string // folder
	Text    string // what the server says
	Damaged bool   // whether it holds what nobody has written; else the disk may be full
}

// Error says what is wrong, and what to do.
func (e *StoreError) Error() string {
	if e.Damaged {
		return fmt.Sprintf("the store %s is damaged, and its folder %s is put aside beside it: %s; start the hub again, and the games under way are played again", e.Store, server.JetStreamStoreDir, e.Text)
	}
	return fmt.Sprintf("the store %s cannot be written any more: %s; make place and start the hub again, matches and workers wait for it", e.Store, e.Text)
}

// putAside has the next start begin with nothing, after the server found its store damaged:
// all that is in it can be made again. It returns where the old one is.
func putAside(store string) (string, error) {
	from := filepath.Join(store, server.JetStreamStoreDir)
	to := filepath.Join(store, "damaged-"+time.Now().UTC().Format("20060102-150405.000"))
	return to, os.Rename(from, to)
}

// startAgain starts a hub anew whose store was damaged, with nothing in it.
func startAgain(s *Server, start func() error, err error) error {
	damage, ok := errors.AsType[*StoreError](err)
	if !ok || !damage.Damaged {
		return err
	}
	s.end()
	aside, err := putAside(s.config.Store)
	if err != nil {
		return err
	}
	s.told.Store(false)
	s.damaged.Store(false)
	if s.config.Warn != nil {
		s.config.Warn(fmt.Errorf("the store was damaged and is put aside as %s; games under way are played again: %s", aside, damage.Text))
	}
	return start()
}

// storeLog hears what the server logs, for what it says of its store in no other way: after
// an error it writes no more, until it is begun anew.
type storeLog struct{ server *Server }

// Errorf takes an error.
func (l storeLog) Errorf(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	failed := &StoreError{Store: l.server.config.Store, Text: text, Damaged: strings.Contains(text, "corrupt")}
	if !strings.Contains(strings.ToLower(text), "critical write error") && !strings.Contains(text, "JetStream out of") {
		return
	}
	if l.server.told.Swap(true) {
		return // what comes after the first follows from it
	}
	l.server.damaged.Store(failed.Damaged)
	select {
	case l.server.failed <- failed:
	default: // of a start that failed
	}
}

// Fatalf takes an error.
func (l storeLog) Fatalf(format string, values ...any) { l.Errorf(format, values...) }

// Noticef hears nothing, as the others do.
func (storeLog) Noticef(string, ...any) {}

// Warnf hears nothing.
func (storeLog) Warnf(string, ...any) {}

// Debugf hears nothing.
func (storeLog) Debugf(string, ...any) {}

// Tracef hears nothing.
func (storeLog) Tracef(string, ...any) {}

// guardEvery is how often a server looks which workers are barred.
const guardEvery = time.Second

// guard takes all that it may do from each worker that is barred, as long as it is, until
// ctx is done. It ends the connection h. A hub without keys cannot tell who a worker is.
func (s *Server) guard(ctx context.Context, h *Hub) {
	defer h.Close()
	var applied []string
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		asking, asked := h.whole(ctx)
		faults, err := snapshot[Faults](asking, h, faultsBucket)
		asked()
		if err != nil {
			continue // the next tick asks again
		}
		var barred []string
		for name, f := range faults {
			if f.Barred() {
				barred = append(barred, name)
			}
		}
		slices.Sort(barred)
		if slices.Equal(barred, applied) {
			continue
		}
		s.mu.Lock()
		s.barred = barred
		s.mu.Unlock()
		if s.Reload() == nil { // keys that cannot be read are told by who changes them
			applied = barred
		}
	}
}

// permissions returns what the holder of a key may do; nil for everything. A worker
// takes jobs and acknowledges them, reads matches, blobs and what is held against it,
// and writes results and its presence under its own name. One that is barred may only
// read what is held against it.
func permissions(k Key, barred bool) *server.Permissions {
	if k.Role == ForMatch {
		return nil
	}
	publish := []string{
		"$JS.API.INFO",
		"$JS.API.STREAM.INFO.KV_" + matchesBucket, "$JS.API.STREAM.INFO.KV_" + faultsBucket,
		"$JS.API.DIRECT.GET.KV_" + matchesBucket + ".>",
		"$JS.API.DIRECT.GET.KV_" + faultsBucket + ".$KV." + faultsBucket + "." + k.Name,
	}
	if !barred {
		publish = append(publish, workerSubjects(k.Name)...)
	}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{inboxOf(k.Name) + ".>"}},
	}
}

// workerSubjects are those that a worker needs for its work.
func workerSubjects(name string) []string {
	return []string{
		"$JS.API.STREAM.INFO.KV_" + runningBucket, "$JS.API.STREAM.INFO.KV_" + workersBucket,
		"$JS.API.STREAM.INFO.OBJ_" + blobsBucket,
		"$JS.API.DIRECT.GET.OBJ_" + blobsBucket + ".>",
		"$JS.API.CONSUMER.CREATE.KV_" + runningBucket + ".>",
		"$JS.API.CONSUMER.CREATE.OBJ_" + blobsBucket + ".>",
		"$JS.API.CONSUMER.DELETE.KV_" + runningBucket + ".>",
		"$JS.API.CONSUMER.DELETE.OBJ_" + blobsBucket + ".>",
		"$JS.FC.>",
		"$JS.API.CONSUMER.INFO." + jobsStream + ".*",
		"$JS.API.CONSUMER.MSG.NEXT." + jobsStream + ".*",
		"$JS.ACK." + jobsStream + ".>",
		resultSubjects(name),
		"$KV." + workersBucket + "." + name,
	}
}

// resultSubjects are those of all results of a worker.
func resultSubjects(worker string) string { return "gyre.result.*.*.*." + worker }
