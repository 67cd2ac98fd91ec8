package game

import (
	"fmt"
	"strings"
	"time"

	"gyre/position/record"
)

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
