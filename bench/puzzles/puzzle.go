// Package puzzles provides puzzles for people to solve: positions from games in which
// exactly one turn is right. [Set] returns the puzzles of file puzzles.jsonl, which
// gyre-train puzzles generates with [Compose].
//
// # One right turn
//
// The chance of a turn is the share of the points that a search expects after it, in
// thousandths: 1000 times win + draw/2 in the model of package search, or 1000 or 0 if the
// search proves the result. A puzzle is selected if the chance of its first turn exceeds
// that of every other answer by 300, the loss that a game review calls a blunder. That
// search uses 100,000 nodes for the right turn and 100,000 for the others. The margin must
// hold with ten times as many nodes too, so no check with 1,000,000 nodes finds a second
// right turn in the set. A check with other nodes or another engine may find a smaller
// margin. The turn remains the only right one as long as it leads by [Tolerance], the loss
// that a review calls an inaccuracy.
//
// Two turns are the same answer if they move the same ring to the same point and remove
// the same rows: see [Same]. The removed ring matters only for the theme [RightRing]; then
// every other ring is worse by the same margin.
//
// A puzzle with Mate N is proven, by a search of all replies, to be won in N turns of the
// solver and in no fewer.
//
// # Files
//
//	puzzle.go   puzzles, their themes and their file format
//	compose.go  Compose: finding puzzles in games, choosing the ones that the set needs, and
//	            rating them; Judge: the searches that decide whether a turn is right
//
// A game that Compose plays depends only on the recipe, its number and the engine. The puzzles
// taken from its positions depend also on earlier games, whose puzzles fill the themes. So the
// same recipe and the same initial set produce the same result.
package puzzles

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench/tactics"
	"gyre/position"
	"gyre/position/plaintext"
)

// Limits of a puzzle.
const (
	MaxMate   = 5    // turns of the solver
	MaxRating = 3000 // on the scale of gyre-arena ladder; the lowest is 0
)

// Puzzle is a position in which the side to move, the solver, has one right turn.
type Puzzle struct {
	ID       string // one to 16 lower-case letters and digits; see [IDOf]
	Position position.Position
	Theme    Theme
	// Rating is the strength at which a player finds the first turn half the time. The
	// scale is that of gyre-arena ladder, on which uniformly random play has 0.
	Rating int
	// Solution is the right turn, the expected reply, the next right turn and so on: an
	// odd number of turns. Each turn of the solver is the only right one, except the last
	// turn of a win: there any turn that wins at once is right.
	Solution []position.Turn
	// Mate is the smallest number of turns in which the solver wins against the best
	// defense, or 0 if no win is proven.
	Mate int
}

// SetName is the name of the set in [Files]. [Read] reads its format.
const SetName = "puzzles.jsonl"

// Files holds the set and no other file.
//
//go:embed puzzles.jsonl
var Files embed.FS

// Set returns the puzzles of the set. An error means that the committed file is invalid.
func Set() ([]Puzzle, error) {
	file, err := Files.Open(SetName)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}

// IDOf returns the ID of the puzzle with position p. Positions that are equal up to a
// symmetry of the board or a swap of colors have the same ID.
func IDOf(p *position.Position) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz" // without look-alikes
	sum := xxh3.HashString(tactics.Canonical(p))
	var id [8]byte
	for i := range id {
		id[i] = digits[sum>>(5*i)&31]
	}
	return string(id[:])
}

// String identifies the puzzle in messages.
func (z *Puzzle) String() string {
	return fmt.Sprintf("puzzle %s, %v %v", z.ID, &z.Position, z.Position.Rules())
}

// idForm matches a valid ID.
var idForm = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// Check reports how a puzzle violates the rules of the game, or nil. All turns of the
// solution must be legal.
func (z *Puzzle) Check() error {
	switch {
	case !idForm.MatchString(z.ID):
		return fmt.Errorf("id %q: use 1 to 16 lower-case letters and digits", z.ID)
	case z.Rating < 0 || z.Rating > MaxRating:
		return fmt.Errorf("rating %d: must be from 0 to %d", z.Rating, MaxRating)
	case z.Mate < 0 || z.Mate > MaxMate:
		return fmt.Errorf("mate %d: must be from 1 to %d, or omitted", z.Mate, MaxMate)
	case len(z.Solution)%2 == 0:
		return fmt.Errorf("solution of %d turns: must begin and end with a turn of the solver", len(z.Solution))
	case !z.Has(z.Theme):
		return fmt.Errorf("theme %v: does not match the solution", z.Theme)
	}
	return z.checkEnd()
}

