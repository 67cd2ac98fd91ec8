package engine

import "syscall"

// memoryMebibytes returns the memory of the machine.
func memoryMebibytes() int {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return int(uint64(info.Totalram) * uint64(info.Unit) >> 20)
}
