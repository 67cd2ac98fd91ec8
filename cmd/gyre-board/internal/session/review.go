package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/position"
	"gyre/protocol"
)

// reviewOrder asks for a judgement of all turns of a game.
type reviewOrder struct {
	searchOrder
	Nodes uint64 `json:"nodes"` // for each position
}

// The events of a review.
type (
	reviewEvent struct {
		Event  string      `json:"event"` // "review"
		Search int64       `json:"search"`
		Ply    int         `json:"ply"` // turns judged
		Of     int         `json:"of"`  // turns in all
		Turn   verdictView `json:"turn"`
	}
	// reviewedEvent ends a review; one that was stopped sums up what was done.
	reviewedEvent struct {
		Event   string                      `json:"event"` // "reviewed"
		Search  int64                       `json:"search"`
		Stopped bool                        `json:"stopped"`
		Summary map[string]gametext.Summary `json:"summary"` // by side, "w" and "b"
	}
)

// verdictView is what is said of a turn; scores are those of the side that
// played it.
type verdictView struct {
	Ply       int          `json:"ply"`
	Side      string       `json:"side"`
	Turn      string       `json:"turn"`
	Best      string       `json:"best"`
	Before    *scoreView   `json:"before"`
	After     *scoreView   `json:"after"`
	Loss      int          `json:"loss"` // hundredths of the protocol's unit
	Label     review.Label `json:"label"`
	MissedRow bool         `json:"missedRow"`
}

// reviewGame starts a review.
func reviewGame(r *request) {
	var order reviewOrder
	if !r.read(&order) {
		return
	}
	line, err := order.Path.Read()
	switch {
	case err != nil:
	case len(line.Turns) == 0:
		err = errors.New("there are no turns to review")
	case order.Nodes < 1 || order.Nodes > mostNodes:
		err = fmt.Errorf("nodes %d is not within 1 to %d", order.Nodes, uint64(mostNodes))
	}
	if err != nil {
		r.answer(nil, err)
		return
	}
	r.start(&order.searchOrder, func(sl *slot, q *search) error {
		return sl.review(q, &order, line)
	})
}

// review judges the turns of a line and tells each verdict as it is known.
func (sl *slot) review(q *search, order *reviewOrder, line *referee.Line) error {
	want := newSettings(line.Start().Rules(), order.Game, nil, 1, fullStrength)
	limits := protocol.Limits{Nodes: order.Nodes, HasNodes: true}
	p := newPanel(line, want, limits)
	ctx, end := context.WithCancelCause(q.ctx)
	var sitting sync.WaitGroup
	sitting.Go(func() {
		if err := p.sit(ctx, sl); err != nil {
			end(err)
		}
	})
	judge := func(ply int) (review.Judgement, error) {
		select {
		case judgement := <-p.judged[ply]:
			return judgement, nil
		case <-ctx.Done():
			return review.Judgement{}, context.Cause(ctx)
		}
	}
	summaries, err := review.Game(line.Positions, line.Turns, judge, func(v review.Verdict) {
		sl.session.send(reviewEvent{Event: "review", Search: q.id, Ply: v.Ply, Of: len(line.Turns), Turn: viewVerdict(v)})
	})
	end(nil)
	sitting.Wait()
	stopped := q.killed.Load() || q.ctx.Err() != nil && !sl.failed(err)
	if err != nil && !stopped {
		return err
	}
	event := reviewedEvent{Event: "reviewed", Search: q.id, Stopped: err != nil, Summary: map[string]gametext.Summary{}}
	for side, summary := range summaries {
		event.Summary[referee.SideLetter(position.Side(side))] = viewSummary(summary)
	}
	sl.session.send(event)
	return nil
}

// viewVerdict returns a verdict as the page gets it.
func viewVerdict(v review.Verdict) verdictView {
	return verdictView{
		Ply: v.Ply, Side: referee.SideLetter(v.Side), Turn: v.Turn.String(), Best: v.Best.String(),
		Before: viewScore(v.Before), After: viewScore(v.After), Loss: v.Loss, Label: v.Label, MissedRow: v.MissedRow,
	}
}

// viewSummary returns a summary as the page gets it.
func viewSummary(t review.Summary) gametext.Summary {
	return gametext.Summary{
		Turns: t.Turns, MeanLoss: math.Round(10*t.MeanLoss()) / 10,
		Inaccuracies: t.Inaccuracies, Mistakes: t.Mistakes, Blunders: t.Blunders, MissedRows: t.MissedRows,
	}
}
