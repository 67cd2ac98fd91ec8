package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
)

// boardVariable makes the test's binary the command when it is started again.
const boardVariable = "GYRE_TEST_BOARD"

func TestMain(m *testing.M) {
	enginetest.Play()
	if os.Getenv(boardVariable) != "" {
		main()
	}
	status := m.Run()
	endBrowser()
	os.Exit(status)
}

// outcome is what a command line came to.
type outcome struct {
	Status         int
	Stdout, Stderr string
}

// runLine runs a command line that ends by itself.
func runLine(args ...string) outcome {
	var stdout, stderr strings.Builder
	status := run(context.Background(), args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

func TestWrongCommandLines(t *testing.T) {
	for _, test := range []struct {
		args    []string
		message string
	}{
		{[]string{"hello"}, `unexpected word "hello"`},
		{[]string{"-speed"}, "flag provided but not defined: -speed"},
		{[]string{"-port", "x"}, `-port "x": not a port`},
		{[]string{"-port", "70000"}, `-port "70000": not a port`},
		{[]string{"-engine", "gyre"}, `invalid value "gyre" for flag -engine: not NAME=CMD`},
		{[]string{"-engine", "=x"}, `invalid value "=x" for flag -engine: not NAME=CMD`},
		{[]string{"-engine", "a="}, `invalid value "a=" for flag -engine: no command`},
		{[]string{"-engine", "a='x"}, `invalid value "a='x" for flag -engine: a quote that is not closed`},
		{[]string{"-engine", "gyre=sh"}, `invalid value "gyre=sh" for flag -engine: a second engine of the name "gyre"`},
		{[]string{"-engine", "a=./no-such-program"}, `invalid value "a=./no-such-program" for flag -engine: exec: "./no-such-program": stat ./no-such-program: no such file or directory`},
	} {
		want := outcome{exitUsage, "", "gyre-board: " + test.message + "\nTry \"gyre-board -help\".\n"}
		if diff := cmp.Diff(want, runLine(test.args...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.args, diff)
		}
	}
}

func TestHelp(t *testing.T) {
	got := runLine("-help")
	if got.Status != exitSuccess || got.Stderr != "" || !strings.HasPrefix(got.Stdout, "usage: gyre-board ") {
		t.Errorf("%+v", got)
	}
	for _, flag := range []string{"-addr", "-port", "-open", "-engine", "-host"} {
		if !strings.Contains(got.Stdout, "\n  "+flag) {
			t.Errorf("help does not tell %s:\n%s", flag, got.Stdout)
		}
	}
}

// TestAPortThatIsTaken listens where somebody does.
func TestAPortThatIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	got := runLine("-open=false", "-addr", taken.Addr().String())
	if got.Status != exitFailure || !strings.Contains(got.Stderr, "address already in use") || got.Stdout != "" {
		t.Errorf("%+v", got)
	}
}

// TestTwoBoards checks that a board without a port of its own finds one also
// while another has the usual one.
func TestTwoBoards(t *testing.T) {
	ports := map[string]bool{}
	for range 2 {
		listener, hosts, err := listen("", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		_, port, err := net.SplitHostPort(hosts[0])
		if err != nil {
			t.Fatal(err)
		}
		if ports[port] {
			t.Errorf("the second board listens on %s, the first on %v", port, ports)
		}
		ports[port] = true
	}
}

// TestNames asks by which names a board may be called.
func TestNames(t *testing.T) {
	for _, test := range []struct {
		host string
		more []string
		want []string
	}{
		{"127.0.0.1", nil, []string{"127.0.0.1:80", "localhost:80", "[::1]:80"}},
		{"localhost", nil, []string{"localhost:80", "127.0.0.1:80", "[::1]:80"}},
		{"192.0.2.7", []string{"Board.example", "board.example:8080", "[::2]"}, []string{"192.0.2.7:80", "board.example:80", "board.example:8080", "[::2]:80"}},
	} {
		if diff := cmp.Diff(test.want, hostsOf(test.host, "80", test.more)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.host, diff)
		}
	}
	for _, name := range hostsOf("0.0.0.0", "80", nil) {
		if host, _, err := net.SplitHostPort(name); err != nil || host != "localhost" && net.ParseIP(host) == nil {
			t.Errorf("a board on all addresses answers to %s", name)
		}
	}
}

// TestListening opens addresses as the flags tell them.
func TestListening(t *testing.T) {
	for _, address := range []string{"0", ":0", "127.0.0.1:0", "localhost:0"} {
		listener, hosts, err := listen(address, nil)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		at, ok := listener.Addr().(*net.TCPAddr)
		if !ok || !at.IP.IsLoopback() {
			t.Errorf("%s listens on %v", address, listener.Addr())
		}
		if len(hosts) == 0 {
			t.Errorf("%s has no name", address)
		}
		_ = listener.Close()
	}
	if _, _, err := listen("here", nil); err == nil {
		t.Error("an address without a port is taken")
	}
}

// running is a board under test.
type running struct {
	address string
	stop    context.CancelFunc
	ended   chan int
}

// startBoard runs a board until stop, and reads its address.
func startBoard(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	reading, writing := io.Pipe()
	r := &running{stop: stop, ended: make(chan int, 1)}
	go func() {
		var stderr strings.Builder
		r.ended <- run(ctx, append([]string{"-open=false"}, args...), writing, &stderr)
		_ = writing.CloseWithError(errors.New("it ended: " + stderr.String()))
	}()
	t.Cleanup(stop)
	buffer := make([]byte, 1000)
	n, err := reading.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	r.address = regexp.MustCompile(`http://\S+/`).FindString(string(buffer[:n]))
	if r.address == "" {
		t.Fatalf("no address in %q", buffer[:n])
	}
	return r
}

// fetch returns what a path of the board holds.
func (r *running) fetch(t *testing.T, path string) string {
	t.Helper()
	response, err := http.Get(r.address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, response.Status, err)
	}
	return string(text)
}

// TestFromStartToEnd runs a board, has an engine of its command line search, and
// ends it in the middle of that: with it ends the engine.
func TestFromStartToEnd(t *testing.T) {
	dir := t.TempDir()
	pids := t.TempDir()
	script, err := enginetest.Script(dir, enginetest.Good, pids)
	if err != nil {
		t.Skip(err)
	}
	r := startBoard(t, "-port", "0", "-engine", "My engine="+script)
	if page := r.fetch(t, ""); !strings.Contains(page, "<!doctype html>") && !strings.Contains(page, "<!DOCTYPE html>") {
		t.Errorf("the page is %.100s", page)
	}
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(r.address, "http", "ws", 1)+"socket", &websocket.DialOptions{Subprotocols: []string{"gyre", "token." + r.fetch(t, "token")}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	for _, message := range []string{
		`{"id":1,"do":"think","search":1,"engine":"Gyre","path":{},"limits":{"infinite":true}}`,
		`{"id":2,"do":"engine","engine":"My engine"}`,
	} {
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	for {
		_, message, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(message), `{"id":2,"ok":{"name":"My engine","id":"Test"`) {
			break
		}
	}
	r.stop()
	select {
	case status := <-r.ended:
		if status != exitSuccess {
			t.Errorf("status %d", status)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
	if left, all, err := enginetest.Left(pids); err != nil || len(left) > 0 || all != 1 {
		t.Errorf("%d of %d engines still run, %v", len(left), all, err)
	}
}
