package load

import (
	"fmt"

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
