package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/hub/server"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/hubflags"
	"gyre/cmd/internal/slips"
	"gyre/cmd/internal/webtest"
	"gyre/position"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	os.Exit(m.Run())
}

// runLine runs a command line and returns its exit status and output.
func runLine(line string) (status int, output string) {
	var text bytes.Buffer
	command := commandline.Command{Name: "gyre-hub", Run: run}
	status = command.RunAlone(strings.Fields(line), &text, &text)
	return status, text.String()
}

// TestKeys adds, lists and removes keys.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	store, file := " -store "+filepath.Join(dir, "store"), filepath.Join(dir, "attic.key")
	for _, test := range []struct{ line, want string }{
		{"key add attic -o " + file + store, "give it to its holder, for -key attic.key"},
		{"key list" + store, "attic  for worker  since "},
		{"key remove attic" + store, "removed attic"},
	} {
		if status, output := runLine(test.line); status != commandline.ExitSuccess || !strings.Contains(output, test.want) {
			t.Errorf("%s: status %d, %s", test.line, status, output)
		}
	}
	if status, output := runLine("key list" + store); status != commandline.ExitSuccess || output != "" {
		t.Errorf("after the removal: status %d, %s", status, output)
	}
}

// TestDocumentedFlags checks that gyre-hub has the flags in the guide.
func TestDocumentedFlags(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, help := runLine("-help")
	_, keyHelp := runLine("key -help")
	lines := 0
	for _, code := range regexp.MustCompile("(?m)^ *\\./gyre-hub [^#\n]*|`gyre-hub [^`]+`").FindAllString(string(text), -1) {
		line, found := strings.CutPrefix(strings.TrimPrefix(strings.Trim(strings.Join(strings.Fields(code), " "), "`"), "./"), "gyre-hub ")
		if !found {
			continue
		}
		lines++
		words, err := commandline.SplitWords(line, commandline.BackslashQuotes)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		known := help
		if words[0] == "key" {
			known = keyHelp
		}
		for _, word := range words {
			if strings.HasPrefix(word, "-") && !regexp.MustCompile(`(?m)^ +`+word+`\b`).MatchString(known) {
				t.Errorf("%s: there is no flag %s", line, word)
			}
		}
	}
	if lines < 5 {
		t.Errorf("%d command lines in the guide", lines)
	}
}

// TestPageHosts requests a page on loopback by names that it accepts, and by others.
func TestPageHosts(t *testing.T) {
	for host, want := range map[string]int{
		"localhost": http.StatusOK, "localhost:4280": http.StatusOK, "127.0.0.1:4280": http.StatusOK, "[::1]:4280": http.StatusOK, "[::1]": http.StatusOK,
		"example.org": http.StatusForbidden, "example.org:4280": http.StatusForbidden, "10.0.0.1": http.StatusForbidden, "localhost.example.org": http.StatusForbidden,
	} {
		for loopback, want := range map[bool]int{true: want, false: http.StatusOK} {
			request, answer := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
			request.Host = host
			(&hubPage{loopback: loopback}).ServeHTTP(answer, request)
			if answer.Code != want {
				t.Errorf("%s, on loopback %v: %d, %s", host, loopback, answer.Code, answer.Body)
			}
		}
	}
}

// observer ignores the course of a match.
type observer struct{ t *testing.T }

func (observer) Resumed(*match.Standing)            {}
func (observer) Ended(*match.Line, *match.Standing) {}
func (o observer) Warn(err error)                   { o.t.Log(err) }

