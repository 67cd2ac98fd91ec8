// Package conformance checks whether an engine, any program, follows the protocol
// that PROTOCOL.md describes, and the rules of position/RULES.md. [Run] runs the checks of the table that [Checks]
// returns: each tests one thing, by sending lines to the engine as a client would, or
// as no client should, and judges the answers by package position.
//
// A check cannot hang: every wait has a limit, all output is read at once, and memory
// is bounded. No process is left when [Run] returns. Only an engine that hangs makes a
// check slow: [Subject.Patience] is longer than any sound engine needs.
//
// conformance.go holds the table and runs the checks. session.go talks to the engine.
// The other files hold the checks by subject.
package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/position"
	"gyre/protocol"
)

// Place is a part of a page for authors of engines.
type Place struct {
	Page    string // such as "PROTOCOL.md", from the root of the repository
	Heading string
}

// Section is a group of checks for one part of the protocol.
type Section struct {
	Name  string // such as "handshake"
	Place        // where most of it is described
}

// The sections.
var (
	handshake = Section{"handshake", protocolPage("Commands")}
	options   = Section{"options", protocolPage("Options")}
	positions = Section{"positions", protocolPage("Turns and positions as text")}
	turns     = Section{"turns", Place{"position/RULES.md", "The game"}}
	ends      = Section{"ends", Place{"position/RULES.md", "The game"}}
	answers   = Section{"answers", protocolPage("Answers")}
	limits    = Section{"limits", protocolPage("go")}
	times     = Section{"time", protocolPage("go")}
	stopping  = Section{"stop", protocolPage("go")}
	pondering = Section{"ponder", protocolPage("go")}
	waiting   = Section{"waiting", protocolPage("While something runs")}
	errorsIn  = Section{"errors", protocolPage("Errors")}
	lines     = Section{"lines", protocolPage("Lines")}
	endings   = Section{"end", protocolPage("The end")}
)

// Places that describe what single checks need.
var (
	asked    = protocolPage("What an engine needs")
	reported = protocolPage("info")
)

func protocolPage(heading string) Place { return Place{"PROTOCOL.md", heading} }

// Check is a row of the table.
type Check struct {
	Section  Section
	Name     string   // a unique statement that is true if the check passes
	Optional bool     // whether an engine may lack the feature
	Needs    []string // the names of earlier checks that must pass first
	At       Place    // the part of a page that asks for it; that of the section if empty
	Says     string   // the words there, without marks of emphasis
	Advice   string   // for the author of an engine that fails, in addition to Says; may be empty
	fresh    bool     // whether the check starts and ends its own process
	run      func(s *session) error
}

