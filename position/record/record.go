package record

import (
	"fmt"
	"slices"

	"gyre/position"
)

// Record is a whole game, or the beginning of one, as it is kept in a file.
//
// Its text is modelled on chess's Portable Game Notation (PGN, Edwards 1994):
//
//	[White "Anna"]
//	[Black "Ben"]
//	[Date "2026.03.13"]
//	[Result "3-1"]
//	[Rules "standard"]
//	[Position "..."]            only if the game did not begin at the start
//	[TimeControl "300+3"]
//	[Termination "resignation"] only if the board does not show why the game ended
//
//	1.e3 2.a5 ... 11.h7-g7 {0.35/9 1.2s} ... 3-1
//
// Turns are numbered one by one, white's odd and black's even, so a game from a
// position with black to move begins with number 2. A comment in braces belongs
// to the turn before it. The result, at the end of the turns and in its tag, is
// the score: the rings removed by white and by black, or * for a game without
// an end. The side with more rings has won, equal is a draw.
//
// The result of a game that is over on the board is what stands there. A game
// can also end away from the board: a player resigns, oversteps the time or
// breaks the rules, or both agree. Then the Termination tag says so, in PGN's
// words where it has them ("time forfeit", "rules infraction", "adjudication",
// "abandoned"; also "resignation", "agreement"), and the result is the score
// awarded: see [Record.Award].
type Record struct {
	// Tags are all but Result, Rules and Position, which the other fields hold.
	Tags     []Tag
	Start    position.Position // before the first turn
	Comment  string            // ahead of the first turn
	Turns    []RecordedTurn
	Finished bool   // the game has a result
	Score    [2]int // if Finished: rings removed, or awarded, by side
}

// Tag is one of a record's tag lines, [Name "Value"].
type Tag struct {
	Name  string // letters, digits and underscores
	Value string // any one line of text
}

// RecordedTurn is a turn with what was noted about it, such as score, depth and
// time. White space in a comment counts as one space, and it holds no closing
// brace.
type RecordedTurn struct {
	Turn    position.Turn
	Comment string
}

// The tags that the fields of a Record hold.
const (
	resultTag   = "Result"
	rulesTag    = "Rules"
	positionTag = "Position"
)

// isFieldTag tells whether a tag's name is one of these.
func isFieldTag(name string) bool {
	return name == resultTag || name == rulesTag || name == positionTag
}

// terminationTag is why a game ended away from the board. The words of
// boardTerminations say that it did not.
const terminationTag = "Termination"

var boardTerminations = [...]string{"", "normal", "unterminated"}

// NewRecord returns the record of a game that begins at a position, without
// turns yet.
func NewRecord(start position.Position) Record { return Record{Start: start} }

// tagIndex returns where in Tags the tag of a name is, or -1.
func (r *Record) tagIndex(name string) int {
	return slices.IndexFunc(r.Tags, func(tag Tag) bool { return tag.Name == name })
}

// Tag returns the value of the tag of a name, or nothing if there is none.
func (r *Record) Tag(name string) string {
	if i := r.tagIndex(name); i >= 0 {
		return r.Tags[i].Value
	}
	return ""
}

// SetTag gives a tag a value, and adds it at the end if there was none.
func (r *Record) SetTag(name, value string) {
	if i := r.tagIndex(name); i >= 0 {
		r.Tags[i].Value = value
		return
	}
	r.Tags = append(r.Tags, Tag{Name: name, Value: value})
}

// Add appends a turn with a comment, which may be empty.
func (r *Record) Add(t position.Turn, comment string) {
	r.Turns = append(r.Turns, RecordedTurn{Turn: t, Comment: comment})
}

// End returns the position after the last turn. The error is an [*position.Error] of the
// field "record" that names the first turn that is not legal.
func (r *Record) End() (position.Position, error) {
	p := r.Start
	for i, recorded := range r.Turns {
		if err := p.Check(recorded.Turn); err != nil {
			return position.Position{}, recordError(0, recorded.Turn.String(), "turn %d: %s", r.numberOf(i), causeOf(err).Reason)
		}
		var child position.Position
		p.Play(&child, recorded.Turn)
		p = child
	}
	return p, nil
}

// Close gives the record the result that its end shows: the score there if the
// game is over, else none.
func (r *Record) Close(end *position.Position) {
	r.Finished = end.Over()
	r.Score = [2]int{}
	if r.Finished {
		r.Score = scoreOf(end)
	}
}

// Award gives the record the result of a game that ended away from the board,
// at the position end: the winner is awarded the rings that win and the loser
// keeps his; in a draw both keep the lower number of the two. Why is the value
// of the Termination tag, such as "resignation" or "time forfeit".
func (r *Record) Award(end *position.Position, result position.Result, why string) {
	score := scoreOf(end)
	switch result {
	case position.WhiteWins:
		score[position.White] = end.Rules().WinningRings()
	case position.BlackWins:
		score[position.Black] = end.Rules().WinningRings()
	case position.Draw:
		score[position.White] = min(score[position.White], score[position.Black])
		score[position.Black] = score[position.White]
	case position.Ongoing:
		score = [2]int{}
	}
	r.Finished, r.Score = result != position.Ongoing, score
	r.SetTag(terminationTag, why)
}

// Result returns who won by the record: Ongoing for a game without an end.
func (r *Record) Result() position.Result {
	switch {
	case !r.Finished:
		return position.Ongoing
	case r.Score[position.White] > r.Score[position.Black]:
		return position.WhiteWins
	case r.Score[position.White] < r.Score[position.Black]:
		return position.BlackWins
	}
	return position.Draw
}

// scoreOf returns the rings removed by side.
func scoreOf(p *position.Position) [2]int {
	return [2]int{p.Removed(position.White), p.Removed(position.Black)}
}

// numberOf returns the number of the turn with an index in Turns.
func (r *Record) numberOf(index int) int { return index + 1 + int(r.Start.SideToMove()) }

// resultWord returns the result as it stands in the text.
func (r *Record) resultWord() string {
	if !r.Finished {
		return unfinished
	}
	return fmt.Sprintf("%d-%d", r.Score[position.White], r.Score[position.Black])
}

// unfinished is the result of a game without an end.
const unfinished = "*"

// checkResult returns why the record cannot have its result, or nothing.
func (r *Record) checkResult(end *position.Position) string {
	if end.Over() {
		if score := scoreOf(end); !r.Finished || r.Score != score {
			return fmt.Sprintf("the game is over with %d-%d", score[position.White], score[position.Black])
		}
		return ""
	}
	if !r.Finished {
		return ""
	}
	if slices.Contains(boardTerminations[:], r.Tag(terminationTag)) {
		return "the game is not over on the board, and no Termination tag says why it ended"
	}
	wins := r.Start.Rules().WinningRings()
	for _, rings := range r.Score {
		if rings < 0 || rings > wins {
			return fmt.Sprintf("no side can have %d rings, as %d win", rings, wins)
		}
	}
	if r.Score == [2]int{wins, wins} {
		return "both sides have the rings that win"
	}
	return ""
}
