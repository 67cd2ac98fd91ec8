package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/load"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
	"gyre/cmd/internal/shellwords"
	"gyre/protocol"

	"github.com/BurntSushi/toml"
	"github.com/zeebo/xxh3"
)

// contest is what the commands that play games are told.
type contest struct {
	flags *flag.FlagSet

	specs specList
	built builder // of those that are given by their sources
	// described is the engine that the ladder places, whole.
	described string
	each      string
	limits    game.Limits // of engines without limits of their own

	pairs, games int
	sprt         string // two numbers
	hypotheses   stats.Hypotheses

	book     string             // file
	opened   openings.Book      // what it holds, or all that a recipe makes of which there are few; nil for a recipe of many
	selected openings.Selection // of book
	// repeatOpenings has openings played more than once.
	repeatOpenings bool
	recipe         openings.Recipe
	rules          commandline.Rules
	concurrency    int
	// How the games share the machine.
	oversubscribe, pin bool
	load               *machineLoad
	seed               uint64

	ponder, pv bool

	margin, turnPatience, startPatience, stopPatience time.Duration
	adjudication                                      game.Adjudication

	out, records, config, trace, json string
	unchecked                         bool
	recover, faultsAgain              bool
	otherPrograms                     bool
	progress                          progress.Flags
	hub                               hubFlags
	referenceNPS                      uint64                // of real clocks over a hub; 0 for what is measured
	tell                              func(*match.Standing) // tells the hub of the score; nil without one
}

// specList is the flag -engine.
type specList struct {
	texts []string
}

func (l *specList) String() string { return strings.Join(l.texts, "; ") }

// Set takes one more.
func (l *specList) Set(text string) error {
	if _, err := parseEngine(text, engineSpec{}); err != nil {
		return err
	}
	l.texts = append(l.texts, text)
	return nil
}

func (l *specList) words() []string { return l.texts }

