// Package commandline runs programs from their command line: programs with
// several commands, each with its own flags, and programs that are one command.
// It writes their help, their errors and their shell completion.
package commandline

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"gyre/position"
)

// Program is a program with several commands. It adds the commands help, version
// and completion.
type Program struct {
	Name     string
	Commands []Command // in the order that help lists them
	// Moved are former commands and the programs that replace them, for errors.
	Moved map[string]string
	// About returns what identifies this build of the named program, in lines, for
	// the command version.
	About func(program string) string
}

// Command is one command of a program.
type Command struct {
	Name    string
	Summary string // one line, for the list of commands
	// Run executes the command with the arguments after its name. If they ask for
	// help, it writes its usage and returns flag.ErrHelp. If they are invalid, it
	// returns a *UsageError. Parse does both.
	Run func(args []string, stdout, stderr io.Writer) error
	// Words are the arguments that are not files, for completion.
	Words []string
	// About and Subcommands are used by [Command.RunAlone]. For About see [Program]. The
	// completion script offers the subcommands; Run executes them.
	About       func(program string) string
	Subcommands []Command
}

// The exit statuses.
const (
	ExitSuccess = 0
	ExitFailure = 1
	ExitUsage   = 2
	// ExitInterrupted is the status after a signal, as shells report SIGINT.
	ExitInterrupted = 130
)

// Run executes a command line, without the program's name, and returns the exit
// status. Results go to stdout, errors to stderr.
func (p *Program) Run(args []string, stdout, stderr io.Writer) int {
	return exitStatus(p.dispatch(args, stdout, stderr), p.Name, p.hint, stderr)
}

// RunAlone executes the command line of a program that is this one command, and
// returns the exit status like [Program.Run]. The set of flags of the command
// has an empty name: NewFlags("").
func (c *Command) RunAlone(args []string, stdout, stderr io.Writer) int {
	hint := func(e *UsageError) string { // a command within the command has its own help
		return strings.Join(append(strings.Fields(c.Name+" "+e.Command), "-help"), " ")
	}
	run := c.Run
	alone := &Program{Name: c.Name, About: c.About}
	if len(args) > 0 {
		switch {
		case asksForVersion(args[0]):
			run, args = alone.version, args[1:]
		case args[0] == "completion" && !strings.Contains(c.Name, " "): // else a file's name
			run, args = c.completion, args[1:]
		case args[0] == "help" && len(c.Subcommands) > 0: // what people type where there are commands
			args = append([]string{"-help"}, args[1:]...)
		}
	}
	err := run(args, stdout, stderr)
	if errors.Is(err, flag.ErrHelp) && len(args) > 0 && asksForHelp(args[0]) && !strings.Contains(c.Name, " ") {
		_, failed := fmt.Fprintf(stdout, "\n\"%s completion bash|zsh|fish\" prints a completion script for a shell.\n", c.Name)
		err = cmp.Or(failed, err)
	}
	return exitStatus(err, c.Name, hint, stderr)
}

// exitStatus writes err to stderr and returns the exit status it stands for.
func exitStatus(err error, name string, hint func(*UsageError) string, stderr io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return ExitSuccess
	}
	// If stderr cannot be written, the status still reports the failure.
	_, _ = fmt.Fprintf(stderr, "%s: %s\n", name, explained(err))
	if usage, ok := errors.AsType[*UsageError](err); ok {
		_, _ = fmt.Fprintf(stderr, "Try %q.\n", hint(usage))
		return ExitUsage
	}
	if errors.Is(err, ErrInterrupted) {
		return ExitInterrupted
	}
	return ExitFailure
}

// dispatch runs the command named by the first argument.
func (p *Program) dispatch(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return &UsageError{Err: errors.New("no command given")}
	}
	name := args[0]
	switch {
	case asksForHelp(name):
		name = "help"
	case asksForVersion(name):
		name = "version"
	}
	c, err := p.find(name)
	if err != nil {
		if first := p.afterFlags(args); first != "" {
			err = &UsageError{Err: fmt.Errorf("%s: the command comes first, as in %q", name, p.Name+" "+first+" "+name)}
		}
		return err
	}
	return c.Run(args[1:], stdout, stderr)
}

// afterFlags returns the first command in args, if they begin with a flag, or "".
func (p *Program) afterFlags(args []string) string {
	if !strings.HasPrefix(args[0], "-") {
		return ""
	}
	for _, word := range args[1:] {
		if _, err := p.find(word); err == nil {
			return word
		}
	}
	return ""
}

