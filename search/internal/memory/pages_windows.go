package memory

import (
	"syscall"
	"unsafe"
)

// The Windows functions that allocate and free pages, and their flags.
var (
	kernel       = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc = kernel.NewProc("VirtualAlloc")
	virtualFree  = kernel.NewProc("VirtualFree")
)

const (
	reserveAndCommit = 0x3000 // MEM_COMMIT | MEM_RESERVE
	readWrite        = 0x04   // PAGE_READWRITE
	release          = 0x8000 // MEM_RELEASE
)

// takePages returns new zero pages.
func takePages(size int) ([]byte, error) {
	at, _, err := virtualAlloc.Call(0, uintptr(size), reserveAndCommit, readWrite)
	if at == 0 {
		return nil, err
	}
	// The compiler does not treat an address from Windows as a pointer.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size), nil
}

// freePages frees pages. It fails only for pages that takePages did not return.
func freePages(pages []byte) {
	_, _, _ = virtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(pages))), 0, release)
}
