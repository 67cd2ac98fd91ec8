package conformance

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

const invalidChangesNothing = "an invalid position command changes nothing"

var errorChecks = []Check{
	{Section: errorsIn, Name: "impossible positions and illegal turns are errors", Needs: []string{takesPositions}, run: onInvalidPositions((*session).rejects),
		At: positions.Place, Says: "Impossible positions get an error that names the field and the reason",
		Advice: "print `info string error position: \"WORD\": REASON`, with the invalid word"},
	{Section: errorsIn, Name: invalidChangesNothing, Needs: []string{takesPositions}, run: onInvalidPositions(checkUnchanged),
		Says:   "A command with an error changes nothing",
		Advice: "keep the previous position, even if some of the turns are legal: work on a copy"},
	{Section: errorsIn, Name: "an invalid value of Rules does not change the rules", Optional: true, Needs: []string{takesBlitz, rejectsValues}, run: checkRulesStay,
		Says: "A command with an error changes nothing"},
	{Section: errorsIn, Name: "errors name the command", Optional: true, Needs: []string{ready}, run: checkErrorForm,
		Says: "An error is one line, `info string error COMMAND: \"WORD\": REASON`."},
	{Section: errorsIn, Name: "an invalid go still gets a turn", Needs: []string{givesTurn},
		run:  endThemselves("go depth two", "go movetime", "go depth 1 searchmoves a1", "go depth 1 searchmoves", "go nodes none depth 1"),
		Says: "A `go` with an error still gets a turn, from a search of depth 1."},
	{Section: errorsIn, Name: "a number out of range counts as the nearest within", Needs: []string{givesTurn},
		run: endThemselves("go depth -5", "go nodes -1", "go movetime -1000", "go depth 1 nodes 99999999999999999999999999", "go depth 1 movetime 99999999999999999999999999"),
		At:  limits.Place, Says: "A number out of range counts as the nearest within",
		Advice: "do not crash"},
	{Section: errorsIn, Name: "unknown words are skipped", Needs: []string{ready}, run: checkUnknownWords,
		Says:   "The engine skips unknown words before a command",
		Advice: "skip unknown words before a command, and after it if they are not needed; never end the program"},
}

// invalidPositions lists commands that are invalid in every position.
var invalidPositions = []string{
	"position",
	"position startpo",
	"position fen",
	"position fen 4/7/8/9/10/9/10/9/8/7/4",
	"position fen 4/7/8/9/10/9/10/9/8/7/4 w",
	"position fen 4/7/8/9/10/9/10/9/8/7/4 x 0-0",
	"position fen 4/7/8/9/10/9/10/9/8/7/4 w 9-0",
	"position fen 4/7/8/9/10/9/10/9/8/7/5 w 0-0",
	"position fen 4/7/8/9/10/9/10/9/8/7 w 0-0",
	"position fen 4/7/8/9/10/9/10/9/8/7/3? w 0-0",
	"position fen WWWW/WW5/8/9/10/9/10/9/8/7/4 w 0-0",
	"position fen wwww/7/8/9/10/9/10/9/8/7/4 w 0-0",
	"position fen 4/7/8/9/10/9/10/9/8/7/4 w 0-0 move f6",
	"position startpos moves f6 f6",
	"position startpos moves f6 pass",
	"position startpos moves a1",
	"position startpos moves f6 g7 e4-e10",
	"position startpos moves f6 \xff\x00\x80",
}

