package evaluation

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"gyre/position"
)

// MaxScore limits the evaluation, so that no evaluation looks like a proven result.
const MaxScore = 20000

// Weights defines an evaluation: the value of each part of [Features] for the side to
// move. Create it with [NewWeights]. An [Evaluator] computes the same evaluation
// faster.
type Weights struct {
	// Sets holds the weights of each stage.
	Sets [StageCount]Set
	// Removed is the value of the rings removed in centipawns, by own and the
	// opponent's.
	Removed [RemovedStates][RemovedStates]int16
	// Net values the crossings. It may be empty.
	Net Net
	// About says in one line where the weights come from.
	About string
}

// Set holds the weights of a stage.
type Set struct {
	// Patterns is the value of each pattern by index, in the unit of the pattern. An
	// index and its reversal have the same value.
	Patterns [PatternCount][]int16
	// Tempo is the value of being to move, in centipawns.
	Tempo int16
}

// RemovedStates is the number of possible counts of rings removed while the game is
// not over: 0 to 2.
const RemovedStates = 3

// NewWeights returns weights that are all 0.
func NewWeights(about string) *Weights {
	w := &Weights{About: about}
	for s := range w.Sets {
		for k := range patterns {
			w.Sets[s].Patterns[k] = make([]int16, patterns[k].States)
		}
	}
	return w
}

// clone returns a copy that shares no memory.
func (w *Weights) clone() *Weights {
	c := *w
	for s := range c.Sets {
		for k := range patterns {
			c.Sets[s].Patterns[k] = slices.Clone(w.Sets[s].Patterns[k])
		}
	}
	c.Net = w.Net.clone()
	return &c
}

// terms holds the terms of an evaluation for the side to move.
type terms struct {
	patterns       [PatternCount]int // in units of 1/FinestUnit centipawn
	removed, tempo int               // in centipawns
	crossings      int               // in centipawns
}

// patternSum returns the sum of all patterns in centipawns.
func (t *terms) patternSum() (sum int) {
	for _, value := range t.patterns {
		sum += value
	}
	return inCentipawns(sum)
}

// inCentipawns rounds a value in units of 1/FinestUnit centipawn to the nearest
// centipawn, and halves up. So whole centipawns may be added before or after.
func inCentipawns(value int) int { return (value + FinestUnit/2) >> finestShift }

// finestShift is the binary logarithm of FinestUnit.
const finestShift = 4

// sum returns the evaluation in centipawns. The crossings are added to the bounded sum of
// the other terms, because a search adds them later.
func (t *terms) sum() int {
	return bounded(bounded(t.patternSum()+t.removed+t.tempo) + t.crossings)
}

func bounded(value int) int { return max(-MaxScore, min(MaxScore, value)) }

// Evaluate returns the evaluation of features in centipawns for the side to move. It
// is the definition of the evaluation; an [Evaluator] computes the same faster.
func (w *Weights) Evaluate(f *Features) int {
	t := w.terms(f)
	return t.sum()
}

// terms returns the terms of the evaluation.
func (w *Weights) terms(f *Features) terms {
	t := terms{removed: int(w.Removed[f.Own][f.Theirs]), tempo: int(w.Sets[f.Stage].Tempo)}
	for k, indexes := range f.Indexes {
		for _, index := range indexes {
			t.patterns[k] += w.value(f.Stage, k, int(index))
		}
	}
	if b := BucketOf(f.Stage, f.Own, f.Theirs); !w.Net.silent(b) {
		crossings := f.Board.Crossings()
		t.crossings = inCentipawns(w.Net.evaluate(b, crossings[:]))
	}
	return t
}

// value returns the value of an index of a pattern at a stage, in units of
// 1/FinestUnit centipawn.
func (w *Weights) value(s Stage, pattern, index int) int {
	return int(w.Sets[s].Patterns[pattern][index]) * (FinestUnit / patterns[pattern].Unit)
}

