package memory

import (
	"syscall"
	"unsafe"
)

// The functions of Windows that take and give back pages, and their flags.
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

// takePages returns fresh pages, all zero.
func takePages(size int) ([]byte, error) {
	at, _, err := virtualAlloc.Call(0, uintptr(size), reserveAndCommit, readWrite)
	if at == 0 {
		return nil, err
	}
	// An address that Windows returns is no pointer to the compiler.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size), nil
}

// freePages gives pages back. That fails only for what takePages did not return.
func freePages(pages []byte) {
	_, _, _ = virtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(pages))), 0, release)
}
