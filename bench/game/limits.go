package game

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limits is how long an engine may think. Several hold together; a zero is no
// limit. The zero value has none, and no game can be played with it: that an
// engine is asked for a turn with a bare `go` has to be said, by Free.
type Limits struct {
	Base, Increment time.Duration // of the clock; without a Base there is none
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

// String returns the limits as words, such as `tc=1+0.01 nodes=1000`.
func (l Limits) String() string {
	var words []string
	if l.Free {
		words = append(words, "limit=none")
	}
	if l.Base > 0 {
		words = append(words, "tc="+formatTimeControl(l.Base, l.Increment))
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
		l.Base, l.Increment, err = parseTimeControl(value)
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

// parseTimeControl reads a clock, `BASE` or `BASE+INCREMENT`: times in seconds,
// or with a unit, such as `60+0.6` or `200ms+2ms`.
func parseTimeControl(text string) (base, increment time.Duration, err error) {
	first, second, both := strings.Cut(text, "+")
	if base, err = parseTime(first, time.Second); err != nil {
		return 0, 0, err
	}
	if base == 0 {
		return 0, 0, errors.New("a clock needs a time to begin with")
	}
	if both {
		increment, err = parseTime(second, time.Second)
	}
	return base, increment, err
}

// formatTimeControl writes what parseTimeControl reads, in seconds.
func formatTimeControl(base, increment time.Duration) string {
	seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	if increment == 0 {
		return seconds(base)
	}
	return seconds(base) + "+" + seconds(increment)
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
