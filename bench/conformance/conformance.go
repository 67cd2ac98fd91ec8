// Package conformance checks whether an engine, any program, follows the protocol
// that PROTOCOL.md describes. [Run] makes the checks of the table that [Checks]
// returns: each tests one thing, by sending lines to the engine as a client would, or
// as no client should, and judges the answers by package position.
//
// A check cannot hang: every wait has a limit, all output is read at once, and memory
// is bounded. No process is left when [Run] returns. Only an engine that hangs makes a
// check slow: [Subject.Patience] is longer than any sound engine needs.
//
// conformance.go holds the table and makes the checks, session.go and commands.go talk
// to the engine. The other files hold the checks by subject.
package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// Section is a part of the protocol that checks are of.
type Section struct {
	Name    string // such as "handshake"
	Heading string // of PROTOCOL.md, where it is described
}

// The sections.
var (
	handshake = Section{"handshake", "Commands"}
	options   = Section{"options", "Options"}
	positions = Section{"positions", "Turns and positions as text"}
	turns     = Section{"turns", "Turns and positions as text"}
	ends      = Section{"ends", "Commands"}
	answers   = Section{"answers", "Answers"}
	limits    = Section{"limits", "go"}
	times     = Section{"time", "go"}
	stopping  = Section{"stop", "go"}
	pondering = Section{"ponder", "go"}
	waiting   = Section{"waiting", "While something runs"}
	errorsIn  = Section{"errors", "Errors"}
	lines     = Section{"lines", "Lines"}
	endings   = Section{"end", "The end"}
)

// Check is a row of the table: one thing that an engine is tested for.
type Check struct {
	Section  Section
	Name     string   // what holds when the check passes; no two are the same
	Optional bool     // whether an engine may do without
	Needs    []string // the names of earlier checks, without which this one tells nothing
	Advice   string   // what the author of an engine that fails looks at
	fresh    bool     // whether it begins with a new process, and leaves none to others
	run      func(s *session) error
}

// Checks returns the table, in the order in which the checks are made.
func Checks() []Check {
	return slices.Concat(handshakeChecks, optionChecks, positionChecks, turnChecks, endChecks, answerChecks,
		limitChecks, timeChecks, readyChecks, stopChecks, ponderChecks, waitingChecks, errorChecks, lineChecks, endingChecks, outputChecks)
}

// Sections returns the sections in the order of the table.
func Sections() []Section {
	var all []Section
	for _, c := range Checks() {
		if !slices.Contains(all, c.Section) {
			all = append(all, c.Section)
		}
	}
	return all
}

