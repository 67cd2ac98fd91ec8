// Command gyre-hub serves a hub: matches of gyre-arena and samples of gyre-train are played
// over it on many machines. README.md is its guide.
//
//	gyre-hub -store DIR [FLAGS]
//	gyre-hub key add|list|remove
//
// The exit status is 0 for success, 1 for a failure, 2 for a wrong command line, and 130 after
// a signal.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub"
	"gyre/bench/hub/server"
	"gyre/bench/journal"
	"gyre/bench/report"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/selfplay"
)

const synopsis = `usage: gyre-hub -store DIR [-listen HOST:PORT] [-websocket HOST:PORT]
            [-page HOST:PORT] [-tls-cert FILE -tls-key FILE]
       gyre-hub -store DIR -nats URL [-nats-key FILE] [-nats-ca FILE]
            [-page HOST:PORT]
       gyre-hub key add NAME -store DIR [-for worker|match|admin|hub]
            [-jobs N] [-o FILE]
       gyre-hub key list -store DIR
       gyre-hub key remove NAME -store DIR
       gyre-hub key account -store DIR

Serves a hub, over which matches are played on many machines. Games are stored by the
match, so a lost store costs only unfinished games.

Without keys a hub listens on this machine only. With keys, every connection needs one:
workers a key for workers, matches and the status a key for matches. A key for admin may
also stop the detached matches of others. Whoever can play matches can run programs on
all workers. With -nats it serves on other NATS servers, whose configuration has the
account that "key account" prints. Only -tls-cert and -tls-key encrypt the
connections: otherwise use a trusted network or an SSH tunnel.

Press Ctrl-C to stop it. Workers and matches wait until it is back.
`

func main() {
	command := commandline.Command{Name: "gyre-hub", Run: run, About: engine.About}
	os.Exit(command.RunAlone(os.Args[1:], os.Stdout, os.Stderr))
}

