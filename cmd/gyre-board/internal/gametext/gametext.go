// Package gametext reads and writes games in the formats that people paste, open and save:
// positions, lists of turns, records, boardspace.net files and boardgamearena.com logs.
package gametext

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gyre/bench/review"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/position/bga"
	"gyre/position/boundedjson"
	"gyre/position/plaintext"
	"gyre/position/record"
	"gyre/position/sgf"
	"gyre/protocol"
)

// The kinds of text.
const (
	KindPosition = "position" // BOARD SIDE SCORE, or a position command of the protocol
	KindTurns    = "turns"    // a list of turns without tags
	KindRecord   = "record"   // one or more records
	KindSGF      = "sgf"      // a boardspace.net file
	KindBGA      = "bga"      // a replay log from boardgamearena.com
)

// Game is a game in the form that the page uses.
type Game struct {
	Path     referee.Path      `json:"path"`
	Tags     [][2]string       `json:"tags"`           // names and values, without the tags in Path and Result
	Comments map[string]string `json:"comments"`       // by the number of the turn; "0" is before the first turn
	Result   string            `json:"result"`         // "3-1", or "*" for an unfinished game
	End      *End              `json:"end,omitempty"`  // only if the board does not show the end
	Tree     []Node            `json:"tree,omitempty"` // only if there is more than turns and comments
}

// Text is the content of a text.
type Text struct {
	Kind  string `json:"kind"`
	Games []Game `json:"games"` // at least one
	// Skipped names what could not be read, around the games and in them.
	Skipped []*referee.Error `json:"-"`
}

// skip adds faults of what was skipped.
func (t *Text) skip(faults []*record.Error) {
	for _, fault := range faults {
		t.Skipped = append(t.Skipped, referee.Because("", fault))
	}
}

// What reading needs in memory at most, in bytes, in addition to a few times the length of the text. Records of two bytes
// are possible, and branches and properties of a few.
const (
	gameSize     = 3000
	fileSize     = 16 << 10 // of a game of SGF
	turnSize     = 128
	commentSize  = 160
	tagSize      = 256
	branchSize   = 1024
	propertySize = 384
)

// maxWords is the number of words of a list of turns that are read. The longest game has fewer than a hundred turns.
const maxWords = 2000

// Memory counts bytes that reading needs. It returns an error if there is no place for them. A nil Memory has place for all.
type Memory func(bytes int) error

// take counts bytes.
func (m Memory) take(bytes int) error {
	if m == nil {
		return nil
	}
	return m(bytes)
}

// Read detects the kind of a text and reads it. Positions and lists of turns do not contain
// their rules; rules gives them: "standard", "blitz", or empty for standard. The error is a
// *referee.Error, with the line if known, or that of memory, which is asked before more is read.
func Read(content, rules string, memory Memory) (Text, error) {
	text, err := plaintext.Decode(content)
	if err != nil {
		return Text{}, referee.Errorf("", "%v", err).With("not-text")
	}
	if strings.TrimSpace(text) == "" {
		return Text{}, referee.Errorf("", "the text is empty").With("empty")
	}
	switch {
	case bga.Looks(text):
		return readBGA(text, memory)
	case sgf.Looks(text):
		return readSGF(text, memory)
	case strings.ContainsAny(text, "[{"): // a tag or a comment
		return readRecords(text, memory)
	}
	text = firstWords(text)
	if looksLikePosition(text) {
		return readPosition(strings.Join(strings.Fields(text), " "), rules)
	}
	return readTurns(text, rules)
}

// firstWords returns the beginning of a text with at most maxWords words.
func firstWords(text string) string {
	words := 0
	blank := true
	for at, c := range text {
		before := blank
		if blank = unicode.IsSpace(c); before && !blank {
			if words++; words > maxWords {
				return text[:at]
			}
		}
	}
	return text
}

// readBGA reads a log from boardgamearena.com.
func readBGA(text string, memory Memory) (Text, error) {
	if err := memory.take(boundedjson.Size([]byte(text))); err != nil {
		return Text{}, err
	}
	game, skipped, err := bga.Read(text)
	if err != nil {
		return Text{}, referee.Because("", err)
	}
	read := Text{Kind: KindBGA, Games: []Game{gameOf(&game)}}
	read.skip(skipped)
	return read, nil
}

