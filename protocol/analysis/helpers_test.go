package analysis

import (
	"context"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gyre/position"
	"gyre/protocol"
	"gyre/protocol/internal/dialoguetest"
	"gyre/search"
)

// session is a conversation of a test with a server.
type session struct {
	*dialoguetest.Dialogue
	end context.CancelCauseFunc // cancels the context, as a signal does
}

// build identifies an imaginary program.
var build = Build{Name: "Gyre", Version: "1.0.0", Revision: "0123456789abcdef", Weights: "xxh3 fedcba9876543210"}

// newSession serves analysts to the test.
func newSession(t *testing.T, analysts ...Analyst) *session {
	t.Helper()
	ctx, end := context.WithCancelCause(context.Background())
	t.Cleanup(func() { end(nil) })
	serve := func(in io.Reader, out io.Writer) error {
		return NewServer(analysts, build, out).Serve(ctx, []Input{{Reader: in}})
	}
	return &session{dialoguetest.Begin(t, serve, timeless), end}
}

// finishSilently ends the input and expects no further lines.
func (s *session) finishSilently() {
	s.T.Helper()
	if rest, err := s.Finish(); len(rest) > 0 || err != nil {
		s.T.Errorf("said too much: %q, %v", rest, err)
	}
}

var elapsed = regexp.MustCompile(`"timeMs":[0-9]+`)

// timeless sets the time of a search in a line to 0.
func timeless(line string) string { return elapsed.ReplaceAllString(line, `"timeMs":0`) }

// TestSpecification replays the sessions of analysis that PROTOCOL.md shows.
func TestSpecification(t *testing.T) {
	text, err := os.ReadFile("../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```analysis\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("PROTOCOL.md shows no analysis")
	}
	for _, block := range blocks {
		text, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatal("a session in PROTOCOL.md has no end")
		}
		title, lines, _ := strings.Cut(text, "\n")
		t.Run(title, func(t *testing.T) {
			s := newSession(t, new(demo))
			for line := range strings.Lines(lines) {
				line = strings.TrimSuffix(line, "\n")
				if query, ok := strings.CutPrefix(line, "> "); ok {
					s.Say(query)
				} else if answer, ok := strings.CutPrefix(line, "< "); ok {
					s.Expect(answer)
				}
			}
			s.finishSilently()
		})
	}
}

// demo is an analyst for tests. Its scores are invented, and its turns are the first in the
// alphabet.
type demo struct {
	// forever, if not nil, receives the root of each search, which then runs until it is
	// canceled.
	forever chan position.Position
}

func (d *demo) Search(ctx context.Context, root position.Position, _ search.Limits, multiPV int, report func(protocol.Info)) {
	turns := alphabetical(&root)
	for depth := 1; depth <= 3; depth++ {
		for i, t := range turns[:min(multiPV, len(turns))] {
			line := demoLine(root, t, depth)
			info := protocol.Info{
				Depth: depth, MultiPV: i + 1, Nodes: uint64(100 * depth), PV: line,
				HasScore: true, Score: protocol.Score{Value: 10 * (depth - i)},
			}
			if wins(&root, t) {
				info.Score = protocol.Score{Mate: true, Value: 1}
			}
			report(info)
		}
		if depth == 1 && wins(&root, turns[0]) {
			return
		}
	}
	if d.forever != nil {
		select {
		case d.forever <- root:
			<-ctx.Done()
		case <-ctx.Done():
		}
	}
}

// demoLine returns a line of at most length turns that begins with t.
func demoLine(p position.Position, t position.Turn, length int) (line []position.Turn) {
	for {
		line = append(line, t)
		child := p.After(t)
		if p = child; p.Over() || len(line) == length {
			return line
		}
		t = alphabetical(&p)[0]
	}
}

// alphabetical returns the turns of a position, winning ones first.
func alphabetical(p *position.Position) []position.Turn {
	turns := p.Turns(nil)
	slices.SortFunc(turns, func(a, b position.Turn) int {
		switch winning := wins(p, a); {
		case winning == wins(p, b):
			return strings.Compare(a.String(), b.String())
		case winning:
			return -1
		}
		return 1
	})
	return turns
}

// wins reports whether a turn wins the game for the player who makes it.
func wins(p *position.Position, t position.Turn) bool {
	child := p.After(t)
	return child.Removed(p.SideToMove()) >= p.Rules().WinningRings()
}
