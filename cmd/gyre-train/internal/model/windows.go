package model

// letters are the states of a point in the order of their digits: vacant, an own
// ring and marker, and theirs.
const letters = ".RMrm"

// word returns what stands on so many points by their index, the point of the
// lowest digit first.
func word(index, points int) string {
	word := make([]byte, points)
	for i := range word {
		word[i] = letters[index%len(letters)]
		index /= len(letters)
	}
	return string(word)
}
