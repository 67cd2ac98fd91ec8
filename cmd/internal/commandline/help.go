package commandline

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Help is the help text of a command.
type Help struct {
	Synopsis string
	Groups   []Group // all flags, in the order of the help; nil for one group
}

// Group is a part of the flags of a command.
type Group struct {
	Title string
	Flags []string // names
	Text  string   // shown after the flags, such as a table
}

// The layout of help, in columns.
const (
	helpWidth  = 80
	helpIndent = 26 // of the explanation of a flag
)

// show writes the help to stdout and returns flag.ErrHelp, or the error of writing.
// If stdout is a flagCollector, it hands over the flags instead.
func (h Help) show(flags *flag.FlagSet, stdout io.Writer) error {
	if c, ok := stdout.(*flagCollector); ok {
		c.flags = flags
		return flag.ErrHelp
	}
	var b bytes.Buffer
	b.WriteString(reflow(strings.TrimRight(h.Synopsis, "\n")) + "\n")
	groups := h.Groups
	if groups == nil {
		var all Group
		flags.VisitAll(func(f *flag.Flag) { all.Title, all.Flags = "Flags", append(all.Flags, f.Name) })
		groups = []Group{all}
	}
	for _, g := range groups {
		if len(g.Flags) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", g.Title)
		for _, name := range g.Flags {
			writeFlag(&b, flags.Lookup(name))
		}
		b.WriteString(g.Text)
	}
	_, err := stdout.Write(b.Bytes())
	return cmp.Or(err, flag.ErrHelp)
}

