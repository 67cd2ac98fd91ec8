package main

import (
	"bufio"
	"context"
	"io"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// site is a board that is served for a test, as the command would.
type site struct {
	t       *testing.T
	args    []string
	address string // http://HOST:PORT/
	stop    func()
}

// serveSite serves a board on a free port, with more flags, until the test ends.
func serveSite(t *testing.T, args ...string) *site {
	t.Helper()
	s := &site{t: t, args: append([]string{"-open=false"}, args...)}
	s.start("0")
	t.Cleanup(func() { s.stop() })
	return s
}

// start runs the command on a port.
func (s *site) start(port string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	output, stdout := io.Pipe()
	var stderr strings.Builder
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, append([]string{"-port", port}, s.args...), stdout, &stderr)
		_ = stdout.Close()
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if got := <-status; got != exitSuccess {
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
		cancel()
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
