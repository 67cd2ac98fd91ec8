//go:build unix

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gyre/bench/game"
	"gyre/cmd/internal/commandline"
)

// The stress tests are long and need a quiet machine of two cores or more:
//
//	go test ./cmd/gyre-arena -run Stress -stress -timeout 3h -v
var stress = flag.Bool("stress", false, "run the stress tests: hours")

// stressed returns an arena with the real engine.
func stressed(t *testing.T) (a *arena, engine string) {
	t.Helper()
	if !*stress {
		t.Skip("hours: only with -stress")
	}
	a = newArena(t)
	engine = filepath.Join(a.dir, "gyre")
	if output, err := exec.Command("go", "build", "-o", engine, "gyre/cmd/gyre").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return a, engine
}

// play plays a match of the engine against itself, two games at a time, and returns the
// finished command and its duration.
func (a *arena) play(engine string, more ...string) (*exec.Cmd, time.Duration) {
	a.t.Helper()
	args := []string{"match", "-engine", "name=a cmd=" + engine, "-engine", "name=b cmd=" + engine, "-each", "option.Hash=1",
		"-concurrency", "2", "-opening-bound", "0", "-records", "none", "-out", "games.jsonl"}
	command, output := a.command(append(args, more...)...)
	began := time.Now()
	if err := command.Run(); err != nil {
		a.t.Fatalf("%v: %s", err, output)
	}
	a.t.Log(output)
	return command, time.Since(began)
}

// faults counts the games in the file that were lost by a fault, and all games.
func (a *arena) faults() (faults, all int) {
	for _, l := range a.games("games.jsonl") {
		if l.Reason.Fault() {
			faults++
			a.t.Logf("game %d: %v: %s", l.Game, l.Reason, l.Detail)
		}
		all++
	}
	return faults, all
}

// TestStressSpeed plays 10,000 games of one node per turn: at least 150 games per second,
// with little memory for the arena.
func TestStressSpeed(t *testing.T) {
	a, engine := stressed(t)
	command, took := a.play(engine, "-nodes", "1", "-games", "10000")
	rate := 10_000 / took.Seconds()
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("no usage")
	}
	t.Logf("%.0f games/s, at most %d KB of memory", rate, usage.Maxrss)
	if faults, all := a.faults(); faults > 0 || all != 10_000 {
		t.Errorf("%d of %d games lost by a fault", faults, all)
	}
	if rate < 150 {
		t.Errorf("%.0f games/s", rate)
	}
	if usage.Maxrss > 100<<10 {
		t.Errorf("%d KB of memory", usage.Maxrss)
	}
}

// TestStressClocks plays 2,000 games at 200 ms + 2 ms, without a loss on time.
func TestStressClocks(t *testing.T) {
	a, engine := stressed(t)
	a.play(engine, "-tc", "200ms+2ms", "-games", "2000")
	if faults, all := a.faults(); faults > 0 || all != 2000 {
		t.Errorf("%d of %d games lost by a fault", faults, all)
	}
}

// TestStressIdle plays at 100 ms per turn: the arena itself uses less than 5% of a core.
func TestStressIdle(t *testing.T) {
	a, engine := stressed(t)
	command, output := a.command("match", "-engine", "name=a cmd="+engine, "-engine", "name=b cmd="+engine, "-each", "option.Hash=1",
		"-movetime", "100", "-games", "40", "-concurrency", "2", "-opening-bound", "0", "-out", "games.jsonl")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Second)
	before := ticks(t, command.Process.Pid)
	time.Sleep(20 * time.Second)
	share := float64(ticks(t, command.Process.Pid)-before) / 100 / 20
	t.Logf("%.2f%% of a core", 100*share)
	if share > 0.05 {
		t.Errorf("%.2f%% of a core", 100*share)
	}
	_ = command.Process.Signal(syscall.SIGINT)
	if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
		t.Errorf("%v: %s", err, output)
	}
	for _, l := range a.games("games.jsonl") {
		if l.Reason == game.TimeForfeit {
			t.Errorf("game %d: %s", l.Game, l.Detail)
		}
	}
}

// ticks returns the processor time of a process without its children, in hundredths of a
// second, from /proc.
func ticks(t *testing.T, pid int) int {
	t.Helper()
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Skip(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		t.Fatal(err)
	}
	system, err := strconv.Atoi(fields[12])
	if err != nil {
		t.Fatal(err)
	}
	return user + system
}
