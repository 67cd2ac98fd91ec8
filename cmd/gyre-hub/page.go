package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub"
	"gyre/bench/report"
)

// hubPage serves the page of a hub, which shows its status, and the history of its detached
// matches with their reports.
type hubPage struct {
	hub      *hub.Hub
	detached func() []hub.Record
	loopback bool // whether it listens on loopback
	history  report.History

	mu    sync.Mutex
	shown report.Hub
}

// historyPath is the folder of the history: itself, and the report of each match by its name.
const historyPath = "/history/"

const (
	pageInterval  = 2 * time.Second
	headerTimeout = 10 * time.Second
)

// servePage serves the page until ctx is done, in goroutines that it adds to all, and returns its URL.
// address has the flags with which workers connect, and detached returns the detached matches. It
// warns if other machines can reach the page.
func servePage(ctx context.Context, h *hub.Hub, listen, address string, detached func() []hub.Record, stderr io.Writer, all *sync.WaitGroup) (url string, err error) {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return "", fmt.Errorf("-page: %w", err)
	}
	p := &hubPage{hub: h, detached: detached, loopback: listener.Addr().(*net.TCPAddr).IP.IsLoopback(), shown: report.Hub{Address: address, History: historyPath[1:]}}
	if !p.loopback {
		_, _ = fmt.Fprintf(stderr, "warning: anybody who can reach %s can read the page\n", listener.Addr()) // the hub goes on without a reader
	}
	web := &http.Server{Handler: p, ReadHeaderTimeout: headerTimeout}
	all.Go(func() { _ = web.Serve(listener) }) // until it is closed
	all.Go(func() {
		_ = h.Follow(ctx, func(key string, m *hub.MatchStatus) { // without it, the end of a match is less exact
			if m == nil {
				return
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			p.shown.Report(key, *m, time.Now())
		})
	})
	all.Go(func() {
		repeat(ctx, p.update)
		_ = web.Close()
	})
	all.Go(func() { repeat(ctx, p.history.Read) })
	return "http://" + listener.Addr().String() + "/", nil
}

// repeat calls do until ctx is done, with pageInterval between two calls.
func repeat(ctx context.Context, do func(context.Context)) {
	for ctx.Err() == nil {
		do(ctx)
		select {
		case <-time.After(pageInterval):
		case <-ctx.Done():
		}
	}
}

func (p *hubPage) update(ctx context.Context) {
	at := time.Now()
	status, err := p.hub.Status(ctx)
	if err != nil {
		return // the page shows the time of its status
	}
	p.mu.Lock()
	p.shown.Observe(status, at)
	p.mu.Unlock()
	p.history.Observe(p.detached(), status, time.Now())
}

// ServeHTTP implements http.Handler.
func (p *hubPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'") // the page has its own policy for the rest
	w.Header().Set("Cache-Control", "no-store")
	if p.loopback && !isLoopback(r.Host) { // a page of another site, by a name that leads here
		http.Error(w, "this page is only for this machine: use localhost or 127.0.0.1", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.NotFound(w, r)
		return
	}
	var text bytes.Buffer
	var err error
	name, inHistory := strings.CutPrefix(r.URL.Path, historyPath)
	switch {
	case r.URL.Path == "/":
		p.mu.Lock()
		err = p.shown.Write(&text)
		p.mu.Unlock()
	case r.URL.Path+"/" == historyPath:
		http.Redirect(w, r, historyPath, http.StatusMovedPermanently)
		return
	case inHistory && name == "":
		err = p.history.Write(&text, r.URL.Query().Has("all"))
	case inHistory:
		err = p.history.WriteReport(&text, name)
	default:
		err = report.ErrNoReport
	}
	if errors.Is(err, report.ErrNoReport) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text.Bytes()) // the reader may be gone
}

// isLoopback reports whether HOST or HOST:PORT is localhost or a loopback address. Other names
// may lead here too.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
