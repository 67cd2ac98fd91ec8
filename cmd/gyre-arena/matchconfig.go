package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/load"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/hubflags"
	"gyre/cmd/internal/progress"
	"gyre/position/plaintext"
	"gyre/protocol"

	"github.com/BurntSushi/toml"
	"github.com/zeebo/xxh3"
)

// matchConfig holds the flags of a command that plays games. It makes the match that
// they describe, and plays it.
type matchConfig struct {
	flags *flag.FlagSet
	known []matchFlag // the flags

	specs textFlag
	// described are the full descriptions of the engines in specs, once match has parsed them.
	described []engineSpec
	built     *builder // for engines given by their Go sources; shared by the pairings of versions
	each      string
	limits    game.TimeControl // of engines that set none

	pairs, games int
	sprt         string // two numbers
	hypotheses   stats.Hypotheses

	book string // file of openings
	// opened are the openings of the book, or all openings of a recipe that makes
	// few; nil for a recipe that makes many.
	opened             openings.Book
	selected           openings.Selection // of the book
	repeatOpenings     bool
	recipe             openings.Recipe // its seed also orders the book
	concurrency        int
	oversubscribe, pin bool // how games share the processors
	load               *machineLoad

	ponder, pv bool

	margin, turnPatience, startPatience, stopPatience time.Duration
	adjudication                                      game.Adjudication

	out, records, config, trace, json string
	unchecked                         bool
	recover, faultsAgain              bool
	otherPrograms                     bool
	progress                          progress.Flags
	hub                               hubflags.Hub
	work                              hubflags.Work
	referenceNPS                      uint64                // for clocks over a hub; 0 to measure it
	publish                           func(*match.Standing) // reports the score to the hub; nil without one
}

// matchFlag is a flag of a command that plays games.
type matchFlag struct {
	name  string // several for flags that a package adds
	group string // its title in the help
	marks marks
	value any // a flag.Value, or a pointer to the value, which is the default; nil for flags that a package adds
	usage string
}

// marks say what a flag is for, and which others it needs or excludes.
type marks uint

const (
	played      marks = 1 << iota // games depend on it: a match with another value does not resume, and workers of a hub get it
	here                          // for games on this machine: it excludes -hub
	local                         // for files and output of this machine: it excludes -detach
	unrecorded                    // omitted from the command that the file of games records
	needsBook                     // it needs -openings
	noBook                        // for random openings: it excludes -openings
	needsTest                     // it needs -sprt
	needsHub                      // it needs -hub
	lengths                       // it excludes the others with this mark
	processors                    // the same
	matchOnly                     // no other command has it
	notTune                       // the command tune lacks it
	notVersions                   // the command versions lacks it
)

