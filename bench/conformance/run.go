package conformance

import (
	"cmp"
	"context"
	"time"

	"gyre/position"
	"gyre/protocol"
)

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
