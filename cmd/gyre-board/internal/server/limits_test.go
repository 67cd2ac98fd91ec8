package server

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/webtest"
)

// TestNameOf tells clients apart, with and without proxies, and with forged headers.
func TestNameOf(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, test := range []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"a direct client", "192.0.2.1:1234", nil, "192.0.2.1"},
		{"a direct client that forges the header", "192.0.2.1:1234", []string{"198.51.100.7"}, "192.0.2.1"},
		{"a proxy", "127.0.0.1:1234", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a proxy without the header", "127.0.0.1:1234", nil, "127.0.0.1"},
		{"a client that forges the header behind a proxy", "127.0.0.1:1234", []string{"198.51.100.7, 192.0.2.1"}, "192.0.2.1"},
		{"the same in two lines", "127.0.0.1:1234", []string{"198.51.100.7", "192.0.2.1"}, "192.0.2.1"},
		{"a client that names a proxy", "127.0.0.1:1234", []string{"198.51.100.7, 10.1.1.1, 192.0.2.1"}, "192.0.2.1"},
		{"two proxies", "127.0.0.1:1234", []string{"192.0.2.1, 10.1.1.1"}, "192.0.2.1"},
		{"words instead of an address", "127.0.0.1:1234", []string{"192.0.2.1, unknown"}, "127.0.0.1"},
		{"an empty header", "127.0.0.1:1234", []string{""}, "127.0.0.1"},
		{"a port", "127.0.0.1:1234", []string{"192.0.2.1:99"}, "192.0.2.1"},
		{"an IPv6 client", "[2001:db8:1:2:3:4:5:6]:1234", nil, "2001:db8:1:2::/64"},
		{"its neighbor", "[2001:db8:1:2:9::1]:1234", nil, "2001:db8:1:2::/64"},
		{"another network", "[2001:db8:1:3::1]:1234", nil, "2001:db8:1:3::/64"},
		{"a zone", "[fe80::1%eth0]:1234", nil, "fe80::/64"},
		{"IPv4 in IPv6", "[::ffff:192.0.2.1]:1234", nil, "192.0.2.1"},
		{"a proxy as IPv4 in IPv6", "[::ffff:127.0.0.1]:1234", []string{"[2001:db8::1]:80"}, "2001:db8::/64"},
	} {
		got, network := nameOf(test.remote, test.forwarded, proxies)
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		want := ""
		if at, err := netip.ParsePrefix(got); err == nil {
			want = netip.PrefixFrom(at.Addr(), customerBits).Masked().String()
		}
		if network != want {
			t.Errorf("%s: of the network %q, want %q", test.name, network, want)
		}
	}
}

// raw is a connection whose bytes the test writes itself.
type raw struct {
	net.Conn
	in *bufio.Reader
}

// connect opens a connection to the server.
func (b *board) connect() *raw {
	b.t.Helper()
	conn, err := net.Dial("tcp", b.host)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(mostWait))
	return &raw{conn, bufio.NewReader(conn)}
}

// handshake returns the request of a WebSocket with more header lines.
func handshake(host, token string, header ...string) string {
	lines := append([]string{"GET /socket HTTP/1.1", "Host: " + host, "Connection: Upgrade", "Upgrade: websocket",
		"Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: gyre, token." + token}, header...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// upgrade requests a WebSocket with more header lines, and returns it and the status of the answer.
func (b *board) upgrade(token string, header ...string) (*raw, int) {
	b.t.Helper()
	c := b.connect()
	if _, err := io.WriteString(c, handshake(b.host, token, header...)); err != nil {
		b.t.Fatal(err)
	}
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return c, 0
	}
	return c, response.StatusCode
}

// The operations of frames.
const (
	opMore   = 0x0
	opText   = 0x1
	opBinary = 0x2
	opClose  = 0x8
	opPing   = 0x9
	opPong   = 0xa
	final    = 0x80
)

// masked returns the bytes of a client's frame whose mask is zero. A size of -1 stands for that of the payload.
func masked(op byte, size int64, payload string) string {
	if size < 0 {
		size = int64(len(payload))
	}
	head, mask := []byte{op, 0x80 | 127}, []byte{0, 0, 0, 0}
	switch {
	case size < 126:
		head[1] = 0x80 | byte(size)
	case size <= math.MaxUint16:
		head[1] = 0x80 | 126
		head = binary.BigEndian.AppendUint16(head, uint16(size))
	default:
		head = binary.BigEndian.AppendUint64(head, uint64(size))
	}
	return string(append(head, mask...)) + payload
}

// frame writes a frame.
func (c *raw) frame(op byte, payload []byte) error {
	_, err := io.WriteString(c, masked(op, -1, string(payload)))
	return err
}

// next reads a frame, and returns its operation and its payload.
func (c *raw) next() (op byte, payload []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return 0, nil, err
	}
	size := int(head[1] & 0x7f)
	switch size {
	case 126:
		var long [2]byte
		_, _ = io.ReadFull(c.in, long[:])
		size = int(binary.BigEndian.Uint16(long[:]))
	case 127:
		var long [8]byte
		_, _ = io.ReadFull(c.in, long[:])
		size = int(binary.BigEndian.Uint64(long[:]))
	}
	payload = make([]byte, size)
	_, err = io.ReadFull(c.in, payload)
	return head[0] & 0xf, payload, err
}