// all returns the commands, including those of every program.
func (p *Program) all() []Command {
	all := append(slices.Clip(p.Commands),
		Command{Name: "help", Summary: "list the commands, or show the flags of one", Run: p.help},
		Command{Name: "version", Summary: versionSummary, Run: p.version},
		Command{Name: "completion", Summary: completionSummary, Run: p.completion, Words: shellNames})
	help := &all[len(p.Commands)]
	for _, c := range all {
		help.Words = append(help.Words, c.Name)
	}
	return all
}

// The summaries of the commands of every program.
const (
	versionSummary    = "show version, revision, weights and signature"
	completionSummary = "print a script that completes commands and flags in a shell"
)

// find returns the named command. The error is a *UsageError.
func (p *Program) find(name string) (Command, error) {
	var names []string
	for _, c := range p.all() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	if instead, moved := p.Moved[name]; moved {
		return Command{}, &UsageError{Err: fmt.Errorf("%q is now the program %s, with the same flags", name, instead)}
	}
	return Command{}, &UsageError{Err: fmt.Errorf("unknown command %q%s", name, DidYouMean("", name, names))}
}

// help lists the commands, or shows the help of the named one.
func (p *Program) help(args []string, stdout, stderr io.Writer) error {
	if len(args) > 1 {
		return &UsageError{Command: "help", Err: unexpected(args[1])}
	}
	if len(args) == 0 || args[0] == "help" || asksForHelp(args[0]) {
		return p.list(stdout)
	}
	c, err := p.find(args[0])
	if err != nil {
		return err
	}
	return c.Run([]string{"-help"}, stdout, stderr)
}

// list writes the usage and a line for each command.
func (p *Program) list(w io.Writer) error {
	text := "usage: " + p.Name + " COMMAND [FLAGS]\n\nCommands:\n"
	for _, c := range p.all() {
		text += fmt.Sprintf("  %-12s %s\n", c.Name, c.Summary)
	}
	text += "\n\"" + p.Name + " help COMMAND\" shows the flags of a command.\n"
	_, err := io.WriteString(w, text)
	return err
}

// version identifies this build.
func (p *Program) version(args []string, stdout, _ io.Writer) error {
	if len(args) == 1 && asksForHelp(args[0]) {
		_, err := fmt.Fprintf(stdout, "usage: %s version\n\nPrints the version, the revision, the Go version, the weights and the signatures of this build.\n", p.Name)
		return cmp.Or(err, flag.ErrHelp)
	}
	if len(args) > 0 {
		return &UsageError{Command: "version", Err: unexpected(args[0])}
	}
	_, err := io.WriteString(stdout, p.About(p.Name))
	return err
}

// asksForVersion reports whether a word in place of a command asks for the version.
func asksForVersion(word string) bool {
	return slices.Contains([]string{"version", "-version", "--version"}, word)
}

// asksForHelp reports whether a word asks for help.
func asksForHelp(word string) bool {
	return slices.Contains([]string{"-h", "--h", "-help", "--help"}, word)
}

// UsageError reports an invalid command line.
type UsageError struct {
	Command string // empty if the command itself is missing or unknown
	Err     error
}

func (e *UsageError) Error() string {
	if e.Command == "" {
		return e.Err.Error()
	}
	return e.Command + ": " + e.Err.Error()
}

func (e *UsageError) Unwrap() error { return e.Err }

// hint returns the command line that explains the correct usage.
func (p *Program) hint(e *UsageError) string {
	return strings.TrimSpace(p.Name + " help " + e.Command)
}

// unexpected returns the error for an argument of a command that takes only flags.
func unexpected(word string) error { return fmt.Errorf("unexpected argument %q", word) }

// NewFlags returns an empty set of flags for a command.
func NewFlags(command string) *flag.FlagSet {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return flags
}

// Parse reads the arguments of a command that takes only flags. If they ask for
// help, it writes the synopsis and the flags to stdout and returns flag.ErrHelp,
// or the error of writing. If they are invalid, it returns a *UsageError.
func Parse(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) error {
	words, err := ParseGroups(flags, args, Help{Synopsis: synopsis}, stdout)
	if err == nil {
		err = NoWords(flags, words)
	}
	return err
}

// ParseMixed is Parse for a command that also takes other arguments, before,
// between and after its flags. It returns them. After "--" all are of these.
func ParseMixed(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) (words []string, err error) {
	return ParseGroups(flags, args, Help{Synopsis: synopsis}, stdout)
}

