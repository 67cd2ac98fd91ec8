package sgf

import (
	"strconv"
	"strings"

	"gyre/position"
)

// add adds other notes: comments and arrows come after those that are there, of
// everything else the last stays.
func (n *Notes) add(other Notes) {
	if n.Comment != "" && other.Comment != "" {
		n.Comment += "\n"
	}
	n.Comment += other.Comment
	n.Arrows = append(n.Arrows[:len(n.Arrows):len(n.Arrows)], other.Arrows...)
	if other.Clock != nil {
		n.Clock = other.Clock
	}
	if other.Fault != NoFault {
		n.Fault = other.Fault
	}
	if other.Own != "" {
		n.Own = other.Own
	}
}

// readArrows reads arrows, E5:F6, and circles, E5. What names no points of the board is
// another program's.
func (r *replaying) readArrows(p property) {
values:
	for _, value := range p.values {
		from, to, composed := strings.Cut(value, ":")
		if !composed {
			to = from
		}
		var arrow [2]position.Point
		for i, name := range [2]string{from, to} {
			point, err := position.ParsePoint(strings.TrimSpace(name))
			if err != nil {
				continue values
			}
			arrow[i] = point
		}
		r.notes.Arrows = append(r.notes.Arrows, arrow)
	}
}

// readClock reads what is left to both sides, where both are told as numbers.
func (r *replaying) readClock() {
	var clock Clock
	for i, left := range [2]*float64{&clock.White, &clock.Black} {
		p := r.clock[i]
		if p == nil {
			return
		}
		var err error
		if *left, err = millisecondsOf(p.value()); err != nil {
			return
		}
	}
	r.notes.Clock = &clock
}

// Clocks are kept in milliseconds, and the format has seconds. The point is moved in
// the text, so that a time that goes out and comes in again is the same number.

// secondsOf returns milliseconds as a number of seconds without an exponent.
func secondsOf(ms float64) string {
	text := strconv.FormatFloat(ms, 'f', -1, 64)
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	whole, part, _ := strings.Cut(text, ".")
	whole = strings.Repeat("0", max(0, 4-len(whole))) + whole
	cut := len(whole) - 3
	part = strings.TrimRight(whole[cut:]+part, "0")
	if part != "" {
		part = "." + part
	}
	return sign + whole[:cut] + part
}

// millisecondsOf reads a number of seconds as milliseconds.
func millisecondsOf(text string) (float64, error) {
	whole, part, _ := strings.Cut(strings.TrimSpace(text), ".")
	part += strings.Repeat("0", max(0, 3-len(part)))
	if strings.Trim(whole, "+-0123456789") != "" || strings.Trim(part, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(whole+part[:3]+"."+part[3:], 64)
}