// closed reads frames until the server closes the connection, and returns the code and the reason.
func (c *raw) closed() (code int, reason string) {
	for {
		op, payload, err := c.next()
		if err != nil {
			return 0, err.Error()
		}
		if op == opClose && len(payload) >= 2 {
			return int(binary.BigEndian.Uint16(payload)), string(payload[2:])
		}
	}
}

// proxied trusts this machine as a proxy.
var proxied = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// from returns the header line of a client behind the proxy.
func from(address string) string { return "X-Forwarded-For: 203.0.113.99, " + address }

// TestSocketShare opens sockets as one client until the server refuses. Another client still gets
// one, and a forged address does not help.
func TestSocketShare(t *testing.T) {
	limits := clients.Default
	limits.Sockets = 3
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied)
	token := b.token()
	for n := range 5 {
		c, status := b.upgrade(token, from("192.0.2.1"))
		if status != http.StatusSwitchingProtocols {
			t.Fatalf("socket %d: status %d", n, status)
		}
		if n < limits.Sockets {
			b.greet(c)
			continue
		}
		if code, reason := c.closed(); code != int(websocket.StatusTryAgainLater) || reason != clients.ErrBoardShare.Code() {
			t.Errorf("socket %d was closed with %d %s", n, code, reason)
		}
	}
	other, _ := b.upgrade(token, from("192.0.2.2"))
	b.greet(other)
}

// greet waits for an answer: the server has let the page in.
func (b *board) greet(c *raw) {
	b.t.Helper()
	if err := c.frame(final|opText, []byte(`{"id":1,"do":"hello"}`)); err != nil {
		b.t.Fatal(err)
	}
	if first, err := c.in.Peek(1); err != nil || first[0] != final|opText {
		b.t.Fatalf("the page gets %x, %v", first, err)
	}
}

// TestForgedAddress sends X-Forwarded-For from an address that is no proxy. All sockets are of one
// client.
func TestForgedAddress(t *testing.T) {
	limits := clients.Default
	limits.Sockets = 3
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), nil)
	token := b.token()
	for n := range 4 {
		c, _ := b.upgrade(token, from(fmt.Sprintf("192.0.2.%d", n)))
		if n < limits.Sockets {
			b.greet(c)
		} else if code, _ := c.closed(); code != int(websocket.StatusTryAgainLater) {
			t.Errorf("socket %d was closed with %d", n, code)
		}
	}
}

// TestUnnamedProxy forwards requests as a proxy on this machine that no flag names. The operator is
// told once.
func TestUnnamedProxy(t *testing.T) {
	for _, test := range []struct {
		proxies []netip.Prefix
		want    int
	}{{nil, 1}, {proxied, 0}} {
		b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(clients.Default), test.proxies)
		var told []error
		b.server.Warn = func(err error) { told = append(told, err) }
		for range 3 {
			b.get("/", "X-Forwarded-For: 192.0.2.1")
		}
		if len(told) != test.want {
			t.Errorf("with the proxies %v the operator was told %v", test.proxies, told)
		}
	}
}

// TestConnectionShare opens connections without a request. The server closes those that are too
// many, and serves others again when they end.
func TestConnectionShare(t *testing.T) {
	limits := clients.Default
	limits.Connections = 10
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), nil)
	var open []*raw
	for range limits.Connections {
		open = append(open, b.connect())
	}
	if _, err := b.connect().in.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("one connection too many: %v", err)
	}
	for _, c := range open {
		_ = c.Close()
	}
	deadline := time.Now().Add(mostWait)
	for {
		response, err := http.Get(b.http.URL + "/token")
		if err == nil {
			_ = response.Body.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after they were closed: %v", err)
		}
	}
}

// TestRequestRate requests the page too often. Another client is served.
func TestRequestRate(t *testing.T) {
	limits := clients.Default
	limits.Requests = clients.Rate{PerSecond: 1e-6, Burst: 20}
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied)
	for n := range 21 {
		want := http.StatusOK
		if n == 20 {
			want = http.StatusTooManyRequests
		}
		if response, _ := b.get("/", "X-Forwarded-For: 192.0.2.1"); response.StatusCode != want {
			t.Errorf("request %d: status %d", n, response.StatusCode)
		}
	}
	if response, _ := b.get("/", "X-Forwarded-For: 192.0.2.2"); response.StatusCode != http.StatusOK {
		t.Errorf("another client: status %d", response.StatusCode)
	}
}

