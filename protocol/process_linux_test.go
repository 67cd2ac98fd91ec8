package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestProcessors limits a program to one processor, and checks that this program keeps all of
// its own.
func TestProcessors(t *testing.T) {
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &before); err != nil {
		t.Fatal(err)
	}
	last := -1
	for n := range 8 * len(before) {
		if before.IsSet(n) {
			last = n
		}
	}
	program, config := testProgram(t, "never answers"), patient
	config.Processors = []int{last}
	c, err := program.Start(config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Kill()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.process.command.Process.Pid))
	if want := fmt.Sprintf("Cpus_allowed_list:\t%d\n", last); err != nil || !strings.Contains(string(status), want) {
		t.Errorf("no %q in %s, %v", want, status, err)
	}
	if err := unix.SchedGetaffinity(os.Getpid(), &after); err != nil || after != before {
		t.Errorf("this program may run on %v, before on %v, %v", after, before, err)
	}
	config.Processors = []int{1000}
	_, err = program.Start(config)
	if failure, ok := errors.AsType[*Failure](err); !ok || failure.Kind != CannotStart || !strings.Contains(err.Error(), "processors [1000]") {
		t.Errorf("error %v", err)
	}
}

func init() {
	programs["leaves a session"] = func() { // whose parent ends at once
		if os.Getenv("GYRE_TEST_DEPTH") == "" {
			leave("GYRE_TEST_DEPTH=1")
			time.Sleep(time.Hour)
		}
		leave(programVariable + "=sleeper")
	}
	programs["contains"] = func() {
		err := Contain()
		self, _ := os.Executable()
		process, err1 := Program{Path: self, Env: []string{programVariable + "=leaves a session"}, OnlyEnv: true}.Run()
		if err := errors.Join(err, err1); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		line, _ := bufio.NewReader(process).ReadString('\n')
		process.Kill()
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		_, err1 = os.ReadFile("/proc/self/environ")
		dumpable, err2 := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
		// Root reads every file, but what hides it from others is set for root, too.
		hidden := err2 == nil && dumpable == 0 && (err1 != nil || os.Geteuid() == 0)
		fmt.Println(err == nil && syscall.Kill(pid, 0) != nil, hidden)
		os.Exit(0)
	}
}

// leave starts this program once more in a session of its own. A sleeper's number is printed.
func leave(variable string) {
	self, _ := os.Executable()
	child := exec.Command(self)
	child.Env, child.Stdout = append(os.Environ(), variable), os.Stdout
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := child.Start(); err != nil {
		panic(err)
	}
	if strings.HasPrefix(variable, programVariable) {
		fmt.Println(child.Process.Pid)
	}
}

// TestContain ends a program that has left a process in another session, whose parent has ended.
func TestContain(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	process, err := Program{Path: self, Env: []string{programVariable + "=contains"}}.Run()
	if err != nil {
		t.Fatal(err)
	}
	defer process.Close()
	defer process.Kill()
	text, err := io.ReadAll(process)
	if err != nil || string(text) != "true true\n" {
		t.Errorf("what the program left is gone, and its environment hidden: %s, %v", text, err)
	}
}

// TestBusyProgram starts a program that is open for writing until a moment later.
func TestBusyProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "program")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("#!/bin/sh\n"); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(path).Run(); !errors.Is(err, syscall.ETXTBSY) {
		t.Fatalf("this system runs a program that is open for writing: %v", err)
	}
	time.AfterFunc(10*time.Millisecond, func() { _ = file.Close() })
	p, err := Program{Path: path}.Run()
	if err != nil {
		t.Fatal(err)
	}
	<-p.Exited()
	p.Kill()
}
