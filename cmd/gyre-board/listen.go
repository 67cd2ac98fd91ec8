package main

import (
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// usualPort is the port where no other is asked for. The browser keeps games by
// the address of the page, so it should be the same from one start to the next.
const usualPort = "7117"

// listen opens the address; none is the usual port, or a free one where that is
// taken. See listenOn.
func listen(address string, more []string) (net.Listener, []string, error) {
	if address != "" {
		return listenOn(address, more)
	}
	listener, hosts, err := listenOn(usualPort, more)
	if errors.Is(err, syscall.EADDRINUSE) {
		return listenOn("0", more)
	}
	return listener, hosts, err
}

// listenOn opens the address, where a bare port, or an address without a host,
// means this machine alone. It returns the names by which a browser may ask for
// the board, each with its port, the one to show first: those of the address,
// and more. Names are checked so that no other site can have its own name lead
// here and speak for the board.
func listenOn(address string, more []string) (net.Listener, []string, error) {
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		address = ":" + address
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, nil, err
	}
	_, port, err = net.SplitHostPort(listener.Addr().String())
	if err != nil {
		_ = listener.Close()
		return nil, nil, fmt.Errorf("listening on %v: %w", listener.Addr(), err)
	}
	return listener, hostsOf(host, port, more), nil
}

// hostsOf returns the names by which a server at a host and port may be asked
// for: those that more gives come with a port of their own or have this one.
func hostsOf(host, port string, more []string) []string {
	names := []string{host}
	ip := net.ParseIP(host)
	switch {
	case ip != nil && ip.IsUnspecified():
		names = append([]string{"127.0.0.1", "localhost", "::1"}, ownAddresses()...)
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

// ownAddresses returns the addresses of this machine's interfaces; none when
// the system does not tell.
func ownAddresses() []string {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var own []string
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok {
			own = append(own, network.IP.String())
		}
	}
	return own
}

// elsewhere tells where other machines find a board that listens on an address of
// theirs, besides the first of its names: a line each, or nothing.
func elsewhere(hosts []string) string {
	var lines strings.Builder
	for _, name := range hosts[1:] {
		host, _, err := net.SplitHostPort(name)
		ip := net.ParseIP(host)
		if err == nil && ip != nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			fmt.Fprintf(&lines, "For other machines it is at http://%s/\n", name)
		}
	}
	return lines.String()
}

// openers are the programs that show an address in the user's browser, by
// operating system.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

// openBrowser shows an address in the user's browser. Where that does not work
// the address that was printed has to do.
func openBrowser(address string) {
	opener, ok := openers[runtime.GOOS]
	if !ok {
		opener = []string{"xdg-open"}
	}
	command := exec.Command(opener[0], append(opener[1:], address)...)
	if command.Start() == nil {
		go func() { _ = command.Wait() }() // it may well be the browser itself
	}
}
