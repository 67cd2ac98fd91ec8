package protocol

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
	"gyre/protocol/protocoltest"
	"gyre/search"
)

// oddLines is the table of testdata/odd-lines.json, which says what the fields mean.
type oddLines struct {
	Handshakes []struct {
		Name    string
		Lines   []protocoltest.Line
		End     *protocoltest.Line
		ID      map[string]string
		Options []oddOption
		Warns   bool
	}
	Searches []struct {
		Name             string
		Lines            []protocoltest.Line
		Infos            []oddInfo
		Turn, Ponder     string
		Malformed, Warns bool
		Complaint        string
	}
}

type oddOption struct {
	Name, Type, Default string
	Min, Max            *int
	Var                 []string
}

type oddInfo struct {
	Depth, SelDepth, MultiPV, HashFull int
	Bound                              string
	WDL                                []int
	Nodes, NPS                         uint64
	Time                               int64
	PV                                 []string
	ScoreFields
}

// oddEngine starts a client of an engine that answers the handshake with greeting, and go
// with search.
func oddEngine(t *testing.T, greeting, search []protocoltest.Line) (c *Client, warned *atomic.Int32) {
	t.Helper()
	here, there := net.Pipe()
	say := func(lines []protocoltest.Line) {
		var text strings.Builder
		for _, line := range lines {
			text.WriteString(string(line) + "\n")
		}
		_, _ = there.Write([]byte(text.String())) // the client may be gone
	}
	go func() {
		in := bufio.NewScanner(there)
		for in.Scan() {
			switch first, _, _ := strings.Cut(in.Text(), " "); first {
			case "ugi":
				say(greeting)
			case "isready":
				say([]protocoltest.Line{"readyok"})
			case "go":
				say(search)
			case "quit":
				_ = there.Close()
			}
		}
	}()
	warned = new(atomic.Int32)
	config := patient
	config.Warn = func(string) { warned.Add(1) }
	c, err := Connect(here, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c, warned
}

// TestOddLines reads the table that the clients in Python and JavaScript read, too.
func TestOddLines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/odd-lines.json")
	if err != nil {
		t.Fatal(err)
	}
	var table oddLines
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Handshakes {
		t.Run("handshake/"+row.Name, func(t *testing.T) {
			end := protocoltest.Line("ugiok")
			if row.End != nil {
				end = *row.End
			}
			c, warned := oddEngine(t, append(row.Lines, end), nil)
			if c.Name() != row.ID["name"] || c.Author() != row.ID["author"] {
				t.Errorf("name %q, author %q", c.Name(), c.Author())
			}
			var got []oddOption
			for _, o := range c.Options() {
				view := oddOption{Name: printable(o.Name), Type: o.Kind.String(), Default: o.Default, Var: o.Choices}
				if o.Kind == SpinOption && o.Min != math.MinInt {
					view.Min = &o.Min
				}
				if o.Kind == SpinOption && o.Max != math.MaxInt {
					view.Max = &o.Max
				}
				got = append(got, view)
			}
			if diff := cmp.Diff(row.Options, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
			if (warned.Load() > 0) != row.Warns {
				t.Errorf("%d warnings", warned.Load())
			}
		})
	}
	for _, row := range table.Searches {
		t.Run("search/"+row.Name, func(t *testing.T) {
			lines := row.Lines
			if len(lines) == 0 || !strings.HasPrefix(strings.TrimLeft(string(lines[len(lines)-1]), "\xef\xbb\xbf \t"), "bestmove") {
				lines = append(lines, "bestmove a2")
			}
			c, warned := oddEngine(t, []protocoltest.Line{"ugiok"}, lines)
			if err := c.SetPosition(position.Start(position.Standard), nil); err != nil {
				t.Fatal(err)
			}
			var got []oddInfo
			answer, err := c.Go(context.Background(), search.Limits{Depth: 1}, func(i Info) {
				if i.progress() != "" || i.Message == "" {
					got = append(got, viewOf(i))
				}
			})
			if row.Complaint != "" {
				row.Turn = "a2" // the referee plays on
			}
			var failure *Failure
			if noTurn := row.Turn == ""; noTurn != errors.As(err, &failure) {
				t.Errorf("error %v", err)
			}
			if row.Turn != "" && (answer.Best.String() != row.Turn || (answer.Ponder != position.None) != (row.Ponder != "")) {
				t.Errorf("turn %v, ponder %v", answer.Best, answer.Ponder)
			}
			if diff := cmp.Diff(row.Infos, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("infos (-want +got):\n%s", diff)
			}
			if (warned.Load() > 0) != row.Warns {
				t.Errorf("%d warnings", warned.Load())
			}
			if said := c.lastComplaint(); said != row.Complaint {
				t.Errorf("complaint %q", said)
			}
		})
	}
}

// viewOf returns what an info line says, as the table writes it.
func viewOf(i Info) oddInfo {
	view := oddInfo{Depth: i.Depth, SelDepth: i.SelDepth, MultiPV: i.MultiPV, HashFull: i.HashFull, Nodes: i.Nodes, NPS: i.NPS,
		Time: i.Time.Milliseconds(), PV: position.Words(i.PV)}
	if i.HasScore {
		view.ScoreFields = i.Score.Fields()
	}
	view.Bound = i.Bound.String()
	if i.HasWDL {
		view.WDL = i.WDL[:]
	}
	return view
}
