package load

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// processorNumbers returns the numbers of the processors that this program may
// run on.
func processorNumbers() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("processors: %w", err)
	}
	var numbers []int
	for n := 0; len(numbers) < set.Count(); n++ {
		if set.IsSet(n) {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

// machineProcessors returns how many processors the machine has, also those that
// this program may not use, 0 if the system does not tell.
func machineProcessors() (n int) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if len(line) > 3 && bytes.HasPrefix(line, []byte("cpu")) && line[3] != ' ' {
			n++
		}
	}
	return n
}

// runnableThreads returns how many threads of the machine run or wait for a
// processor, the one that asks apart, 0 if the system does not tell.
func runnableThreads() int {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var averages [3]float64
	var runnable int
	if _, err := fmt.Sscanf(string(text), "%f %f %f %d/", &averages[0], &averages[1], &averages[2], &runnable); err != nil {
		return 0
	}
	return max(runnable-1, 0)
}
