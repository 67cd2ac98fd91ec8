package hub

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
)

// Status is what a hub knows of its matches and workers, by key and by name.
type Status struct {
	Matches map[string]Running `json:"matches"` // that are played now
	Workers map[string]Present `json:"workers"` // that are there
	Faults  map[string]Faults  `json:"faults"`  // of workers, of the last day
	Waiting int                `json:"waiting"` // jobs that no worker has finished
}

// Status asks the hub. It needs a key for matches, if there are keys.
func (h *Hub) Status(ctx context.Context) (*Status, error) {
	var s Status
	var err error
	if s.Matches, err = snapshot[Running](ctx, h, runningBucket); err == nil {
		s.Workers, err = snapshot[Present](ctx, h, workersBucket)
	}
	if err == nil {
		s.Faults, err = snapshot[Faults](ctx, h, faultsBucket)
	}
	if err == nil {
		stream, wrong := h.js.Stream(ctx, jobsStream)
		if err = wrong; err == nil {
			s.Waiting = int(stream.CachedInfo().State.Msgs)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("hub %s: %w", h.url, err)
	}
	maps.DeleteFunc(s.Workers, func(_ string, p Present) bool { return p.Slots == 0 })
	return &s, nil
}

// Write writes the status for people.
func (s *Status) Write(w io.Writer) error {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(&text, "matches that are played: %d, jobs out: %d\n", len(s.Matches), s.Waiting)
	for _, key := range slices.Sorted(maps.Keys(s.Matches)) {
		m := s.Matches[key]
		fmt.Fprintf(table, "  %.8s\t%s\t%d games since it was begun\t%d pairs out\t%s\n", key, plain(m.Client), m.Games, m.Out, plain(m.Score))
	}
	_ = table.Flush() // what it writes to cannot fail
	fmt.Fprintf(&text, "workers: %d\n", len(s.Workers))
	for _, name := range slices.Sorted(maps.Keys(s.Workers)) {
		p := s.Workers[name]
		fmt.Fprintf(table, "  %s\t%s\t%d of %d slots busy\t%d pairs played\t%s\n", name, plain(p.System), p.Busy, p.Slots, p.Pairs, strings.Join(p.Notes(), "; "))
	}
	_ = table.Flush()
	for _, name := range slices.Sorted(maps.Keys(s.Faults)) {
		f := s.Faults[name]
		for _, line := range f.Lines() {
			fmt.Fprintf(&text, "worker %s had %s\n", name, plain(line))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// Notes tells, each in a line, what matches the worker cannot play, what engines it offers, and
// why it plays fewer games at once than it could.
func (p *Present) Notes() (notes []string) {
	for _, key := range p.Refuses {
		notes = append(notes, fmt.Sprintf("cannot play %.8s: %s", plain(key), plain(p.Why[key])))
	}
	for _, offer := range slices.Sorted(maps.Keys(p.Offers)) {
		notes = append(notes, fmt.Sprintf("offers %s (build %s)", plain(offer), plain(p.Offers[offer])))
	}
	if p.Held != "" {
		notes = append(notes, "plays fewer games at once: "+plain(p.Held))
	}
	return notes
}

// plain returns a word of a worker or a match as a terminal can show it within a line, of no
// more than longestTold: who has a key may say anything.
func plain(text string) string { return shown(text, longestTold) }

// shown is plain of any length in characters.
func shown(text string, longest int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, text)
	return fmt.Sprintf("%.*s", longest, text)
}

// mostTold is how many faults of a worker are kept, and how long each may be.
const (
	mostTold    = 5
	longestTold = 300
)

// numbered returns a number of results in words.
func numbered(results int) string {
	if results == 1 {
		return "1 result"
	}
	return fmt.Sprintf("%d results", results)
}

// Lines tells the faults for people.
func (f *Faults) Lines() (lines []string) {
	if f.Count > 0 {
		line := numbered(f.Count) + " refused of late"
		if f.Barred() {
			line += " and gets no more work"
		}
		lines = append(lines, line+f.because())
	}
	if f.Differ > 0 {
		lines = append(lines, fmt.Sprintf("%s of late unlike that of another worker for the same job, the last unlike that of %s", numbered(f.Differ), f.Beside))
	}
	return lines
}

// because tells why the last result was refused, where that is known: what the hub holds may
// be written by whoever has a key for matches.
func (f *Faults) because() string {
	if len(f.Last) == 0 {
		return ""
	}
	return ", the last because: " + f.Last[len(f.Last)-1]
}

// add adds a fault.
func (f *Faults) add(why error) {
	f.Count++
	text := why.Error()
	f.Last = append(f.Last, text[:min(len(text), longestTold)])
	f.Last = f.Last[max(0, len(f.Last)-mostTold):]
}
