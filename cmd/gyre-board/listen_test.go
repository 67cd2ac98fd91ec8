package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
)

// TestPortTaken listens on a port that is in use.
func TestPortTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	got := runLine("-open=false", "-addr", taken.Addr().String())
	want := outcome{commandline.ExitFailure, "", fmt.Sprintf("gyre-board: cannot listen on %v: address already in use; choose another port, or 0 for a free one\n", taken.Addr())}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTwoBoards checks that a second board finds a free port.
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

// TestNames checks the host names of a board.
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

// TestElsewhere checks the addresses for other machines.
func TestElsewhere(t *testing.T) {
	for _, test := range []struct {
		hosts []string
		want  string
	}{
		{[]string{"127.0.0.1:80", "localhost:80", "[::1]:80"}, ""},
		{[]string{"127.0.0.1:80", "localhost:80", "[::1]:80", "127.0.0.1:80", "192.0.2.7:80", "[fe80::1]:80"}, "Other machines can open http://192.0.2.7:80/\n"},
		{[]string{"192.0.2.7:80"}, ""},
	} {
		if diff := cmp.Diff(test.want, elsewhere(test.hosts)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.hosts, diff)
		}
	}
}

// TestAllAddresses listens on all addresses of this machine. The command must print every
// address that other machines can use, and answer there.
func TestAllAddresses(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	output, stdout := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, session.DefaultPatience, []string{"-open=false", "-addr", "0.0.0.0:0"}, stdout, io.Discard)
		_ = stdout.Close()
	}()
	var printed []string
	lines := bufio.NewScanner(output)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Ctrl-C") {
		if _, address, found := strings.Cut(lines.Text(), "http://"); found {
			printed = append(printed, "http://"+address)
		}
	}
	client := http.Client{Transport: &http.Transport{}} // without a proxy
	for _, address := range printed {
		answer, err := client.Get(address)
		if err != nil {
			t.Error(err)
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s answers %s", address, answer.Status)
		}
	}
	client.CloseIdleConnections()
	for _, address := range ownAddresses() {
		if ip := net.ParseIP(address); ip.IsLoopback() || ip.IsLinkLocalUnicast() {
			continue
		}
		if !slices.ContainsFunc(printed, func(one string) bool { return strings.HasPrefix(one, "http://"+net.JoinHostPort(address, "")) }) {
			t.Errorf("%s is not among %q", address, printed)
		}
	}
	cancel(commandline.ErrInterrupted)
	if got := <-status; got != commandline.ExitInterrupted || len(printed) == 0 {
		t.Errorf("status %d after printing %q", got, printed)
	}
}

// TestListening opens addresses in all forms of the flags.
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
		t.Error("an address without a port is accepted")
	}
}
