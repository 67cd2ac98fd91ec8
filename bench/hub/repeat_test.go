package hub

import (
	"bufio"
	"bytes"
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

// dropping is a NATS server with a hub on it that drops the first request to each service. The connection of the client
// stays up.
type dropping struct {
	mu      sync.Mutex
	stalled bool                // whether it answers no PING, as over a slow line
	replies map[string][]string // the subjects for the replies to requests, by service
}

func (d *dropping) Credentials() ([]nats.Option, error) { return nil, nil }

func (d *dropping) InProcessConn() (net.Conn, error) {
	here, there := net.Pipe()
	go d.serve(here)
	return there, nil
}

// serve speaks the NATS protocol with a client of one subscription.
func (d *dropping) serve(conn net.Conn) {
	defer conn.Close()
	fmt.Fprintf(conn, "INFO {\"server_id\":\"dropping\",\"version\":\"2.10.0\",\"proto\":1,\"max_payload\":%d}\r\n", wire.MaxPayload)
	in, id := bufio.NewReader(conn), ""
	for {
		line, err := in.ReadString('\n')
		words := strings.Fields(line)
		if err != nil || len(words) == 0 {
			return
		}
		switch words[0] {
		case "PING":
			d.mu.Lock()
			stalled := d.stalled
			d.mu.Unlock()
			if !stalled {
				io.WriteString(conn, "PONG\r\n")
			}
		case "SUB":
			id = words[2]
		case "PUB":
			size := 0
			fmt.Sscan(words[len(words)-1], &size)
			if _, err := in.Discard(size + len("\r\n")); err != nil {
				return
			}
			service := strings.Split(words[1], ".")[2]
			d.mu.Lock()
			d.replies[service] = append(d.replies[service], words[2])
			first := len(d.replies[service]) == 1
			d.mu.Unlock()
			if !first {
				var all bytes.Buffer
				text := fmt.Sprintf(`{"version":%d,"found":true}`+"\n", wire.Version)
				fmt.Fprintf(&all, "MSG %s %s %d\r\n%s\r\n", words[2], id, len(text), text)
				conn.Write(all.Bytes())
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
					d := &dropping{replies: map[string][]string{}}
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
					d.mu.Lock()
					defer d.mu.Unlock()
					sent := d.replies[string(s)]
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
