package coach

import (
	"fmt"
	"strings"

	"gyre/position"
)

// Kind is what a Fact says.
type Kind uint8

// The kinds of facts. "The turn" is the one that the facts are about, its side the one that
// plays it.
const (
	Wins       Kind = iota // the turn wins the game
	LosesNext              // after it the other side wins the game by Turn
	TakesRows              // it takes Rows off
	GivesRows              // it completes Rows of the other side
	OpensRow               // after it the other side can make a row by Turn, and before it could make none
	LeavesRow              // the other side could make a row before, and still can, by Turn
	StopsRows              // the other side could make a row before, and cannot after it
	MissesRow              // the side could have taken more rows off, as by Turn
	PaysOther              // it takes the same rows as Turn, and pays with other rings
	Threatens              // after it the side could make a row by Turn if it were its turn, and before it could make none
	LosesFours             // it leaves the side Left fours of Had: places where five points in a row hold four of its markers
	GainsFours             // it gives the side Left fours in place of Had
	FewMarkers             // after it Left markers are left to play with
	kindCount
)

// Fact is something that is true of a turn.
type Fact struct {
	Kind      Kind
	Side      position.Side  // the side of the turn
	Turn      position.Turn  // that shows it, for some kinds
	Rows      []position.Row // for some kinds
	Had, Left int            // for some kinds
}

// sideNames are the sides as a sentence begins with them.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

// Sentence returns the fact as a sentence.
func (f Fact) Sentence() string {
	mine, theirs := sideNames[f.Side], sideNames[f.Side.Opponent()]
	switch f.Kind {
	case Wins:
		return "It wins the game."
	case LosesNext:
		return fmt.Sprintf("%s then wins the game by %s.", theirs, f.Turn)
	case TakesRows:
		return fmt.Sprintf("It takes %s off.", rowWords(f.Rows))
	case GivesRows:
		return fmt.Sprintf("It completes %s for %s.", rowWords(f.Rows), theirs)
	case OpensRow:
		return fmt.Sprintf("It lets %s make a row, by %s.", theirs, f.Turn)
	case LeavesRow:
		return fmt.Sprintf("%s could make a row, and still can, by %s.", theirs, f.Turn)
	case StopsRows:
		return fmt.Sprintf("%s could make a row, and cannot after it.", theirs)
	case MissesRow:
		return fmt.Sprintf("%s could take a row off, by %s.", mine, f.Turn)
	case PaysOther:
		return fmt.Sprintf("The same row can be paid with the ring at %s.", rings(f.Turn))
	case Threatens:
		return fmt.Sprintf("It threatens to make a row, by %s.", f.Turn)
	case LosesFours, GainsFours:
		if f.Had == 0 {
			return fmt.Sprintf("%s has four markers of a row at %s after it, and had none before.", mine, places(f.Left))
		}
		if f.Left == 0 {
			return fmt.Sprintf("%s had four markers of a row at %s, and has none after it.", mine, places(f.Had))
		}
		return fmt.Sprintf("%s had four markers of a row at %s, and has them at %s after it.", mine, places(f.Had), places(f.Left))
	case FewMarkers:
		return fmt.Sprintf("%s: when there is none, who has taken off more rings wins.", markersLeft(f.Left))
	}
	return ""
}

// rowWords names rows: "the row e3 to e7", "the rows e3 to e7 and c2 to g6".
func rowWords(rows []position.Row) string {
	var words []string
	for _, row := range rows {
		first, last := row.Ends()
		words = append(words, fmt.Sprintf("%s to %s", first, last))
	}
	if len(words) == 1 {
		return "the row " + words[0]
	}
	return "the rows " + strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// rings names the rings that a turn takes off: "b2", "b2 and k8".
func rings(turn position.Turn) string {
	var words []string
	for i := range turn.Removals() {
		words = append(words, turn.Removal(i).Ring.String())
	}
	return strings.Join(words, " and ")
}

// numbers are the small numbers in words.
var numbers = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// count returns a number in words.
func count(n int) string {
	if n < len(numbers) {
		return numbers[n]
	}
	return fmt.Sprint(n)
}

// places tells at how many places something is.
func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return count(n) + " places"
}

// markersLeft tells how many markers are left.
func markersLeft(n int) string {
	if n == 1 {
		return "One marker is left"
	}
	word := count(n)
	return strings.ToUpper(word[:1]) + word[1:] + " markers are left"
}
