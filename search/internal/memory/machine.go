package memory

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// machine returns how many bytes of memory this process could have, as the
// files of Linux tell it: those of the machine, and the limits of the control
// groups that the process is in, of either version. Where there are no such
// files it returns the largest number.
func machine(readFile func(path string) ([]byte, error)) uint64 {
	least := uint64(math.MaxUint64)
	if text, err := readFile("/proc/meminfo"); err == nil {
		if words := strings.Fields(string(text)); len(words) > 1 && words[0] == "MemTotal:" {
			if kibibytes, err := strconv.ParseUint(words[1], 10, 44); err == nil {
				least = kibibytes << 10
			}
		}
	}
	groups, err := readFile("/proc/self/cgroup")
	if err != nil {
		return least
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		switch {
		case len(parts) < 3:
		case parts[1] == "":
			least = min(least, groupLimit(readFile, "/sys/fs/cgroup", parts[2], "/memory.max"))
		case slices.Contains(strings.Split(parts[1], ","), "memory"):
			least = min(least, groupLimit(readFile, "/sys/fs/cgroup/memory", parts[2], "/memory.limit_in_bytes"))
		}
	}
	return least
}

// groupLimit returns the least limit in bytes that stands in a file of a control
// group or of one above it. A container sees its own group as the topmost one,
// under whatever path.
func groupLimit(readFile func(path string) ([]byte, error), top, group, file string) uint64 {
	least := uint64(math.MaxUint64)
	for group = strings.TrimRight(group, "/"); ; group = group[:strings.LastIndexByte(group, '/')] {
		if text, err := readFile(top + group + file); err == nil {
			if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
				least = min(least, limit)
			}
		}
		if !strings.Contains(group, "/") {
			return least
		}
	}
}