// table returns the flags that commands share.
func (c *matchConfig) table() []matchFlag {
	limit := func(name string) flag.Value {
		return &textFlag{set: func(text string) error { _, err := c.limits.Set(name, text); return err }}
	}
	count := lengths | notTune | map[string]marks{"ladder": played}[c.flags.Name()] // the first rounds of a ladder decide later games
	return []matchFlag{
		{"engine", "Engines", played, &c.specs, engineHelp},
		{"each", "Engines", played, &c.each, "defaults of all engines: `SPEC` as in -engine"},
		{"config", "Engines", 0, &c.config, "`FILE` of flags by name, in TOML, or in JSON if its name ends in .json; the tables [[engine]] and [each] hold the keys of SPEC; the command line overrides it"},
		{"tc", "Limits", played, limit("tc"), "clock: `BASE+INCREMENT` in seconds or with a unit, as in 60+0.6 or 200ms+2ms; with TURNS/ in front, as in 40/10s+0.1s, BASE is added again after every TURNS turns"},
		{"movetime", "Limits", played, limit("movetime"), "`time` for each turn, in milliseconds or with a unit"},
		{"nodes", "Limits", played, limit("nodes"), "`number` of nodes for each turn"},
		{"depth", "Limits", played, limit("depth"), "search depth in `turns`"},
		{"nodestime", "Limits", played, limit("nodestime"), "measure -tc and -movetime in nodes: this `number` of nodes counts as a millisecond, so games are the same on any machine; " +
			"sets the option nodestime, which the engines must have; -turn-patience bounds real time"},
		{"margin", "Limits", played, &c.margin, "`time` that a turn may exceed its limit; it also sets the option MoveOverhead of engines that have it to 0, unless -engine sets that option"},
		{"ponder", "Limits", played, &c.ponder, "let engines with the option Ponder think on their opponent's time, which needs twice the processors (default: only engines with option.Ponder=true)"},
		{"turn-patience", "Limits", played, &c.turnPatience, "`time` after which a turn without a time limit, or with -nodestime, counts as a hang"},
		{"start-patience", "Limits", 0, &c.startPatience, "`time` for the handshake and for each answer other than a turn"},
		{"stop-patience", "Limits", 0, &c.stopPatience, "`time` to answer stop with a turn; later counts as a hang"},
		{"openings", "Openings", played, &c.book, "`FILE` of openings, one position or list of turns per line (default: random openings from -seed)"},
		{"opening-order", "Openings", played | needsBook, &textFlag{set: c.setOrder}, "order of -openings, `sequential|random`; random uses -seed"},
		{"opening-start", "Openings", played | needsBook, &c.selected.Start, "`number` of the first opening that is played, from 1; earlier ones are skipped"},
		{"opening-plies", "Openings", played | needsBook, &c.selected.Plies, "`turns` of each of -openings that are played; openings that then differ only by a symmetry are played once (default: all turns)"},
		{"repeat-openings", "Openings", 0, &c.repeatOpenings, "play openings again when all have been played; otherwise more pairs than openings are an error, " +
			"because engines may repeat whole games, which makes the error bars too small"},
		{"opening-rings opening-moves opening-bound opening-nodes", "Openings", played | noBook, nil, ""},
		{"rules", "Openings", played, nil, ""},
		{"seed", "Openings", played, &c.recipe.Seed, "seed of random openings, a whole `number`"},
		{"pairs", "When to stop", count, &c.pairs, "`number` of pairs of games in each pairing; the engines swap colors after the first game of a pair"},
		{"games", "When to stop", count, &c.games, "even `number` of games, instead of -pairs"},
		{"sprt", "When to stop", matchOnly, &c.sprt, "stop when a sequential test decides between these differences: `ELO0,ELO1`"},
		{"model", "When to stop", matchOnly | needsTest, &c.hypotheses.Model, "unit of -sprt, `normalized|logistic` Elo"},
		{"alpha", "When to stop", matchOnly | needsTest, &c.hypotheses.Alpha, "`probability` of accepting ELO1 if ELO0 is true"},
		{"beta", "When to stop", matchOnly | needsTest, &c.hypotheses.Beta, "`probability` of accepting ELO0 if ELO1 is true"},
		{"adjudicate-win", "When to stop", played, numbers(wholeNumber{&c.adjudication.WinScore, 1}, wholeNumber{&c.adjudication.WinTurns, 1}), "a side wins if both engines see it ahead by SCORE for TURNS of their turns: `SCORE,TURNS`"},
		{"adjudicate-draw", "When to stop", played, numbers(wholeNumber{&c.adjudication.DrawScore, 0}, wholeNumber{&c.adjudication.DrawTurns, 1}, wholeNumber{&c.adjudication.DrawFrom, 0}), "draw if no score exceeds SCORE for TURNS turns of each engine, from turn FROM on: `SCORE,TURNS,FROM`"},
		{"max-turns", "When to stop", played, &c.adjudication.MaxTurns, "draw after this `number` of turns, including the opening (default: no limit)"},
		{"recover", "When to stop", notTune, &c.recover, "continue after an engine crashes, hangs, fails to start or plays an illegal turn, and restart it; otherwise the match stops"},
		{"out", "Output", local | unrecorded | notVersions, &c.out, "`FILE` of the games, one line of JSON each; if it holds games of the same match, the match is resumed (default: a new file)"},
		{"again", "Output", local | notTune, &c.faultsAgain, "replay the games of -out that an engine's fault decided; see -recover"},
		{"other-programs", "Output", local, &c.otherPrograms, "accept the games of -out even if an engine's program, or a file that its options name, has changed since"},
		{"unchecked", "Output", local | notTune, &c.unchecked, uncheckedHelp},
		{"records", "Output", local | unrecorded | notTune | notVersions, &c.records, "`FILE` of the games as records, or none (default: -out with .txt)"},
		{"pv", "Output", notTune, &c.pv, "record the expected line of each turn in -out and -records"},
		{"json", "Output", local | unrecorded | notTune, &c.json, summaryHelp},
		{"trace", "Output", here | unrecorded | notTune | notVersions, &c.trace, "`FILE` for every line to and from the engines, after those of earlier runs"},
		{"progress every", "Output", local | unrecorded, nil, ""},
		{"concurrency", "Machine", here, &c.concurrency, "`games` at the same time; their threads must not outnumber the processors"},
		{"pin", "Machine", here | processors, &c.pin, "give each game its own processors (Linux)"},
		{"oversubscribe", "Machine", here | processors, &c.oversubscribe, "allow more threads than processors; engines may then lose on time"},
		{"hub key tls-ca", "Machine", unrecorded, nil, ""},
		{"reference-nps", "Machine", needsHub | notVersions, &c.referenceNPS, "with -hub and a clock, the speed that times are meant for, in `nodes` per second of the last -engine with a clock; slower workers get more time (default: measured on this machine, once for each program)"},
		{"priority share detach name", "Machine", unrecorded, nil, ""},
	}
}

