// Package dialoguetest lets a test act as the client of a line-based server.
package dialoguetest

import (
	"bufio"
	"io"
	"testing"
	"time"
)

// Patience is how long tests wait for an event that must come. It guards against waiting
// forever, even on a busy machine.
const Patience = 5 * time.Minute

// maxUnread is how many lines the server can write ahead of the test.
const maxUnread = 1 << 16

// maxLine is the longest line of a server, in bytes.
const maxLine = 4 << 20

// Dialogue is a conversation of a test with a server.
type Dialogue struct {
	T     *testing.T
	In    *io.PipeWriter // to the server
	Lines chan string    // from the server; closed after its end

	served   chan error
	timeless func(line string) string
}

// Begin starts serve, which reads lines from in until its end. timeless removes the parts
// of a line that differ between runs, before Expect compares it.
func Begin(t *testing.T, serve func(in io.Reader, out io.Writer) error, timeless func(line string) string) *Dialogue {
	t.Helper()
	commands, in := io.Pipe()
	answers, out := io.Pipe()
	d := &Dialogue{T: t, In: in, Lines: make(chan string, maxUnread), served: make(chan error, 1), timeless: timeless}
	go func() {
		d.served <- serve(commands, out)
		out.Close()
		commands.Close()
	}()
	go func() {
		defer close(d.Lines)
		scanner := bufio.NewScanner(answers)
		scanner.Buffer(nil, maxLine)
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

// Hear returns the server's next line.
func (d *Dialogue) Hear() string {
	d.T.Helper()
	select {
	case line, ok := <-d.Lines:
		if !ok {
			d.T.Fatal("the server ended instead of answering")
		}
		return line
	case <-time.After(Patience):
		d.T.Fatal("the server is silent")
	}
	return ""
}

// Expect fails the test unless the server's next lines are these, ignoring the parts that
// timeless removes.
func (d *Dialogue) Expect(lines ...string) {
	d.T.Helper()
	for _, want := range lines {
		if got := d.Hear(); d.timeless(got) != d.timeless(want) {
			d.T.Fatalf("heard\n%s, want\n%s", got, want)
		}
	}
}

// Finish ends the input and returns the remaining lines and the result of serve.
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
		d.T.Fatal("the server did not end")
	}
	return nil, nil
}
