package conformance

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

const errorsChangeNothing = "a position with an error changes nothing"

var errorChecks = []Check{
	{Section: errorsIn, Name: "positions that cannot be, and turns that are not legal, are errors", Needs: []string{takesPositions}, run: onWrongPositions((*session).refuses),
		Advice: "say `info string error position: \"WORD\": REASON`, with the word that is wrong"},
	{Section: errorsIn, Name: errorsChangeNothing, Needs: []string{takesPositions}, run: onWrongPositions(checkUnchanged),
		Advice: "the position before stays, however many of the turns are right: work on a copy"},
	{Section: errorsIn, Name: "a refused value of Rules leaves the rules as they are", Optional: true, Needs: []string{takesBlitz, refusesValues}, run: checkRulesStay,
		Advice: "a command with an error changes nothing"},
	{Section: errorsIn, Name: "errors name the command", Optional: true, Needs: []string{ready}, run: checkErrorForm,
		Advice: "say `info string error COMMAND: \"WORD\": REASON`"},
	{Section: errorsIn, Name: "a go with an error still gets a turn", Needs: []string{givesTurn},
		run:    endThemselves("go depth two", "go movetime", "go depth 1 searchmoves a1", "go depth 1 searchmoves", "go nodes none depth 1"),
		Advice: "every `go` gets a bestmove, also one that is refused"},
	{Section: errorsIn, Name: "numbers beyond their range count as the nearest within", Needs: []string{givesTurn},
		run:    endThemselves("go depth -5", "go nodes -1", "go movetime -1000", "go depth 1 nodes 99999999999999999999999999", "go depth 1 movetime 99999999999999999999999999"),
		Advice: "a search with a strange limit is better than none, and never a crash"},
	{Section: errorsIn, Name: "unknown words are skipped", Needs: []string{ready}, run: checkUnknownWords,
		Advice: "skip words before a command, and words after one that can do without them; never end the program"},
}

