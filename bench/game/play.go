// Package game plays single games between two engines. It knows the rules, limits
// every wait, and records who won and why. An engine that misbehaves loses; its
// opponent is unaffected.
//
// [Play] plays a game from an [Opening] between two [Player]s, each of which runs an
// [Engine] within its [TimeControl]. The result is a [Played] with a [Reason].
// [Played.Verify] checks a game that was played elsewhere.
//
//	player.go  Engine: how to start an engine; Player: a running engine, reused between games
//	limits.go  time controls and their text; the clock of a side, real or virtual
//	play.go    Play: one game, turn by turn, with pondering
//	reason.go  Reason: why a game ended; adjudication by scores or length
//	played.go  Played: a finished game, its record and its verification
package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// Conditions apply to all games of a match. No time may be negative or longer than a day.
type Conditions struct {
	// Margin is how much longer than its time a turn may take. It covers the delay between
	// the engine and the clock. An engine may have its own margin.
	Margin time.Duration
	// TurnPatience is how long a turn without a limit of real time may take before the
	// engine counts as stalled; 0 means a minute.
	TurnPatience time.Duration
	Adjudication Adjudication
	// TimeFactor multiplies all real times of limits on a machine that is slower than the
	// reference machine; 0 means 1. It does not affect margins.
	TimeFactor float64 `json:"-"`
	// Ponder sets the option Ponder of all engines that have it: they think in their
	// opponent's time. Otherwise only engines ponder whose description sets the option.
	Ponder bool `json:",omitzero"`
	// PV keeps the engines' principal variations. It changes no game.
	PV bool `json:"-"`
}

// Check returns an error if the conditions are invalid.
func (c Conditions) Check() error {
	switch {
	case c.Margin < 0 || c.Margin > longest:
		return fmt.Errorf("margin %v: must be from 0 to %v", c.Margin, longest)
	case c.TurnPatience < 0 || c.TurnPatience > longest:
		return fmt.Errorf("patience %v for a turn: must be from 0 to %v", c.TurnPatience, longest)
	case c.TimeFactor < 0 || c.TimeFactor > maxTimeFactor:
		return fmt.Errorf("times multiplied by %v: must be from 0 to %v", c.TimeFactor, maxTimeFactor)
	}
	return c.Adjudication.Check()
}

// Capped returns the conditions with no margin or patience longer than a day, as Check requires. Earlier releases stored
// longer ones.
func (c Conditions) Capped() Conditions {
	c.Margin, c.TurnPatience = CappedMargin(c.Margin), min(c.TurnPatience, longest)
	return c
}

// CappedMargin returns a margin, at most a day, as Engine.Check requires. Earlier releases stored longer ones.
func CappedMargin(margin time.Duration) time.Duration { return min(margin, longest) }

// maxTimeFactor is the maximum of Conditions.TimeFactor.
const maxTimeFactor = 100

// defaultTurnPatience replaces a TurnPatience of 0.
const defaultTurnPatience = time.Minute

// Play plays a game from an opening between two different players, indexed by side. It
// always terminates, because an engine that exceeds its time loses. An engine at fault
// is killed before Play returns.
//
// An error means that no game was played: ctx is done (then the error is its cause and
// both engines are killed), the opening or the conditions are invalid, an engine rejects
// an option of its description, or neither engine gets ready. A *[LateError] means that
// an engine's clock or patience ran while this process did not.
func Play(ctx context.Context, players [2]*Player, opening Opening, conditions Conditions) (*Played, error) {
	p := startPulse()
	defer p.end()
	return play(ctx, players, opening, conditions, p.late)
}