// TestPage reads the page of an empty hub, and of one over which a match with a test is played.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	s, err := server.Start(ctx, server.Config{Store: filepath.Join(t.TempDir(), "store")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	connect := func(name string) *hub.Hub {
		h, err := hub.Connect(ctx, hub.Address{Server: s, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Close)
		return h
	}
	c := &hub.Controller{Store: t.TempDir()}
	var all sync.WaitGroup
	defer all.Wait()
	serving, stopServing := context.WithCancel(context.Background())
	defer stopServing()
	page, err := servePage(serving, connect(""), "127.0.0.1:0", "-hub nats://here", c, func(err error) { t.Error(err) }, &all)
	if err != nil {
		t.Fatal(err)
	}
	read := func() string {
		answer, err := http.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v", answer.Status, err)
		}
		return string(text)
	}
	if text := read(); !strings.Contains(text, "<html") {
		t.Errorf("of an empty hub: %s", text)
	}
	played := make(chan error, 2)
	playing, stopPlaying := context.WithCancel(ctx)
	worker := &hub.Worker{Hub: connect("attic"), Name: "attic", Slots: 2, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
	go func() { played <- worker.Run(playing) }()
	m := &match.Match{ID: "test", Schedule: match.RoundRobin(2, 1000), Openings: opening{}, Concurrency: 1,
		Conditions: game.Conditions{TurnPatience: time.Minute, Adjudication: game.Adjudication{MaxTurns: 20}}}
	var programs []hub.Program
	for i, kind := range []string{enginetest.Good, enginetest.Slow} {
		path, err := enginetest.Script(t.TempDir(), kind, t.TempDir())
		if err != nil {
			t.Skip(err)
		}
		program := protocol.Program{Path: path}
		programs = append(programs, hub.Program{Program: program})
		m.Engines = append(m.Engines, game.Engine{Name: []string{"<one>", "two"}[i], Start: program.Start, Build: game.BuildOf(program), Limits: game.TimeControl{Nodes: 1}})
	}
	var pairs atomic.Int64
	score := func() hub.Progress { // each has more pairs, as in a match that goes on
		n := int(pairs.Add(1))
		return hub.Progress{Score: "<one> leads", Counts: stats.Pairs{n, 0, 1, 0, 0}, Pairs: n, LLR: 0.5, Bounds: [2]float64{-3, 3}}
	}
	m.Executor = &hub.Executor{Hub: connect("client"), Programs: programs, Client: "here:<b>.jsonl", Score: score}
	go func() {
		_, err := m.Run(playing, match.Files{Lines: filepath.Join(t.TempDir(), "games.jsonl")}, observer{t})
		played <- err
	}()
	defer func() { stopPlaying(); <-played; <-played }()
	wants := []string{`&lt;b&gt;\.jsonl`, `[0-9.]+ games a second`, `data-position="[^"]+ [wb] [0-9]-[0-9]"`, `"title":"Log-likelihood ratio [(]LLR[)] of the test"[^}]+"x":\[[0-9]+,?`, `class="text[^"]*">(linux|darwin)/`, `[0-2] of 2</td>`, `gyre-arena worker -hub nats://here`}
	text := ""
	for missing := wants; len(missing) > 0; {
		select {
		case <-time.After(100 * time.Millisecond):
		case err := <-played:
			t.Fatalf("it ended with %v", err)
		case <-ctx.Done():
			t.Fatalf("no %q in %s", missing, text)
		}
		text, missing = read(), nil
		for _, want := range wants {
			if !regexp.MustCompile(want).MatchString(text) {
				missing = append(missing, want)
			}
		}
	}
	if strings.Contains(text, "<b>.jsonl") || strings.Contains(text, "<one>") {
		t.Errorf("a name is on the page as markup: %s", text)
	}
	if page += "history"; !strings.Contains(read(), "No matches yet.") { // it redirects to history/
		t.Error("there is no history")
	}
	page = strings.TrimSuffix(page, "history")
	for _, request := range []struct{ method, path string }{{http.MethodPost, ""}, {http.MethodPost, "history/"}, {http.MethodGet, "store"}, {http.MethodGet, "history/none"}} {
		r, err := http.NewRequest(request.method, page+request.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%v: %s", request, answer.Status)
		}
	}
}

// TestFreePort starts two hubs on ports that the system chooses.
func TestFreePort(t *testing.T) {
	var before string
	for range 2 {
		s, err := server.Start(t.Context(), server.Config{Store: t.TempDir(), Listen: "127.0.0.1:0", Websocket: "127.0.0.1:0"})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		at := s.URL() + " " + s.WebsocketURL()
		if at == before || strings.Contains(at+" ", ":0 ") || strings.Contains(at, ":4222") {
			t.Errorf("the hub is at %s", at)
		}
		before = at
	}
}

