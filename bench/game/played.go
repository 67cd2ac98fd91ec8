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

// Opening is the beginning of a game: turns from a starting position.
type Opening struct {
	Start position.Position
	Turns []position.Turn
}

// End returns the position after the turns. It returns an error if a turn is illegal or the
// game is over after them.
func (o *Opening) End() (position.Position, error) {
	p := o.Start
	for i, t := range o.Turns {
		if t == position.None || !p.Legal(t) {
			return position.Position{}, fmt.Errorf("opening: turn %d, %v, is illegal", i+1, t)
		}
		p = p.After(t)
	}
	if p.Over() {
		return position.Position{}, fmt.Errorf("opening: the game is over after its %d turns", len(o.Turns))
	}
	return p, nil
}

// Ply is a turn that was played.
type Ply struct {
	Turn     position.Turn
	Score    protocol.Score // from the view of the side that made the turn, if HasScore
	HasScore bool           // whether the last score was exact, or a bound that proves the result
	Depth    int            // in turns; 0 if unknown
	Nodes    uint64         // 0 if unknown
	Time     time.Duration  // virtual with TimeControl.NodesTime
	// PV is the principal variation, starting with this turn, if Conditions.PV is set.
	PV []position.Turn
	// Illegal is an illegal turn in one of the lines that the engine reported, "" if there
	// was none.
	Illegal string
}

// Played is a finished game.
type Played struct {
	Opening Opening
	Plies   []Ply             // after the opening
	Final   position.Position // after the last turn
	Result  position.Result   // never Ongoing
	Reason  Reason
	Detail  string        // of a fault or an adjudication, in one line
	Lasted  time.Duration // including the preparation of the engines
	// Late is by how much each late answer exceeded its turn's time, in order. All are within
	// the margin, except the last one of a game lost on time.
	Late []time.Duration
}

// terminations are the values of the Termination tag for ends off the board, those of PGN
// where it has one.
var terminations = map[Reason]string{
	AdjudicatedWin: "adjudication", AdjudicatedDraw: "adjudication", TurnLimit: "adjudication",
	TimeForfeit: "time forfeit", IllegalTurn: "rules infraction",
	StartFailure: "abandoned", Stall: "abandoned", Disconnect: "abandoned", ProtocolError: "abandoned",
}

// Record returns the game as a record. The comment of a turn has its score, depth, time
// and principal variation, for example `{+0.35/9 1.204s f6-f8 e3-e5}`. The score is from
// the view of the side that made the turn; `M5` is a win in 5 turns and `-M4` a loss in 4.
func (p *Played) Record() record.Game {
	r := record.New(p.Opening.Start, p.Opening.Turns...)
	if n := len(p.Opening.Turns); n > 0 && len(p.Plies) > 0 {
		r.Turns[n-1].Comment = "end of the opening"
	}
	for i := range p.Plies {
		r.Add(p.Plies[i].Turn, p.Plies[i].comment())
	}
	p.end(&r)
	if p.Detail != "" && len(r.Turns) > 0 {
		detail := strings.NewReplacer("{", "(", "}", ")").Replace(p.Detail)
		last := &r.Turns[len(r.Turns)-1].Comment
		*last = strings.TrimSpace(*last + " " + detail)
	}
	return r
}

// end sets the result of a record.
func (p *Played) end(r *record.Game) {
	if p.Final.Over() {
		r.Close(&p.Final)
	} else {
		r.Award(&p.Final, p.Result, terminations[p.Reason])
	}
}

// Score returns the rings removed by, or awarded to, White and Black.
func (p *Played) Score() [2]int {
	var r record.Game
	p.end(&r)
	return r.Score
}

// comment returns score, depth, time and principal variation.
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