// play is Play with a function that returns how late this process has been since its last call.
func play(ctx context.Context, players [2]*Player, opening Opening, conditions Conditions, late func() time.Duration) (*Played, error) {
	began := time.Now()
	start, err := opening.End()
	if err == nil {
		err = conditions.Check()
	}
	if err != nil {
		return nil, err
	}
	defer killWhenDone(ctx, players[:]...)()
	conditions.TurnPatience = cmp.Or(conditions.TurnPatience, defaultTurnPatience)
	g := &run{players: players, conditions: conditions,
		turns:  slices.Clone(opening.Turns),
		played: Played{Opening: opening, Final: start}, agreement: agreement{rules: conditions.Adjudication}}
	for side := range g.clocks {
		g.clocks[side] = newClock(players[side].Engine.Limits.scaled(conditions.TimeFactor))
	}
	err = g.prepare(ctx)
	by := g.harm(late(), err)
	for err == nil && g.played.Result == position.Ongoing {
		late() // what came before is no part of the turn
		err = g.turn(ctx)
		by = max(by, g.harm(late(), err))
	}
	for side := range position.Side(2) {
		g.endPondering(side)
	}
	if ctx.Err() != nil {
		for _, p := range players { // it may have started just as ctx ended
			p.Kill()
		}
		return nil, context.Cause(ctx)
	}
	g.played.Lasted = time.Since(began)
	if by >= stopped {
		late := &LateError{By: by, Err: err}
		if err == nil {
			late.Played = &g.played
		}
		return nil, late
	}
	if err != nil {
		return nil, err
	}
	return &g.played, nil
}

// LateError means that a game says nothing about its engines: an engine ran out of time, or a turn
// was charged to its clock, but this process was itself late, because it was stopped (for example by
// Ctrl-Z), the machine slept, or no processor was free. Play the game again.
type LateError struct {
	By     time.Duration // how late this process was
	Played *Played       // the game; nil if it did not begin
	Err    error         // why it did not begin
}

// Error says how late the process was.
func (e *LateError) Error() string {
	return fmt.Sprintf("this program was stopped for %v, so no engine is to blame for the time", e.By.Round(10*time.Millisecond))
}

// stopped is how late this process must be in a turn for no engine to pay for it. A busy machine makes
// timers late by some tens of milliseconds.
const stopped = 500 * time.Millisecond

// pulse measures how late this process runs. A goroutine notes the time at short intervals; a
// longer interval means that the process did not run.
type pulse struct {
	mu    sync.Mutex
	last  time.Time
	worst time.Duration

	stop  chan struct{}
	ended sync.WaitGroup
}

// pulseInterval is the time between two beats of a pulse.
const pulseInterval = 50 * time.Millisecond

// startPulse starts a pulse. Call end when it is no longer needed.
func startPulse() *pulse {
	p := &pulse{last: time.Now(), stop: make(chan struct{})}
	p.ended.Go(func() {
		ticker := time.NewTicker(pulseInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.beat(time.Now())
			case <-p.stop:
				return
			}
		}
	})
	return p
}

// end stops the pulse.
func (p *pulse) end() {
	close(p.stop)
	p.ended.Wait()
}

// late returns how late the process has been at most since the last call, including now: an
// engine's answer may be looked at before the next beat.
func (p *pulse) late() time.Duration { return p.since(time.Now()) }

// since is late, at a given time.
func (p *pulse) since(now time.Time) time.Duration {
	p.beat(now)
	p.mu.Lock()
	defer p.mu.Unlock()
	worst := p.worst
	p.worst = 0
	return worst
}

// beat notes that the process runs now.
func (p *pulse) beat(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.worst = max(p.worst, now.Sub(p.last)-pulseInterval)
	p.last = now
}

// killWhenDone kills the players' engines when ctx is done, until the returned function is
// called, which waits for engines being killed.
func killWhenDone(ctx context.Context, players ...*Player) (release func()) {
	killed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(killed)
		for _, p := range players {
			p.Kill()
		}
	})
	return func() {
		if !stop() {
			<-killed
		}
	}
}

// run is a game in progress.
type run struct {
	players    [2]*Player
	clocks     [2]clock
	conditions Conditions
	agreement  agreement
	turns      []position.Turn // of the opening and the game
	pondering  [2]*pondering   // by side; nil for none
	played     Played
	timedOut   bool // whether the game ended because a real time ran out
	charged    bool // whether a clock of real time paid for the last turn
}

