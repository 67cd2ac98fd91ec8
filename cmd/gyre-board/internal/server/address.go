package server

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gyre/cmd/gyre-board/internal/clients"
)

// IPv6 networks, by the lengths of their prefixes.
const (
	personalBits = 64 // what one person usually has
	customerBits = 48 // the most that a provider usually gives to a customer
)

// nameOf returns the name of the client who sent a request: its address, or its network for IPv6. network is the
// name of the larger network that a single customer may have. IPv4 has none: providers give out single addresses.
// remote is the other end of the connection. If that is a trusted proxy, the address is the last in
// forwarded, the values of X-Forwarded-For, that is not itself one. Anybody can write the others.
func nameOf(remote string, forwarded []string, proxies []netip.Prefix) (name, network string) {
	at, ok := parseAddress(remote)
	if !ok {
		return remote, ""
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, ok := parseAddress(strings.TrimSpace(hop))
		if !ok || !contains(proxies, at) {
			break
		}
		at = next
	}
	if at.Is6() {
		personal, _ := at.Prefix(personalBits) // the lengths are right
		customer, _ := at.Prefix(customerBits)
		return personal.String(), customer.String()
	}
	return at.String(), ""
}

// contains reports whether an address is in one of the networks.
func contains(networks []netip.Prefix, at netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(at) })
}

// parseAddress parses an IP address with or without a port.
func parseAddress(text string) (netip.Addr, bool) {
	at, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		var both netip.AddrPort
		both, err = netip.ParseAddrPort(text)
		at = both.Addr()
	}
	return at.Unmap().WithZone(""), err == nil
}

// Listener returns a listener that limits the connections of each client. Those of proxies have no
// limit.
func (s *Server) Listener(inner net.Listener) net.Listener { return &listener{inner, s} }

type listener struct {
	net.Listener
	server *Server
}

// Accept returns the next connection of a client that may have it, and closes the others.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		remote := conn.RemoteAddr().String()
		at, ok := parseAddress(remote)
		var client *clients.Client
		if !ok || !l.server.isProxy(at) {
			client = l.server.clients.Of(nameOf(remote, nil, nil))
		}
		if client.Take(clients.Connection) {
			c := &counted{Conn: conn, client: client}
			c.open, c.closed = context.WithCancel(context.Background())
			return c, nil
		}
		_ = conn.Close()
	}
}

// counted is a connection that counts until it is closed. Once it is a WebSocket, the bytes that
// arrive count, too: also those of empty frames, which are no message.
type counted struct {
	net.Conn
	client *clients.Client // who holds the connection; nil for a proxy
	page   atomic.Pointer[clients.Page]
	open   context.Context
	closed context.CancelFunc
	once   sync.Once
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if page := c.page.Load(); page != nil {
		_ = page.WaitBytes(c.open, n) // the next Read reports that it was closed
	}
	return n, err
}

func (c *counted) Close() error {
	c.once.Do(func() {
		c.client.Give(clients.Connection)
		c.closed()
	})
	return c.Conn.Close()
}

// connectionKey is the key of a request's connection in its context.
type connectionKey struct{}

// countBytes counts the bytes that arrive on a request's connection from now on.
func countBytes(r *http.Request, page *clients.Page) {
	if c, ok := r.Context().Value(connectionKey{}).(*counted); ok {
		c.page.Store(page)
	}
}