// writeCertificate writes a certificate for this machine that no authority has signed, and its key.
func writeCertificate(t *testing.T, cert, key string) {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS()
	defer web.Close()
	pair := web.TLS.Certificates[0]
	secret, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	err = errors.Join(err, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
}

// TestAllAddresses serves on all addresses of this machine. The addresses that are printed for workers,
// matches, WebSocket connections and the page are ones for clients.
func TestAllAddresses(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
		t.Run(listen, func(t *testing.T) {
			dir := t.TempDir()
			config := server.Config{Store: filepath.Join(dir, "store"), Listen: listen, Websocket: listen, Warn: func(err error) { t.Log(err) }}
			if err := server.AddKey(config.Store, "one", hub.ForWorker, 0, filepath.Join(dir, "one.key")); err != nil {
				t.Fatal(err)
			}
			s, err := server.Start(t.Context(), config)
			if err != nil && strings.HasPrefix(listen, "[") {
				t.Skip(err) // without IPv6
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			ctx, stop := context.WithCancel(t.Context())
			output, stdout := io.Pipe()
			var serving sync.WaitGroup
			defer serving.Wait()
			defer stop()
			serving.Go(func() { _ = stdout.CloseWithError(serve(ctx, s, config, listen, stdout)) })
			printed := map[string][]string{}
			for lines := bufio.NewScanner(output); printed["http"] == nil && lines.Scan(); {
				for _, address := range regexp.MustCompile(`(\w+)://([^ ,/]+)`).FindAllStringSubmatch(lines.Text(), -1) {
					printed[address[1]] = append(printed[address[1]], address[2])
				}
			}
			for _, scheme := range []string{"nats", "ws", "http"} {
				t.Run(scheme, func(t *testing.T) { webtest.Reachable(t, printed[scheme]) })
			}
		})
	}
}

// TestReachable checks that clients get addresses that the certificate of a hub names.
func TestReachable(t *testing.T) {
	for _, test := range []struct {
		listening string
		names     []string // of the certificate
		ips       []net.IP // of the certificate
		want      []string
	}{
		{"tls://192.0.2.7:4222", []string{"hub.example.org"}, nil, []string{"tls://hub.example.org:4222"}},
		{"tls://0.0.0.0:4222", []string{"*.example.org", "hub.example.org", "hub"}, nil, []string{"tls://hub.example.org:4222", "tls://hub:4222"}},
		{"wss://[::]:80", []string{"hub"}, []net.IP{net.ParseIP("2001:db8::7")}, []string{"wss://hub:80", "wss://[2001:db8::7]:80"}},
		{"tls://192.0.2.7:4222", []string{"hub"}, []net.IP{net.ParseIP("192.0.2.7")}, []string{"tls://192.0.2.7:4222"}},
		{"tls://192.0.2.7:4222", []string{"*.example.org"}, nil, []string{"tls://192.0.2.7:4222"}},
		{"http://127.0.0.1:80/", nil, nil, []string{"http://127.0.0.1:80/"}},
	} {
		var leaf *x509.Certificate
		if test.names != nil {
			leaf = &x509.Certificate{DNSNames: test.names, IPAddresses: test.ips}
		}
		if diff := cmp.Diff(test.want, reachable(test.listening, leaf)); diff != "" {
			t.Errorf("%s with %q (-want +got):\n%s", test.listening, test.names, diff)
		}
	}
}

// TestPrintedCommands connects with the commands that a hub prints, and shows on its page, if no
// authority has signed its certificate.
func TestPrintedCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a folder")
	config := server.Config{Store: filepath.Join(dir, "store"), Listen: "127.0.0.1:-1", TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem"),
		Warn: func(err error) { t.Error(err) }}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	writeCertificate(t, config.TLSCert, config.TLSKey)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	s, err := server.Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	output, stdout := io.Pipe()
	var serving sync.WaitGroup
	defer serving.Wait()
	defer stop()
	serving.Go(func() { _ = stdout.CloseWithError(serve(ctx, s, config, "127.0.0.1:0", stdout)) })
	printed := ""
	for lines := bufio.NewScanner(output); !strings.Contains(printed, "its page is at ") && lines.Scan(); {
		printed += lines.Text() + "\n"
	}
	answer, err := http.Get(strings.TrimSpace(printed[strings.LastIndex(printed, " "):]))
	if err != nil {
		t.Fatal(err, printed)
	}
	defer answer.Body.Close()
	shown, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("(?m) (-hub .*?)(</pre>.*)?$").FindAllStringSubmatch(printed+html.UnescapeString(string(shown)), -1)
	if len(commands) != 4 {
		t.Errorf("%q in %s%s", commands, printed, shown)
	}
	for _, command := range commands {
		var at hubflags.Hub
		f := commandline.NewFlags("worker")
		at.Add(f, "")
		words, err := commandline.SplitWords(command[1], commandline.BackslashQuotes)
		if err := errors.Join(err, f.Parse(words)); err != nil {
			t.Fatal(err)
		}
		h, err := at.Connect(ctx, hub.ForWorker, "attic")
		if err != nil {
			t.Errorf("%s: %v", command[1], err)
			continue
		}
		h.Close()
	}
}

// opening begins all games at the start.
type opening struct{}

func (opening) Opening(int) (game.Opening, error) {
	return game.Opening{Start: position.Start(position.Standard)}, nil
}