// newContest returns a contest with its flags. Those that only one command has
// are added by it.
func newContest(command string) *contest {
	c := &contest{flags: commandline.NewFlags(command), recipe: openings.Default}
	f := c.flags
	f.Var(&c.specs, "engine", engineHelp)
	f.StringVar(&c.each, "each", "", "what all engines have that do not say otherwise, as in -engine: `SPEC`")
	for _, name := range []string{"tc", "movetime", "nodes", "depth", "nodestime"} {
		f.Var(&keptFlag{set: func(text string) error { _, err := c.limits.Set(name, text); return err }}, name, limitHelp[name])
	}
	f.IntVar(&c.pairs, "pairs", 0, "`number` of pairs of games with colours reversed, of each pairing")
	f.IntVar(&c.games, "games", 0, "the same as an even `number` of games")
	f.StringVar(&c.book, "openings", "", "`FILE` of openings, a position or turns a line; without one they are made from -seed")
	f.Var(&keptFlag{set: c.setOrder}, "opening-order", "`sequential`, as -openings has them, or random, by -seed")
	f.IntVar(&c.selected.Start, "opening-start", 0, "`number`, from 1 and in that order, of the first of -openings that is played; those before it are left out")
	f.IntVar(&c.selected.Plies, "opening-plies", 0, "`turns` of each of -openings that are played; of those that are then the same but for a symmetry one is (default: all turns)")
	f.BoolVar(&c.repeatOpenings, "repeat-openings", false, "begin -openings anew when all are played, or those of -opening-rings up to 2; without it more pairs than openings are an error, "+
		"since engines may repeat whole games, which tell nothing and make errors of the result look smaller than they are")
	f.Uint64Var(&c.seed, "seed", c.recipe.Seed, "`number` that the openings are made from")
	recipeFlags(f, &c.recipe)
	f.Var(&c.rules, "rules", "`standard` or blitz")
	f.IntVar(&c.concurrency, "concurrency", 1, "`games` at once, at most as many as the machine has processors (for the option Threads of the engines, if they are given it)")
	f.BoolVar(&c.oversubscribe, "oversubscribe", false, "take a -concurrency that the machine has too few processors for; games may then be lost on time by its doing")
	f.BoolVar(&c.pin, "pin", false, "keep the engines of each of the games at once to processors of their own (Linux)")
	f.BoolVar(&c.ponder, "ponder", false, "have engines with the option Ponder think in their opponent's time too, which takes twice the processors; without it those do whose -engine sets option.Ponder=true")
	f.DurationVar(&c.margin, "margin", 20*time.Millisecond, "`time` that a turn may take beyond its limit; engines with an option MoveOverhead are told that they need not keep it back, unless -engine sets the option")
	f.DurationVar(&c.turnPatience, "turn-patience", time.Minute, "`time` after which a turn without a time limit, or with -nodestime, counts as a stall")
	f.DurationVar(&c.startPatience, "start-patience", 10*time.Second, "`time` that an engine has for its handshake and for any answer but a turn")
	f.DurationVar(&c.stopPatience, "stop-patience", 5*time.Second, "`time` that an engine has to give a turn after it was told to stop, before it counts as stalled")
	f.Var(&keptFlag{set: c.setWinRule}, "adjudicate-win", "`SCORE,TURNS`: a side wins when both engines' scores have it ahead by SCORE for TURNS turns of each")
	f.Var(&keptFlag{set: c.setDrawRule}, "adjudicate-draw", "`SCORE,TURNS,FROM`: a draw when from turn FROM on no score is above SCORE for TURNS turns of each")
	f.IntVar(&c.adjudication.MaxTurns, "max-turns", 0, "a draw when a game has this `number` of turns, those of the opening included (default: no limit)")
	f.BoolVar(&c.pv, "pv", false, "keep the line that an engine expects with each turn, in -out and -records")
	f.StringVar(&c.out, "out", "", "`FILE` of the games, a line of JSON each; where it holds games of the same match, only those missing are played (default: a new file)")
	f.StringVar(&c.records, "records", "", "`FILE` of the games as records; none for no file (default: -out with .txt)")
	f.BoolVar(&c.recover, "recover", false, "go on after a game in which an engine dies, hangs, cannot start or breaks the rules, with the engine started anew; without it the match stops there")
	f.BoolVar(&c.faultsAgain, "again", false, "play those games of -out again")
	f.BoolVar(&c.otherPrograms, "other-programs", false, "go on with the games of -out although an engine's command starts another program than it did")
	f.BoolVar(&c.unchecked, "unchecked", false, uncheckedHelp)
	f.StringVar(&c.config, "config", "", configHelp)
	f.StringVar(&c.json, "json", "", summaryHelp)
	f.StringVar(&c.trace, "trace", "", "`FILE` that every line to and from the engines is written to")
	c.progress.Add(f)
	return c
}

// leaveOut takes flags away that the command has no use for.
func (c *contest) leaveOut(names ...string) {
	kept := commandline.NewFlags(c.flags.Name())
	c.flags.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(names, f.Name) {
			kept.Var(f.Value, f.Name, f.Usage)
		}
	})
	c.flags = kept
}

// limitHelp explains the flags of the limits.
var limitHelp = map[string]string{
	"tc":       "clock of all engines without limits of their own: `BASE+INCREMENT` in seconds or with a unit, as in 60+0.6 or 200ms+2ms, or TURNS/BASE+INCREMENT, as in 40/10s+0.1s, with BASE again after so many turns of a side",
	"movetime": "`time` for each turn, in ms or with a unit",
	"nodes":    "`number` of nodes for each turn",
	"depth":    "`turns` to look ahead",
	"nodestime": "virtual time for -tc and -movetime: this `number` of nodes is a millisecond, whatever time passes; engines need the option nodestime, which is set to it. " +
		"Games are the same on any machine. An engine that hangs is ended after -turn-patience",
}

// keptFlag is a flag that keeps its text, so that the command can be repeated.
type keptFlag struct {
	text string
	set  func(text string) error
}

func (k *keptFlag) String() string { return k.text }

