package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

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

// run judges the turns of a line, and the worst turns twice. It sends each verdict as soon as
// it is known. A review of the same line always has the same result: it counts nodes, and
// engines forget everything between positions.
func (order *reviewOrder) run(sl *slot, q *search, line *referee.Line) error {
	verdicts := review.New(line.Positions, line.Turns)
	var first []int
	for ply := range line.Positions {
		if !line.Positions[ply].Over() {
			first = append(first, ply)
		}
	}
	p := newPanel(line, newSettings(line.Start().Rules(), order.Game, nil, 1, fullStrength), len(first)+2*review.DeeperTurns)
	ctx, end := context.WithCancelCause(q.ctx)
	var judging sync.WaitGroup
	judging.Go(func() {
		if err := p.run(ctx, sl); err != nil {
			end(err)
		}
	})
	done, all := 0, len(first)+2*review.DeeperTurns*review.DeeperBy
	judge := func(plies []int, effort int) error {
		return p.judge(ctx, plies, min(order.Nodes*uint64(effort), maxNodes), func(ply int, j review.Judgement) {
			done += effort
			for _, v := range verdicts.Judge(ply, j) {
				sl.session.send(reviewEvent{Event: "review", Search: q.id, Share: float64(done) / float64(all), Turn: viewVerdict(v)})
			}
		})
	}
	err := judge(first, 1)
	if err == nil {
		err = judge(verdicts.Doubtful(review.DeeperTurns), review.DeeperBy)
	}
	close(p.done)
	end(nil)
	judging.Wait()
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

// panel judges positions with several processes of one engine: that of the slot, and others
// that exist only for the review. If one of the others fails, the rest take over its positions.
type panel struct {
	line *referee.Line
	want settings
	work chan piece    // positions to judge
	done chan struct{} // closed when all positions are judged
}

// piece is a position to judge with the given number of nodes: the one after ply turns.
type piece struct {
	ply    int
	nodes  uint64
	judged chan review.Judgement // receives the result
}

// newPanel returns a panel for up to most positions of a line.
func newPanel(line *referee.Line, want settings, most int) *panel {
	want.hash = reviewerHash
	return &panel{line: line, want: want, work: make(chan piece, most), done: make(chan struct{})}
}

// judge judges positions, and calls tell for each in order.
func (p *panel) judge(ctx context.Context, plies []int, nodes uint64, tell func(ply int, j review.Judgement)) error {
	pieces := make([]piece, len(plies))
	for i, ply := range plies {
		pieces[i] = piece{ply, nodes, make(chan review.Judgement, 1)}
		p.work <- pieces[i]
	}
	for _, w := range pieces {
		select {
		case judgement := <-w.judged:
			tell(w.ply, judgement)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// run judges positions until all are done, ctx is done, or the slot's engine fails; then it
// returns that error. All other engines have ended when it returns. It starts the slot's engine
// first, so that the others do not take its place if few engines may run.
func (p *panel) run(ctx context.Context, sl *slot) error {
	if _, err := sl.running(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	for range min(sl.session.hub.bounds.Reviewers, len(p.line.Turns)/minPerReviewer+1) - 1 {
		others.Go(func() {
			other := &slot{session: sl.session, engine: sl.engine}
			defer other.end()
			_ = p.serve(ctx, other) // the rest take over its positions
		})
	}
	return p.serve(ctx, sl)
}

// serve judges positions with one engine until all are done. If the engine fails, it returns
// the current position to the queue.
func (p *panel) serve(ctx context.Context, sl *slot) error {
	for {
		select {
		case <-p.done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case w := <-p.work:
			judgement, err := p.ask(ctx, sl, w)
			if err != nil {
				p.work <- w
				return err
			}
			w.judged <- judgement
		}
	}
}

// ask judges a position with the engine of a slot.
func (p *panel) ask(ctx context.Context, sl *slot, w piece) (review.Judgement, error) {
	want := p.want
	// Each position is a new game, so the result does not depend on earlier positions.
	want.game = fmt.Sprintf("%s, %d nodes after turn %d", p.want.game, w.nodes, w.ply)
	client, err := sl.configure(ctx, want)
	if err != nil {
		return review.Judgement{}, err
	}
	answer, err := sl.evaluate(ctx, client, p.line, w.ply, protocol.Limits{Nodes: w.nodes})
	best := answer.Last.PV
	if len(best) == 0 || best[0] != answer.Best {
		best = []position.Turn{answer.Best}
	}
	return review.Judgement{Score: answer.Last.Score, Line: best}, err
}
