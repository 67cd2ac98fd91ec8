package enginetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gyre/protocol"
)

// The variables by which a test's binary knows that it is to be an engine.
const (
	variable = "GYRE_TEST_ENGINE" // which
	pidsDir  = "GYRE_TEST_PIDS"   // where it leaves its process id, a file's name
)

// Play plays an engine and ends the program, if the program was started as one.
// A TestMain calls it first.
func Play() {
	name, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	play, ok := engines[name]
	if !ok {
		fmt.Fprintln(os.Stderr, "no engine", name)
		os.Exit(2)
	}
	if err := leave(""); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	play(&server{})
	os.Exit(0)
}

// raceSettings has a program with the race detector end at once, and not after a
// second in which others might report more.
const raceSettings = "GORACE=atexit_sleep_ms=0"

// leave leaves a note in the file of this process.
func leave(note string) error {
	dir := os.Getenv(pidsDir)
	if dir == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprint(os.Getpid())), []byte(note), 0o600)
}

// Environment is what makes this program the named engine when it is started
// again. Each process leaves a file in dir, named by its id, in which Hangs says so
// when it begins to hang; dir may be empty.
func Environment(name, dir string) []string {
	return []string{variable + "=" + name, pidsDir + "=" + dir, raceSettings}
}

// Program is the named engine as something to start. For dir see Environment.
func Program(name, dir string) protocol.Program {
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	return protocol.Program{Path: path, Env: Environment(name, dir)}
}

// links numbers the scripts of Script.
var links atomic.Int64

// Script writes a program into dir that runs the named engine, for callers that
// take a path and no environment, and returns its path. For pids see
// Environment.
func Script(dir, name, pids string) (string, error) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("engine%d", links.Add(1)))
	self := Program(name, pids)
	text := fmt.Sprintf("#!%s\n%s %s='%s' %s='%s' exec '%s'\n", shell, raceSettings, variable, name, pidsDir, pids, self.Path)
	return path, os.WriteFile(path, []byte(text), 0o700)
}

// patience is how long Left waits for processes to end: a guard, as they should
// end at once, on however busy a machine.
const patience = time.Minute

// Left returns the ids of the processes that wrote themselves into dir and still
// run after some patience, and how many wrote themselves there at all.
func Left(dir string) (left []int, all int, err error) {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		left, all, err = running(dir)
		if len(left) == 0 || time.Now().After(deadline) {
			return left, all, err
		}
	}
}

func running(dir string) (left []int, all int, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, file := range files {
		pid, err := strconv.Atoi(file.Name())
		if err != nil {
			return nil, 0, fmt.Errorf("not the id of a process: %w", err)
		}
		if !ended(pid) {
			left = append(left, pid)
		}
	}
	return left, len(files), nil
}

// ended tells whether a process has ended. One that nobody has reaped counts: in
// a container there may be nobody who does.
func ended(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return strings.Contains(string(stat), ") Z ")
	}
	process, err := os.FindProcess(pid)
	return err != nil || process.Signal(syscall.Signal(0)) != nil
}
