package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
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

// Of several engines that review a game each gets positions enough to be worth its start,
// and little memory: that is enough for a position, there may be many engines, and it is
// cleared for each position.
const (
	leastOfReviewer = 4
	reviewerHash    = "16" // MiB
	hashOption      = "hash"
)

// panel judges positions of a line, each by one of several engines of one kind. The
// engine of the slot is one of them; the others are there for the review alone, and where
// one fails its positions are left to the rest.
type panel struct {
	line *referee.Line
	want settings
	work chan piece    // positions that nobody has begun
	done chan struct{} // closed when there is no more work
}

// piece is a position to judge, the one after so many turns, by so many nodes.
type piece struct {
	ply    int
	nodes  uint64
	judged chan review.Judgement // gets one
}

// newPanel returns the panel for a line, which may get so many pieces of work.
func newPanel(line *referee.Line, want settings, most int) *panel {
	return &panel{line: line, want: want, work: make(chan piece, most), done: make(chan struct{})}
}

// judge has positions judged by so many nodes each, and tells of them in their order.
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

// sit has the slot and its likes work until all is done, ctx is, or the slot's own engine
// fails, whose error it returns. Then the others have ended. That engine is started first:
// the others would take its place where few may run.
func (p *panel) sit(ctx context.Context, sl *slot) error {
	if _, err := sl.running(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	for range min(sl.session.hub.bounds.Reviewers, len(p.line.Turns)/leastOfReviewer+1) - 1 {
		others.Go(func() {
			other := &slot{session: sl.session, engine: sl.engine}
			defer other.end()
			_ = p.serve(ctx, other) // what it has not judged others do
		})
	}
	return p.serve(ctx, sl)
}

// serve has the engine of a slot judge positions until all is done. The one at which
// it fails is left to others.
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

// ask has the engine of a slot judge a position.
func (p *panel) ask(ctx context.Context, sl *slot, w piece) (review.Judgement, error) {
	want := p.want
	// To the engine each position is of a game of its own, whoever judges it.
	want.game = fmt.Sprintf("%s, %d nodes after turn %d", p.want.game, w.nodes, w.ply)
	client, err := sl.settleSmall(ctx, want, reviewerHash)
	if err != nil {
		return review.Judgement{}, err
	}
	answer, err := sl.ask(ctx, client, p.line, w.ply, protocol.Limits{Nodes: w.nodes, HasNodes: true}, nil)
	switch {
	case err != nil:
	case ctx.Err() != nil:
		err = ctx.Err() // an answer that was cut short is no judgement
	case !answer.Last.HasScore:
		err = errors.New("it tells no scores")
	}
	best := answer.Last.PV
	if len(best) == 0 || best[0] != answer.Best {
		best = []position.Turn{answer.Best}
	}
	return review.Judgement{Score: answer.Last.Score, Line: best}, err
}

// settleSmall is settle with another size of the engine's memory in MiB, where that can be
// set; "" leaves it.
func (sl *slot) settleSmall(ctx context.Context, want settings, hash string) (*protocol.Client, error) {
	client, err := sl.running()
	if err == nil && hash != "" && hasHash(client) {
		want.options = maps.Clone(want.options)
		want.options[hashOption] = hash
	}
	if err != nil {
		return nil, err
	}
	return sl.settle(ctx, want)
}

// hasHash tells whether an engine has the option that bounds its memory.
func hasHash(client *protocol.Client) bool {
	return slices.ContainsFunc(client.Options(), func(o protocol.Option) bool {
		return strings.EqualFold(o.Name, hashOption) && o.Kind == protocol.SpinOption
	})
}