// Check returns an error if the weights are inconsistent: a pattern with too many or
// too few weights, an index whose value differs from its reversal's, or an About that
// is not one printable line.
func (w *Weights) Check() error {
	for s := range w.Sets {
		if err := w.Sets[s].check(); err != nil {
			return fmt.Errorf("stage %v: %w", Stage(s), err)
		}
	}
	if err := w.Net.check(); err != nil {
		return err
	}
	return checkAbout(w.About)
}

// check checks a set.
func (s *Set) check() error {
	for k := range patterns {
		p := &patterns[k]
		if len(s.Patterns[k]) != p.States {
			return fmt.Errorf("pattern %s has %d weights, and needs %d", p.Name, len(s.Patterns[k]), p.States)
		}
		for index, value := range s.Patterns[k] {
			if twin := p.Reversed(index); s.Patterns[k][twin] != value {
				return fmt.Errorf("%s %s is worth %d, and its reversal %s is worth %d", p.Name, p.Word(index), value, p.Word(twin), s.Patterns[k][twin])
			}
		}
	}
	return nil
}

// MaxAbout is the maximum length of Weights.About in bytes.
const MaxAbout = 1000

// checkAbout checks that a text is a valid About line.
func checkAbout(about string) error {
	switch {
	case len(about) > MaxAbout:
		return fmt.Errorf("the description has %d bytes; the maximum is %d", len(about), MaxAbout)
	case !utf8.ValidString(about):
		return errors.New("the description is not valid UTF-8")
	}
	for _, r := range about {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("the description contains %U, which is not printable", r)
		}
	}
	return nil
}

// maxShown is the number of patterns that Explain shows.
const maxShown = 6

// Explain describes the evaluation of a position: its terms and their sum, in
// centipawns for the side to move, then the patterns with the largest values, as a
// numbered list and on a drawing of the board.
func (e *Evaluator) Explain(p *position.Position) string {
	if p.Over() {
		return "the game is over: " + p.Result().String()
	}
	f := FeaturesOf(p)
	t := e.weights.terms(f)
	us, them := p.SideToMove(), p.SideToMove().Opponent()

	var text strings.Builder
	line := func(name string, value int, detail string, args ...any) {
		fmt.Fprintf(&text, "%-14s %+6d  %s\n", name, value, fmt.Sprintf(detail, args...))
	}
	line("patterns", t.patternSum(), "%s", t.patternDetail())
	if e.HasNet() {
		line("crossings", t.crossings, "a net of %d units at %d points", e.weights.Net.Units(), position.PointCount)
	}
	line("rings removed", t.removed, "%d by %v, %d by %v%s", p.Removed(us), us, p.Removed(them), them, [StageCount]string{
		OwnShort:    fmt.Sprintf("; the next row of %v wins", us),
		TheirsShort: fmt.Sprintf("; the next row of %v wins", them),
		BothShort:   "; the next row wins",
		Opening:     "; the opening",
	}[f.Stage])
	line("to move", t.tempo, "%v", us)
	line(us.String(), t.sum(), "the evaluation, in centipawns for the side to move")

	shown := e.largest(f)
	if len(shown) > 0 {
		fmt.Fprintf(&text, "\nthe patterns that count most, for %v:\n", us)
	}
	notes := map[position.Point]string{}
	for i, s := range shown {
		number := strconv.Itoa(i + 1)
		ends := fmt.Sprintf("%v-%v", s.points[0], s.points[len(s.points)-1])
		fmt.Fprintf(&text, "%3s %+8.1f  %-8s %s\n", number, decimals(s.value), ends, letters(p, s.points))
		for _, at := range s.points {
			notes[at] += number
		}
	}
	text.WriteByte('\n')
	text.WriteString(strings.TrimSuffix(p.DrawNotes(notes), "\n"))
	fmt.Fprintf(&text, "\n\nweights: %s", e.weights.About)
	return text.String()
}

// patternDetail returns the value of each pattern, summed over all its places.
func (t *terms) patternDetail() string {
	var list []string
	for k, value := range t.patterns {
		list = append(list, fmt.Sprintf("%s %+.1f at %d places", patterns[k].Name, decimals(value), PlaceCount(k)))
	}
	return strings.Join(list, ", ")
}

