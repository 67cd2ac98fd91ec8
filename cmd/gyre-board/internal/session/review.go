package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gyre/bench/review"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// reviewOrder requests a review of all turns of a game.
type reviewOrder struct {
	searchOrder
	Nodes uint64 `json:"nodes"` // for each position; review.CheckNodes for each of the two turns of a check
	// Better is a turn to compare the only turn of the path with. "" compares it with the engine's.
	Better string `json:"better,omitempty"`
	// Apart runs the review in its own engine instead of the page's.
	Apart bool `json:"apart,omitempty"`
}

// The events of a review.
type (
	reviewEvent struct {
		Event  string      `json:"event"` // "review"
		Search int64       `json:"search"`
		Share  float64     `json:"share"` // fraction of the work done, 0 to 1
		Turn   verdictView `json:"turn"`  // may replace an earlier verdict
	}
	// reviewedEvent ends a review. If it was stopped, the summary covers the turns judged so far.
	reviewedEvent struct {
		Event   string                    `json:"event"` // "reviewed"
		Search  int64                     `json:"search"`
		Stopped bool                      `json:"stopped"`
		Summary map[string]review.Summary `json:"summary"` // by side, "w" and "b"
	}
)

// verdictView is a verdict on a turn. Its scores are for the side that played the turn.
type verdictView struct {
	Ply       int                  `json:"ply"`
	Side      string               `json:"side"`
	Turn      string               `json:"turn"`
	Best      []string             `json:"best"`            // the engine's turn and its line
	Reply     string               `json:"reply,omitempty"` // the engine's answer to the turn
	Before    protocol.ScoreFields `json:"before"`
	After     protocol.ScoreFields `json:"after"`
	Lost      float64              `json:"lost"`     // chances in percent
	Accuracy  float64              `json:"accuracy"` // 0 to 100
	Label     review.Label         `json:"label"`
	Doubtful  bool                 `json:"doubtful,omitempty"` // whether a check must confirm the loss before the turn has a label
	MissedRow bool                 `json:"missedRow"`
}

// reviewGame starts a review.
func reviewGame(r *request, order *reviewOrder) error {
	line, err := order.Path.Read()
	switch {
	case err != nil:
		return err
	case len(line.Turns) == 0:
		return errors.New("there are no turns to review")
	case order.Nodes < 1 || order.Nodes > maxNodes:
		return fmt.Errorf("nodes %d is not between 1 and %d", order.Nodes, uint64(maxNodes))
	}
	better := position.None
	if order.Better != "" {
		if better, err = line.Start().ParseTurn(order.Better); err != nil {
			return err
		}
		if len(line.Turns) > 1 {
			return errors.New("only one turn can be compared with another")
		}
	}
	if order.Apart {
		return r.startDedicated(order.Search, []string{order.Engine}, func(q *job, slots []*slot) {
			if err := order.run(slots[0], q, line, better); err != nil {
				slots[0].tell(q, err)
			}
		})
	}
	return r.start(&order.searchOrder, func(sl *slot, q *job) error {
		return order.run(sl, q, line, better)
	})
}

