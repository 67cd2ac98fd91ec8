//go:build !purego

package alphabeta

// prefetch asks the processor to fetch a cache line of the table while other
// work goes on.
//
//go:noescape
func prefetch(line *bucket)