// decimals converts units of 1/FinestUnit centipawn to centipawns.
func decimals(value int) float64 { return float64(value) / FinestUnit }

// contribution is a pattern at a place, and its value there.
type contribution struct {
	points []position.Point
	value  int // in units of 1/FinestUnit centipawn
}

// largest returns the contributions with the largest absolute values: at most
// maxShown, and none that is 0.
func (e *Evaluator) largest(f *Features) []contribution {
	var all []contribution
	for k, indexes := range f.Indexes {
		for at, index := range indexes {
			if value := e.weights.value(f.Stage, k, int(index)); value != 0 {
				all = append(all, contribution{patternPlaces[k][at].points(), value})
			}
		}
	}
	size := func(c contribution) int { return max(c.value, -c.value) }
	slices.SortStableFunc(all, func(a, b contribution) int { return size(b) - size(a) })
	return all[:min(len(all), maxShown)]
}

// letters returns the pieces on points in the letters of the board.
func letters(p *position.Position, points []position.Point) string {
	const letters = ".WwBb" // by state, for White
	var text strings.Builder
	for _, at := range points {
		text.WriteByte(letters[stateAt(p, at, position.White)])
	}
	return text.String()
}

// The format of a weights file. All numbers are little-endian.
//
//	magic     8 bytes
//	version   2 bytes, fileVersion
//	about     2 bytes length, then that many bytes: a line of UTF-8
//	patterns  2 bytes length, then that many bytes: the patterns whose weights
//	          follow, as "NAME POINTS STATES UNIT" separated by ", "
//	length    4 bytes, of the numbers
//	numbers   as zigzag varints (encoding/binary): the units of the net; tempo by
//	          stage; removed, 3 x 3, the opponent's index runs fastest; for each
//	          pattern in that order its weights by stage, one for an index and its
//	          reversal; if the net has units, its bias by unit, its inputs by state,
//	          class and unit, its readout by bucket, view and unit, its base by bucket
//	checksum  8 bytes, the xxh3 hash of everything before
//
// A pattern of the table that a file does not name has value 0, so older files stay
// valid when the table gets a new row. A file with a pattern that the table does not
// have is rejected.
const (
	fileVersion = 5

	headBytes     = len(FileMark) + 2 + 2
	lengthBytes   = 4
	checksumBytes = 8

	// maxFileBytes is larger than any weights file, including those of other versions.
	maxFileBytes = 1 << 24
)

// FileMark is the start of every weights file, whatever its version.
const FileMark = "GyreWts\n"

// layoutRow returns the name of a pattern in a file, such as "five 5 3125 16".
func (p *Pattern) layoutRow() string {
	return fmt.Sprintf("%s %d %d %d", p.Name, p.Points, p.States, p.Unit)
}

// layout returns the table of patterns as it appears in a file.
func layout() string {
	var rows []string
	for k := range patterns {
		rows = append(rows, patterns[k].layoutRow())
	}
	return strings.Join(rows, ", ")
}

// parseLayout returns the patterns that a layout names. known is false if the table
// does not have one of them, or if one occurs twice.
func parseLayout(text string) (rows []int, known bool) {
	for _, row := range strings.Split(text, ", ") {
		k := slices.IndexFunc(patterns[:], func(p Pattern) bool { return p.layoutRow() == row })
		if k < 0 || slices.Contains(rows, k) {
			return nil, false
		}
		rows = append(rows, k)
	}
	return rows, true
}

// The reasons why a weights file is invalid. An error of ReadWeights about the file
// wraps one of them.
var (
	ErrForeign   = errors.New("not a file of weights")
	ErrVersion   = errors.New("made for another version")
	ErrTruncated = errors.New("truncated")
	ErrTrailing  = errors.New("has extra bytes at its end")
	ErrDamaged   = errors.New("damaged")
)