// Set sets what the flag stands for.
func (k *keptFlag) Set(text string) error {
	k.text = text
	return k.set(text)
}

// recipeFlags adds the flags of random openings, the seed apart.
func recipeFlags(f *flag.FlagSet, r *openings.Recipe) {
	f.TextVar(&r.Rings, "opening-rings", r.Rings, "how many of the ten rings are placed at random, the rest being left to the engines: a `number`, or a range such as 0-10 of which each opening gets one by chance")
	f.IntVar(&r.Moves, "opening-moves", r.Moves, "`number` of random turns after the rings are placed, in openings that place all ten")
	f.IntVar(&r.Bound, "opening-bound", r.Bound, "an opening is kept if a search sees no side ahead by more than this `score`; 0 keeps all")
	f.Uint64Var(&r.Nodes, "opening-nodes", r.Nodes, "`nodes` of that search")
}

// testFlags adds the flags of a sequential test.
func (c *contest) testFlags() {
	c.hypotheses = stats.Hypotheses{Alpha: 0.05, Beta: 0.05}
	c.flags.StringVar(&c.sprt, "sprt", "", "end when a sequential test decides between these: `ELO0,ELO1`")
	c.flags.TextVar(&c.hypotheses.Model, "model", stats.Normalized, "`unit` of -sprt: normalized or logistic")
	c.flags.Float64Var(&c.hypotheses.Alpha, "alpha", 0.05, "`chance` to accept ELO1 where ELO0 holds")
	c.flags.Float64Var(&c.hypotheses.Beta, "beta", 0.05, "`chance` to accept ELO0 where ELO1 holds")
}

// setWinRule reads the flag -adjudicate-win.
func (c *contest) setWinRule(text string) error {
	n, err := numbers(text, 2)
	if err == nil {
		c.adjudication.WinScore, c.adjudication.WinTurns = n[0], n[1]
	}
	return err
}

// setDrawRule reads the flag -adjudicate-draw.
func (c *contest) setDrawRule(text string) error {
	n, err := numbers(text, 3)
	if err == nil {
		c.adjudication.DrawScore, c.adjudication.DrawTurns, c.adjudication.DrawFrom = n[0], n[1], n[2]
	}
	return err
}

// numbers reads count whole numbers, none negative, with commas between.
func numbers(text string, count int) ([]int, error) {
	words := strings.Split(text, ",")
	if len(words) != count {
		return nil, fmt.Errorf("%d numbers instead of %d", len(words), count)
	}
	all := make([]int, count)
	for i, word := range words {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q: not a whole number of at least 0", word)
		}
		all[i] = n
	}
	return all, nil
}

// uncheckedHelp explains the flag -unchecked.
const uncheckedHelp = "take lines of games that have no checksum, as earlier versions wrote them; without it they are refused"