// run serves a hub, or changes its keys.
func run(args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "key" {
		return runKey(args[1:], stdout)
	}
	f := commandline.NewFlags("")
	store := f.String("store", "", "`folder` for the hub's data, created if it does not exist")
	listen := f.String("listen", "127.0.0.1:4222", "`HOST:PORT` for workers and matches; port 0 for any free one")
	websocket := f.String("websocket", "", "`HOST:PORT` for WebSocket connections, for workers behind a firewall")
	page := f.String("page", "", "`HOST:PORT` for a page of matches and workers; anybody who can reach it can read it; port 0 for any free one (default: none)")
	cert := f.String("tls-cert", "", "PEM `FILE` of a certificate; with -tls-key all connections are encrypted")
	certKey := f.String("tls-key", "", "PEM `FILE` of its key")
	nats := f.String("nats", "", "`URL` of NATS servers on which to serve instead of listening, such as nats://HOST:4222")
	natsKey := f.String("nats-key", "", "`FILE` of a key for a hub there, which \"key add -for hub\" writes")
	natsCA := f.String("nats-ca", "", "PEM `FILE` of the authorities that sign their certificates (default: those of the system)")
	if err := commandline.Parse(f, args, synopsis, stdout); err != nil {
		return err
	}
	given := commandline.Given(f)
	for _, name := range []string{"listen", "websocket", "tls-cert", "tls-key"} {
		if given["nats"] && given[name] {
			return &commandline.UsageError{Err: fmt.Errorf("-%s is for a hub that listens itself, not for -nats", name)}
		}
	}
	if *nats == "" && *natsKey+*natsCA != "" {
		return &commandline.UsageError{Err: errors.New("-nats-key and -nats-ca need -nats")}
	}
	if *store == "" {
		return &commandline.UsageError{Err: errors.New("give -store, a folder for the hub's data")}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	config := server.Config{Store: *store, Listen: *listen, Websocket: *websocket, TLSCert: *cert, TLSKey: *certKey, NATS: *nats, NATSKey: *natsKey, NATSAuthority: *natsCA}
	config.Warn = warnTo(stderr)
	s, err := server.Start(ctx, config)
	if cannot, ok := errors.AsType[*server.ListenError](err); ok {
		return fmt.Errorf("%s: %w", cannot.Flag, commandline.ListenError(cannot.Address, cannot.Err))
	}
	if err != nil {
		return err
	}
	return errors.Join(serve(ctx, s, config, *page, stdout), s.Close())
}

// maxWarning bounds a warning, in characters. It has room for the stack of a panic.
const maxWarning = 16_000

// warnTo returns a function that writes warnings. It cuts each, because an error may quote what a client sent.
func warnTo(stderr io.Writer) func(error) {
	return func(err error) {
		_, _ = fmt.Fprintf(stderr, "warning: %.*s\n", maxWarning, err.Error()) // the hub goes on without a reader
	}
}

// serve serves the page, if there is one, and plays the detached matches until ctx is done or the hub
// fails.
func serve(ctx context.Context, s *server.Server, config server.Config, page string, stdout io.Writer) error {
	keys, _ := server.ReadKeys(config.Store) // Start has just read them
	key, count := " -key FILE", fmt.Sprintf("with %d keys", len(keys))
	switch len(keys) {
	case 0:
		key, count = "", "without keys"
	case 1:
		count = "with 1 key"
	}
	pair, _ := tls.LoadX509KeyPair(config.TLSCert, config.TLSKey) // empty without TLS; Start has just read it
	urls := reachable(s.URL(), pair.Leaf)
	if config.NATS != "" {
		urls = []string{config.NATS}
	}
	flags := "-hub " + urls[0] + key + authority(config.TLSCert, pair.Leaf)
	at := hub.Address{Server: s}
	if config.NATS != "" {
		at = hub.Address{URL: config.NATS, Key: config.NATSKey, CA: config.NATSAuthority, Role: hub.ForHub}
		if config.NATSAuthority != "" {
			flags += " -tls-ca " + commandline.QuoteWord(config.NATSAuthority)
		}
	}
	_, err := fmt.Fprintf(stdout, "the hub is at %s, %s; for a worker:\n  gyre-arena worker %s\nfor a match:\n  gyre-arena match ... %s\n", strings.Join(urls, " and "), count, flags, flags)
	if err == nil && config.Websocket != "" {
		_, err = fmt.Fprintf(stdout, "WebSocket connections: %s\n", strings.Join(reachable(s.WebsocketURL(), pair.Leaf), " and "))
	}
	if err != nil {
		return err
	}
	h, err := hub.Connect(ctx, at)
	if err != nil {
		return err
	}
	defer h.Close()
	var all sync.WaitGroup
	defer all.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &hub.Controller{Hub: h, Door: s, Store: config.Store, Warn: config.Warn, OpenRanges: func(path string, header []byte, turns journal.Turns, warn func(error)) (hub.RangeFile, error) {
		return selfplay.OpenRanges(path, header, turns, warn)
	}}
	if page != "" {
		at, err := servePage(ctx, h, page, flags, c, config.Warn, &all)
		if err == nil {
			_, err = fmt.Fprintf(stdout, "its page is at %s\n", strings.Join(reachable(at, nil), " and "))
		}
		if err != nil {
			return err
		}
	}
	all.Go(func() {
		if err := c.Run(ctx); err != nil {
			config.Warn(fmt.Errorf("detached matches are not played: %w", err))
		}
	})
	select {
	case err := <-s.Failed():
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// reachable returns the URLs at which clients reach a server that listens at a URL. If it has a
// certificate, they have hosts that the certificate names.
func reachable(listening string, leaf *x509.Certificate) []string {
	at, err := url.Parse(listening)
	if err != nil {
		return []string{listening}
	}
	hosts := commandline.Hosts(at.Hostname())
	if leaf != nil {
		names := slices.DeleteFunc(slices.Clone(leaf.DNSNames), func(name string) bool { return strings.HasPrefix(name, "*") })
		for _, ip := range leaf.IPAddresses {
			names = append(names, ip.String())
		}
		named := slices.DeleteFunc(slices.Clone(hosts), func(host string) bool { return leaf.VerifyHostname(host) != nil })
		switch {
		case len(named) > 0:
			hosts = named
		case len(names) > 0:
			hosts = names
		}
	}
	var urls []string
	for _, host := range hosts {
		there := *at
		there.Host = net.JoinHostPort(host, at.Port())
		urls = append(urls, there.String())
	}
	return urls
}

// authority returns the flag with which clients accept a certificate that is not signed by an authority
// of the system; empty if they need none. leaf is the certificate, or nil without TLS.
func authority(cert string, leaf *x509.Certificate) string {
	if leaf == nil {
		return ""
	}
	chain := x509.NewCertPool()
	text, _ := os.ReadFile(cert) // it has just been read
	chain.AppendCertsFromPEM(text)
	if _, err := leaf.Verify(x509.VerifyOptions{Intermediates: chain}); err == nil {
		return ""
	}
	return " -tls-ca " + commandline.QuoteWord(cert)
}

func runKey(args []string, stdout io.Writer) error {
	f := commandline.NewFlags("")
	store := f.String("store", "", "`folder` of the hub")
	role := f.String("for", string(hub.ForWorker), "what the key is for: `worker`, match, admin or hub")
	jobs := f.Int("jobs", 0, "`number` of jobs that all matches of this key may have out at once (default: no limit)")
	out := f.String("o", "", "new `FILE` for the key (default: NAME.key)")
	words, err := commandline.ParseMixed(f, args, synopsis, stdout)
	if err != nil {
		return err
	}
	wrong := func(text string) error { return &commandline.UsageError{Err: errors.New(text)} }
	switch {
	case *store == "":
		return wrong("give -store, the folder of the hub")
	case !hub.Role(*role).Known():
		return wrong(fmt.Sprintf("-for %q: use worker, match, admin or hub", *role))
	case *jobs < 0 || *jobs > 0 && (*role == string(hub.ForWorker) || *role == string(hub.ForHub)):
		return wrong("-jobs is a positive number for keys that play matches")
	case len(words) == 1 && words[0] == "list":
		return listKeys(*store, stdout)
	case len(words) == 1 && words[0] == "account":
		keys, err := readKeys(*store)
		if err == nil {
			err = server.WriteAccount(stdout, keys)
		}
		return err
	case len(words) == 2 && words[0] == "add":
		path := *out
		if path == "" {
			path = words[1] + ".key"
		}
		if err := server.AddKey(*store, words[1], hub.Role(*role), *jobs, path); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "the secret key is in %s: give it to its holder, for -key %s\n", path, commandline.QuoteWord(filepath.Base(path)))
		return err
	case len(words) == 2 && words[0] == "remove":
		if err := server.RemoveKey(*store, words[1]); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "removed %s; a running hub disconnects its holder\n", words[1])
		return err
	}
	return wrong(fmt.Sprintf("key %q: use add NAME, list, remove NAME or account", strings.Join(words, " ")))
}

// readKeys returns the keys of a hub, whose folder must exist.
func readKeys(store string) ([]server.Key, error) {
	if _, err := os.Stat(store); err != nil {
		return nil, err
	}
	return server.ReadKeys(store)
}

func listKeys(store string, stdout io.Writer) error {
	keys, err := readKeys(store)
	if err != nil {
		return err
	}
	for _, k := range keys {
		limit := ""
		if k.Jobs > 0 {
			limit = fmt.Sprintf("  at most %d jobs", k.Jobs)
		}
		if _, err := fmt.Fprintf(stdout, "%s  for %s  since %s  %s%s\n", k.Name, k.Role, k.Added.Format(time.DateOnly), k.Public, limit); err != nil {
			return err
		}
	}
	return nil
}

// hubPage serves the page of a hub, which shows its status, and the history of its detached
// matches with their reports.
type hubPage struct {
	hub      *hub.Hub
	detached *hub.Controller
	loopback bool // whether it listens on loopback
	history  report.History
	warn     func(error)

	sending struct {
		sync.Mutex
		readers map[*byte]int // of each page that is being sent, by its first byte
		size    int           // bytes of these pages
	}

	mu     sync.Mutex
	shown  report.Hub
	failed time.Time // when a goroutine of the page panicked last

	health struct {
		sync.Mutex // held during a check, for which all readers wait
		checked    time.Time
		err        error
	}
}

// historyPath is the folder of the history: itself, and the report of each match by its name.
const historyPath = "/history/"

const (
	pageInterval  = 2 * time.Second
	headerTimeout = 10 * time.Second
	// writeTimeout is how long the reader of a page may take, for a report of many games over a slow
	// line, and idleTimeout how long its connection may wait for another request.
	writeTimeout = 5 * time.Minute
	idleTimeout  = time.Minute
	maxHeader    = 16 << 10 // bytes
	// maxReaders is how many connections the page has at once. Each is an open file, and the hub needs some.
	maxReaders = 256
	// maxSending is how many bytes of pages may wait for slow readers. A single page may have more.
	maxSending = 64 << 20
	// failedFor is how long the hub is not healthy after a panic of the page, and warnInterval between two warnings of panics.
	failedFor, warnInterval = 3 * pageInterval, time.Minute
	// healthInterval is how long a reply to a program that watches the hub counts for others.
	healthInterval = time.Second
)

// webServer returns an HTTP server that ends slow and silent connections.
func webServer(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader}
}

