// Package tactics measures how fast a searcher finds forced wins. Its suite contains
// positions from games. Each is proven, by exhaustive search, to be won in exactly 1 to 5
// turns of the side to move; the reply to the last may be what ends the game.
//
// A problem counts as solved if the searcher answers with one of the listed turns: those
// that win in the least number of turns. A turn that wins later does not count.
//
// [Suite] returns the problems and [Run] tests a searcher on them. Package proof is the
// solver that proves the suite, and command generate selects it from games.
package tactics

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"gyre/bench"
	"gyre/position"
	"gyre/position/plaintext"
	"gyre/search"
)

//go:generate go run ./generate

// Limits of a problem.
const (
	MaxTurns   = 5 // turns of the side to move until it has won
	MaxWinning = 6 // winning first turns; positions with more are not used
)

// Problem is a position with a forced win.
type Problem struct {
	Position position.Position
	Turns    int             // turns of the side to move until it wins against the best defense: 1 to MaxTurns
	Winning  []position.Turn // all first turns that win in Turns: 1 to MaxWinning of them
}

// Plies returns the maximum length of the win in plies: the reply to the last turn of the
// side to move may place the last marker.
func (p *Problem) Plies() int { return 2 * p.Turns }

// suiteText is the text of the suite in the format of [Parse].
//
//go:embed suite.txt
var suiteText string

// Suite returns the problems of the suite, shortest wins first.
func Suite() ([]Problem, error) { return Parse(suiteText) }

// Parse parses problems, one per line:
//
//	BOARD SIDE SCORE | RULES | TURNS | winning first turns, separated by spaces
//
// Empty lines and lines that begin with # are ignored. The error names the line and the
// field.
func Parse(text string) (problems []Problem, err error) {
	if text, err = plaintext.Decode(text); err != nil {
		return nil, err
	}
	for number, line := range plaintext.Entries(text) {
		p, err := parseProblem(line)
		if err != nil {
			return nil, &plaintext.LineError{Line: number, Err: err}
		}
		problems = append(problems, p)
	}
	return problems, nil
}

// parseProblem parses one line.
func parseProblem(line string) (p Problem, err error) {
	fields := strings.Split(line, " | ")
	if len(fields) != 4 {
		return p, fmt.Errorf("%d fields: expected position | rules | turns | winning turns", len(fields))
	}
	rules, err := position.ParseRules(fields[1])
	if err != nil {
		return p, err
	}
	if p.Position, err = position.Parse(fields[0], rules); err != nil {
		return p, err
	}
	p.Turns, err = strconv.Atoi(fields[2])
	if err != nil || p.Turns < 1 || p.Turns > MaxTurns || strconv.Itoa(p.Turns) != fields[2] {
		return p, fmt.Errorf("turns %q: expected a number from 1 to %d", fields[2], MaxTurns)
	}
	words := strings.Split(fields[3], " ")
	if len(words) > MaxWinning {
		return p, fmt.Errorf("%d winning turns: at most %d are allowed", len(words), MaxWinning)
	}
	for _, word := range words {
		t, err := p.Position.ParseTurn(word)
		if err != nil {
			return p, err
		}
		if slices.Contains(p.Winning, t) {
			return p, fmt.Errorf("turn %v is listed twice", t)
		}
		p.Winning = append(p.Winning, t)
	}
	return p, nil
}

// heading is the comment at the top of the file.
const heading = `# Forced wins, each proven by exhaustive search. Made by: go generate ./bench/tactics
#
# BOARD SIDE SCORE | rules | n | all first turns that win in n
#
# The side to move wins in exactly n of its own turns (2n-1 plies, or 2n if the
# last reply ends the game) against the best defence, and in no fewer.
`

