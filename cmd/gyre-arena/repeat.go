package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"

	"gyre/cmd/internal/shellwords"
)

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
