package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"gyre/bench"
	"gyre/bench/hub"
	"gyre/bench/journal"
	"gyre/bench/openings"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/hubflags"
	"gyre/cmd/internal/progress"
	"gyre/protocol"
	"gyre/search/alphabeta"
	"gyre/search/book"
	"gyre/search/evaluation"
)

const openingsSynopsis = `usage: gyre-arena openings -count N [-o FILE] [FLAGS]

Makes random openings, one per line, for -openings of other commands:

  gyre-arena openings -count 500 -o openings.txt

All or some rings are placed at random; if all are placed, random turns follow.
The openings are distinct up to the 12 symmetries of the board. An opening is
kept only if a search sees no side ahead by more than a bound. The same flags
make the same openings on any machine.
`

// runOpenings makes openings.
func runOpenings(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("openings")
	recipe := openings.Default
	count := flags.Int("count", 0, "`number` of openings")
	path := flags.String("o", "", "`FILE` for the openings (default: standard output)")
	flags.Uint64Var(&recipe.Seed, "seed", recipe.Seed, "seed, a whole `number`")
	recipeFlags(flags, &recipe)
	commandline.RulesVar(flags, &recipe.Rules)
	if err := commandline.Parse(flags, args, openingsSynopsis, stdout); err != nil {
		return err
	}
	generator, err := openings.NewGenerator(recipe)
	if *count < 1 {
		err = errors.Join(errors.New("the number of openings is missing; give -count"), err)
	}
	if err != nil {
		return &commandline.UsageError{Command: "openings", Err: err}
	}
	if *path == "" {
		return writeOpenings(stdout, generator, recipe, *count)
	}
	return save(stdout, *path, openingsMark, fmt.Sprintf("%d openings", *count), func(w io.Writer) error { return writeOpenings(w, generator, recipe, *count) })
}

// openingsMark is the start of a file of openings. A file without it is not
// overwritten.
const openingsMark = "# gyre-arena openings: "

// writeOpenings writes the first openings of a generator.
func writeOpenings(w io.Writer, generator *openings.Generator, recipe openings.Recipe, count int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s%d, %s\n", openingsMark, count, recipe)
	for i := range count {
		o, err := generator.Opening(i)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		fmt.Fprintln(out, openings.Format(o))
	}
	return out.Flush()
}

const exploreSynopsis = `usage: gyre-arena explore [-o FILE] [FLAGS]

Makes the table of the board's opening explorer:

  gyre-arena explore -o cmd/gyre-board/page/parts/explorer/openings.txt

The engine plays itself. For each position of the openings, the table holds the
number of games that reached it, White's result, and the score of a search.
Symmetric positions are one. The same flags and the same version of the engine
make the same table on any machine. The first line names the flags and the version:
its search, by the signature of gyre bench, and its weights.
`

// exploreMark is the start of a table. A file without it is not overwritten.
const exploreMark = "# gyre-arena explore: "

// runExplore makes a table of openings.
func runExplore(args []string, stdout, stderr io.Writer) error {
	e := openings.DefaultExploration
	var meter progress.Flags
	flags := commandline.NewFlags("explore")
	path := flags.String("o", "", "`FILE` for the table (default: standard output)")
	threads := flags.Int("threads", runtime.NumCPU(), "`games` at the same time")
	flags.Uint64Var(&e.Seed, "seed", e.Seed, "seed, a whole `number`")
	flags.IntVar(&e.Games, "games", e.Games, "`number` of games")
	flags.Uint64Var(&e.Nodes, "nodes", e.Nodes, "`nodes` of the search for a turn")
	flags.IntVar(&e.Plies, "plies", e.Plies, "`turns` at the start of each game that are counted")
	flags.Float64Var(&e.Slips, "slips", e.Slips, "`probability` that one of these turns is random")
	flags.IntVar(&e.MinGames, "least", e.MinGames, "omit positions with fewer `games`")
	flags.Uint64Var(&e.ScoreNodes, "judge-nodes", e.ScoreNodes, "`nodes` of the search that scores a position")
	commandline.RulesVar(flags, &e.Rules)
	meter.Add(flags)
	if err := commandline.Parse(flags, args, exploreSynopsis, stdout); err != nil {
		return err
	}
	if err := e.Check(); err != nil {
		return &commandline.UsageError{Command: "explore", Err: err}
	}
	if *path != "" { // before the games, not after them
		if err := journal.MayWrite(*path, exploreMark); err != nil {
			return err
		}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	bar := meter.Meter("games", stderr, stderr)
	bar.Begin(e.Games, 0)
	found, err := e.Run(ctx, *threads, func(done, of int) {
		if done <= e.Games {
			bar.Step(nil)
		}
	})
	bar.End()
	if err != nil {
		return err
	}
	if *path == "" {
		return writeExplored(stdout, e, found)
	}
	return save(stdout, *path, exploreMark, fmt.Sprintf("a table of %d openings", len(found)), func(w io.Writer) error { return writeExplored(w, e, found) })
}

// writeExplored writes the table.
func writeExplored(w io.Writer, e openings.Exploration, found []openings.Explored) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s%v; %s\n", exploreMark, e, engineName())
	for _, x := range found {
		fmt.Fprintln(out, x)
	}
	return out.Flush()
}

