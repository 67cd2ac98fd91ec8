package main

import (
	"flag"
	"strings"

	"gyre/cmd/internal/shellwords"
)

// repeat returns the command line that does the same again, whatever file its
// flags came from, each flag as it was given but for those in without.
func (c *contest) repeat(without ...string) string {
	words := []string{"gyre-arena", c.flags.Name()}
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

// isBool tells whether a flag takes no word after it.
func isBool(flags *flag.FlagSet, name string) bool {
	b, ok := flags.Lookup(name).Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// goOn returns the command line that goes on with the games of a file.
func (c *contest) goOn() string { return c.repeat("out") + " -out " + shellwords.Quote(c.out) }
