package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gyre/bench/conformance"
	"gyre/cmd/internal/commandline"
)

const checkSynopsis = `usage: gyre-arena check 'cmd=COMMAND [option.NAME=VALUE] [dir=] [env.NAME=]' [FLAGS]

Checks whether an engine keeps to the protocol that PROTOCOL.md describes, section
by section: handshake, options, positions, turns, ends, answers, limits, time, stop,
ponder, what comes while it searches, errors, floods of lines, and the end. Turns and
ends of games are held to our own rules. For example:

  gyre-arena check 'cmd=./mine'
  gyre-arena check 'cmd="python3 mine.py" option.Threads=2' -only stop,ponder

Each check is a line: its section, what holds when it passes, and ok, not offered
(which is no fault), not tested, as a check before it failed, or fails. What fails
is told with the last lines that were said, "> " to the engine and "< " from it, and
what to look at.

The exit status is 0 when no check fails, 1 when one does, 2 for a command line that
is wrong, and 130 after Ctrl-C, which is safe at any time.
`

// checking is a run of the command check.
type checking struct {
	subject conformance.Subject
	checks  []conformance.Check
	asJSON  bool
	stdout  io.Writer
	counts  map[conformance.Outcome]int

	untested int    // verdicts that are still to be written: of checks that were not made
	reason   string // why
}

// runCheck checks an engine.
func runCheck(args []string, stdout, stderr io.Writer) error {
	c := &checking{stdout: stdout, counts: map[conformance.Outcome]int{}}
	flags := commandline.NewFlags("check")
	flags.BoolVar(&c.asJSON, "json", false, "one JSON object a line for each check, in place of text; what else is told goes to standard error")
	flags.DurationVar(&c.subject.Patience, "patience", 10*time.Second, "`time` after which what must come counts as missing; more for an engine that starts slowly")
	flags.DurationVar(&c.subject.Margin, "margin", 500*time.Millisecond, "`time` by which a turn may be late; less to see how an engine keeps its clock")
	only := flags.String("only", "", "`SECTIONS` to check, with commas between them: "+strings.Join(sectionNames(), ", "))
	words, args := commandline.LeadingWords(args)
	if err := commandline.Parse(flags, args, checkSynopsis, stdout); err != nil {
		return err
	}
	if err := errors.Join(c.choose(*only), c.describe(words)); err != nil {
		return &commandline.UsageError{Command: flags.Name(), Err: err}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	err := conformance.Run(ctx, c.subject, c.checks, c.report)
	if len(c.counts) == 0 && err != nil {
		return err
	}
	told := stdout
	if c.asJSON {
		told = stderr
	}
	return errors.Join(err, c.conclude(told, err != nil))
}

// sectionNames returns the names of the sections.
func sectionNames() (names []string) {
	for _, s := range conformance.Sections() {
		names = append(names, s.Name)
	}
	return names
}

// describe reads the words that describe the engine.
func (c *checking) describe(words []string) error {
	if len(words) != 1 {
		return fmt.Errorf("one engine is wanted, in one argument such as 'cmd=./gyre', and not %d", len(words))
	}
	spec, err := parseEngine(words[0], engineSpec{})
	switch {
	case err != nil:
		return err
	case len(spec.command) == 0:
		return errors.New("no cmd=: a program is checked")
	case spec.limits.String() != "":
		return fmt.Errorf("%s: limits are part of what is checked", spec.limits)
	case c.subject.Patience <= 0 || c.subject.Margin < 0:
		return errors.New("-patience is above 0, and -margin not below")
	}
	program, settings, err := spec.program()
	c.subject.Program = program
	for _, s := range settings {
		if strings.EqualFold(s.Name, "Rules") {
			return errors.New("option.Rules: the rules are part of what is checked")
		}
		c.subject.Options = append(c.subject.Options, conformance.Setting{Name: s.Name, Value: s.Value})
	}
	return err
}

// choose picks the checks of some sections, all if none are named.
func (c *checking) choose(only string) error {
	if c.checks = conformance.Checks(); only == "" {
		return nil
	}
	names, known := strings.Split(only, ","), sectionNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("-only %s: no such section; there are %s", name, strings.Join(known, ", "))
		}
	}
	c.checks = conformance.Of(names...)
	return nil
}

// nameWidth is how wide the column of sections is.
const nameWidth = 10

// report writes a verdict. As text, those that are not tested for the same reason are
// one, which is written before the next of another kind.
func (c *checking) report(v conformance.Verdict) error {
	c.counts[v.Outcome]++
	if c.asJSON {
		line, err := json.Marshal(v)
		if err == nil {
			_, err = c.stdout.Write(append(line, '\n'))
		}
		return err
	}
	if v.Outcome == conformance.NotTested && (c.untested == 0 || v.Detail == c.reason) {
		c.untested, c.reason = c.untested+1, v.Detail
		return nil
	}
	if err := c.writeUntested(); err != nil {
		return err
	}
	if v.Outcome == conformance.NotTested {
		c.untested, c.reason = 1, v.Detail
		return nil
	}
	_, err := fmt.Fprintln(c.stdout, verdictText(v))
	return err
}

// writeUntested writes how many checks before were not made, and why.
func (c *checking) writeUntested() error {
	n := c.untested
	if c.untested = 0; n == 0 {
		return nil
	}
	_, err := fmt.Fprintf(c.stdout, "%s%d not tested (%s)\n", strings.Repeat(" ", nameWidth+1), n, c.reason)
	return err
}

// verdictText returns a verdict in a line, or in several when it is a fault.
func verdictText(v conformance.Verdict) string {
	name := fmt.Sprintf("%-*s ", nameWidth, v.Section)
	indent := "\n" + strings.Repeat(" ", len(name))
	switch {
	case v.Outcome == conformance.Fails:
		lines := append([]string{v.Check + ": fails", v.Detail}, v.Lines...)
		return name + strings.Join(lines, indent) + indent + "PROTOCOL.md, " + v.Heading + ": " + v.Advice
	case v.Detail != "":
		return fmt.Sprintf("%s%s: %s (%s)", name, v.Check, v.Outcome, v.Detail)
	}
	return name + v.Check + ": " + string(v.Outcome)
}

// conclude writes how many checks came to what. The error tells that some failed.
func (c *checking) conclude(w io.Writer, interrupted bool) error {
	if err := c.writeUntested(); err != nil {
		return err
	}
	made := 0
	for _, n := range c.counts {
		made += n
	}
	parts := []string{fmt.Sprintf("%d checks", made)}
	if made < len(c.checks) {
		parts[0] += fmt.Sprintf(" of %d", len(c.checks))
	}
	for _, o := range []conformance.Outcome{conformance.OK, conformance.Fails, conformance.NotOffered, conformance.NotTested} {
		if n := c.counts[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	if _, err := fmt.Fprintln(w, strings.Join(parts, ", ")); err != nil {
		return err
	}
	if n := c.counts[conformance.Fails]; n > 0 && !interrupted {
		return fmt.Errorf("the engine does not keep to the protocol in %d of %d checks", n, made)
	}
	return nil
}
