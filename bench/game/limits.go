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
)

// Limits is how long an engine may think. Several hold together; a zero is no
// limit. The zero value has none, and no game can be played with it: that an
// engine is asked for a turn with a bare `go` has to be said, by Free.
type Limits struct {
	Base, Increment time.Duration // of the clock; without a Base there is none
	Turns           int           // after so many of its own the side gets Base again; 0: the clock is for the game
	MoveTime        time.Duration // a turn
	Nodes           uint64        // a turn
	Depth           int           // whole turns, a turn
	// NodesTime, if not 0, makes the clock and the time a turn virtual: so many nodes
	// are a millisecond. See clock.go.
	NodesTime uint64
	Free      bool // none of these: the engine has a limit of its own
}

// longest bounds all times: what is longer is a slip of the pen.
const longest = 24 * time.Hour

// mostTurns bounds Turns: no game has more.
const mostTurns = 1000

// Check returns what is wrong with the limits, nil if nothing.
func (l Limits) Check() error {
	for _, d := range []time.Duration{l.Base, l.Increment, l.MoveTime} {
		if d < 0 || d > longest || d%time.Millisecond != 0 {
			return fmt.Errorf("time %v: not a number of whole milliseconds from 0 to %v", d, longest)
		}
	}
	switch {
	case l.Depth < 0:
		return fmt.Errorf("depth %d: negative", l.Depth)
	case l.Turns < 0 || l.Turns > mostTurns:
		return fmt.Errorf("a clock for %d turns: not from 1 to %d", l.Turns, mostTurns)
	case l.Turns > 0 && l.Base == 0:
		return errors.New("turns without a clock")
	case l.Increment > 0 && l.Base == 0:
		return errors.New("an increment without a clock")
	case l.NodesTime > mostNodesTime:
		return fmt.Errorf("nodestime %d: more than %d", l.NodesTime, mostNodesTime)
	case l.NodesTime > 0 && !l.Timed():
		return errors.New("nodestime without a clock or a time for each turn")
	case l == Limits{}:
		return errors.New("no limit of time, nodes or depth (limit=none is for an engine that has its own)")
	case l.Free && l != Limits{Free: true}:
		return errors.New("limit=none excludes other limits")
	}
	return nil
}

// Timed tells whether an answer can come too late.
func (l Limits) Timed() bool { return l.Base > 0 || l.MoveTime > 0 }

// RealTime tells whether that is by real time, not a virtual one.
func (l Limits) RealTime() bool { return l.Timed() && l.NodesTime == 0 }

// scaled returns the limits with their real times multiplied by a factor, 0 for 1, to
// whole milliseconds.
func (l Limits) scaled(factor float64) Limits {
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

// String returns the limits as words, such as `tc=1+0.01 nodes=1000`.
func (l Limits) String() string {
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

// Set sets the limit of a name, `tc`, `movetime`, `nodes`, `depth`, `nodestime`, or
// `limit` for none, as String writes it. It reports whether there is one of that name.
func (l *Limits) Set(name, value string) (known bool, err error) {
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
			err = errors.New("not none, the only such word")
		}
	default:
		return false, nil
	}
	if err != nil {
		err = fmt.Errorf("%s %q: %w", name, value, plain(err))
	}
	return true, err
}

// setTimeControl reads a clock, `BASE`, `BASE+INCREMENT` or `TURNS/BASE+INCREMENT`:
// times in seconds, or with a unit, such as `60+0.6`, `200ms+2ms` or `40/10s+0.1s`.
func (l *Limits) setTimeControl(text string) error {
	l.Base, l.Increment, l.Turns = 0, 0, 0
	times, err := text, error(nil)
	if turns, rest, some := strings.Cut(text, "/"); some {
		times = rest
		if l.Turns, err = strconv.Atoi(turns); err != nil || l.Turns < 1 || l.Turns > mostTurns {
			return fmt.Errorf("%q turns: not a whole number from 1 to %d", turns, mostTurns)
		}
	}
	base, increment, both := strings.Cut(times, "+")
	if l.Base, err = parseTime(base, time.Second); err != nil {
		return err
	}
	if l.Base == 0 {
		return errors.New("a clock needs a time to begin with")
	}
	if both {
		l.Increment, err = parseTime(increment, time.Second)
	}
	return err
}

