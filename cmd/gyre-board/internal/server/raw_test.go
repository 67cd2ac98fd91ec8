package server

import (
	"bufio"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/webtest"
)

var crowd = flag.Int("crowd", 1000, "open `N` connections from one address in TestRawClients")

// club is a server with rooms in memory, whose time is that of a bubble.
type club struct {
	t      *testing.T
	server *Server
	pipes  *webtest.Pipes
	shares *clients.Clients
	rooms  *rooms.Rooms
}

// clubHost is the name of the server.
const clubHost = "club.example:80"

// openClub starts a server with the usual limits, and returns what ends it.
func openClub(t *testing.T) (c *club, end func()) {
	t.Helper()
	open, err := rooms.Open(filepath.Join(t.TempDir(), "games.txt"), rooms.DefaultBounds, rooms.Secrets{Key: rand.Text}, func(err error) { t.Log(err) })
	if err != nil {
		t.Fatal(err)
	}
	bounds := session.DefaultBounds
	bounds.Sessions = 3000
	hub := session.NewHub("1.0", nil, bounds, patient)
	hub.WithRooms(open)
	c = &club{t: t, pipes: webtest.NewPipes(), shares: clients.New(clients.Default), rooms: open}
	if c.server, err = New(pageFiles(), []string{clubHost}, nil, hub, c.shares, nil); err != nil {
		t.Fatal(err)
	}
	web := c.server.Web()
	go func() { _ = web.Serve(c.server.Listener(c.pipes)) }()
	return c, func() {
		_ = web.Close()
		c.server.Close()
		_ = open.Close()
	}
}

// dial connects from an address.
func (c *club) dial(from string) *raw {
	c.t.Helper()
	conn, err := c.pipes.Dial(from + ":1")
	if err != nil {
		c.t.Fatal(err)
	}
	return &raw{conn, bufio.NewReader(conn)}
}

// enter opens a page, which answers pings as browsers do, and enters a room. The returned channel receives what it hears.
func (c *club) enter(from, room, key string) (page *raw, hears chan string) {
	c.t.Helper()
	page, hears = c.dial(from), make(chan string, 1000)
	if _, err := io.WriteString(page, handshake(clubHost, string(c.server.token))); err != nil {
		c.t.Fatal(err)
	}
	if response, err := http.ReadResponse(page.in, nil); err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		c.t.Fatalf("a page is refused: %v, %v", response, err)
	}
	go page.listen(hears)
	c.say(page, fmt.Sprintf(`{"id":1,"do":"enter","room":%q,"key":%q}`, room, key))
	return page, hears
}

// listen answers pings until the connection ends, and passes messages on unless hears is nil.
func (c *raw) listen(hears chan string) {
	pongs := make(chan []byte, 100)
	defer close(pongs)
	go func() {
		for payload := range pongs {
			_ = c.frame(final|opPong, payload)
		}
	}()
	for {
		op, payload, err := c.next()
		switch {
		case err != nil:
			return
		case op == opPing:
			pongs <- payload
		case op == opText && hears != nil:
			hears <- string(payload)
		}
	}
}

// say sends a message.
func (c *club) say(page *raw, message string) {
	c.t.Helper()
	if err := page.frame(final|opText, []byte(message)); err != nil {
		c.t.Errorf("a player cannot send: %v", err)
	}
}

