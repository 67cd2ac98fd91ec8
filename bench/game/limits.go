package game

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// TimeControl is how long an engine may think. Several limits may apply together; a zero is no
// limit. No game can be played with the zero value: to send an engine a bare `go`, set
// Free.
type TimeControl struct {
	Base, Increment time.Duration // of the clock; Base 0 means no clock
	Turns           int           // turns of this side after which Base is added again; 0 if Base is for the whole game
	MoveTime        time.Duration // per turn
	Nodes           uint64        // per turn
	Depth           int           // in turns, per turn
	// NodesTime, if not 0, makes the clock and MoveTime virtual: a millisecond is this
	// number of nodes.
	//
	// A turn then costs the nodes of the engine's last report before `bestmove`, whatever
	// time has passed. The engine receives the number as the option nodestime, Stockfish's
	// name for it, and measures its time in nodes, too. A match of engines whose turns
	// depend on their nodes only, as with one thread, is then the same on every machine,
	// however busy: games, times of turns, increments, margins and losses on time. A turn
	// without a report costs nothing, but an engine that never reports nodes fails
	// Player.Check. Real time only ends an engine that hangs, after
	// Conditions.TurnPatience.
	NodesTime uint64
	Free      bool // no limit: the engine has its own
}

// longest is the maximum of all times; a longer one is a typing error.
const longest = 24 * time.Hour

// maxTurns is the maximum of Turns; no game is longer.
const maxTurns = 1000

// Check returns an error if the limits are invalid.
func (l TimeControl) Check() error {
	for _, d := range []time.Duration{l.Base, l.Increment, l.MoveTime} {
		if d < 0 || d > longest || d%time.Millisecond != 0 {
			return fmt.Errorf("time %v: must be a whole number of milliseconds from 0 to %v", d, longest)
		}
	}
	switch {
	case l.Depth < 0:
		return fmt.Errorf("depth %d: negative", l.Depth)
	case l.Turns < 0 || l.Turns > maxTurns:
		return fmt.Errorf("a clock for %d turns: must be from 1 to %d", l.Turns, maxTurns)
	case l.Turns > 0 && l.Base == 0:
		return errors.New("a number of turns needs a clock")
	case l.Increment > 0 && l.Base == 0:
		return errors.New("an increment needs a clock")
	case l.NodesTime > maxNodesTime:
		return fmt.Errorf("nodestime %d: more than %d", l.NodesTime, maxNodesTime)
	case l.NodesTime > 0 && !l.Timed():
		return errors.New("nodestime needs a clock or a time per turn")
	case l == TimeControl{}:
		return errors.New("no limit of time, nodes or depth; use limit=none for an engine that has its own")
	case l.Free && l != TimeControl{Free: true}:
		return errors.New("limit=none cannot be combined with other limits")
	}
	return nil
}

// Timed reports whether an answer can be late.
func (l TimeControl) Timed() bool { return l.Base > 0 || l.MoveTime > 0 }

// RealTime reports whether an answer can be late by real, not virtual, time.
func (l TimeControl) RealTime() bool { return l.Timed() && l.NodesTime == 0 }

// Longest returns the most time that a side may take for a number of turns: 0 if nothing limits its
// time.
func (l TimeControl) Longest(turns int) time.Duration {
	most := l.MoveTime * time.Duration(turns)
	if l.Base > 0 {
		periods := 1
		if l.Turns > 0 {
			periods = (turns + l.Turns - 1) / l.Turns
		}
		clock := l.Base*time.Duration(periods) + l.Increment*time.Duration(turns)
		if most == 0 || clock < most {
			most = clock
		}
	}
	return most
}

// scaled returns the limits with their real times multiplied by a factor and rounded to
// milliseconds. A factor of 0 means 1.
func (l TimeControl) scaled(factor float64) TimeControl {
	if factor == 0 || !l.RealTime() {
		return l
	}
	for _, d := range []*time.Duration{&l.Base, &l.Increment, &l.MoveTime} {
		if *d > 0 {
			*d = max(1, time.Duration(math.Round(float64(d.Milliseconds())*factor))) * time.Millisecond
		}
	}
	return l
}