var bookSynopsis = fmt.Sprintf(`usage: gyre-arena book -o FILE [FLAGS]
       gyre-arena book -check FILE [FLAGS]

Makes an opening book for the engine's options OwnBook and BookFile:

  gyre-arena book -o opening.book -positions 1000 -nodes 50000

It searches the empty board with several lines, then the positions after these
lines, and so on, the likeliest first. Symmetric positions are one. Each search
goes to FILE.searches, so you can stop the command at any time and repeat it. With
a larger -positions it continues, and the book grows. The same flags make the same
book on any machine, with any number of threads.

With -check, it reads a book and the searches next to it, makes the book again from
the searches, compares both, and repeats some of the searches:

  gyre-arena book -check opening.book -positions 1000 -nodes 50000 -repeat 20

With -hub, the workers of a hub search, at most %d positions at a time. The book
is the same.
`, openings.Round)

// searchesSuffix is appended to the name of a book for the file of its searches.
const searchesSuffix = ".searches"

// bookCommand is a run of the command.
type bookCommand struct {
	expansion openings.Expansion
	path      string // of the book
	repeats   int    // searches to repeat
	threads   int
	hub       hubflags.Hub
	bar       *progress.Meter
}

// runBook makes or checks an opening book.
func runBook(args []string, stdout, stderr io.Writer) error {
	c := bookCommand{expansion: openings.DefaultExpansion}
	var meter progress.Flags
	flags := commandline.NewFlags("book")
	out := flags.String("o", "", "`FILE` for the book")
	check := flags.String("check", "", "`FILE` of a book to check, made with the same flags")
	flags.IntVar(&c.repeats, "repeat", 10, "`number` of searches that -check repeats")
	flags.IntVar(&c.expansion.Positions, "positions", c.expansion.Positions, "`number` of positions to search")
	flags.Uint64Var(&c.expansion.Nodes, "nodes", c.expansion.Nodes, "`nodes` of each search")
	flags.IntVar(&c.expansion.Lines, "lines", c.expansion.Lines, "`number` of lines of each search, and so of turns of a position in the book")
	flags.IntVar(&c.expansion.Deviation, "deviation", c.expansion.Deviation, "`centipawns` by which a turn may be worse than the best to be followed")
	flags.IntVar(&c.expansion.TurnCost, "turn-cost", c.expansion.TurnCost, "`centipawns` of deviation that delay a position as much as one more turn")
	flags.IntVar(&c.threads, "threads", runtime.NumCPU(), "`searches` at the same time")
	commandline.RulesVar(flags, &c.expansion.Rules)
	c.hub.Add(flags, "")
	meter.Add(flags)
	if err := commandline.Parse(flags, args, bookSynopsis, stdout); err != nil {
		return err
	}
	err := errors.Join(c.hub.Check(), c.expansion.Check())
	switch {
	case (*out == "") == (*check == ""):
		err = errors.Join(errors.New("give either -o or -check"), err)
	case c.hub.URL != "" && commandline.Given(flags)["threads"]:
		err = errors.Join(errors.New("-threads has no effect with -hub"), err)
	case c.hub.URL != "" && *check != "":
		err = errors.Join(errors.New("-check searches on this machine, without -hub"), err)
	case c.repeats < 0:
		err = errors.Join(fmt.Errorf("-repeat %d: must be at least 0", c.repeats), err)
	}
	if err != nil {
		return &commandline.UsageError{Command: "book", Err: err}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	c.bar = meter.Meter("positions", stderr, stderr)
	if c.path = *check; c.path != "" {
		return c.check(ctx, stdout)
	}
	c.path = *out
	return c.make(ctx, stdout)
}

// engineName identifies the version of the engine that results depend on, by the signature of
// its search and by its weights.
func engineName() string {
	return fmt.Sprintf("search %s, weights xxh3 %016x", bench.Signature(bench.AlphaBeta), evaluation.Checksum())
}

// about returns the description of a book.
func (c *bookCommand) about(tree *openings.Tree) string {
	e := c.expansion
	return fmt.Sprintf("%v, %d positions searched, -nodes %d -lines %d -deviation %d -turn-cost %d, %s",
		e.Rules, tree.Searched(), e.Nodes, e.Lines, e.Deviation, e.TurnCost, engineName())
}

// make makes a book.
func (c *bookCommand) make(ctx context.Context, stdout io.Writer) (err error) {
	if err := journal.MayWrite(c.path, book.Mark); err != nil { // before the searches, not after them
		return err
	}
	searches, err := openings.OpenSearches(c.path+searchesSuffix, c.expansion, engineName())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searches.Close()) }()
	through := c.expansion.OnThreads(c.threads)
	if c.hub.URL != "" {
		h, err := c.hub.Connect(ctx, hub.ForMatch, "")
		if err != nil {
			return err
		}
		defer h.Close()
		through = c.searchOnHub(h)
	}
	tree := openings.NewTree(c.expansion)
	c.bar.Begin(c.expansion.Positions, min(len(searches.Known), c.expansion.Positions))
	err = tree.Grow(ctx, through, searches.Known, searches.Keep, func(int) { c.bar.Step(nil) })
	c.bar.End()
	// An interrupted run leaves the book of the searches that it finished.
	if tree.Searched() == 0 {
		return err
	}
	made, failed := tree.Book(c.about(tree))
	if failed == nil {
		failed = journal.WriteFile(c.path, book.Mark, made.Write)
	}
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions, %d of them searched; their searches are in %s\nmain line: %s\n", c.path, made.Len(), tree.Searched(), c.path+searchesSuffix, openings.TextOf(tree.Main()))
	return nil
}

