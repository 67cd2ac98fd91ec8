package session

import (
	"errors"
	"fmt"
	"slices"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/position"
	"gyre/protocol"
)

// worthOrder asks what each point is worth to which a ring can move.
type worthOrder struct {
	searchOrder
	From    string                 `json:"from"`  // the point of the ring
	Nodes   uint64                 `json:"nodes"` // for each of the points; all turns together get wholeBy times as many
	Options map[string]optionValue `json:"options,omitempty"`
}

// wholeBy is how many times as long as one point the position as a whole is looked at, by
// which the points are judged: there are that many more turns to look at.
const wholeBy = 4

// worthEvent tells what the points are worth, and ends the search.
type worthEvent struct {
	Event   string       `json:"event"` // "worth"
	Search  int64        `json:"search"`
	Targets []targetView `json:"targets"`
}

// targetView is a point to which the ring can move.
type targetView struct {
	To    string       `json:"to"`
	Turn  string       `json:"turn"` // the best of those that move there: they may take different rows and rings off
	Lost  float64      `json:"lost"` // chances, in per cent of a point, against the best turn of the position
	Label review.Label `json:"label"`
}

// target is a point with the turns that move a ring there, and what the best is worth.
type target struct {
	to    position.Point
	turns []position.Turn
	best  position.Turn
	score protocol.Score
}

// weigh starts the searches.
func weigh(r *request) {
	var order worthOrder
	if !r.read(&order) {
		return
	}
	line, err := order.Path.Read()
	var targets []target
	switch {
	case err != nil:
	case order.Nodes < 1 || order.Nodes > mostNodes/wholeBy:
		err = fmt.Errorf("nodes %d is not within 1 to %d", order.Nodes, uint64(mostNodes/wholeBy))
	default:
		if targets = targetsOf(line.End(), order.From); len(targets) == 0 {
			err = fmt.Errorf("no turn begins with a move of the ring at %.10q", order.From)
		}
	}
	if err != nil {
		r.answer(nil, err)
		return
	}
	r.start(&order.searchOrder, func(sl *slot, q *search) error {
		return sl.weigh(q, &order, line, targets)
	})
}

// targetsOf returns where the ring of a point can move as the first part of a turn. A game
// that is over has no turns.
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

// weigh searches the end of a line, and then the turns to each target alone.
func (sl *slot) weigh(q *search, order *worthOrder, line *referee.Line, targets []target) error {
	want := newSettings(line.End().Rules(), order.Game, order.Options, 1, fullStrength)
	client, err := sl.settle(q.ctx, want)
	if err != nil {
		return err
	}
	look := func(nodes uint64, turns []position.Turn) (protocol.Answer, error) {
		limits := protocol.Limits{Nodes: nodes, HasNodes: true, SearchTurns: turns}
		answer, err := sl.ask(q.ctx, client, line, len(line.Turns), limits, nil)
		switch {
		case err != nil:
		case q.ctx.Err() != nil:
			err = q.ctx.Err() // an answer that was cut short is none
		case !answer.Last.HasScore:
			err = errors.New("it tells no scores")
		}
		return answer, err
	}
	whole, err := look(wholeBy*order.Nodes, nil)
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
		// What is found alone may be better than what was found among all.
		if t.best, t.score = answer.Best, answer.Last.Score; worth(t.score) > worth(best) {
			best = t.score
		}
	}
	sl.session.send(worthEvent{Event: "worth", Search: q.id, Targets: viewTargets(targets, best)})
	return nil
}

// viewTargets returns targets as the page gets them, where best is the best score of the
// position.
func viewTargets(targets []target, best protocol.Score) []targetView {
	views := make([]targetView, len(targets))
	for i, t := range targets {
		lost := review.Lost(best, t.score)
		views[i] = targetView{To: t.to.String(), Turn: t.best.String(), Lost: tenths(lost), Label: review.LabelOf(lost)}
	}
	return views
}