// NoWords returns a *UsageError for the first of the arguments of a command that
// takes only flags.
func NoWords(flags *flag.FlagSet, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return &UsageError{Command: flags.Name(), Err: unexpected(words[0])}
}

// Repeatable is implemented by the values of flags that may be given several times. The
// second value of any other flag is an error unless it is the same, because it would silently
// replace the first.
type Repeatable interface {
	flag.Value
	Repeatable() bool
}

// Each is the value of a flag that may be given several times. It is called with each text.
type Each func(text string) error

func (e Each) String() string        { return "" }
func (e Each) Set(text string) error { return e(text) }

// Repeatable returns true.
func (e Each) Repeatable() bool { return true }

// ParseGroups is ParseMixed for a command whose help lists its flags in groups.
func ParseGroups(flags *flag.FlagSet, args []string, help Help, stdout io.Writer) (words []string, err error) {
	given := map[*flag.Flag]string{} // and their values
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		switch {
		case word == "--":
			return append(words, args...), nil
		case len(word) < 2 || word[0] != '-':
			words = append(words, word)
			continue
		}
		if asksForHelp(word) {
			return nil, help.show(flags, stdout)
		}
		if args, err = setFlag(flags, word, args, given); err != nil {
			return nil, &UsageError{Command: flags.Name(), Err: err}
		}
	}
	return words, nil
}

// setFlag sets the flag that word holds, with its value or before it. It returns
// the arguments after the value. given are the values set before.
func setFlag(flags *flag.FlagSet, word string, args []string, given map[*flag.Flag]string) (rest []string, err error) {
	name, value, hasValue := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
	f := flags.Lookup(name)
	switch {
	case f == nil:
		var names []string
		flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		return nil, fmt.Errorf("unknown flag -%s%s", name, DidYouMean("-", name, names))
	case hasValue:
	case IsBool(f):
		value = "true"
	case len(args) == 0:
		return nil, fmt.Errorf("-%s needs a value: -%[1]s %s", name, placeholder(f))
	default:
		value, args = args[0], args[1:]
	}
	before, again := given[f]
	if r, ok := f.Value.(Repeatable); again && before != value && !(ok && r.Repeatable()) {
		return nil, fmt.Errorf("-%s is given twice, as %q and as %q; give it once", name, before, value)
	}
	given[f] = value
	return args, SetFlag(flags, name, value)
}

// SetFlag sets the value of an existing flag. The error names the flag and the value.
func SetFlag(flags *flag.FlagSet, name, value string) error {
	err := flags.Set(name, value)
	if err == nil {
		return nil
	}
	text := err.Error()
	rest, named := strings.CutPrefix(text, name)
	named = named && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, ":"))
	switch {
	case text == "value out of range":
		return fmt.Errorf("-%s %q: the number is out of range", name, value)
	case text == "parse error":
		return fmt.Errorf("-%s %q: not %s", name, value, valid(flags.Lookup(name)))
	case named:
		return fmt.Errorf("-%s%s", name, rest)
	case strings.Contains(text, `"`): // it names the part that is wrong
		return fmt.Errorf("-%s: %w", name, err)
	}
	return fmt.Errorf("-%s %q: %w", name, value, err)
}

// valid describes the values of a flag of a basic type.
func valid(f *flag.Flag) string {
	if getter, ok := f.Value.(flag.Getter); ok {
		switch getter.Get().(type) {
		case int, int64:
			return "a whole number"
		case uint, uint64:
			return "a non-negative integer"
		case float64:
			return "a number"
		case bool:
			return "true or false"
		}
	}
	return "a time with a unit, such as 500ms, 10s or 2m"
}

// IsBool reports whether a flag needs no value.
func IsBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// placeholder returns the word for a flag's value in its help.
func placeholder(f *flag.Flag) string {
	name, _ := flag.UnquoteUsage(f)
	return name
}

// Given returns the names of the flags that the command line set.
func Given(flags *flag.FlagSet) map[string]bool {
	names := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { names[f.Name] = true })
	return names
}

// DidYouMean returns "; did you mean X?", where X is prefix and the known word
// closest to word, or "" if none is close.
func DidYouMean(prefix, word string, known []string) string {
	nearest, least := "", max(1, len(word)/3)+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < min(least, len(k)) {
			nearest, least = k, d
		}
	}
	if nearest == "" && len(word) > 2 { // the beginning of one word
		if i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, word) }); i >= 0 {
			nearest = known[i]
		}
	}
	if nearest == "" {
		return ""
	}
	return "; did you mean " + prefix + nearest + "?"
}

