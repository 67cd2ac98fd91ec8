package protocol

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

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