// TestRoomShare opens rooms as one client, which gets its share. An honest client's room, opened
// before, stays open.
func TestRoomShare(t *testing.T) {
	limits := clients.Default
	limits.Rooms, limits.Openings = 5, clients.Rate{PerSecond: 1e-6, Burst: 30}
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied)
	honest, flooder := b.openAs("192.0.2.1"), b.openAs("192.0.2.2")
	var keys struct{ Room string }
	b.decode(honest.order(`"do":"host","rules":"blitz"`).OK, &keys)
	var rooms []string
	opened, codes := 0, map[string]int{}
	for range 100 {
		m := flooder.ask(`"do":"host","rules":"blitz"`)
		if m.Error != nil {
			codes[m.Error.Code]++
			continue
		}
		var own struct{ Room string }
		b.decode(m.OK, &own)
		rooms = append(rooms, own.Room)
		opened++
	}
	if opened != 30 || codes["room-share"] != 70 {
		t.Errorf("%d rooms were opened; errors %v", opened, codes)
	}
	left := 0
	for _, room := range rooms {
		if m := flooder.ask(fmt.Sprintf(`"do":"enter","room":%q`, room)); m.Error == nil {
			left++
			flooder.order(fmt.Sprintf(`"do":"leave","room":%q`, room))
		}
	}
	if left != limits.Rooms {
		t.Errorf("%d rooms of the flooder are open, want %d", left, limits.Rooms)
	}
	honest.order(fmt.Sprintf(`"do":"enter","room":%q`, keys.Room))
}

// TestMessageRate floods a socket with messages and with pings. The server reads them no faster
// than the rate.
func TestMessageRate(t *testing.T) {
	for _, test := range []struct {
		name    string
		op      byte
		payload []byte
		most    int // messages, in the buffers of the system and within the rate
	}{
		{"messages", final | opText, []byte(`{"id":1,"do":"hello","pad":"` + strings.Repeat("x", 8000) + `"}`), 3000},
		{"pings", final | opPing, make([]byte, 125), 100_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			limits := clients.Default
			limits.Messages = clients.Rate{PerSecond: 1, Burst: 100}
			b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied)
			c, _ := b.upgrade(b.token(), from("192.0.2.1"))
			var answers sync.WaitGroup
			answers.Go(func() { _, _ = io.Copy(io.Discard, c.in) })
			_ = c.SetDeadline(time.Now().Add(2 * time.Second))
			written := 0
			for c.frame(test.op, test.payload) == nil {
				written++
			}
			if written > test.most {
				t.Errorf("the server took %d messages", written)
			}
			_ = c.Close()
			answers.Wait()
		})
	}
}

// TestEmptyFrames floods a socket with frames that hold nothing. Their bytes count.
func TestEmptyFrames(t *testing.T) {
	t.Parallel()
	limits := clients.Default
	limits.Bytes = clients.Rate{PerSecond: 1000, Burst: 10_000}
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied)
	c, _ := b.upgrade(b.token(), from("192.0.2.1"))
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	_ = c.frame(opText, []byte("{"))
	frames := make([]byte, 6000)
	for i := 0; i < len(frames); i += 6 {
		frames[i+1] = 0x80 // continued, empty and masked
	}
	written := 0
	for {
		n, err := c.Write(frames)
		if written += n; err != nil {
			break
		}
	}
	// What was written is in the buffers of the system, or was read within the rate.
	if written > 20<<20 {
		t.Errorf("the server took %d bytes", written)
	}
}

// TestUnfinishedMessages sends messages without an end on many sockets. The server keeps no more of
// them than the client's share, and an honest client can send a long message.
func TestUnfinishedMessages(t *testing.T) {
	t.Parallel()
	limits := clients.Default
	limits.Memory, limits.Bytes = 1<<20, clients.Rate{PerSecond: 1e9, Burst: 1e9}
	bounds := session.DefaultBounds
	bounds.Sessions = 100
	b := newLimitedBoard(t, patient, bounds, clients.New(limits), proxied)
	token := b.token()
	const sockets = 20
	dropped := 0
	var mu sync.Mutex
	var all sync.WaitGroup
	for range sockets {
		c, _ := b.upgrade(token, from("192.0.2.1"))
		all.Go(func() {
			_ = c.frame(opText, []byte(`{"id":1,"text":"`))
			for range 16 {
				_ = c.frame(opMore, make([]byte, 16<<10))
			}
			_ = c.SetDeadline(time.Now().Add(3 * time.Second))
			if _, reason := c.closed(); !strings.Contains(reason, "timeout") {
				mu.Lock()
				defer mu.Unlock()
				dropped++
			}
		})
	}
	all.Wait()
	// 256 kB each: at most four of them fit.
	if dropped < sockets-4 {
		t.Errorf("%d of %d sockets were dropped", dropped, sockets)
	}
	honest := b.openAs("192.0.2.2")
	if m := honest.ask(`"do":"read","text":"` + strings.Repeat("x", 300_000) + `"`); m.Error == nil {
		t.Errorf("an honest client: %.200s", m.text)
	}
}

