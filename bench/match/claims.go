package match

import "gyre/position"

// Claims is what an engine said of its games besides its turns, held against them.
type Claims struct {
	// Mates is how often the engine said that it would win within so many turns, in
	// games whose end tells whether it did; WrongMates is how often it did not.
	Mates, WrongMates int
	// Illegal is how many of its searches told a line of turns that was not legal.
	Illegal int
}

// plus returns the two together.
func (c Claims) plus(d Claims) Claims {
	return Claims{c.Mates + d.Mates, c.WrongMates + d.WrongMates, c.Illegal + d.Illegal}
}

// Claims returns what White's engine said and what Black's did.
//
// A win announced within N turns of both sides is right when the side has won at the
// latest N turns on, whatever its opponent did. The announcement of a loss is held
// against nothing: the opponent may have missed the win. A game that ended before by
// other than the rules tells nothing of announcements that were not yet due.
func (l *Line) Claims() (claims [2]Claims) {
	last := len(l.Turns)
	byRules := !l.Reason.Fault() && !l.Reason.Adjudicated()
	first := l.SideOf(0)
	for i := range l.Turns {
		t := &l.Turns[i]
		side := first ^ position.Side(i%2)
		c := &claims[side]
		if t.Illegal != "" {
			c.Illegal++
		}
		if t.Mate != nil && *t.Mate > 0 {
			inTime := i+*t.Mate >= last
			switch won := l.Result == side.String(); {
			case inTime && !byRules:
			case inTime && won:
				c.Mates++
			default:
				c.Mates++
				c.WrongMates++
			}
		}
	}
	return claims
}

// SideOf is the side that made a turn after the opening, by its number there from 0.
func (l *Line) SideOf(turn int) position.Side {
	side := position.White
	if l.Start != "" {
		rules, err := position.ParseRules(l.Rules)
		if p, wrong := position.Parse(l.Start, rules); err == nil && wrong == nil {
			side = p.SideToMove()
		}
	}
	return side ^ position.Side((len(l.Opening)+turn)%2)
}
