package conformance

import (
	"strings"

	"gyre/position"
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
