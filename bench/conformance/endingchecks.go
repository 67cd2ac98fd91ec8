package conformance

import (
	"context"
	"strings"
	"time"
)

var endingChecks = []Check{
	{Section: endings, Name: "quit ends the program, with status 0", Needs: []string{ready}, fresh: true, run: endsAfter("quit"),
		Advice: "end the process at `quit`, with the exit status 0"},
	{Section: endings, Name: "quit ends a search, which answers", Needs: []string{stops}, fresh: true, run: endsAfter("go infinite\nquit", legal),
		Advice: "`quit` stops what runs; its bestmove is still written"},
	{Section: endings, Name: "quit answers searches that wait with `bestmove none`", Needs: []string{stops}, fresh: true, run: endsAfter("go infinite\ngo depth 8\ngo infinite\nquit", legal, none, none),
		Advice: "every `go` gets a bestmove; those that wait are not begun"},
	{Section: endings, Name: "the end of input ends the program, with status 0", Needs: []string{ready}, fresh: true, run: endsAfter(""),
		Advice: "end the process when standard input ends"},
	{Section: endings, Name: "at the end of input a search with a limit is let finish", Needs: []string{givesTurn}, fresh: true, run: endsAfter("go depth 1\ngo movetime 50\n", legal, legal),
		Advice: "what came before the end of input is done first: so a file of commands can be piped in"},
	{Section: endings, Name: "at the end of input an infinite search is stopped and answers", Needs: []string{stops}, fresh: true, run: endsAfter("go infinite\n", legal),
		Advice: "who has closed the input cannot say `stop` any more"},
	{Section: endings, Name: "it ends when nobody reads its output any more", Needs: []string{ready}, fresh: true, run: checkUnread,
		Advice: "end when writing fails"},
}

// The answers that searches get at the end.
const (
	legal = "a legal turn"
	none  = "bestmove none"
)

// endsAfter is a check that commands end the program, after these answers to searches.
// Commands without `quit` are followed by the end of input.
func endsAfter(commands string, want ...string) func(s *session) error {
	return func(s *session) error {
		s.forget()
		if strings.HasSuffix(commands, "quit") {
			commands += "\n"
		}
		if err := s.send(commands); err != nil {
			return err
		}
		if !strings.Contains(commands, "quit") {
			if err := s.closeInput(); err != nil {
				return err
			}
		}
		if err := s.gone(); err != nil {
			return err
		}
		return s.answered(want)
	}
}

// answered checks the answers to searches that were said.
func (s *session) answered(want []string) error {
	if got := s.count("bestmove"); got != len(want) {
		return faultf("%d of %d searches are answered", got, len(want))
	}
	for _, line := range s.said {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bestmove" {
			continue
		}
		if want[0] == none && !strings.HasPrefix(joined(words), none) {
			return faultf("a search that waits is answered %q and not `bestmove none`", printable(line))
		}
		if want[0] == legal {
			if _, err := readTurn(&s.root, words); err != nil {
				return err
			}
		}
		want = want[1:]
	}
	return nil
}

// gone waits until the program has ended, with status 0.
func (s *session) gone() error {
	if err := s.waitExit(); err != nil {
		return err
	}
	if status := s.process.Status(); status != "exit status 0" {
		said := ""
		if stderr := s.process.Stderr(); len(stderr) > 0 {
			said = "; it said: " + strings.Join(stderr, " | ")
		}
		return faultf("it ended with %s%s", status, said)
	}
	return nil
}

// waitExit takes what is said until the program has ended and its output too.
func (s *session) waitExit() error {
	timer := time.NewTimer(s.subject.Patience)
	defer timer.Stop()
	heard, exited := s.heard, s.process.Exited()
	for heard != nil || exited != nil {
		select {
		case line, ok := <-heard:
			if !ok {
				heard = nil
				continue
			}
			s.take(line.text)
		case <-exited:
			exited = nil
		case <-timer.C:
			return faultf("it has not ended after %v", s.subject.Patience)
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
	return nil
}

// checkUnread closes our end of the output, and asks for more of it until the engine
// has noticed.
func checkUnread(s *session) error {
	s.record.add("> ", "(nobody reads the output any more)")
	if err := s.process.CloseOutput(); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < s.subject.Patience; {
		if err := s.say("isready"); err != nil {
			return err
		}
		select {
		case <-s.process.Exited():
			return nil
		case <-time.After(moment):
		}
	}
	return faultf("it has not ended after %v", s.subject.Patience)
}
