package position

// Count returns the number of legal turns, exactly as many as [Position.Turns]
// appends, without listing them where no row can be completed.
func (p *Position) Count() int {
	switch {
	case p.decided():
		return 0
	case p.Placing():
		return p.Vacant().Count()
	case p.mayCompleteRow():
		all := turnSink{counting: true}
		p.sinkRemovals(&all, None)
		return all.count
	case p.onBoard == MarkersInGame:
		return 0
	}
	n := p.Mobility(p.side)
	if n == 0 && p.CanMove(p.side.Opponent()) {
		return 1 // to pass
	}
	return n
}
