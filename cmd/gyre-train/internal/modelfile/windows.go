package modelfile

import "gyre/position"

// letters are the states of a point in the order of their digits: vacant, an own
// ring and marker, and theirs.
const letters = ".RMrm"

// windowWord returns what stands in a window, the point of the lowest digit
// first.
func windowWord(index int) string {
	var word [position.RowLength]byte
	for i := range word {
		word[i] = letters[index%len(letters)]
		index /= len(letters)
	}
	return string(word[:])
}

// reversed returns the index of a window read from its other end.
func reversed(index int) (other int) {
	for range position.RowLength {
		other = other*len(letters) + index%len(letters)
		index /= len(letters)
	}
	return other
}
