package tactics

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// meter tells how far a run is. What it writes is for a person to read: errors
// of its writer are of no account.
type meter struct {
	out      io.Writer // nil to tell nothing
	terminal bool
	total    int
	done     int
	solved   int
	began    time.Time
}

// newMeter returns a meter of a run of so many problems.
func newMeter(out io.Writer, total int) *meter {
	return &meter{out: out, terminal: isTerminal(out), total: total, began: time.Now()}
}

// isTerminal tells whether a writer shows what is written to a person.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok || file == nil {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// add counts a result and tells it.
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

// bar returns the line for a terminal. Each is at least as long as the one
// before and so covers it.
func (m *meter) bar() string {
	const width = 30
	full := width * m.done / max(m.total, 1)
	return fmt.Sprintf("[%s%s] %d/%d, %d solved, %.0f s",
		strings.Repeat("#", full), strings.Repeat(".", width-full), m.done, m.total, m.solved, time.Since(m.began).Seconds())
}

// plain returns the line of one result.
func (m *meter) plain(r *Result) string {
	if !r.Solved {
		return fmt.Sprintf("%d/%d: win in %d: not solved, answered %v", m.done, m.total, r.Problem.Turns, r.Best)
	}
	return fmt.Sprintf("%d/%d: win in %d: solved in %.1f ms by %v", m.done, m.total, r.Problem.Turns, milliseconds(r.Time), r.Best)
}

// end closes the line on a terminal.
func (m *meter) end() {
	if m.out != nil && m.terminal && m.done > 0 {
		fmt.Fprintln(m.out)
	}
}