// serveReaders serves the page to at most maxReaders connections at once; see [server.Limit].
func serveReaders(web *http.Server, listener net.Listener) error {
	return web.Serve(server.Limit(listener, maxReaders))
}

// servePage serves the page until ctx is done, in goroutines that it adds to all, and returns its URL.
// address has the flags with which workers connect, and detached plays the detached matches. It
// warns if other machines can reach the page.
func servePage(ctx context.Context, h *hub.Hub, listen, address string, detached *hub.Controller, warn func(error), all *sync.WaitGroup) (url string, err error) {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return "", fmt.Errorf("-page: %w", commandline.ListenError(listen, err))
	}
	p := &hubPage{hub: h, detached: detached, warn: warn, loopback: listener.Addr().(*net.TCPAddr).IP.IsLoopback(), shown: report.Hub{Address: address, History: historyPath[1:]}}
	if !p.loopback {
		warn(fmt.Errorf("anybody who can reach port %d can read the page", listener.Addr().(*net.TCPAddr).Port))
	}
	web := webServer(p)
	all.Go(func() { _ = serveReaders(web, listener) }) // until it is closed
	all.Go(func() {
		<-ctx.Done()
		_ = web.Close()
	})
	p.observe(ctx, all)
	return "http://" + listener.Addr().String() + "/", nil
}