// newMatchConfig returns the configuration of a command with the flags that all such commands share,
// and those that only it has.
func newMatchConfig(command string, own ...matchFlag) *matchConfig {
	c := &matchConfig{flags: commandline.NewFlags(command), built: &builder{}, recipe: openings.Default, concurrency: 1,
		hypotheses: stats.Hypotheses{Model: stats.Normalized, Alpha: 0.05, Beta: 0.05},
		margin:     20 * time.Millisecond, turnPatience: time.Minute, startPatience: 10 * time.Second, stopPatience: 5 * time.Second}
	c.specs = textFlag{many: true, set: func(text string) error {
		_, err := parseEngine(text, engineSpec{}, commandline.LocalBackslash())
		return err
	}}
	recipeFlags(c.flags, &c.recipe)
	commandline.RulesVar(c.flags, &c.recipe.Rules)
	c.progress.Add(c.flags)
	if command != "versions" {
		c.work.AddQueue(c.flags)
		c.hub.Add(c.flags, "play on the workers of the hub at this `URL`")
	}
	if work, ok := map[string]string{"match": "match", "tournament": "tournament", "tune": "tuning"}[command]; ok {
		c.work.AddDetach(c.flags, work)
	}
	without := map[string]marks{"tournament": matchOnly, "ladder": matchOnly, "versions": matchOnly | notVersions, "tune": matchOnly | notTune}[command]
	for _, f := range append(c.table(), own...) {
		if f.marks&without == 0 {
			c.known = append(c.known, f)
			f.add(c.flags)
		}
	}
	return c
}

// add adds the flag to a set.
func (f *matchFlag) add(flags *flag.FlagSet) {
	switch v := f.value.(type) {
	case nil:
	case *bool:
		flags.BoolVar(v, f.name, *v, f.usage)
	case *int:
		flags.IntVar(v, f.name, *v, f.usage)
	case *uint64:
		flags.Uint64Var(v, f.name, *v, f.usage)
	case *float64:
		flags.Float64Var(v, f.name, *v, f.usage)
	case *string:
		flags.StringVar(v, f.name, *v, f.usage)
	case *time.Duration:
		flags.DurationVar(v, f.name, *v, f.usage)
	case *stats.Model:
		flags.TextVar(v, f.name, *v, f.usage)
	default:
		flags.Var(v.(flag.Value), f.name, f.usage)
	}
}

// marked returns the names of the flags with a mark.
func (c *matchConfig) marked(mark marks) (names []string) {
	for _, f := range c.known {
		if f.marks&mark != 0 {
			names = append(names, strings.Fields(f.name)...)
		}
	}
	return names
}

// groups returns the groups of the flags in the help.
func (c *matchConfig) groups() (groups []commandline.Group) {
	for _, f := range c.known {
		i := slices.IndexFunc(groups, func(g commandline.Group) bool { return g.Title == f.group })
		if i < 0 {
			i, groups = len(groups), append(groups, commandline.Group{Title: f.group})
		}
		names := slices.DeleteFunc(strings.Fields(f.name), func(name string) bool { return c.flags.Lookup(name) == nil })
		groups[i].Flags = append(groups[i].Flags, names...)
	}
	groups[0].Text = engineKeysHelp()
	return groups
}

