package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
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