// parse reads the command line and the file that it names.
func (c *contest) parse(args []string, synopsis string, stdout io.Writer) error {
	if err := commandline.Parse(c.flags, args, synopsis, stdout); err != nil {
		return err
	}
	var err error
	if c.config != "" {
		err = applyConfig(c.flags, c.config)
	}
	if err == nil {
		err = c.progress.Check()
	}
	if err == nil {
		err = c.checkHubFlags()
	}
	if err != nil {
		return &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	return nil
}

// engines returns the descriptions of the engines, whole.
func (c *contest) engines() ([]engineSpec, error) {
	base, err := parseEngine(c.each, engineSpec{limits: c.limits})
	if err != nil {
		return nil, fmt.Errorf("-each: %w", err)
	}
	var specs []engineSpec
	for _, text := range c.specs.texts {
		e, err := parseEngine(text, base)
		if err != nil {
			return nil, err
		}
		if e.limits.Timed() && e.limits.NodesTime == 0 { // also with a clock of its own
			e.limits.NodesTime = cmp.Or(base.limits.NodesTime, c.limits.NodesTime)
		}
		if err := c.useBuild(&e); err != nil {
			return nil, err
		}
		specs = append(specs, e)
	}
	nameEngines(specs)
	return specs, nil
}

// buildEngines builds those engines of a match that the command line gives by their sources,
// for this machine: once all else is known to be right, as it takes its time.
func (c *contest) buildEngines(m *match.Match, stdout io.Writer) error {
	c.built.out = stdout
	ctx, release := commandline.UntilInterrupted()
	defer release()
	specs, err := c.engines()
	if err != nil {
		return err
	}
	for i := range specs {
		e := &specs[i]
		if len(e.build) == 0 {
			continue
		}
		if e.command[0], err = c.built.program(ctx, e.build[0], thisSystem); err != nil {
			return err
		}
		made, err := e.engine()
		if err != nil {
			return err
		}
		m.Engines[i].Start, m.Engines[i].Build = made.Start, made.Build
	}
	return nil
}

// useBuild gives an engine of sources its command: the program that was built from them, and
// before that the folder in its place.
func (c *contest) useBuild(e *engineSpec) error {
	if len(e.build) == 0 {
		return nil
	}
	if len(e.command) > 0 || e.reference+e.offered != "" {
		return fmt.Errorf("engine %q: build, cmd, reference and offered exclude each other", e.name)
	}
	e.command = slices.Clone(e.build)
	if path, has := c.built.made[[2]string{e.build[0], thisSystem}]; has {
		e.command[0] = path
	}
	return nil
}

// test returns the sequential test, nil without one.
func (c *contest) test() (*stats.SPRT, error) {
	if c.sprt == "" {
		return nil, nil
	}
	if _, err := fmt.Sscanf(c.sprt+"\n", "%g,%g\n", &c.hypotheses.Elo0, &c.hypotheses.Elo1); err != nil {
		return nil, fmt.Errorf("-sprt %q: not ELO0,ELO1", c.sprt)
	}
	return stats.NewSPRT(c.hypotheses)
}

// match returns what is to be played. schedule makes its schedule from the numbers
// of engines and rounds; more engines come after those of the command line. Errors
// are of the command line or of the files that it names.
func (c *contest) match(schedule func(engines, rounds int) match.Schedule, more ...game.Engine) (*match.Match, error) {
	specs, err := c.engines()
	if err != nil {
		return nil, err
	}
	pairs, err := c.pairsWanted()
	if err != nil {
		return nil, err
	}
	if err := c.readBook(); err != nil {
		return nil, err
	}
	rounds, err := c.rounds(pairs)
	if err != nil {
		return nil, err
	}
	m := &match.Match{
		Concurrency: c.concurrency, ContinueOnFault: c.recover, ReplayFaults: c.faultsAgain, OtherPrograms: c.otherPrograms,
		Schedule:   schedule(len(specs)+len(more), rounds),
		Conditions: game.Conditions{Margin: c.margin, TurnPatience: c.turnPatience, Adjudication: c.adjudication, Ponder: c.ponder, PV: c.pv},
		Patience:   protocol.Patience{Handshake: c.startPatience, Answer: c.startPatience, Stop: c.stopPatience},
	}
	for i := range specs {
		e, err := specs[i].engine()
		if err != nil {
			return nil, err
		}
		m.Engines = append(m.Engines, e)
	}
	m.Engines = append(m.Engines, more...)
	if e := absent(m); e != nil && c.hub.url == "" {
		return nil, fmt.Errorf("engine %q is %s by workers of a hub: which? Give -hub", e.Name, e.Program)
	}
	if m.Processors, err = c.shareProcessors(m); err != nil {
		return nil, err
	}
	if m.Test, err = c.test(); err != nil {
		return nil, err
	}
	opened, source, err := c.openings()
	if err != nil {
		return nil, err
	}
	m.Openings = opened
	if m.ID, err = identity(specs, more, m, source); err != nil {
		return nil, err
	}
	c.load = newMachineLoad(m)
	return m, m.Check()
}

// shareProcessors returns the processors of each of the games at once, nil for
// all, and refuses more games than the machine has processors for, if it plays them.
func (c *contest) shareProcessors(m *match.Match) ([][]int, error) {
	threads, ponders := 1, c.ponder
	for i := range m.Engines {
		for _, option := range m.Engines[i].Settings {
			if on, _ := strconv.ParseBool(option.Value); on && strings.EqualFold(option.Name, "Ponder") {
				ponders = true
			}
			if n, err := strconv.Atoi(option.Value); err == nil && strings.EqualFold(option.Name, "Threads") {
				threads = max(threads, n)
			}
		}
	}
	if ponders { // both engines of a game think at once
		threads *= 2
	}
	switch wanted := c.concurrency * threads; {
	case c.pin && c.oversubscribe:
		return nil, errors.New("-pin and -oversubscribe exclude each other")
	case c.pin && c.concurrency > 0:
		shares, err := load.Share(c.concurrency, threads)
		if err != nil {
			return nil, fmt.Errorf("-pin: %w", err)
		}
		return shares, nil
	case wanted > load.Processors() && !c.oversubscribe && c.hub.url == "":
		return nil, fmt.Errorf("-concurrency %d with %d threads a game: this machine has %d processors, and engines that wait for one lose games on time; "+
			"fewer games at once, or -oversubscribe", c.concurrency, threads, load.Processors())
	}
	return nil, nil
}

// identity returns what tells a match from others: the same for the same
// engines, pairings, openings and conditions, but for any number of rounds.
func identity(specs []engineSpec, more []game.Engine, m *match.Match, openings string) (string, error) {
	var texts []string
	for i := range specs {
		texts = append(texts, specs[i].String())
	}
	for i := range more {
		texts = append(texts, more[i].Name)
	}
	all, err := json.Marshal(map[string]any{
		"engines": texts, "pairings": m.Schedule.Pairings, "openings": openings, "conditions": m.Conditions,
	})
	return fmt.Sprintf("%016x", xxh3.Hash(all)), err
}

// files returns where the games go; the name of a new file tells the time.
func (c *contest) files(now time.Time) match.Files {
	if c.out == "" {
		c.out = c.flags.Name() + now.Format("-20060102-150405") + ".jsonl"
	}
	files := match.Files{Lines: c.out, Records: c.records, Unchecked: c.unchecked}
	switch c.records {
	case "none":
		files.Records = ""
	case "":
		files.Records = strings.TrimSuffix(c.out, ".jsonl") + ".txt"
	}
	if info, err := os.Stat(c.out); err == nil && !info.Mode().IsRegular() && c.records == "" {
		files.Records = "" // beside a device there is no place for files
	}
	return files
}

// pairsWanted returns how many pairs each pairing is to play, 0 for as many as a
// test takes.
func (c *contest) pairsWanted() (int, error) {
	switch {
	case c.pairs < 0 || c.games < 0 || c.games%2 != 0:
		return 0, errors.New("-pairs and -games are positive, and -games is even: each opening is played with both colours")
	case c.pairs > 0 && c.games > 0:
		return 0, errors.New("-pairs and -games exclude each other")
	case c.pairs > 0:
		return c.pairs, nil
	case c.games > 0:
		return c.games / 2, nil
	case c.sprt != "":
		return 0, nil
	}
	return 0, errors.New("how many games? Give -pairs or -games")
}

// unlimited is how many pairs are played where nobody says how many.
const unlimited = 100_000

// rounds returns how many pairs each pairing plays at most, so that no opening is
// played again unless -repeat-openings says so.
func (c *contest) rounds(pairs int) (int, error) {
	switch {
	case c.opened == nil || c.repeatOpenings:
		if pairs == 0 {
			return unlimited, nil
		}
		return pairs, nil
	case pairs > len(c.opened):
		return 0, fmt.Errorf("%s has %d openings for %d pairs of each pairing: give -pairs %d, more openings, or -repeat-openings", c.bookName(), len(c.opened), pairs, len(c.opened))
	case pairs == 0:
		return len(c.opened), nil
	}
	return pairs, nil
}

// recipeWanted is what random openings are made by.
func (c *contest) recipeWanted() openings.Recipe {
	recipe := c.recipe
	recipe.Seed, recipe.Rules = c.seed, c.rules.Rules
	return recipe
}

// bookName says where the openings come from that can run out.
func (c *contest) bookName() string {
	if c.book == "" {
		return "-opening-rings " + c.recipe.Rings.String()
	}
	if c.selected.Plies > 0 || c.selected.Start > 1 {
		return c.book + " as selected"
	}
	return c.book
}

// readBook reads the file of openings, if one is named; without one it makes all
// openings of a recipe that makes few.
func (c *contest) readBook() error {
	if c.book == "" {
		if given := commandline.Given(c.flags); given["opening-order"] || given["opening-start"] || given["opening-plies"] {
			return errors.New("-opening-order, -opening-start and -opening-plies are for -openings")
		}
		recipe := c.recipeWanted()
		if !recipe.Few() {
			return nil
		}
		generator, err := openings.NewGenerator(recipe)
		if err != nil {
			return err
		}
		if _, err := generator.Opening(0); err != nil {
			return err
		}
		c.opened = generator.All()
		return nil
	}
	file, err := os.Open(c.book)
	if err != nil {
		return err
	}
	defer file.Close()
	book, err := openings.Read(file, c.book, c.rules.Rules)
	if err != nil {
		return err
	}
	c.selected.Seed = c.seed
	if c.opened, err = book.Select(c.selected); err != nil {
		return fmt.Errorf("%s: %w", c.book, err)
	}
	return nil
}

// setOrder reads the flag -opening-order.
func (c *contest) setOrder(text string) error {
	c.selected.Shuffled = text == "random"
	if text != "random" && text != "sequential" {
		return errors.New("neither sequential nor random")
	}
	return nil
}

// openings returns the openings, and what tells them from others.
func (c *contest) openings() (match.Openings, string, error) {
	if c.book != "" {
		var texts []string
		for _, o := range c.opened {
			texts = append(texts, openings.Format(o))
		}
		return c.opened, fmt.Sprintf("%x", xxh3.HashString(strings.Join(texts, "\n"))), nil
	}
	recipe := c.recipeWanted()
	generator, err := openings.NewGenerator(recipe)
	if err != nil {
		return nil, "", err
	}
	// A search that has become another one makes other openings.
	first, err := generator.Opening(0)
	source := recipe.String() + ": " + openings.Format(first)
	if c.opened != nil {
		return c.opened, source, err
	}
	return generator, source, err
}

// warnRepeats tells ahead of a match when openings will run out or come again.
func (c *contest) warnRepeats(w io.Writer, m *match.Match) {
	if c.opened == nil {
		return
	}
	// What cannot be warned of does the match no harm.
	switch repeats := count(c.opened.Repeats(m.Schedule.Rounds)); {
	case repeats > 0:
		_, _ = fmt.Fprintf(w, "warning: %d of the %d pairs of each pairing begin with an opening that was played before (%s has %d): "+
			"where the engines repeat their games, errors of the result are larger than what will be printed\n", repeats, m.Schedule.Rounds, c.bookName(), len(c.opened))
	case m.Test != nil && m.Schedule.Rounds == len(c.opened):
		_, _ = fmt.Fprintf(w, "warning: %s has %d openings, so the match ends after as many pairs, decided or not\n", c.bookName(), len(c.opened))
	}
}

// count returns how many are true.
func count(all []bool) (n int) {
	for _, one := range all {
		if one {
			n++
		}
	}
	return n
}

// writeRepeats writes how many of the pairs that count began as earlier ones.
func (c *contest) writeRepeats(w io.Writer, m *match.Match, s *match.Standing) error {
	if c.opened == nil || s.Settled == 0 {
		return nil
	}
	repeated := c.opened.Repeats(m.Schedule.Game(2*s.Settled-2).Round + 1)
	pairs := make([]bool, s.Settled)
	for i := range pairs {
		pairs[i] = repeated[m.Schedule.Game(2*i).Round]
	}
	if count(pairs) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "  repeats %d of %d pairs begin with an opening that was played before: the errors above may be too small\n", count(pairs), s.Settled)
	return err
}

