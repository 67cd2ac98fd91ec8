//go:build unix

package memory

import "syscall"

// takePages returns fresh pages, all zero.
func takePages(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// freePages gives pages back. That fails only for what takePages did not return.
func freePages(pages []byte) { _ = syscall.Munmap(pages) }
