package alphabeta

// word is half of an entry in the table. Go has one thread in a browser, where each call of [sync/atomic] is a
// call of a function that is not inlined.
type word uint64

// Load returns the value.
func (w *word) Load() uint64 { return uint64(*w) }

// Store sets the value.
func (w *word) Store(value uint64) { *w = word(value) }
