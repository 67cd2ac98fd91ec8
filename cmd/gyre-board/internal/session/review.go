package session

import (
	"context"
	"errors"
	"fmt"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/position"
	"gyre/protocol"
)

// reviewOrder requests a review of all turns of a game.
type reviewOrder struct {
	searchOrder
	Nodes uint64 `json:"nodes"` // for each position; review.DeeperBy times as many for the worst turns
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
	Ply       int          `json:"ply"`
	Side      string       `json:"side"`
	Turn      string       `json:"turn"`
	Best      []string     `json:"best"` // the engine's turn and its line
	Before    *scoreView   `json:"before"`
	After     *scoreView   `json:"after"`
	Lost      float64      `json:"lost"`     // chances in percent
	Accuracy  float64      `json:"accuracy"` // 0 to 100
	Label     review.Label `json:"label"`
	MissedRow bool         `json:"missedRow"`
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
	if order.Apart {
		return r.startDedicated(order.Search, []string{order.Engine}, func(q *search, slots []*slot) {
			if err := order.run(slots[0], q, line); err != nil {
				slots[0].tell(q, err)
			}
		})
	}
	return r.start(&order.searchOrder, func(sl *slot, q *search) error {
		return order.run(sl, q, line)
	})
}

// run judges the turns of a line, and the worst turns twice, with several processes of one
// engine: that of the slot, and others that exist only for the review. It sends each verdict as
// soon as it is known. A review of the same line always has the same result: it counts nodes,
// and engines forget everything between positions.
func (order *reviewOrder) run(sl *slot, q *search, line *referee.Line) error {
	slots := []*slot{sl}
	for range min(sl.session.hub.bounds.Reviewers, len(line.Turns)/minPerReviewer+1) - 1 {
		slots = append(slots, &slot{session: sl.session, engine: sl.engine})
	}
	judges := make([]review.Judge, len(slots))
	for i, one := range slots {
		judges[i] = func(ctx context.Context, ply int, nodes uint64) (review.Judgement, error) {
			return order.judge(ctx, one, line, ply, min(nodes, maxNodes))
		}
	}
	verdicts := review.New(line.Positions, line.Turns)
	_, err := sl.running() // before the others, so that they do not take its place if few engines may run
	if err == nil {
		err = verdicts.Run(q.ctx, order.Nodes, judges, func(share float64, list []review.Verdict) {
			for _, v := range list {
				sl.session.send(reviewEvent{Event: "review", Search: q.id, Share: share, Turn: viewVerdict(v)})
			}
		})
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
		event.Summary[referee.SideLetter(position.Side(side))] = summary
	}
	sl.session.send(event)
	return nil
}

// maxLine limits the turns of the engine's line in a verdict.
const maxLine = 6

// viewVerdict converts a verdict.
func viewVerdict(v review.Verdict) verdictView {
	return verdictView{
		Ply: v.Ply, Side: referee.SideLetter(v.Side), Turn: v.Turn.String(), Best: position.Words(v.Best[:min(len(v.Best), maxLine)]),
		Before: viewScore(v.Before), After: viewScore(v.After),
		Lost: review.Tenths(v.Lost), Accuracy: review.Tenths(v.Accuracy), Label: v.Label, MissedRow: v.MissedRow,
	}
}

// Limits of parallel reviews. Starting an engine is worthwhile only for several positions. The
// hash is small because it is cleared for each position and there may be many engines.
const (
	minPerReviewer = 4    // turns
	reviewerHash   = "16" // MiB
)

// judge judges the position after ply turns with the engine of a slot. Each position is a new
// game, so the result does not depend on earlier positions.
func (order *reviewOrder) judge(ctx context.Context, sl *slot, line *referee.Line, ply int, nodes uint64) (review.Judgement, error) {
	game := fmt.Sprintf("%s, %d nodes after turn %d", order.Game, nodes, ply)
	want := newSettings(line.Start().Rules(), game, nil, 1, fullStrength)
	want.hash = reviewerHash
	client, err := sl.configure(ctx, want)
	if err != nil {
		return review.Judgement{}, err
	}
	answer, err := sl.evaluate(ctx, client, line, ply, protocol.Limits{Nodes: nodes})
	best := answer.Last.PV
	if len(best) == 0 || best[0] != answer.Best {
		best = []position.Turn{answer.Best}
	}
	return review.Judgement{Score: answer.Last.Score, Line: best}, err
}
