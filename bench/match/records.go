package match

import (
	"errors"
	"fmt"
	"os"

	"gyre/bench/journal"
)

// recordFile is the file of a match's games as records. It is made from the lines:
// anew when a match goes on, then game by game.
type recordFile struct {
	*journal.Replacement
}

// eventTag is the tag of a record that tells its match, PGN's word for it.
const eventTag = "Event"

// eventOf is that tag's value: what tells files of a match from all others.
func eventOf(match string) string { return "gyre-arena match " + match }

// createRecords begins the file of a match. It gets its name with Publish, and
// replaces a file of that name then, but only one of the same match: any other is
// a *journal.ForeignError.
//
// An error comes too when the file of lines is empty and that of records is not,
// as when the lines were lost: written anew from them, the records would be lost
// as well.
func createRecords(files Files, match string) (*recordFile, error) {
	r, err := journal.Replace(files.Records, fmt.Sprintf("[%s %q]", eventTag, eventOf(match)))
	if err != nil {
		return nil, fmt.Errorf("records of the match: %w", err)
	}
	if size(files.Records) > 0 && size(files.Lines) == 0 {
		err := fmt.Errorf("%s holds games and %s none, so it stays as it is: give other names, or move it away", files.Records, files.Lines)
		return nil, errors.Join(err, r.Close())
	}
	return &recordFile{r}, nil
}

// size returns how many bytes a file has, 0 for what is no regular file.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0 // what is wrong shows when it is opened
	}
	return info.Size()
}

// Add appends a game.
func (r *recordFile) Add(line *Line) error {
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
func (r *recordFile) Close() error {
	if err := r.Replacement.Close(); err != nil {
		return fmt.Errorf("records of the match: %w", err)
	}
	return nil
}