// Write writes problems in the format of [Parse], after a comment.
func Write(out io.Writer, problems []Problem) error {
	var text strings.Builder
	text.WriteString(heading)
	for i := range problems {
		text.WriteString(problems[i].String() + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// String returns the problem as a line of the suite, without the newline.
func (p *Problem) String() string {
	return fmt.Sprintf("%v | %v | %d | %s", &p.Position, p.Position.Rules(), p.Turns, strings.Join(position.Words(p.Winning), " "))
}

// Canonical returns a text that identifies a position up to the 12 symmetries and a swap of
// the colors. It is the rules followed by the smallest of the 24 texts.
func Canonical(p *position.Position) string {
	least := ""
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(p)
		text := image.String()
		for _, text := range [...]string{text, swapColors(text)} {
			if least == "" || text < least {
				least = text
			}
		}
	}
	return p.Rules().String() + " " + least
}

// swapColors swaps the colors in the text of a position.
func swapColors(text string) string {
	swapped := strings.Map(func(r rune) rune {
		switch r {
		case 'w':
			return 'b'
		case 'b':
			return 'w'
		case 'W':
			return 'B'
		case 'B':
			return 'W'
		}
		return r
	}, text)
	fields := strings.Fields(swapped)
	white, black, _ := strings.Cut(fields[2], "-")
	fields[2] = black + "-" + white
	return strings.Join(fields, " ")
}

// Within returns search limits of the given time.
func Within(time time.Duration) search.Limits { return search.Limits{MoveTime: max(time, 1)} }

// Result is the result of a searcher on a problem.
type Result struct {
	Problem *Problem
	Best    position.Turn // the searcher's answer
	Solved  bool          // whether Best is one of the winning turns
	Time    time.Duration // when the search settled on a winning turn; 0 if not solved
}

// Run gives each problem to the searcher, with cleared state and within limits, and writes a
// summary to out. A problem ends early when its win is proven. If progress is not nil, Run
// writes progress to it: one line that it updates if progress is a terminal, otherwise one
// line per problem.
//
// Results are in the order of the problems. If ctx is done, Run returns the results so far
// and the context's error.
func Run(ctx context.Context, searcher bench.Searcher, problems []Problem, limits search.Limits, progress, out io.Writer) ([]Result, error) {
	meter := &meter{out: progress, terminal: isTerminal(progress), total: len(problems), began: time.Now()}
	results := make([]Result, 0, len(problems))
	for i := range problems {
		r := solve(ctx, searcher, &problems[i], limits)
		if ctx.Err() != nil {
			break
		}
		results = append(results, r)
		meter.add(&r)
	}
	meter.end()
	if err := writeSummary(out, results); err != nil {
		return results, err
	}
	return results, ctx.Err()
}

// solve gives one problem to the searcher.
func solve(ctx context.Context, searcher bench.Searcher, problem *Problem, limits search.Limits) Result {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	searcher.NewGame()
	w := watch{problem: problem}
	began := time.Now()
	outcome := searcher.Search(ctx, problem.Position, limits, func(info search.Info) {
		if w.see(&info) {
			cancel()
		}
	})
	result := Result{Problem: problem, Best: outcome.Best, Solved: slices.Contains(problem.Winning, outcome.Best)}
	switch {
	case result.Solved && w.right:
		result.Time = w.since
	case result.Solved: // the turn was never reported
		result.Time = time.Since(began)
	}
	return result
}

// watch measures the time to solution from the reports of a search: the time of the last
// change to a winning turn.
type watch struct {
	problem *Problem
	right   bool          // whether the best turn last reported wins
	since   time.Duration // since when it does
}

// see records a report. It reports whether the search has proven that a winning turn wins
// in time, so that it can stop.
//
// Only the best line counts. Upper bounds are ignored because they do not determine a turn.
func (w *watch) see(info *search.Info) (proven bool) {
	if info.MultiPV > 1 || info.Bound == search.Upper || len(info.PV) == 0 {
		return false
	}
	right := slices.Contains(w.problem.Winning, info.PV[0])
	if right && !w.right {
		w.since = info.Time
	}
	w.right = right
	plies, mate := info.Score.Mate()
	return right && mate && plies > 0 && plies <= w.problem.Plies()
}

// marks are the time limits listed in the summary.
var marks = [...]time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second}

// counts summarizes results.
type counts struct {
	problems int
	times    []time.Duration // to solution, of the solved problems
}

// add adds a result.
func (c *counts) add(r *Result) {
	c.problems++
	if r.Solved {
		c.times = append(c.times, r.Time)
	}
}

// share returns n as a percentage of the problems.
func (c *counts) share(n int) float64 { return 100 * float64(n) / float64(max(c.problems, 1)) }

// line formats the counts as a line of the summary. The median is the lower one if the number
// of times is even.
func (c *counts) line(name string) string {
	slices.Sort(c.times)
	text := fmt.Sprintf("%-6s %9d %7d  %5.1f%%", name, c.problems, len(c.times), c.share(len(c.times)))
	for _, mark := range marks {
		within, _ := slices.BinarySearch(c.times, mark+1)
		text += fmt.Sprintf("  %5.1f%%", c.share(within))
	}
	var median, longest time.Duration
	if n := len(c.times); n > 0 {
		median, longest = c.times[(n-1)/2], c.times[n-1]
	}
	return text + fmt.Sprintf(" %9.1f %8.1f\n", milliseconds(median), milliseconds(longest))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// writeSummary writes a table with one line for each number of turns and one for all
// problems. The columns are the number of problems, the solved ones in total and within each
// mark, and the median and longest time to solution in milliseconds.
func writeSummary(out io.Writer, results []Result) error {
	var byTurns [MaxTurns + 1]counts
	var all counts
	for i := range results {
		byTurns[results[i].Problem.Turns].add(&results[i])
		all.add(&results[i])
	}
	var text strings.Builder
	text.WriteString("win in  problems  solved   share   0.1 s     1 s     5 s median ms   max ms\n")
	for n := range byTurns {
		if byTurns[n].problems > 0 {
			text.WriteString(byTurns[n].line(fmt.Sprint(n)))
		}
	}
	text.WriteString(all.line("all"))
	_, err := io.WriteString(out, text.String())
	return err
}

// meter displays the progress of a run. Write errors are ignored because the output is only
// for people.
type meter struct {
	out      io.Writer // nil for no output
	terminal bool
	total    int
	done     int
	solved   int
	began    time.Time
}

// isTerminal reports whether out is a terminal.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok || file == nil {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// add counts a result and displays it.
func (m *meter) add(r *Result) {
	m.done++
	if r.Solved {
		m.solved++
	}
	switch {
	case m.out == nil:
	case m.terminal:
		fmt.Fprintf(m.out, "\r%s", m.bar())
	default:
		fmt.Fprintln(m.out, m.plain(r))
	}
}

// bar returns the line for a terminal. It never gets shorter, so that it covers the
// previous one.
func (m *meter) bar() string {
	const width = 30
	full := width * m.done / max(m.total, 1)
	return fmt.Sprintf("[%s%s] %d/%d, %d solved, %.0f s",
		strings.Repeat("#", full), strings.Repeat(".", width-full), m.done, m.total, m.solved, time.Since(m.began).Seconds())
}

// plain returns the line for one result.
func (m *meter) plain(r *Result) string {
	if !r.Solved {
		return fmt.Sprintf("%d/%d: win in %d: not solved, answered %v", m.done, m.total, r.Problem.Turns, r.Best)
	}
	return fmt.Sprintf("%d/%d: win in %d: solved in %.1f ms by %v", m.done, m.total, r.Problem.Turns, milliseconds(r.Time), r.Best)
}

// end ends the line on a terminal.
func (m *meter) end() {
	if m.out != nil && m.terminal && m.done > 0 {
		fmt.Fprintln(m.out)
	}
}