// checkFlags returns an error for flags that exclude each other or need another one.
func (c *matchConfig) checkFlags() error {
	if err := errors.Join(c.hub.Check(), c.work.Check(c.flags, &c.hub, c.marked(local)...)); err != nil {
		return err
	}
	given, first := commandline.Given(c.flags), map[marks]string{}
	for _, f := range c.known {
		names := strings.Fields(f.name)
		i := slices.IndexFunc(names, func(name string) bool { return given[name] })
		if i < 0 {
			continue
		}
		f.name = names[i]
		kind := f.marks & (lengths | processors)
		if set := c.flags.Lookup(f.name); kind != 0 && set.Value.String() != set.DefValue {
			if first[kind] != "" {
				return fmt.Errorf("-%s and -%s exclude each other", first[kind], f.name)
			}
			first[kind] = f.name
		}
		switch {
		case f.marks&needsBook != 0 && c.book == "":
			return fmt.Errorf("-%s needs -openings", f.name)
		case f.marks&noBook != 0 && c.book != "":
			return fmt.Errorf("-%s is for random openings; it excludes -openings", f.name)
		case f.marks&needsTest != 0 && c.sprt == "":
			return fmt.Errorf("-%s needs -sprt", f.name)
		case f.marks&needsHub != 0 && c.hub.URL == "":
			return fmt.Errorf("-%s needs -hub", f.name)
		case f.marks&here != 0 && c.hub.URL != "":
			return fmt.Errorf("-%s is for games on this machine; with -hub the workers decide how many they play at once", f.name)
		}
	}
	return nil
}

// textFlag is a flag that keeps its texts, for the command that repeats the match.
type textFlag struct {
	texts []string
	many  bool // whether it may be given several times
	set   func(text string) error
}

// Repeatable reports whether the flag may be given several times.
func (t *textFlag) Repeatable() bool { return t.many }

func (t *textFlag) String() string { return strings.Join(t.texts, "; ") }

// Set sets the value of the flag.
func (t *textFlag) Set(text string) error {
	if !t.many {
		t.texts = t.texts[:0]
	}
	t.texts = append(t.texts, text)
	return t.set(text)
}

// recipeFlags adds the flags of random openings, except for the seed.
func recipeFlags(f *flag.FlagSet, r *openings.Recipe) {
	f.TextVar(&r.Rings, "opening-rings", r.Rings, "`number` of the ten rings that are placed at random, or a range such as 0-10; the engines place the rest")
	f.IntVar(&r.Moves, "opening-moves", r.Moves, "`number` of random turns after all ten rings are placed")
	f.IntVar(&r.Bound, "opening-bound", r.Bound, "reject openings in which a search sees a side ahead by more than this `score`; 0 keeps all")
	f.Uint64Var(&r.Nodes, "opening-nodes", r.Nodes, "`nodes` of the search for -opening-bound")
}

// wholeNumber is a number of a flag, and its minimum.
type wholeNumber struct {
	value *int
	least int
}

// numbers returns a flag of whole numbers, separated by commas.
func numbers(values ...wholeNumber) flag.Value {
	return &textFlag{set: func(text string) error {
		words := strings.Split(text, ",")
		if len(words) != len(values) {
			return fmt.Errorf("not %d numbers separated by commas", len(values))
		}
		for i, word := range words {
			n, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil || n < values[i].least {
				return fmt.Errorf("%q: must be an integer of at least %d", word, values[i].least)
			}
			*values[i].value = n
		}
		return nil
	}}
}

// uncheckedHelp explains the flag -unchecked.
const uncheckedHelp = "accept lines of games without a checksum, which earlier versions wrote"

// parse reads the command line and the file of -config.
func (c *matchConfig) parse(args []string, synopsis string, stdout io.Writer) error {
	words, err := c.parseMixed(args, synopsis, stdout)
	if err == nil {
		err = commandline.NoWords(c.flags, words)
	}
	return err
}

