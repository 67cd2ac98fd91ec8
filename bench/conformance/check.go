package conformance

import (
	"errors"
	"fmt"
	"slices"
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
