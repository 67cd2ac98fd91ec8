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
)

// reviewOrder asks for a judgement of all turns of a game.
type reviewOrder struct {
	searchOrder
	Nodes uint64 `json:"nodes"` // for each position; the worst turns get deeperBy times as many
	// Apart leaves the page's own engine alone: the review has one of its own.
	Apart bool `json:"apart,omitempty"`
}

// The turns that lost most are judged again by longer searches: so many of them.
const (
	deeperTurns = 5
	deeperBy    = 4
)

// The events of a review.
type (
	reviewEvent struct {
		Event  string      `json:"event"` // "review"
		Search int64       `json:"search"`
		Share  float64     `json:"share"` // of the work that is done, 0 to 1
		Turn   verdictView `json:"turn"`  // one told before may be told otherwise
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
	Best      []string     `json:"best"` // the engine's turn, and how it expects the game to go on
	Before    *scoreView   `json:"before"`
	After     *scoreView   `json:"after"`
	Lost      float64      `json:"lost"`     // chances, in per cent of a point
	Accuracy  float64      `json:"accuracy"` // 0 to 100
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
	if order.Apart {
		r.startApart(order.Search, []string{order.Engine}, func(q *search, slots []*slot) {
			if err := slots[0].review(q, &order, line); err != nil {
				slots[0].tell(q, err)
			}
		})
		return
	}
	r.start(&order.searchOrder, func(sl *slot, q *search) error {
		return sl.review(q, &order, line)
	})
}

// review judges the turns of a line, those that lost most twice, and tells each verdict as
// it is known. The same line is judged the same each time: by nodes, and each position by an
// engine that knows nothing of others.
func (sl *slot) review(q *search, order *reviewOrder, line *referee.Line) error {
	verdicts := review.New(line.Positions, line.Turns)
	var first []int
	for ply := range line.Positions {
		if !line.Positions[ply].Over() {
			first = append(first, ply)
		}
	}
	p := newPanel(line, newSettings(line.Start().Rules(), order.Game, nil, 1, fullStrength), len(first)+2*deeperTurns)
	ctx, end := context.WithCancelCause(q.ctx)
	var sitting sync.WaitGroup
	sitting.Go(func() {
		if err := p.sit(ctx, sl); err != nil {
			end(err)
		}
	})
	done, all := 0, len(first)+2*deeperTurns*deeperBy
	judge := func(plies []int, effort int) error {
		return p.judge(ctx, plies, min(order.Nodes*uint64(effort), mostNodes), func(ply int, j review.Judgement) {
			done += effort
			for _, v := range verdicts.Judge(ply, j) {
				sl.session.send(reviewEvent{Event: "review", Search: q.id, Share: float64(done) / float64(all), Turn: viewVerdict(v)})
			}
		})
	}
	err := judge(first, 1)
	if err == nil {
		err = judge(verdicts.Doubtful(deeperTurns), deeperBy)
	}
	close(p.done)
	end(nil)
	sitting.Wait()
	stopped := q.killed.Load() || q.ctx.Err() != nil && !sl.failed(err)
	if err != nil && !stopped {
		return err
	}
	event := reviewedEvent{Event: "reviewed", Search: q.id, Stopped: err != nil, Summary: map[string]gametext.Summary{}}
	for side, summary := range verdicts.Summaries() {
		event.Summary[referee.SideLetter(position.Side(side))] = viewSummary(summary)
	}
	sl.session.send(event)
	return nil
}

// mostOfLine is how many turns of the engine's line are told.
const mostOfLine = 6

// viewVerdict returns a verdict as the page gets it.
func viewVerdict(v review.Verdict) verdictView {
	return verdictView{
		Ply: v.Ply, Side: referee.SideLetter(v.Side), Turn: v.Turn.String(), Best: words(v.Best[:min(len(v.Best), mostOfLine)]),
		Before: viewScore(v.Before), After: viewScore(v.After),
		Lost: tenths(v.Lost), Accuracy: tenths(v.Accuracy), Label: v.Label, MissedRow: v.MissedRow,
	}
}

// viewSummary returns a summary as the page gets it.
func viewSummary(t review.Summary) gametext.Summary {
	return gametext.Summary{
		Turns: t.Turns, Accuracy: tenths(t.Accuracy), MeanLost: tenths(t.Lost / float64(max(t.Turns, 1))),
		Inaccuracies: t.Inaccuracies, Mistakes: t.Mistakes, Blunders: t.Blunders, MissedRows: t.MissedRows,
	}
}

// tenths rounds a number to tenths.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }
