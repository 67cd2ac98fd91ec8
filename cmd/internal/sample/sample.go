// Package sample defines the file format of training samples: positions from the engine's own
// games, with a search score and the game's result. It also computes [Statistics] of samples.
//
// [Reader] reads files, and [AppendHeader] and [AppendGame] write them. A file is a header
// followed by blocks, one for each game, in any order. Numbers are little endian.
//
//	header  "gyre samples 1\n", the length of the text (4 bytes), the xxh3
//	        checksum of the text (8), the text: provenance, one line
//	        "name: value" each
//	block   a mark (4 bytes), the xxh3 checksum of the rest of the block (8),
//	        the number of the game (4), the length of the records (4), the
//	        records, 34 bytes each
//
// Damaged or incomplete blocks are reported and skipped. Reading resumes at the next mark that
// begins a valid block.
package sample

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench/journal"
	"gyre/position"
)

// Sample is a position in which the game is not over, with its score and result.
type Sample struct {
	Position position.Position
	// Score is the search's score for the side to move in centipawns, or ±MaxScore if the
	// search proved the result.
	Score  int16
	Result int8   // of the game for the side to move: -1 loss, 0 draw, 1 win
	Ply    uint8  // number of turns before the position
	Game   uint32 // number of the game in the file
}

// MaxScore is the maximum score, and the score of every proven win.
const MaxScore = 20000

// Size is the length of a sample in bytes.
const Size = 34

// The layout of a sample after the points.
const (
	stateAt = pointsSize // the sides' state: see state
	plyAt   = stateAt + 1
	scoreAt = plyAt + 1
	gameAt  = scoreAt + 2
)

// Append appends the encoded sample to dst.
func (s *Sample) Append(dst []byte) []byte {
	pieces := s.Position.Pieces()
	dst = appendPoints(dst, &pieces)
	dst = append(dst, state(&pieces, s.Result), s.Ply)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(s.Score))
	return binary.LittleEndian.AppendUint32(dst, s.Game)
}

// Decode decodes a sample of Size bytes. It returns an error if the sample is impossible.
func Decode(record []byte) (s Sample, err error) {
	if len(record) != Size {
		return s, fmt.Errorf("%d bytes, want %d", len(record), Size)
	}
	var pieces position.Pieces
	if err := readPoints(record[:pointsSize], &pieces); err != nil {
		return s, err
	}
	s.Result = readState(record[stateAt], &pieces)
	if s.Position, err = pieces.Position(); err != nil {
		return s, err
	}
	s.Ply = record[plyAt]
	s.Score = int16(binary.LittleEndian.Uint16(record[scoreAt:]))
	s.Game = binary.LittleEndian.Uint32(record[gameAt:])
	return s, s.check()
}

// check reports what is impossible about a sample, or nil.
func (s *Sample) check() error {
	switch {
	case s.Score < -MaxScore || s.Score > MaxScore:
		return fmt.Errorf("score %d: must be within ±%d", s.Score, MaxScore)
	case s.Result < -1 || s.Result > 1:
		return fmt.Errorf("result %d: must be -1, 0 or 1", s.Result)
	case s.Position.Over():
		return fmt.Errorf("the game is over in %v", &s.Position)
	}
	return nil
}

// The bits of the state byte.
const (
	sideShift    = 0 // side to move, 1 bit
	rulesShift   = 1 // rules, 1 bit
	removedShift = 2 // removed rings of White, then of Black, 2 bits each
	resultShift  = 6 // result + 1, 2 bits
)

// state encodes the sides' state. At most 3 rings are removed.
func state(c *position.Pieces, result int8) byte {
	return byte(c.SideToMove)<<sideShift | byte(c.Rules)<<rulesShift |
		byte(c.Removed[position.White])<<removedShift | byte(c.Removed[position.Black])<<(removedShift+2) |
		byte(result+1)<<resultShift
}

// readState is the inverse of state.
func readState(b byte, c *position.Pieces) (result int8) {
	c.SideToMove, c.Rules = position.Side(b>>sideShift&1), position.Rules(b>>rulesShift&1)
	c.Removed[position.White] = int(b >> removedShift & 3)
	c.Removed[position.Black] = int(b >> (removedShift + 2) & 3)
	return int8(b>>resultShift&3) - 1
}

// A point is a digit in base 5: 0 for vacant, then a ring and a marker of each side. A 64-bit
// word holds 27 digits. So the 85 points, in the order of their numbers, take three words and
// four digits in two more bytes. The first point of each is the lowest digit.
const (
	pointStates = 5
	wordPoints  = 27
	words       = position.PointCount / wordPoints
	pointsSize  = 8*words + 2
)

// digitOf returns the digit of a side's ring. The digit of its marker is one higher.
func digitOf(side position.Side) uint64 { return 1 + 2*uint64(side) }

