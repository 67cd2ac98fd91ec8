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

Makes one page of HTML of the games of a match, which needs no network: tables,
charts of Elo and LLR as they went, results by opening and by colour, lengths,
reasons of loss, depth and time used. The charts answer the mouse and the keys:
arrows show the values, + and - zoom, 0 shows all. Each game can be opened on a board
and stepped through with its scores; #game-12-40 in the page's address opens turn 40 of
game 12. A game takes a kilobyte or two of the page.
`

// runReport makes a page of games.
func runReport(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("report")
	path := flags.String("o", "report.html", "`FILE` for the page")
	unchecked := flags.Bool("unchecked", false, uncheckedHelp)
	h := stats.Hypotheses{}
	flags.Float64Var(&h.Elo0, "elo0", 0, "`Elo` of hypothesis H0, with -elo1 instead of the match's own test")
	flags.Float64Var(&h.Elo1, "elo1", 0, "`Elo` of hypothesis H1")
	flags.Float64Var(&h.Alpha, "alpha", 0.05, "`chance` to accept H1 where H0 holds")
	flags.Float64Var(&h.Beta, "beta", 0.05, "`chance` to accept H0 where H1 holds")
	flags.TextVar(&h.Model, "model", stats.Normalized, "`unit` of -elo0 and -elo1: normalized or logistic")
	files, args := commandline.LeadingWords(args)
	if err := commandline.Parse(flags, args, reportSynopsis, stdout); err != nil {
		return err
	}
	if len(files) == 0 {
		return &commandline.UsageError{Command: "report", Err: errors.New("no file of games given")}
	}
	data := report.New()
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
	_, err := fmt.Fprintf(stdout, "%d games reported in %s\n", data.Games(), *path)
	return err
}

// readGames visits the games of a file.
func readGames(name string, unchecked bool, visit func(*match.Line) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return match.ReadGames(file, name, unchecked, visit)
}

// pageMark is what a page begins with that may be written over.
const pageMark = `<meta name="generator" content="gyre-arena report">`

// writePage writes the page to a file.
func writePage(path string, data *report.Data) error {
	if data.Games() == 0 {
		return errors.New("the files hold no games")
	}
	return replaceFile(path, pageMark, data.Write)
}
