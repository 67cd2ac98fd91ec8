//go:build unix

package memory

import "syscall"

// takePages returns new zero pages.
func takePages(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// freePages frees pages. It fails only for pages that takePages did not return.
func freePages(pages []byte) { _ = syscall.Munmap(pages) }