// Of returns the checks of some sections, with those that they need, and who the
// engine is, which comes first.
func Of(sections ...string) []Check {
	all := Checks()
	wanted := map[string]bool{}
	for i := len(all) - 1; i >= 0; i-- { // what is needed stands before
		c := &all[i]
		if wanted[c.Name] || c.Section == handshake || slices.Contains(sections, c.Section.Name) {
			wanted[c.Name] = true
			for _, name := range c.Needs {
				wanted[name] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(c Check) bool { return !wanted[c.Name] })
}

// Outcome is what a check came to.
type Outcome string

// The outcomes.
const (
	OK         Outcome = "ok"
	Fails      Outcome = "fails"
	NotOffered Outcome = "not offered" // the engine does without it, as it may
	NotTested  Outcome = "not tested"  // another check, which it needs, did not pass
)

// Verdict is what a check came to, and why.
type Verdict struct {
	Section  string  `json:"section"`
	Heading  string  `json:"heading"` // of PROTOCOL.md
	Check    string  `json:"check"`
	Required bool    `json:"required"` // whether an engine needs it
	Outcome  Outcome `json:"verdict"`
	Detail   string  `json:"detail,omitempty"` // what happened
	Advice   string  `json:"advice,omitempty"` // of a check that fails
	// Lines are the last ones before a check failed: "> " and one to the engine, or
	// "< " and one from it, printable and of bounded length.
	Lines []string `json:"lines,omitempty"`
}

// fault is what an engine did wrong.
type fault struct {
	detail string
	silent bool // it was waited for in vain
}

func (f *fault) Error() string { return f.detail }

// faultf returns a fault.
func faultf(format string, args ...any) error { return &fault{detail: fmt.Sprintf(format, args...)} }

// explained returns err with more words if it is a fault.
func explained(err error, format string, args ...any) error {
	if wrong, isFault := errors.AsType[*fault](err); isFault {
		return faultf("%s (%s)", wrong.detail, fmt.Sprintf(format, args...))
	}
	return err
}

// lack is a thing that the engine does without.
type lack struct{ detail string }

func (l *lack) Error() string { return l.detail }

// lackf returns a lack.
func lackf(format string, args ...any) error { return &lack{fmt.Sprintf(format, args...)} }

// judge returns the verdict of a check that came to err. An error that is neither a
// fault nor a lack, nor nil, is no verdict of the engine: the second result is it.
func (c *Check) judge(err error) (Verdict, error) {
	v := Verdict{Section: c.Section.Name, Heading: c.Section.Heading, Check: c.Name, Required: !c.Optional, Outcome: OK}
	wrong, isFault := errors.AsType[*fault](err)
	missing, isLack := errors.AsType[*lack](err)
	switch {
	case err == nil:
	case isFault:
		v.Outcome, v.Detail, v.Advice = Fails, wrong.detail, c.Advice
	case isLack && c.Optional:
		v.Outcome, v.Detail = NotOffered, missing.detail
	case isLack:
		v.Outcome, v.Detail, v.Advice = Fails, missing.detail, c.Advice
	default:
		return v, err
	}
	return v, nil
}

// Subject is the engine that is checked, and how.
type Subject struct {
	Program protocol.Program
	Options []Setting // set after each handshake
	// Patience is how long whatever must come is waited for; 10 s if zero. It only
	// tells an engine that hangs from one that is slow.
	Patience time.Duration
	// Margin is how much later than its time an answer may be; 500 ms if zero.
	Margin time.Duration
}

// Setting is a value of an option.
type Setting struct{ Name, Value string }

// known is what the checks learned of the engine.
type known struct {
	dialect     protocol.Dialect
	shaken      bool     // whether a handshake was completed
	handshake   []string // its lines
	options     []protocol.Option
	optionFault error           // of a line that lists an option
	queries     map[string]bool // those that it answers
	given       error           // why a setting of the subject is not taken
	stray       string          // the first line that is no answer; empty for none
}

// Run makes the checks of the table, one after the other, and reports each verdict
// as it is known. The error is that of a program that cannot be started, the cause of a
// context that ended, or the error of report. No process is left behind.
func Run(ctx context.Context, subject Subject, checks []Check, report func(Verdict) error) error {
	subject.Patience = cmp.Or(subject.Patience, 10*time.Second)
	subject.Margin = cmp.Or(subject.Margin, 500*time.Millisecond)
	r := &runner{ctx: ctx, subject: &subject, known: &known{queries: map[string]bool{}}, outcomes: map[string]Outcome{}, causes: map[string]string{}}
	defer r.end()
	for i := range checks {
		v, err := r.make(&checks[i])
		if err != nil {
			return err
		}
		r.outcomes[v.Check] = v.Outcome
		if err := report(v); err != nil {
			return err
		}
	}
	return nil
}

// runner makes checks. Those that pass hand the running engine on to the next.
type runner struct {
	ctx      context.Context
	subject  *Subject
	known    *known
	running  *session // nil for none
	outcomes map[string]Outcome
	causes   map[string]string // of checks not made: the name of the one that did not pass
}

// end ends the running engine.
func (r *runner) end() {
	if r.running != nil {
		r.running.close()
		r.running = nil
	}
}

// make makes one check.
func (r *runner) make(c *Check) (Verdict, error) {
	if v, needs := r.lacking(c); needs {
		return v, nil
	}
	err := r.begin(c)
	if err == nil {
		err = c.run(r.running)
	}
	if err == nil && !c.fresh {
		err = r.running.settle()
	}
	v, err := c.judge(err)
	if err != nil {
		r.end()
		return v, err
	}
	if r.running != nil && v.Outcome == Fails {
		v.Lines = r.running.record.last()
	}
	if r.running != nil && v.Outcome == OK {
		v.Detail = r.running.remark
	}
	if c.fresh || v.Outcome != OK { // a check that ends early may leave something behind
		r.end()
	}
	return v, nil
}

// lacking returns the verdict of a check that tells nothing, and whether it does, as a
// check that it needs did not pass. Without what the engine need not offer, it need not
// offer what builds on that.
func (r *runner) lacking(c *Check) (Verdict, bool) {
	v, _ := c.judge(nil)
	for _, name := range c.Needs {
		o, made := r.outcomes[name]
		if !made || o == OK {
			continue
		}
		cause := cmp.Or(r.causes[name], name)
		r.causes[c.Name] = cause
		v.Outcome, v.Detail = NotTested, "needs: "+cause
		if o == NotOffered && c.Optional {
			v.Outcome = NotOffered
		}
		return v, true
	}
	return v, false
}

// begin has an engine run for a check: at the start of a game, with the options of
// the subject, or, for a check that begins with a new process, just started.
func (r *runner) begin(c *Check) error {
	if c.fresh {
		r.end()
	}
	fresh := r.running == nil
	if fresh {
		s, err := start(r.ctx, r.subject, r.known)
		if err != nil && r.known.shaken {
			err = faultf("%v", err) // it did start before
		}
		if err != nil {
			return err
		}
		r.running = s
	}
	s := r.running
	s.record, s.strays, s.remark = record{}, 0, ""
	s.forget()
	if c.fresh && !r.known.shaken {
		return nil // the first handshake is a check itself
	}
	if fresh {
		if err := s.shakeHands(); err != nil {
			return err
		}
	}
	return s.setUp(position.Start(position.Standard))
}

// settle waits until the engine has done all that a check asked for, and finds what
// nobody asked for.
func (s *session) settle() error {
	s.forget()
	if err := s.sync(); err != nil {
		return err
	}
	for _, word := range []string{"bestmove", "response"} {
		if line, found := s.first(word); found {
			return faultf("nobody asked for %q", printable(joined(line)))
		}
	}
	return nil
}