// observe keeps the page up to date until ctx is done, in goroutines that it adds to all.
func (p *hubPage) observe(ctx context.Context, all *sync.WaitGroup) {
	for _, do := range []func(context.Context){p.follow, p.update, p.history.Read} {
		all.Go(func() { p.repeat(ctx, do) })
	}
}

// repeat calls do until ctx is done, pausing for pageInterval. What clients sent may make do panic, which must not end the hub:
// repeat warns of that, at most once in warnInterval.
func (p *hubPage) repeat(ctx context.Context, do func(context.Context)) {
	var warned time.Time
	for ctx.Err() == nil {
		err := hub.Contained(func() error {
			do(ctx)
			return nil
		})
		if err != nil {
			now := time.Now()
			if now.Sub(warned) > warnInterval {
				warned = now
				p.warn(fmt.Errorf("the page of the hub: %w", err))
			}
			p.mu.Lock()
			p.failed = now
			p.mu.Unlock()
		}
		select {
		case <-time.After(pageInterval):
		case <-ctx.Done():
		}
	}
}

// follow shows what matches report until ctx is done. Without it, the end of a match is less exact.
func (p *hubPage) follow(ctx context.Context) {
	_ = p.hub.Follow(ctx, func(match string, m *hub.MatchStatus) {
		if m == nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.shown.Report(match, *m, time.Now())
	})
}

func (p *hubPage) update(ctx context.Context) {
	at := time.Now()
	status, err := p.hub.Status(ctx)
	if err != nil {
		return // the page shows the time of its status
	}
	records := p.detached.Records()
	p.history.Observe(records, status, time.Now())
	p.mu.Lock()
	defer p.mu.Unlock() // also after a panic
	p.shown.Detached = records
	p.shown.Observe(status, at)
}

