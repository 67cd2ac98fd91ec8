package match

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"gyre/bench/game"
	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

// newLine returns the line of a game that was played.
func newLine(m *Match, g Game, played *game.Played, began time.Time) *Line {
	record := played.Record()
	l := &Line{
		Match: m.ID, Game: g.Number, Round: g.Round,
		White: m.Engines[g.Sides[position.White]].Name, Black: m.Engines[g.Sides[position.Black]].Name,
		Result: played.Result.String(), Reason: played.Reason, Detail: played.Detail,
		Score:   fmt.Sprintf("%d-%d", record.Score[position.White], record.Score[position.Black]),
		Rules:   played.Final.Rules().String(),
		Factor:  m.Conditions.TimeFactor,
		Opening: []string{}, Turns: make([]TurnLine, len(played.Plies)),
		Began: began.UTC().Truncate(time.Millisecond), Seconds: rounded(played.Lasted.Seconds()),
	}
	if start := played.Opening.Start.String(); start != position.StartText {
		l.Start = start
	}
	for _, t := range played.Opening.Turns {
		l.Opening = append(l.Opening, t.String())
	}
	for i := range played.Plies {
		l.Turns[i] = turnLine(&played.Plies[i])
	}
	for _, late := range played.Late {
		l.Late = append(l.Late, milliseconds(late))
	}
	for side, engine := range g.Sides {
		l.Limits[side] = m.Engines[engine].Limits.String()
		l.Programs[side] = m.programs[engine]
	}
	if m.Test != nil {
		h := m.Test.Hypotheses()
		l.Test = &h
	}
	return l
}

func turnLine(ply *game.Ply) TurnLine {
	t := TurnLine{Turn: ply.Turn.String(), Depth: ply.Depth, Nodes: ply.Nodes, MS: milliseconds(ply.Time), Illegal: ply.Illegal}
	for _, turn := range ply.PV {
		t.PV = append(t.PV, turn.String())
	}
	switch {
	case ply.HasScore && ply.Score.Mate:
		t.Mate = &ply.Score.Value
	case ply.HasScore:
		t.CP = &ply.Score.Value
	}
	return t
}

// milliseconds returns a time in milliseconds, to the microsecond.
func milliseconds(d time.Duration) float64 { return rounded(d.Seconds() * 1000) }

// rounded returns x with three decimals.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// Played returns the game, every turn of it checked. The error names the first
// word that is wrong.
func (l *Line) Played() (*game.Played, error) {
	rules, err := position.ParseRules(l.Rules)
	if err != nil {
		return nil, err
	}
	p := &game.Played{Opening: game.Opening{Start: position.Start(rules)},
		Result: l.Outcome(), Reason: l.Reason, Detail: l.Detail, Lasted: time.Duration(l.Seconds * float64(time.Second))}
	if l.Start != "" {
		if p.Opening.Start, err = position.Parse(l.Start, rules); err != nil {
			return nil, err
		}
	}
	p.Final = p.Opening.Start
	for _, late := range l.Late {
		p.Late = append(p.Late, time.Duration(late*float64(time.Millisecond)))
	}
	play := func(word string) (position.Turn, error) {
		t, err := p.Final.ParseTurn(word)
		if err != nil {
			return t, err
		}
		var child position.Position
		p.Final.Play(&child, t)
		p.Final = child
		return t, nil
	}
	for _, word := range l.Opening {
		t, err := play(word)
		if err != nil {
			return nil, err
		}
		p.Opening.Turns = append(p.Opening.Turns, t)
	}
	for i := range l.Turns {
		before := p.Final
		t, err := play(l.Turns[i].Turn)
		if err != nil {
			return nil, err
		}
		ply := l.Turns[i].ply(t)
		if ply.PV, err = l.Turns[i].line(before); err != nil {
			return nil, err
		}
		p.Plies = append(p.Plies, ply)
	}
	if result := p.Final.Result(); result != position.Ongoing && result != p.Result {
		return nil, fmt.Errorf("the result is %v, on the board it is %v", p.Result, result)
	}
	return p, nil
}

// line returns the line that was expected from a position on.
func (t *TurnLine) line(p position.Position) (turns []position.Turn, err error) {
	for _, word := range t.PV {
		turn, err := p.ParseTurn(word)
		if err != nil {
			return nil, fmt.Errorf("pv: %w", err)
		}
		turns = append(turns, turn)
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	return turns, nil
}

func (t *TurnLine) ply(turn position.Turn) game.Ply {
	ply := game.Ply{Turn: turn, Depth: t.Depth, Nodes: t.Nodes, Time: time.Duration(t.MS * float64(time.Millisecond)), Illegal: t.Illegal}
	switch {
	case t.Mate != nil:
		ply.Score, ply.HasScore = protocol.Score{Mate: true, Value: *t.Mate}, true
	case t.CP != nil:
		ply.Score, ply.HasScore = protocol.Score{Value: *t.CP}, true
	}
	return ply
}

// Record returns the game as a record with all its tags.
func (l *Line) Record() (record.Game, error) {
	played, err := l.Played()
	if err != nil {
		return record.Game{}, fmt.Errorf("game %d: %w", l.Game, err)
	}
	r := played.Record()
	termination := r.Tag("Termination")
	r.Tags = nil
	for _, tag := range [][2]string{
		{eventTag, eventOf(l.Match)}, {"White", l.White}, {"Black", l.Black}, {"Date", l.Began.Format("2006.01.02")}, {"Round", fmt.Sprint(l.Game + 1)},
		{"WhiteLimits", l.Limits[position.White]}, {"BlackLimits", l.Limits[position.Black]},
	} {
		r.SetTag(tag[0], tag[1])
	}
	if l.Limits[position.White] == l.Limits[position.Black] {
		r.SetTag("TimeControl", l.Limits[position.White])
	}
	if l.Factor != 0 {
		r.SetTag("TimeFactor", strconv.FormatFloat(l.Factor, 'f', -1, 64))
	}
	if termination != "" {
		r.SetTag("Termination", termination)
	}
	return r, nil
}