// String returns the limits in the form of an engine's description, for example
// `tc=1+0.01 nodes=1000`.
func (l TimeControl) String() string {
	var words []string
	if l.Free {
		words = append(words, "limit=none")
	}
	if l.Base > 0 {
		words = append(words, "tc="+l.timeControl())
	}
	if l.MoveTime > 0 {
		words = append(words, "movetime="+strconv.FormatInt(l.MoveTime.Milliseconds(), 10))
	}
	if l.Nodes > 0 {
		words = append(words, "nodes="+strconv.FormatUint(l.Nodes, 10))
	}
	if l.Depth > 0 {
		words = append(words, "depth="+strconv.Itoa(l.Depth))
	}
	if l.NodesTime > 0 {
		words = append(words, "nodestime="+strconv.FormatUint(l.NodesTime, 10))
	}
	return strings.Join(words, " ")
}

// Set sets a limit from its text as in String. The name is `tc`, `movetime`, `nodes`,
// `depth`, `nodestime`, or `limit` for Free; known reports whether it is one of these.
func (l *TimeControl) Set(name, value string) (known bool, err error) {
	switch name {
	case "tc":
		err = l.setTimeControl(value)
	case "movetime":
		l.MoveTime, err = parseTime(value, time.Millisecond)
	case "nodes":
		l.Nodes, err = strconv.ParseUint(value, 10, 63)
	case "depth":
		l.Depth, err = strconv.Atoi(value)
		if err == nil && l.Depth < 0 {
			err = errors.New("negative")
		}
	case "nodestime":
		l.NodesTime, err = strconv.ParseUint(value, 10, 63)
	case "limit":
		if l.Free = value == "none"; !l.Free {
			err = errors.New("must be none")
		}
	default:
		return false, nil
	}
	if err != nil {
		err = fmt.Errorf("%s %q: %w", name, value, plain(err))
	}
	return true, err
}

// setTimeControl parses a clock: `BASE`, `BASE+INCREMENT` or `TURNS/BASE+INCREMENT`. Times
// are in seconds or have a unit, for example `60+0.6`, `200ms+2ms` or `40/10s+0.1s`.
func (l *TimeControl) setTimeControl(text string) error {
	l.Base, l.Increment, l.Turns = 0, 0, 0
	times, err := text, error(nil)
	if turns, rest, some := strings.Cut(text, "/"); some {
		times = rest
		if l.Turns, err = strconv.Atoi(turns); err != nil || l.Turns < 1 || l.Turns > maxTurns {
			return fmt.Errorf("%q turns: must be a whole number from 1 to %d", turns, maxTurns)
		}
	}
	base, increment, both := strings.Cut(times, "+")
	if l.Base, err = parseTime(base, time.Second); err != nil {
		return err
	}
	if l.Base == 0 {
		return errors.New("the base time must be positive")
	}
	if both {
		l.Increment, err = parseTime(increment, time.Second)
	}
	return err
}

// timeControl returns the clock in the form of setTimeControl, in seconds.
func (l *TimeControl) timeControl() string {
	seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	text := seconds(l.Base)
	if l.Turns > 0 {
		text = strconv.Itoa(l.Turns) + "/" + text
	}
	if l.Increment > 0 {
		text += "+" + seconds(l.Increment)
	}
	return text
}

// parseTime parses a time with a unit, or a number in the given unit, and rounds it to
// milliseconds. A time that rounds to 0, which would mean no limit, is an error.
func parseTime(text string, unit time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	number, notNumber := strconv.ParseFloat(text, 64)
	if notNumber == nil {
		if !(number >= 0 && number <= float64(longest/unit)) {
			return 0, fmt.Errorf("must be from 0 to %v", longest)
		}
		d, err = time.Duration(number*float64(unit)), nil
	}
	if err != nil {
		return 0, errors.New("not a time, such as 10, 500ms or 2s")
	}
	if d < 0 || d > longest {
		return 0, fmt.Errorf("must be from 0 to %v", longest)
	}
	rounded := d.Round(time.Millisecond)
	if rounded == 0 && (d > 0 || number > 0) {
		return 0, fmt.Errorf("too short: the smallest time is %v", time.Millisecond)
	}
	return rounded, nil
}

// plain replaces an error of strconv for a non-negative integer.
func plain(err error) error {
	switch {
	case errors.Is(err, strconv.ErrRange):
		return errors.New("the number is too large")
	case errors.Is(err, strconv.ErrSyntax):
		return errors.New("not a non-negative integer")
	}
	return err
}

// nodesTimeName is the engine option for a virtual clock.
const nodesTimeName = "nodestime"

// maxNodesTime is the maximum of TimeControl.NodesTime: one node per nanosecond.
const maxNodesTime = 1_000_000

// clock is the clock of one side.
type clock struct {
	limits TimeControl
	left   time.Duration // never negative; 0 without a clock
	toGo   int           // turns until Base is added again; 0 for never
}

