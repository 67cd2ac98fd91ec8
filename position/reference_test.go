package position_test

import (
	"fmt"
	"strconv"
	"strings"
)

// The reference: the rules once more, as plain as they can be put, on a board of cells.
// It shares nothing with the package under test, not even its types: positions and turns come and go as text.
// It knows only good text; what must be refused is tested elsewhere.

// What a cell holds, as a position's text writes it; a point off the board holds outside.
const (
	outside = 0
	vacant  = '.'
)

// Indexed by side: 0 is white, 1 is black.
var (
	referenceRing   = [2]byte{'W', 'B'}
	referenceMarker = [2]byte{'w', 'b'}
	referenceSide   = [2]string{"w", "b"}
)

// columnNumbers holds the first and the last number of each column, a to k.
var columnNumbers = [11][2]int{{2, 5}, {1, 7}, {1, 8}, {1, 9}, {1, 10}, {2, 10}, {2, 11}, {3, 11}, {4, 11}, {5, 11}, {7, 10}}

// A referencePoint is a column (0..10) and a number (1..11).
type referencePoint struct{ column, number int }

func (p referencePoint) String() string { return fmt.Sprintf("%c%d", 'a'+p.column, p.number) }

func (p referencePoint) step(direction referencePoint, steps int) referencePoint {
	return referencePoint{p.column + steps*direction.column, p.number + steps*direction.number}
}

// referenceDirections are the three directions of the lines, each way; the first three are one way each.
// From a point along the first three, letters rise, or else numbers do.
var referenceDirections = [6]referencePoint{{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}}

// referencePoints are the 85 points of the board, column by column.
var referencePoints = func() []referencePoint {
	var points []referencePoint
	for column, numbers := range columnNumbers {
		for number := numbers[0]; number <= numbers[1]; number++ {
			points = append(points, referencePoint{column, number})
		}
	}
	return points
}()

// A reference is a position: a plain value.
type reference struct {
	cells   [11][12]byte
	side    int    // who is to move
	removed [2]int // rings taken off
	winning int    // how many rings taken off win: 3, or 1 in blitz
}

// newReference reads a position's text; rules is "standard" or "blitz".
func newReference(text, rules string) reference {
	var r reference
	r.winning = map[string]int{"standard": 3, "blitz": 1}[rules]
	fields := strings.Fields(text)
	for column, content := range strings.Split(fields[0], "/") {
		number := columnNumbers[column][0]
		for content != "" {
			digits := len(content) - len(strings.TrimLeft(content, "0123456789"))
			if digits == 0 {
				r.cells[column][number] = content[0]
				number++
				content = content[1:]
				continue
			}
			run, _ := strconv.Atoi(content[:digits])
			for ; run > 0; run-- {
				r.cells[column][number] = vacant
				number++
			}
			content = content[digits:]
		}
		if number != columnNumbers[column][1]+1 {
			panic("a column of the wrong length: " + text)
		}
	}
	if fields[1] == "b" {
		r.side = 1
	}
	fmt.Sscanf(fields[2], "%d-%d", &r.removed[0], &r.removed[1])
	return r
}

// String writes the position as canonical text.
func (r *reference) String() string {
	var columns []string
	for column, numbers := range columnNumbers {
		content, run := "", 0
		for number := numbers[0]; number <= numbers[1]; number++ {
			if r.cells[column][number] == vacant {
				run++
				continue
			}
			if run > 0 {
				content += strconv.Itoa(run)
			}
			run = 0
			content += string(r.cells[column][number])
		}
		if run > 0 {
			content += strconv.Itoa(run)
		}
		columns = append(columns, content)
	}
	return fmt.Sprintf("%s %s %d-%d", strings.Join(columns, "/"), referenceSide[r.side], r.removed[0], r.removed[1])
}

// at says what a point holds; outside if it is not on the board.
func (r *reference) at(p referencePoint) byte {
	if p.column < 0 || p.column > 10 || p.number < 1 || p.number > 11 {
		return outside
	}
	return r.cells[p.column][p.number]
}

func (r *reference) put(p referencePoint, content byte) { r.cells[p.column][p.number] = content }

// find lists the points that hold the given content.
func (r *reference) find(content byte) []referencePoint {
	var found []referencePoint
	for _, p := range referencePoints {
		if r.at(p) == content {
			found = append(found, p)
		}
	}
	return found
}

// rows lists the rows of five of one side, each by its first point and its direction.
func (r *reference) rows(side int) [][2]referencePoint {
	var found [][2]referencePoint
	for _, direction := range referenceDirections[:3] {
		for _, p := range referencePoints {
			five := true
			for i := 0; i < 5; i++ {
				five = five && r.at(p.step(direction, i)) == referenceMarker[side]
			}
			if five {
				found = append(found, [2]referencePoint{p, direction})
			}
		}
	}
	return found
}

func (r *reference) pool() int {
	return 51 - len(r.find(referenceMarker[0])) - len(r.find(referenceMarker[1]))
}

func (r *reference) placing() bool {
	return len(r.find(referenceRing[r.side]))+r.removed[r.side] < 5
}