// harm returns by how much this process, late in the last step, harmed an engine: 0 if no real time
// ran out and no clock paid. The step returned err.
func (g *run) harm(late time.Duration, err error) time.Duration {
	if g.timedOut || g.charged || isTimeout(err) {
		return late
	}
	return 0
}

// prepare gets both engines ready concurrently.
func (g *run) prepare(ctx context.Context) error {
	var failures [2]error
	var reasons [2]Reason
	var both sync.WaitGroup
	for side, p := range g.players {
		both.Go(func() {
			started, err := p.prepare(ctx, g.played.Opening, g.conditions)
			failures[side] = err
			reasons[side] = faultOf(err)
			if started && reasons[side] != Unfinished {
				reasons[side] = StartFailure
			}
		})
	}
	both.Wait()
	for side, err := range failures {
		if err != nil && !reasons[side].Fault() {
			return err
		}
	}
	if failures[position.White] != nil && failures[position.Black] != nil {
		for _, p := range g.players {
			p.Kill()
		}
		return fmt.Errorf("neither engine is ready for a game: %w", errors.Join(failures[:]...))
	}
	for side, err := range failures {
		if err != nil {
			g.lose(position.Side(side), reasons[side], err)
		}
	}
	return nil
}

// lose ends the game for a fault of a side's engine and kills the engine.
func (g *run) lose(side position.Side, reason Reason, why error) {
	g.players[side].Kill()
	g.timedOut = isTimeout(why)
	g.played.Result, g.played.Reason = position.WonBy(side.Opponent()), reason
	g.played.Detail = CutDetail(why.Error())
}

// deadlineSlack is how long after a turn's time the engine gets `stop`, so that its
// answer and not our timer determines its time.
const deadlineSlack = 5 * time.Millisecond

// turn plays one turn and ends the game if it is over. A returned error is never
// an engine's fault.
func (g *run) turn(ctx context.Context) error {
	side := g.played.Final.SideToMove()
	client := g.players[side].running()
	if client == nil { // only when ctx is done
		return context.Canceled
	}
	hit, stopping := g.expected(side)
	clock := &g.clocks[side]
	allowed, timed := clock.allowed()
	limit := allowed + g.players[side].Engine.margin(g.conditions)
	watched := timed && clock.limits.NodesTime == 0
	g.charged = watched && clock.limits.Base > 0
	patience, within := g.conditions.TurnPatience, protocol.WithPatience
	if watched {
		patience = max(0, limit-stopping)
		within = context.WithTimeout // without ticks, which would disturb short turns; see LateError
	} else {
		stopping = 0 // no clock of real time
	}
	answer, err := g.ask(ctx, client, side, hit, stopping, func(ctx context.Context) (context.Context, context.CancelFunc) {
		return within(ctx, patience+deadlineSlack)
	})
	answer.Elapsed += stopping
	if timed && answer.Best != position.None && answer.Elapsed > allowed {
		g.played.Late = append(g.played.Late, answer.Elapsed-allowed)
	}
	switch {
	case answer.Best == position.None && err != nil:
		return g.blame(side, err)
	case !watched && err != nil: // it answered only after `stop`
		return g.blame(side, err)
	case timed && answer.Elapsed > limit:
		why := fmt.Errorf("%s took %v of %v", g.players[side].Engine.Name, answer.Elapsed, allowed)
		switch {
		case !watched:
			why = fmt.Errorf("%w: %d nodes", why, answer.Last.Nodes)
		case stopping > 0:
			why = fmt.Errorf("%w: %v of it to stop pondering", why, stopping)
		}
		g.lose(side, TimeForfeit, why)
		g.timedOut = watched
		return nil
	}
	clock.spend(answer.Elapsed)
	g.makeTurn(side, answer)
	if g.players[side].ponders && g.played.Result == position.Ongoing {
		g.ponder(ctx, client, side, &answer)
	}
	return nil
}

