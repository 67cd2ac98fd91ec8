package enginetest

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gyre/protocol"
)

// The environment variables that turn a test binary into an engine.
const (
	variable = "GYRE_TEST_ENGINE" // the name of the engine
	pidsDir  = "GYRE_TEST_PIDS"   // the directory for a file named by the process id
)

// Parallel lets more parallel tests run at a time than there are processors, unless -parallel
// is given: tests with programs often wait. Call it in TestMain, when [Play] has returned.
func Parallel() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
}

// Play plays an engine and ends the program, if the program was started as an engine. Call
// it first in TestMain.
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
	play(&server{in: os.Stdin, out: os.Stdout})
	os.Exit(0)
}

// Local returns a function that starts the named engine inside this program, for tests
// under testing/synctest. The engine must not exit, close its output, or ignore `quit`.
func Local(name string) func(protocol.Config) (*protocol.Client, error) {
	return func(config protocol.Config) (*protocol.Client, error) {
		commands, toEngine := io.Pipe()
		answers, fromEngine := io.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			engines[name](&server{in: commands, out: fromEngine, local: true})
			_ = commands.Close()
			_ = fromEngine.Close()
		}()
		return protocol.Connect(pipes{answers, toEngine, ended}, config)
	}
}

// pipes is a connection to an engine inside this program.
type pipes struct {
	*io.PipeReader
	*io.PipeWriter
	ended <-chan struct{}
}

// Close closes both pipes and waits until the engine has ended. It never fails.
func (p pipes) Close() error {
	_ = p.PipeWriter.Close()
	_ = p.PipeReader.Close()
	<-p.ended
	return nil
}

// raceSettings makes a program with the race detector end without a delay of one second.
const raceSettings = "GORACE=atexit_sleep_ms=0"

// leave writes a note to the file of this process.
func leave(note string) error {
	dir := os.Getenv(pidsDir)
	if dir == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprint(os.Getpid())), []byte(note), 0o600)
}

// Environment returns the environment in which this program becomes the named engine. Each
// process creates a file in dir, named by its process id. Hangs writes to it when it begins
// to hang. If dir is empty, there are no files.
func Environment(name, dir string) []string {
	return []string{variable + "=" + name, pidsDir + "=" + dir, raceSettings}
}

// Program returns the named engine. See Environment for dir.
func Program(name, dir string) protocol.Program {
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	return protocol.Program{Path: path, Env: Environment(name, dir)}
}

// links numbers the scripts of Script.
var links atomic.Int64

// Script writes a shell script to dir that runs the named engine, for callers that cannot
// set an environment, and returns its path. pids is the dir of Environment.
func Script(dir, name, pids string) (string, error) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("engine%d", links.Add(1)))
	self := Program(name, pids)
	text := fmt.Sprintf("#!%s\n%s %s='%s' %s='%s' exec '%s'\n", shell, raceSettings, variable, name, pidsDir, pids, self.Path)
	// A process that starts meanwhile inherits the open file for a moment, and Linux does not run
	// a file that is open for writing.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return path, os.WriteFile(path, []byte(text), 0o700)
}

// patience is how long Left waits for processes to end. They should end at once; the limit
// is for a busy machine.
const patience = time.Minute

// Left waits until the processes with a file in dir have ended. It returns the ids of those
// that still run after a minute, and the number of all processes.
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
			return nil, 0, fmt.Errorf("the file name is not a process id: %w", err)
		}
		if !ended(pid) {
			left = append(left, pid)
		}
	}
	return left, len(files), nil
}

// ended reports whether a process has ended. A zombie counts, because in a container there
// may be no process that reaps it.
func ended(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return strings.Contains(string(stat), ") Z ")
	}
	process, err := os.FindProcess(pid)
	return err != nil || process.Signal(syscall.Signal(0)) != nil
}