// check checks a book.
func (c *bookCommand) check(ctx context.Context, stdout io.Writer) (err error) {
	found, err := engine.ReadBook(c.path)
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	if _, err := os.Stat(c.path + searchesSuffix); err != nil { // opening it would create it
		return err
	}
	searches, err := openings.OpenSearches(c.path+searchesSuffix, c.expansion, engineName())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searches.Close()) }()
	c.expansion.Positions = min(c.expansion.Positions, max(len(searches.Known), 1))
	tree := openings.NewTree(c.expansion)
	err = tree.Grow(ctx, func(context.Context, []openings.Searched, func(openings.Searched) error) error {
		return errors.New("a search of the book is missing")
	}, searches.Known, nil, nil)
	if err != nil {
		return fmt.Errorf("%s%s: %w", c.path, searchesSuffix, err)
	}
	made, err := tree.Book(c.about(tree))
	if err != nil {
		return err
	}
	if made.About != found.About {
		return fmt.Errorf("%s: it was made as %q; its searches and these flags make %q", c.path, found.About, made.About)
	}
	if !slices.Equal(found.Entries(), made.Entries()) {
		return fmt.Errorf("%s: its positions are not those of its searches: make it again", c.path)
	}
	repeated, err := c.repeat(ctx, searches.Known)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions, as its %d searches give; %d searches repeated with the same result\n", c.path, found.Len(), len(searches.Known), repeated)
	return nil
}

// repeat repeats searches at equal distances, and returns their number.
func (c *bookCommand) repeat(ctx context.Context, known []openings.Searched) (repeated int, err error) {
	count := min(c.repeats, len(known))
	s := alphabeta.New(openings.ExpansionHash)
	defer s.Close()
	c.bar.Begin(count, 0)
	defer c.bar.End()
	for i := range count {
		old := known[i*len(known)/count]
		p := c.expansion.PositionAfter(old.Turns)
		lines, complete := c.expansion.Search(ctx, s, &p)
		if !complete {
			return i, context.Cause(ctx)
		}
		if !slices.Equal(lines, old.Lines) {
			return i, fmt.Errorf("%s%s: the search after %q now finds other lines: another version of the engine made it", c.path, searchesSuffix, openings.TextOf(old.Turns))
		}
		c.bar.Step(nil)
	}
	return count, nil
}

