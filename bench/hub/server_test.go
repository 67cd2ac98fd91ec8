package hub

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
	"gyre/bench/journal"
	"gyre/bench/match"
)

// TestKeys plays a match over a hub with keys. The worker has only the permissions that it needs.
// Then its key is removed, and that of the match. Both learn the reason.
func TestKeys(t *testing.T) {
	long(t)
	s, store, worker, key := guarded(t)
	h, err := Connect(context.Background(), Address{URL: s.URL(), Key: worker, Role: ForWorker})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	denied := watchDenials(h)
	w := &Worker{Hub: h, Slots: 1, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(context.Background()) }()
	client, err := Connect(context.Background(), Address{URL: s.URL(), Key: key, Role: ForMatch})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	m.Executor = &Executor{Hub: client, Programs: programs, Client: j.path, Settings: quick}
	if _, err := m.Run(context.Background(), files(j.path), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if line.Worker != "attic" {
			t.Errorf("game %d was played by %q", number, line.Worker)
		}
	}
	if status, err := client.Status(context.Background()); err != nil || status.Workers["attic"].Slots != 1 {
		t.Errorf("status %+v, %v", status, err)
	}
	if text := denied(); text != "" {
		t.Errorf("the worker is not let do what it has to: %s", text)
	}
	if err := errors.Join(server.RemoveKey(store, "attic"), server.RemoveKey(store, "me")); err != nil { // the hub looks at its keys every second
		t.Fatal(err)
	}
	for err = nil; err == nil; {
		_, err = client.Status(context.Background())
	}
	if !errors.Is(err, ErrNoAccess) {
		t.Errorf("the client whose key was removed gets %v", err)
	}
	if err := <-ended; !errors.Is(err, ErrNoAccess) {
		t.Errorf("the worker whose key was removed ended with %v", err)
	}
}

// TestJobLimit starts two matches of one key at once. Their jobs together never exceed the limit
// of the key, and the limit does not keep them from ending.
func TestJobLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			long(t)
			s, store, _, _ := guarded(t)
			key := filepath.Join(t.TempDir(), "few.key")
			if err := server.AddKey(store, "few", ForMatch, limit, key); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(context.Background(), guard)
			defer stop()
			connect := func(a Address) *Hub { return connectTo(ctx, t, a) }
			m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
			matches := []*match.Match{m, new(*m)}
			matches[1].ID = "other"
			games := map[string]map[int]*match.Line{}
			var locals []journals
			for _, m := range matches {
				j := locally(t, m)
				games[m.ID] = j.local
				locals = append(locals, j)
			}

			// Workers keep their first jobs until both matches have asked for jobs several times.
			settled, out := make(chan struct{}), atomic.Int64{}
			seen := map[string]int{}
			var mu sync.Mutex
			names := map[string]string{} // of matches, by key
			playing, end := context.WithCancel(ctx)
			var all sync.WaitGroup
			defer all.Wait()
			defer end()
			watching := connect(Address{Server: s})
			all.Go(func() {
				_ = watching.Follow(playing, func(key string, status *MatchStatus) {
					mu.Lock()
					defer mu.Unlock()
					if status == nil {
						delete(names, key) // the match replies to nobody
						return
					}
					names[key] = status.Match
					seen[key]++
					if len(seen) == 2 && slices.Min(slices.Collect(maps.Values(seen))) == 20 {
						select {
						case <-settled:
						default:
							close(settled)
						}
					}
				})
			})
			for i := range 2 * limit {
				w := &Worker{Hub: connect(Address{Server: s}), Name: fmt.Sprint("w", i), Slots: 4}
				if err := w.reportStatus(ctx); err != nil {
					t.Fatal(err)
				}
				all.Go(func() {
					for playing.Err() == nil {
						mu.Lock()
						running := maps.Clone(names)
						mu.Unlock()
						for key, name := range running {
							job, err := w.Hub.request(playing, key, w.Name, &nextMessage{Next: true})
							if err != nil || job.Job == nil {
								continue
							}
							if n := out.Add(1); n > int64(limit) {
								t.Errorf("%d jobs are out", n)
							}
							select {
							case <-settled:
							case <-playing.Done():
								return
							}
							c, lines := &crowd{t: t}, games[name]
							c.games.Store(&lines)
							message := c.result(w, job, nil)
							out.Add(-1)
							_, _ = c.send(playing, w, key, message)
						}
						time.Sleep(5 * time.Millisecond) // no worker waits for a match
					}
				})
			}
			var ended sync.WaitGroup
			for i, m := range matches {
				client := joined(ctx, t, Address{URL: s.URL(), Key: key, Role: ForMatch})
				ended.Go(func() {
					run := *m
					run.Executor = &Executor{Hub: client, Programs: programs, Client: locals[i].path, Settings: Settings{Silent: time.Minute, Tick: 20 * time.Millisecond, Patience: 5 * time.Second}}
					if _, err := run.Run(ctx, files(locals[i].path), &listener{t: t}); err != nil {
						t.Error(err)
					}
				})
			}
			ended.Wait()
			for _, j := range locals {
				j.check(t)
			}
		})
	}
}

