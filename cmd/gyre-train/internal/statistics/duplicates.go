package statistics

// duplicates counts how many of the keys it is given come again. It keeps those
// that end in so many zero bits, one bit more whenever there are too many: a
// fair sample of all distinct keys, with all their repetitions (Gibbons and
// Tirthapura, "Estimating Simple Functions on the Union of Data Streams", 2001).
// As long as there is room for all keys the count is exact.
type duplicates struct {
	most  int // keys kept at once
	zeros uint
	times map[uint64]int // how often each key kept has come
	total int            // the sum of these
}

// mostKeys is how many keys are kept: some 100 MB at most.
const mostKeys = 1 << 21

func newDuplicates(most int) duplicates { return duplicates{most: most, times: map[uint64]int{}} }

// kept tells whether a key is of the sample.
func (d *duplicates) kept(key uint64) bool { return key&(1<<d.zeros-1) == 0 }

// add takes a key.
func (d *duplicates) add(key uint64) {
	if !d.kept(key) {
		return
	}
	d.times[key]++
	d.total++
	for len(d.times) > d.most {
		d.zeros++
		for key, times := range d.times {
			if !d.kept(key) {
				d.total -= times
				delete(d.times, key)
			}
		}
	}
}

// share returns which part of the keys, in percent, had come before, and of how
// many this is known: one in so many, 1 for all.
func (d *duplicates) share() (repeated float64, oneIn int) {
	return percent(d.total-len(d.times), d.total), 1 << d.zeros
}