// searchOnHub returns a function that searches on the workers of a hub. Each call sends one request.
func (c *bookCommand) searchOnHub(h *hub.Hub) openings.SearchFunc {
	return func(ctx context.Context, positions []openings.Searched, keep func(openings.Searched) error) (err error) {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		folder, err := os.MkdirTemp("", "gyre-book-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		list := filepath.Join(folder, "positions.txt")
		var text strings.Builder
		for _, p := range positions {
			text.WriteString(openings.TextOf(p.Turns) + "\n")
		}
		if err := os.WriteFile(list, []byte(text.String()), 0o600); err != nil {
			return err
		}
		arguments := []hub.Argument{{Text: "range"}, {Text: "-rules=" + c.expansion.Rules.String()},
			{Text: fmt.Sprintf("-nodes=%d", c.expansion.Nodes)}, {Text: fmt.Sprintf("-lines=%d", c.expansion.Lines)}, {File: list}}
		r := &hub.Ranges{Hub: h, Name: "book", Client: hub.ClientOf(c.path),
			Warn:    func(err error) { c.bar.Print("warning: " + err.Error()) },
			Program: protocol.Program{Path: program}, Arguments: arguments, Size: 1,
			Check: func(first, end uint32, output []byte) error {
				_, err := c.searched(positions[first:end], output)
				return err
			},
			Keep: func(first, end uint32, output []byte) error {
				found, err := c.searched(positions[first:end], output)
				for i := 0; i < len(found) && err == nil; i++ {
					err = keep(found[i])
				}
				return err
			}}
		return r.Run(ctx, 0, uint32(len(positions)))
	}
}

// searched reads the output of the range command and verifies that it has a search for each
// position.
func (c *bookCommand) searched(positions []openings.Searched, output []byte) (found []openings.Searched, err error) {
	for line := range bytes.Lines(output) {
		s, err := openings.ParseSearched(line, c.expansion.Rules)
		if err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	if len(found) != len(positions) {
		return nil, fmt.Errorf("found %d searches, expected %d", len(found), len(positions))
	}
	for i, s := range found {
		if !slices.Equal(s.Turns, positions[i].Turns) {
			return nil, fmt.Errorf("found a search after %q, expected one after %q", openings.TextOf(s.Turns), openings.TextOf(positions[i].Turns))
		}
		if len(s.Lines) == 0 || len(s.Lines) > c.expansion.Lines {
			return nil, fmt.Errorf("found %d lines, expected 1 to %d", len(s.Lines), c.expansion.Lines)
		}
	}
	return found, nil
}

const rangeSynopsis = `usage: gyre-arena range [FLAGS] FILE FIRST END

Searches the positions FIRST to END-1 of FILE, counted from 0, for an opening book,
and writes each search as a line to standard output. A line of FILE holds the turns
from the empty board. Workers of a hub run this command for book -hub.
`

// runRange searches some positions of a file.
func runRange(args []string, stdout, _ io.Writer) error {
	e := openings.DefaultExpansion
	flags := commandline.NewFlags("range")
	flags.Uint64Var(&e.Nodes, "nodes", e.Nodes, "`nodes` of each search")
	flags.IntVar(&e.Lines, "lines", e.Lines, "`number` of lines of each search")
	commandline.RulesVar(flags, &e.Rules)
	words, err := commandline.ParseMixed(flags, args, rangeSynopsis, stdout)
	if err != nil {
		return err
	}
	var ends [2]uint64
	if err = e.Check(); len(words) != 1+len(ends) {
		err = errors.Join(errors.New("expected a file and two numbers: the first position, and the one after the last"), err)
	}
	for i := 1; i < len(words) && err == nil; i++ {
		if ends[i-1], err = strconv.ParseUint(words[i], 10, 32); err != nil {
			err = fmt.Errorf("%q is not the number of a position", words[i])
		}
	}
	if err != nil {
		return &commandline.UsageError{Command: "range", Err: err}
	}
	text, err := decodedFile(words[0])
	if err != nil {
		return err
	}
	lines := slices.Collect(strings.Lines(text))
	if ends[0] > ends[1] || ends[1] > uint64(len(lines)) {
		return fmt.Errorf("%s: it has %d positions, not %d to %d", words[0], len(lines), ends[0], ends[1])
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	s := alphabeta.New(openings.ExpansionHash)
	defer s.Close()
	for number := ends[0]; number < ends[1]; number++ {
		turns, err := openings.ParseTurns(lines[number], e.Rules)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", words[0], number+1, err)
		}
		p := e.PositionAfter(turns)
		found, complete := e.Search(ctx, s, &p)
		if !complete {
			return context.Cause(ctx)
		}
		if err := json.NewEncoder(stdout).Encode(openings.Searched{Turns: turns, Lines: found}); err != nil {
			return err
		}
	}
	return nil
}