// remake says how to replace weights of another version.
const remake = "rebuild it from its samples: gyre-train fit SAMPLES -o MODEL, then gyre-train export MODEL -o WEIGHTS"

// ReadWeights reads a weights file up to EOF.
func ReadWeights(in io.Reader) (*Weights, error) {
	file, err := io.ReadAll(io.LimitReader(in, maxFileBytes))
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	about, rows, numbers, err := splitFile(file)
	if err != nil {
		return nil, err
	}
	w := NewWeights(about)
	if err := w.readNumbers(rows, numbers); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := checkAbout(w.About); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return w, nil
}

// splitFile checks everything except the values of the weights. It returns the About
// line, the patterns and the numbers of a file.
func splitFile(file []byte) (about string, rows []int, numbers []byte, err error) {
	if err := checkHead(file); err != nil {
		return "", nil, nil, err
	}
	about, rest, ok := cutText(file[len(FileMark)+2:])
	named, rest, alsoOK := cutText(rest)
	switch {
	case ok && len(about) > MaxAbout:
		return "", nil, nil, fmt.Errorf("%w: its line about itself has %d bytes, but only %d are allowed", ErrDamaged, len(about), MaxAbout)
	case !ok || !alsoOK || len(rest) < lengthBytes+checksumBytes:
		return "", nil, nil, fmt.Errorf("%w: incomplete header (%d bytes)", ErrTruncated, len(file))
	}
	body, checksum := file[:len(file)-checksumBytes], binary.LittleEndian.Uint64(file[len(file)-checksumBytes:])
	rows, known := parseLayout(named)
	length := int(binary.LittleEndian.Uint32(rest))
	rest = rest[lengthBytes:]
	want := len(file) - len(rest) + length + checksumBytes
	switch intact := checksum == xxh3.Hash(body); {
	case intact && !known:
		return "", nil, nil, fmt.Errorf("%w: its patterns are %q, and this program's %q; %s", ErrVersion, named, layout(), remake)
	case known && len(file) < want:
		return "", nil, nil, fmt.Errorf("%w: got %d bytes, want %d", ErrTruncated, len(file), want)
	case known && len(file) > want:
		return "", nil, nil, fmt.Errorf("%w: it has more than its %d bytes", ErrTrailing, want)
	case !intact:
		return "", nil, nil, fmt.Errorf("%w: checksum mismatch: got %016x, want %016x", ErrDamaged, xxh3.Hash(body), checksum)
	}
	return about, rows, rest[:length], nil
}

// cutText splits off a text that starts with its length.
func cutText(file []byte) (text string, rest []byte, ok bool) {
	if len(file) < 2 {
		return "", nil, false
	}
	length := int(binary.LittleEndian.Uint16(file))
	if file = file[2:]; length > len(file) {
		return "", nil, false
	}
	return string(file[:length]), file[length:], true
}

// checkHead checks the magic and the version of a file.
func checkHead(file []byte) error {
	known := min(len(file), len(FileMark))
	switch {
	case len(file) == 0:
		return fmt.Errorf("%w: the file is empty", ErrTruncated)
	case string(file[:known]) != FileMark[:known]:
		return ErrForeign // without the bytes of the file, which may be anybody's
	case len(file) < headBytes:
		return fmt.Errorf("%w: incomplete header (%d bytes)", ErrTruncated, len(file))
	}
	if version := binary.LittleEndian.Uint16(file[len(FileMark):]); version != fileVersion {
		return fmt.Errorf("%w: its format has version %d, and this program reads %d; %s", ErrVersion, version, fileVersion, remake)
	}
	return nil
}

// Write writes the weights as a file for [ReadWeights]. It returns an error if they
// do not pass [Weights.Check].
func (w *Weights) Write(out io.Writer) error {
	if err := w.Check(); err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	file := binary.LittleEndian.AppendUint16([]byte(FileMark), fileVersion)
	for _, text := range []string{w.About, layout()} {
		file = binary.LittleEndian.AppendUint16(file, uint16(len(text)))
		file = append(file, text...)
	}
	rows, _ := parseLayout(layout()) // the whole table
	numbers := w.numbers(rows)
	file = append(binary.LittleEndian.AppendUint32(file, uint32(len(numbers))), numbers...)
	file = binary.LittleEndian.AppendUint64(file, xxh3.Hash(file))
	_, err := io.Copy(out, bytes.NewReader(file))
	return err
}

