package session

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/protocol"
)

// searchOrder is what the orders to an engine have in common.
type searchOrder struct {
	pathQuestion
	Search int64  `json:"search"` // the page's number, which the events repeat
	Engine string `json:"engine"`
	Game   string `json:"game"` // the page's name of the game, which may be empty
}

// thinkOrder asks for a turn, or for an analysis.
type thinkOrder struct {
	searchOrder
	Limits  limitsOrder            `json:"limits"`
	MultiPV int                    `json:"multipv"`
	Level   *string                `json:"level"`
	Options map[string]optionValue `json:"options,omitempty"`
}

// search is a search or a review that has not ended.
type search struct {
	id     int64
	slot   *slot
	ctx    context.Context // done when the page wants no more of it
	cancel context.CancelFunc
	killed atomic.Bool // whether the engine was ended under it
}

// think starts a search.
func think(r *request) {
	var order thinkOrder
	if !r.read(&order) {
		return
	}
	line, err := order.Path.Read()
	if err != nil {
		r.answer(nil, err)
		return
	}
	r.startThinking(&order, line)
}

// threat starts a search of what the other side would do if it were its turn.
func threat(r *request) {
	var order thinkOrder
	if !r.read(&order) {
		return
	}
	line, err := order.Path.Read()
	if err == nil {
		line, err = line.Threatened()
	}
	if err != nil {
		r.answer(nil, err)
		return
	}
	r.startThinking(&order, line)
}

// startThinking has an engine search the end of a line.
func (r *request) startThinking(order *thinkOrder, line *referee.Line) {
	level, err := findLevel(order.Level)
	if err == nil {
		_, err = order.Limits.read(level.most(true))
	}
	bounds := r.session.hub.bounds
	switch {
	case err != nil:
	case order.MultiPV < 0 || order.MultiPV > bounds.MultiPV:
		err = fmt.Errorf("multipv %d is not within 1 to %d", order.MultiPV, bounds.MultiPV)
	case line.End().Over():
		err = errors.New("the game is over: there is nothing to think about")
	}
	if err != nil {
		r.answer(nil, err)
		return
	}
	r.start(&order.searchOrder, func(sl *slot, q *search) error {
		return sl.think(q, order, line, level)
	})
}

// start has an engine do what run does, after the order was answered, in place
// of what it does now. Run sends the event that ends the search, unless it
// returns an error.
func (r *request) start(order *searchOrder, run func(*slot, *search) error) {
	sl, err := r.session.slotOf(order.Engine)
	if err != nil {
		r.answer(nil, err)
		return
	}
	q, err := r.session.newSearch(order.Search, sl)
	if err != nil {
		r.answer(nil, err)
		return
	}
	answered := make(chan struct{}) // the reply goes out before the events
	err = sl.add(func() {
		<-answered
		defer r.session.endSearch(q)
		if err := run(sl, q); err != nil {
			sl.tell(q, err)
		}
	})
	if err != nil {
		r.session.endSearch(q)
	}
	r.answer(nothing{}, err)
	close(answered)
}

// startApart is start with engines that are there for this order alone and end with it,
// whatever those that the page has do meanwhile. Run sends the event that ends the search.
func (r *request) startApart(id int64, engines []string, run func(*search, []*slot)) {
	s := r.session
	slots := make([]*slot, len(engines))
	for i, name := range engines {
		e, err := s.hub.engineOf(name)
		if err != nil {
			r.answer(nil, err)
			return
		}
		slots[i] = &slot{session: s, engine: e, apart: true}
	}
	q, err := s.newSearch(id, slots[0])
	if err != nil {
		r.answer(nil, err)
		return
	}
	r.answer(nothing{}, nil)
	s.working.Go(func() {
		defer s.endSearch(q)
		for _, sl := range slots {
			defer sl.end()
		}
		run(q, slots)
	})
}

// tell tells the page that a search has failed, or that it was stopped before
// it began.
func (sl *slot) tell(q *search, err error) {
	lost := sl.failed(err)
	if q.killed.Load() || !lost && q.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		sl.session.send(stopped(q.id))
		return
	}
	sl.session.send(failedEvent{Event: "failed", Search: q.id, Engine: sl.engine.Name, Reason: err.Error(), Lost: lost && !sl.apart})
}

// think searches the end of a line and tells how it goes.
func (sl *slot) think(q *search, order *thinkOrder, line *referee.Line, level *Level) error {
	want := newSettings(line.End().Rules(), order.Game, order.Options, max(order.MultiPV, 1), level)
	client, err := sl.settle(q.ctx, want)
	if err != nil {
		return err
	}
	limits, err := order.Limits.read(level.most(limitsStrength(client)))
	if err != nil {
		return err
	}
	side := referee.SideLetter(line.End().SideToMove())
	news := newThrottle(func(lines []infoLine, message string) {
		sl.session.send(infoEvent{Event: "info", Search: q.id, Side: side, Lines: lines, Message: message})
	})
	var answer protocol.Answer
	if order.together() {
		answer, err = sl.analyse(q.ctx, want, line, limits, max(order.MultiPV, 1), news.take)
	} else {
		answer, err = sl.ask(q.ctx, client, line, len(line.Turns), limits, news.take)
	}
	news.finish()
	if err != nil {
		return err
	}
	sl.session.send(found(q.id, answer, q.ctx.Err() != nil))
	return nil
}

// ask searches the position after so many turns of a line, and takes an engine
// that gives no answer long after it should have for one that hangs. An answer
// that comes late is an answer.
func (sl *slot) ask(ctx context.Context, client *protocol.Client, line *referee.Line, turns int, limits protocol.Limits, report func(protocol.Info)) (protocol.Answer, error) {
	if err := client.TellPosition(*line.Start(), line.Turns[:turns]); err != nil {
		return protocol.Answer{}, err
	}
	side := line.Positions[turns].SideToMove()
	if most := longest(limits, side, sl.session.hub.patience.Grace); most > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	answer, err := client.Go(ctx, limits, report)
	if late, ok := errors.AsType[*protocol.Failure](err); ok && late.Kind == protocol.SearchTimeout && answer.Best != position.None {
		err = nil
	}
	return answer, err
}
