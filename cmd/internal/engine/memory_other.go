//go:build !linux

package engine

// memoryMebibytes returns 0: how much memory the machine has is not known here.
func memoryMebibytes() int { return 0 }
