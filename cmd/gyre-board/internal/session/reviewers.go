package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/protocol"
)

// Of several engines that review a game each gets positions enough to be worth its start,
// and little memory: that of one is enough for a position, and there are many.
const (
	leastOfReviewer = 4
	reviewerHash    = "16" // MiB
	hashOption      = "hash"
)

// panel judges the positions of a line, each by one of several engines of one kind. The
// engine of the slot is one of them; the others are there for the review alone, and where
// one fails its positions are left to the rest.
type panel struct {
	line   *referee.Line
	want   settings
	limits protocol.Limits

	plies  chan int                // those that nobody has begun
	judged []chan review.Judgement // by ply: each gets one
	left   atomic.Int64            // positions without a judgement
	all    chan struct{}           // closed when there is none of them
}

// newPanel returns the panel for a line.
func newPanel(line *referee.Line, want settings, limits protocol.Limits) *panel {
	p := &panel{line: line, want: want, limits: limits, plies: make(chan int, len(line.Positions)), judged: make([]chan review.Judgement, len(line.Positions)), all: make(chan struct{})}
	for ply := range line.Positions {
		p.judged[ply] = make(chan review.Judgement, 1)
		if !line.Positions[ply].Over() {
			p.plies <- ply
		}
	}
	p.left.Store(int64(len(p.plies)))
	return p
}

// sit has the slot and its likes judge until all is judged, ctx is done, or the slot's own
// engine fails, whose error it returns. Then the others have ended.
func (p *panel) sit(ctx context.Context, sl *slot) error {
	ctx, cancel := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	for range min(sl.session.hub.bounds.Reviewers, len(p.plies)/leastOfReviewer) - 1 {
		others.Go(func() {
			other := &slot{session: sl.session, engine: sl.engine}
			defer other.end()
			_ = p.serve(ctx, other) // what it has not judged others do
		})
	}
	return p.serve(ctx, sl)
}

// serve has the engine of a slot judge positions until all are judged. The one at which
// it fails is left to others.
func (p *panel) serve(ctx context.Context, sl *slot) error {
	for {
		select {
		case <-p.all:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case ply := <-p.plies:
			judgement, err := p.judge(ctx, sl, ply)
			if err != nil {
				p.plies <- ply
				return err
			}
			p.judged[ply] <- judgement
			if p.left.Add(-1) == 0 {
				close(p.all)
			}
		}
	}
}

// judge has the engine of a slot judge the position after so many turns.
func (p *panel) judge(ctx context.Context, sl *slot, ply int) (review.Judgement, error) {
	hash := ""
	if sl.session.hub.bounds.Reviewers > 1 {
		hash = reviewerHash
	}
	client, err := sl.settleSmall(ctx, p.want, hash)
	if err != nil {
		return review.Judgement{}, err
	}
	answer, err := sl.ask(ctx, client, p.line, ply, p.limits, nil)
	switch {
	case err != nil:
	case ctx.Err() != nil:
		err = ctx.Err() // an answer that was cut short is no judgement
	case !answer.Last.HasScore:
		err = errors.New("it tells no scores")
	}
	return review.Judgement{Score: answer.Last.Score, Best: answer.Best}, err
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
