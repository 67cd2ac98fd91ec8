// Package resources says what the operating system has left for a hub or a worker: space on a disk, and open files.
package resources

import (
	"errors"
	"fmt"
	"math"
)

const (
	// leastFree is how many bytes of a disk stay free for matches in progress and for others, and leastPart which
	// part of a small disk does.
	leastFree = 256 << 20
	leastPart = 20
	// fullPart is which part of those may be left before a disk counts as full.
	fullPart = 8
	// sharePart is which part of what users may fill a single one may.
	sharePart = 4
)

// Disk is the disk of a folder.
type Disk struct {
	Folder string
	// Space replaces the function Space, for tests; nil for that.
	Space func(folder string) (free, total uint64, err error)
}

// errUnknown reports that a system has no size for a disk, such as for some in memory or on a network.
var errUnknown = errors.New("the size of the disk is unknown")

// space returns how many bytes are free, and how many there are.
func (d Disk) space() (free, total uint64, err error) {
	space := Space
	if d.Space != nil {
		space = d.Space
	}
	if free, total, err = space(d.Folder); err == nil && total == 0 {
		err = errUnknown
	}
	return free, total, err
}

// left returns how many bytes are free, and how many of them stay so.
func (d Disk) left() (free, least uint64, err error) {
	free, total, err := d.space()
	return free, min(leastFree, total/leastPart), err
}

// Share returns how many bytes of the disk a user may fill if all users together have stored some; math.MaxInt64 if the size
// of the disk is unknown. What others than users have on the disk leaves less for each.
func (d Disk) Share(stored int64) int64 {
	free, least, err := d.left()
	if err != nil {
		return math.MaxInt64
	}
	usable := min(free, math.MaxInt64) + uint64(max(stored, 0))
	return int64((usable - min(least, usable)) / sharePart)
}

// Room returns an error if the disk has no room for size more bytes, or for any if size is 0. A disk whose free space is
// unknown is assumed to have room.
func (d Disk) Room(size int64) error {
	free, least, err := d.left()
	if need := least + uint64(max(size, 0)); err == nil && free < need {
		return fmt.Errorf("its disk has %d MiB free, and needs %d MiB for this and to have some left: make space there", free>>20, need>>20)
	}
	return nil
}

// Full returns an error if the disk has hardly any space left.
func (d Disk) Full() error {
	if free, least, err := d.left(); err == nil && free < least/fullPart {
		return fmt.Errorf("its disk is full: %d MiB are free", free>>20)
	}
	return nil
}
