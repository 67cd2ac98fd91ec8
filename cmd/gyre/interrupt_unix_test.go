//go:build unix

package main

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestInterrupt checks that an interrupt ends what runs in good order: a search
// answers, and a count says that it was stopped.
func TestInterrupt(t *testing.T) {
	cases := []struct{ words, input, last string }{
		{"go infinite", "", "bestmove "},
		{"", "go infinite\nisready\n", "bestmove "},
		{"", "perft 30\nisready\n", "info string perft 30 stopped"},
	}
	for _, c := range cases {
		command := gyre(t, strings.Fields(c.words)...)
		in, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write([]byte(c.input)); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		lines.Scan() // it is at work
		if err := command.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		last := ""
		for lines.Scan() {
			last = lines.Text()
		}
		if !strings.HasPrefix(last, c.last) {
			t.Errorf("gyre %s: the last line is %q", c.words, last)
		}
		if err := command.Wait(); command.ProcessState.ExitCode() != interrupted {
			t.Errorf("gyre %s: ended with %v", c.words, err)
		}
	}
}