// parseMixed is parse for a command that also takes other arguments. It returns them.
func (c *matchConfig) parseMixed(args []string, synopsis string, stdout io.Writer) (words []string, err error) {
	words, err = commandline.ParseGroups(c.flags, args, commandline.Help{Synopsis: synopsis, Groups: c.groups()}, stdout)
	if err != nil {
		return nil, err
	}
	if c.config != "" {
		err = applyConfig(c.flags, c.config)
	}
	if err == nil {
		err = c.checkFlags()
	}
	if err != nil {
		return nil, &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	return words, nil
}

// engines parses the full descriptions of the engines.
func (c *matchConfig) engines() ([]engineSpec, error) {
	base, err := parseEngine(c.each, engineSpec{limits: c.limits}, commandline.LocalBackslash())
	if err != nil {
		return nil, fmt.Errorf("-each: %w", err)
	}
	var specs []engineSpec
	for _, text := range c.specs.texts {
		e, err := parseEngine(text, base, commandline.LocalBackslash())
		if err != nil {
			return nil, err
		}
		if e.limits.Timed() && e.limits.NodesTime == 0 { // even if the engine has its own clock
			e.limits.NodesTime = cmp.Or(base.limits.NodesTime, c.limits.NodesTime)
		}
		if len(e.build) > 0 {
			if len(e.command) > 0 || e.reference+e.offered != "" {
				return nil, fmt.Errorf("engine %q: build, cmd, reference and offered exclude each other", e.name)
			}
			e.command = slices.Clone(e.build) // until the sources are built
		}
		specs = append(specs, e)
	}
	nameEngines(specs)
	return specs, nil
}

// buildEngines builds the engines of a match that are given by their sources, for this
// machine. It is slow, so call it after all checks.
func (c *matchConfig) buildEngines(m *match.Match, stdout io.Writer) error {
	c.built.out = stdout
	ctx, release := commandline.UntilInterrupted()
	defer release()
	for i := range c.described {
		e := &c.described[i]
		if len(e.build) == 0 {
			continue
		}
		path, err := c.built.program(ctx, e.build[0], thisSystem)
		if err != nil {
			return err
		}
		e.command[0] = path
		made, err := e.engine()
		if err != nil {
			return err
		}
		m.Engines[i].Start, m.Engines[i].Build = made.Start, made.Build
	}
	return nil
}

// test returns the sequential test, nil without one.
func (c *matchConfig) test() (*stats.SPRT, error) {
	if c.sprt == "" {
		return nil, nil
	}
	if _, err := fmt.Sscanf(c.sprt+"\n", "%g,%g\n", &c.hypotheses.Elo0, &c.hypotheses.Elo1); err != nil {
		return nil, fmt.Errorf("-sprt %q: not ELO0,ELO1", c.sprt)
	}
	return stats.NewSPRT(c.hypotheses)
}

// match returns the match that the flags describe. schedule makes its schedule from
// the numbers of engines and rounds; the engines in more follow those of the flags.
// Errors are errors of the command line or of the files that it names.
func (c *matchConfig) match(schedule func(engines, rounds int) match.Schedule, more ...game.Engine) (*match.Match, error) {
	specs, err := c.engines()
	if err != nil {
		return nil, err
	}
	c.described = specs
	pairs, err := c.requestedPairs()
	if err != nil {
		return nil, err
	}
	book, source, err := c.readBook()
	if err == nil {
		err = c.checkTurnLimit()
	}
	if err != nil {
		return nil, err
	}
	rounds, err := c.rounds(pairs)
	if err != nil {
		return nil, err
	}
	m := &match.Match{
		Concurrency: c.concurrency, ContinueOnFault: c.recover, ReplayFaults: c.faultsAgain, OtherPrograms: c.otherPrograms,
		Openings:   book,
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
	if e := absent(m); e != nil && c.hub.URL == "" {
		return nil, fmt.Errorf("engine %q is offered by workers of a hub; give -hub", e.Name)
	}
	if m.Processors, err = c.shareProcessors(m); err != nil {
		return nil, err
	}
	if m.Test, err = c.test(); err != nil {
		return nil, err
	}
	if m.ID, err = identity(specs, more, m, source); err != nil {
		return nil, err
	}
	c.load = newMachineLoad(m)
	return m, m.Check()
}

// shareProcessors returns the processors of each concurrent game, or nil if games
// share all. It rejects more games than the machine has processors for, unless the
// games are played over a hub.
func (c *matchConfig) shareProcessors(m *match.Match) ([][]int, error) {
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
	if ponders { // both engines of a game think at the same time
		threads *= 2
	}
	switch wanted := c.concurrency * threads; {
	case c.pin && c.concurrency > 0:
		shares, err := load.Share(c.concurrency, threads)
		if err != nil {
			return nil, fmt.Errorf("-pin: %w", err)
		}
		return shares, nil
	case wanted > load.Processors() && !c.oversubscribe && c.hub.URL == "":
		return nil, fmt.Errorf("-concurrency %d with %d threads per game: this machine has %d processors, so engines may lose on time; "+
			"reduce -concurrency or give -oversubscribe", c.concurrency, threads, load.Processors())
	}
	return nil, nil
}

// identity returns the identity of a match. It depends on the engines, pairings,
// openings and conditions, but not on the number of rounds.
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

// files returns the output files of the games, and sets c.out. The name of a new file contains
// the time.
func (c *matchConfig) files(now time.Time) match.Files {
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
		files.Records = "" // no files next to a device
	}
	return files
}

// requestedPairs returns the number of pairs of each pairing, or 0 for as many as a
// test needs.
func (c *matchConfig) requestedPairs() (int, error) {
	switch {
	case c.pairs < 0 || c.games < 0 || c.games%2 != 0:
		return 0, errors.New("-pairs and -games must be positive, and -games even, because each opening is played with both colors")
	case c.pairs > 0:
		return c.pairs, nil
	case c.games > 0:
		return c.games / 2, nil
	case c.sprt != "":
		return 0, nil
	}
	return 0, errors.New("the number of games is missing; give -pairs, -games or, for a match, -sprt")
}

// unlimited is the number of pairs if none is given.
const unlimited = hub.Unlimited

// rounds returns the largest number of pairs of each pairing, such that no opening is
// repeated unless -repeat-openings is set.
func (c *matchConfig) rounds(pairs int) (int, error) {
	if c.opened == nil || c.repeatOpenings {
		return cmp.Or(pairs, unlimited), nil
	}
	if pairs > len(c.opened) {
		return 0, fmt.Errorf("%s has %d openings for %d pairs of each pairing; give -pairs %d, more openings, or -repeat-openings", c.bookName(), len(c.opened), pairs, len(c.opened))
	}
	return cmp.Or(pairs, len(c.opened)), nil
}

// bookName names the source of openings that can run out.
func (c *matchConfig) bookName() string {
	if c.book == "" {
		return "-opening-rings " + c.recipe.Rings.String()
	}
	if c.selected.Plies > 0 || c.selected.Start > 1 {
		return c.book + " as selected"
	}
	return c.book
}

// readBook reads the file of openings. Without one it makes a generator of random openings. If the
// openings can run out, c.opened holds them all. The text identifies the openings.
func (c *matchConfig) readBook() (book match.Openings, text string, err error) {
	if c.book == "" {
		generator, err := openings.NewGenerator(c.recipe)
		if err != nil {
			return nil, "", err
		}
		// If the search has changed, the openings have too.
		first, err := generator.Opening(0)
		if err != nil {
			return nil, "", err
		}
		text = c.recipe.String() + ": " + openings.Format(first)
		if !c.recipe.Few() {
			return generator, text, nil
		}
		c.opened = generator.All()
		return c.opened, text, nil
	}
	file, err := commandline.Open(c.book)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	all, err := openings.Read(file, c.book, c.recipe.Rules)
	if err != nil {
		return nil, "", err
	}
	c.selected.Seed = c.recipe.Seed
	if c.opened, err = all.Select(c.selected); err != nil {
		return nil, "", fmt.Errorf("%s: %w", c.book, err)
	}
	var texts []string
	for _, o := range c.opened {
		texts = append(texts, openings.Format(o))
	}
	return c.opened, fmt.Sprintf("%x", xxh3.HashString(strings.Join(texts, "\n"))), nil
}

// checkTurnLimit rejects -max-turns if openings reach it: all games would be draws.
func (c *matchConfig) checkTurnLimit() error {
	longest := c.recipe.Turns()
	if c.book != "" {
		longest = 0
		for i := range c.opened {
			longest = max(longest, len(c.opened[i].Turns))
		}
	}
	if most := c.adjudication.MaxTurns; most > 0 && most <= longest {
		return fmt.Errorf("-max-turns %d: it counts the turns of the opening, and openings have up to %d; give a larger number", most, longest)
	}
	return nil
}

// setOrder reads -opening-order.
func (c *matchConfig) setOrder(text string) error {
	c.selected.Shuffled = text == "random"
	if text != "random" && text != "sequential" {
		return errors.New("not sequential or random")
	}
	return nil
}

// setup returns how the match was started. It leaves out the hub, because its keys are
// secret and the games are the same without it.
func (c *matchConfig) setup() *match.Setup {
	s := &match.Setup{Command: c.repeat(c.marked(unrecorded)...), Version: engine.Version, Options: map[string]string{}, Flags: c.playedFlags()}
	if c.book == "" {
		s.Openings = c.recipe.String()
	} else {
		s.Openings = fmt.Sprintf("%s, %d openings, %s", filepath.Base(c.book), len(c.opened), fileHash(c.book))
		if c.selected.Shuffled {
			s.Openings += fmt.Sprintf(", in random order from seed %d", c.recipe.Seed)
		}
	}
	for i := range c.described {
		e := &c.described[i]
		s.Engines = append(s.Engines, e.String())
		options := e.options
		if len(e.command) > 0 {
			var err error
			if _, options, err = e.program(); err != nil { // with names of files relative to here
				continue
			}
		}
		for _, o := range options {
			s.Options[e.name] = strings.TrimSpace(s.Options[e.name] + " " + o.Name + "=" + o.Value)
			if hash := fileHash(o.Value); hash != "" && game.IsRead(o.Name) {
				s.Files = append(s.Files, fmt.Sprintf("%s: %s %s, %s", e.name, o.Name, filepath.Base(o.Value), hash))
			}
		}
	}
	return s
}

// playedFlags returns the flags that the games depend on with their values, defaults included.
func (c *matchConfig) playedFlags() map[string][]string {
	values := map[string][]string{}
	for _, name := range c.marked(played) {
		f := c.flags.Lookup(name)
		if t, ok := f.Value.(*textFlag); ok {
			values[name] = t.texts
		} else if text := f.Value.String(); text != "" {
			values[name] = []string{text}
		}
	}
	values["engine"] = c.specs.texts // a pairing of versions has its own
	maps.DeleteFunc(values, func(_ string, texts []string) bool { return len(texts) == 0 })
	return values
}

// fileHash returns the hash of a file for people, or "" if it cannot be read.
func fileHash(path string) string {
	hash := game.HashFile(path)
	if hash == "" {
		return ""
	}
	return "xxh3 " + hash
}

// warnRepeats warns before a match that openings will run out or repeat.
func (c *matchConfig) warnRepeats(w io.Writer, m *match.Match) {
	if c.opened == nil {
		return
	}
	switch repeats := count(c.opened.Repeats(m.Schedule.Rounds)); {
	case repeats > 0:
		_, _ = fmt.Fprintf(w, "warning: %d of the %d pairs of each pairing repeat an opening (%s has %d): "+
			"if the engines repeat their games, the error bars are too small\n", repeats, m.Schedule.Rounds, c.bookName(), len(c.opened))
	case m.Test != nil && m.Schedule.Rounds == len(c.opened):
		_, _ = fmt.Fprintf(w, "warning: %s has %[2]d openings, so the match ends after %[2]d pairs even if the test is undecided\n", c.bookName(), len(c.opened))
	}
}

// count returns the number of true values.
func count(all []bool) (n int) {
	for _, one := range all {
		if one {
			n++
		}
	}
	return n
}

// writeRepeats writes how many of the counted pairs repeat an opening.
func (c *matchConfig) writeRepeats(w io.Writer, m *match.Match, s *match.Standing) error {
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
	_, err := fmt.Fprintf(w, "  repeats %d of %d pairs repeat an opening, so the error bars may be too small\n", count(pairs), s.Settled)
	return err
}

// repeat returns the command line that repeats this run, with each flag as it was
// given, also by a file, except for those in without.
func (c *matchConfig) repeat(without ...string) string {
	return commandLine(c.repeatWords(without...))
}

// repeatWords returns the program, the command, and each flag with its value, quoted for a
// shell.
func (c *matchConfig) repeatWords(without ...string) []string {
	words := []string{programName(os.Args[0]), c.flags.Name()}
	c.flags.Visit(func(f *flag.Flag) {
		if f.Name == "config" || slices.Contains(without, f.Name) {
			return
		}
		texts := []string{f.Value.String()}
		if t, ok := f.Value.(*textFlag); ok {
			texts = t.texts
		}
		between := " "
		if commandline.IsBool(f) {
			between = "="
		}
		for _, text := range texts {
			words = append(words, "-"+f.Name+between+commandline.QuoteWord(text))
		}
	})
	return words
}

// commandLine joins the words of a command line. Unless the shell is that of Windows, it
// breaks the line before flags to textWidth columns.
func commandLine(words []string) string {
	const indent = "      "
	text, width := "", len("  ")
	for i, word := range words {
		switch n := utf8.RuneCountInString(word); {
		case i == 0:
			text, width = word, width+n
		case runtime.GOOS != "windows" && width+1+n+len(" \\") > textWidth && strings.HasPrefix(word, "-"):
			text, width = text+" \\\n"+indent+word, len(indent)+n
		default:
			text, width = text+" "+word, width+1+n
		}
	}
	return text
}

// programName returns the shell command of a program, given os.Args[0]. A program
// built by go run is deleted when it exits.
func programName(called string) string {
	for _, folder := range strings.Split(filepath.ToSlash(called), "/") {
		if strings.HasPrefix(folder, "go-build") {
			return "go run gyre/cmd/gyre-arena"
		}
	}
	return commandline.QuoteWord(called)
}

// resume returns the command line that resumes the match.
func (c *matchConfig) resume() string {
	return commandLine(append(c.repeatWords("out"), "-out "+commandline.QuoteWord(c.out)))
}

// decodedFile returns the text of a file.
func decodedFile(path string) (string, error) {
	content, err := commandline.ReadFile(path)
	if err != nil {
		return "", err
	}
	text, err := plaintext.Decode(string(content))
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// applyConfig sets flags from a file, except for those on the command line.
func applyConfig(flags *flag.FlagSet, path string) error {
	content, err := decodedFile(path)
	if err != nil {
		return err
	}
	text := []byte(content)
	values := map[string]any{}
	if filepath.Ext(path) == ".json" {
		if values, err = readJSON(path, text); err != nil {
			return err
		}
	} else if err = toml.Unmarshal(text, &values); err != nil {
		if e, ok := errors.AsType[toml.ParseError](err); ok {
			return fmt.Errorf("%s:%d: %s", path, e.Position.Line, e.Message)
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	set := commandline.Given(flags)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if flags.Lookup(name) == nil || name == "config" {
			var names []string
			flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
			return fmt.Errorf("%s: unknown flag %q%s", path, name, commandline.DidYouMean("", name, names))
		}
		if set[name] {
			continue
		}
		if err := applyValue(flags, name, values[name]); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// readJSON reads a file that is one JSON object. Unlike encoding/json it rejects two equal
// keys in an object, of which the second would silently replace the first. Numbers stay as
// they are written.
func readJSON(path string, text []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	fail := func(err error) error {
		at := decoder.InputOffset()
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = e.Offset
		}
		if errors.Is(err, io.EOF) {
			at, err = int64(len(text)), io.ErrUnexpectedEOF
		}
		return fmt.Errorf("%s:%d: %w", path, 1+bytes.Count(text[:min(int(at), len(text))], []byte("\n")), err)
	}
	value, err := jsonValue(decoder)
	if err != nil {
		return nil, fail(err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fail(errors.New("not a JSON object of flags"))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fail(errors.New("there is more after the end of the object; remove it"))
	}
	return object, nil
}

// jsonValue reads the next value of JSON.
func jsonValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	object, list := map[string]any{}, []any{}
	for token == json.Delim('{') && decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name := key.(string) // the decoder accepts no other key
		if _, twice := object[name]; twice {
			return nil, fmt.Errorf("%q is given twice; give it once", name)
		}
		if object[name], err = jsonValue(decoder); err != nil {
			return nil, err
		}
	}
	for token == json.Delim('[') && decoder.More() {
		one, err := jsonValue(decoder)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	switch token {
	case json.Delim('{'):
		_, err = decoder.Token() // the closing brace
		return object, err
	case json.Delim('['):
		_, err = decoder.Token()
		return list, err
	}
	return token, nil
}

// applyValue sets one flag. A list sets a flag that may be given several times once per element.
func applyValue(flags *flag.FlagSet, name string, value any) error {
	texts, kept := flags.Lookup(name).Value.(*textFlag)
	list, isList := value.([]any)
	if tables, ok := value.([]map[string]any); ok {
		for _, table := range tables {
			list = append(list, table)
		}
		isList = true
	}
	if !isList || !kept || !texts.many {
		return commandline.SetFlag(flags, name, configText(value))
	}
	for _, one := range list {
		if err := commandline.SetFlag(flags, name, configText(one)); err != nil {
			return err
		}
	}
	return nil
}

// configText returns a value as it is written on the command line.
func configText(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return commandline.JoinWords(tableWords("", v))
	case []any:
		var parts []string
		for _, one := range v {
			parts = append(parts, configText(one))
		}
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(value)
}

// tableWords returns a table as words KEY=VALUE, and nested tables as KEY.KEY=VALUE.
func tableWords(prefix string, table map[string]any) []string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if inner, ok := table[key].(map[string]any); ok {
			words = append(words, tableWords(prefix+key+".", inner)...)
			continue
		}
		words = append(words, prefix+key+"="+configText(table[key]))
	}
	return words
}
