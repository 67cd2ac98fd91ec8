package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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

// limitsOrder is how long a search may take, as the page asks for it. Several
// limits hold together.
type limitsOrder struct {
	Nodes    uint64      `json:"nodes,omitempty"`
	MoveTime int64       `json:"movetime,omitempty"` // milliseconds
	Depth    int         `json:"depth,omitempty"`    // plies
	Infinite bool        `json:"infinite,omitempty"` // until stop
	Clock    *clockOrder `json:"clock,omitempty"`
}

// clockOrder is the clocks of a game in milliseconds. What is left may be
// negative, when the flag has just fallen.
type clockOrder struct {
	White     int64 `json:"white"`
	Black     int64 `json:"black"`
	Increment int64 `json:"inc"`
}

// The bounds of the limits.
const (
	mostNodes = 1_000_000_000_000
	mostTime  = 24 * time.Hour
	mostDepth = 1000
)

// fullTime is the time for a turn that nothing else limits.
const fullTime = 3 * time.Second

// read returns the limits of a search of at most so many nodes, where 0 is any
// number. Where nothing limits it the time is fullTime.
func (l limitsOrder) read(mostForLevel uint64) (protocol.Limits, error) {
	var limits protocol.Limits
	if l.Nodes > mostNodes {
		return limits, fmt.Errorf("limits: nodes %d is more than %d", l.Nodes, uint64(mostNodes))
	}
	if l.Depth < 0 || l.Depth > mostDepth {
		return limits, fmt.Errorf("limits: depth %d is not within 1 to %d", l.Depth, mostDepth)
	}
	if l.MoveTime < 0 || l.MoveTime > mostTime.Milliseconds() {
		return limits, fmt.Errorf("limits: movetime %d is not within 1 to %d ms", l.MoveTime, mostTime.Milliseconds())
	}
	if l.Clock != nil {
		if err := l.Clock.read(&limits); err != nil {
			return limits, err
		}
	}
	limits.Nodes = l.Nodes
	if mostForLevel > 0 && (limits.Nodes == 0 || limits.Nodes > mostForLevel) {
		limits.Nodes = mostForLevel
	}
	limits.HasNodes = limits.Nodes > 0
	limits.Depth, limits.HasDepth = l.Depth, l.Depth > 0
	limits.MoveTime, limits.HasMoveTime = milliseconds(l.MoveTime), l.MoveTime > 0
	limited := limits.HasNodes || limits.HasDepth || limits.HasMoveTime || l.Clock != nil
	if l.Infinite && limited {
		return limits, errors.New("limits: infinite and another limit exclude each other")
	}
	limits.Infinite = l.Infinite
	if !limited && !l.Infinite {
		limits.MoveTime, limits.HasMoveTime = fullTime, true
	}
	return limits, nil
}

// read sets both clocks.
func (c *clockOrder) read(limits *protocol.Limits) error {
	for side, left := range [2]int64{position.White: c.White, position.Black: c.Black} {
		if left > mostTime.Milliseconds() || c.Increment < 0 || c.Increment > mostTime.Milliseconds() {
			return fmt.Errorf("limits: a clock with %d ms and %d ms a turn is out of range", left, c.Increment)
		}
		limits.Clock[side] = protocol.Clock{Set: true, Left: milliseconds(max(left, 0)), Increment: milliseconds(c.Increment)}
	}
	return nil
}

// milliseconds returns so many of them.
func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// slowest is how long the slowest engine takes for a node, besides some graces
// to get going.
const slowest = time.Millisecond

// depthTime is how long a search to a depth may take.
const depthTime = 10 * time.Minute

// longest returns when a search is taken to hang: a while after it should have
// ended. Zero means never, as nothing ends it but the page.
func longest(limits protocol.Limits, side position.Side, grace time.Duration) time.Duration {
	var least time.Duration
	within := func(limited bool, d time.Duration) {
		if limited && (least == 0 || d+grace < least) {
			least = d + grace
		}
	}
	within(limits.HasMoveTime, limits.MoveTime)
	within(limits.Clock[side].Set, limits.Clock[side].Left+limits.Clock[side].Increment)
	within(limits.HasNodes, time.Duration(min(limits.Nodes, uint64(mostTime/slowest)))*slowest+3*grace)
	within(limits.HasDepth, depthTime)
	return least
}

