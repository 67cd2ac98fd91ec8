// Package clients gives each client of a public server a share of it, so that nobody takes
// everything. A client is an address, or a network of addresses that one person has. Clients can belong to a
// larger network, which has two shares together: somebody may have all of it.
//
// Rates slow a client down; the other limits reject what exceeds them. Nothing limits a nil
// *Client, so a server for one person passes nil.
package clients

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limits are the share of each client, and of all.
type Limits struct {
	Connections int // open TCP connections
	Requests    Rate
	Sockets     int   // open pages
	Messages    Rate  // of all its pages
	Bytes       Rate  // of messages in both directions, and as much of events of rooms
	Memory      int64 // bytes of messages that are incomplete, parsed or wait to be sent
	AllMemory   int64 // the same for all clients together
	Own         Own   // of each page
	Rooms       int   // open rooms that it opened
	Openings    Rate  // of rooms
	Changes     int   // changes of rooms that wait for the disk
	Engines     int   // running
	Orders      int   // matches, and reviews with engines of their own, that run
	Pictures    int   // that wait to be drawn
	Hash        int   // the largest Hash of an engine, in MiB
	Threads     int   // the most Threads of an engine
	Clients     int   // counted one by one; all others have one share together
}

// Own is what each page has to itself, before it takes from its client's share. So a page can play on
// when others use up that share, or the memory of all.
type Own struct {
	Messages Rate
	Bytes    Rate
	Memory   int64
}

// Rate is a number of things a second. After a pause, as many as Burst can come at once.
type Rate struct{ PerSecond, Burst float64 }

// Default lets a club or a class play behind one address: 15 rooms at a time, a rematch every few minutes, and games that
// nobody finishes.
var Default = Limits{
	Connections: 256, Requests: Rate{50, 500},
	Sockets: 64, Messages: Rate{50, 500}, Bytes: Rate{1 << 20, 16 << 20},
	Memory: 8 << 20, AllMemory: 128 << 20,
	Own:   Own{Messages: Rate{1, 20}, Bytes: Rate{4 << 10, 64 << 10}, Memory: 24 << 10},
	Rooms: 60, Openings: Rate{1.0 / 20, 60}, Changes: 64,
	Engines: 6, Orders: 3, Pictures: 4, Hash: 128, Threads: 1,
	Clients: 10_000,
}

// Clients are the clients of a server. Its methods are safe for concurrent use.
type Clients struct {
	limits Limits

	memory atomic.Int64

	mu       sync.Mutex // locked before those of clients
	all      map[string]*Client
	networks map[string]*Client // of several clients
	others   *Client            // those for whom there is no place in all
	forgot   time.Time          // when idle clients were last forgotten
}

// New returns the clients of a server.
func New(limits Limits) *Clients {
	c := &Clients{limits: limits, all: map[string]*Client{}, networks: map[string]*Client{}}
	c.others = c.add("", &c.limits, nil)
	return c
}

// networkShares is the number of shares of a network of several clients.
const networkShares = 2

// maxMembers is the number of clients of a network that are counted one by one, so that it leaves places to others.
const maxMembers = 256

// ofNetwork returns the limits of a network. Those of things stay, since Take multiplies them. A client can be overdrawn
// by a burst of messages and bytes, which must not delay its neighbor, so the network has one more burst of these.
func (l Limits) ofNetwork() *Limits {
	l.Memory *= networkShares
	for _, rate := range []*Rate{&l.Requests, &l.Openings} {
		*rate = Rate{networkShares * rate.PerSecond, networkShares * rate.Burst}
	}
	for _, rate := range []*Rate{&l.Messages, &l.Bytes} {
		*rate = Rate{networkShares * rate.PerSecond, (networkShares + 1) * rate.Burst}
	}
	return &l
}

