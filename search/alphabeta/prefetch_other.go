//go:build !amd64 || purego

package alphabeta

// prefetch does nothing on this architecture. Prefetching changes no result, only the
// time.
func prefetch(*bucket) {}