// readRecords reads records.
func readRecords(text string, memory Memory) (Text, error) {
	read := Text{Kind: KindRecord}
	var records []record.Game
	reader := record.NewReader(strings.NewReader(text))
	for {
		game, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			part, ok := reader.Part()
			if !ok || hasGameAfter(text, err) {
				return Text{}, referee.Because("", err)
			}
			read.Skipped = append(read.Skipped, referee.Because("", err))
			records = append(records, withoutTree(part))
			break
		}
		if err := memory.take(sizeOf(&game)); err != nil {
			return Text{}, err
		}
		records = append(records, game)
	}
	if len(records) == 0 {
		return Text{}, referee.Errorf("", "the text contains no game").With("no-game")
	}
	for i := range records {
		game := gameOf(&records[i])
		if tree := records[i].Tag(treeTag); tree != "" {
			if err := readTree(&game, tree, &records[i]); err != nil {
				return Text{}, err
			}
		}
		read.Games = append(read.Games, game)
	}
	return read, nil
}

// hasGameAfter reports whether another record follows the line of an error: the page then reads
// each record alone.
func hasGameAfter(text string, err error) bool {
	wrong, ok := errors.AsType[*record.Error](err)
	if !ok {
		return false
	}
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		if at >= wrong.Line && strings.HasPrefix(strings.TrimSpace(line), "[") {
			return true
		}
		at++
	}
	return false
}

// sizeOf returns what a record needs until it is answered, with the JSON of its tree, which is read later.
func sizeOf(r *record.Game) int {
	size := gameSize + len(r.Tags)*tagSize + len(r.Turns)*turnSize
	for i := range r.Turns {
		if r.Turns[i].Comment != "" {
			size += commentSize
		}
	}
	return size + boundedjson.Size([]byte(r.Tag(treeTag)))
}

// withoutTree returns the part of a record whose other turns were not read. Its variations and its
// result belong to the whole game.
func withoutTree(part record.Game) record.Game {
	part.Tags = slices.DeleteFunc(part.Tags, func(tag record.Tag) bool {
		return tag.Name == treeTag || tag.Name == "Termination"
	})
	return part
}

// textOf returns a Text with one game, the path up to its first illegal turn.
func textOf(kind string, path referee.Path) (Text, error) {
	text := Text{Kind: kind}
	line, err := path.Read()
	if wrong, ok := errors.AsType[*referee.Error](err); ok {
		if legal, _ := strings.CutPrefix(wrong.Where, "turn "); legal != wrong.Where {
			number, _ := strconv.Atoi(legal)
			path.Turns = path.Turns[:max(number-1, 0)]
			if len(path.Turns) > 0 {
				text.Skipped = append(text.Skipped, wrong)
				line, err = path.Read()
			}
		}
	}
	if err != nil {
		return Text{}, err
	}
	game := record.New(*line.Start(), line.Turns...)
	game.Close(line.End())
	text.Games = []Game{gameOf(&game)}
	return text, nil
}

// looksLikePosition reports whether a text is a position or a command that sets one up. A
// board contains slashes; a turn does not.
func looksLikePosition(text string) bool {
	return strings.Contains(text, "/") || strings.HasPrefix(strings.TrimSpace(text), "position ")
}

// readPosition reads a position or a position command, with the turns after it.
func readPosition(text, rules string) (Text, error) {
	path := referee.Path{Rules: rules, Start: text}
	if strings.HasPrefix(text, "position ") || strings.Contains(text, " moves ") {
		if !strings.HasPrefix(text, "position ") {
			text = "position fen " + text
		}
		command, _, err := protocol.ParseCommand(text)
		if err != nil {
			return Text{}, referee.Errorf("", "%v", err).With("bad-command")
		}
		set, ok := command.(protocol.SetPosition)
		if !ok {
			return Text{}, referee.Errorf("", "this command does not set up a position").With("bad-command")
		}
		path.Start, path.Turns = strings.Join(set.Board, " "), set.Turns
	}
	return textOf(KindPosition, path)
}

// winners are the winners by result.
var winners = map[position.Result]string{position.WhiteWins: "w", position.BlackWins: "b"}

