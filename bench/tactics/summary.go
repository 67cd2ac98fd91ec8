package tactics

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"time"
)

// marks are the times within which the summary counts what is solved.
var marks = [...]time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second}

// counts is what the summary tells of some results.
type counts struct {
	problems int
	times    []time.Duration // to solution, of those solved
}

// add counts a result.
func (c *counts) add(r *Result) {
	c.problems++
	if r.Solved {
		c.times = append(c.times, r.Time)
	}
}

// within returns how many are solved in so much time.
func (c *counts) within(limit time.Duration) (n int) {
	for _, d := range c.times {
		if d <= limit {
			n++
		}
	}
	return n
}

// share returns n of the problems as a percentage.
func (c *counts) share(n int) float64 { return 100 * float64(n) / float64(max(c.problems, 1)) }

// median returns the time within which half of those solved are solved, the
// lower of the two in the middle of an even number.
func (c *counts) median() time.Duration {
	if len(c.times) == 0 {
		return 0
	}
	sorted := slices.Clone(c.times)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
	return sorted[(len(sorted)-1)/2]
}

// longest returns the longest time to solution.
func (c *counts) longest() (d time.Duration) {
	for _, u := range c.times {
		d = max(d, u)
	}
	return d
}

// line returns the counts as a line of the summary.
func (c *counts) line(name string) string {
	text := fmt.Sprintf("%-6s %9d %7d  %5.1f%%", name, c.problems, len(c.times), c.share(len(c.times)))
	for _, mark := range marks {
		text += fmt.Sprintf("  %5.1f%%", c.share(c.within(mark)))
	}
	return text + fmt.Sprintf(" %9.1f %8.1f\n", milliseconds(c.median()), milliseconds(c.longest()))
}

// milliseconds returns a time in milliseconds.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// writeSummary writes a table with a line for each number of turns and one for
// all: problems, how many are solved at all and within each of the marks, and
// the median and longest time to solution in milliseconds.
func writeSummary(out io.Writer, results []Result) error {
	var byTurns [MostTurns + 1]counts
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
