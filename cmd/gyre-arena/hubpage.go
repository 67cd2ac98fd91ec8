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

// hubPage is the page of a hub, which shows what goes on there and changes nothing.
type hubPage struct {
	hub   *hub.Hub
	alone bool // whether it listens on loopback

	mu    sync.Mutex
	shown report.Hub
}

const (
	lookEvery   = 2 * time.Second
	readHeaders = 10 * time.Second
)

// servePage serves the page until ctx is done, at an address that it returns. It warns when
// others can reach that.
func servePage(ctx context.Context, s *hub.Server, listen string, stderr io.Writer) (url string, wait func(), err error) {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return "", func() {}, fmt.Errorf("-page: %w", err)
	}
	h, err := s.Connect(ctx)
	if err != nil {
		return "", func() {}, errors.Join(err, listener.Close())
	}
	alone := listener.Addr().(*net.TCPAddr).IP.IsLoopback()
	p := &hubPage{hub: h, alone: alone}
	if !alone {
		_, _ = fmt.Fprintf(stderr, "warning: whoever reaches %s may read the page\n", listener.Addr()) // the hub matters
	}
	server := &http.Server{Handler: p, ReadHeaderTimeout: readHeaders}
	var all sync.WaitGroup
	all.Go(func() { _ = server.Serve(listener) }) // it ends when it is closed
	all.Go(func() {
		defer h.Close()
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			p.look(ctx)
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
		_ = server.Close()
	})
	return "http://" + listener.Addr().String() + "/", all.Wait, nil
}

// look asks the hub how things are.
func (p *hubPage) look(ctx context.Context) {
	status, err := p.hub.Status(ctx)
	if err != nil {
		return // the page tells of when it is
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.Saw(status, time.Now())
}

// ServeHTTP shows the page.
func (p *hubPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'") // all else is in the page
	w.Header().Set("Cache-Control", "no-store")
	if p.alone && !isLoopback(r.Host) { // a page of another name that leads here
		http.Error(w, "this page is for this machine alone: ask for it by localhost or 127.0.0.1", http.StatusForbidden)
		return
	}
	if r.URL.Path != "/" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.NotFound(w, r)
		return
	}
	var text bytes.Buffer
	p.mu.Lock()
	err := p.shown.Write(&text)
	p.mu.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text.Bytes()) // who reads no more has gone
}

// isLoopback tells whether HOST or HOST:PORT is this machine by itself, not by a name that
// somebody has led here.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