// distance returns the optimal string alignment distance: the number of bytes to
// insert, delete, replace or swap with a neighbor to turn a into b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// RulesVar adds the flag -rules. Its default is the value of rules.
func RulesVar(flags *flag.FlagSet, rules *position.Rules) {
	flags.Var((*rulesValue)(rules), "rules", "rules of the games, `standard|blitz`")
}

// rulesValue is the value of the flag -rules.
type rulesValue position.Rules

func (r *rulesValue) String() string { return position.Rules(*r).String() }

// Set reads standard or blitz.
func (r *rulesValue) Set(text string) error {
	rules, err := position.ParseRules(text)
	*r = rulesValue(rules)
	return err
}

// ErrInterrupted is the error of work that a signal stopped.
var ErrInterrupted = errors.New("interrupted")

// hangup is SIGHUP. WebAssembly has no signals, and package syscall does not name it there.
const hangup = syscall.Signal(1)

// UntilInterrupted returns a context that is canceled by the first SIGINT, SIGTERM
// or SIGHUP, with the cause ErrInterrupted. A second SIGINT or SIGTERM ends the
// program as usual. Further SIGHUPs are ignored, because a terminal that closes
// often sends two. If the program was started with SIGHUP ignored, as nohup does,
// SIGHUP stays ignored. Call the returned function to stop watching for signals.
func UntilInterrupted() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals, hangups := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if runtime.GOOS != "js" && !signal.Ignored(hangup) {
		// Never stopped, so that later ones are ignored too. Windows sends SIGTERM
		// instead when a console closes.
		signal.Notify(hangups, hangup)
	}
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			cancel(ErrInterrupted)
		case <-hangups:
			cancel(ErrInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// explained returns the text of an error. Errors of the system about files begin with the file and
// say what to do. What fails twice, as closing a file that could not be written does, is said once.
func explained(err error) string {
	text := err.Error()
	for _, e := range fileErrors(err) {
		text = strings.ReplaceAll(text, e.Error(), e.Path+": "+e.Err.Error()+adviceOn(e))
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		at := slices.IndexFunc(lines, func(other string) bool { return other != "" && strings.HasSuffix(line, other) })
		switch {
		case at >= 0:
			lines[at] = line // it says where, too
		case line == "" || !slices.ContainsFunc(lines, func(other string) bool { return strings.HasSuffix(other, line) }):
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// fileErrors returns the errors of files in a tree of errors.
func fileErrors(err error) []*fs.PathError {
	if e, ok := err.(*fs.PathError); ok {
		return []*fs.PathError{e}
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return fileErrors(e.Unwrap())
	case interface{ Unwrap() []error }:
		var all []*fs.PathError
		for _, one := range e.Unwrap() {
			all = append(all, fileErrors(one)...)
		}
		return all
	}
	return nil
}

// adviceOn returns what to do about an error of a file, or "".
func adviceOn(e *fs.PathError) string {
	folder := filepath.Dir(e.Path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(e, fs.ErrNotExist) && errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("; the folder %s does not exist: create it, or check the name", folder)
	case errors.Is(e, fs.ErrNotExist):
		return "; check the name"
	case errors.Is(e, syscall.EISDIR):
		return "; give the name of a file"
	case errors.Is(e, syscall.ENOTDIR):
		for err != nil && folder != filepath.Dir(folder) {
			folder = filepath.Dir(folder)
			info, err = os.Stat(folder)
		}
		if err == nil && !info.IsDir() {
			return fmt.Sprintf("; %s is a file, not a folder", folder)
		}
	case errors.Is(e, fs.ErrExist):
		return "; choose another name, or move the file away"
	case errors.Is(e, syscall.ENOSPC):
		return "; make space, and run the command again"
	case errors.Is(e, fs.ErrPermission):
		return "; choose another file, or change its permissions"
	}
	return ""
}

// The maximum sizes of what ReadFile reads, in bytes. Files are larger than any game, configuration or
// model. A device without an end, as /dev/zero is, needs a limit, and nobody types more at a terminal.
const (
	maxFile   = 256 << 20
	maxDevice = 1 << 20
)

// Open opens a file, pipe or device that a user names for reading. A folder is an error. A pipe may
// wait for a writer for ever, so open one before [UntilInterrupted]: then a signal ends the program.
func Open(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		_ = file.Close() // nothing was read
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	}
	return file, nil
}

// OpenRegular is Open for a file that is read twice, or while signals are caught: a pipe or a device
// is an error.
func OpenRegular(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, fmt.Errorf("%s: this is a pipe or a device: save its content to a file, and name that", path)
	}
	return Open(path)
}

// ReadFile reads a whole file, pipe or device that a user names, like os.ReadFile. See [Open]. More
// than 256 MiB of a file or a pipe, or 1 MiB of a device, is an error.
func ReadFile(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // only read
	limit := maxFile
	if info, err := file.Stat(); err == nil && info.Mode()&fs.ModeCharDevice != 0 {
		limit = maxDevice
	}
	content, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err == nil && len(content) > limit {
		err = &os.PathError{Op: "read", Path: path, Err: fmt.Errorf("longer than %d MiB; give another file", limit>>20)}
	}
	if err != nil {
		return nil, err
	}
	return content, nil
}

// BlankPath returns the path of a program with blanks that was split into the first words of a command,
// or "".
func BlankPath(words []string) string {
	for n := 2; n <= len(words); n++ {
		path := strings.Join(words[:n], " ")
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return ""
}

// Backslash is the meaning of a backslash for SplitWords.
type Backslash int

// The meanings of a backslash.
const (
	// BackslashQuotes quotes the next character, except within single quotes, as in a shell.
	BackslashQuotes Backslash = iota
	// BackslashIsPlain has no meaning, as in the paths of Windows.
	BackslashIsPlain
)

// LocalBackslash returns the meaning of a backslash on this system.
func LocalBackslash() Backslash {
	if runtime.GOOS == "windows" {
		return BackslashIsPlain
	}
	return BackslashQuotes
}

// SplitWords splits text into words at white space like a shell. Single and double quotes
// keep white space, also in the middle of a word.
func SplitWords(text string, backslash Backslash) ([]string, error) {
	var words []string
	var word strings.Builder
	begun, escaped, quote := false, false, rune(0)
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'' && backslash == BackslashQuotes:
			begun, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			begun, quote = true, r
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote is not closed")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// QuoteWord quotes a word so that SplitWords, with any meaning of a backslash, and a shell
// read it as one word.
func QuoteWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=+.,/:@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// JoinWords joins words so that SplitWords returns them again.
func JoinWords(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = QuoteWord(word)
	}
	return strings.Join(quoted, " ")
}

// SameFile reports whether two names are of the same file, which need not exist. It
// reports false for devices.
func SameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	if err1 == nil && err2 == nil {
		return first.Mode().IsRegular() && os.SameFile(first, second)
	}
	a, err1 = filepath.Abs(a)
	b, err2 = filepath.Abs(b)
	return err1 == nil && err2 == nil && a == b
}

// OwnAddresses returns the addresses of this machine's network interfaces, or nil if the system does
// not report them.
func OwnAddresses() []net.IP {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var own []net.IP
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok {
			own = append(own, network.IP)
		}
	}
	return own
}

// ForOthers reports whether other machines can use an address of this machine. A link-local one would
// need the name of their interface.
func ForOthers(ip net.IP) bool { return ip != nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() }

// Hosts returns the hosts at which clients reach a server that listens on host. If that means every
// address of this machine, they are the ones for other machines, or 127.0.0.1 if there are none.
func Hosts(host string) []string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	var hosts []string
	for _, ip := range OwnAddresses() {
		if ForOthers(ip) {
			hosts = append(hosts, ip.String())
		}
	}
	if hosts == nil {
		hosts = []string{"127.0.0.1"}
	}
	return hosts
}

// ListenError returns the error that the system does not listen on an address, with advice. Its cause is
// a [syscall.Errno] if there is one, without the names of system calls.
func ListenError(address string, err error) error {
	advice := ""
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		err = number
	}
	unknown, isUnknown := errors.AsType[*net.DNSError](err)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		advice = "; choose another port, or 0 for a free one"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		advice = "; use an address of this machine"
	case errors.Is(err, syscall.EACCES):
		advice = "; choose a port of 1024 or more"
	case isUnknown:
		return fmt.Errorf("cannot listen on %s: no address of %s is known; use an address of this machine", address, unknown.Name)
	}
	return fmt.Errorf("cannot listen on %s: %w%s", address, err, advice)
}