// newClock returns a side's clock at the start of a game.
func newClock(limits TimeControl) clock {
	return clock{limits: limits, left: limits.Base, toGo: limits.Turns}
}

// allowed returns how long the next turn may take, without the margin. It returns false
// if there is no limit of time.
func (c *clock) allowed() (time.Duration, bool) {
	switch {
	case c.limits.Base > 0 && c.limits.MoveTime > 0:
		return min(c.left, c.limits.MoveTime), true
	case c.limits.Base > 0:
		return c.left, true
	}
	return c.limits.MoveTime, c.limits.MoveTime > 0
}

// spend subtracts the time of a turn and adds the increment and, after TimeControl.Turns
// turns, the base time. Time taken beyond the time left, within the margin, is forgiven.
func (c *clock) spend(elapsed time.Duration) {
	if c.limits.Base == 0 {
		return
	}
	c.left = max(0, c.left-elapsed) + c.limits.Increment
	if c.toGo--; c.toGo == 0 {
		c.left += c.limits.Base
		c.toGo = c.limits.Turns
	}
}

// after returns the clock after part of a turn. A time for each turn stays positive,
// because 0 means none.
func (c clock) after(elapsed time.Duration) clock {
	c.left = max(0, c.left-elapsed)
	if elapsed > 0 && c.limits.MoveTime > 0 {
		c.limits.MoveTime = max(c.limits.MoveTime-elapsed, time.Millisecond)
	}
	return c
}

// searchLimits returns the limits of a turn in the form of the protocol, with the time left on both
// clocks.
func searchLimits(side position.Side, clocks [2]clock) search.Limits {
	l := clocks[side].limits
	limits := search.Limits{
		MoveTime: l.MoveTime,
		Nodes:    l.Nodes,
		Depth:    l.Depth,
	}
	if l.Base == 0 {
		return limits
	}
	for side, c := range clocks {
		if c.limits.Base > 0 {
			limits.Clock[side] = search.Clock{Left: max(c.left, 1), Increment: c.limits.Increment}
		}
	}
	limits.MovesToGo = max(clocks[side].toGo, 0)
	return limits
}

// think runs a search of the current position. The answer's elapsed time is in the time
// of the side's clock: with a virtual clock it follows from the nodes of the last report.
//
// The time of limit counts from the beginning of the search. If it is over, the search is stopped.
func think(ctx context.Context, client *protocol.Client, side position.Side, clocks [2]clock, limit limiter) (protocol.Answer, error) {
	nodesTime := clocks[side].limits.NodesTime
	var report func(protocol.Info)
	var nodes uint64
	if nodesTime != 0 {
		report = func(i protocol.Info) {
			if i.Nodes > 0 {
				nodes = i.Nodes
			}
		}
	}
	search, err := client.Begin(ctx, searchLimits(side, clocks), report)
	if err != nil {
		return protocol.Answer{}, err
	}
	answer, err := limit.wait(ctx, search)
	if nodesTime != 0 {
		answer.Last.Nodes, answer.Elapsed = nodes, virtualTime(nodes, nodesTime)
	}
	return answer, err
}

// limiter derives a context with a time limit that counts from now.
type limiter func(context.Context) (context.Context, context.CancelFunc)

// wait waits for the answer of a search that has begun, and stops the search if its time is over.
func (l limiter) wait(ctx context.Context, search *protocol.Running) (protocol.Answer, error) {
	limited, cancel := l(ctx)
	defer cancel()
	return search.Wait(limited)
}

// virtualTime returns the time of a number of nodes, given nodes per millisecond.
func virtualTime(nodes, nodesTime uint64) time.Duration {
	const most = math.MaxInt64/uint64(time.Millisecond) - 1
	milliseconds, rest := nodes/nodesTime, nodes%nodesTime
	return time.Duration(min(milliseconds, most))*time.Millisecond + time.Duration(rest*uint64(time.Millisecond)/nodesTime)
}

// setNodesTime sets the engine's option for a virtual clock, if it has one. It returns an
// error if the engine lacks the option.
func (l TimeControl) setNodesTime(client *protocol.Client) error {
	if l.NodesTime == 0 {
		return nil
	}
	for _, o := range client.Options() {
		if strings.EqualFold(o.Name, nodesTimeName) {
			return client.SetOption(o.Name, strconv.FormatUint(l.NodesTime, 10))
		}
	}
	return errors.New("it has no option " + nodesTimeName + ", so its time cannot be counted in nodes")
}