// Level is a strength to play at.
type Level struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Elo is the rating on the scale of gyre-arena ladder, on which random play has 0: of
	// Gyre, and of any engine that keeps to the option UCI_Elo. 0 is all that it can do.
	Elo int `json:"elo"`

	// bareNodes are the positions that an engine visits which has no such option. 0 is as
	// many as the other limits allow.
	bareNodes uint64
}

// limitOption and eloOption are the options by which an engine plays below its strength.
const (
	limitOption = "UCI_LimitStrength"
	eloOption   = "UCI_Elo"
)

// levels are all levels, weakest first. The last one holds nothing back.
var levels = [...]Level{
	{"Beginner", "knows the rules and little more", 200, 1},
	{"Novice", "sees a row when it is there", 500, 30},
	{"Casual", "has a plan and overlooks things", 800, 150},
	{"Club", "looks a turn ahead, and errs less", 1200, 600},
	{"Strong", "gives little away", 1700, 3_000},
	{"Expert", "hard to beat", 2300, 20_000},
	{"Full strength", "all it can do in its time", 0, 0},
}

// fullStrength is the level of an analysis, and of those who name none.
var fullStrength = &levels[len(levels)-1]

// findLevel returns the level of a name.
func findLevel(name *string) (*Level, error) {
	if name == nil {
		return fullStrength, nil
	}
	for i := range levels {
		if levels[i].Name == *name {
			return &levels[i], nil
		}
	}
	return nil, fmt.Errorf("there is no level %.40q", *name)
}

// most returns the most positions that an engine visits at the level, which can
// limit its strength or cannot; 0 is no limit.
func (l *Level) most(limiting bool) uint64 {
	if limiting {
		return 0
	}
	return l.bareNodes
}

// The events: messages to the page that answer no request.
type (
	// infoEvent tells how a search goes: all lines as they are now.
	infoEvent struct {
		Event   string     `json:"event"` // "info"
		Search  int64      `json:"search"`
		Side    string     `json:"side"` // "w" or "b", whose turn it is and whose scores they are
		Lines   []infoLine `json:"lines"`
		Message string     `json:"message,omitempty"` // what the engine said last to people
	}
	// bestEvent ends a search.
	bestEvent struct {
		Event   string  `json:"event"` // "best"
		Search  int64   `json:"search"`
		Turn    *string `json:"turn"`    // null when the search was stopped before it had one
		Elapsed int64   `json:"elapsed"` // milliseconds
		Stopped bool    `json:"stopped"` // whether it ended because the page wanted something else
	}
	// failedEvent ends a search or a review whose engine has failed.
	failedEvent struct {
		Event  string `json:"event"` // "failed"
		Search int64  `json:"search"`
		Engine string `json:"engine"`
		Reason string `json:"reason"`
		Lost   bool   `json:"lost"` // whether the engine has to be started again
	}
)

// infoLine is one line of a search. What the engine did not tell is zero.
type infoLine struct {
	MultiPV  int        `json:"multipv"` // rank, from 1
	Depth    int        `json:"depth"`
	SelDepth int        `json:"seldepth"`
	Score    *scoreView `json:"score"` // null when not told
	Bound    string     `json:"bound"` // "", "lower" or "upper"
	Nodes    uint64     `json:"nodes"`
	NPS      uint64     `json:"nps"`
	Time     int64      `json:"time"`     // milliseconds
	HashFull int        `json:"hashfull"` // permille
	PV       []string   `json:"pv"`
}

// scoreView is a score: one of the two is there.
type scoreView struct {
	CP   *int `json:"cp,omitempty"`   // hundredths of the unit of the protocol
	Mate *int `json:"mate,omitempty"` // turns of both sides to the end; negative when the side loses
}

// viewScore returns a score as the page gets it.
func viewScore(s protocol.Score) *scoreView {
	value := s.Value
	if s.Mate {
		return &scoreView{Mate: &value}
	}
	return &scoreView{CP: &value}
}

