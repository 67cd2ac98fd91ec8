package conformance

import (
	"fmt"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

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