// Of returns the client with a name, which belongs to the named network unless that is empty. Of a nil *Clients it
// returns nil, which has no limits.
func (c *Clients) Of(name, network string) *Client {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.all[name]; known != nil {
		return known
	}
	crowded := func() bool { n := c.networks[network]; return n != nil && n.members >= maxMembers }
	if crowded() && !(c.forget() && !crowded()) {
		above := c.networks[network]
		if above.rest == nil {
			above.rest = c.add(network, &c.limits, above)
		}
		return above.rest
	}
	if len(c.all)+len(c.networks) >= c.limits.Clients && !c.forget() {
		return c.others
	}
	var above *Client
	if network != "" {
		if above = c.networks[network]; above == nil {
			above = c.add(network, c.limits.ofNetwork(), nil)
			above.shares = networkShares
			c.networks[network] = above
		}
		above.members++
	}
	c.all[name] = c.add(name, &c.limits, above)
	return c.all[name]
}

// add returns a new client, or a network of clients.
func (c *Clients) add(name string, l *Limits, network *Client) *Client {
	now := time.Now()
	return &Client{name: name, clients: c, limits: l, shares: 1, network: network, held: map[Kind]int{}, requests: newBucket(l.Requests, now),
		messages: newBucket(l.Messages, now), bytes: newBucket(l.Bytes, now), events: newBucket(l.Bytes, now), openings: newBucket(l.Openings, now)}
}

// forget forgets the clients that hold nothing and have their full rates again, and reports
// whether there were any. It does so once a second. The caller holds mu.
func (c *Clients) forget() bool {
	now := time.Now()
	if now.Sub(c.forgot) < time.Second {
		return false
	}
	c.forgot = now
	before := len(c.all)
	for name, client := range c.all {
		if client.isIdle(now) {
			delete(c.all, name)
			if client.network != nil {
				client.network.members--
			}
		}
	}
	for name, network := range c.networks {
		if network.members == 0 && network.isIdle(now) {
			delete(c.networks, name)
		}
	}
	return len(c.all) < before
}

// Client is the share of a client. Its methods are safe for concurrent use.
type Client struct {
	name    string
	clients *Clients
	limits  *Limits
	shares  int     // of things: how many times the limits it may hold
	network *Client // whose shares it also takes from, or nil
	members int     // of a network: its clients in Clients.all, guarded by Clients.mu
	rest    *Client // of a network: all its other clients, or nil; guarded by Clients.mu

	// mu is locked before that of the network.
	mu       sync.Mutex
	held     map[Kind]int
	memory   int64
	requests bucket
	messages bucket
	bytes    bucket
	events   bucket
	openings bucket
}

// Kind is a kind of thing that a client can hold.
type Kind string

// The kinds of things, as messages name them.
const (
	Connection Kind = "connections"
	Socket     Kind = "pages"
	Room       Kind = "rooms"
	Change     Kind = "changes"
	Engine     Kind = "engines"
	Order      Kind = "matches and reviews"
	Picture    Kind = "pictures"
)

// Error is an error that a page tells apart by its code.
type Error struct{ code, message string }

// NewError returns an error with a code, and a message for people.
func NewError(code, message string) *Error { return &Error{code, message} }

// Error returns a message for people.
func (e *Error) Error() string { return e.message }

// Code returns the word for the error in the page's messages.
func (e *Error) Code() string { return e.code }

// The errors about limits of the server, and of a client's share. The page has a message for
// each.
var (
	ErrBoards      = NewError("boards", "too many boards are open: close another tab")
	ErrBoardShare  = NewError("boards-share", "too many boards are open at your address: close another tab")
	ErrEngines     = NewError("engines", "too many engines are running: close another tab")
	ErrEngineShare = NewError("engines-share", "too many engines are running for your address: close another tab")
	ErrOrderShare  = NewError("orders-share", "too many matches and reviews are running for your address: stop one of them")
	ErrRequests    = NewError("requests", "too many requests are waiting: try again later")
)

// limit returns the most things of a kind.
func (l *Limits) limit(kind Kind) int {
	return map[Kind]int{Connection: l.Connections, Socket: l.Sockets, Room: l.Rooms, Change: l.Changes, Engine: l.Engines, Order: l.Orders, Picture: l.Pictures}[kind]
}

// Take counts a thing, and reports whether the client may hold it. If so, call Give when it ends.
func (c *Client) Take(kind Kind) bool {
	if c == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[kind] >= c.shares*c.limits.limit(kind) || !c.network.Take(kind) {
		return false
	}
	c.held[kind]++
	return true
}