// ordered lists the points of the board in the order of their numbers.
var ordered = position.Board().Points(nil)

// appendPoints appends the encoded pieces on the board.
func appendPoints(dst []byte, c *position.Pieces) []byte {
	var digits [128]uint64 // by point
	for side := range position.Side(2) {
		for b := c.Rings[side]; !b.IsEmpty(); b = b.WithoutFirst() {
			digits[b.First()] = digitOf(side)
		}
		for b := c.Markers[side]; !b.IsEmpty(); b = b.WithoutFirst() {
			digits[b.First()] = digitOf(side) + 1
		}
	}
	for i := range words {
		dst = binary.LittleEndian.AppendUint64(dst, number(&digits, ordered[i*wordPoints:(i+1)*wordPoints]))
	}
	return binary.LittleEndian.AppendUint16(dst, uint16(number(&digits, ordered[words*wordPoints:])))
}

// number combines the digits of points into a number.
func number(digits *[128]uint64, points []position.Point) (n uint64) {
	for i := len(points) - 1; i >= 0; i-- {
		n = n*pointStates + digits[points[i]]
	}
	return n
}

// readPoints is the inverse of appendPoints.
func readPoints(b []byte, c *position.Pieces) error {
	var sets [pointStates]position.Bitboard
	for i := range words {
		if rest := place(&sets, binary.LittleEndian.Uint64(b[8*i:]), ordered[i*wordPoints:(i+1)*wordPoints]); rest != 0 {
			return fmt.Errorf("points: word %d is out of range", i)
		}
	}
	if rest := place(&sets, uint64(binary.LittleEndian.Uint16(b[8*words:])), ordered[words*wordPoints:]); rest != 0 {
		return fmt.Errorf("points: the last word is out of range")
	}
	for side := range position.Side(2) {
		c.Rings[side], c.Markers[side] = sets[digitOf(side)], sets[digitOf(side)+1]
	}
	return nil
}

// place adds each point to the set of its digit and returns the remaining number.
func place(sets *[pointStates]position.Bitboard, n uint64, points []position.Point) (rest uint64) {
	for _, p := range points {
		set := &sets[n%pointStates]
		set.Lo |= 1 << p
		set.Hi |= 1 << (p - 64)
		n /= pointStates
	}
	return n
}

// magic begins every file, followed by the version of the format.
const (
	magic  = "gyre samples "
	format = "1\n"
)

// maxText is the maximum length of the header's text in bytes.
const maxText = 1 << 16

