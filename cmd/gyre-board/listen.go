package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"gyre/cmd/internal/commandline"
)

// defaultPort is the default port. The browser stores games by the page's address, so the port
// should stay the same from one start to the next.
const defaultPort = "7117"

// listen opens an address with listenOn. The empty address means the default port, or a free
// one if that is taken.
func listen(address string, more []string) (net.Listener, []string, error) {
	if address != "" {
		return listenOn(address, more)
	}
	listener, hosts, err := listenOn(defaultPort, more)
	if errors.Is(err, syscall.EADDRINUSE) {
		return listenOn("0", more)
	}
	return listener, hosts, err
}

// listenOn opens an address. A port alone, or an address without a host, means this machine
// only. It returns the host names of the board, each with its port: first the name to print,
// then the other names of the address, then those in more. The server checks names so that
// another site cannot point its own name here and act as the board.
func listenOn(address string, more []string) (net.Listener, []string, error) {
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, nil, commandline.ListenError(net.JoinHostPort(host, port), err)
	}
	_, port, err = net.SplitHostPort(listener.Addr().String())
	if err != nil {
		_ = listener.Close()
		return nil, nil, fmt.Errorf("listening on %v: %w", listener.Addr(), err)
	}
	return listener, hostsOf(host, port, more), nil
}

// splitAddress splits an address as listenOn takes it.
func splitAddress(address string) (host, port string, err error) {
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		address = ":" + address
	}
	if host, port, err = net.SplitHostPort(address); err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return "", "", fmt.Errorf("%q is not an address; use HOST:PORT, or PORT for this machine only", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

// hostsOf returns the host names of a server at a host and port. Names in more keep their own
// port or get this one.
func hostsOf(host, port string, more []string) []string {
	names := []string{host}
	ip := net.ParseIP(host)
	switch {
	case ip != nil && ip.IsUnspecified():
		names = []string{"127.0.0.1", "localhost", "::1"}
		for _, own := range commandline.OwnAddresses() {
			names = append(names, own.String())
		}
	case host == "localhost" || ip != nil && ip.IsLoopback():
		names = append(names, "localhost", "127.0.0.1", "::1")
	}
	var hosts []string
	add := func(name string) {
		if name = strings.ToLower(name); !slices.Contains(hosts, name) {
			hosts = append(hosts, name)
		}
	}
	for _, name := range names {
		add(net.JoinHostPort(name, port))
	}
	for _, name := range more {
		if _, _, err := net.SplitHostPort(name); err != nil {
			name = net.JoinHostPort(strings.Trim(name, "[]"), port)
		}
		add(name)
	}
	return hosts
}

// isLoopback reports whether only this machine can reach an address.
func isLoopback(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// parseProxy parses an address, or a network of addresses, of proxies.
func parseProxy(text string) (netip.Prefix, error) {
	network, err := netip.ParsePrefix(text)
	if err != nil {
		var at netip.Addr
		if at, err = netip.ParseAddr(text); err == nil {
			network, err = at.Prefix(at.BitLen())
		}
	}
	if err != nil {
		return network, fmt.Errorf("%q is not an address; use, for example, 127.0.0.1, ::1 or 10.0.0.0/8", text)
	}
	return network.Masked(), nil
}

// elsewhere returns a line for each address in hosts, except the first, that other machines
// can use.
func elsewhere(hosts []string) string {
	var lines strings.Builder
	for _, name := range hosts[1:] {
		host, _, err := net.SplitHostPort(name)
		if err == nil && commandline.ForOthers(net.ParseIP(host)) {
			fmt.Fprintf(&lines, "Other machines can open http://%s/\n", name)
		}
	}
	return lines.String()
}

// openers are the commands that open an address in the user's browser, by operating system.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

// openBrowser opens an address in the user's browser. If that fails, the user can still open
// the address that was printed.
func openBrowser(address string) {
	opener, ok := openers[runtime.GOOS]
	if !ok {
		opener = []string{"xdg-open"}
	}
	command := exec.Command(opener[0], append(opener[1:], address)...)
	if command.Start() == nil {
		go func() { _ = command.Wait() }() // it may be the browser itself
	}
}