// checkEnd checks the end of the solution. Either the solver has won, after Mate turns, or
// the game is still going on.
func (z *Puzzle) checkEnd() error {
	p := z.Position.AfterAll(z.Solution...)
	turns := (len(z.Solution) + 1) / 2
	switch won := p.Result() == position.WonBy(z.Position.SideToMove()); {
	case p.Over() && !won:
		return errors.New("solution: the game is over and the solver has not won")
	case won && z.Mate != turns:
		return fmt.Errorf("solution: wins in %d, but mate is %d", turns, z.Mate)
	case !won && z.Mate > 0 && turns >= z.Mate:
		return fmt.Errorf("solution: no win after %d turns of the solver, but mate is %d", turns, z.Mate)
	}
	return nil
}

// line is the JSON form of a puzzle.
type line struct {
	ID       string   `json:"id"`
	FEN      string   `json:"fen"` // BOARD SIDE SCORE
	Rules    string   `json:"rules"`
	Theme    string   `json:"theme"`
	Rating   int      `json:"rating"`
	Solution []string `json:"solution"`
	Mate     int      `json:"mate,omitempty"`
}

// Mark occurs in the first kilobyte of every file of puzzles and identifies the format.
const Mark = `,"theme":"`

// maxLine is the maximum length of a line in bytes.
const maxLine = 1 << 16

// Read reads puzzles. Each is a JSON object on a line of its own:
//
//	{"id":"k3v9a0xw","fen":"BOARD SIDE SCORE","rules":"standard","theme":"make-row",
//	 "rating":1240,"solution":["e4-e8;xb3-b7xb2"],"mate":2}
//
// all on one line. The field mate is omitted if no win is proven. Empty lines are ignored.
// Read rejects lines that are not such an object, illegal turns, contradictions to the
// rules (see [Puzzle.Check]), and IDs and positions that an earlier line has. The error
// names the line.
func Read(in io.Reader) ([]Puzzle, error) {
	var all []Puzzle
	seen := map[string]int{}
	lines := bufio.NewScanner(plaintext.NewReader(in))
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		z, err := readLine(text)
		if err != nil {
			return nil, &plaintext.LineError{Line: number, Err: err}
		}
		// The ID made of the position detects a repeated position under another ID.
		for _, id := range []string{z.ID, "=" + IDOf(&z.Position)} {
			if before, twice := seen[id]; twice {
				return nil, &plaintext.LineError{Line: number, Err: fmt.Errorf("puzzle %s repeats line %d", z.ID, before)}
			}
			seen[id] = number
		}
		all = append(all, z)
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes", maxLine)
		}
		return nil, &plaintext.LineError{Line: number + 1, Err: err}
	}
	return all, nil
}

// readLine parses and checks a puzzle.
func readLine(text []byte) (Puzzle, error) {
	var l line
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		if _, syntax := errors.AsType[*json.SyntaxError](err); syntax {
			err = errors.New("a line is one object in JSON")
		}
		return Puzzle{}, fmt.Errorf("not a puzzle: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Puzzle{}, errors.New("not a puzzle: more than one object")
	}
	z, err := l.puzzle()
	if err != nil {
		return Puzzle{}, err
	}
	return z, z.Check()
}

// puzzle converts the line to a puzzle.
func (l *line) puzzle() (z Puzzle, err error) {
	z = Puzzle{ID: l.ID, Rating: l.Rating, Mate: l.Mate}
	rules, err := position.ParseRules(l.Rules)
	if err != nil {
		return z, err
	}
	if z.Position, err = position.Parse(l.FEN, rules); err != nil {
		return z, fmt.Errorf("fen: %w", err)
	}
	if z.Theme, err = ParseTheme(l.Theme); err != nil {
		return z, err
	}
	if z.Solution, err = z.Position.ParseTurns(l.Solution); err != nil {
		return z, fmt.Errorf("solution: %w", err)
	}
	return z, nil
}

// Write writes puzzles in the format of Read.
func Write(out io.Writer, all []Puzzle) error {
	lines := json.NewEncoder(out)
	for i := range all {
		z := &all[i]
		if err := lines.Encode(line{z.ID, z.Position.String(), z.Position.Rules().String(), z.Theme.String(), z.Rating, position.Words(z.Solution), z.Mate}); err != nil {
			return err
		}
	}
	return nil
}

// Theme is what a puzzle is about.
type Theme uint8

// The themes. Each is a fact about the first turn unless the comment says otherwise. A side
// "could make a row" if one of its moves would complete a row if it were its turn.
const (
	MakeRow      Theme = iota // the ring move completes a row, the only one removed
	StopRow                   // no row is removed; the opponent could make one before and cannot after
	TwoRows                   // the solver's turns remove two rows or more in total
	BreakAndMake              // the opponent could make a row before and cannot after; the ring move completes one, or the solver could make its first after it
	RightRing                 // rows are removed, and removing any other ring is worse
	Win                       // a win is proven
	OpponentsRow              // a turn of the solver removes a row that the opponent completed
	Threaten                  // no row is removed; the solver could not make a row before and can after
	themeCount
)