// wrongPositions are commands that are refused wherever the game stands.
var wrongPositions = []string{
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

// onWrongPositions is a check made for each of wrongPositions in a game.
func onWrongPositions(check func(s *session, line string) error) func(s *session) error {
	return func(s *session) error {
		_, moving := stagesOfGame()
		if err := s.setUp(moving); err != nil {
			return err
		}
		for _, line := range wrongPositions {
			if err := check(s, line); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkUnchanged checks that a wrong line leaves the position as it is.
func checkUnchanged(s *session, line string) error {
	if err := s.tell(line); err != nil {
		return err
	}
	return explained(s.believes(), "after %s", printable(line))
}

func checkErrorForm(s *session) error {
	if err := s.tell("position startpos moves a1"); err != nil {
		return err
	}
	if _, named := s.first("info string error position:"); !named {
		return lackf("no line begins `info string error position:`")
	}
	return nil
}

func checkUnknownWords(s *session) error {
	for _, line := range []string{"hello", "position\x01 startpos", "GO", strings.Repeat("word ", 1000)} {
		if err := s.tell(line); err != nil {
			return err
		}
		if said, found := s.first("bestmove"); found {
			return faultf("%q is answered %q", printable(line), printable(joined(said)))
		}
	}
	if err := s.say("please isready"); err != nil {
		return err
	}
	if _, err := s.until("readyok to `please isready`", s.subject.Patience, func(line string) bool { return line == "readyok" }); err != nil {
		return err
	}
	s.root = position.Start(position.Standard)
	return s.believes()
}

// checkRulesStay has a position that blitz rules take for an end, and standard ones
// do not.
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
	if err := s.refuses("setoption name Rules value no-such-rules"); err != nil {
		return err
	}
	return s.answersTo("gameover", "true")
}

var lineChecks = []Check{
	{Section: lines, Name: "carriage returns, blanks, tabs and empty lines do no harm", Needs: []string{ready}, run: checkBlanks,
		Advice: "split lines into words at any white space, and drop a carriage return at the end"},
	{Section: lines, Name: "a line that comes in pieces is one line", Needs: []string{ready}, run: checkPieces,
		Advice: "a command ends with its line feed, however many reads it takes"},
	{Section: lines, Name: "a line may have a million bytes", Needs: []string{ready}, run: checkLongLine,
		Advice: "a game written out is long: read lines of 1048576 bytes. Readers with a bound of their own, such as Go's bufio.Scanner, have to be told"},
	{Section: lines, Name: "a longer line is an error and changes nothing", Needs: []string{ready}, run: checkTooLong,
		Advice: "skip the line to its end, say `info string error`, and go on"},
	{Section: lines, Name: "any bytes may come", Needs: []string{ready}, run: checkBytes,
		Advice: "take no input for granted: skip what makes no sense"},
	{Section: lines, Name: "many lines at once are all answered", Needs: []string{ready}, run: checkManyLines,
		Advice: "go on reading while answers are written, and flush them"},
	{Section: lines, Name: "a flood of searches is answered, each once", Needs: []string{stops}, run: checkManySearches,
		Advice: "what is too much to keep may be refused, but each `go` gets its bestmove"},
}

func checkBlanks(s *session) error {
	s.forget()
	if err := s.send("\n\r\n   \n\t\nposition   startpos \t moves  f6\t\r\n  isready  \r\n"); err != nil {
		return err
	}
	if _, err := s.until("readyok to isready between blanks", s.subject.Patience, func(line string) bool { return line == "readyok" }); err != nil {
		return err
	}
	if said, refused := s.first("info string error"); refused {
		return faultf("%s", printable(joined(said)))
	}
	start := position.Start(position.Standard)
	f6, err := start.ParseTurn("f6")
	if err != nil {
		return err
	}
	s.root = after(start, f6)
	return s.believes()
}

func checkPieces(s *session) error {
	s.forget()
	for _, piece := range strings.SplitAfter("isready", "") {
		if err := s.send(piece); err != nil {
			return err
		}
	}
	time.Sleep(moment)
	if err := s.send(strings.Repeat(" ", 100) + "\n"); err != nil {
		return err
	}
	_, err := s.until("readyok to isready in pieces", s.subject.Patience, func(line string) bool { return line == "readyok" })
	return err
}

func checkLongLine(s *session) error {
	line := "isready" + strings.Repeat(" ", protocol.MaxLine-len("isready"))
	if err := s.say(line); err != nil {
		return err
	}
	_, err := s.until(fmt.Sprintf("readyok to isready with blanks, %d bytes in all", len(line)), s.subject.Patience, func(line string) bool { return line == "readyok" })
	return err
}

func checkTooLong(s *session) error {
	if err := s.refuses("position startpos moves f6 " + strings.Repeat("f7 ", protocol.MaxLine/2)); err != nil {
		return err
	}
	if err := s.tell(strings.Repeat("x", 4*protocol.MaxLine)); err != nil {
		return err
	}
	return s.believes()
}

func checkBytes(s *session) error {
	var all strings.Builder
	for b := range 256 {
		if b != '\n' {
			fmt.Fprintf(&all, "%c%s\n", b, strings.Repeat(string([]byte{byte(b)}), 3))
		}
	}
	if err := s.tell(all.String() + "position startpos moves \x00\nsetoption name \xff value \xfe"); err != nil {
		return err
	}
	for _, said := range s.said {
		if strings.ContainsFunc(said, func(r rune) bool { return r < ' ' && r != '\t' || r > '~' }) {
			return faultf("%q holds more than printable ASCII", said[:min(len(said), longestLine)])
		}
	}
	return s.believes()
}

// floodLines is how many lines come at once; answers to them are more than pipes hold.
const floodLines = 20_000

func checkManyLines(s *session) error {
	if err := s.send(strings.Repeat("isready\n", floodLines)); err != nil {
		return err
	}
	for i := range floodLines {
		if _, err := s.until(fmt.Sprintf("readyok for number %d of %d isready", i+1, floodLines), s.subject.Patience, func(line string) bool { return line == "readyok" }); err != nil {
			return err
		}
	}
	return nil
}

// floodSearches is how many searches come at once, more than an engine has to keep.
const floodSearches = 2000

func checkManySearches(s *session) error {
	begin, err := s.begin("go infinite\n" + strings.Repeat("go depth 1\n", floodSearches) + "stop")
	if err != nil {
		return err
	}
	for i := range floodSearches + 1 {
		s.forget()
		if _, err := s.bestmove("go infinite, go depth 1 and stop", begin); err != nil {
			return explained(err, "answer %d of %d", i+1, floodSearches+1)
		}
	}
	return nil
}

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
