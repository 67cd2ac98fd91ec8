package hub

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"gyre/bench/hub/internal/wire"
)

// standIn is a NATS server for one client with one subscription, in whose connection each request gets the reply of a function.
type standIn struct {
	mu      sync.Mutex
	stalled bool // whether it answers no PING, as over a slow line
	// reply returns the reply to a request with a subject, which goes to another one, and how long it takes; empty for none.
	reply func(subject, to string) (text string, takes time.Duration)
	// receive, if not nil, gets each request before that.
	receive func(subject string, data []byte)
}

func (s *standIn) Credentials() ([]nats.Option, error) { return nil, nil }

func (s *standIn) InProcessConn() (net.Conn, error) {
	here, there := net.Pipe()
	go s.serve(here)
	return there, nil
}

// serve speaks the NATS protocol with the client.
func (s *standIn) serve(conn net.Conn) {
	var sending sync.WaitGroup
	defer sending.Wait()
	ended := make(chan struct{})
	defer close(ended)
	defer conn.Close()
	send := func(format string, arguments ...any) {
		s.mu.Lock()
		defer s.mu.Unlock()
		fmt.Fprintf(conn, format, arguments...)
	}
	send("INFO {\"server_id\":\"standIn\",\"version\":\"2.10.0\",\"proto\":1,\"max_payload\":%d}\r\n", wire.MaxPayload)
	in, id := bufio.NewReader(conn), ""
	for {
		line, err := in.ReadString('\n')
		words := strings.Fields(line)
		if err != nil || len(words) == 0 {
			return
		}
		switch words[0] {
		case "PING":
			s.mu.Lock()
			stalled := s.stalled
			s.mu.Unlock()
			if !stalled {
				send("PONG\r\n")
			}
		case "SUB":
			id = words[2]
		case "PUB":
			size := 0
			fmt.Sscan(words[len(words)-1], &size)
			data := make([]byte, size+len("\r\n"))
			if _, err := io.ReadFull(in, data); err != nil {
				return
			}
			if s.receive != nil {
				s.receive(words[1], data[:size])
			}
			if text, takes := s.reply(words[1], words[2]); text != "" {
				sending.Go(func() {
					select {
					case <-time.After(takes):
					case <-ended:
						return
					}
					send("MSG %s %s %d\r\n%s\r\n", words[2], id, len(text), text)
				})
			}
		}
	}
}

