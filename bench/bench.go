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
//	hub          matches on many machines
//	tune         better values of an engine's options, by SPSA
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
	_ "embed" // for SIGNATURE and positions.txt
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
	"gyre/position"
	"gyre/position/plaintext"
	"gyre/search"
	"gyre/search/evaluation"
)

// The settings of the default runs, whose signatures the file SIGNATURE holds. The
// searchers have one thread.
const (
	Depth         = 11   // of alpha-beta, in turns
	Visits        = 4000 // of MCTS, per position
	HashMebibytes = 16   // size of the table or tree
)

// Searcher is the part of a searcher that a run needs. Search blocks until it has a
// result and reports from a single goroutine. NewGame forgets everything learned.
type Searcher interface {
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome
	NewGame()
}

// Total is the result of a run.
type Total struct {
	Nodes   uint64
	Time    time.Duration
	Answers uint64 // XXH3 hash of the searcher's answers: turns, scores, probabilities, variations

	bounded bool // the number of nodes was the limit, so it says nothing
}

// Signature returns the signature of a run: the number of nodes or, if that was the
// limit, a hash of the answers.
func (t Total) Signature() string {
	if t.bounded {
		return fmt.Sprintf("%016x", t.Answers)
	}
	return strconv.FormatUint(t.Nodes, 10)
}

// PerSecond returns the speed in nodes per second.
func (t Total) PerSecond() uint64 {
	return uint64(float64(t.Nodes) / max(t.Time.Seconds(), 1e-9))
}

// Run searches every position of the bench within limits, a depth or a number of
// nodes, and calls NewGame before each. It writes a line per position to out, then
// the total. A deterministic searcher with one thread that is new for the run visits
// the same nodes on every machine. If ctx is canceled, Run returns its error and the
// total so far.
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

// writeAnswer writes the parts of an outcome that do not depend on time.
func writeAnswer(w *bytes.Buffer, p *position.Position, o search.Outcome) {
	win, draw, loss := evaluation.ScaleOf(p).WDL(o.Info.Score)
	fmt.Fprintln(w, o.Best, o.Info.Nodes, o.Info.Depth, int(o.Info.Score), win, draw, loss, o.Info.PV)
}

// Position is a position of the bench.
type Position struct {
	Position position.Position
	Name     string // kind of position
}

// positionsText is the file positions.txt; see ParsePositions for its format.
//
//go:embed positions.txt
var positionsText string

// Positions returns the positions of the bench.
func Positions() ([]Position, error) { return ParsePositions(positionsText) }

// ParsePositions parses positions, one per line: BOARD SIDE SCORE | RULES | NAME. It
// skips empty lines and lines that start with #. An error names the line.
func ParsePositions(text string) (all []Position, err error) {
	for number, line := range plaintext.Entries(text) {
		fields := strings.Split(line, " | ")
		if len(fields) != 3 {
			return nil, &plaintext.LineError{Line: number, Err: fmt.Errorf("%d fields instead of 3: position, rules, name", len(fields))}
		}
		rules, err := position.ParseRules(fields[1])
		if err != nil {
			return nil, &plaintext.LineError{Line: number, Err: err}
		}
		p, err := position.Parse(fields[0], rules)
		if err != nil {
			return nil, &plaintext.LineError{Line: number, Err: err}
		}
		all = append(all, Position{Position: p, Name: fields[2]})
	}
	return all, nil
}

// signatures is the file SIGNATURE: a line per method, with its name and the signature
// of its default run.
//
//go:embed SIGNATURE
var signatures string

// The methods with a signature.
const (
	AlphaBeta = "alphabeta"
	MCTS      = "mcts"
)

// Signature returns the signature of the default run of a method, or "" for an
// unknown method. A test checks the signatures.
func Signature(method string) string {
	for line := range strings.Lines(signatures) {
		if name, signature, _ := strings.Cut(strings.TrimSpace(line), " "); name == method {
			return signature
		}
	}
	return ""
}
