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
				replies := make(chan string, 100) // to workers
				s := &standIn{reply: func(subject, _ string) (string, time.Duration) {
					switch words := strings.Split(subject, "."); {
					case words[1] == "to":
						replies <- words[2]
						return "", 0
					case words[2] == string(wire.Blame):
						return fmt.Sprintf(`{"version":%d}`, wire.Version), test.takes
					}
					return fmt.Sprintf(`{"version":%d,"limit":-1,"workers":{"liar":{"slots":2},"honest":{"slots":2}}}`, wire.Version), 0
				}}
				d := newDesk(t, "liar", "honest")
				d.hub = connectTo(t.Context(), t, Address{Server: s, Name: "client"})
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				messages, units, ended, began := make(chan delivery), make(chan *unit), make(chan error, 1), time.Now()
				go func() { ended <- d.run(ctx, messages, units) }()
				send := func(worker string, m nextMessage, result *resultMessage) {
					m.Version = wire.Version
					messages <- delivery{Msg: d.message(wire.NextSubject(d.key, worker), worker, &m, result), sender: &sender{}}
					if got := <-replies; got != worker {
						t.Errorf("worker %s gets a reply to worker %s", got, worker)
					}
				}
				units <- &unit{}
				send("liar", nextMessage{Next: true}, nil)
				send("liar", nextMessage{}, &resultMessage{Output: []byte("invalid")})
				send("honest", nextMessage{Next: true}, nil)
				send("honest", nextMessage{Attempt: 1}, &resultMessage{Output: []byte("fine")})
				if took := time.Since(began); took > time.Second {
					t.Errorf("the workers get their replies after %v", took)
				}
				time.Sleep(3*time.Second - time.Since(began)) // some reports
				if test.interrupt {
					stop()
				} else {
					close(units)
				}
				if err := <-ended; err != nil {
					t.Error(err)
				}
				if took := time.Since(began); (took - test.lasts).Abs() > time.Second {
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