// ServeHTTP implements http.Handler.
func (p *hubPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'") // the page has its own policy for the rest
	w.Header().Set("Cache-Control", "no-store")
	if p.loopback && !isLoopback(r.Host) { // a page of another site, by a name that leads here
		http.Error(w, "this page is only for this machine: use localhost or 127.0.0.1", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.NotFound(w, r)
		return
	}
	var text bytes.Buffer
	var kept []byte // a report, which other readers get, too
	var err error
	name, inHistory := strings.CutPrefix(r.URL.Path, historyPath)
	switch {
	case r.URL.Path == "/":
		err = p.write(&text)
	case r.URL.Path == healthPath:
		p.serveHealth(w)
		return
	case r.URL.Path+"/" == historyPath:
		http.Redirect(w, r, historyPath, http.StatusMovedPermanently)
		return
	case inHistory && name == "":
		err = p.history.Write(&text, r.URL.Query().Has("all"))
	case inHistory:
		kept, err = p.history.Report(r.Context(), name)
	default:
		err = report.ErrNoReport
	}
	if errors.Is(err, report.ErrNoReport) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if kept == nil {
		kept = text.Bytes()
	}
	p.send(w, kept)
}

// send sends a page, which is not empty, unless too much waits for slow readers.
func (p *hubPage) send(w http.ResponseWriter, text []byte) {
	if !p.hold(text) {
		http.Error(w, "too many readers at once: try again later", http.StatusServiceUnavailable)
		return
	}
	defer p.release(text)
	_, _ = w.Write(text) // the reader may be gone
}

// hold counts a page that is sent to one more reader, and reports whether there is memory for it. A report that several
// readers get counts once.
func (p *hubPage) hold(text []byte) bool {
	s := &p.sending
	s.Lock()
	defer s.Unlock()
	if s.readers[&text[0]] == 0 {
		if s.size > 0 && s.size+cap(text) > maxSending {
			return false
		}
		s.size += cap(text)
	}
	if s.readers == nil {
		s.readers = map[*byte]int{}
	}
	s.readers[&text[0]]++
	return true
}

// release undoes hold.
func (p *hubPage) release(text []byte) {
	s := &p.sending
	s.Lock()
	defer s.Unlock()
	if s.readers[&text[0]]--; s.readers[&text[0]] == 0 {
		delete(s.readers, &text[0])
		s.size -= cap(text)
	}
}

// healthPath is for programs that watch the hub.
const healthPath = "/healthz"

// serveHealth replies with status 200 if the hub answers workers and clients, and otherwise with 503 and
// a line that says who does not get a reply.
func (p *hubPage) serveHealth(w http.ResponseWriter) {
	if err := p.checkHealth(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	_, _ = io.WriteString(w, "ok\n") // the reader may be gone
}

// checkHealth returns why the hub does not answer, as of the last healthInterval: readers of the page, however many,
// must not fill its queues.
func (p *hubPage) checkHealth() error {
	h := &p.health
	h.Lock()
	defer h.Unlock()
	if time.Since(h.checked) < healthInterval {
		return h.err
	}
	ctx, stop := context.WithTimeout(context.Background(), headerTimeout)
	defer stop()
	if p.hasFailed() {
		h.err = errors.New("a part of the page failed; the log of the hub says where")
	} else if _, h.err = p.hub.Status(ctx); h.err == nil {
		h.err = p.detached.Answers(ctx)
	}
	h.checked = time.Now()
	return h.err
}

// hasFailed reports whether a goroutine of the page panicked lately.
func (p *hubPage) hasFailed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Since(p.failed) <= failedFor
}

// write writes the page.
func (p *hubPage) write(w io.Writer) error {
	p.mu.Lock()
	defer p.mu.Unlock() // also after a panic, which ends only this request
	return p.shown.Write(w)
}

// isLoopback reports whether HOST or HOST:PORT is localhost or a loopback address. Other names
// may lead here too.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