// repeat returns the command line that does the same again, whatever file its
// flags came from, each flag as it was given but for those in without.
func (c *contest) repeat(without ...string) string {
	words := []string{programName(os.Args[0]), c.flags.Name()}
	skipped := map[string]bool{"config": true}
	for _, name := range without {
		skipped[name] = true
	}
	c.flags.Visit(func(f *flag.Flag) {
		if skipped[f.Name] {
			return
		}
		texts := []string{f.Value.String()}
		if list, ok := f.Value.(repeatable); ok {
			texts = list.words()
		}
		for _, text := range texts {
			words = append(words, "-"+f.Name+"="+text)
		}
	})
	for i, word := range words {
		if name, text, found := strings.Cut(word, "="); found {
			words[i] = name + " " + shellwords.Quote(text)
			if isBool(c.flags, name[1:]) {
				words[i] = name + "=" + shellwords.Quote(text)
			}
		}
	}
	return strings.Join(words, " ")
}

// programName returns how a program was called, given as os.Args[0], for the
// shell. What go run has built is gone when it ends.
func programName(called string) string {
	for _, folder := range strings.Split(filepath.ToSlash(called), "/") {
		if strings.HasPrefix(folder, "go-build") {
			return "go run gyre/cmd/gyre-arena"
		}
	}
	return shellwords.Quote(called)
}

