package evaluation

import (
	"encoding/binary"
	"fmt"
)

// numbers returns the numbers of a file with some patterns, as they stand in it.
func (w *Weights) numbers(rows []int) (numbers []byte) {
	w.eachNumber(rows, func(number *int16) { numbers = binary.AppendVarint(numbers, int64(*number)) })
	return numbers
}

// readNumbers reads the numbers of a file with some patterns.
func (w *Weights) readNumbers(rows []int, numbers []byte) error {
	count, wrong := 0, false
	w.eachNumber(rows, func(number *int16) {
		value, length := binary.Varint(numbers)
		if wrong = wrong || length <= 0 || value != int64(int16(value)); wrong {
			return
		}
		*number, numbers = int16(value), numbers[length:]
		count++
	})
	switch {
	case wrong:
		return fmt.Errorf("number %d is none of 16 bits", count+1)
	case len(numbers) > 0:
		return fmt.Errorf("%d bytes follow its %d numbers", len(numbers), count)
	}
	w.reverse()
	return nil
}

// eachNumber visits the numbers of a file with some patterns, in their order.
func (w *Weights) eachNumber(rows []int, visit func(number *int16)) {
	for s := range w.Sets {
		visit(&w.Sets[s].Tempo)
	}
	for own := range w.Removed {
		for theirs := range w.Removed[own] {
			visit(&w.Removed[own][theirs])
		}
	}
	for _, k := range rows {
		lower := patterns[k].lower()
		for s := range w.Sets {
			for _, index := range lower {
				visit(&w.Sets[s].Patterns[k][index])
			}
		}
	}
}

// lower returns the indexes that are not above their reversal.
func (p *Pattern) lower() (list []int) {
	for index := range p.States {
		if index == p.Canonical(index) {
			list = append(list, index)
		}
	}
	return list
}

// reverse gives each index the weight of the lower one of it and its reversal.
func (w *Weights) reverse() {
	for k := range patterns {
		for index := range patterns[k].States {
			lower := patterns[k].Canonical(index)
			for s := range w.Sets {
				w.Sets[s].Patterns[k][index] = w.Sets[s].Patterns[k][lower]
			}
		}
	}
}