// AppendHeader appends the header of a file to dst. It returns an error if about cannot be
// written.
func AppendHeader(dst []byte, about About) ([]byte, error) {
	text, err := about.text()
	if err != nil {
		return dst, err
	}
	dst = append(dst, magic+format...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	dst = binary.LittleEndian.AppendUint64(dst, xxh3.HashString(text))
	return append(dst, text...), nil
}

// readHeader reads a header and returns its length too.
func readHeader(in io.Reader) (about About, length int64, err error) {
	var start [len(magic) + len(format) + 12]byte
	n, err := io.ReadFull(in, start[:])
	if name := string(start[:len(magic)]); name != magic && !strings.HasPrefix(magic, string(start[:n])) {
		return nil, 0, errors.New("not a file of samples")
	}
	if err != nil {
		return nil, 0, cutShort(err)
	}
	if number := string(start[len(magic) : len(magic)+len(format)]); number != format {
		return nil, 0, fmt.Errorf("samples in format %q, but this program reads %q", strings.TrimSpace(number), strings.TrimSpace(format))
	}
	size := binary.LittleEndian.Uint32(start[len(magic)+len(format):])
	if size > maxText {
		return nil, 0, fmt.Errorf("the header is damaged: its text has length %d", size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, 0, cutShort(err)
	}
	if xxh3.Hash(text) != binary.LittleEndian.Uint64(start[len(start)-8:]) {
		return nil, 0, errors.New("the header is damaged: its checksum is wrong")
	}
	about, err = parseAbout(string(text))
	return about, int64(len(start)) + int64(size), err
}

// errCut means that a file ends within its header.
var errCut = errors.New("the file ends within its header")

// cutShort returns the error for a header that could not be read.
func cutShort(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errCut
	}
	return err
}

// About describes how a file was made: everything that its games depend on.
type About []Field

// Field is a line of About. A name has no colon. Neither part has line breaks or leading or
// trailing spaces.
type Field struct{ Name, Value string }

// Value returns the value of a field, or "" if it is missing.
func (a About) Value(name string) string {
	for _, f := range a {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Differences lists the fields that differ between a and b, for example "seed: 1, now 2".
func (a About) Differences(b About) []string { return journal.Differences(a.Settings(), b.Settings()) }

// Settings returns the values by name, without empty ones.
func (a About) Settings() map[string][]string {
	values := map[string][]string{}
	for _, f := range a {
		if f.Value != "" {
			values[f.Name] = []string{f.Value}
		}
	}
	return values
}

// text returns the lines as text.
func (a About) text() (string, error) {
	var text strings.Builder
	for _, f := range a {
		line := f.Name + ": " + f.Value
		if again, err := parseField(line); err != nil || again != f {
			return "", fmt.Errorf("%q: %q cannot be written as a line", f.Name, f.Value)
		}
		text.WriteString(line + "\n")
	}
	if text.Len() > maxText {
		return "", fmt.Errorf("header text of %d bytes: at most %d are allowed", text.Len(), maxText)
	}
	return text.String(), nil
}

// parseAbout is the inverse of text.
func parseAbout(text string) (a About, err error) {
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		f, err := parseField(line)
		if !ended {
			err = fmt.Errorf("line %q has no newline", line)
		}
		if err != nil {
			return nil, err
		}
		a = append(a, f)
	}
	return a, nil
}

// parseField parses a line.
func parseField(line string) (Field, error) {
	name, value, found := strings.Cut(line, ": ")
	if !found || name == "" || strings.ContainsAny(name, ":") || strings.ContainsAny(line, "\r\n") ||
		strings.TrimSpace(name) != name || strings.TrimSpace(value) != value {
		return Field{}, fmt.Errorf("line %q: expected NAME: VALUE", line)
	}
	return Field{name, value}, nil
}

// mark begins every block.
const mark = "\xf6GmB"

// The layout of a block.
const (
	checksumAt = len(mark)
	numberAt   = checksumAt + 8
	lengthAt   = numberAt + 4
	recordsAt  = lengthAt + 4
)

// maxSamples is the maximum number of samples in a game.
const maxSamples = 256

// Game is a game in a file.
type Game struct {
	Number  uint32
	Samples []Sample // ordered by ply
}

// Result returns how the game ended, or Ongoing if it has no samples.
func (g *Game) Result() position.Result {
	if len(g.Samples) == 0 {
		return position.Ongoing
	}
	first := &g.Samples[0]
	switch side := first.Position.SideToMove(); {
	case first.Result > 0:
		return position.WonBy(side)
	case first.Result < 0:
		return position.WonBy(side.Opponent())
	}
	return position.Draw
}

// AppendGame appends the block of a game to dst. The error names the sample that cannot be
// written.
func AppendGame(dst []byte, g *Game) ([]byte, error) {
	if len(g.Samples) > maxSamples {
		return dst, fmt.Errorf("game %d: %d samples, at most %d are allowed", g.Number, len(g.Samples), maxSamples)
	}
	begin := len(dst)
	block := append(dst, mark...)
	block = binary.LittleEndian.AppendUint64(block, 0)
	block = binary.LittleEndian.AppendUint32(block, g.Number)
	block = binary.LittleEndian.AppendUint32(block, uint32(len(g.Samples)*Size))
	for i := range g.Samples {
		s := &g.Samples[i]
		if err := g.check(s); err != nil {
			return dst, fmt.Errorf("game %d: sample %d: %w", g.Number, i, err)
		}
		block = s.Append(block)
	}
	sum := xxh3.Hash(block[begin+numberAt:])
	binary.LittleEndian.PutUint64(block[begin+checksumAt:], sum)
	return block, nil
}

// check reports what is wrong with a sample of the game, or nil.
func (g *Game) check(s *Sample) error {
	if s.Game != g.Number {
		return fmt.Errorf("belongs to game %d", s.Game)
	}
	return s.check()
}

// blockLength returns the length of the block that begins with the first recordsAt bytes start.
func blockLength(start []byte) (int, error) {
	if string(start[:len(mark)]) != mark {
		return 0, errors.New("not the beginning of a game")
	}
	length := binary.LittleEndian.Uint32(start[lengthAt:])
	if length > maxSamples*Size || length%Size != 0 {
		return 0, fmt.Errorf("invalid length of %d bytes", length)
	}
	return recordsAt + int(length), nil
}

// errChecksum means that a block was changed.
var errChecksum = errors.New("the checksum is wrong")

// readBlock decodes a block into g, reusing g's memory.
func readBlock(block []byte, g *Game) error {
	if xxh3.Hash(block[numberAt:]) != binary.LittleEndian.Uint64(block[checksumAt:]) {
		return errChecksum
	}
	g.Number = binary.LittleEndian.Uint32(block[numberAt:])
	g.Samples = g.Samples[:0]
	for at := recordsAt; at < len(block); at += Size {
		s, err := Decode(block[at : at+Size])
		if err == nil {
			err = g.check(&s)
		}
		if err != nil {
			return fmt.Errorf("game %d: sample %d: %w", g.Number, len(g.Samples), err)
		}
		g.Samples = append(g.Samples, s)
	}
	return nil
}

// Reader reads a file of samples, one game at a time.
type Reader struct {
	in     *bufio.Reader
	about  About
	offset int64 // of the next byte
	game   Game
	damage *Damage // being skipped, or nil
}

// Damage is an error for a part of a file that contains no valid game.
type Damage struct {
	Offset, Length int64 // in bytes
	Reason         error // what is wrong at its beginning
	Last           bool  // whether no valid game follows
}

// Error describes the damage and where it is.
func (d *Damage) Error() string {
	return fmt.Sprintf("damaged from byte %d to %d: %v", d.Offset, d.Offset+d.Length, d.Reason)
}

// Unwrap returns the reason.
func (d *Damage) Unwrap() error { return d.Reason }

// readAhead is the size of the reader's buffer, enough for several games.
const readAhead = 1 << 16

// NewReader reads the header of a file. It returns an error if the input is not a file of
// samples, has another format, or has a damaged or incomplete header.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, readAhead)}
	var err error
	if r.about, r.offset, err = readHeader(r.in); err != nil {
		return nil, err
	}
	return r, nil
}

// About returns how the file was made.
func (r *Reader) About() About { return r.about }

// Offset returns the number of bytes read or skipped so far, including the header.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next valid game, valid until the next call, or io.EOF after the last one. If
// it skipped something, it returns a [*Damage], and the next call continues. Other errors are
// those of the input.
func (r *Reader) Next() (*Game, error) {
	for {
		length, err := r.block()
		switch {
		case err == nil && r.damage != nil:
			return nil, r.passed(false)
		case err == nil:
			return &r.game, r.skip(length)
		case err == io.EOF && r.damage != nil:
			return nil, r.passed(true)
		case err == io.EOF:
			return nil, io.EOF
		}
		wrong, ok := errors.AsType[*blockError](err)
		if !ok {
			return nil, err
		}
		if r.damage == nil {
			r.damage = &Damage{Offset: r.offset, Reason: wrong.reason}
		}
		if err := r.resume(wrong.length); err != nil {
			return nil, err
		}
	}
}

// Each calls visit with the remaining games, each valid until the next, and damaged with the parts that
// it skips. It stops at the first error, of visit or of the input.
func (r *Reader) Each(visit func(*Game) error, damaged func(*Damage)) error {
	for {
		g, err := r.Next()
		if damage, ok := errors.AsType[*Damage](err); ok {
			damaged(damage)
			continue
		}
		switch {
		case err == io.EOF:
			return nil
		case err == nil:
			err = visit(g)
		}
		if err != nil {
			return err
		}
	}
}

// passed returns the damage that was skipped.
func (r *Reader) passed(last bool) *Damage {
	d := r.damage
	d.Length, d.Last, r.damage = r.offset-d.Offset, last, nil
	return d
}

// blockError says why there is no valid block.
type blockError struct {
	reason error
	length int // number of bytes that cannot begin another block
}

func (e *blockError) Error() string { return e.reason.Error() }

// block reads the next block without consuming it and returns its length. The error is io.EOF at
// the end, a *blockError, or that of the input.
func (r *Reader) block() (int, error) {
	start, err := r.in.Peek(recordsAt)
	if err == io.EOF && len(start) > 0 {
		return 0, &blockError{fmt.Errorf("incomplete after %d bytes", len(start)), len(start)}
	}
	if err != nil {
		return 0, err
	}
	length, err := blockLength(start)
	if err != nil {
		return 0, &blockError{err, 1}
	}
	block, err := r.in.Peek(length)
	if err == io.EOF {
		return 0, &blockError{fmt.Errorf("incomplete after %d of the %d bytes of a game", len(block), length), 1}
	}
	if err != nil {
		return 0, err
	}
	switch err := readBlock(block, &r.game); {
	case errors.Is(err, errChecksum):
		return 0, &blockError{err, 1}
	case err != nil:
		return 0, &blockError{err, length}
	}
	return length, nil
}

// resume skips at least least bytes, up to the next possible beginning of a block.
func (r *Reader) resume(least int) error {
	if err := r.skip(least); err != nil {
		return err
	}
	for {
		// A mark may cross the end of the buffer.
		ahead, err := r.in.Peek(max(len(mark), r.in.Buffered()))
		if at := bytes.Index(ahead, []byte(mark)); at >= 0 {
			return r.skip(at)
		}
		if err == io.EOF {
			return r.skip(len(ahead))
		}
		if err != nil {
			return err
		}
		if err := r.skip(len(ahead) - len(mark) + 1); err != nil {
			return err
		}
	}
}

// skip consumes length bytes.
func (r *Reader) skip(length int) error {
	n, err := r.in.Discard(length)
	r.offset += int64(n)
	return err
}
