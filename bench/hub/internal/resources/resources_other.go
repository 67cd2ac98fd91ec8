//go:build !linux && !darwin && !windows

package resources

import "math"

// Space returns no limit: this system is not asked.
func Space(string) (free, total uint64, err error) { return math.MaxUint64, math.MaxUint64, nil }

// OpenFiles returns math.MaxInt: this system is not asked.
func OpenFiles() int { return math.MaxInt }

// IsFull returns false: this system is not asked.
func IsFull(error) bool { return false }