// Give returns a thing of Take.
func (c *Client) Give(kind Kind) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[kind]--
	c.network.Give(kind)
}

// Held returns the number of things of a kind that the client holds.
func (c *Client) Held(kind Kind) int {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held[kind]
}

// Name returns the name of the client. It is empty for nil, and for those who share a share because there are too many.
func (c *Client) Name() string {
	if c == nil {
		return ""
	}
	return c.name
}

// Network returns the network that the client belongs to, or else the client itself.
func (c *Client) Network() *Client {
	if c == nil || c.network == nil {
		return c
	}
	return c.network
}

// Hold counts bytes that the server keeps for the client, and reports whether it may. If so, call
// Release.
func (c *Client) Hold(bytes int) bool {
	if c == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := int64(bytes)
	if c.memory+n > c.limits.Memory {
		return false
	}
	if c.network != nil {
		if !c.network.Hold(bytes) {
			return false
		}
	} else if c.clients.memory.Add(n) > c.limits.AllMemory {
		c.clients.memory.Add(-n)
		return false
	}
	c.memory += n
	return true
}

// Release returns bytes of Hold.
func (c *Client) Release(bytes int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory -= int64(bytes)
	if c.network != nil {
		c.network.Release(bytes)
		return
	}
	c.clients.memory.Add(-int64(bytes))
}

// MayRequest counts an HTTP request, and reports whether it is within the rate.
func (c *Client) MayRequest() bool { return c.may(func(c *Client) *bucket { return &c.requests }) }

// MayOpenRoom counts an opened room, and reports whether it is within the rate.
func (c *Client) MayOpenRoom() bool { return c.may(func(c *Client) *bucket { return &c.openings }) }

func (c *Client) may(which func(*Client) *bucket) bool {
	if c == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	b := which(c)
	if b.refill(time.Now()); b.left < 1 || !c.network.may(which) {
		return false
	}
	b.left--
	return true
}

// The rates that slow a client down.
func messagesOf(c *Client) *bucket { return &c.messages }
func bytesOf(c *Client) *bucket    { return &c.bytes }
func eventsOf(c *Client) *bucket   { return &c.events }

// WaitMessage counts a message, and waits until it is within the rates.
func (c *Client) WaitMessage(ctx context.Context) error {
	return c.wait(ctx, func(now time.Time) time.Duration {
		return max(c.take(messagesOf, now, 1), c.take(bytesOf, now, 0))
	})
}

// WaitBytes counts bytes of a message, and waits until they are within the rate.
func (c *Client) WaitBytes(ctx context.Context, bytes int) error {
	return c.wait(ctx, func(now time.Time) time.Duration {
		return max(c.take(messagesOf, now, 0), c.take(bytesOf, now, float64(bytes)))
	})
}

// WaitEvent counts bytes of an event of a room that was sent, and waits until the next may follow. Others
// cause these events, so they delay none of the client's own messages.
func (c *Client) WaitEvent(ctx context.Context, bytes int) error {
	return c.wait(ctx, func(now time.Time) time.Duration { return c.take(eventsOf, now, float64(bytes)) })
}

// Count counts bytes without waiting. The next wait is longer.
func (c *Client) Count(bytes int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.take(bytesOf, time.Now(), float64(bytes))
}

// take takes an amount from one of the buckets of the client and of its network, and returns how long to wait for it.
// The caller holds mu.
func (c *Client) take(which func(*Client) *bucket, now time.Time, amount float64) time.Duration {
	taken, pause := which(c).take(now, amount)
	if n := c.network; n != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		pause = max(pause, n.take(which, now, taken))
	}
	return pause
}