// TestConnectInterrupted interrupts the wait for a hub.
func TestConnectInterrupted(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	stop(errEnough)
	if _, err := Connect(ctx, Address{URL: "nats://127.0.0.1:9", Wait: time.Hour}); !errors.Is(err, errEnough) {
		t.Error(err)
	}
}

// TestBadConnections checks the errors of connections to something other than a hub.
func TestBadConnections(t *testing.T) {
	long(t)
	s, store, worker, player := guarded(t)
	removed := filepath.Join(t.TempDir(), "gone.key")
	if err := errors.Join(server.AddKey(store, "gone", ForWorker, 0, removed), server.RemoveKey(store, "gone")); err != nil {
		t.Fatal(err)
	}
	dying, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer dying.Close()
	go func() {
		for {
			conn, err := dying.Accept()
			if err != nil {
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0) // a reset
			_ = conn.Close()
		}
	}()
	for _, test := range []struct {
		name string
		at   Address
		want string
	}{
		{"a hub that dies", Address{URL: "nats://" + dying.Addr().String(), Wait: time.Nanosecond}, "no hub answers there"},
		{"nobody", Address{URL: "nats://127.0.0.1:9", Wait: time.Nanosecond}, "no hub answers there"},
		{"the page", Address{URL: "http://127.0.0.1:4280"}, "not with http://"},
		{"no key", Address{URL: s.URL()}, "rejects this key"},
		{"a removed key", Address{URL: s.URL(), Key: removed}, "rejects this key"},
		{"no such file", Address{URL: s.URL(), Key: removed + "x"}, "no such file"},
		{"no key file", Address{URL: s.URL(), Key: filepath.Join(store, "keys.json")}, "not a key of a hub"},
		{"a worker's key for a match", Address{URL: s.URL(), Key: worker, Role: ForMatch}, "this key is for a worker"},
		{"a match's key for a worker", Address{URL: s.URL(), Key: player, Role: ForWorker}, "this key is for a match"},
	} {
		h, err := Connect(context.Background(), test.at)
		if err == nil {
			h.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
	if err := server.AddKey(store, "attic", ForWorker, 0, removed+"2"); err == nil {
		t.Error("a name was taken twice")
	}
	if _, err := server.Start(context.Background(), server.Config{Store: store}); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("two hubs on a store: %v", err)
	}
	if _, err := server.Start(context.Background(), server.Config{Store: t.TempDir(), Listen: "0.0.0.0:0"}); err == nil || !strings.Contains(err.Error(), "no keys") {
		t.Errorf("a hub for all the world without keys: %v", err)
	}
	h, err := Connect(context.Background(), Address{URL: s.URL(), Key: player})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.ask(t.Context(), wire.Hello, "me", &wire.HelloRequest{Version: 99}, nil, &wire.Reply{}); err == nil || !strings.Contains(err.Error(), "same release") {
		t.Errorf("a program of another version: %v", err)
	}
}

// TestBarred suspends a worker that tries to continue, on a hub with keys and on one that gets its
// first keys while it runs.
func TestBarred(t *testing.T) {
	t.Parallel()
	t.Run("keys from the start", func(t *testing.T) {
		long(t)
		s, _, worker, player := guarded(t)
		bars(t, s, worker, player)
	})
	t.Run("keys that come later", func(t *testing.T) {
		long(t)
		at := newSite(t)
		at.stop()
		at.listen = "127.0.0.1:-1"
		at.start()
		worker, player := filepath.Join(t.TempDir(), "attic.key"), filepath.Join(t.TempDir(), "me.key")
		err := errors.Join(server.AddKey(at.store, "attic", ForWorker, 0, worker), server.AddKey(at.store, "me", ForMatch, 0, player))
		if err != nil {
			t.Fatal(err)
		}
		bars(t, at.hub, worker, player)
	})
}

// bars suspends worker attic. The worker can do nothing and gets the reason.
func bars(t *testing.T, s *server.Server, worker, player string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	for err := error(nil); !errors.Is(err, ErrNoAccess); { // until the hub has read its keys
		var h *Hub
		if h, err = Connect(ctx, Address{URL: s.URL()}); err == nil {
			h.Close()
		}
	}
	connect := func(key string) *Hub { return joined(ctx, t, Address{URL: s.URL(), Key: key, Role: ForWorker}) }
	attic, client, own := connect(worker), joined(ctx, t, Address{URL: s.URL(), Key: player}), connectTo(ctx, t, Address{Server: s})
	w := &Worker{Hub: attic, Slots: 1, Cache: t.TempDir(), Warn: func(err error) { t.Log(err) }, Heartbeat: 10 * time.Millisecond}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	// A key for matches cannot keep it from the matches of others.
	for range wire.MaxFaults {
		if err := addFault(ctx, client, "attic", errors.New("slander")); err != nil {
			t.Fatal(err)
		}
	}
	for excluded := false; !excluded && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		w.mu.Lock()
		excluded = w.excluded["me"] == "the last because: slander"
		w.mu.Unlock()
	}
	for range wire.MaxFaults {
		if err := addFault(ctx, own, "attic", errors.New("a lie")); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range []*Worker{nil, {Hub: connect(worker), Slots: 1, Cache: t.TempDir()}} {
		if w != nil {
			go func() { ended <- w.Run(ctx) }()
		}
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "a lie") {
			t.Errorf("the suspended worker gets the error %v", err)
		}
	}
}