// ask starts the search of the side to move, or continues its pondering search, hit, and waits
// for the answer until limit ends the wait. The turn's time starts now, but the clock that the
// engine receives has already run for the given time.
func (g *run) ask(ctx context.Context, client *protocol.Client, side position.Side, hit *protocol.Running, ran time.Duration, limit limiter) (protocol.Answer, error) {
	if hit != nil {
		if err := client.PonderHit(); err != nil {
			return protocol.Answer{}, err
		}
		return limit.wait(ctx, hit)
	}
	if err := client.SetPosition(g.played.Opening.Start, g.turns); err != nil {
		return protocol.Answer{}, err
	}
	clocks := g.clocks
	clocks[side] = clocks[side].after(ran)
	return think(ctx, client, side, clocks, limit)
}

// blame ends the game for an engine's fault. It returns an error that is not the engine's
// fault.
func (g *run) blame(side position.Side, err error) error {
	reason := faultOf(err)
	if !reason.Fault() {
		return err
	}
	g.lose(side, reason, err)
	return nil
}

// makeTurn makes a turn and ends the game by the rules or by adjudication.
func (g *run) makeTurn(side position.Side, answer protocol.Answer) {
	ply := plyOf(&answer)
	if g.conditions.PV {
		ply.PV = answer.Last.PV
	}
	g.played.Plies = append(g.played.Plies, ply)
	g.turns = append(g.turns, answer.Best)
	g.played.Final = g.played.Final.After(answer.Best)
	g.played.Result, g.played.Reason, g.played.Detail = g.agreement.after(&g.played.Final, side, &ply, len(g.turns))
}

// plyOf returns the record of an answer. A score that is only a bound is left out, unless it proves
// the result.
func plyOf(answer *protocol.Answer) Ply {
	last := &answer.Last
	return Ply{Turn: answer.Best, Score: last.Score, HasScore: last.HasScore && (last.Bound == search.Exact || last.Proven()),
		Depth: last.Depth, Nodes: last.Nodes, Time: answer.Elapsed, Illegal: answer.Illegal}
}

// endOf returns the rule by which a game is over.
func endOf(p *position.Position) Reason {
	for s := range position.Side(2) {
		if p.Removed(s) >= p.Rules().WinningRings() {
			return RingsRemoved
		}
	}
	if p.Pool() == 0 {
		return PoolEmpty
	}
	return Blocked
}

// pondering is a search in the opponent's time.
type pondering struct {
	turn    position.Turn // expected from the opponent
	running *protocol.Running
}

// ponder starts a search of the turn that the engine expects after its own: the turn it
// named, or the second turn of its principal variation. Without an expected turn the
// engine does not ponder. Errors show at its next turn.
func (g *run) ponder(ctx context.Context, client *protocol.Client, side position.Side, answer *protocol.Answer) {
	expected := answer.Ponder
	if pv := answer.Last.PV; expected == position.None && len(pv) > 1 && pv[0] == answer.Best {
		expected = pv[1]
	}
	if expected == position.None || !g.played.Final.Legal(expected) {
		return
	}
	if child := g.played.Final.After(expected); child.Over() {
		return
	}
	if client.SetPosition(g.played.Opening.Start, append(slices.Clip(g.turns), expected)) != nil {
		return
	}
	limits := searchLimits(side, g.clocks)
	limits.Ponder = true
	if running, err := client.Begin(ctx, limits, nil); err == nil {
		g.pondering[side] = &pondering{expected, running}
	}
}

// expected returns the pondering search of the side to move if its opponent made the
// expected turn. Otherwise it stops the search, if there is one, and returns how long the
// engine took for that.
func (g *run) expected(side position.Side) (hit *protocol.Running, stopping time.Duration) {
	p := g.pondering[side]
	if p == nil {
		return nil, 0
	}
	if p.turn != g.turns[len(g.turns)-1] {
		began := time.Now()
		g.endPondering(side)
		return nil, time.Since(began)
	}
	g.pondering[side] = nil
	return p.running, 0
}

// endPondering stops the pondering search of a side and discards the answer. If the engine
// does not answer, its next turn reveals the fault.
func (g *run) endPondering(side position.Side) {
	p := g.pondering[side]
	if p == nil {
		return
	}
	g.pondering[side] = nil
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, _ = p.running.Wait(stopped)
}