// Verify replays a game that was played elsewhere and returns an error if Play cannot have
// produced it. The turns must be legal, as those of match.Line.Played are. The engines are
// indexed by side. Verify checks the end by the rules or by adjudication, and all times
// against the clocks. It cannot check scores, nodes, real times that the clocks allow, and
// faults of engines, except that a fault cannot follow the end of the game.
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
			return fmt.Errorf("turn %d follows the end of the game by %v", number, reason)
		}
		if !conditions.PV && len(ply.PV) > 0 {
			return fmt.Errorf("turn %d has a principal variation, which this match does not keep", number)
		}
		if n := len(ply.Illegal); n > protocol.MaxText {
			return fmt.Errorf("turn %d has an illegal turn of %d bytes", number, n)
		}
		side := board.SideToMove()
		if err := v.charge(side, ply); err != nil {
			return fmt.Errorf("turn %d: %w", number, err)
		}
		board = board.After(ply.Turn)
		result, reason, detail = v.agreement.after(&board, side, ply, number)
	}
	if err := v.late(p, board.SideToMove()); err != nil {
		return err
	}
	switch {
	case len(p.Detail) > MaxDetail:
		return fmt.Errorf("the detail of its end has %d bytes", len(p.Detail))
	case reason == Unfinished && p.Reason.Fault() && p.Result != position.Draw:
		return nil // cannot be checked
	case reason == Unfinished:
		return fmt.Errorf("the game ended by %v, but its turns do not show it", p.Reason)
	case p.Reason != reason || p.Result != result || p.Detail != detail:
		return fmt.Errorf("the end is %v, %v %q, but by its turns it is %v, %v %q", p.Result, p.Reason, p.Detail, result, reason, detail)
	}
	return nil
}

// MaxDetail is the most bytes of Played.Detail, with the dots of one that was cut. Files of earlier versions have longer ones.
const MaxDetail = 4 << 10

// CutDetail returns a detail of at most MaxDetail bytes. If it was longer, it ends with dots.
func CutDetail(detail string) string {
	const dots = "..."
	if len(detail) <= MaxDetail {
		return detail
	}
	return strings.ToValidUTF8(detail[:MaxDetail-len(dots)], "") + dots // without the part of a cut character
}

// replay is a game being verified.
type replay struct {
	engines    [2]*Engine
	conditions Conditions
	clocks     [2]clock
	agreement  agreement
	over       []time.Duration // by how much turns exceeded their time
	// slack is the rounding error of a real clock, because the times of its turns are
	// rounded. unsure counts turns that may or may not have exceeded their time.
	slack  [2]time.Duration
	unsure int
}

// charge subtracts a turn's time from a clock.
func (v *replay) charge(side position.Side, ply *Ply) error {
	elapsed := ply.Time
	switch nodesTime := v.clocks[side].limits.NodesTime; {
	case nodesTime > 0:
		elapsed = virtualTime(ply.Nodes, nodesTime)
		if differ(elapsed, ply.Time) {
			return fmt.Errorf("%d nodes take %v, not %v", ply.Nodes, elapsed, ply.Time)
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
		return fmt.Errorf("it took %v of %v, but the game continued", elapsed, allowed)
	case over > slack:
		v.over = append(v.over, over)
	case over > -slack:
		v.unsure++
	}
	v.clocks[side].spend(elapsed)
	return nil
}

// late compares the recorded late answers with the clocks. If the game was lost on time,
// p.Late ends with the loser's last answer, which is not among the turns.
func (v *replay) late(p *Played, toMove position.Side) error {
	recorded := len(p.Late)
	if p.Reason == TimeForfeit {
		recorded--
	}
	if recorded < len(v.over) || recorded > len(v.over)+v.unsure {
		return fmt.Errorf("%d late answers are recorded, but by the clocks there are %d", len(p.Late), len(v.over)+len(p.Late)-recorded)
	}
	slack := max(v.slack[position.White], v.slack[position.Black])
	for i, over := range v.over {
		if off := over - p.Late[i]; v.unsure == 0 && max(off, -off) > time.Microsecond+slack {
			return fmt.Errorf("an answer is recorded as late by %v, but by the clock it is %v", p.Late[i], over)
		}
	}
	if p.Reason != TimeForfeit {
		return nil
	}
	e, last := v.engines[toMove], p.Late[len(p.Late)-1]
	switch margin := e.margin(v.conditions); {
	case !e.Limits.Timed():
		return errors.New("a loss on time without a clock")
	case p.Result != position.WonBy(toMove.Opponent()):
		return fmt.Errorf("%v was to move, but is recorded as the winner on time", toMove)
	case last < margin-time.Microsecond:
		return fmt.Errorf("a loss on time by an answer that was late by %v, within the margin of %v", last, margin)
	}
	return nil
}

// differ reports whether two times differ by more than the rounding of files.
func differ(a, b time.Duration) bool { return max(a-b, b-a) > time.Microsecond }