// Checks returns the table, in the order of the checks.
func Checks() []Check {
	return slices.Concat(handshakeChecks, optionChecks, positionChecks, turnChecks, hashChecks, endChecks, answerChecks,
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

// Of returns the checks of some sections, those that they need, and all of the
// handshake.
func Of(sections ...string) []Check {
	all := Checks()
	wanted := map[string]bool{}
	for i := len(all) - 1; i >= 0; i-- { // needed checks come earlier
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

// Outcome is the result of a check.
type Outcome string

// The outcomes.
const (
	OK         Outcome = "ok"
	Fails      Outcome = "fails"
	NotOffered Outcome = "not offered" // the engine lacks an optional feature
	NotTested  Outcome = "not tested"  // a check that it needs did not pass
)

// Verdict is the outcome of a check and its reason.
type Verdict struct {
	Section  string  `json:"section"`
	Page     string  `json:"page"`    // such as "PROTOCOL.md"
	Heading  string  `json:"heading"` // on the page
	Check    string  `json:"check"`
	Required bool    `json:"required"`
	Outcome  Outcome `json:"verdict"`
	Detail   string  `json:"detail,omitempty"` // what happened
	Quote    string  `json:"quote,omitempty"`  // if the check fails: what the page says
	Advice   string  `json:"advice,omitempty"` // if the check fails; possibly empty
	// Lines holds the last lines before a failure, printable and cut: "> " precedes a
	// line to the engine, and "< " one from it.
	Lines []string `json:"lines,omitempty"`
}

// fault is an error of the engine, or a feature that it does not have.
type fault struct {
	detail string
	silent bool  // no answer came in time, or the program did not end
	lack   bool  // a feature is missing, which may be optional
	rule   *rule // that the engine broke, if it is more exact than what the check says
	// lines are the last ones before a fault that is reported later; nil for those of the check.
	lines []string
}

func (f *fault) Error() string { return f.detail }

func faultf(format string, args ...any) error { return &fault{detail: fmt.Sprintf(format, args...)} }

// silentf returns the fault that something did not come in time.
func silentf(format string, args ...any) error {
	return &fault{detail: fmt.Sprintf(format, args...), silent: true}
}

// brokenf returns the fault that the engine broke a rule, which may be nil.
func brokenf(broken *rule, format string, args ...any) error {
	return &fault{detail: fmt.Sprintf(format, args...), rule: broken}
}

func lackf(format string, args ...any) error {
	return &fault{detail: fmt.Sprintf(format, args...), lack: true}
}

// rule is what a page says about one kind of fault, whichever check finds it.
type rule struct {
	At     Place
	Says   string // the words there, without marks of emphasis
	Advice string // for the author of an engine
}

// The places of rules.
var (
	theGame = Place{"position/RULES.md", "The game"}
	tricky  = Place{"position/RULES.md", "Ten tricky cases"}
	written = protocolPage("Turns and positions as text")
)

// Sentences that more than one rule quotes.
const (
	alternately = "The players alternately place a ring on a vacant point until each has placed five."
	removal     = "Return the five markers to the pool, and remove one of your own rings from the board. Repeat until you have no row."
)

// counting is the rule of the number of rings to place.
var counting = &rule{theGame, alternately, "a side has placed its rings if it has five, on the board and removed together"}

// rulesOfTurns lists what the pages say about turns that are not legal, by the code of the error of
// package position.
var rulesOfTurns = map[string]*rule{
	"not-vacant": {theGame, alternately,
		"W and B are rings; no ring is placed on another"},
	"all-placed": counting,
	"not-placed": counting,
	"row-left": {theGame, removal,
		"the side to move removes the rows that the opponent made before it moves a ring, and new ones after that, all in one turn"},
	"no-row": {theGame, "If five markers of your color are next to each other on a line, they are a row.",
		"play the parts of the turn one after the other: a ring move leaves a marker of the side to move and turns over all jumped markers, whichever color they have, but not the one it leaves"},
	"no-ring": {written, "`W` or `B` is a ring, `w` or `b` a marker",
		"the side to move moves and removes its own rings only: W for white, B for black"},
	"cannot-move": {theGame, "It may then jump a run of markers of either color without gaps, and it lands on the first point behind the run, which must be vacant. It never passes a ring.",
		"lines run along a column, along a number, and along both at once: f5, f7, e6, g6, e5 and g7 are neighbors of f6, and e7 and g5 are not"},
	"cannot-pass": {tricky, "You must not pass if you can move.",
		"a ring that is not enclosed by rings and the edge can usually move"},
	"move-missing": {theGame, "Put a marker of your color from the pool into one of your rings, and move that ring to another point.",
		"a turn has only removals if they end the game"},
	"game-over": {written, "If a removal ends the game before the ring moves, the turn has only removals.",
		"the third ring ends the game, in blitz the first; without that, so does a position in which no ring of either player can move"},
	"not-a-turn": {written, "A turn is one word. It holds everything that a player does before the opponent moves",
		"the parts are points (f6), moves (e4-e10), removals (xb3-b7xb2) and pass, joined by semicolons"},
}

// The rules of programs and searches that end early.
var (
	staying = &rule{lines.Place, "Only `quit`, the end of input and an interrupt end the program.",
		"run the engine in a terminal and type the lines after \"> \" to see why it ends"}
	holding = &rule{protocolPage("go"), "An infinite search answers only after `stop`, and a pondering search only after `ponderhit` or `stop`, even if nothing is left to search or the game is over.",
		"keep the `bestmove` until then, while the engine reads input"}
)

// spelling is the rule of the letters of a turn.
var spelling = &rule{written, "Turns are written in lower case. The end of a row with the lower letter comes first, or the one with the lower number within a column.",
	"read turns in either spelling, but write them in this one"}

// The rules of turns that an engine rejects or plays wrongly.
var (
	removing = &rule{theGame, removal,
		"the parts of the turn, in order, are rows that the opponent made, the ring move, and new rows; the side to move removes its own rows and rings only"}
	flipping = &rule{theGame, "It never passes a ring. Turn over each jumped marker, but not the marker that you just placed.",
		"the marker stays where the ring was, and jumped markers of both colors are turned over"}
	passing = &rule{theGame, "If no ring of yours can move, you pass and use no marker.",
		"only the side to move changes"}
	winning = &rule{theGame, "Then the player who has removed more rings wins; equal numbers are a draw.",
		"who has won does not depend on the side to move"}
	placing = &rule{theGame, "White moves first.",
		"the players alternate: white places the first ring, black the second, and so on"}
)

// ruleOf returns the rule of an illegal turn, or nil.
func ruleOf(err error) *rule {
	if wrong, ok := errors.AsType[*position.Error](err); ok {
		return rulesOfTurns[wrong.Code]
	}
	return nil
}

// ruleOfPlaying returns the rule to look up if an engine rejects a legal turn, or plays it wrongly.
func ruleOfPlaying(t position.Turn, rejected bool) *rule {
	switch {
	case t.Removals() > 0:
		return removing
	case t.Kind() == position.Place:
		return placing
	case t.Kind() == position.Pass:
		return passing
	case rejected:
		return rulesOfTurns["cannot-move"]
	}
	return flipping
}

// explained adds an explanation to err if it is a fault, and not a missing feature.
func explained(err error, format string, args ...any) error {
	if wrong, isFault := errors.AsType[*fault](err); isFault && !wrong.lack {
		return &fault{detail: fmt.Sprintf("%s (%s)", wrong.detail, fmt.Sprintf(format, args...)), silent: wrong.silent, rule: wrong.rule}
	}
	return err
}

// judge returns the verdict of a check that returned err. It returns an error that is not a
// fault unchanged, because it says nothing about the engine.
func (c *Check) judge(err error) (Verdict, error) {
	at := cmp.Or(c.At, c.Section.Place)
	v := Verdict{Section: c.Section.Name, Page: at.Page, Heading: at.Heading, Check: c.Name, Required: !c.Optional, Outcome: OK}
	wrong, isFault := errors.AsType[*fault](err)
	switch {
	case err == nil:
	case !isFault:
		return v, err
	case wrong.lack && c.Optional:
		v.Outcome, v.Detail = NotOffered, wrong.detail
	default:
		v.Outcome, v.Detail, v.Quote, v.Advice = Fails, wrong.detail, c.Says, c.Advice
		if r := wrong.rule; r != nil {
			v.Page, v.Heading, v.Quote, v.Advice = r.At.Page, r.At.Heading, r.Says, r.Advice
		}
		if wrong.silent {
			v.Advice = strings.TrimSuffix("if the engine only needs more time, increase -patience; if not, "+c.Advice, "; if not, ")
		}
	}
	return v, nil
}

// Subject is the engine to check.
type Subject struct {
	Program protocol.Program
	Options []game.Setting // set after each handshake
	// Patience is how long to wait for an answer before the engine counts as hanging;
	// 10 s if zero.
	Patience time.Duration
	// Margin is how late an answer may come after its time limit; 500 ms if zero.
	Margin time.Duration

	run   func() (process, error) // runs an engine in place of Program; nil for Program
	flood int                     // lines to send at once, and the most searches; floodLines and floodSearches if zero
}

// known is what the checks have learned about the engine.
type known struct {
	dialect     protocol.Dialect
	shaken      bool     // whether a handshake was completed
	handshake   []string // its lines
	options     []protocol.Option
	optionFault error           // of a line that lists an option
	queries     map[string]bool // whether the engine answers a query
	given       error           // why the engine rejected a setting of the subject
	stray       error           // of the first line outside the protocol
	late        error           // of the first report after its bestmove
	long        error           // of the first line that is too long
}

// Run runs the given checks in order and calls report with each verdict. It returns an
// error if the program cannot be started, if ctx is done (its cause), or if report
// returns one. No process is left.
func Run(ctx context.Context, subject Subject, checks []Check, report func(Verdict) error) error {
	subject.Patience = cmp.Or(subject.Patience, 10*time.Second)
	subject.Margin = cmp.Or(subject.Margin, 500*time.Millisecond)
	r := &runner{ctx: ctx, subject: &subject, known: &known{queries: map[string]bool{}}, outcomes: map[string]Outcome{}, causes: map[string]string{}}
	defer r.end()
	for i := range checks {
		v, err := r.check(&checks[i])
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

// runner runs checks. After a check that passes, the next one uses the same process.
type runner struct {
	ctx      context.Context
	subject  *Subject
	known    *known
	running  *session // nil for none
	outcomes map[string]Outcome
	causes   map[string]string // of checks not run: the check that did not pass
}

func (r *runner) end() {
	if r.running != nil {
		r.running.close()
		r.running = nil
	}
}

func (r *runner) check(c *Check) (Verdict, error) {
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
	wrong, _ := errors.AsType[*fault](err)
	v, err := c.judge(err)
	if err != nil {
		r.end()
		return v, err
	}
	if v.Outcome == Fails && wrong.lines != nil {
		v.Lines = wrong.lines
	} else if v.Outcome == Fails && r.running != nil {
		v.Lines = r.running.record.last()
	}
	if r.running != nil && v.Outcome == OK {
		v.Detail = r.running.remark
	}
	if c.fresh || v.Outcome != OK { // a check that ends early may leave a search running
		r.end()
	}
	return v, nil
}

// lacking reports whether a check that c needs did not pass, and then returns the verdict
// of c. If an optional feature is missing, features that build on it are optional too.
func (r *runner) lacking(c *Check) (Verdict, bool) {
	v, _ := c.judge(nil)
	for _, name := range c.Needs {
		o, ran := r.outcomes[name]
		if !ran || o == OK {
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

// begin prepares an engine for a check: at the start of a game, with the options of the
// subject. A fresh check gets a new process.
func (r *runner) begin(c *Check) error {
	if c.fresh {
		r.end()
	}
	fresh := r.running == nil
	if fresh {
		s, err := start(r.ctx, r.subject, r.known)
		if err != nil && r.known.shaken {
			err = faultf("%v", err) // the program started before
		}
		if err != nil {
			return err
		}
		r.running = s
	}
	s := r.running
	s.record, s.strays, s.stray, s.remark = record{}, 0, "", ""
	s.clear()
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

// settle waits until the engine has executed all commands of a check, and reports
// unsolicited answers.
func (s *session) settle() error {
	s.clear()
	if err := s.sync(); err != nil {
		return err
	}
	for _, word := range []string{"bestmove", "response"} {
		if line, found := s.first(word); found {
			return faultf("unsolicited answer %q", printable(joined(line)))
		}
	}
	return nil
}
