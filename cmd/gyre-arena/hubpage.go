package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub"
)

//go:embed hubpage.html
var hubPageText string

var hubPageTemplate = template.Must(template.New("hub").Parse(hubPageText))

// hubPage is the page of a hub, which shows what goes on there and changes nothing.
type hubPage struct {
	hub   *hub.Hub
	alone bool // whether it listens on loopback

	mu    sync.Mutex
	state *hub.Status           // nil before the hub has answered
	at    time.Time             // when it was so
	past  map[string][]hubPoint // by match
}

// hubPoint is how far a match was at a time.
type hubPoint struct {
	at    time.Time
	games int
	pairs int
	llr   float64
}

// What is kept of the past of a match.
const (
	lookEvery   = 2 * time.Second
	mostPoints  = 600
	rateOver    = time.Minute
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
	p := &hubPage{hub: h, alone: alone, past: map[string][]hubPoint{}}
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
	p.state, p.at = status, time.Now()
	maps.DeleteFunc(p.past, func(key string, _ []hubPoint) bool { _, played := status.Matches[key]; return !played })
	for key, m := range status.Matches {
		all := p.past[key]
		if len(all) > 0 && m.Games < all[len(all)-1].games {
			all = nil // the match was broken off and gone on with, and counts anew
		}
		all = append(all, hubPoint{p.at, m.Games, m.Pairs, m.LLR})
		if len(all) > mostPoints { // every second one of those before tells as much
			thin := all[:0]
			for i := 0; i < len(all); i += 2 {
				thin = append(thin, all[i])
			}
			all = thin
		}
		p.past[key] = all
	}
}

// matchView is a match on the page.
type matchView struct {
	hub.Running
	Key, Rate string
	Curve     *curveView // nil for none
}

// curveView is a curve in a picture of 600 by 150.
type curveView struct {
	Points          string
	Low, Zero, High float64
	Now, Bounds     string
	Pairs           int
}

// ServeHTTP shows the page.
func (p *hubPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
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
	if err := hubPageTemplate.Execute(&text, p.view()); err != nil {
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

// view returns what the page shows.
func (p *hubPage) view() any {
	p.mu.Lock()
	defer p.mu.Unlock()
	status := cmp.Or(p.state, &hub.Status{})
	var view struct {
		At      string
		Waiting int
		Matches []matchView
		Workers []hub.Present
		Faults  []string
	}
	view.At, view.Waiting = "not asked yet", status.Waiting
	if p.state != nil {
		view.At = "as of " + p.at.Format(time.TimeOnly)
	}
	for _, key := range slices.Sorted(maps.Keys(status.Matches)) {
		m := status.Matches[key]
		view.Matches = append(view.Matches, matchView{m, key, rateOf(p.past[key]), curveOf(m, p.past[key])})
	}
	for _, name := range slices.Sorted(maps.Keys(status.Workers)) {
		view.Workers = append(view.Workers, status.Workers[name])
	}
	for _, name := range slices.Sorted(maps.Keys(status.Faults)) {
		f := status.Faults[name]
		for _, line := range f.Lines() {
			view.Faults = append(view.Faults, fmt.Sprintf("worker %s had %s", name, line))
		}
	}
	return view
}

// rateOf returns the games a second of the last minute.
func rateOf(past []hubPoint) string {
	last := past[len(past)-1]
	first := past[slices.IndexFunc(past, func(p hubPoint) bool { return last.at.Sub(p.at) <= rateOver })]
	seconds := last.at.Sub(first.at).Seconds()
	if seconds <= 0 {
		return "just seen"
	}
	return fmt.Sprintf("%.2f games/s", float64(last.games-first.games)/seconds)
}

// curveOf returns the curve of a sequential test, nil for none.
func curveOf(m hub.Running, past []hubPoint) *curveView {
	low, high := m.Bounds[0], m.Bounds[1]
	if low >= high || m.Pairs == 0 {
		return nil
	}
	for _, p := range past {
		low, high = min(low, p.llr), max(high, p.llr)
	}
	const width, height, edge = 600, 150, 6
	y := func(llr float64) float64 { return edge + (high-llr)/(high-low)*(height-2*edge) }
	first := past[0].pairs
	c := &curveView{Low: y(m.Bounds[0]), Zero: y(0), High: y(m.Bounds[1]), Pairs: m.Pairs,
		Now: fmt.Sprintf("%.2f", m.LLR), Bounds: fmt.Sprintf("%.2f to %.2f", m.Bounds[0], m.Bounds[1])}
	var points []string
	for _, p := range past {
		x := width * float64(p.pairs-first) / float64(max(m.Pairs-first, 1))
		points = append(points, fmt.Sprintf("%.1f,%.1f", x, y(p.llr)))
	}
	c.Points = strings.Join(points, " ")
	return c
}
