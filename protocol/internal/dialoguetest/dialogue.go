// Package dialoguetest lets tests play the client of a server that reads lines and
// answers with lines.
package dialoguetest

import (
	"bufio"
	"io"
	"testing"
	"time"
)

// Patience is how long tests wait for what must come: a guard against waiting for ever,
// on however busy a machine.
const Patience = 5 * time.Minute

// mostUnheard is how many lines the server can say before anybody hears them.
const mostUnheard = 1 << 16

// longestLine is the longest line of a server that can be heard, in bytes.
const longestLine = 4 << 20

// Dialogue is a client of a server that a test plays by hand.
type Dialogue struct {
	T     *testing.T
	In    *io.PipeWriter // to the server
	Lines chan string    // from the server, closed when it has ended

	served   chan error
	timeless func(line string) string
}

// Begin serves the test, whose server reads lines from in until that ends. timeless
// returns a line without what differs between runs; Expect compares what it leaves.
func Begin(t *testing.T, serve func(in io.Reader, out io.Writer) error, timeless func(line string) string) *Dialogue {
	t.Helper()
	commands, in := io.Pipe()
	answers, out := io.Pipe()
	d := &Dialogue{T: t, In: in, Lines: make(chan string, mostUnheard), served: make(chan error, 1), timeless: timeless}
	go func() {
		d.served <- serve(commands, out)
		out.Close()
		commands.Close()
	}()
	go func() {
		defer close(d.Lines)
		scanner := bufio.NewScanner(answers)
		scanner.Buffer(nil, longestLine)
		for scanner.Scan() {
			d.Lines <- scanner.Text()
		}
	}()
	return d
}

// Say sends lines.
func (d *Dialogue) Say(lines ...string) {
	d.T.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(d.In, line+"\n"); err != nil {
			d.T.Fatalf("saying %q: %v", line, err)
		}
	}
}

// Hear returns the next line.
func (d *Dialogue) Hear() string {
	d.T.Helper()
	select {
	case line, ok := <-d.Lines:
		if !ok {
			d.T.Fatal("the server has ended instead of answering")
		}
		return line
	case <-time.After(Patience):
		d.T.Fatal("the server says nothing")
	}
	return ""
}

// Expect hears lines that must be these, what differs between runs aside.
func (d *Dialogue) Expect(lines ...string) {
	d.T.Helper()
	for _, want := range lines {
		if got := d.Hear(); d.timeless(got) != d.timeless(want) {
			d.T.Fatalf("heard\n%s, want\n%s", got, want)
		}
	}
}

// Finish ends the input and returns what comes after that, and how serving ended.
func (d *Dialogue) Finish() (rest []string, err error) {
	d.T.Helper()
	d.In.Close()
	for line := range d.Lines {
		rest = append(rest, line)
	}
	select {
	case err := <-d.served:
		return rest, err
	case <-time.After(Patience):
		d.T.Fatal("the server does not end")
	}
	return nil, nil
}
