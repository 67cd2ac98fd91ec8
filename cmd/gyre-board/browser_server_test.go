package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
	"gyre/protocol"
)

// patient waits long for engines, on however busy a machine.
var patient = session.Patience{
	Engine: protocol.Patience{Handshake: 10 * time.Minute, Answer: 10 * time.Minute, Stop: 10 * time.Minute, Quit: time.Minute},
	Grace:  10 * time.Minute,
}

// site is a board that is served for a test, as the command would.
type site struct {
	t       *testing.T
	args    []string
	address string // http://HOST:PORT/
	stop    func() // as Ctrl-C does, and waits for the end
}

// serveSite serves a board on a free port, with more flags, until the test ends. With
// -static it is the exported page, or the test is skipped, which needs a server.
func serveSite(t *testing.T, args ...string) *site {
	t.Helper()
	if *static && len(args) == 0 {
		return serveFolder(t).site
	}
	serverOnly(t)
	s := &site{t: t, args: append([]string{"-open=false"}, args...)}
	s.start("0")
	t.Cleanup(func() { s.stop() })
	return s
}

// serverOnly skips a test of what only the server has.
func serverOnly(t *testing.T) {
	t.Helper()
	if *static {
		t.Skip("the exported page has no server")
	}
}

// start runs the command on a port.
func (s *site) start(port string) {
	s.t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	output, stdout := io.Pipe()
	var stderr strings.Builder
	status := make(chan int, 1)
	go func() {
		status <- command(ctx, patient).RunAlone(append([]string{"-port", port}, s.args...), stdout, &stderr)
		_ = stdout.Close()
	}()
	s.stop = sync.OnceFunc(func() {
		cancel(commandline.ErrInterrupted)
		if got := <-status; got != commandline.ExitInterrupted {
			s.t.Errorf("the board ended with status %d: %s", got, &stderr)
		}
	})
	lines := bufio.NewScanner(output)
	for s.address = ""; s.address == "" && lines.Scan(); {
		if _, after, found := strings.Cut(lines.Text(), "http://"); found {
			s.address = "http://" + strings.TrimSpace(after)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, output) }()
	if s.address == "" {
		cancel(nil)
		s.t.Fatalf("the board ended with status %d without an address: %s", <-status, &stderr)
	}
}

// restart ends the command and runs it again on the same port.
func (s *site) restart() {
	s.t.Helper()
	s.stop()
	address, err := url.Parse(s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.start(address.Port())
}

// fetch returns what a path of the board holds.
func (s *site) fetch(path string) string {
	s.t.Helper()
	response, err := http.Get(s.address + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s, %v", path, response.Status, err)
	}
	return string(text)
}

// at is the link to a position, the turns played from it, and its rules.
func (s *site) at(rules, start string, turns ...string) string {
	link := s.address + "#rules=" + rules
	if start != "" {
		link += "&start=" + strings.ReplaceAll(start, " ", "_")
	}
	if len(turns) > 0 {
		link += "&turns=" + strings.Join(turns, ",")
	}
	return link
}
