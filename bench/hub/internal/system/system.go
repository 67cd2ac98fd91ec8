// Package system says what the operating system has left for a hub or a worker: space on a disk, and open files.
package system