// gameOf converts a record.
func gameOf(r *record.Game) Game {
	line := referee.Line{Positions: []position.Position{r.Start}}
	game := Game{Tags: [][2]string{}, Comments: map[string]string{}, Result: r.ResultText()}
	if r.Comment != "" {
		game.Comments["0"] = r.Comment
	}
	for i, recorded := range r.Turns {
		line.Turns = append(line.Turns, recorded.Turn)
		if recorded.Comment != "" {
			game.Comments[fmt.Sprint(i+1)] = recorded.Comment
		}
	}
	game.Path = line.Path()
	for _, tag := range r.Tags {
		if tag.Name != treeTag {
			game.Tags = append(game.Tags, [2]string{tag.Name, tag.Value})
		}
	}
	if r.Finished {
		if end, err := r.End(); err == nil && !end.Over() {
			game.End = &End{Winner: winners[r.Result()], Why: r.Tag("Termination")}
		}
	}
	return game
}

// withoutNumber returns a word of a list of turns without the number before a turn, such as 12. or 12...
func withoutNumber(word string) string {
	if rest := strings.TrimLeft(word, "0123456789"); rest != word && strings.HasPrefix(rest, ".") {
		return strings.TrimLeft(rest, ".")
	}
	return word
}

// isResult reports whether a word is the result at the end of a list of turns: *, or the rings that both have removed.
func isResult(word string) bool {
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	return word == "*" || len(word) == 3 && isDigit(word[0]) && word[1] == '-' && isDigit(word[2])
}

// readTurns reads a list of turns with or without numbers. It accepts spaces around the
// semicolons of a turn, and a space instead of the hyphen of a move.
func readTurns(text, rules string) (Text, error) {
	var words []string
	parts := strings.Split(text, ";")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	for _, word := range strings.Fields(strings.Join(parts, ";")) {
		if word = withoutNumber(word); word != "" {
			words = append(words, word)
		}
	}
	if n := len(words); n > 0 && isResult(words[n-1]) {
		words = words[:n-1]
	}
	end := slices.IndexFunc(words, record.HasVariation)
	if end < 0 {
		return textOf(KindTurns, referee.Path{Rules: rules, Turns: joinMoves(words, rules)})
	}
	turns := joinMoves(words[:end], rules)
	wrong := referee.Errorf(fmt.Sprintf("turn %d", len(turns)+1), record.NoVariations).With("variation")
	if end == 0 {
		return Text{}, wrong
	}
	read, err := textOf(KindTurns, referee.Path{Rules: rules, Turns: turns})
	if err == nil && read.Skipped == nil {
		read.Skipped = []*referee.Error{wrong}
	}
	return read, err
}

// joinMoves joins the two points of a move into one word. A single point is a turn only while
// rings are placed. A move may follow the removal of rows.
func joinMoves(words []string, rules string) []string {
	line, err := referee.Path{Rules: rules}.Read()
	if err != nil {
		return words
	}
	var turns []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		last := word[strings.LastIndexByte(word, ';')+1:]
		if _, err := position.ParsePoint(strings.ToLower(last)); err == nil && !line.End().Placing() && i+1 < len(words) {
			i++
			word += "-" + words[i]
		}
		turns = append(turns, word)
		turn, err := line.End().ParseTurn(word)
		if err != nil {
			return append(turns, words[i+1:]...)
		}
		line.Add(turn)
	}
	return turns
}

// Write returns a game as a record. If the game is over on the board, the result is the
// board's. Otherwise it is g.Result, which needs the tag Termination, or the result of g.End.
// The comments are those of g.Tree if it exists. The error is a *referee.Error.
func Write(g Game) (string, error) {
	game, err := recordOf(g)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := game.Write(&text); err != nil {
		return "", &referee.Error{Message: err.Error()}
	}
	return text.String(), nil
}

// recordOf converts a game. Its error is a *referee.Error.
func recordOf(g Game) (record.Game, error) {
	line, err := g.Path.Read()
	if err != nil {
		return record.Game{}, err
	}
	game := record.New(*line.Start(), line.Turns...)
	if err := setTags(&game, g.Tags); err != nil {
		return record.Game{}, err
	}
	if g.Tree != nil {
		err = addTree(&game, g.Tree)
	} else {
		err = addComments(&game, g.Comments)
	}
	if err == nil {
		err = g.giveResult(&game, line.End())
	}
	return game, err
}

