package referee

import "gyre/position"

// Act is a step of a turn that was played, in the order in which it was done.
type Act struct {
	Step
	Side string `json:"side"` // "w" or "b"
}

// Played is a turn of a game.
type Played struct {
	Turn  string `json:"turn"`
	Side  string `json:"side"`
	Acts  []Act  `json:"acts"`
	Words string `json:"words"` // a sentence
}

// Game is all about a game that the page shows.
type Game struct {
	Views []View   `json:"views"` // before the first turn, then after each
	Turns []Played `json:"turns"`
	Next  Steps    `json:"next"` // what can be done now
}

// Game returns the game of the line.
func (l *Line) Game() Game {
	game := Game{Views: make([]View, len(l.Positions)), Turns: make([]Played, len(l.Turns))}
	for i := range l.Positions {
		game.Views[i] = viewOf(&l.Positions[i], i)
	}
	for i, turn := range l.Turns {
		game.Turns[i] = playedOf(&l.Positions[i], turn)
	}
	partial := position.Begin(l.End())
	game.Next = stepsOf(&partial, len(l.Turns), []string{})
	return game
}

// playedOf returns what a legal turn does at p.
func playedOf(p *position.Position, turn position.Turn) Played {
	side := sideLetters[p.SideToMove()]
	played := Played{Turn: turn.String(), Side: side}
	partial := position.Begin(p)
	for _, step := range StepsOf(turn) {
		played.Acts = append(played.Acts, Act{stepOf(partial.Position(), step), side})
		partial.Apply(step)
	}
	played.Words = sentence(p, partial.Position(), played.Acts)
	return played
}

// StepsOf returns the steps of a turn in order.
func StepsOf(turn position.Turn) []position.Step {
	var steps []position.Step
	remove := func(from, to int) {
		for i := from; i < to; i++ {
			removal := turn.Removal(i)
			steps = append(steps,
				position.Step{Kind: position.StepTakeRow, Row: removal.Row},
				position.Step{Kind: position.StepTakeRing, From: removal.Ring})
		}
	}
	remove(0, turn.Before())
	switch turn.Kind() {
	case position.Place:
		steps = append(steps, position.Step{Kind: position.StepPlace, To: turn.To()})
	case position.Move:
		steps = append(steps, position.Step{Kind: position.StepMove, From: turn.From(), To: turn.To()})
	case position.Pass:
		steps = append(steps, position.Step{Kind: position.StepPass})
	}
	remove(turn.Before(), turn.Removals())
	return steps
}
