//go:build !js

package alphabeta

import "sync/atomic"

// word is half of an entry in the table, which several threads read and write.
type word = atomic.Uint64