// setTags sets tags of a record, except those that the other fields of a Game contain. It counts them
// before it compares each with the others.
func setTags(game *record.Game, tags [][2]string) error {
	if len(tags) > record.MaxTags {
		return referee.Errorf("", "more than %d tags", record.MaxTags).With("too-long", "text", tags[record.MaxTags][0])
	}
	for _, tag := range tags {
		switch tag[0] {
		case "Result", "Rules", "Position", treeTag:
		default:
			game.SetTag(tag[0], tag[1])
		}
	}
	return nil
}

// giveResult sets the result of a record: the board's, or else the game's.
func (g *Game) giveResult(game *record.Game, end *position.Position) (err error) {
	game.Close(end)
	switch {
	case game.Finished:
	case g.Result != "" && g.Result != "*":
		if game.Score, err = scoreOf(g.Result); err != nil {
			return err
		}
		game.Finished = true
		if g.End != nil {
			game.SetTag("Termination", g.End.Why)
		}
	case g.End != nil:
		game.Award(end, g.End.result(), g.End.Why)
	}
	return nil
}

// addComments adds comments to the turns.
func addComments(game *record.Game, comments map[string]string) error {
	for number, comment := range comments {
		ply, err := strconv.Atoi(number)
		if err != nil || ply < 0 || ply > len(game.Turns) {
			return &referee.Error{Message: fmt.Sprintf("there is a comment for turn %.20q, but no such turn", number), Where: "comments"}
		}
		if ply == 0 {
			game.Comment = commentOf(comment)
			continue
		}
		game.Turns[ply-1].Comment = commentOf(comment)
	}
	return nil
}

// scoreOf reads a result such as "3-1".
func scoreOf(result string) ([2]int, error) {
	white, black, _ := strings.Cut(result, "-")
	w, err := strconv.Atoi(white)
	b, err2 := strconv.Atoi(black)
	if err != nil || err2 != nil {
		return [2]int{}, referee.Errorf("result", "%.20q is not a result; use a score such as 3-1, or *", result).With("bad-result", "text", result)
	}
	return [2]int{w, b}, nil
}

// treeTag is the tag of a record for content that turns and comments cannot express:
// variations, drawings, scores and findings. Its value is the JSON of a []Node. Programs that
// do not know the tag preserve it.
const treeTag = "Tree"

// Node is a turn in the tree of a game. A line is a list of nodes, so a long game does not
// nest deeply. The first node of the tree is the start, which has no turn.
type Node struct {
	Turn      string                    `json:"turn"`
	Comment   string                    `json:"comment,omitempty"` // any text
	Score     *Score                    `json:"score,omitempty"`   // from White's view
	Finding   *Finding                  `json:"finding,omitempty"` // of a review of this turn
	Review    map[string]review.Summary `json:"review,omitempty"`  // summary by side of the review of the line that ends here
	Clock     *sgf.Clock                `json:"clock,omitempty"`   // time left after the turn
	End       *End                      `json:"end,omitempty"`
	Arrows    []Arrow                   `json:"arrows,omitempty"`    // drawn by the user
	Preferred int                       `json:"preferred,omitempty"` // index of the continuation viewed last
	Others    [][]Node                  `json:"others,omitempty"`    // continuations other than the next node
}

// Score is an engine's score.
type Score struct {
	protocol.ScoreFields
	Depth int `json:"depth,omitempty"`
}

// Finding is a review's result for a turn. Package review defines its numbers.
type Finding struct {
	Label     string   `json:"label"`
	Lost      float64  `json:"lost"`     // chances in percent
	Accuracy  float64  `json:"accuracy"` // 0 to 100
	MissedRow bool     `json:"missedRow"`
	Best      string   `json:"best"`           // empty if the turn is the best
	Line      []string `json:"line,omitempty"` // the engine's line from Best on
}

// End is an end of the game that the board does not show.
type End struct {
	Winner string `json:"winner"` // "w", "b", or "" for a draw
	Why    string `json:"why"`    // the Termination tag, for example "resignation" or "time forfeit"
}

