package game

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

// Opening is what a game begins with: turns from a position on.
type Opening struct {
	Start position.Position
	Turns []position.Turn
}

// End returns the position after the turns. The error names the first turn that
// is not legal, or says that the game is over there.
func (o *Opening) End() (position.Position, error) {
	p := o.Start
	for i, t := range o.Turns {
		if t == position.None || !p.Legal(t) {
			return position.Position{}, fmt.Errorf("opening: turn %d, %v, is not legal", i+1, t)
		}
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	if p.Over() {
		return position.Position{}, fmt.Errorf("opening: the game is over after its %d turns", len(o.Turns))
	}
	return p, nil
}

// Ply is a turn as it was played.
type Ply struct {
	Turn     position.Turn
	Score    protocol.Score // for the side that made it, when HasScore
	HasScore bool
	Depth    int           // whole turns; 0 if unknown
	Nodes    uint64        // 0 if unknown
	Time     time.Duration // virtual with Limits.NodesTime
	// PV is the line that its engine expected, from the turn on, with Conditions.PV.
	PV []position.Turn
	// Illegal is a word of the lines that its engine told that was no legal turn there;
	// empty if all were.
	Illegal string
}

// Played is a game that has ended.
type Played struct {
	Opening Opening
	Plies   []Ply             // after the opening
	Final   position.Position // after the last turn
	Result  position.Result   // never Ongoing
	Reason  Reason
	Detail  string        // of a fault or an adjudication: what exactly, in a line
	Lasted  time.Duration // from before the engines got ready to the end
	// Late tells by how much answers were beyond their turn's time, of those that
	// were, in order: within the margin, but for the last of a game that ended so.
	Late []time.Duration
}

// terminations are the values of the Termination tag for ends away from the
// board, in PGN's words where it has them.
var terminations = map[Reason]string{
	AdjudicatedWin: "adjudication", AdjudicatedDraw: "adjudication", TurnLimit: "adjudication",
	TimeForfeit: "time forfeit", IllegalTurn: "rules infraction",
	StartFailure: "abandoned", Stall: "abandoned", Disconnect: "abandoned", ProtocolError: "abandoned",
}

// Record returns the game as a record, with score, depth and time and the
// line expected if it was kept, as the comment of a turn: `{+0.35/9 1.204s f6-f8 e3-e5}`,
// the score in hundreds for the side that made the turn, or `M5` and `-M4` for an end
// seen in so many turns.
func (p *Played) Record() record.Game {
	r := record.New(p.Opening.Start)
	for _, t := range p.Opening.Turns {
		r.Add(t, "")
	}
	if n := len(p.Opening.Turns); n > 0 && len(p.Plies) > 0 {
		r.Turns[n-1].Comment = "end of the opening"
	}
	for i := range p.Plies {
		r.Add(p.Plies[i].Turn, p.Plies[i].comment())
	}
	if p.Final.Over() {
		r.Close(&p.Final)
	} else {
		r.Award(&p.Final, p.Result, terminations[p.Reason])
	}
	if p.Detail != "" && len(r.Turns) > 0 {
		detail := strings.NewReplacer("{", "(", "}", ")").Replace(p.Detail)
		last := &r.Turns[len(r.Turns)-1].Comment
		*last = strings.TrimSpace(*last + " " + detail)
	}
	return r
}

// comment returns score, depth, time and line.
func (p *Ply) comment() string {
	text := p.Time.Round(100 * time.Microsecond).String()
	if p.Depth > 0 {
		text = fmt.Sprintf("/%d %s", p.Depth, text)
	} else if p.HasScore {
		text = " " + text
	}
	switch {
	case !p.HasScore:
	case p.Score.Mate && p.Score.Value > 0:
		text = fmt.Sprintf("M%d%s", p.Score.Value, text)
	case p.Score.Mate:
		text = fmt.Sprintf("-M%d%s", -p.Score.Value, text)
	default:
		text = fmt.Sprintf("%+.2f%s", float64(p.Score.Value)/100, text)
	}
	for _, t := range p.PV {
		text += " " + t.String()
	}
	return text
}

// Verify replays a game that was played elsewhere by two engines, by side, and returns
// why it cannot have come of Play; nil if it can. Checked are every turn, the end by the
// rules or the scores, and all times by the clocks. What a replay cannot know it takes as
// told: scores, nodes, real times that the clocks allow, and that an engine was at fault,
// though not where the game was over without it.
func (p *Played) Verify(engines [2]*Engine, conditions Conditions) error {
	board, err := p.Opening.End()
	if err != nil {
		return err
	}
	v := replay{engines: engines, conditions: conditions, agreement: agreement{rules: conditions.Adjudication}}
	for side := range v.clocks {
		v.clocks[side] = newClock(engines[side].Limits.scaled(conditions.TimeFactor))
	}
	result, reason, detail := position.Ongoing, Unfinished, ""
	for i := range p.Plies {
		ply, number := &p.Plies[i], len(p.Opening.Turns)+i+1
		if reason != Unfinished {
			return fmt.Errorf("turn %d comes after the game's end by %v", number, reason)
		}
		if ply.Turn == position.None || !board.Legal(ply.Turn) {
			return fmt.Errorf("turn %d, %v, is not legal", number, ply.Turn)
		}
		if !conditions.PV && len(ply.PV) > 0 {
			return fmt.Errorf("turn %d has a line, which was not to be kept", number)
		}
		side := board.SideToMove()
		if err := v.charge(side, ply); err != nil {
			return fmt.Errorf("turn %d: %w", number, err)
		}
		var child position.Position
		board.Play(&child, ply.Turn)
		board = child
		result, reason, detail = v.agreement.after(&board, side, ply, number)
	}
	if err := v.late(p, board.SideToMove()); err != nil {
		return err
	}
	switch {
	case reason == Unfinished && p.Reason.Fault() && p.Result != position.Draw:
		return nil // as told
	case reason == Unfinished:
		return fmt.Errorf("the game ended by %v, which its turns do not tell", p.Reason)
	case p.Reason != reason || p.Result != result || p.Detail != detail:
		return fmt.Errorf("the end is %v, %v %q, by its turns it is %v, %v %q", p.Result, p.Reason, p.Detail, result, reason, detail)
	}
	return nil
}

// replay is a game that is verified.
type replay struct {
	engines    [2]*Engine
	conditions Conditions
	clocks     [2]clock
	agreement  agreement
	over       []time.Duration // of turns that took more than their time
	// A real clock is known to slack alone, as the times of its turns were rounded:
	// unsure is how many turns may have taken more, or may not.
	slack  [2]time.Duration
	unsure int
}

// charge takes a turn's time off a clock.
func (v *replay) charge(side position.Side, ply *Ply) error {
	elapsed := ply.Time
	switch nodesTime := v.clocks[side].limits.NodesTime; {
	case nodesTime > 0:
		elapsed = virtualTime(ply.Nodes, nodesTime)
		if differ(elapsed, ply.Time) {
			return fmt.Errorf("%d nodes are %v, not %v", ply.Nodes, elapsed, ply.Time)
		}
	case elapsed < 0:
		return fmt.Errorf("it took %v", elapsed)
	default:
		v.slack[side] += time.Microsecond
	}
	allowed, timed := v.clocks[side].allowed()
	switch over, slack := elapsed-allowed, v.slack[side]; {
	case !timed:
	case over > v.engines[side].margin(v.conditions)+slack:
		return fmt.Errorf("it took %v of %v, and the game went on", elapsed, allowed)
	case over > slack:
		v.over = append(v.over, over)
	case over > -slack:
		v.unsure++
	}
	v.clocks[side].spend(elapsed)
	return nil
}

// late holds the times of answers that were late to those of the clocks. A game that was
// lost on time, by the side to move at its end, has one more.
func (v *replay) late(p *Played, toMove position.Side) error {
	told := len(p.Late)
	if p.Reason == TimeForfeit {
		told--
	}
	if told < len(v.over) || told > len(v.over)+v.unsure {
		return fmt.Errorf("%d answers are told to be late, by the clocks it is %d", len(p.Late), len(v.over)+len(p.Late)-told)
	}
	slack := max(v.slack[position.White], v.slack[position.Black])
	for i, over := range v.over {
		if off := over - p.Late[i]; v.unsure == 0 && max(off, -off) > time.Microsecond+slack {
			return fmt.Errorf("an answer is told to be late by %v, by the clock it is %v", p.Late[i], over)
		}
	}
	if p.Reason != TimeForfeit {
		return nil
	}
	e, last := v.engines[toMove], p.Late[len(p.Late)-1]
	switch margin := e.margin(v.conditions); {
	case !e.Limits.Timed():
		return errors.New("a loss on time without a clock")
	case p.Result != win(toMove.Opponent()):
		return fmt.Errorf("%v was to move, and is told to have won on time", toMove)
	case last < margin-time.Microsecond:
		return fmt.Errorf("a loss on time by an answer that was late by %v, and %v are forgiven", last, margin)
	}
	return nil
}

// differ tells whether two times are more than the rounding of files apart.
func differ(a, b time.Duration) bool { return max(a-b, b-a) > time.Microsecond }
