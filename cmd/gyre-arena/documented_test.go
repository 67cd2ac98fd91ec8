package main

import (
	"regexp"
	"strings"
	"testing"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/shellwords"
)

var (
	// codeText finds what Markdown has as code: a block, or words in a sentence.
	codeText = regexp.MustCompile("(?s)```.*?```|`[^`]+`")
	// ownCommand finds a command line of ours in a line of it.
	ownCommand = regexp.MustCompile(`gyre-arena ([a-z]+ .*)`)
)

// documentedCommands returns the command lines of a text in Markdown, without the program's
// name.
func documentedCommands(text string) (lines []string) {
	for _, code := range codeText.FindAllString(text, -1) {
		if block, is := strings.CutPrefix(code, "```"); is {
			code = strings.ReplaceAll(block, "\\\n", " ")
		} else {
			code = strings.ReplaceAll(code, "\n", " ")
		}
		for line := range strings.Lines(code) {
			if found := ownCommand.FindStringSubmatch(strings.Trim(line, "`\n")); found != nil {
				lines = append(lines, found[1])
			}
		}
	}
	return lines
}

// TestDocumentedFlags has each command line of the README and of HUB.md hold no flag that its
// command does not know.
func TestDocumentedFlags(t *testing.T) {
	flag, help := regexp.MustCompile(`^-[a-z-]+$`), map[string]string{}
	for _, page := range []string{"HUB.md", "../../README.md"} {
		lines := documentedCommands(readText(t, page))
		if len(lines) < 5 {
			t.Errorf("%s has %d command lines", page, len(lines))
		}
		for _, line := range lines {
			words, err := shellwords.Split(line)
			if err != nil || len(words) == 0 {
				t.Errorf("%s: %s: %v", page, line, err)
				continue
			}
			command := words[0]
			if strings.HasPrefix(line, "hub key ") {
				command = "hub key"
			}
			if help[command] == "" {
				got := runLine(command + " -h")
				if got.Status != commandline.ExitSuccess {
					t.Errorf("%s: %s: no such command", page, line)
				}
				help[command] = got.Stdout
			}
			for _, word := range words[1:] {
				if flag.MatchString(word) && !regexp.MustCompile(`(?m)^ +`+word+`\b`).MatchString(help[command]) {
					t.Errorf("%s: %s: no flag %s", page, line, word)
				}
			}
		}
	}
}
