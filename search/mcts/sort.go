package mcts

// sortKey is a child by its worth, above its place before sorting: the best is the least.
type sortKey int64

// placeBits is the width of the place in a key.
const placeBits = 32

// keyOf returns the key of a child at a place.
func keyOf(worth, place int) sortKey { return sortKey(-worth)<<placeBits | sortKey(place) }

// shellGaps are the strides of Shell's method (Ciura, "Best Increments for the Average Case
// of Shellsort", 2001), enough for the turns of a position.
var shellGaps = [...]int{57, 23, 10, 4, 1}

// sortByWorth puts the children that are worth more first, equal ones by their turns.
func (x *expansion) sortByWorth() {
	x.keys = x.keys[:0]
	for i := range x.children {
		x.keys = append(x.keys, keyOf(x.children[i].worth, i))
	}
	for _, gap := range shellGaps {
		for i := gap; i < len(x.keys); i++ {
			key, at := x.keys[i], i
			for ; at >= gap && key < x.keys[at-gap]; at -= gap {
				x.keys[at] = x.keys[at-gap]
			}
			x.keys[at] = key
		}
	}
	x.sorted = x.sorted[:0]
	for _, key := range x.keys {
		x.sorted = append(x.sorted, x.children[key&(1<<placeBits-1)])
	}
	x.children, x.sorted = x.sorted, x.children
	x.sortNearly()
}

// sortNearly does the same for children that are nearly in that order: but for equal ones,
// or for some of the first that have become worth less.
func (x *expansion) sortNearly() {
	for i, child := range x.children {
		for ; i > 0 && child.before(&x.children[i-1]); i-- {
			x.children[i] = x.children[i-1]
		}
		x.children[i] = child
	}
}

// before tells whether a child comes before another one.
func (c *newChild) before(other *newChild) bool {
	return c.worth > other.worth || c.worth == other.worth && c.turn < other.turn
}
