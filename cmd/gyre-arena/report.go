package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"gyre/bench/match"
	"gyre/bench/report"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

const reportSynopsis = `usage: gyre-arena report GAMES.jsonl ... -o FILE.html [FLAGS]

Makes an HTML page about the games of a match:

  gyre-arena report new.jsonl -o new.html

The page works offline. It begins with the verdict, says what was compared and
how to repeat it, and has tables, charts and every game. In the charts, the
arrow keys show the values, + and - zoom, and 0 shows everything. A game opens
on a board with its turns and scores; #game-12-40 in the address opens turn 40
of game 12. From there, games open in gyre-board, which must be running. The
page grows by one or two kilobytes per game.
`

// runReport makes a page about games.
func runReport(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("report")
	path := flags.String("o", "report.html", "`FILE` for the page")
	board := flags.String("board", report.DefaultBoard, "`URL` of the board that opens games: gyre-board, or a site that it exported")
	unchecked := flags.Bool("unchecked", false, uncheckedHelp)
	h := stats.Hypotheses{}
	flags.Float64Var(&h.Elo0, "elo0", 0, "`Elo` of hypothesis H0; with -elo1 it replaces the match's own test")
	flags.Float64Var(&h.Elo1, "elo1", 0, "`Elo` of hypothesis H1")
	flags.Float64Var(&h.Alpha, "alpha", 0.05, "`probability` of accepting H1 if H0 is true")
	flags.Float64Var(&h.Beta, "beta", 0.05, "`probability` of accepting H0 if H1 is true")
	flags.TextVar(&h.Model, "model", stats.Normalized, "unit of -elo0 and -elo1, `normalized|logistic` Elo")
	files, args := commandline.LeadingWords(args)
	if err := commandline.Parse(flags, args, reportSynopsis, stdout); err != nil {
		return err
	}
	if len(files) == 0 {
		return &commandline.UsageError{Command: "report", Err: errors.New("no games; name at least one file")}
	}
	data := report.New()
	data.Board(*board)
	if set := commandline.Given(flags); set["elo0"] || set["elo1"] {
		if _, err := stats.NewSPRT(h); err != nil {
			return &commandline.UsageError{Command: "report", Err: err}
		}
		data.Test(h)
	}
	for _, name := range files {
		if err := readGames(name, *unchecked, data.Add); err != nil {
			return err
		}
	}
	if err := writePage(*path, data); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "wrote a report of %d games to %s\n", data.Games(), *path)
	return err
}

// readGames calls visit for each game of a file.
func readGames(name string, unchecked bool, visit func(*match.Line) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return match.ReadGames(file, name, unchecked, visit)
}

// pageMark is the start of a page. A file without it is not overwritten.
const pageMark = `<meta name="generator" content="gyre-arena report">`

// writePage writes the page to a file.
func writePage(path string, data *report.Data) error {
	if data.Games() == 0 {
		return errors.New("the files contain no games")
	}
	return replaceFile(path, pageMark, data.Write)
}