// result returns the result for the winner.
func (e *End) result() position.Result {
	for won, winner := range winners {
		if winner == e.Winner {
			return won
		}
	}
	return position.Draw
}

// Arrow is an arrow, or a circle if both points are the same.
type Arrow struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// readTree reads the tree tag. Its main line must equal the record's turns. It also contains
// all comments.
func readTree(g *Game, value string, r *record.Game) error {
	var tree []Node
	if err := parse(value, &tree); err != nil {
		return inTree("%v", err)
	}
	if err := checkTree(tree, r); err != nil {
		return err
	}
	g.Comments = map[string]string{}
	if holdsMore(tree) {
		g.Tree = tree
		return nil
	}
	for i, node := range tree {
		if node.Comment != "" {
			g.Comments[fmt.Sprint(i)] = node.Comment
		}
	}
	return nil
}

// Limits of the JSON in a text, which may be of anybody. A game that was reviewed has some thousand values.
const (
	maxValues = 150_000
	maxLevels = 9000
)

// parse parses JSON in a text.
func parse(text string, into any) error {
	return boundedjson.Unmarshal([]byte(text), into, maxValues, maxLevels)
}

// checkTree checks that all turns of a tree are legal, and that its main line consists of the
// turns of a record.
func checkTree(tree []Node, r *record.Game) error {
	if len(tree) != len(r.Turns)+1 || tree[0].Turn != "" {
		return inTree("the tree does not belong to the turns of the record")
	}
	for i, node := range tree[1:] {
		if turn := r.Turns[i].Turn.String(); node.Turn != turn {
			return inTree("turn %d is %.20q instead of %s", i+1, node.Turn, turn)
		}
	}
	if err := checkWays(r.Start, tree[0].Others); err != nil {
		return err
	}
	return checkLine(r.Start, tree[1:])
}

// checkLine checks the turns of a line that starts at p, and its variations.
func checkLine(p position.Position, line []Node) error {
	for i := range line {
		turn, err := p.ParseTurn(line[i].Turn)
		if err != nil {
			return inTree("%v", err)
		}
		p = p.After(turn)
		if err := checkWays(p, line[i].Others); err != nil {
			return err
		}
	}
	return nil
}

// checkWays checks the continuations of a position.
func checkWays(p position.Position, ways [][]Node) error {
	for _, way := range ways {
		if len(way) == 0 {
			return inTree("a variation has no turns")
		}
		if err := checkLine(p, way); err != nil {
			return err
		}
	}
	return nil
}

// inTree returns an error in the tree tag.
func inTree(format string, args ...any) *referee.Error {
	return referee.Errorf("tag "+treeTag, format, args...).With("damaged")
}

// addTree adds the comments of a tree's main line to a record, and the tree tag if the tree
// contains more.
func addTree(game *record.Game, tree []Node) error {
	if err := checkTree(tree, game); err != nil {
		return err
	}
	setComments(game, tree)
	if !holdsMore(tree) {
		return nil
	}
	text, err := json.Marshal(tree)
	if err == nil {
		err = boundedjson.Check(text, maxValues, maxLevels) // it could not be read
	}
	if err != nil {
		return inTree("%v", err)
	}
	game.SetTag(treeTag, string(text))
	return nil
}

// setComments sets the comments of a record to those of a tree's main line.
func setComments(game *record.Game, tree []Node) {
	game.Comment = commentOf(tree[0].Comment)
	for i := range game.Turns {
		game.Turns[i].Comment = commentOf(tree[i+1].Comment)
	}
}

// holdsMore reports whether a tree contains more than a record's turns, comments and result.
func holdsMore(tree []Node) bool {
	for i, n := range tree {
		early := n.End != nil && i < len(tree)-1
		if early || n.Score != nil || n.Finding != nil || len(n.Review) > 0 || n.Clock != nil || len(n.Arrows) > 0 || len(n.Others) > 0 || n.Comment != commentOf(n.Comment) {
			return true
		}
	}
	return false
}

// longestComment limits a comment in a record in bytes. The tree contains the whole comment.
const longestComment = 1 << 14

// commentOf converts a text to a record's comment: white space becomes single spaces, and a
// closing brace becomes a parenthesis.
func commentOf(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "}", ")")
	if len(text) > longestComment {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:longestComment], ""))
	}
	return text
}