// onInvalidPositions returns a check that is made with each of invalidPositions, during a
// game.
func onInvalidPositions(check func(s *session, line string) error) func(s *session) error {
	return func(s *session) error {
		_, moving := stagesOfGame()
		if err := s.setUp(moving); err != nil {
			return err
		}
		for _, line := range invalidPositions {
			if err := check(s, line); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkUnchanged checks that an invalid command does not change the position.
func checkUnchanged(s *session, line string) error {
	if err := s.execute(line); err != nil {
		return err
	}
	return explained(s.checkPosition(), "after %s", printable(line))
}

func checkErrorForm(s *session) error {
	if err := s.execute("position startpos moves a1"); err != nil {
		return err
	}
	line, found := s.complaint()
	if text, _ := protocol.Complaint(joined(line)); !found || !strings.HasPrefix(text, "position:") {
		return lackf("no line begins with `info string error position:`")
	}
	return nil
}

func checkUnknownWords(s *session) error {
	for _, line := range []string{"hello", "position\x01 startpos", "GO", strings.Repeat("word ", 1000)} {
		if err := s.execute(line); err != nil {
			return err
		}
		if said, found := s.first("bestmove"); found {
			return faultf("the answer to %q is %q", printable(line), printable(joined(said)))
		}
	}
	if err := s.say("please isready"); err != nil {
		return err
	}
	if err := s.expect("readyok", " to `please isready`"); err != nil {
		return err
	}
	s.root = position.Start(position.Standard)
	return s.checkPosition()
}

// checkRulesStay uses a position that is over under blitz rules, but not under standard
// rules.
func checkRulesStay(s *session) error {
	over, err := position.Parse("W3/W6/W7/9/W9/9/10/9/8/6B/BBBB b 1-0", position.Blitz)
	if err != nil {
		return err
	}
	if err := s.needsQuery("gameover"); err != nil {
		return err
	}
	if err := s.setUp(over); err != nil {
		return err
	}
	if err := s.rejects("setoption name Rules value no-such-rules"); err != nil {
		return err
	}
	return s.answersTo("gameover", "true")
}

var lineChecks = []Check{
	{Section: lines, Name: "carriage returns, blanks, tabs and empty lines are accepted", Needs: []string{ready}, run: checkBlanks,
		Says:   "A command is one line of words separated by blanks or tabs.",
		Advice: "drop a carriage return at the end"},
	{Section: lines, Name: "a line sent in pieces is one line", Needs: []string{ready}, run: checkPieces,
		Says:   "It ends with a line feed, which a carriage return may precede.",
		Advice: "a command ends at its line feed, however many reads it takes"},
	{Section: lines, Name: "a line may have 1048576 bytes", Needs: []string{ready}, run: checkLongLine,
		Says:   "A line has at most 1048576 bytes",
		Advice: "some readers, for example Go's bufio.Scanner, have a lower limit that you must raise"},
	{Section: lines, Name: "a longer line is an error and changes nothing", Needs: []string{ready}, run: checkTooLong,
		Says:   "A longer line is an error and is skipped.",
		Advice: "skip the rest of the line, print `info string error`, and continue"},
	{Section: lines, Name: "any bytes are accepted", Needs: []string{ready}, run: checkBytes,
		Says:   "Any bytes and any numbers are allowed: invalid input gets an error.",
		Advice: "answer in printable ASCII"},
	{Section: lines, Name: "many lines at once all get answers", Needs: []string{ready}, run: checkManyLines,
		At: handshake.Place, Says: "answers `readyok` at once, even during a search.",
		Advice: "read input while you write answers, and flush them"},
	{Section: lines, Name: "in a flood of searches, each gets one answer", Needs: []string{stops}, run: checkManySearches,
		At: waiting.Place, Says: "A rejected search still gets a turn, from a search of depth 1.",
		Advice: "you may reject commands that exceed your queue, but each `go` gets its bestmove"},
}

func checkBlanks(s *session) error {
	s.clear()
	if err := s.send("\n\r\n   \n\t\nposition   startpos \t moves  f6\t\r\n  isready  \r\n"); err != nil {
		return err
	}
	if err := s.expect("readyok", " to isready between blanks"); err != nil {
		return err
	}
	if said, rejected := s.complaint(); rejected {
		return faultf("%s", printable(joined(said)))
	}
	start := position.Start(position.Standard)
	f6, err := start.ParseTurn("f6")
	if err != nil {
		return err
	}
	s.root = start.After(f6)
	return s.checkPosition()
}

func checkPieces(s *session) error {
	s.clear()
	for _, piece := range strings.SplitAfter("isready", "") {
		if err := s.send(piece); err != nil {
			return err
		}
	}
	time.Sleep(moment)
	if err := s.send(strings.Repeat(" ", 100) + "\n"); err != nil {
		return err
	}
	return s.expect("readyok", " to isready in pieces")
}

func checkLongLine(s *session) error {
	line := "isready" + strings.Repeat(" ", protocol.MaxLine-len("isready"))
	if err := s.say(line); err != nil {
		return err
	}
	return s.expect("readyok", fmt.Sprintf(" to isready with blanks, %d bytes in all", len(line)))
}

func checkTooLong(s *session) error {
	if err := s.rejects("position startpos moves f6 " + strings.Repeat("f7 ", protocol.MaxLine/2)); err != nil {
		return err
	}
	if err := s.execute(strings.Repeat("x", 4*protocol.MaxLine)); err != nil {
		return err
	}
	return s.checkPosition()
}

func checkBytes(s *session) error {
	var all strings.Builder
	for b := range 256 {
		if b != '\n' {
			fmt.Fprintf(&all, "%c%s\n", b, strings.Repeat(string([]byte{byte(b)}), 3))
		}
	}
	if err := s.execute(all.String() + "position startpos moves \x00\nsetoption name \xff value \xfe"); err != nil {
		return err
	}
	for _, said := range s.output {
		if strings.ContainsFunc(said, func(r rune) bool { return r < ' ' && r != '\t' || r > '~' }) {
			return faultf("%q contains unprintable or non-ASCII bytes", said[:min(len(said), maxRecordedLine)])
		}
	}
	return s.checkPosition()
}

// floodLines is how many lines are sent at once. Their answers exceed a pipe's buffer.
const floodLines = 20_000

func checkManyLines(s *session) error {
	count := cmp.Or(s.subject.flood, floodLines)
	if err := s.send(strings.Repeat("isready\n", count)); err != nil {
		return err
	}
	for i := range count {
		if err := s.expect("readyok", " to isready"); err != nil {
			return explained(err, "answer %d of %d", i+1, count)
		}
	}
	return nil
}

// floodSearches is how many searches are sent at once, more than an engine must queue.
const floodSearches = 2000

func checkManySearches(s *session) error {
	count := min(floodSearches, cmp.Or(s.subject.flood, floodSearches))
	begin, err := s.begin("go infinite\n" + strings.Repeat("go nodes 1\n", count) + "stop") // the cheapest search, because some engines are slow
	if err != nil {
		return err
	}
	for i := range count + 1 {
		s.clear()
		if _, err := s.bestmove("go infinite, go nodes 1 and stop", begin); err != nil {
			return explained(err, "answer %d of %d", i+1, count+1)
		}
	}
	return nil
}

var endingChecks = []Check{
	{Section: endings, Name: "quit ends the program, with status 0", Needs: []string{ready}, fresh: true, run: endsAfter("quit"),
		Says:   "Then the program ends with status 0.",
		Advice: "end all threads of the program"},
	{Section: endings, Name: "quit ends a search, which still answers", Needs: []string{stops}, fresh: true, run: endsAfter("go infinite\nquit", legal),
		Says:   "`quit` stops the running job, which still answers",
		Advice: "a search runs from the moment that its `go` is read, so `quit` right after it stops a running job"},
	{Section: endings, Name: "at quit, queued searches get `bestmove none`", Needs: []string{stops}, fresh: true, run: endsAfter("go infinite\ngo depth 8\ngo infinite\nquit", legal, none, none),
		Says: "Each queued search gets `bestmove none`."},
	{Section: endings, Name: "the end of input ends the program, with status 0", Needs: []string{ready}, fresh: true, run: endsAfter(""),
		Says:   "Then the program ends with status 0.",
		Advice: "the end of input is a read of no bytes; end the program then, also if it waits for input in a thread"},
	{Section: endings, Name: "at the end of input, a search with a limit runs to its end", Needs: []string{givesTurn}, fresh: true, run: endsAfter("go depth 1\ngo movetime 50\n", legal, legal),
		Says:   "At the end of input, the engine first completes the running job and the queue.",
		Advice: "execute all commands before the end of input, so that a file of commands can be piped in"},
	{Section: endings, Name: "at the end of input, an infinite search stops and answers", Needs: []string{stops}, fresh: true, run: endsAfter("go infinite\n", legal),
		Says:   "It stops infinite and pondering searches; every search answers.",
		Advice: "a client that closed the input cannot send `stop`"},
	{Section: endings, Name: "the program ends when its output is closed", Needs: []string{ready}, fresh: true, run: checkUnread,
		Says:   "The program ends when its output is closed.",
		Advice: "end the program if writing fails"},
}

// The answers to searches at the end.
const (
	legal = "a legal turn"
	none  = "bestmove none"
)

// endsAfter returns a check that commands end the program, with the given answers to
// searches. The end of input follows commands without `quit`.
func endsAfter(commands string, want ...string) func(s *session) error {
	return func(s *session) error {
		s.clear()
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

// answered checks the answers to searches in the output.
func (s *session) answered(want []string) error {
	var got [][]string
	for _, line := range s.output {
		if words := strings.Fields(line); len(words) > 0 && words[0] == "bestmove" {
			got = append(got, words)
		}
	}
	if len(got) != len(want) {
		return faultf("%d answers to %d searches", len(got), len(want))
	}
	for i, words := range got {
		if want[i] == none && !strings.HasPrefix(joined(words), none) {
			return faultf("the answer to a queued search is %q instead of `bestmove none`", printable(joined(words)))
		}
		if want[i] == legal {
			if _, err := readTurn(&s.root, words); err != nil {
				return err
			}
		}
	}
	return nil
}

// gone waits until the program has ended, with status 0.
func (s *session) gone() error {
	if err := s.waitExit(); err != nil {
		return err
	}
	if s.process.Status() != "exit status 0" {
		return faultf("the program ended with %s", s.status())
	}
	return nil
}

// waitExit records output until both the program and its output have ended.
func (s *session) waitExit() error {
	waiting, cancel := protocol.WithPatience(context.Background(), s.subject.Patience)
	defer cancel()
	lines, exited := s.lines, s.process.Exited()
	for lines != nil || exited != nil {
		select {
		case line, open := <-lines:
			if open {
				s.take(line)
			} else {
				lines = nil
			}
		case <-exited:
			exited = nil
		case <-waiting.Done():
			return silentf("the program did not end within %v", s.subject.Patience)
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
	return nil
}

// checkUnread closes the reading end of the output, and requests more output until the
// engine notices.
func checkUnread(s *session) error {
	s.record.add("> ", "(the output is closed)")
	if err := s.process.CloseOutput(); err != nil {
		return err
	}
	waiting, cancel := protocol.WithPatience(context.Background(), s.subject.Patience)
	defer cancel()
	for waiting.Err() == nil {
		if err := s.say("isready"); err != nil {
			return err
		}
		select {
		case <-s.process.Exited():
			return nil
		case <-time.After(moment):
		}
	}
	return silentf("the program did not end within %v", s.subject.Patience)
}