// TestDeafPage sends requests with long answers and does not read them. The server keeps no more
// than the client's share.
func TestDeafPage(t *testing.T) {
	t.Parallel()
	limits := clients.Default
	fast := clients.Rate{PerSecond: 1e9, Burst: 1e9}
	limits.Memory, limits.Messages, limits.Bytes = 64<<10, fast, fast
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied)
	c, _ := b.upgrade(b.token(), from("192.0.2.1"))
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4096)
	}
	openings := []byte(`{"id":1,"do":"openings","path":{"turns":["f6","e5","a2","b1"]}}`)
	var err error
	for n := 0; err == nil; n++ {
		err = c.frame(final|opText, openings)
		if n >= 1000 {
			time.Sleep(time.Millisecond) // the server waits for the end of the closing handshake
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the server keeps the answers for a page that does not read")
	}
}

// TestEngineShare starts engines as one client. Another still gets one.
func TestEngineShare(t *testing.T) {
	limits := clients.Default
	limits.Engines = 1
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied, enginetest.Good)
	p, q := b.openAs("192.0.2.1"), b.openAs("192.0.2.2")
	p.order(`"do":"engine","engine":"Gyre"`)
	if m := p.ask(`"do":"engine","engine":"good"`); m.Error == nil || !strings.Contains(m.Error.Message, "your address") {
		t.Errorf("the second engine: %s", m.text)
	}
	q.order(`"do":"engine","engine":"good"`)
}

// TestOrderShare starts matches as one client. Another still gets one.
func TestOrderShare(t *testing.T) {
	limits := clients.Default
	limits.Orders = 2
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(limits), proxied)
	p, q := b.openAs("192.0.2.1"), b.openAs("192.0.2.2")
	match := func(search int) string {
		return fmt.Sprintf(`"do":"match","search":%d,"players":[{"engine":"Gyre"},{"engine":"Gyre"}],"rules":"blitz","limits":{"nodes":1},"games":2000,"seed":1`, search)
	}
	p.order(match(1))
	p.order(match(2))
	if m := p.ask(match(3)); m.Error == nil || !strings.Contains(m.Error.Message, "your address") {
		t.Errorf("the third match: %s", m.text)
	}
	q.order(match(1))
	p.order(`"do":"stop","search":1`)
	p.end(1)
	deadline := time.Now().Add(mostWait)
	for p.ask(match(4)).Error != nil {
		if time.Now().After(deadline) {
			t.Fatal("no match can start after one has ended")
		}
	}
}

// TestGuestOptions sets the options of an engine as a client with limits.
func TestGuestOptions(t *testing.T) {
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(clients.Default), proxied)
	p := b.openAs("192.0.2.1")
	if m := p.order(`"do":"engine","engine":"Gyre"`); !strings.Contains(m.text, `"name":"Hash","type":"spin","default":"64","min":1,"max":128`) {
		t.Errorf("the page sees %s", m.text)
	}
	for search, test := range []struct{ options, event string }{
		{`{"Hash":128,"Threads":1}`, "best"},
		{`{"hash":129}`, "failed"},
		{`{"Hash":20000}`, "failed"},
		{`{"THREADS":2}`, "failed"},
		{`{"EvalFile":"/etc/passwd"}`, "failed"},
		{`{"BookFile":"/etc/passwd"}`, "failed"},
	} {
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"Gyre",%s,"limits":{"nodes":50},"options":%s`, search+1, start, test.options))
		if end := p.end(search + 1); end.Event != test.event || end.Lost {
			t.Errorf("%s: it ended with %s", test.options, end.text)
		}
	}
}

// TestTimeLimits holds connections open at each stage of a request.
func TestTimeLimits(t *testing.T) {
	webtest.TimeLimits(t, func(h http.Handler) *http.Server { return (&Server{handler: h}).Web() })
}

// decode decodes an answer.
func (b *board) decode(text []byte, into any) {
	b.t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		b.t.Fatal(err)
	}
}
