package load

import (
	"fmt"
	"runtime"
)

// Processors returns how many processors this program may use: those of the
// machine, less what the system keeps from it by affinity, by a container's share
// or by GOMAXPROCS.
func Processors() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// Share returns the processors of each game, by their numbers: each game has as many
// of its own. The error says that there are not enough, or that this system cannot
// tell them apart.
func Share(games, each int) ([][]int, error) {
	numbers, err := processorNumbers()
	if err != nil {
		return nil, err
	}
	if games > len(numbers)/each {
		return nil, fmt.Errorf("%d games with %d processors each: there are only %d", games, each, len(numbers))
	}
	var shares [][]int
	for i := range games {
		shares = append(shares, numbers[i*each:(i+1)*each])
	}
	return shares, nil
}
