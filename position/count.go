package position

// Count returns the number of legal turns, exactly as many as [Position.Turns]
// appends, without listing them where no row can be completed.
func (p *Position) Count() int {
	switch {
	case p.decided():
		return 0
	case p.Placing():
		return p.Vacant().Count()
	case !p.mayCompleteRow():
		if p.onBoard == MarkersInGame {
			return 0
		}
		if n := p.Mobility(p.side); n > 0 {
			return n
		}
	}
	var list [256]Turn
	return len(p.Turns(list[:0]))
}
