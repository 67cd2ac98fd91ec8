package coach

import (
	"fmt"
	"strings"

	"gyre/position"
)

// sideNames are the names of the sides.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

// Sentence returns the fact as an English sentence, for programs without the messages of the
// page. The page has the same sentences in its languages.
func (f Fact) Sentence() string {
	mine, theirs := sideNames[f.Side], sideNames[f.Side.Opponent()]
	switch f.Kind {
	case Wins:
		return "It wins the game."
	case LosesNext:
		return fmt.Sprintf("%s can then win with %s.", theirs, f.Turn)
	case TakesRows:
		return fmt.Sprintf("It removes %s.", rowWords(f.Rows))
	case GivesRows:
		return fmt.Sprintf("It completes %s for %s.", rowWords(f.Rows), theirs)
	case OpensRow:
		return fmt.Sprintf("It lets %s make a row with %s.", theirs, f.Turn)
	case LeavesRow:
		return fmt.Sprintf("%s could make a row and still can, with %s.", theirs, f.Turn)
	case StopsRows:
		return fmt.Sprintf("It stops %s from making a row.", theirs)
	case MissesRow:
		switch {
		case f.Had > 0:
			return fmt.Sprintf("%s could remove %d rows instead of %d with %s.", mine, f.Left, f.Had, f.Turn)
		case f.Left > 1:
			return fmt.Sprintf("%s could remove %d rows with %s.", mine, f.Left, f.Turn)
		}
		return fmt.Sprintf("%s could remove a row with %s.", mine, f.Turn)
	case PaysOther:
		if len(f.Rings) == 1 {
			return fmt.Sprintf("For the same row, %s could remove the ring on %s.", mine, f.Rings[0])
		}
		return fmt.Sprintf("For the same rows, %s could remove the rings on %s.", mine, list(position.Words(f.Rings)))
	case Threatens:
		return fmt.Sprintf("It threatens to make a row with %s.", f.Turn)
	case LosesFours, GainsFours:
		switch {
		case f.Had == 0:
			return fmt.Sprintf("It gets within one marker of a row in %s.", places(f.Left))
		case f.Left == 0:
			return fmt.Sprintf("%s was one marker short of a row in %s and no longer is.", mine, places(f.Had))
		}
		return fmt.Sprintf("%s was one marker short of a row in %s, now in %d.", mine, places(f.Had), f.Left)
	case FewMarkers:
		const end = "whoever has removed more rings wins."
		switch f.Left {
		case 0:
			return "No markers are left: " + end
		case 1:
			return "One marker is left: after that, " + end
		}
		return fmt.Sprintf("%d markers are left: after that, %s", f.Left, end)
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
	return "the rows " + list(words)
}

// list joins texts: "a", "a and b", "a, b, and c".
func list(texts []string) string {
	switch n := len(texts); n {
	case 0:
		return ""
	case 1:
		return texts[0]
	case 2:
		return texts[0] + " and " + texts[1]
	default:
		return strings.Join(texts[:n-1], ", ") + ", and " + texts[n-1]
	}
}

// places returns a number of places in words.
func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return fmt.Sprintf("%d places", n)
}
