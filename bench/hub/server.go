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

// mostPayload bounds a message, in bytes: a pair has some 40,000, with lines some more.
const mostPayload = 8 << 20

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