// TestDroppedRequests drops the first request to each service. A second one is sent under the same identity before the client
// gives up, if it is harmless and the line is not slow.
func TestDroppedRequests(t *testing.T) {
	blob := &Blob{SHA256: strings.Repeat("0", 64), Size: 1}
	control := func(s wire.Service) func(context.Context, *Hub) error {
		return func(ctx context.Context, h *Hub) error {
			_, err := h.control(ctx, s, &controlMessage{Name: "m"})
			return err
		}
	}
	all := map[wire.Service]struct {
		once bool // whether the request is sent only once
		do   func(context.Context, *Hub) error
	}{
		wire.Hello: {do: func(context.Context, *Hub) error { return nil }}, // by Connect
		wire.Join:  {do: func(ctx context.Context, h *Hub) error { return join(ctx, h, "me", WorkerStatus{}) }},
		wire.Get: {do: func(ctx context.Context, h *Hub) error {
			_, err := h.receiveFile(ctx, blob, 0, io.Discard)
			return err
		}},
		wire.Put: {do: func(ctx context.Context, h *Hub) error { return h.putBlob(ctx, "me", blob, false) }},
		wire.Report: {once: true, do: func(ctx context.Context, h *Hub) error {
			_, err := h.ask(ctx, wire.Report, h.token(), &wire.ReportRequest{Key: "m"}, nil, &wire.ReportReply{})
			return err
		}},
		wire.Blame:     {once: true, do: func(ctx context.Context, h *Hub) error { return addFault(ctx, h, "attic", errors.New("a lie")) }},
		wire.Unsuspend: {once: true, do: func(ctx context.Context, h *Hub) error { return h.Unsuspend(ctx, "attic") }},
		wire.Speed: {do: func(ctx context.Context, h *Hub) error {
			_, err := h.ask(ctx, wire.Speed, h.token(), &wire.SpeedRequest{}, nil, &wire.SpeedReply{})
			return err
		}},
		wire.Status: {do: func(ctx context.Context, h *Hub) error { _, err := h.Status(ctx); return err }},
	}
	for _, s := range wire.Detached {
		all[s] = struct {
			once bool
			do   func(context.Context, *Hub) error
		}{do: control(s)}
	}
	for _, role := range []Role{ForWorker, ForMatch} {
		for _, s := range role.Services() {
			if all[s].do == nil {
				t.Errorf("no request to %s is tested", s)
			}
		}
	}
	for s, test := range all {
		for _, stalled := range []bool{false, true} {
			if stalled && s == wire.Hello { // nobody connects then
				continue
			}
			t.Run(fmt.Sprintf("%s, stalled: %v", s, stalled), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var sent []string // the subjects for the replies to requests to the service
					d := &standIn{}
					d.reply = func(subject, to string) (string, time.Duration) {
						if strings.Split(subject, ".")[2] == string(s) {
							if sent = append(sent, to); len(sent) == 1 {
								return "", 0
							}
						}
						return fmt.Sprintf(`{"version":%d,"found":true}`+"\n", wire.Version), 0
					}
					began := time.Now()
					h := connectTo(t.Context(), t, Address{Server: d, Name: "me"})
					if s != wire.Hello {
						began = time.Now()
					}
					d.mu.Lock()
					d.stalled = stalled
					d.mu.Unlock()
					err := test.do(t.Context(), h)
					took := time.Since(began)
					synctest.Wait()
					switch {
					case test.once || stalled:
						if err == nil || len(sent) != 1 {
							t.Errorf("%d requests, %v", len(sent), err)
						}
					case err != nil || len(sent) != 2 || sent[0] != sent[1] || took > 2*repeatInterval:
						t.Errorf("requests with replies to %q took %v, %v", sent, took, err)
					}
				})
			})
		}
	}
}

// live is a desk whose dispatcher runs over a stand-in for a hub.
type live struct {
	*desk
	units    chan *unit
	messages chan delivery
	replies  chan string // the workers that get them
	ended    chan error
	began    time.Time
}

// newLive returns a desk with the workers liar and honest. takes says how long the hub takes to reply to a request to a service.
func newLive(ctx context.Context, t *testing.T, takes func(wire.Service) time.Duration, blobs ...*Blob) *live {
	d := &live{desk: newDesk(t, "liar", "honest"), units: make(chan *unit), messages: make(chan delivery), replies: make(chan string, 100), ended: make(chan error, 1)}
	s := &standIn{reply: func(subject, _ string) (string, time.Duration) {
		words := strings.Split(subject, ".")
		if words[1] == "to" {
			d.replies <- words[2]
			return "", 0
		}
		return fmt.Sprintf(`{"version":%d,"found":true,"limit":-1,"workers":{"liar":{"slots":2},"honest":{"slots":2}}}`, wire.Version), takes(wire.Service(words[2]))
	}}
	d.hub, d.blobs, d.began = connectTo(t.Context(), t, Address{Server: s, Name: "client"}), blobs, time.Now()
	go func() { d.ended <- d.run(ctx, d.messages, d.units) }()
	return d
}

// sendNow sends a request of a worker. It reports an error unless the worker gets a reply at once.
func (d *live) sendNow(worker string, m nextMessage, result *resultMessage) {
	d.t.Helper()
	m.Version = wire.Version
	began := time.Now()
	d.messages <- delivery{Msg: d.message(wire.NextSubject(d.key, worker), worker, &m, result), sender: &sender{}}
	if got := <-d.replies; got != worker || time.Since(began) > time.Second {
		d.t.Errorf("worker %s gets a reply to worker %s after %v", got, worker, time.Since(began))
	}
}