// reflow wraps the paragraphs of a text to helpWidth columns. It keeps paragraphs with
// indented lines, such as examples, and breaks long lines of usage.
func reflow(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		lines := strings.Split(paragraph, "\n")
		switch {
		case strings.HasPrefix(paragraph, "usage: "):
			for k, line := range lines {
				lines[k] = breakUsage(line)
			}
			paragraphs[i] = strings.Join(lines, "\n")
		case !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, " ") }):
			paragraphs[i] = strings.Join(wrap(strings.Fields(paragraph), helpWidth), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// breakUsage breaks a long line of usage before a bracket.
func breakUsage(line string) string {
	if utf8.RuneCountInString(line) <= helpWidth {
		return line
	}
	start := line[:min(len(line), helpWidth+2)] // with a bracket after the last column
	at := max(strings.LastIndex(start, " ["), strings.LastIndex(start, " ("))
	if at < 0 {
		return line
	}
	return line[:at] + "\n" + breakUsage(strings.Repeat(" ", 11)+line[at:])
}

// wrap joins words to lines of at most the given columns, unless a word is longer.
func wrap(words []string, columns int) (lines []string) {
	for i, word := range words {
		if last := len(lines) - 1; i > 0 && utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) <= columns {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// writeFlag writes the help of a flag.
func writeFlag(b *bytes.Buffer, f *flag.Flag) {
	name, usage := flag.UnquoteUsage(f)
	head := "  -" + f.Name
	if name != "" {
		head += " " + name
		if text, found := strings.CutSuffix(usage, ": "+name); found { // the head says it
			usage = text
		} else if strings.Contains(name, "|") {
			usage = strings.Replace(usage, ", "+name, "", 1)
		}
	}
	if d := f.DefValue; !slices.Contains([]string{"", "0", "false", "0s"}, d) && !strings.Contains(usage, "(default") {
		usage += " (default " + d + ")"
	}
	WriteRow(b, head, usage)
}

// WriteRow writes a head and its explanation in two columns of help, wrapped to 80
// columns.
func WriteRow(w io.Writer, head, text string) {
	lines := wrap(strings.Fields(text), helpWidth-helpIndent)
	space := strings.Repeat(" ", helpIndent)
	if n := utf8.RuneCountInString(head); n < helpIndent-1 && len(lines) > 0 {
		head += strings.Repeat(" ", helpIndent-n) + lines[0]
		lines = lines[1:]
	}
	_, _ = fmt.Fprintln(w, head) // the caller's writer is a buffer
	for _, line := range lines {
		_, _ = fmt.Fprintln(w, space+line)
	}
}

// flagCollector is an output that receives the flags of a command when the command
// is asked for help. Text is discarded.
type flagCollector struct{ flags *flag.FlagSet }

func (*flagCollector) Write(text []byte) (int, error) { return len(text), nil }

// completed is a command with its flags.
type completed struct {
	Command
	flags []*flag.Flag
}

// Flags returns the flags of a command, by asking it for help.
func (c Command) Flags() (all []*flag.Flag) {
	var collector flagCollector
	if c.Run != nil {
		_ = c.Run([]string{"-help"}, &collector, io.Discard)
	}
	if collector.flags != nil {
		collector.flags.VisitAll(func(f *flag.Flag) { all = append(all, f) })
	}
	return all
}

// shells are those that completion has a script for.
var shells = map[string]func(program string, commands []completed) string{
	"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion,
}

// shellNames are the words of the command completion.
var shellNames = []string{"bash", "fish", "zsh"}

// completionHelp explains the command completion.
const completionHelp = `usage: %[1]s completion bash|zsh|fish

Prints a script that completes the commands and flags of %[1]s in a shell.
Load it when the shell starts:

  bash  in ~/.bashrc: source <(%[1]s completion bash)
  zsh   in ~/.zshrc, after compinit: source <(%[1]s completion zsh)
  fish  %[1]s completion fish > ~/.config/fish/completions/%[1]s.fish
`

// completion prints a completion script for the program.
func (p *Program) completion(args []string, stdout, _ io.Writer) error {
	return writeCompletion(p.Name, "completion", p.all(), args, stdout)
}

// completion prints a completion script for a program that is this one command, and its
// subcommands.
func (c *Command) completion(args []string, stdout, _ io.Writer) error {
	alone := *c
	alone.Name = ""
	all := append([]Command{alone}, c.Subcommands...)
	if len(c.Subcommands) > 0 {
		all = append(all, Command{Name: "version", Summary: versionSummary}, Command{Name: "completion", Summary: completionSummary, Words: shellNames})
	}
	return writeCompletion(c.Name, "", all, args, stdout)
}

// WriteCompletion prints the completion script of a program for the shell that args
// names. The program takes one of the words, or the name of one of the commands, as
// its first argument.
func WriteCompletion(program string, words []string, commands []Command, args []string, stdout io.Writer) error {
	all := slices.Clone(commands)
	for _, word := range words {
		all = append(all, Command{Name: word})
	}
	all = append(all, Command{Name: "completion", Words: shellNames})
	return writeCompletion(program, "", all, args, stdout)
}

// writeCompletion writes the script for the shell that args names. command names
// the command in errors.
func writeCompletion(program, command string, commands []Command, args []string, stdout io.Writer) error {
	if len(args) == 1 && asksForHelp(args[0]) {
		_, err := fmt.Fprintf(stdout, completionHelp, program)
		return cmp.Or(err, flag.ErrHelp)
	}
	if len(args) != 1 {
		return &UsageError{Command: command, Err: fmt.Errorf("which shell? Give bash, zsh or fish, as in %q", program+" completion bash")}
	}
	script, ok := shells[args[0]]
	if !ok {
		return &UsageError{Command: command, Err: fmt.Errorf("%q: no completion for this shell; give bash, zsh or fish", args[0])}
	}
	all := make([]completed, len(commands))
	for i, c := range commands {
		all[i] = completed{c, c.Flags()}
	}
	_, err := io.WriteString(stdout, script(program, all))
	return err
}

// choices returns the values of a flag whose placeholder lists them, as in
// standard|blitz.
func choices(f *flag.Flag) []string {
	if name := placeholder(f); strings.Contains(name, "|") {
		return strings.Split(name, "|")
	}
	return nil
}

// TakesFile reports whether the value of a flag is the name of a file.
func TakesFile(f *flag.Flag) bool { return slices.Contains([]string{"FILE", "FILES"}, placeholder(f)) }

// TakesFolder reports whether the value of a flag is the name of a folder.
func TakesFolder(f *flag.Flag) bool {
	return slices.Contains([]string{"DIR", "FOLDER", "folder"}, placeholder(f))
}

// short returns the first clause of the explanation of a flag.
func short(f *flag.Flag) string {
	_, usage := flag.UnquoteUsage(f)
	for _, end := range []string{";", ":", ",", "(", ". "} {
		if at := strings.Index(usage, end); at > 0 {
			usage = usage[:at]
		}
	}
	return strings.TrimSpace(usage)
}

// functionName returns the name of the shell function that completes a program.
// Such a name has letters, digits and underscores only.
func functionName(program string) string {
	return "_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, program)
}

// bashCompletion returns the script for bash. Where it offers nothing, bash
// completes file names.
func bashCompletion(program string, commands []completed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Completion of %s for bash.\n%s() {\n", program, functionName(program))
	b.WriteString("\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n\tCOMPREPLY=()\n")
	alone := commands[0].Name == ""
	var names []string
	for _, c := range commands {
		if c.Name != "" {
			names = append(names, c.Name)
		}
	}
	switch list := QuoteWord(strings.Join(names, " ")); {
	case len(names) == 0:
		b.WriteString("\tlocal command=\n")
	case alone:
		fmt.Fprintf(&b, "\tlocal command=\n\tcase \"${COMP_WORDS[1]}\" in %s) command=${COMP_WORDS[1]} ;; esac\n", strings.Join(names, "|"))
		fmt.Fprintf(&b, "\tif ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then\n\t\tCOMPREPLY=($(compgen -W %s -- \"$cur\"))\n\t\treturn\n\tfi\n", list)
	default:
		fmt.Fprintf(&b, "\tlocal command=${COMP_WORDS[1]}\n\tif ((COMP_CWORD == 1)); then\n\t\tCOMPREPLY=($(compgen -W %s -- \"$cur\"))\n\t\treturn\n\tfi\n", list)
	}
	b.WriteString("\tcase \"$command $prev\" in\n")
	for _, c := range commands {
		for _, f := range c.flags {
			if values := choices(f); values != nil {
				fmt.Fprintf(&b, "\t%s) words=%s ;;\n", QuoteWord(c.Name+" -"+f.Name), QuoteWord(strings.Join(values, " ")))
			} else if !IsBool(f) {
				fmt.Fprintf(&b, "\t%s) return ;;\n", QuoteWord(c.Name+" -"+f.Name))
			}
		}
	}
	b.WriteString("\t*)\n\t\tcase \"$command\" in\n")
	for _, c := range commands {
		words := slices.Clone(c.Words)
		for _, f := range c.flags {
			words = append(words, "-"+f.Name)
		}
		if len(words) > 0 {
			fmt.Fprintf(&b, "\t\t%s) words=%s ;;\n", QuoteWord(c.Name), QuoteWord(strings.Join(words, " ")))
		}
	}
	b.WriteString("\t\tesac\n\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n")
	fmt.Fprintf(&b, "complete -o default -F %s %s\n", functionName(program), program)
	return b.String()
}

// zshCompletion returns the script for zsh.
func zshCompletion(program string, commands []completed) string {
	var b strings.Builder
	name := functionName(program)
	fmt.Fprintf(&b, "#compdef %s\n# Completion of %[1]s for zsh.\n%s() {\n", program, name)
	alone := commands[0].Name == ""
	if alone && len(commands) == 1 {
		b.WriteString(zshArguments(commands[0]))
	} else {
		words := ""
		if alone { // flags may come first, too
			words = " && [[ $PREFIX != -* ]]"
		}
		fmt.Fprintf(&b, "\tif ((CURRENT == 2))%s; then\n\t\tlocal -a commands=(\n", words)
		for _, c := range commands {
			if c.Name == "" {
				continue
			}
			fmt.Fprintf(&b, "\t\t\t%s\n", QuoteWord(strings.TrimSuffix(strings.ReplaceAll(c.Name, ":", `\:`)+":"+c.Summary, ":")))
		}
		b.WriteString("\t\t)\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tlocal command=$words[2]\n\tcase $command in\n")
		for _, c := range commands {
			if c.Name != "" {
				fmt.Fprintf(&b, "\t%s)\n\t\tshift words\n\t\t((CURRENT--))\n%s\t\t;;\n", QuoteWord(c.Name), zshArguments(c))
			}
		}
		if alone {
			fmt.Fprintf(&b, "\t*)\n%s\t\t;;\n", zshArguments(commands[0]))
		}
		b.WriteString("\tesac\n")
	}
	fmt.Fprintf(&b, "}\ncompdef %s %s\n", name, program)
	return b.String()
}

// zshArguments returns the call of _arguments for a command.
func zshArguments(c completed) string {
	escape := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `:`, `\:`)
	var b strings.Builder
	b.WriteString("\t\t_arguments")
	for _, f := range c.flags {
		text := fmt.Sprintf("*-%s[%s]", f.Name, escape.Replace(short(f)))
		if !IsBool(f) {
			action := ""
			switch {
			case choices(f) != nil:
				action = "(" + strings.Join(choices(f), " ") + ")"
			case TakesFile(f):
				action = "_files"
			case TakesFolder(f):
				action = "_files -/"
			}
			text += ":" + escape.Replace(placeholder(f)) + ":" + action
		}
		b.WriteString(" \\\n\t\t\t" + QuoteWord(text))
	}
	rest := "*:file:_files"
	if c.Words != nil {
		rest = "1:word:(" + strings.Join(c.Words, " ") + ")"
	}
	b.WriteString(" \\\n\t\t\t" + QuoteWord(rest) + "\n")
	return b.String()
}

// fishCompletion returns the script for fish.
func fishCompletion(program string, commands []completed) string {
	var b strings.Builder
	quote := func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
	}
	fmt.Fprintf(&b, "# Completion of %s for fish.\n", program)
	for _, c := range commands {
		condition := ""
		if c.Name == "" && len(commands) > 1 {
			condition = " -n __fish_use_subcommand"
		}
		if c.Name != "" {
			fmt.Fprintf(&b, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", program, quote(c.Name), quote(c.Summary))
			condition = " -n " + quote("__fish_seen_subcommand_from "+c.Name)
		}
		if c.Words != nil {
			fmt.Fprintf(&b, "complete -c %s%s -f -a %s\n", program, condition, quote(strings.Join(c.Words, " ")))
		}
		for _, f := range c.flags {
			fmt.Fprintf(&b, "complete -c %s%s -o %s -d %s", program, condition, f.Name, quote(short(f)))
			switch {
			case IsBool(f):
			case choices(f) != nil:
				fmt.Fprintf(&b, " -x -a %s", quote(strings.Join(choices(f), " ")))
			case TakesFile(f) || TakesFolder(f):
				b.WriteString(" -r")
			default:
				b.WriteString(" -x")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