// themeNames are the names of the themes in files.
var themeNames = [themeCount]string{"make-row", "stop-row", "two-rows", "break-and-make", "right-ring", "win", "opponents-row", "threaten-row"}

// Themes lists all themes.
func Themes() (all []Theme) {
	for t := range themeCount {
		all = append(all, t)
	}
	return all
}

// ParseTheme returns the theme called name.
func ParseTheme(name string) (Theme, error) {
	at := slices.Index(themeNames[:], name)
	if at < 0 {
		return 0, fmt.Errorf("unknown theme %q: use one of %s", name, strings.Join(themeNames[:], ", "))
	}
	return Theme(at), nil
}

// String returns the name of the theme, for example "make-row".
func (t Theme) String() string { return themeNames[t] }

// Has reports whether a theme fits a puzzle and its solution. For RightRing it reports only
// whether another ring could be removed; a [Judge] can find out which ring is better.
func (z *Puzzle) Has(theme Theme) bool {
	rows, given := 0, false
	for i := 0; i < len(z.Solution); i += 2 {
		rows += z.Solution[i].Removals()
		given = given || z.Solution[i].Before() > 0
	}
	switch theme {
	case TwoRows:
		return rows > 1
	case OpponentsRow:
		return given
	case Win:
		return z.Mate > 0
	}
	return theme.Fits(&z.Position, z.Solution[0])
}

// Fits reports whether the legal turn of p has the theme by itself, without a solution. It
// is always false for Win.
func (t Theme) Fits(p *position.Position, turn position.Turn) bool {
	switch t {
	case MakeRow:
		return turn.Before() == 0 && turn.After() == 1
	case StopRow:
		return turn.Removals() == 0 && stops(p, turn)
	case TwoRows:
		return turn.Removals() > 1
	case BreakAndMake:
		return stops(p, turn) && (turn.After() > 0 || threatens(p, turn))
	case RightRing:
		return len(OtherRings(p, turn)) > 0
	case OpponentsRow:
		return turn.Before() > 0
	case Threaten:
		return turn.Removals() == 0 && threatens(p, turn)
	}
	return false
}

// stops reports whether the opponent could make a row before turn and cannot after it.
func stops(p *position.Position, turn position.Turn) bool {
	them := p.SideToMove().Opponent()
	child := p.After(turn)
	return CouldMakeRow(p, them) && !child.Over() && !CouldMakeRow(&child, them)
}

// threatens reports whether the side to move could not make a row before turn and can
// after it.
func threatens(p *position.Position, turn position.Turn) bool {
	us := p.SideToMove()
	child := p.After(turn)
	return !CouldMakeRow(p, us) && !child.Over() && CouldMakeRow(&child, us)
}

// CouldMakeRow reports whether side has a row or could make one if it were its turn.
func CouldMakeRow(p *position.Position, side position.Side) bool {
	return p.HasRow(side) || p.CanComplete(side)
}

// Same reports whether two turns of a position are the same answer: the same ring moves to
// the same point, and the same rows are removed before and after the move, in any order. If
// rings is set, the removed rings must be the same too.
func Same(a, b position.Turn, rings bool) bool {
	if a.Kind() != b.Kind() || a.Before() != b.Before() || a.After() != b.After() {
		return false
	}
	if a.Kind() != position.RemovalsOnly && a.Kind() != position.Pass && (a.From() != b.From() || a.To() != b.To()) {
		return false
	}
	return removedBy(a, 0, a.Before(), rings) == removedBy(b, 0, b.Before(), rings) &&
		removedBy(a, a.Before(), a.Removals(), rings) == removedBy(b, b.Before(), b.Removals(), rings)
}

// removed is the set of rows and rings that a turn removes.
type removed struct {
	rows  [position.RowCount]bool
	rings position.Bitboard
}

// removedBy returns what removals first to end-1 of a turn remove.
func removedBy(t position.Turn, first, end int, rings bool) (all removed) {
	for i := first; i < end; i++ {
		r := t.Removal(i)
		all.rows[r.Row] = true
		if rings {
			all.rings = all.rings.Or(position.BitboardOf(r.Ring))
		}
	}
	return all
}

// OtherRings returns the turns of p that differ from turn only in the removed rings.
func OtherRings(p *position.Position, turn position.Turn) (others []position.Turn) {
	if turn.Removals() == 0 {
		return nil
	}
	for _, t := range p.Turns(nil) {
		if Same(t, turn, false) && !Same(t, turn, true) {
			others = append(others, t)
		}
	}
	return others
}

// Split divides the turns of p into those that are the same answer as turn, and the others.
func Split(p *position.Position, turn position.Turn, rings bool) (same, others []position.Turn) {
	for _, t := range p.Turns(nil) {
		if Same(t, turn, rings) {
			same = append(same, t)
		} else {
			others = append(others, t)
		}
	}
	return same, others
}
