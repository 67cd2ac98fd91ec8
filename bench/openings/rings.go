package openings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gyre/position"
)

// Rings is how many of the rings of both sides are placed at random: each number
// from Least to Most with the same chance.
type Rings struct {
	Least, Most int
}

// mostRings is how many rings there are to place.
const mostRings = 2 * position.RingsPerSide

// AllRings has no ring placed by the engines.
var AllRings = Rings{mostRings, mostRings}

// Check returns what is wrong with the numbers, nil if nothing.
func (r Rings) Check() error {
	if r.Least < 0 || r.Most > mostRings || r.Least > r.Most {
		return fmt.Errorf("%v rings at random: not a number or a range from 0 to %d", r, mostRings)
	}
	return nil
}

// String returns the number, or the range as in `0-10`.
func (r Rings) String() string {
	if r.Least == r.Most {
		return strconv.Itoa(r.Least)
	}
	return fmt.Sprintf("%d-%d", r.Least, r.Most)
}

// MarshalText returns String. It never fails.
func (r Rings) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Rings) UnmarshalText(text []byte) error {
	first, second, both := strings.Cut(string(text), "-")
	if !both {
		second = first
	}
	least, err1 := strconv.Atoi(first)
	most, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil {
		return errors.New("not a number, nor two with a - between")
	}
	read := Rings{least, most}
	if err := read.Check(); err != nil {
		return err
	}
	*r = read
	return nil
}