// wait waits for as long as take returns.
func (c *Client) wait(ctx context.Context, take func(now time.Time) time.Duration) error {
	if c == nil {
		return ctx.Err()
	}
	c.mu.Lock()
	pause := take(time.Now())
	c.mu.Unlock()
	if pause <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Page is an open page of a client, which has a little of its own. Its methods are safe for concurrent
// use.
type Page struct {
	*Client // nil without limits

	mu       sync.Mutex // locked before that of the client
	messages bucket
	bytes    bucket
	memory   int64 // of its own
	shared   int64 // held in the client's share
}

// Page returns a new page of the client.
func (c *Client) Page() *Page {
	p := &Page{Client: c}
	if c != nil {
		now, own := time.Now(), &c.limits.Own
		p.messages, p.bytes = newBucket(own.Messages, now), newBucket(own.Bytes, now)
		p.messages.left, p.bytes.left = 0, 0 // so that it gains nothing who connects again and again
	}
	return p
}

// pays reports whether the page has messages and bytes of its own, and takes them.
func (p *Page) pays(messages, bytes float64) bool {
	if p.Client == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.messages.refill(now)
	p.bytes.refill(now)
	if p.messages.left < messages || p.bytes.left < bytes {
		return false
	}
	p.messages.left -= messages
	p.bytes.left -= bytes
	return true
}

// WaitMessage counts a message, and waits until it is within the rates.
func (p *Page) WaitMessage(ctx context.Context) error {
	if p.pays(1, 0) {
		return ctx.Err()
	}
	return p.Client.WaitMessage(ctx)
}

// WaitBytes counts bytes of a message, and waits until they are within the rate.
func (p *Page) WaitBytes(ctx context.Context, bytes int) error {
	if p.pays(0, float64(bytes)) {
		return ctx.Err()
	}
	return p.Client.WaitBytes(ctx, bytes)
}

// Count counts bytes without waiting. The next wait may be longer.
func (p *Page) Count(bytes int) {
	if !p.pays(0, float64(bytes)) {
		p.Client.Count(bytes)
	}
}

// Hold counts bytes that the server keeps for the page, and reports whether it may. If so, call
// Release.
func (p *Page) Hold(bytes int) bool {
	if p.Client == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch n := int64(bytes); {
	case p.memory+n <= p.limits.Own.Memory:
		p.memory += n
	case p.Client.Hold(bytes):
		p.shared += n
	default:
		return false
	}
	return true
}

// Release returns bytes of Hold, first those of the client's share.
func (p *Page) Release(bytes int) {
	if p.Client == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := min(int64(bytes), p.shared)
	p.shared -= n
	p.memory -= int64(bytes) - n
	p.Client.Release(int(n))
}

// harmless are the engine's options, in lower case, that need no memory and no processors, and name no file.
var harmless = []string{"bookdeviation", "moveoverhead", "multipv", "nodestime", "ownbook", "ponder", "rules", "search", "seed", "showwdl", "skill", "uci_elo", "uci_limitstrength"}

// MostOption returns the largest value that the client may choose for an engine's option, by the
// option's name, and whether it may choose any. Of an option that is not known here, nobody knows what it costs.
func (c *Client) MostOption(name string) (most int, offered bool) {
	switch name = strings.ToLower(name); {
	case c == nil || slices.Contains(harmless, name):
		return math.MaxInt, true
	case name == "hash":
		return c.limits.Hash, true
	case name == "threads":
		return c.limits.Threads, true
	}
	return 0, false
}

// isIdle reports whether the client holds nothing and has its full rates.
func (c *Client) isIdle(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.held {
		if n > 0 {
			return false
		}
	}
	for _, b := range []*bucket{&c.requests, &c.messages, &c.bytes, &c.events, &c.openings} {
		if b.refill(now); b.left < b.rate.Burst {
			return false
		}
	}
	return c.memory == 0
}

// bucket is a token bucket. It can be overdrawn, by as much as it holds.
type bucket struct {
	rate Rate
	left float64
	at   time.Time // of left
}

func newBucket(rate Rate, now time.Time) bucket { return bucket{rate, rate.Burst, now} }

func (b *bucket) refill(now time.Time) {
	if passed := now.Sub(b.at); passed > 0 {
		b.left = min(b.rate.Burst, b.left+passed.Seconds()*b.rate.PerSecond)
		b.at = now
	}
}

// take takes an amount, and returns how much of it the bucket had to give, and how long to wait for it.
func (b *bucket) take(now time.Time, amount float64) (taken float64, pause time.Duration) {
	b.refill(now)
	before := b.left
	b.left = max(b.left-amount, -b.rate.Burst)
	if b.left < 0 {
		pause = time.Duration(-b.left / b.rate.PerSecond * float64(time.Second))
	}
	return before - b.left, pause
}
