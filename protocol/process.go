package protocol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Program is an engine that runs as a process.
type Program struct {
	Path string   // looked up in PATH if it has no separator
	Args []string // after the path
	Dir  string   // working directory; the caller's if empty
	Env  []string // "NAME=value", added to the caller's environment
	// OnlyEnv makes Env the whole environment, without the caller's.
	OnlyEnv bool
}

// lingering is how long the pipes of an ended process stay open for its children that
// still run.
const lingering = 500 * time.Millisecond

// Process is a running program without a client, for callers that read and write lines
// themselves. Read reads its standard output, and Write writes to its standard input.
// Call Kill and Close at the end.
type Process struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *os.File
	stderr  tail
	exited  chan struct{} // closed when the program has ended
}

// Run starts the program and sends it nothing. On Linux it ends when this program ends,
// even if this program is killed.
func (p Program) Run() (*Process, error) { return startProcess(p, nil) }

// longestBusy limits the waits for a program that is open for writing, which add up to about as long.
const longestBusy = time.Second

// startProcess starts a program in its own process group. On Linux it ends when this
// program ends. Elsewhere, if this program is killed, it may live until it next reads
// its input.
//
// A program that has just been written may still be open in a process that was being started
// meanwhile, and Linux does not run a program that is open for writing. So startProcess tries again.
func startProcess(program Program, processors []int) (*Process, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		p, err := startOnce(program, processors)
		if !isBusy(err) || wait > longestBusy {
			return p, err
		}
		time.Sleep(wait)
	}
}

func startOnce(program Program, processors []int) (*Process, error) {
	p := &Process{command: exec.Command(program.Path, program.Args...), exited: make(chan struct{})}
	p.command.Dir = program.Dir
	p.command.Env = program.environment()
	p.command.Stderr = &p.stderr
	p.command.WaitDelay = lingering
	ownGroup(p.command)
	var err error
	if p.stdin, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	// Wait closes the pipe of StdoutPipe. This one outlives Wait, so no output is lost.
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.stdout, p.command.Stdout = reading, writing
	started := make(chan error)
	go p.run(processors, started)
	err = <-started
	_ = writing.Close() // the program, if it started, has its own copy
	if err != nil {
		_ = reading.Close()
		return nil, cmp.Or(program.checkDir(), err)
	}
	return p, nil
}

// environment returns the program's environment, which is never nil.
func (p Program) environment() []string {
	if p.OnlyEnv {
		return append([]string{}, p.Env...)
	}
	return append(os.Environ(), p.Env...)
}

// checkDir returns why the program cannot run in its folder, or nil. The system's error for
// it names the program.
func (p Program) checkDir() error {
	if p.Dir == "" {
		return nil
	}
	info, err := os.Stat(p.Dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("folder %s: not a folder", p.Dir)
	}
	if err == nil {
		_, err = os.Stat(p.Dir + "/.") // needs the right to enter it
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("folder %s: %w", p.Dir, e.Err)
	}
	return err
}

// Find returns why Start would fail, as far as the files show, or nil. The error starts with the
// program's path.
func (p Program) Find() error {
	if err := p.checkDir(); err != nil {
		return err
	}
	_, err := exec.LookPath(p.Path)
	return startError(err)
}

// startError removes the system call or package from the error of starting a program, so
// that it starts with the program's path.
func startError(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w%s", e.Path, e.Err, whyNot(e.Path, e.Err))
	}
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return fmt.Errorf("%s: %w%s", e.Name, e.Err, whyNot(e.Name, e.Err))
	}
	return err
}

// whyNot explains the error of starting the program in a file, or returns "".
func whyNot(path string, err error) string {
	info, missing := os.Stat(path)
	switch {
	case errors.Is(err, exec.ErrNotFound) && missing == nil && !info.IsDir():
		return "; for the file in this folder write ." + string(os.PathSeparator) + path
	case missing != nil:
		return ""
	case info.IsDir():
		return "; it is a folder, not a program"
	case errors.Is(err, fs.ErrPermission):
		return "; is it a program, and executable?"
	case strings.Contains(err.Error(), "exec format error"):
		return "; is it a program for this system? A script needs a first line such as #!/usr/bin/env python3"
	}
	return ""
}

// run starts the program, sends the error of the start, waits for the program's end, and
// ends its children. If one in another group still holds the output open, run closes it.
//
// All of this runs on one thread of the operating system. Linux ends the program when
// the thread that started it ends, and the program inherits the processors of that
// thread. The thread is never unlocked, so it ends with this function.
func (p *Process) run(processors []int, started chan<- error) {
	runtime.LockOSThread()
	err := startContained(func() error { return onProcessors(processors, p.command.Start) }, func() int { return p.command.Process.Pid })
	started <- startError(err)
	if err != nil {
		return
	}
	// The process state records how it ended.
	_ = p.command.Wait()
	// Now, because the system may soon give the number of the group to another one.
	killGroup(p.command)
	endLeft(p.command.Process.Pid)
	close(p.exited)
	time.AfterFunc(lingering, func() { _ = p.stdout.Close() })
}

// Exited is closed when the program has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

func (p *Process) waitExit(ctx context.Context) error {
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Status returns how the program ended, such as "exit status 3" or "signal: killed".
// The program must have ended.
func (p *Process) Status() string { return p.command.ProcessState.String() }

// Stderr returns the last lines of the program's standard error, printable.
func (p *Process) Stderr() []string { return p.stderr.lines() }

// Kill ends the program and all its children, and waits for its end.
func (p *Process) Kill() {
	select {
	case <-p.exited: // with its children
	default:
		killGroup(p.command)
		<-p.exited
	}
}

// Read reads the program's output.
func (p *Process) Read(b []byte) (int, error) { return p.stdout.Read(b) }

// Write writes to the program's input.
func (p *Process) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// CloseInput closes the program's input.
func (p *Process) CloseInput() error { return p.stdin.Close() }

// CloseOutput closes the reading end of the program's output.
func (p *Process) CloseOutput() error { return p.stdout.Close() }

// Close closes both pipes.
func (p *Process) Close() error { return errors.Join(p.stdin.Close(), p.stdout.Close()) }

// The limits of the part of the standard error that is kept.
const (
	tailBytes = 4096
	tailLines = 10
)

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p[max(0, len(p)-tailBytes):]...)
	if cut := len(t.last) - tailBytes; cut > 0 {
		t.last = append(t.last[:0], t.last[cut:]...)
	}
	return len(p), nil
}

// lines returns the last lines, printable.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.last))
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	for i, line := range lines {
		lines[i] = printable(strings.TrimRight(line, "\r"))
	}
	return lines
}