// TestHealth asks a page for the health of a hub whose controller runs, and has ended.
func TestHealth(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	s, err := server.Start(ctx, server.Config{Store: filepath.Join(t.TempDir(), "store")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := hub.Connect(ctx, hub.Address{Server: s})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	c := &hub.Controller{Hub: h, Door: s, Store: t.TempDir(), Warn: func(err error) { t.Error(err) }}
	p := &hubPage{hub: h, detached: c}
	status := func(ctx context.Context) int {
		answer := httptest.NewRecorder()
		p.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, healthPath, nil))
		return answer.Code
	}
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- c.Run(running) }()
	for status(ctx) != http.StatusOK {
		if ctx.Err() != nil {
			t.Fatal("it is never healthy")
		}
	}
	var asking sync.WaitGroup // as many as can, over and over
	for range maxReaders {
		asking.Go(func() {
			for range 10 {
				if code := status(ctx); code != http.StatusOK {
					t.Errorf("with many readers: status %d", code)
				}
			}
		})
	}
	asking.Wait()
	end()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for status(ctx) != http.StatusServiceUnavailable {
		if ctx.Err() != nil {
			t.Fatal("without a controller it stays healthy")
		}
	}
}

// TestPagePanics lets each goroutine of a page panic, once and again and again. None ends the hub, each is called again and
// reported with its stack, and the hub is not healthy for a while.
func TestPagePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var warnings []string
		p := &hubPage{warn: func(err error) { // without a hub, nor a request of the match
			mu.Lock()
			defer mu.Unlock()
			warnings = append(warnings, err.Error())
		}}
		p.history.Observe([]hub.Record{{}}, nil, time.Now())
		healthy := func() bool {
			answer := httptest.NewRecorder()
			p.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, healthPath, nil))
			return answer.Code != http.StatusServiceUnavailable
		}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		p.observe(ctx, &all)
		time.Sleep(time.Minute)
		synctest.Wait()
		for _, who := range []string{".follow", ".update", "History).Read"} {
			if n := len(slices.DeleteFunc(slices.Clone(warnings), func(text string) bool { return !strings.Contains(text, who+"(") })); n != 1 {
				t.Errorf("%d warnings about %s", n, who)
			}
		}
		if len(warnings) != 3 || healthy() {
			t.Errorf("healthy: %t; warnings: %v", healthy(), warnings)
		}
		stop()
		all.Wait()
		time.Sleep(failedFor + 1)
		calls := 0
		ctx, stop = context.WithCancel(t.Context())
		p.repeat(ctx, func(context.Context) {
			if calls++; calls == 1 {
				panic("once")
			} else if p.hasFailed() != (calls < 5) {
				t.Errorf("call %d: the page counts as failed: %t", calls, p.hasFailed())
			}
			if calls == 5 {
				stop()
			}
		})
	})
}

// slowReader takes a page when it may.
type slowReader struct {
	*httptest.ResponseRecorder
	begun, may chan struct{}
}

// Write implements http.ResponseWriter.
func (r slowReader) Write(text []byte) (int, error) {
	close(r.begun)
	<-r.may
	return r.ResponseRecorder.Write(text)
}