// TestSlowBlame has a hub reply late to a fault of a worker, or not at all. The match serves other workers meanwhile, and its
// reports do not hide the fault. At its end it waits for the reply, unless it is interrupted.
func TestSlowBlame(t *testing.T) {
	for name, test := range map[string]struct {
		takes     time.Duration // until the hub replies
		interrupt bool
		lasts     time.Duration // the match
	}{
		"late":                    {takes: 5 * time.Second, lasts: 5 * time.Second},
		"not at all":              {takes: time.Hour, lasts: replyTimeout},
		"not at all, interrupted": {takes: time.Hour, interrupt: true, lasts: 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				d := newLive(ctx, t, func(s wire.Service) time.Duration {
					if s == wire.Blame {
						return test.takes
					}
					return 0
				})
				d.units <- &unit{}
				d.sendNow("liar", nextMessage{Next: true}, nil)
				d.sendNow("liar", nextMessage{}, &resultMessage{Output: []byte("invalid")})
				d.sendNow("honest", nextMessage{Next: true}, nil)
				d.sendNow("honest", nextMessage{Attempt: 1}, &resultMessage{Output: []byte("fine")})
				time.Sleep(3*time.Second - time.Since(d.began)) // some reports
				if test.interrupt {
					stop()
				} else {
					close(d.units)
				}
				if err := <-d.ended; err != nil {
					t.Error(err)
				}
				if took := time.Since(d.began); (took - test.lasts).Abs() > time.Second {
					t.Errorf("the match ends after %v, not %v", took, test.lasts)
				}
				d.end()
				if f := d.faults["liar"]; f == nil || f.Count != 1 {
					t.Errorf("the match knows of the faults %+v", f)
				}
				if warned := strings.Contains(strings.Join(d.warnings, "\n"), "the fault is not stored on the hub"); warned != (test.lasts == replyTimeout) {
					t.Errorf("it warns of %q", d.warnings)
				}
				d.records(0, "honest fine")
			})
		})
	}
}

// TestSlowSetup interrupts the connection of a match, and has the hub take long for the files of the match, or its report,
// after that. The match serves workers meanwhile, blames none for being late that cannot see it yet, and reports at last.
func TestSlowSetup(t *testing.T) {
	const late = 20 * time.Second
	for slow, lasts := range map[wire.Service]time.Duration{wire.Put: late, wire.Report: requestTimeout} {
		t.Run(string(slow), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				back := make(chan bool, 1)
				var interrupted atomic.Bool
				d := newLive(ctx, t, func(service wire.Service) time.Duration {
					if service == slow && interrupted.CompareAndSwap(true, false) {
						back <- true
						return late
					}
					return 0
				}, &Blob{SHA256: strings.Repeat("0", 64), Size: 1})
				d.window.durations = make([]time.Duration, minDurations) // so a unit is slow soon
				for number := range 2 {
					d.units <- &unit{number: number}
					d.sendNow("honest", nextMessage{Next: true}, nil)
				}
				interrupted.Store(true)
				d.hub.reconnect() // as when it is re-established
				<-back
				d.sendNow("honest", nextMessage{}, &resultMessage{Output: []byte("fine")})
				d.units <- &unit{number: 2}
				d.sendNow("liar", nextMessage{Next: true}, nil)
				time.Sleep(lasts + 2*d.settings.Tick)
				stop()
				if err := <-d.ended; err != nil {
					t.Error(err)
				}
				if d.end(); d.needsSetup {
					t.Error("the task is not set up")
				}
				if len(d.late) > 0 {
					t.Errorf("%v are late", d.late)
				}
			})
		})
	}
}
