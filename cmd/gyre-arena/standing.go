package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

const standingSynopsis = `usage: gyre-arena standing GAMES.jsonl ... [-anchor NAME=ELO] [-json FILE] [FLAGS]

Counts the games of one file or several together, of any matches: a cross table with
the ratings of all engines by maximum likelihood, then by how much each is rated above
each other one, and how likely it is the stronger one (LOS). Errors are half the 95%
interval; those of differences come from the covariance of the ratings, so they hold
also where two engines met only through others.

Engines of one name are taken as one. A game that several files hold counts once. Only
whole pairs count, both games of an opening, and none that an engine's fault decided.
`

// runStanding prints the standing of files of games.
func runStanding(args []string, stdout, stderr io.Writer) error {
	flags := commandline.NewFlags("standing")
	anchor := flags.String("anchor", "", anchorHelp)
	path := flags.String("json", "", summaryHelp+"; - for standard output, instead of the tables")
	unchecked := flags.Bool("unchecked", false, uncheckedHelp)
	files, args := commandline.LeadingWords(args)
	if err := commandline.Parse(flags, args, standingSynopsis, stdout); err != nil {
		return err
	}
	wrong := func(err error) error { return &commandline.UsageError{Command: "standing", Err: err} }
	if len(files) == 0 {
		return wrong(errors.New("no file of games given"))
	}
	if i := slices.IndexFunc(files, func(name string) bool { return sameFile(*path, name) }); i >= 0 {
		return wrong(fmt.Errorf("%s is named twice, for games and for -json", files[i]))
	}
	pool, err := readPool(files, *unchecked)
	if err != nil {
		return err
	}
	s := pool.Standing()
	fixed, err := parseAnchor(*anchor, s.Names)
	if err != nil {
		return wrong(err)
	}
	if err := warnOfPool(stderr, pool); err != nil {
		return err
	}
	table, err := rated(s, fixed)
	if err != nil {
		return err
	}
	if *path == "-" {
		return newSummary("standing", table, nil).write(stdout)
	}
	if _, err := fmt.Fprintf(stdout, "%d games of %d engines, %d pairs that count\n", s.Games, len(s.Names), s.Settled-s.LeftOut); err != nil {
		return err
	}
	return errors.Join(writeTournament(stdout, table), writeDifferences(stdout, table), saveSummary(*path, newSummary("standing", table, nil)))
}

// readPool reads files of games together.
func readPool(files []string, unchecked bool) (*match.Pool, error) {
	pool := &match.Pool{}
	for _, name := range files {
		if err := readGames(name, unchecked, func(line *match.Line) error { pool.Add(line); return nil }); err != nil {
			return nil, err
		}
	}
	if len(pool.Pairs()) == 0 {
		return nil, errors.New("the files hold no games")
	}
	return pool, nil
}

// warnOfPool tells what a reader of the numbers has to know.
func warnOfPool(w io.Writer, pool *match.Pool) error {
	var b strings.Builder
	if n := pool.Repeated; n > 0 {
		fmt.Fprintf(&b, "warning: %d games are there more than once, turn for turn, and count once\n", n)
	}
	for _, line := range pool.Mixed() {
		fmt.Fprintf(&b, "warning: %s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeDifferences writes by how much each engine is rated above each other one, and
// how likely each is the stronger.
func writeDifferences(w io.Writer, s *ratedStanding) error {
	var b strings.Builder
	if s.ratings == nil {
		fmt.Fprintf(&b, "\nno ratings: no games link %s to %s, not even through others\n", s.Names[s.unlinked.First], s.Names[s.unlinked.Second])
		_, err := io.WriteString(w, b.String())
		return err
	}
	order := s.order()
	matrix := func(title string, cell func(i, j int) string) error {
		fmt.Fprintf(&b, "\n%s\n", title)
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(table, "#\tengine\t")
		for place := range order {
			fmt.Fprintf(table, "%d\t", place+1)
		}
		fmt.Fprintln(table)
		for place, i := range order {
			fmt.Fprintf(table, "%d\t%s\t", place+1, s.Names[i])
			for _, j := range order {
				if i == j {
					fmt.Fprint(table, "\t")
					continue
				}
				fmt.Fprintf(table, "%s\t", cell(i, j))
			}
			fmt.Fprintln(table)
		}
		return table.Flush()
	}
	err := errors.Join(
		matrix("Elo of the row's engine above the column's", func(i, j int) string { return estimate(s.ratings.Difference(i, j)) }),
		matrix("likelihood that the row's engine is stronger than the column's, in percent", func(i, j int) string { return fmt.Sprintf("%.1f", 100*s.ratings.LOS(i, j)) }))
	_, failed := io.WriteString(w, b.String())
	return errors.Join(err, failed)
}