// certificate writes a certificate for this machine, signed by itself, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	return certificateUntil(t, time.Now().Add(24*time.Hour))
}

// certificateUntil writes a certificate that is valid until a time.
func certificateUntil(t *testing.T, end time.Time) (cert, key string) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hub"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: end.Add(-48 * time.Hour), NotAfter: end, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	err = errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// TestTLS plays a match over a hub with TLS, the worker through a websocket. Clients that do not
// know the certificate get an error.
func TestTLS(t *testing.T) {
	long(t)
	cert, key := certificate(t)
	ctx := context.Background()
	config := server.Config{Store: filepath.Join(t.TempDir(), "store"), Listen: "127.0.0.1:-1", Websocket: "127.0.0.1:-1", TLSCert: cert, TLSKey: key}
	hub, err := server.Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	connect := func(url, name string) *Hub {
		h, err := Connect(ctx, Address{URL: url, Name: name, CA: cert})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Close)
		return h
	}
	if url := hub.WebsocketURL(); !strings.HasPrefix(url, "wss://") {
		t.Errorf("websockets at %s", url)
	}
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := &site{t: t}
	s.workBy(connect(hub.WebsocketURL(), "one"), "one", nil)
	m.Executor = &Executor{Hub: connect(hub.URL(), ""), Programs: programs, Client: j.path, Settings: quick}
	if _, err := m.Run(ctx, files(j.path), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for _, url := range []string{strings.Replace(hub.URL(), "tls://", "nats://", 1), strings.Replace(hub.WebsocketURL(), "wss://", "ws://", 1)} {
		connect(url, "")
	}

	missing := filepath.Join(t.TempDir(), "missing")
	plain, err := server.Start(ctx, server.Config{Store: filepath.Join(t.TempDir(), "store"), Listen: "127.0.0.1:-1", Websocket: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	const unknown, needless = "it uses TLS, and no known authority has signed its certificate for this name: give -tls-ca FILE", "it has no TLS: use nats:// or ws:// without -tls-ca"
	for _, test := range []struct{ url, ca, want string }{
		{hub.URL(), "", unknown},
		{strings.Replace(hub.URL(), "tls://", "nats://", 1), "", unknown},
		{hub.WebsocketURL(), "", unknown},
		{strings.Replace(hub.WebsocketURL(), "wss://", "ws://", 1), "", "if the hub uses TLS, use wss://"},
		{hub.URL(), key, key + ": it has no certificate in PEM form"},
		{hub.URL(), missing, missing},
		{strings.Replace(plain.URL(), "nats://", "tls://", 1), "", needless},
		{plain.URL(), cert, needless},
		{strings.Replace(plain.WebsocketURL(), "ws://", "wss://", 1), "", needless},
		{plain.WebsocketURL(), cert, needless},
	} {
		if _, err := Connect(ctx, Address{URL: test.url, CA: test.ca}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, -tls-ca %q: %v, not %q", test.url, test.ca, err, test.want)
		}
	}
	config.TLSKey = ""
	if _, err := server.Start(ctx, config); err == nil || !strings.Contains(err.Error(), "both a certificate and its key") {
		t.Errorf("without a key: %v", err)
	}
}

// TestNoPages opens a websocket as a page in a browser does, with the page's origin, which the hub
// rejects, and as a program does, without an origin.
func TestNoPages(t *testing.T) {
	t.Parallel()
	hub, err := server.Start(context.Background(), server.Config{Store: filepath.Join(t.TempDir(), "store"), Websocket: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	at := strings.Replace(hub.WebsocketURL(), "ws://", "http://", 1)
	for origin, want := range map[string]int{
		"": http.StatusSwitchingProtocols, "https://example.org": http.StatusForbidden, at: http.StatusForbidden, "null": http.StatusForbidden,
	} {
		request, err := http.NewRequest(http.MethodGet, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
			"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}}
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("origin %q: status %s, not %d", origin, answer.Status, want)
		}
	}
}

// TestQuota lets a worker send more than its quota, of every kind of message that it may send to a match.
// The match suspends the worker, and the hub then rejects its messages.
func TestQuota(t *testing.T) {
	t.Parallel()
	brackets := bytes.Repeat([]byte("["), wire.MaxResult)
	beat := fmt.Appendf(nil, `{"version":%d,"unit":0,"attempt":0}`, wire.Version)
	for name, flood := range map[string]func(ctx context.Context, h *Hub, match string){
		"results": func(ctx context.Context, h *Hub, match string) {
			_, _ = h.request(ctx, match, "attic", &nextMessage{Unit: 1 << 30, result: brackets})
		},
		"requests that are no JSON": func(_ context.Context, h *Hub, match string) {
			_ = errors.Join(h.conn.Publish(wire.NextSubject(match, "attic"), brackets), h.conn.Flush())
		},
		"heartbeats that are no JSON": func(_ context.Context, h *Hub, match string) {
			_ = errors.Join(h.conn.Publish(wire.BeatSubject(match, "attic"), brackets[:wire.MaxHeader]), h.conn.Flush())
		},
		"heartbeats": func(_ context.Context, h *Hub, match string) {
			for range 1000 {
				_ = h.conn.Publish(wire.BeatSubject(match, "attic"), beat)
			}
			_ = h.conn.Flush()
		},
	} {
		t.Run(name, func(t *testing.T) { floods(t, flood) })
	}
}

// floods calls flood, for a match in progress, until the match suspends worker attic.
func floods(t *testing.T, flood func(ctx context.Context, h *Hub, match string)) {
	long(t)
	s, _, key, player := guardedBy(t, server.Config{NoRefill: true})
	ctx, stop := context.WithTimeout(t.Context(), 5*guard)
	defer stop()
	connect := func(key string, role Role) *Hub {
		h, err := Connect(ctx, Address{URL: s.URL(), Key: key, Role: role})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Close)
		return h
	}
	client, attic, own := connect(player, ForMatch), connect(key, ForWorker), connectTo(ctx, t, Address{Server: s})
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	settings := quick
	settings.noRefill = true
	m.Executor = &Executor{Hub: client, Programs: programs, Client: "here", Settings: settings}
	playing, end := context.WithCancelCause(ctx)
	defer end(nil)
	var all sync.WaitGroup
	all.Go(func() {
		l := &listener{t: t, warned: func(text string) {
			if strings.Contains(text, "worker attic is suspended") {
				end(errEnough)
			}
		}}
		if _, err := m.Run(playing, files(filepath.Join(t.TempDir(), "games.jsonl")), l); !errors.Is(err, errEnough) {
			t.Error(err)
		}
	})
	for playing.Err() == nil {
		running, err := matchesOn(ctx, own) // which has no quota
		if err != nil {
			t.Fatal(err)
		}
		for match := range running {
			flood(playing, attic, match)
		}
	}
	all.Wait()
}

// TestLastKey removes all keys of a hub. Their holders lose their connections, but not the hub its own.
func TestLastKey(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
	names := strings.Fields("a b c d e f g h i j")
	for _, name := range names {
		if err := server.AddKey(store, name, ForMatch, 0, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := server.Start(ctx, server.Config{Store: store, Listen: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []*Hub
	for _, name := range names {
		all = append(all, connectTo(ctx, t, Address{URL: s.URL(), Key: filepath.Join(dir, name)}))
	}
	for _, name := range names {
		if err := server.RemoveKey(store, name); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range all {
		select {
		case <-h.closed:
		case <-ctx.Done():
			t.Fatalf("%s is connected without a key", h.name)
		}
	}
	if _, err := connectTo(ctx, t, Address{Server: s}).Status(ctx); err != nil {
		t.Error(err)
	}
}

// TestStoreDeleted deletes the store of a running hub, which then ends and says why.
func TestStoreDeleted(t *testing.T) {
	t.Parallel()
	s, store, _, _ := guarded(t)
	remove(t, store)
	err := <-s.Failed()
	if err == nil || !strings.Contains(err.Error(), "its files were deleted while the hub ran") || !strings.Contains(err.Error(), store) {
		t.Error(err)
	}
}

// TestListenElsewhere listens on an address of another machine, and on one in use.
func TestListenElsewhere(t *testing.T) {
	t.Parallel()
	s, _, _, _ := guarded(t)
	store, _, _ := keyed(t)
	for _, address := range []string{"203.0.113.1:4222", strings.TrimPrefix(s.URL(), "nats://")} {
		_, err := server.Start(t.Context(), server.Config{Store: store, Listen: address})
		if system, ok := errors.AsType[*net.OpError](err); !ok || system.Op != "listen" || !strings.Contains(err.Error(), "-listen: ") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestExplain checks that no words of NATS reach a user.
func TestExplain(t *testing.T) {
	for _, err := range []error{
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionClosed, nats.ErrPermissionViolation, nats.ErrMaxPayload, nats.ErrBadSubscription,
		context.Canceled, context.DeadlineExceeded, fmt.Errorf("nats: %w", errors.New("new")),
	} {
		got := (&Hub{url: "URL"}).wrap(fmt.Errorf("bucket x: %w", err))
		text := got.Error()
		if errors.Is(got, context.Canceled) || !strings.HasPrefix(text, "hub URL: ") || strings.Contains(text, "nats") || strings.Contains(text, "context") {
			t.Errorf("%v: %s", err, text)
		}
	}
	mine := errors.New("the match has changed")
	if got := (&Hub{url: "URL"}).wrap(mine); !errors.Is(got, mine) || got.Error() != "hub URL: the match has changed" {
		t.Error(got)
	}
}

// documented returns the configuration of a server of a cluster that the guide has.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../cmd/gyre-hub/README.md")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\n   "), []byte("\n")) // it is part of a list
	const first = "server_name: a\n"
	_, text, found := bytes.Cut(text, []byte("```\n"+first))
	config, _, ended := bytes.Cut(text, []byte("```\n"))
	if !found || !ended {
		t.Fatal("the guide has no configuration of a server")
	}
	return first + string(config)
}

// newCluster begins three servers of NATS as the guide has them, but for names, addresses and
// folders, and with the keys of a store: see keyed.
func newCluster(t *testing.T, store string) (servers []*natsserver.Server) {
	t.Helper()
	keys, err := server.ReadKeys(store)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	account := filepath.Join(folder, "account.conf")
	var text bytes.Buffer
	if err := errors.Join(server.WriteAccount(&text, keys), os.WriteFile(account, text.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	const size = 3
	var addresses, routes []string
	for range size {
		address := enginetest.Address(t)
		addresses, routes = append(addresses, address), append(routes, "nats://"+address)
	}
	for i, address := range addresses {
		config, path := documented(t), filepath.Join(folder, fmt.Sprint("nats", i, ".conf"))
		for there, here := range map[string]string{
			"server_name: a":                              fmt.Sprint("server_name: hub", i),
			"listen: 0.0.0.0:4222":                        "listen: 127.0.0.1:-1",
			"listen: 0.0.0.0:6222":                        "listen: " + address,
			"nats://a:6222, nats://b:6222, nats://c:6222": strings.Join(routes, ", "),
			"gyre.conf":                                   filepath.Base(account),
		} {
			if strings.Count(config, there) != 1 {
				t.Fatalf("the guide's configuration has not one %q", there)
			}
			config = strings.Replace(config, there, here, 1)
		}
		if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		options, err := natsserver.ProcessConfigFile(path)
		if err != nil {
			t.Fatalf("the guide's configuration: %v", err)
		}
		options.NoSigs, options.NoLog = true, true
		s, err := natsserver.NewServer(options)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
	}
	return servers
}

// joined connects to a hub that may reject it at first: one that looks at its new keys only every
// second, or a cluster whose three slow servers do not make all streams in the time for one reply.
func joined(ctx context.Context, t *testing.T, at Address) *Hub {
	t.Helper()
	h, err := Connect(ctx, at)
	for err != nil && ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)
		h, err = Connect(ctx, at)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// TestServerLost plays a match over a cluster of three NATS servers with the configuration of the
// guide and a hub on it, and loses a server in the middle: the games are the same, and every program
// has every permission that it needs.
func TestServerLost(t *testing.T) {
	long(t)
	m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	keys, attic, me := keyed(t)
	own := filepath.Join(t.TempDir(), "hub.key")
	if err := server.AddKey(keys, "hub", ForHub, 0, own); err != nil {
		t.Fatal(err)
	}
	servers := newCluster(t, keys)
	var urls []string
	for _, s := range servers {
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("a server does not start")
		}
		urls = append(urls, s.ClientURL())
	}
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	at := strings.Join(urls, ",")
	config := server.Config{Store: keys, NATS: at, NATSKey: own, Warn: func(err error) { t.Log(err) }}
	hub, err := server.Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	config.Store = t.TempDir()
	text, err := os.ReadFile(filepath.Join(keys, "keys.json"))
	if err = errors.Join(err, os.WriteFile(filepath.Join(config.Store, "keys.json"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Start(ctx, config); err == nil || !strings.Contains(err.Error(), "another gyre-hub serves there") {
		t.Errorf("a second hub: %v", err)
	}
	client, worker := joined(ctx, t, Address{URL: at, Key: me, Role: ForMatch}), joined(ctx, t, Address{URL: at, Key: attic, Role: ForWorker})
	controller := joined(ctx, t, Address{URL: at, Key: own, Role: ForHub})
	defer (&site{t: t, hub: hub, store: keys, settings: quick}).control(controller)()
	var denials []func() string
	for _, h := range []*Hub{client, worker, controller} {
		denials = append(denials, watchDenials(h))
	}
	(&site{t: t}).workBy(worker, "", nil)
	m.Executor = &Executor{Hub: client, Programs: programs, Client: j.path, Settings: quick}
	l := &listener{t: t, act: func(ended int) {
		if ended != 5 {
			return
		}
		for _, s := range servers {
			if s.ClientURL() == worker.conn.ConnectedUrl() {
				s.Shutdown()
			}
		}
	}}
	if _, err := m.Run(ctx, files(j.path), l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	if err := client.Detach(ctx, m, programs, nil, requestFor(t, m, "a")); err != nil {
		t.Fatal(err)
	}
	awaitState(ctx, t, client, "a", Over, 0)
	for _, denied := range denials {
		if text := denied(); text != "" {
			t.Errorf("a program is not let do what it has to: %s", text)
		}
	}
}

// TestExpired connects to a server with an expired certificate, and starts a hub with one. Both errors
// say so.
func TestExpired(t *testing.T) {
	t.Parallel()
	cert, key := certificateUntil(t, time.Now().Add(-time.Hour))
	store := filepath.Join(t.TempDir(), "store")
	if _, err := server.Start(t.Context(), server.Config{Store: store, Listen: "127.0.0.1:-1", TLSCert: cert, TLSKey: key}); err == nil || !strings.Contains(err.Error(), "the certificate expired on") {
		t.Errorf("a hub: %v", err)
	}
	config, err := natsserver.GenTLSConfig(&natsserver.TLSConfigOpts{CertFile: cert, KeyFile: key})
	if err != nil {
		t.Fatal(err)
	}
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true, TLS: true, TLSConfig: config, TLSTimeout: 10})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	if _, err := Connect(t.Context(), Address{URL: s.ClientURL(), CA: cert}); err == nil || !strings.Contains(err.Error(), "its certificate expired on") {
		t.Errorf("a client: %v", err)
	}
}

// TestHeadersWithoutEnd opens a WebSocket connection and does not complete its request: the hub ends it.
func TestHeadersWithoutEnd(t *testing.T) {
	long(t)
	hub, err := server.Start(t.Context(), server.Config{Store: filepath.Join(t.TempDir(), "store"), Websocket: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(hub.WebsocketURL(), "ws://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: hub\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays open")
	}
}