// TestSlowReaders lets a report that has as many bytes as may wait be sent to several slow readers. Another reader gets no page
// until all of them have it.
func TestSlowReaders(t *testing.T) {
	p := &hubPage{}
	kept := make([]byte, maxSending+1) // a long report gets through alone
	done := make(chan struct{})
	var all []slowReader
	for range 3 {
		slow := slowReader{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
		all = append(all, slow)
		go func() {
			p.send(slow, kept)
			done <- struct{}{}
		}()
		<-slow.begun
	}
	for i, slow := range all {
		answer := httptest.NewRecorder()
		if p.send(answer, []byte("page")); answer.Code != http.StatusServiceUnavailable {
			t.Errorf("next to %d slow readers: status %d", len(all)-i, answer.Code)
		}
		close(slow.may)
		<-done
		if slow.Code != http.StatusOK || slow.Body.Len() != len(kept) {
			t.Errorf("slow reader %d: status %d, %d bytes", i, slow.Code, slow.Body.Len())
		}
	}
	answer := httptest.NewRecorder()
	if p.send(answer, []byte("page")); answer.Code != http.StatusOK {
		t.Errorf("afterwards: status %d", answer.Code)
	}
}

// TestSlips makes the slips that every program is tested with.
func TestSlips(t *testing.T) {
	command := commandline.Command{Name: "gyre-hub", Run: run}
	key := commandline.Command{Run: func(args []string, stdout, _ io.Writer) error { return runKey(args, stdout) }}
	commands := []slips.Command{
		{Flags: command.Flags()},
		{Line: "key", Flags: key.Flags(), Arguments: []string{"list", "-store=missing"}},
	}
	run := func(args []string) slips.Outcome {
		var stdout, stderr strings.Builder
		status := command.RunAlone(args, &stdout, &stderr)
		return slips.Outcome{Status: status, Stdout: stdout.String(), Stderr: stderr.String()}
	}
	slips.Test(t, commands, run)
	dir := t.TempDir()
	store, cert, tlsKey := filepath.Join(dir, "store"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if _, output := runLine("key add hub -for hub -store " + store + " -o " + filepath.Join(dir, "hub.key")); !strings.Contains(output, "hub.key") {
		t.Fatal(output)
	}
	writeCertificate(t, cert, tlsKey)
	at, other := "-listen 127.0.0.1:0 -store "+store, "-nats nats://127.0.0.1:1 -nats-key "+filepath.Join(dir, "hub.key")+" -store "+store
	slips.Files(t, commands, append(slips.Rows("-listen 127.0.0.1:0 -store DIR", at+" -tls-key "+tlsKey+" -tls-cert IN", at+" -tls-cert "+cert+" -tls-key IN",
		"-nats nats://127.0.0.1:1 -store "+store+" -nats-key IN", other+" -nats-ca IN",
		"key remove n -store DIR", "key add n -store DIR", "key add n -store "+store+" -o OUT"),
		// These two only read.
		slips.Row{Line: []string{"key", "list", "-store", "DIR"}, Accepts: []string{"a folder to read"}},
		slips.Row{Line: []string{"key", "account", "-store", "DIR"}, Accepts: []string{"a folder to read"}}), run)
}

// TestTimeLimits holds connections to the page open at each stage of a request.
func TestTimeLimits(t *testing.T) { webtest.TimeLimits(t, webServer) }

// TestManyReaders opens more connections to the page than it takes, which send nothing. The page closes the oldest one for
// another reader, and serves all others. Connections that have ended leave their places to others.
func TestManyReaders(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := webServer(http.NotFoundHandler())
	ended := make(chan struct{}, 2*maxReaders)
	web.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			ended <- struct{}{}
		}
	}
	go func() { _ = serveReaders(web, listener) }() // until it is closed
	defer web.Close()
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	ask := func(conn net.Conn) error {
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") // it may be closed
		_, err := http.ReadResponse(bufio.NewReader(conn), nil)
		return err
	}
	var silent []net.Conn
	for range maxReaders {
		silent = append(silent, dial())
	}
	last := silent[maxReaders-10:]
	for _, conn := range last {
		_ = conn.Close()
		<-ended
	}
	for i := range last {
		last[i] = dial()
		if err := ask(last[i]); err != nil {
			t.Fatalf("next to free places: %v", err)
		}
	}
	if err := ask(silent[0]); err != nil {
		t.Fatalf("the oldest reader, next to free places: %v", err)
	}
	if err := ask(dial()); err != nil {
		t.Fatalf("next to silent readers: %v", err)
	}
	for i, conn := range silent {
		if err := ask(conn); (err == nil) != (i > 0) {
			t.Fatalf("silent reader %d: %v", i, err)
		}
	}
}

// TestCannotListen checks that each address at which the hub cannot listen is named, with its flag.
func TestCannotListen(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	at := taken.Addr().String()
	for flag, others := range map[string]string{"-listen": "", "-websocket": " -listen 127.0.0.1:0", "-page": " -listen 127.0.0.1:0"} {
		status, output := runLine("-store " + filepath.Join(t.TempDir(), "store") + others + " " + flag + " " + at)
		if status != commandline.ExitFailure || !strings.Contains(output, "gyre-hub: "+flag+": cannot listen on "+at+": ") || strings.Contains(output, "bind") {
			t.Errorf("%s: status %d: %s", flag, status, output)
		}
	}
}

// TestLongWarning checks that an error with the bytes of a client does not fill the log.
func TestLongWarning(t *testing.T) {
	for _, length := range []int{10, maxWarning, 1 << 20} {
		var log bytes.Buffer
		warnTo(&log)(errors.New(strings.Repeat("x", length)))
		if got, want := strings.Count(log.String(), "x"), min(length, maxWarning); got != want || !strings.HasSuffix(log.String(), "\n") {
			t.Errorf("%d of %d characters are in the log", got, length)
		}
	}
}
