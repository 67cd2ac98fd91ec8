package session

import (
	"fmt"
	"slices"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/position"
	"gyre/protocol"
)

// worthOrder requests the value of each point to which a ring can move.
type worthOrder struct {
	searchOrder
	From    string                 `json:"from"`  // the ring's point
	Nodes   uint64                 `json:"nodes"` // for each target; wholeFactor times as many for the whole position
	Options map[string]optionValue `json:"options,omitempty"`
}

// wholeFactor is the factor for the search of the whole position, with which the targets are
// compared. It has more turns to consider.
const wholeFactor = 4

// worthEvent reports the values and ends the search.
type worthEvent struct {
	Event   string       `json:"event"` // "worth"
	Search  int64        `json:"search"`
	Targets []targetView `json:"targets"`
}

// targetView is a point to which the ring can move.
type targetView struct {
	To    string       `json:"to"`
	Turn  string       `json:"turn"` // the best turn that moves there; turns may differ in removals
	Lost  float64      `json:"lost"` // chances in percent, compared with the best turn of the position
	Label review.Label `json:"label"`
}

// target is a point, the turns that move the ring there, and the value of the best.
type target struct {
	to    position.Point
	turns []position.Turn
	best  position.Turn
	score protocol.Score
}

// weigh starts the searches.
func weigh(r *request, order *worthOrder) error {
	line, err := order.Path.Read()
	if err != nil {
		return err
	}
	if order.Nodes < 1 || order.Nodes > maxNodes/wholeFactor {
		return fmt.Errorf("nodes %d is not between 1 and %d", order.Nodes, uint64(maxNodes/wholeFactor))
	}
	targets := targetsOf(line.End(), order.From)
	if len(targets) == 0 {
		return fmt.Errorf("no ring at %.10q can move first", order.From)
	}
	return r.start(&order.searchOrder, func(sl *slot, q *search) error {
		return order.run(sl, q, line, targets)
	})
}

// targetsOf returns the points to which the ring at a point can move as the first part of a
// turn. It returns nil if the game is over.
func targetsOf(p *position.Position, from string) (targets []target) {
	if p.Over() {
		return nil
	}
	for _, turn := range p.Turns(nil) {
		if turn.Kind() != position.Move || turn.Before() > 0 || turn.From().String() != from {
			continue
		}
		at := slices.IndexFunc(targets, func(t target) bool { return t.to == turn.To() })
		if at < 0 {
			at = len(targets)
			targets = append(targets, target{to: turn.To()})
		}
		targets[at].turns = append(targets[at].turns, turn)
	}
	return targets
}

// run searches the end of a line, and then the turns to each target.
func (order *worthOrder) run(sl *slot, q *search, line *referee.Line, targets []target) error {
	want := newSettings(line.End().Rules(), order.Game, order.Options, 1, fullStrength)
	client, err := sl.configure(q.ctx, want)
	if err != nil {
		return err
	}
	look := func(nodes uint64, turns []position.Turn) (protocol.Answer, error) {
		return sl.evaluate(q.ctx, client, line, len(line.Turns), protocol.Limits{Nodes: nodes, SearchTurns: turns})
	}
	whole, err := look(wholeFactor*order.Nodes, nil)
	if err != nil {
		return err
	}
	best := whole.Last.Score
	for i := range targets {
		t := &targets[i]
		answer, err := look(order.Nodes, t.turns)
		if err != nil {
			return err
		}
		// The separate search may find a better turn than the search of the whole position.
		if t.best, t.score = answer.Best, answer.Last.Score; worth(t.score) > worth(best) {
			best = t.score
		}
	}
	sl.session.send(worthEvent{Event: "worth", Search: q.id, Targets: viewTargets(targets, best)})
	return nil
}

// viewTargets converts targets. best is the best score of the position.
func viewTargets(targets []target, best protocol.Score) []targetView {
	views := make([]targetView, len(targets))
	for i, t := range targets {
		lost := review.Lost(best, t.score)
		views[i] = targetView{To: t.to.String(), Turn: t.best.String(), Lost: review.Tenths(lost), Label: review.LabelOf(lost)}
	}
	return views
}