// The default weights of the engine. gyre.weights.txt says how they were made.
//
//go:embed gyre.weights
var embedded []byte

// Checksum returns the XXH3 hash of the embedded weights file, which gyre.weights.txt
// names.
func Checksum() uint64 { return xxh3.Hash(embedded) }

// DefaultEvaluator returns the evaluator with the embedded weights. It is always the
// same one.
var DefaultEvaluator = sync.OnceValue(func() *Evaluator {
	w, err := ReadWeights(bytes.NewReader(embedded))
	if err != nil {
		panic("the weights in the program: " + err.Error()) // a test reads them
	}
	return newEvaluator(w)
})

// numbers returns the numbers of a file with the given patterns.
func (w *Weights) numbers(rows []int) (numbers []byte) {
	numbers = binary.AppendVarint(numbers, int64(w.Net.Units()))
	w.eachNumber(rows, func(number *int16) { numbers = binary.AppendVarint(numbers, int64(*number)) })
	return numbers
}

// readNumbers parses the numbers of a file with the given patterns.
func (w *Weights) readNumbers(rows []int, numbers []byte) error {
	units, length := binary.Varint(numbers)
	if length <= 0 || units < 0 || units > MaxUnits {
		return fmt.Errorf("its net does not have 0 to %d units", MaxUnits)
	}
	numbers = numbers[length:]
	if units > 0 {
		w.Net = NewNet(int(units))
	}
	count, wrong := 1, false
	w.eachNumber(rows, func(number *int16) {
		value, length := binary.Varint(numbers)
		if wrong = wrong || length <= 0 || value != int64(int16(value)); wrong {
			return
		}
		*number, numbers = int16(value), numbers[length:]
		count++
	})
	switch {
	case wrong:
		return fmt.Errorf("number %d is missing or does not fit in 16 bits", count+1)
	case len(numbers) > 0:
		return fmt.Errorf("%d bytes follow its %d numbers", len(numbers), count)
	}
	w.mirror()
	return nil
}

// eachNumber visits the numbers of a file with the given patterns in order.
func (w *Weights) eachNumber(rows []int, visit func(number *int16)) {
	for s := range w.Sets {
		visit(&w.Sets[s].Tempo)
	}
	for own := range w.Removed {
		for theirs := range w.Removed[own] {
			visit(&w.Removed[own][theirs])
		}
	}
	for _, k := range rows {
		lower := patterns[k].lower()
		for s := range w.Sets {
			for _, index := range lower {
				visit(&w.Sets[s].Patterns[k][index])
			}
		}
	}
	if w.Net.Units() == 0 {
		return
	}
	w.Net.each(func(list *[]int16) {
		for i := range *list {
			visit(&(*list)[i])
		}
	})
	for b := range w.Net.Base {
		visit(&w.Net.Base[b])
	}
}

// lower returns the indexes that are not above their reversals.
func (p *Pattern) lower() (list []int) {
	for index, reversed := range p.reversals() {
		if index <= reversed {
			list = append(list, index)
		}
	}
	return list
}

// mirror gives each index the weight of the lower one of it and its reversal.
func (w *Weights) mirror() {
	for k := range patterns {
		reversals := patterns[k].reversals()
		for s := range w.Sets {
			weights := w.Sets[s].Patterns[k]
			for index, reversed := range reversals {
				if reversed < index {
					weights[index] = weights[reversed]
				}
			}
		}
	}
}

// reversals returns [Pattern.Reversed] of all indexes.
func (p *Pattern) reversals() []int {
	all := make([]int, p.States)
	for index := range all {
		all[index] = all[index/BoardStates]/BoardStates + index%BoardStates*(p.States/BoardStates)
	}
	return all
}
