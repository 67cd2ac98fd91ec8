package match

import (
	"fmt"
	"os"

	"gyre/bench/journal"
)

// Records is the file of a match's games as records. It is made from the lines:
// anew when a match goes on, then game by game.
type Records struct {
	*journal.Replacement
}

// eventTag is the tag of a record that tells its match, PGN's word for it.
const eventTag = "Event"

// eventOf is that tag's value: what tells files of a match from all others.
func eventOf(match string) string { return "gyre-arena match " + match }

// CreateRecords begins the file of a match. It gets its name with Publish, and
// replaces a file of that name then, but only one of the same match: any other is
// a *journal.ForeignError.
func CreateRecords(path, match string) (*Records, error) {
	r, err := journal.Replace(path, fmt.Sprintf("[%s %q]", eventTag, eventOf(match)))
	if err != nil {
		return nil, fmt.Errorf("records of the match: %w", err)
	}
	return &Records{r}, nil
}

// Add appends a game.
func (r *Records) Add(line *Line) error {
	record, err := line.Record()
	if err != nil {
		return err
	}
	if err := record.Write(r); err != nil {
		return fmt.Errorf("game %d: %w", line.Game, err)
	}
	return nil
}

// Close ends the file; one that was never published goes.
func (r *Records) Close() error {
	if err := r.Replacement.Close(); err != nil {
		return fmt.Errorf("records of the match: %w", err)
	}
	return nil
}

// keepsOthers returns an error if the files hold records of games that their
// lines do not: to write the records anew from the lines would lose them.
func keepsOthers(files Files) error {
	info, err := os.Stat(files.Records)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // what is wrong shows when it is written
	}
	return fmt.Errorf("%s holds games of this match and %s none, so it stays as it is: give other names, or move it away", files.Records, files.Lines)
}
