//go:build unix

package protocol

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gyre/search"
)

// TestNoProcessLeft checks a program that dies while its child holds its pipes open: the
// client notices its death, and the child is ended.
func TestNoProcessLeft(t *testing.T) {
	t.Parallel()
	c := started(t, "leaves a child", hasty)
	_, err := c.Go(context.Background(), search.Limits{}, nil)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != Died || len(failure.Stderr) != 1 {
		t.Fatalf("error %v", err)
	}
	child, err := strconv.Atoi(failure.Stderr[0])
	if err != nil {
		t.Fatal(err)
	}
	waitGone(t, child)
}

// startedUntilGo starts an engine that never answers a search, and calls end once a search has
// begun.
func startedUntilGo(t *testing.T, end func(c *Client)) (c *Client) {
	t.Helper()
	config := hasty
	config.Trace = func(toEngine bool, line string) {
		if toEngine && strings.HasPrefix(line, "go") {
			go end(c)
		}
	}
	c = started(t, "never answers", config)
	return c
}

// TestKill checks that a program ends at once when it is killed, even twice, and that a search
// that waits for it ends.
func TestKill(t *testing.T) {
	t.Parallel()
	c := startedUntilGo(t, (*Client).Kill)
	pid := c.process.command.Process.Pid
	if _, err := c.Go(context.Background(), search.Limits{Infinite: true}, nil); err == nil {
		t.Error("a search outlives the engine")
	}
	c.Kill()
	waitGone(t, pid)
}

// TestKilledFromOutside checks that the failure reports the signal.
func TestKilledFromOutside(t *testing.T) {
	t.Parallel()
	c := startedUntilGo(t, func(c *Client) { syscall.Kill(c.process.command.Process.Pid, syscall.SIGKILL) })
	_, err := c.Go(context.Background(), search.Limits{Infinite: true}, nil)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != Died || failure.Status != "signal: killed" {
		t.Errorf("error %v", err)
	}
}

// TestKillAfterExit checks that killing a program that has ended signals nobody: the system may
// have given its number to another program.
func TestKillAfterExit(t *testing.T) {
	t.Parallel()
	ended, err := testProgram(t, "dies at start").Run()
	if err != nil {
		t.Fatal(err)
	}
	defer ended.Close()
	<-ended.Exited()
	c := started(t, "good", patient)
	ended.command.Process.Pid = c.process.command.Process.Pid
	ended.Kill()
	if err := c.Ready(); err != nil {
		t.Errorf("the other program: %v", err)
	}
}

// waitGone waits until a process has ended. If its parent has died, the system reaps it a
// little later, without an event for this program.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if gone(pid) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left behind", pid)
		}
	}
}

// gone reports whether a process has ended. A zombie counts, because in a container there may
// be no process that reaps it.
func gone(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) != nil
}
