// Package protocoltest tests engines that serve the protocol with the lines of odd-commands.json,
// which says what its fields mean.
package protocoltest

import (
	_ "embed"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

//go:embed odd-commands.json
var table []byte

// patience is how long a session may take: each is done in milliseconds on a quiet machine.
const patience = 2 * time.Minute

// session is a row of the table.
type session struct {
	Name    string
	Lines   []Line
	Open    bool
	Answers []string
	MayNote bool // notes are not compared: they depend on the engine or on time
}

// Line is a line of a table of odd lines. In JSON, each character of a text is one byte, and
// {"text": T, "bytes": N} is T followed by as many letters y as make N bytes.
type Line string

// UnmarshalJSON reads a line.
func (l *Line) UnmarshalJSON(text []byte) error {
	var plain string
	var padded struct {
		Text  string
		Bytes int
	}
	if json.Unmarshal(text, &plain) != nil {
		if err := json.Unmarshal(text, &padded); err != nil {
			return err
		}
		plain = padded.Text + strings.Repeat("y", padded.Bytes-len(padded.Text))
	}
	bytes := make([]byte, 0, len(plain))
	for _, r := range plain {
		bytes = append(bytes, byte(r))
	}
	*l = Line(bytes)
	return nil
}

// OddCommands sends the lines of each session to an engine, and compares the kinds of its answers.
// serve serves an engine to the input until its end.
func OddCommands(t *testing.T, serve func(in io.Reader, out io.Writer) error) {
	var all struct{ Sessions []session }
	if err := json.Unmarshal(table, &all); err != nil {
		t.Fatal(err)
	}
	for _, s := range all.Sessions {
		t.Run(s.Name, func(t *testing.T) {
			var in strings.Builder
			for i, l := range s.Lines {
				in.WriteString(string(l))
				if i < len(s.Lines)-1 || !s.Open {
					in.WriteByte('\n')
				}
			}
			var out strings.Builder
			served := make(chan error, 1)
			go func() { served <- serve(strings.NewReader(in.String()), &out) }()
			select {
			case err := <-served:
				if err != nil {
					t.Fatal(err)
				}
			case <-time.After(patience):
				t.Fatal("it does not end")
			}
			got, want := kinds(out.String(), s.MayNote), kinds(strings.Join(s.Answers, "\n"), s.MayNote)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("answers (-want +got):\n%s\n%.2000s", diff, out.String())
			}
		})
	}
}

// kinds returns the kinds of the lines of an output, sorted. A kind stays as it is.
func kinds(output string, withoutNotes bool) []string {
	all := []string{}
	for text := range strings.Lines(output) {
		text = strings.TrimSuffix(text, "\n")
		kind, _, _ := strings.Cut(text, " ")
		fault, isFault := strings.CutPrefix(text, "info string error ")
		switch {
		case isFault:
			command, _, _ := strings.Cut(fault, ":")
			kind = "error " + command
		case strings.HasPrefix(text, "info string "):
			kind = "note"
		case kind == "error" || kind == "response" || text == "bestmove none":
			kind = text
		case kind == "info" || kind == "option" || kind == "id" || kind == "":
			continue
		}
		if kind != "note" || !withoutNotes {
			all = append(all, kind)
		}
	}
	slices.Sort(all)
	return all
}
