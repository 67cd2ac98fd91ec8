// Package bench measures searchers. This package itself is the engine's bench
// command, which works as in Stockfish: it searches fixed positions to a fixed depth,
// and the node count is the signature of the search. For mcts it makes a fixed number
// of visits, and the signature is a hash of the answers. A change that keeps the
// search's behavior keeps the signature; any other change gives a new one. The
// signature is the same on every architecture. The file SIGNATURE holds the signatures
// of the default runs, and positions.txt the positions.
//
// Subfolders:
//
//	game         one game between two engines, under the rules and a watchdog
//	match        many games, saved as they finish
//	journal      append-only files that long runs resume from
//	load         whether the machine has spare time for a match
//	report       an HTML page about the games of a match
//	ladder       players of fixed strength, and their ratings
//	openings     opening positions, from a seed or a file
//	conformance  whether an engine follows the protocol
//	enginetest   good and misbehaving engines to test these packages with
//	stats        ratings, and statistical tests of match results
//	puzzles      short problems for people, composed from games
//	tactics      a suite of proven forced wins, and how fast a searcher solves them
package bench

import (
	"bytes"
	"context"
	_ "embed" // for the file of the signatures
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
	"gyre/position"
	"gyre/search"
)

// The settings of the default runs, which give the signatures. The searchers have
// one thread besides.
const (
	Depth         = 11   // turns, of alpha-beta
	Visits        = 4000 // of MCTS to a position
	HashMebibytes = 16   // of the searcher's table or tree
)

// Searcher is what a run needs of a searcher. Search blocks until it has an
// answer and reports as it goes, from one goroutine; NewGame forgets all that
// was learned.
type Searcher interface {
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome
	NewGame()
}

// Total is what a run comes to.
type Total struct {
	Nodes   uint64
	Time    time.Duration
	Answers uint64 // XXH3 of what the searcher answered: turns, scores, chances, variations

	bounded bool // the number of nodes was the limit, and tells nothing
}

// Signature returns what tells two searchers apart: the number of nodes, or where
// that was the limit a hash of the answers.
func (t Total) Signature() string {
	if t.bounded {
		return fmt.Sprintf("%016x", t.Answers)
	}
	return strconv.FormatUint(t.Nodes, 10)
}

// PerSecond returns the speed in nodes a second.
func (t Total) PerSecond() uint64 {
	return uint64(float64(t.Nodes) / max(t.Time.Seconds(), 1e-9))
}

// Run searches every position of the bench within limits, a depth or a number of
// nodes, each with an empty memory, and writes a line for each to out and then the
// total. A searcher without chance and with one thread, made anew for the run,
// always visits the same nodes, on every machine. If the context ends the run, its
// error comes back, and the total of what was done.
func Run(ctx context.Context, searcher Searcher, limits search.Limits, out io.Writer) (total Total, err error) {
	all, err := Positions()
	if err != nil {
		return total, err
	}
	total.bounded = limits.Nodes > 0
	var answers bytes.Buffer
	for i := range all {
		searcher.NewGame()
		nodes := uint64(0)
		began := time.Now()
		outcome := searcher.Search(ctx, all[i].Position, limits, func(info search.Info) {
			nodes = max(nodes, info.Nodes)
		})
		total.Time += time.Since(began)
		nodes = max(nodes, outcome.Info.Nodes)
		if ctx.Err() != nil {
			return total, ctx.Err()
		}
		total.Nodes += nodes
		writeAnswer(&answers, &all[i].Position, outcome)
		if _, err = fmt.Fprintf(out, "%2d/%d %9d nodes  %-26s %v\n", i+1, len(all), nodes, all[i].Name, outcome.Best); err != nil {
			return total, err
		}
	}
	total.Answers = xxh3.Hash(answers.Bytes())
	_, err = fmt.Fprintf(out, "nodes     %d\ntime      %d ms\nnps       %d\nsignature %s\n",
		total.Nodes, total.Time.Milliseconds(), total.PerSecond(), total.Signature())
	return total, err
}

// writeAnswer writes all of an outcome that does not depend on time.
func writeAnswer(w *bytes.Buffer, p *position.Position, o search.Outcome) {
	win, draw, loss := search.ScaleOf(p).WDL(o.Info.Score)
	fmt.Fprintln(w, o.Best, o.Info.Nodes, o.Info.Depth, int(o.Info.Score), win, draw, loss, o.Info.PV)
}

// Position is a position of the bench.
type Position struct {
	Position position.Position
	Name     string // what kind of position it is
}

// positionsText is the file of the positions: see ParsePositions for its form.
//
//go:embed positions.txt
var positionsText string

// Positions returns the positions of the bench, in their order.
func Positions() ([]Position, error) { return ParsePositions(positionsText) }

// ParsePositions reads positions, one a line: BOARD SIDE SCORE | RULES | NAME.
// Lines that begin with # are comments, and empty lines count for nothing. An
// error names the line.
func ParsePositions(text string) (all []Position, err error) {
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, " | ")
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: %d fields instead of 3: position, rules, name", number, len(fields))
		}
		rules, err := position.ParseRules(fields[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		p, err := position.Parse(fields[0], rules)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, Position{Position: p, Name: fields[2]})
	}
	return all, nil
}

// signatures is the file SIGNATURE: a line for each method, its name and the
// signature of its default run.
//
//go:embed SIGNATURE
var signatures string

// The methods that have a signature.
const (
	AlphaBeta = "alphabeta"
	MCTS      = "mcts"
)

// Signature returns what the default run of a method is known to give, or nothing
// for another word. The test of the package holds it to be true.
func Signature(method string) string {
	for line := range strings.Lines(signatures) {
		if name, signature, _ := strings.Cut(strings.TrimSpace(line), " "); name == method {
			return signature
		}
	}
	return ""
}
