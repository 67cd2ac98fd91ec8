package session

import (
	"cmp"
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
	"gyre/search"
)

// searchOrder contains the fields common to all orders for an engine.
type searchOrder struct {
	pathQuestion
	Search int64  `json:"search"` // the page's number, repeated in events
	Engine string `json:"engine"`
	Game   string `json:"game"` // the page's name of the game; may be empty
}

// thinkOrder requests a turn or an analysis.
type thinkOrder struct {
	searchOrder
	Limits  limitsOrder            `json:"limits"`
	MultiPV int                    `json:"multipv"`
	Level   *string                `json:"level"`
	Options map[string]optionValue `json:"options,omitempty"`
}

// job is a running search, review or match.
type job struct {
	id     int64
	slot   *slot
	ctx    context.Context // canceled when the page stops the search
	cancel context.CancelFunc
	killed atomic.Bool // whether its engine was killed
	stored chan int    // the latest number of games of a match that the page has stored
}

// think starts a search at the end of a path.
func think(r *request, order *thinkOrder) error {
	line, err := order.Path.Read()
	if err != nil {
		return err
	}
	return order.start(r, line)
}

// threat starts a search for the other side's best turn if it were to move.
func threat(r *request, order *thinkOrder) error {
	line, err := order.Path.Read()
	if err != nil {
		return err
	}
	if line, err = line.Threatened(); err != nil {
		return err
	}
	return order.start(r, line)
}

// start starts a search at the end of a line.
func (order *thinkOrder) start(r *request, line *referee.Line) error {
	level, err := findLevel(order.Level)
	if err != nil {
		return err
	}
	if _, err := order.Limits.read(level.most(true)); err != nil {
		return err
	}
	if most := r.session.hub.bounds.MultiPV; order.MultiPV < 0 || order.MultiPV > most {
		return fmt.Errorf("multipv %d is not between 1 and %d", order.MultiPV, most)
	}
	if line.End().Over() {
		return errors.New("the game is over")
	}
	return r.start(&order.searchOrder, func(sl *slot, q *job) error {
		return order.run(sl, q, line, level)
	})
}

// run searches the end of a line and reports lines.
func (order *thinkOrder) run(sl *slot, q *job, line *referee.Line, level *Level) error {
	want := newSettings(line.End().Rules(), order.Game, order.Options, max(order.MultiPV, 1), level)
	client, err := sl.configure(q.ctx, want)
	if err != nil {
		return err
	}
	limits, err := order.Limits.read(level.most(limitsStrength(client)))
	if err != nil {
		return err
	}
	side := line.End().SideToMove().Letter()
	reports := newThrottle(func(lines []infoLine, message string) {
		sl.session.send(infoEvent{Event: "info", Search: q.id, Side: side, Lines: lines, Message: message})
	})
	var answer protocol.Answer
	if order.parallel() {
		answer, err = analyze(q.ctx, sl, want, line, limits, max(order.MultiPV, 1), reports.take)
	} else {
		answer, err = sl.ask(q.ctx, client, line, len(line.Turns), limits, reports.take)
	}
	reports.finish()
	if err != nil {
		return err
	}
	sl.session.send(found(q.id, answer, q.ctx.Err() != nil))
	return nil
}

// parallel reports whether several engines may execute the order: an analysis at full strength
// without a limit on nodes.
func (order *thinkOrder) parallel() bool { return order.Level == nil && order.Limits.Nodes == 0 }

// limitsOrder limits a search. Several limits apply together.
type limitsOrder struct {
	Nodes    uint64      `json:"nodes,omitempty"`
	MoveTime int64       `json:"movetime,omitempty"` // milliseconds
	Depth    int         `json:"depth,omitempty"`    // plies
	Infinite bool        `json:"infinite,omitempty"` // until stop
	Clock    *clockOrder `json:"clock,omitempty"`
}

// clockOrder contains the clocks in milliseconds. A clock can be negative when its time has
// just run out.
type clockOrder struct {
	White     int64 `json:"white"`
	Black     int64 `json:"black"`
	Increment int64 `json:"inc"`
}

// The largest limits.
const (
	maxNodes = 1_000_000_000_000
	maxTime  = 24 * time.Hour
	maxDepth = 1000
)

// fullTime is the time for a turn without other limits.
const fullTime = 3 * time.Second