// run judges the turns of a line, and the doubtful turns twice, with several processes of one
// engine: that of the slot, and others that exist only for the review. It sends each verdict as
// soon as it is known. A review of the same line always has the same result: it counts nodes,
// and engines forget everything between positions.
func (order *reviewOrder) run(sl *slot, q *job, line *referee.Line, better position.Turn) error {
	slots := []*slot{sl}
	for range min(sl.session.hub.bounds.Reviewers, len(line.Turns)/minPerReviewer+1) - 1 {
		slots = append(slots, &slot{session: sl.session, engine: sl.engine})
	}
	judges := make([]review.Judge, len(slots))
	for i, one := range slots {
		judges[i] = func(ctx context.Context, task review.Task) (review.Judgement, error) {
			task.Nodes = min(task.Nodes, maxNodes)
			return order.judge(ctx, one, line, task)
		}
	}
	verdicts := review.New(line.Positions, line.Turns)
	_, err := sl.running() // before the others, so that they do not take its place if few engines may run
	tell := func(share float64, list []review.Verdict) {
		for _, v := range list {
			sl.session.send(reviewEvent{Event: "review", Search: q.id, Share: share, Turn: viewVerdict(v)})
		}
	}
	switch {
	case err != nil:
	case better != position.None:
		var v review.Verdict
		if v, err = verdicts.Compare(q.ctx, 1, better, order.Nodes, judges[0]); err == nil {
			tell(1, []review.Verdict{v})
		}
	default:
		err = verdicts.Run(q.ctx, order.Nodes, judges, tell)
	}
	for _, other := range slots[1:] {
		other.end()
	}
	stopped := q.killed.Load() || q.ctx.Err() != nil && !sl.failed(err)
	if err != nil && !stopped {
		return err
	}
	event := reviewedEvent{Event: "reviewed", Search: q.id, Stopped: err != nil, Summary: map[string]review.Summary{}}
	for side, summary := range verdicts.Summaries() {
		event.Summary[position.Side(side).Letter()] = summary
	}
	sl.session.send(event)
	return nil
}

// maxLine limits the turns of the engine's line in a verdict.
const maxLine = 6

// viewVerdict converts a verdict.
func viewVerdict(v review.Verdict) verdictView {
	reply := ""
	if v.Reply != position.None {
		reply = v.Reply.String()
	}
	return verdictView{
		Reply: reply, Ply: v.Ply, Side: v.Side.Letter(), Turn: v.Turn.String(), Best: position.Words(v.Best[:min(len(v.Best), maxLine)]),
		Before: v.Before.Fields(), After: v.After.Fields(),
		Lost: review.Shown(v.Lost), Accuracy: review.Tenths(v.Accuracy), Label: v.Label, Doubtful: v.Doubtful, MissedRow: v.MissedRow,
	}
}

// Limits of parallel reviews. Starting an engine is worthwhile only for several positions. The
// hash is small because it is cleared for each position and there may be many engines.
const (
	minPerReviewer = 4    // turns
	reviewerHash   = "16" // MiB
)

// judge judges a position with the engine of a slot. Each task is a new game, so the result does not
// depend on earlier ones.
func (order *reviewOrder) judge(ctx context.Context, sl *slot, line *referee.Line, task review.Task) (review.Judgement, error) {
	game := fmt.Sprintf("%s, %d nodes after turn %d, %v", order.Game, task.Nodes, task.Ply, task.Turn)
	want := newSettings(line.Start().Rules(), game, nil, 1, fullStrength)
	want.hash = reviewerHash
	client, err := sl.configure(ctx, want)
	if err != nil {
		return review.Judgement{}, err
	}
	answer, err := sl.evaluate(ctx, client, line, task.Ply, task.Limits())
	best := answer.Last.PV
	if len(best) == 0 || best[0] != answer.Best {
		best = []position.Turn{answer.Best}
	}
	return review.Judgement{Score: answer.Last.Score, Line: best}, err
}

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
	To   string  `json:"to"`
	Turn string  `json:"turn"` // the best turn that moves there; turns may differ in removals
	Lost float64 `json:"lost"` // chances in percent, compared with the best turn of the position; too short a search for a label
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
	return r.start(&order.searchOrder, func(sl *slot, q *job) error {
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
func (order *worthOrder) run(sl *slot, q *job, line *referee.Line, targets []target) error {
	want := newSettings(line.End().Rules(), order.Game, order.Options, 1, fullStrength)
	client, err := sl.configure(q.ctx, want)
	if err != nil {
		return err
	}
	look := func(nodes uint64, turns []position.Turn) (protocol.Answer, error) {
		return sl.evaluate(q.ctx, client, line, len(line.Turns), search.Limits{Nodes: nodes, SearchTurns: turns})
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
	views := make([]targetView, len(targets))
	for i, t := range targets {
		lost := review.Lost(best, t.score)
		views[i] = targetView{To: t.to.String(), Turn: t.best.String(), Lost: review.Shown(lost)}
	}
	sl.session.send(worthEvent{Event: "worth", Search: q.id, Targets: views})
	return nil
}
