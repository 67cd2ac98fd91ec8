//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"gyre/cmd/internal/commandline"
)

// TestInterrupt checks that a signal ends work cleanly: a search answers, and a
// count reports that it was stopped.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct {
		signal       os.Signal
		words, input string
		atWork, last string // prefixes of lines
	}{
		{syscall.SIGINT, "go infinite", "", "info depth", "bestmove "},
		{syscall.SIGINT, "", "go infinite\n", "info depth", "bestmove "},
		{syscall.SIGINT, "", "go infinite\ngo depth 30\n", "info string go waits", "bestmove none"},
		{syscall.SIGINT, "", "perft 30\nisready\n", "readyok", "info string perft 30 stopped"},
		{syscall.SIGTERM, "", "go infinite\n", "info depth", "bestmove "},
		{syscall.SIGHUP, "", "go infinite\n", "info depth", "bestmove "},
	} {
		t.Run(fmt.Sprint(c.signal, c.words, c.input), func(t *testing.T) {
			if signal.Ignored(c.signal) {
				t.Skip("the test ignores this signal, as under nohup")
			}
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
			if _, err := io.WriteString(in, c.input); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for lines.Scan() && !strings.HasPrefix(lines.Text(), c.atWork) {
			}
			if err := command.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			last := ""
			for lines.Scan() {
				last = lines.Text()
			}
			if !strings.HasPrefix(last, c.last) {
				t.Errorf("the last line is %q", last)
			}
			if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
				t.Errorf("ended with %v", err)
			}
		})
	}
}