// read returns the limits of a search. mostForLevel is the node limit of the level, or 0.
// Without any limit, the time is fullTime.
func (l limitsOrder) read(mostForLevel uint64) (search.Limits, error) {
	var limits search.Limits
	if l.Nodes > maxNodes {
		return limits, fmt.Errorf("limits: nodes %d is more than %d", l.Nodes, uint64(maxNodes))
	}
	if l.Depth < 0 || l.Depth > maxDepth {
		return limits, fmt.Errorf("limits: depth %d is not between 1 and %d", l.Depth, maxDepth)
	}
	if l.MoveTime < 0 || l.MoveTime > maxTime.Milliseconds() {
		return limits, fmt.Errorf("limits: movetime %d is not between 1 and %d ms", l.MoveTime, maxTime.Milliseconds())
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
	limits.Depth, limits.MoveTime = l.Depth, milliseconds(l.MoveTime)
	limited := limits.Nodes > 0 || limits.Depth > 0 || limits.MoveTime > 0 || l.Clock != nil
	if l.Infinite && limited {
		return limits, errors.New("limits: infinite cannot be combined with other limits")
	}
	limits.Infinite = l.Infinite
	if !limited && !l.Infinite {
		limits.MoveTime = fullTime
	}
	return limits, nil
}

// read sets both clocks.
func (c *clockOrder) read(limits *search.Limits) error {
	for side, left := range [2]int64{position.White: c.White, position.Black: c.Black} {
		if left > maxTime.Milliseconds() || c.Increment < 0 || c.Increment > maxTime.Milliseconds() {
			return fmt.Errorf("limits: a clock with %d ms and %d ms a turn is out of range", left, c.Increment)
		}
		limits.Clock[side] = search.Clock{Left: max(milliseconds(left), 1), Increment: milliseconds(c.Increment)}
	}
	return nil
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// slowestNode is the time per node of the slowest engine, not counting its startup.
const slowestNode = time.Millisecond

// depthTime is the longest time of a search to a given depth.
const depthTime = 10 * time.Minute

// hangTimeout returns the time after which a search counts as hanging, some time after it
// should have ended. It is 0 if only the page ends the search.
func hangTimeout(limits search.Limits, side position.Side, grace time.Duration) time.Duration {
	var least time.Duration
	within := func(limited bool, d time.Duration) {
		if limited && (least == 0 || d+grace < least) {
			least = d + grace
		}
	}
	within(limits.MoveTime > 0, limits.MoveTime)
	within(limits.Clock[side].Left > 0, limits.Clock[side].Left+limits.Clock[side].Increment)
	within(limits.Nodes > 0, time.Duration(min(limits.Nodes, uint64(maxTime/slowestNode)))*slowestNode+3*grace)
	within(limits.Depth > 0, depthTime)
	return least
}

// Level is a playing strength.
type Level struct {
	Name string `json:"name"`
	// Elo is the rating on the scale of gyre-arena ladder, on which random play has 0. It
	// applies to Gyre and to engines with the option UCI_Elo. 0 means full strength.
	Elo int `json:"elo"`

	// bareNodes limits the nodes of engines without that option. 0 means no limit.
	bareNodes uint64
}

// The options that limit an engine's strength.
const (
	limitOption = "UCI_LimitStrength"
	eloOption   = "UCI_Elo"
)

// levels are all levels, weakest first. The last is full strength.
var levels = [...]Level{
	{"Beginner", 200, 1},
	{"Novice", 500, 30},
	{"Casual", 800, 150},
	{"Club", 1200, 600},
	{"Strong", 1700, 3_000},
	{"Expert", 2300, 20_000},
	{"Full strength", 0, 0},
}

// fullStrength is the level for analysis, and the default.
var fullStrength = &levels[len(levels)-1]

// findLevel returns the level with the given name.
func findLevel(name *string) (*Level, error) {
	if name == nil {
		return fullStrength, nil
	}
	for i := range levels {
		if levels[i].Name == *name {
			return &levels[i], nil
		}
	}
	return nil, fmt.Errorf("unknown level %.40q", *name)
}

// most returns the node limit of the level, or 0. limiting means that the engine can limit its
// strength itself.
func (l *Level) most(limiting bool) uint64 {
	if limiting {
		return 0
	}
	return l.bareNodes
}

// Events are messages to the page that are not replies.
type (
	// infoEvent reports all lines of a search.
	infoEvent struct {
		Event   string     `json:"event"` // "info"
		Search  int64      `json:"search"`
		Side    string     `json:"side"` // "w" or "b", the side to move; scores are from its view
		Lines   []infoLine `json:"lines"`
		Message string     `json:"message,omitempty"` // the engine's last message for people
	}
	// bestEvent ends a search.
	bestEvent struct {
		Event   string  `json:"event"` // "best"
		Search  int64   `json:"search"`
		Turn    *string `json:"turn"`    // null if the search was stopped before it had a turn
		Elapsed int64   `json:"elapsed"` // milliseconds
		Stopped bool    `json:"stopped"` // whether the page stopped the search
	}
	// failedEvent ends a search, review or match because of an error.
	failedEvent struct {
		Event  string `json:"event"` // "failed"
		Search int64  `json:"search"`
		Engine string `json:"engine"`
		Reason string `json:"reason"`
		Lost   bool   `json:"lost"` // whether the engine must be restarted

		// See refusal.
		Code  string          `json:"code,omitempty"`
		Fault *position.Fault `json:"fault,omitempty"`
	}
)

// infoLine is one line of a search. Values that the engine did not report are zero.
type infoLine struct {
	MultiPV  int                   `json:"multipv"` // rank, from 1
	Depth    int                   `json:"depth"`
	SelDepth int                   `json:"seldepth"`
	Score    *protocol.ScoreFields `json:"score"` // null if not reported
	Bound    string                `json:"bound"` // "", "lower" or "upper"
	Nodes    uint64                `json:"nodes"`
	NPS      uint64                `json:"nps"`
	Time     int64                 `json:"time"`     // milliseconds
	HashFull int                   `json:"hashfull"` // permille
	PV       []string              `json:"pv"`
}

// longestPV limits the turns of a line.
const longestPV = 24

// update copies the values of a report. A report without a score or a line does not change the
// previous ones.
func (l *infoLine) update(i protocol.Info) {
	if i.HasScore {
		score := i.Score.Fields()
		l.Score, l.Bound = &score, i.Bound.String()
	}
	if len(i.PV) > 0 {
		l.PV = position.Words(i.PV[:min(len(i.PV), longestPV)])
	}
	l.Depth = cmp.Or(i.Depth, l.Depth)
	l.SelDepth = cmp.Or(i.SelDepth, l.SelDepth)
	l.Nodes = cmp.Or(i.Nodes, l.Nodes)
	l.NPS = cmp.Or(i.NPS, l.NPS)
	l.Time = cmp.Or(i.Time.Milliseconds(), l.Time)
	l.HashFull = cmp.Or(i.HashFull, l.HashFull)
}

// found returns the event of a search that has found a turn.
func found(search int64, answer protocol.Answer, wasStopped bool) bestEvent {
	event := bestEvent{Event: "best", Search: search, Elapsed: answer.Elapsed.Round(time.Millisecond).Milliseconds(), Stopped: wasStopped}
	if answer.Best != position.None {
		word := answer.Best.String()
		event.Turn = &word
	}
	return event
}

// throttlePause is the shortest interval between info events of a search.
const throttlePause = 100 * time.Millisecond

// throttle merges the reports of a search. It keeps the latest report of each line, and sends
// changes at most once every throttlePause.
type throttle struct {
	send func(lines []infoLine, message string)

	mu      sync.Mutex
	lines   []infoLine // by rank
	message string
	changed chan struct{} // has an element if there are unsent changes
	ended   chan struct{}
	sending sync.WaitGroup
}

// newThrottle returns a throttle that calls send until finish. send may keep its arguments.
func newThrottle(send func(lines []infoLine, message string)) *throttle {
	t := &throttle{send: send, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	t.sending.Go(t.run)
	return t
}

// take adds a report. It does not block.
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

// line returns the line with the given rank, and adds it if needed.
func (t *throttle) line(rank int) *infoLine {
	at, ok := slices.BinarySearchFunc(t.lines, rank, func(l infoLine, rank int) int { return l.MultiPV - rank })
	if !ok {
		t.lines = slices.Insert(t.lines, at, infoLine{MultiPV: rank, PV: []string{}})
	}
	return &t.lines[at]
}

// run sends changes until finish.
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

// flush sends the current state.
func (t *throttle) flush() {
	t.mu.Lock()
	lines, message := slices.Clone(t.lines), t.message
	t.mu.Unlock()
	t.send(lines, message)
}

// finish sends unsent changes. After it, nothing is sent.
func (t *throttle) finish() {
	close(t.ended)
	t.sending.Wait()
	select {
	case <-t.changed:
		t.flush()
	default:
	}
}
