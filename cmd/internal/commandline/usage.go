package commandline

// UsageError is a command line that is wrong: Err says in what.
type UsageError struct {
	Command string // empty when it is the command that is missing or unknown
	Err     error
}

func (e *UsageError) Error() string {
	if e.Command == "" {
		return e.Err.Error()
	}
	return e.Command + ": " + e.Err.Error()
}

func (e *UsageError) Unwrap() error { return e.Err }

// hint is the command line that explains the right use.
func (p *Program) hint(e *UsageError) string {
	if e.Command == "" {
		return p.Name + " help"
	}
	return p.Name + " help " + e.Command
}