// isBool tells whether a flag takes no word after it.
func isBool(flags *flag.FlagSet, name string) bool {
	b, ok := flags.Lookup(name).Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// goOn returns the command line that goes on with the games of a file.
func (c *contest) goOn() string { return c.repeat("out") + " -out " + shellwords.Quote(c.out) }

// configHelp explains the flag -config.
const configHelp = "`FILE` of TOML, or of JSON if it ends in .json, with the flags by name; tables [[engine]] and [each] hold what SPEC does. What the command line gives counts instead"

// applyConfig sets flags from a file, those apart that the command line gave.
func applyConfig(flags *flag.FlagSet, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	values := map[string]any{}
	if filepath.Ext(path) == ".json" {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		err = decoder.Decode(&values)
	} else {
		err = toml.Unmarshal(text, &values)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	set := commandline.Given(flags)
	for _, name := range sortedKeys(values) {
		if flags.Lookup(name) == nil || name == "config" {
			return fmt.Errorf("%s: no flag is called %q", path, name)
		}
		if set[name] {
			continue
		}
		if err := applyValue(flags, name, values[name]); err != nil {
			return fmt.Errorf("%s: %s: %w", path, name, err)
		}
	}
	return nil
}

// applyValue sets one flag, several times for a list of tables or texts of a
// flag that may be given again.
func applyValue(flags *flag.FlagSet, name string, value any) error {
	_, again := flags.Lookup(name).Value.(repeatable)
	list, isList := value.([]any)
	if tables, ok := value.([]map[string]any); ok {
		for _, table := range tables {
			list = append(list, table)
		}
		isList = true
	}
	if !isList || !again {
		return flags.Set(name, configText(value))
	}
	for _, one := range list {
		if err := flags.Set(name, configText(one)); err != nil {
			return err
		}
	}
	return nil
}

// repeatable is a flag.Value that may be given several times.
type repeatable interface {
	flag.Value
	words() []string // the texts given
}

// configText writes a value as the command line would have it.
func configText(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return shellwords.Join(tableWords("", v))
	case []any:
		var parts []string
		for _, one := range v {
			parts = append(parts, configText(one))
		}
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(value)
}

// tableWords writes a table as words KEY=VALUE, tables in it as KEY.KEY=VALUE.
func tableWords(prefix string, table map[string]any) []string {
	var words []string
	for _, key := range sortedKeys(table) {
		if inner, ok := table[key].(map[string]any); ok {
			words = append(words, tableWords(prefix+key+".", inner)...)
			continue
		}
		words = append(words, prefix+key+"="+configText(table[key]))
	}
	return words
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