// timeControl writes what setTimeControl reads, in seconds.
func (l *Limits) timeControl() string {
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

// parseTime reads a time with a unit, or a bare number of units, and rounds it
// to milliseconds.
func parseTime(text string, unit time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if number, numeric := strconv.ParseFloat(text, 64); numeric == nil {
		if !(number >= 0 && number <= float64(longest/unit)) {
			return 0, fmt.Errorf("not a time from 0 to %v", longest)
		}
		d, err = time.Duration(number*float64(unit)), nil
	}
	if err != nil {
		return 0, errors.New("not a time")
	}
	if d < 0 || d > longest {
		return 0, fmt.Errorf("not a time from 0 to %v", longest)
	}
	return d.Round(time.Millisecond), nil
}

// plain returns an error without the name of the function that it comes from.
func plain(err error) error {
	if number, ok := errors.AsType[*strconv.NumError](err); ok {
		return number.Err
	}
	return err
}

// A clock is real, or virtual with Limits.NodesTime N: then a turn is charged with
// the nodes that its engine told of last before `bestmove`, N of them a millisecond,
// whatever time passed. The engine is told N by the option nodestime, Stockfish's
// name for it, and divides its time by nodes as well. So the same games come of the
// same match on any machine, however busy it is, with engines whose turns depend on
// their nodes alone, as those of one thread do: times of turns, increments, margins
// and losses on time are the same too. A turn without a report costs nothing, but an
// engine that never tells its nodes does not pass Player.Check. Real time only ends an
// engine that hangs, after Conditions.TurnPatience.

// nodesTimeName is the option by which an engine is told of a virtual clock.
const nodesTimeName = "nodestime"

// mostNodesTime bounds Limits.NodesTime: a node a nanosecond.
const mostNodesTime = 1_000_000

// clock is the time of one side.
type clock struct {
	limits Limits
	left   time.Duration // never negative; 0 without a clock
	toGo   int           // turns until Base comes again; 0 if it never does
}

// newClock returns the clock of a side at the beginning of a game.
func newClock(limits Limits) clock {
	return clock{limits: limits, left: limits.Base, toGo: limits.Turns}
}

// allowed returns how long the next turn may take, the margin apart, and whether
// there is such a time at all.
func (c *clock) allowed() (time.Duration, bool) {
	switch {
	case c.limits.Base > 0 && c.limits.MoveTime > 0:
		return min(c.left, c.limits.MoveTime), true
	case c.limits.Base > 0:
		return c.left, true
	}
	return c.limits.MoveTime, c.limits.MoveTime > 0
}

// spend takes the time of a turn off and adds the increment, and after the last turn
// of a clock of so many turns the time for the next ones. What was taken beyond the
// time left, within the margin, is forgiven.
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

// ask returns the limits of a turn of a side as its engine is told them, with the time
// left on the clocks by side.
func ask(side position.Side, clocks [2]clock) protocol.Limits {
	l := clocks[side].limits
	limits := protocol.Limits{
		MoveTime: l.MoveTime, HasMoveTime: l.MoveTime > 0,
		Nodes: l.Nodes, HasNodes: l.Nodes > 0,
		Depth: l.Depth, HasDepth: l.Depth > 0,
	}
	if l.Base == 0 {
		return limits
	}
	for side, c := range clocks {
		if c.limits.Base > 0 {
			limits.Clock[side] = protocol.Clock{Set: true, Left: c.left, Increment: c.limits.Increment}
		}
	}
	limits.MovesToGo = max(clocks[side].toGo, 0)
	return limits
}

// search has the engine of a side search the position that was set up, and charges its
// answer with the time of its clock. With a virtual one, the nodes of the last report
// are those charged.
func search(ctx context.Context, client *protocol.Client, side position.Side, clocks [2]clock) (protocol.Answer, error) {
	nodesTime := clocks[side].limits.NodesTime
	if nodesTime == 0 {
		return client.Go(ctx, ask(side, clocks), nil)
	}
	var nodes uint64
	answer, err := client.Go(ctx, ask(side, clocks), func(i protocol.Info) {
		if i.Nodes > 0 {
			nodes = i.Nodes
		}
	})
	answer.Last.Nodes, answer.Elapsed = nodes, virtualTime(nodes, nodesTime)
	return answer, err
}

// virtualTime returns how long nodes take of which so many are a millisecond.
func virtualTime(nodes, nodesTime uint64) time.Duration {
	const most = math.MaxInt64/uint64(time.Millisecond) - 1
	whole, rest := nodes/nodesTime, nodes%nodesTime
	return time.Duration(min(whole, most))*time.Millisecond + time.Duration(rest*uint64(time.Millisecond)/nodesTime)
}

// tellNodesTime tells an engine of its virtual clock, if it has one. The error says
// that it knows none.
func (l Limits) tellNodesTime(client *protocol.Client) error {
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