// TestRawClients lets clients of one address send what no browser sends. Two players of another address play on without a
// delay, the server ends each connection in time, and nothing of it is left.
func TestRawClients(t *testing.T) {
	const hello = `{"id":1,"do":"hello"}`
	const slack = 15 * time.Second // for closing handshakes
	const unanswered = pingEvery + pingLimit
	type sending func(c *raw, token string, n int) // of connection n
	cut := func(first int, after func(token string) string) sending {
		return func(c *raw, token string, n int) { _, _ = io.WriteString(c, after(token)[:first+n]) }
	}
	request := func(token string) string { return handshake(clubHost, token) }
	then := func(text string) sending {
		return func(c *raw, token string, _ int) { _, _ = io.WriteString(c, request(token)+text) }
	}
	endless := func(first func(token string) string, pause time.Duration, text string) sending {
		return func(c *raw, token string, _ int) {
			_, err := io.WriteString(c, first(token))
			for err == nil {
				time.Sleep(pause)
				_, err = io.WriteString(c, text)
			}
		}
	}
	begun := func(token string) string { return request(token) + masked(opText, -1, "{") }
	message := masked(final|opText, -1, hello)
	type reading int
	const (
		everything reading = iota
		withPongs          // and answer pings
		theAnswer          // to the handshake
		nothing
	)
	const never = -1
	const fast, slow = 10 * time.Millisecond, time.Second
	length := len(request(rand.Text()))
	for _, test := range []struct {
		name   string
		count  int
		send   sending
		reads  reading       // what the clients read
		within time.Duration // until the server has ended all connections, or never
	}{
		{"handshakes cut at every byte", length / 2, cut(0, request), everything, headerLimit},
		{"handshakes cut at every later byte", length - length/2, cut(length/2, request), everything, headerLimit},
		{"messages cut at every byte", len(message), cut(length, func(token string) string { return request(token) + message }), everything, unanswered},
		{"long messages cut at every byte", 20, cut(length, func(token string) string {
			return request(token) + masked(final|opText, -1, strings.Repeat(" ", 1<<16))
		}), everything, unanswered},
		{"headers that drip", 50, endless(func(string) string { return "GET /socket HTTP/1.1\r\n" }, slow, "X"), everything, headerLimit},
		{"no mask", 5, then("\x81\x02{}"), everything, 0},
		{"reserved bits", 5, then(masked(0xf0|opText, -1, hello)), everything, 0},
		{"an unknown operation", 5, then(masked(final|0x3, -1, hello)), everything, 0},
		{"an unknown control operation", 5, then(masked(final|0xb, -1, "")), everything, 0},
		{"a long ping", 5, then(masked(final|opPing, -1, strings.Repeat("x", 126))), everything, 0},
		{"half a ping", 5, then(masked(opPing, -1, "x")), everything, 0},
		{"a continuation of nothing", 5, then(masked(final|opMore, -1, hello)), everything, 0},
		{"a message in a message", 5, then(masked(opText, -1, "{") + message), everything, 0},
		{"a message that is not text", 5, then(masked(final|opBinary, -1, hello)), everything, 0},
		{"a message of 2^62 bytes", 5, then(masked(final|opText, 1<<62, "{")), everything, unanswered},
		{"a message of 2^63 bytes", 5, then("\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00{"), everything, 0},
		{"a close frame of one byte", 5, then(masked(final|opClose, -1, "x")), everything, 0},
		{"a close frame with a wrong code", 5, then(masked(final|opClose, -1, "\x00\x01")), everything, 0},
		{"half a close frame", 5, then(masked(final|opClose, 10, "\x03")), everything, unanswered},
		{"noise", 50, func(c *raw, token string, n int) {
			noise := make([]byte, 300)
			for i := range noise {
				noise[i] = byte(n*7919 + i*i*31 + i>>3)
			}
			_, _ = io.WriteString(c, request(token)+string(noise))
		}, everything, unanswered},
		{"a message without an end, a byte a second", 20, endless(begun, slow, masked(opMore, -1, " ")), withPongs, messageLimit},
		{"a message without an end", 20, endless(begun, fast, masked(opMore, -1, strings.Repeat(" ", 1000))), withPongs, messageLimit},
		{"a message of empty frames", 20, endless(begun, fast, masked(opMore, -1, "")), withPongs, messageLimit},
		{"a frame without an end", 20, endless(func(token string) string { return request(token) + masked(final|opText, 1<<20, "{") }, slow, " "), everything, messageLimit},
		{"pings without an end", 20, endless(request, fast, masked(final|opPing, -1, "x")), everything, unanswered},
		{"pongs without an end", 20, endless(request, fast, masked(final|opPong, -1, "x")), everything, unanswered},
		{"messages without an end", 20, endless(request, fast, message), everything, unanswered},
		{"pings without an end of a page", 20, endless(request, fast, masked(final|opPing, -1, "x")), withPongs, never},
		{"messages without an end of a page", 20, endless(request, fast, message), withPongs, never},
		{"answers that nobody reads", 20, endless(request, fast, message), theAnswer, unanswered},
		{"pings whose answers nobody reads", 20, endless(request, fast, masked(final|opPing, -1, "x")), theAnswer, unanswered},
		{"handshakes whose answers nobody reads", 20, then(""), nothing, answerLimit},
		{"a crowd without a request", *crowd, func(*raw, string, int) {}, everything, headerLimit},
		{"a crowd of pages", *crowd, then(message), everything, unanswered},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, end := openClub(t)
				keys, err := c.rooms.Create(rooms.Terms{Rules: "blitz"}, nil)
				if err != nil {
					t.Fatal(err)
				}
				players := [2]*raw{}
				hears := [2]chan string{}
				for side, key := range []string{keys.Seats.White, keys.Seats.Black} {
					players[side], hears[side] = c.enter("192.0.2.1", keys.Room, key)
				}
				turns := []string{"f6", "e5", "e4", "f7", "d4", "g8", "c3"}
				play := func(ply int) {
					began := time.Now()
					c.say(players[ply%2], fmt.Sprintf(`{"id":2,"do":"play","room":%q,"key":%q,"ply":%d,"turn":%q}`,
						keys.Room, []string{keys.Seats.White, keys.Seats.Black}[ply%2], ply, turns[ply]))
					for side := range players {
						for text := ""; !strings.Contains(text, `"`+turns[ply]+`"]`); {
							select {
							case text = <-hears[side]:
							case <-time.After(time.Hour):
								t.Fatalf("the turn %s is not shown", turns[ply])
							}
						}
					}
					if took := time.Since(began); took > time.Second {
						t.Errorf("the turn %s is shown after %v", turns[ply], took)
					}
				}
				play(0)
				synctest.Wait()
				before, opened := runtime.NumGoroutine(), time.Now()
				const address = "192.0.2.66"
				all := make([]*raw, test.count)
				var ending sync.WaitGroup
				for n := range all {
					conn := c.dial(address)
					all[n] = conn
					ending.Go(func() {
						switch test.reads {
						case everything:
							_, _ = io.Copy(io.Discard, conn.in)
						case withPongs:
							if _, err := http.ReadResponse(conn.in, nil); err == nil {
								conn.listen(nil)
							}
						case theAnswer:
							_, _ = http.ReadResponse(conn.in, nil)
						}
					})
					ending.Go(func() { test.send(conn, string(c.server.token), n) })
				}
				ended := make(chan time.Time, 1)
				go func() {
					ending.Wait()
					ended <- time.Now()
				}()
				for ply := 1; ply < len(turns); ply++ {
					time.Sleep((test.within + slack) / time.Duration(len(turns)))
					play(ply)
				}
				if test.within != never {
					select {
					case at := <-ended:
						if took := at.Sub(opened); took > test.within+slack {
							t.Errorf("the server ends the last connection after %v", took)
						}
					case <-time.After(10 * time.Minute):
						t.Error("the server does not end the connections")
					}
				}
				for _, conn := range all {
					_ = conn.Close()
				}
				time.Sleep(slack)
				synctest.Wait()
				// Some that finalize garbage may run just now.
				if left := runtime.NumGoroutine() - before; left > test.count/2 {
					t.Errorf("%d goroutines are left of %d connections", left, test.count)
				}
				client := c.shares.Of(address, "")
				if connections, pages := client.Held(clients.Connection), client.Held(clients.Socket); connections+pages > 0 || !client.Hold(int(clients.Default.Memory)) {
					t.Errorf("the client still holds %d connections and %d pages, or memory", connections, pages)
				}
				for _, player := range players {
					_ = player.Close()
				}
				end()
			})
		})
	}
}

// TestHalfClosed ends the client's half of a connection after each byte of a handshake and a message. The server then ends
// the connection, and nothing of it is left.
func TestHalfClosed(t *testing.T) {
	b := newLimitedBoard(t, patient, session.DefaultBounds, clients.New(clients.Default), nil)
	text := handshake(b.host, b.token()) + masked(final|opText, -1, `{"id":1,"do":"hello"}`)
	http.DefaultClient.CloseIdleConnections()
	for n := range len(text) + 1 {
		c := b.connect()
		if _, err := io.WriteString(c, text[:n]); err != nil {
			t.Fatal(err)
		}
		if err := c.Conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c.in); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after %d bytes the connection stays open", n)
		}
		_ = c.Close()
	}
}
