package main

import (
	"fmt"
	"io"
	"slices"
)

// runHelp lists the commands, or has the one named show its flags.
func runHelp(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return listCommands(stdout)
	}
	if len(args) > 1 {
		return &usageError{command: "help", err: fmt.Errorf("unexpected word %q", args[1])}
	}
	if args[0] == "help" || asksForHelp(args[0]) {
		return listCommands(stdout)
	}
	c, err := find(args[0])
	if err != nil {
		return err
	}
	return c.run([]string{"-help"}, stdout, stderr)
}

// listCommands writes the usage and a line for each command.
func listCommands(w io.Writer) error {
	text := "usage: gyre-arena COMMAND [FLAGS]\n\ncommands:\n"
	for _, c := range commands() {
		text += fmt.Sprintf("  %-12s %s\n", c.name, c.summary)
	}
	text += "\n\"gyre-arena help COMMAND\" shows the flags of a command.\n"
	_, err := io.WriteString(w, text)
	return err
}

// asksForHelp says whether the word is the flag that the flag package takes for
// a call for help.
func asksForHelp(word string) bool {
	return slices.Contains([]string{"-h", "--h", "-help", "--help"}, word)
}