// boundWords are the words for bounds.
var boundWords = map[protocol.Bound]string{protocol.LowerBound: "lower", protocol.UpperBound: "upper"}

// longestPV is how many turns of a line are shown.
const longestPV = 24

// update takes over what a report tells; a report without a score or a line
// leaves those of the one before.
func (l *infoLine) update(i protocol.Info) {
	if i.HasScore {
		l.Score, l.Bound = viewScore(i.Score), boundWords[i.Bound]
	}
	if len(i.PV) > 0 {
		l.PV = words(i.PV[:min(len(i.PV), longestPV)])
	}
	setIfTold(&l.Depth, i.Depth)
	setIfTold(&l.SelDepth, i.SelDepth)
	setIfTold(&l.Nodes, i.Nodes)
	setIfTold(&l.NPS, i.NPS)
	setIfTold(&l.Time, i.Time.Milliseconds())
	setIfTold(&l.HashFull, i.HashFull)
}

// setIfTold sets a number that is not zero, which means not told.
func setIfTold[N int | int64 | uint64](to *N, n N) {
	if n != 0 {
		*to = n
	}
}

// words returns the words of turns.
func words(turns []position.Turn) []string {
	list := make([]string, len(turns))
	for i, turn := range turns {
		list[i] = turn.String()
	}
	return list
}

// stopped is the end of a search that never had a turn.
func stopped(search int64) bestEvent {
	return bestEvent{Event: "best", Search: search, Stopped: true}
}

// found is the end of a search that has its turn.
func found(search int64, answer protocol.Answer, wasStopped bool) bestEvent {
	event := bestEvent{Event: "best", Search: search, Elapsed: answer.Elapsed.Round(time.Millisecond).Milliseconds(), Stopped: wasStopped}
	if answer.Best != position.None {
		word := answer.Best.String()
		event.Turn = &word
	}
	return event
}

// throttlePause is the least time between two info events of a search: ten a
// second at most, whatever the engine sends.
const throttlePause = 100 * time.Millisecond

// throttle merges the reports of a search: of each line the latest wins. Whatever
// has changed is sent when the pause since the last event is over.
type throttle struct {
	send func(lines []infoLine, message string)

	mu      sync.Mutex
	lines   []infoLine // by rank
	message string
	changed chan struct{} // holds a token while there is news
	ended   chan struct{}
	sending sync.WaitGroup
}

// newThrottle returns a throttle that sends until finish. What send is given it
// may keep.
func newThrottle(send func(lines []infoLine, message string)) *throttle {
	t := &throttle{send: send, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	t.sending.Go(t.run)
	return t
}

// take merges a report in. It never waits for the page.
func (t *throttle) take(i protocol.Info) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i.Message != "" {
		t.message = i.Message
	}
	if i.Message == "" || i.HasScore || len(i.PV) > 0 {
		t.line(max(i.MultiPV, 1)).update(i)
	}
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// line returns the line of a rank, a new one if need be.
func (t *throttle) line(rank int) *infoLine {
	at, ok := slices.BinarySearchFunc(t.lines, rank, func(l infoLine, rank int) int { return l.MultiPV - rank })
	if !ok {
		t.lines = slices.Insert(t.lines, at, infoLine{MultiPV: rank, PV: []string{}})
	}
	return &t.lines[at]
}

// run sends the news until finish.
func (t *throttle) run() {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-t.ended:
			return
		case <-pause.C:
		}
		select {
		case <-t.ended:
			return
		case <-t.changed:
		}
		t.flush()
		pause.Reset(throttlePause)
	}
}

// flush sends what there is.
func (t *throttle) flush() {
	t.mu.Lock()
	lines, message := slices.Clone(t.lines), t.message
	t.mu.Unlock()
	t.send(lines, message)
}

// finish sends the last news, if there are any. Nothing is sent after it.
func (t *throttle) finish() {
	close(t.ended)
	t.sending.Wait()
	select {
	case <-t.changed:
		t.flush()
	default:
	}
}
