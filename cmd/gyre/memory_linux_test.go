package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// These flags measure memory in full, or the memory of another build:
//
//	go test ./cmd/gyre -run Memory -v -timeout 1h -memory [-program PATH]
var (
	fullMemory   = flag.Bool("memory", false, "measure memory over 60000 searches with Hash 256 and 512")
	otherProgram = flag.String("program", "", "the program whose memory is measured")
)

// TestMemory checks that the engine's memory stays near the limit of Hash after many
// searches and changes of the searcher. It measures the peak resident memory.
func TestMemory(t *testing.T) {
	type run struct {
		hash, spare        int // MiB
		searches, switches int
	}
	runs := []run{{hash: 96, spare: 64, searches: 400, switches: 40}}
	switch {
	case *fullMemory:
		runs = []run{{256, 64, 60_000, 0}, {512, 64, 60_000, 0}, {256, 64, 60_000, 60}, {512, 64, 60_000, 60}}
	case !testing.Short():
		runs = append(runs, run{hash: 96, spare: 64, searches: 2_500})
	}
	for _, r := range runs {
		t.Run(fmt.Sprintf("hash %d, %d searches, %d switches", r.hash, r.searches, r.switches), func(t *testing.T) {
			e := serveEngine(t)
			e.say("setoption name Hash value " + strconv.Itoa(r.hash))
			e.say("uginewgame")
			positions := gamePositions(r.searches)
			for i := range r.searches {
				if r.switches > 0 && i%(r.searches/r.switches) == 0 {
					e.say("setoption name Search value " + []string{"mcts", "alphabeta"}[i/(r.searches/r.switches)%2])
				}
				e.say("position fen " + positions[i])
				e.say("go nodes 100")
				e.hear("bestmove ")
			}
			peak := e.peak()
			t.Logf("Hash %d MiB: %d MiB at most", r.hash, peak)
			allowed := r.hash + r.spare
			if raceDetector() {
				allowed += 192 // the detector keeps a multiple of the evaluation's tables
			}
			if peak > allowed {
				t.Errorf("%d MiB in memory, with Hash %d at most %d are due", peak, r.hash, allowed)
			}
		})
	}
}

// TestNewGameUnused checks that a new game neither allocates nor clears a table that
// was never used.
func TestNewGameUnused(t *testing.T) {
	e := serveEngine(t)
	e.say("setoption name Hash value 512")
	e.say("uginewgame")
	e.say("isready")
	e.hear("readyok")
	allowed := 64 // MiB
	if raceDetector() {
		allowed = 128 // the detector itself takes about 60
	}
	if peak := e.peak(); peak > allowed {
		t.Errorf("%d MiB in memory before the first search, at most %d are due", peak, allowed)
	}
}

// raceDetector reports whether the test, and with it the engine, was built with the
// race detector.
func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// TestHashBeyondTheMachine checks that the engine rejects a table larger than the
// available memory and keeps its current one. The system limits it to 3 GiB of
// address space here.
func TestHashBeyondTheMachine(t *testing.T) {
	if raceDetector() {
		t.Skip("the race detector needs more addresses")
	}
	e := serveEngine(t, "sh", "-c", `ulimit -v 3145728; exec "$0"`)
	e.say("setoption name Hash value 4096")
	e.say("go depth 3")
	e.hear(`info string error setoption: "4096": Hash: `)
	e.hear("bestmove ")
	e.say("setoption name Hash value 128")
	e.say("setoption name Search value mcts")
	e.say("go nodes 100")
	e.hear("bestmove ")
}

// served is a running program that a test communicates with.
type served struct {
	t       *testing.T
	command *exec.Cmd
	in      io.Writer
	lines   *bufio.Scanner
}

// serveEngine starts the program, prefixed by another command if before is not
// empty. It ends with the test.
func serveEngine(t *testing.T, before ...string) *served {
	t.Helper()
	s := &served{t: t, command: gyre(t)}
	if *otherProgram != "" {
		s.command = exec.Command(*otherProgram)
	}
	if len(before) > 0 {
		env := s.command.Env
		s.command = exec.Command(before[0], append(before[1:], s.command.Path)...)
		s.command.Env = env
	}
	in, err := s.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.lines = in, bufio.NewScanner(out)
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = s.command.Wait()
	})
	return s
}

// say sends a line.
func (s *served) say(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatalf("saying %q: %v", line, err)
	}
}

// hear returns the next line that starts with beginning.
func (s *served) hear(beginning string) string {
	s.t.Helper()
	for s.lines.Scan() {
		switch line := s.lines.Text(); {
		case strings.HasPrefix(line, beginning):
			return line
		case strings.HasPrefix(line, "info string error"):
			s.t.Fatalf("waiting for %q: %s", beginning, line)
		}
	}
	s.t.Fatalf("the program has ended without a line %q", beginning)
	return ""
}

// peak returns the peak resident memory of the program in MiB; see
// proc_pid_status(5).
func (s *served) peak() int {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.command.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kibibytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		s.t.Fatal(err)
	}
	return kibibytes >> 10
}
