package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/position"
	"gyre/protocol"
)

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
