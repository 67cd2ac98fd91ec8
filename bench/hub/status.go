package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"gyre/bench/hub/internal/wire"
)

// Status is the status of a hub: its matches by key, and its workers by name.
type Status struct {
	Matches map[string]MatchStatus  `json:"matches"` // in progress
	Workers map[string]WorkerStatus `json:"workers"` // connected
	Faults  map[string]Faults       `json:"faults"`  // of workers, within the last day
	Waiting int                     `json:"waiting"` // jobs that no worker has finished
}

// Status returns the status of the hub. If the hub has keys, it needs one for matches.
func (h *Hub) Status(ctx context.Context) (*Status, error) {
	var s Status
	var err error
	if s.Matches, err = snapshot[MatchStatus](ctx, h, wire.Matches); err == nil {
		s.Workers, err = snapshot[WorkerStatus](ctx, h, wire.Workers)
	}
	if err == nil {
		s.Faults, err = snapshot[Faults](ctx, h, wire.WorkerFaults)
	}
	if err != nil {
		return nil, h.wrap(err)
	}
	for _, m := range s.Matches {
		s.Waiting += m.Out
	}
	maps.DeleteFunc(s.Workers, func(_ string, w WorkerStatus) bool { return w.Slots == 0 })
	return &s, nil
}

// Follow calls do with each status of a match that its client reports, by the match's key, until
// ctx is done or the connection is closed. Clients report every few seconds, and once more when a
// match ends, which Status may miss. After that the status is nil. The messages that store the
// statuses reach subscribers, too, which is cheaper for the hub than a watcher for each.
func (h *Hub) Follow(ctx context.Context, do func(key string, m *MatchStatus)) error {
	messages, unsubscribe, err := h.subscribe(wire.Matches.Subject("*"))
	if err != nil {
		return h.wrap(err)
	}
	defer unsubscribe()
	for {
		select {
		case m := <-messages:
			var status *MatchStatus
			if json.Unmarshal(m.Data, &status) != nil {
				status = nil // the message is empty: the match has ended
			}
			do(wire.LastToken(m.Subject), status)
		case <-ctx.Done():
			return nil
		case <-h.closed:
			return nil
		}
	}
}

// Write writes the status for people. wrap breaks a line for the width of the reader, indents all
// lines but the first, and ends the last one.
func (s *Status) Write(w io.Writer, wrap func(line string, indent int) string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "matches running: %d, pairs in progress: %d\n", len(s.Matches), s.Waiting)
	for _, key := range slices.Sorted(maps.Keys(s.Matches)) {
		m := s.Matches[key]
		played := fmt.Sprintf("%d games since start", m.Games)
		if m.Total > 0 {
			played = fmt.Sprintf("%d of %d games", max(m.Played, m.Games), m.Total)
		}
		text.WriteString(wrap(fmt.Sprintf("  %.8s  %s, %d pairs in progress, %s", key, played, m.Out, printable(m.Client)), 12))
		if m.Score != "" {
			text.WriteString(wrap(strings.Repeat(" ", 12)+printable(m.Score), 12))
		}
	}
	fmt.Fprintf(&text, "workers: %d\n", len(s.Workers))
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(s.Workers)) {
		w := s.Workers[name]
		fmt.Fprintf(table, "  %s\t%s\t%d of %d slots busy\t%d pairs finished\n", name, printable(w.System), w.Busy, w.Slots, w.Pairs)
	}
	_ = table.Flush() // a strings.Builder does not fail
	for _, name := range slices.Sorted(maps.Keys(s.Workers)) {
		w := s.Workers[name]
		for _, note := range w.Notes() {
			text.WriteString(wrap(fmt.Sprintf("worker %s %s", name, note), 4))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Faults)) {
		f := s.Faults[name]
		for _, line := range f.Lines() {
			text.WriteString(wrap(fmt.Sprintf("worker %s: %s", name, printable(line)), 4))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// Notes returns lines about the matches that the worker cannot play, the engines that it
// offers, and why it plays fewer games at once than it could.
func (w *WorkerStatus) Notes() (notes []string) {
	for _, key := range w.Refuses {
		notes = append(notes, fmt.Sprintf("cannot play %.8s: %s", printable(key), printable(w.Why[key])))
	}
	for _, offer := range slices.Sorted(maps.Keys(w.Offers)) {
		notes = append(notes, fmt.Sprintf("offers %s (build %s)", printable(offer), printable(w.Offers[offer])))
	}
	if w.Limited != "" {
		notes = append(notes, "plays fewer games at once: "+printable(w.Limited))
	}
	return notes
}

// printable returns a text of a worker or a match in one line that a terminal can show, of at
// most wire.MaxText characters. Anybody with a key may send any text.
func printable(text string) string { return printableUpTo(text, wire.MaxText) }

// printableUpTo is printable with another maximum, in characters.
func printableUpTo(text string, longest int) string {
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
