package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gyre/bench/conformance"
	"gyre/bench/game"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
)

const checkSynopsis = `usage: gyre-arena check 'cmd=COMMAND [option.NAME=VALUE] [dir=] [env.NAME=]'
                        [FLAGS]

Checks whether an engine follows PROTOCOL.md and the rules of position/RULES.md:

  gyre-arena check 'cmd=./mine'
  gyre-arena check 'cmd="python3 mine.py" option.Threads=2' -only stop,ponder

It checks the handshake, options, positions, turns, ends of games, answers,
limits, time, stop, ponder, commands during a search, errors, floods of lines,
and exit.

Each check prints a line with its section, the requirement and the result: ok,
not offered (which is allowed), not tested because an earlier check failed, or
fails. A failure also prints the last lines of the conversation, "> " to the
engine and "< " from it, what the page says, and advice.

The exit status is 0 if no check fails, 1 if one fails, 2 for an invalid
command line, and 130 after Ctrl-C, which is safe at any time.
`

// checking is a run of the command check.
type checking struct {
	subject conformance.Subject
	checks  []conformance.Check
	asJSON  bool
	stdout  io.Writer
	counts  map[conformance.Outcome]int

	untested int // checks not tested for the same reason, not yet written
	reason   string
}

// runCheck checks an engine.
func runCheck(args []string, stdout, stderr io.Writer) error {
	c := &checking{stdout: stdout, counts: map[conformance.Outcome]int{}}
	flags := commandline.NewFlags("check")
	flags.BoolVar(&c.asJSON, "json", false, "write one JSON object per check, one per line; the totals go to standard error")
	flags.DurationVar(&c.subject.Patience, "patience", 10*time.Second, "`time` to wait for an answer; increase it for an engine that starts slowly")
	flags.DurationVar(&c.subject.Margin, "margin", 500*time.Millisecond, "`time` by which a turn may be late; decrease it to check how well an engine keeps its clock")
	only := flags.String("only", "", "`SECTIONS` to check, separated by commas: "+strings.Join(sectionNames(), ", "))
	words, err := commandline.ParseMixed(flags, args, checkSynopsis, stdout)
	if err != nil {
		return err
	}
	if err := errors.Join(c.choose(*only), c.describe(words)); err != nil {
		return &commandline.UsageError{Command: flags.Name(), Err: err}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	meter := progress.OnTerminal("checks", stderr)
	meter.Begin(len(c.checks), 0)
	left := c.checks
	next := func() (end func()) {
		if len(left) == 0 {
			return func() {}
		}
		defer func() { left = left[1:] }()
		return meter.Doing(left[0].Section.Name + ": " + left[0].Name)
	}
	end := next()
	err = conformance.Run(ctx, c.subject, c.checks, func(v conformance.Verdict) error {
		end()
		err := c.report(v)
		end = next()
		return err
	})
	end()
	if len(c.counts) == 0 && err != nil {
		return err
	}
	totals := stdout
	if c.asJSON {
		totals = stderr
	}
	return errors.Join(err, c.conclude(totals, err != nil))
}

// sectionNames returns the names of the sections.
func sectionNames() (names []string) {
	for _, s := range conformance.Sections() {
		names = append(names, s.Name)
	}
	return names
}

// describe reads the description of the engine.
func (c *checking) describe(words []string) error {
	if len(words) != 1 {
		return fmt.Errorf("%d engines; give one, in one argument such as 'cmd=./gyre'", len(words))
	}
	spec, err := parseEngine(words[0], engineSpec{}, commandline.LocalBackslash())
	switch {
	case err != nil:
		return err
	case len(spec.command) == 0:
		return errors.New("the program is missing; give cmd=COMMAND")
	case spec.limits.String() != "":
		return fmt.Errorf("%s: the check sets the limits itself", spec.limits)
	case c.subject.Patience <= 0 || c.subject.Margin < 0:
		return errors.New("-patience must be positive, and -margin at least 0")
	}
	if slices.ContainsFunc(spec.options, func(s game.Setting) bool { return strings.EqualFold(s.Name, "Rules") }) {
		return errors.New("option.Rules: the check sets the rules itself")
	}
	c.subject.Program, c.subject.Options, err = spec.program()
	return err
}

// choose selects the checks of the named sections, or all checks if only is empty.
func (c *checking) choose(only string) error {
	if c.checks = conformance.Checks(); only == "" {
		return nil
	}
	names, known := strings.Split(only, ","), sectionNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("-only %q: unknown section%s The sections are %s", name, cmp.Or(commandline.DidYouMean("", name, known), "."), strings.Join(known, ", "))
		}
	}
	c.checks = conformance.Of(names...)
	return nil
}

// nameWidth is the width of the column of sections.
const nameWidth = 10

// report writes a verdict. As text, consecutive checks not tested for the same reason
// share a line.
func (c *checking) report(v conformance.Verdict) error {
	c.counts[v.Outcome]++
	if c.asJSON {
		return json.NewEncoder(c.stdout).Encode(v)
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

// writeUntested writes how many of the last checks were not tested, and why.
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
		lines = append(lines, fmt.Sprintf("%s, %s: “%s”", v.Page, v.Heading, v.Quote))
		if v.Advice != "" {
			lines = append(lines, "Advice: "+v.Advice)
		}
		return name + strings.Join(lines, indent)
	case v.Detail != "":
		return fmt.Sprintf("%s%s: %s (%s)", name, v.Check, v.Outcome, v.Detail)
	}
	return name + v.Check + ": " + string(v.Outcome)
}

// conclude writes the totals. It returns an error if a check failed.
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
		first := ""
		if n > 1 {
			first = "; begin with the first, because others may follow from it"
		}
		return fmt.Errorf("the engine violates the protocol in %d of %d checks%s", n, made, first)
	}
	return nil
}
