//go:build !amd64 || purego

package alphabeta

// prefetch does nothing where there is no instruction for it: it changes no
// result, only the time.
func prefetch(*bucket) {}
