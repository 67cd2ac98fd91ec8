package alphabeta

// word is half of an entry in the table. In a browser, Go has one thread, and it does
// not inline [sync/atomic].
type word uint64

// Load returns the value.
func (w *word) Load() uint64 { return uint64(*w) }

// Store sets the value.
func (w *word) Store(value uint64) { *w = word(value) }
