package protocol

import (
	"fmt"
	"os"
	"strings"
)

// gone reports whether a process has ended. One that nobody has reaped counts:
// in a container there may be nobody who does.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}
