// Package gamereview reviews a game for `gyre review`: it reads records and SGF files, and
// writes what each turn lost as text, as JSON, or as a page that needs no network. Its
// numbers are those of gyre-board's review. It does not use reflection, html/template or
// regular expressions, so that the engine stays small.
package gamereview

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gyre/bench/review"
	"gyre/position"
	"gyre/position/drawing"
	"gyre/position/record"
	"gyre/position/sgf"
	"gyre/protocol"
	"gyre/protocol/analysis"
	"gyre/search"
)

// Game is the main line of a game.
type Game struct {
	Turns     []position.Turn
	Positions []position.Position // before the first turn, then after each
	Record    record.Game
	Why       string // why the game ended off the board, such as "resignation"
}

// Read reads all games of a text: records, or an SGF file of boardspace.net. skipped is what could
// not be read of a file around the games. The error is a [*record.Error].
func Read(text string) (games []Game, skipped []*record.Error, err error) {
	if !sgf.Looks(text) {
		records, err := record.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			return nil, nil, err
		}
		for i := range records {
			games = append(games, gameOf(&records[i]))
		}
		return games, nil, nil
	}
	files, skipped, err := sgf.Read(text)
	if err != nil {
		return nil, nil, err
	}
	for i := range files {
		games = append(games, gameOf(mainLine(&files[i])))
	}
	return games, skipped, nil
}

// mainLine converts the main line of a file.
func mainLine(file *sgf.Game) *record.Game {
	turns, end, leaf := file.MainLine()
	r := record.New(file.Start, turns...)
	r.Tags = file.Tags
	if r.Close(&end); !r.Finished && leaf.End != nil {
		r.Award(&end, leaf.End.Result, leaf.End.Why)
	}
	return &r
}

// gameOf converts a record.
func gameOf(r *record.Game) Game {
	p := r.Start
	g := Game{Positions: []position.Position{p}, Record: *r}
	for _, recorded := range r.Turns {
		p = p.After(recorded.Turn)
		g.Turns = append(g.Turns, recorded.Turn)
		g.Positions = append(g.Positions, p)
	}
	if r.Finished && !p.Over() {
		g.Why = r.Tag("Termination")
	}
	return g
}

// Engine judges positions, one at a time.
type Engine interface {
	NewGame()
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(protocol.Info)) (best, ponder position.Turn)
}

// Review is the review of a game.
type Review struct {
	Game   *Game
	Engine string // its name and version
	Nodes  uint64 // for each position

	verdicts []review.Verdict
	sides    [2]review.Summary
	before   protocol.Score // of the first position, for the side to move
}

// Run judges each turn of a game with the given number of nodes for each position, and the
// worst turns again with more. The result depends only on the game, the nodes and the engine.
// It uses all engines in parallel, which must be equal. step is called after each position
// with the share of the work done. Run fails if the game has no turns or ctx is done.
func Run(ctx context.Context, g *Game, engines []Engine, nodes uint64, step func(share float64)) (*Review, error) {
	if len(g.Turns) == 0 {
		return nil, errors.New("the game has no turns")
	}
	found := review.New(g.Positions, g.Turns)
	judges := make([]review.Judge, len(engines))
	for i, e := range engines {
		judges[i] = func(ctx context.Context, ply int, nodes uint64) (review.Judgement, error) {
			j := ask(ctx, e, &g.Positions[ply], nodes)
			return j, context.Cause(ctx) // an interrupted search does not count
		}
	}
	if err := found.Run(ctx, nodes, judges, func(share float64, _ []review.Verdict) { step(share) }); err != nil {
		return nil, err
	}
	verdicts := found.Verdicts()
	return &Review{Game: g, Nodes: nodes, verdicts: verdicts, sides: found.Summaries(), before: verdicts[0].Before}, nil
}

// ask judges a position. Each search begins a new game, so that it depends on no other one.
func ask(ctx context.Context, e Engine, p *position.Position, nodes uint64) review.Judgement {
	e.NewGame()
	var last protocol.Info
	best, _ := e.Search(ctx, *p, search.Limits{Nodes: nodes}, func(i protocol.Info) {
		if i.HasScore {
			last.Score = i.Score
		}
		if len(i.PV) > 0 {
			last.PV = i.PV
		}
	})
	line := last.PV
	if len(line) == 0 || line[0] != best {
		line = []position.Turn{best}
	}
	return review.Judgement{Score: last.Score, Line: line}
}

// maxLine limits the turns of the engine's line, and maxSentences the sentences about a turn.
const (
	maxLine      = 6
	maxSentences = 3
)

// sentences returns the first facts as sentences.
func sentences(facts []review.Fact) (list []string) {
	for _, fact := range facts[:min(len(facts), maxSentences)] {
		list = append(list, fact.Sentence())
	}
	return list
}

// reasons returns what is wrong with a turn that lost much, and what is good about the better
// one.
func (r *Review) reasons(v *review.Verdict) (against, better []string) {
	if v.Label == review.Fine || len(v.Best) == 0 || v.Best[0] == v.Turn {
		return nil, nil
	}
	before := &r.Game.Positions[v.Ply-1]
	return sentences(review.Against(before, v.Turn, v.Best[0])), sentences(review.For(before, v.Best[0]))
}

// white returns White's chances for a score of a side, in percent.
func white(side position.Side, s protocol.Score) float64 {
	chances := review.Chances(s)
	if side == position.Black {
		chances = 100 - chances
	}
	return review.Tenths(chances)
}

// sideNames are the sides in sentences, and sideLetters in JSON.
var (
	sideNames   = [2]string{position.White: "White", position.Black: "Black"}
	sideLetters = [2]string{position.White: "w", position.Black: "b"}
)

// WriteText writes the review for a terminal: a summary, and each inaccuracy, mistake and
// blunder with the better line.
func (r *Review) WriteText(out io.Writer) error {
	var b strings.Builder
	g := r.Game
	fmt.Fprintf(&b, "%s - %s, %s", cmp.Or(g.Record.Tag("White"), "White"), cmp.Or(g.Record.Tag("Black"), "Black"), g.Record.ResultText())
	if g.Why != "" {
		fmt.Fprintf(&b, " (%s)", g.Why)
	}
	fmt.Fprintf(&b, "\n\n%-7s %8s %10s %12s %8s %8s %11s\n", "", "accuracy", "lost/turn", "inaccuracies", "mistakes", "blunders", "missed rows")
	for side, t := range r.sides {
		fmt.Fprintf(&b, "%-7s %7.1f%% %9.1f%% %12d %8d %8d %11d\n", sideNames[side], t.Accuracy, t.MeanLost, t.Inaccuracies, t.Mistakes, t.Blunders, t.MissedRows)
	}
	for i := range r.verdicts {
		v := &r.verdicts[i]
		if v.Label == review.Fine {
			continue
		}
		fmt.Fprintf(&b, "\n%d. %s %s: %s, lost %.1f%%\n", v.Ply, sideNames[v.Side], v.Turn, v.Label, review.Tenths(v.Lost))
		against, better := r.reasons(v)
		if len(against) > 0 {
			fmt.Fprintf(&b, "   %s\n", strings.Join(against, " "))
		}
		if len(v.Best) > 0 {
			fmt.Fprintf(&b, "   Better: %s\n", strings.Join(position.Words(v.Best[:min(len(v.Best), maxLine)]), " "))
		}
		if len(better) > 0 {
			fmt.Fprintf(&b, "   %s\n", strings.Join(better, " "))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// JSON returns the review as a JSON object with a line for each turn. PROTOCOL.md describes
// scores; chances and losses are percentages.
func (r *Review) JSON() []byte {
	g := r.Game
	about := object{}
	for _, name := range []string{"White", "Black", "Event", "Date"} {
		if value := g.Record.Tag(name); value != "" {
			about.add(strings.ToLower(name), value)
		}
	}
	start := &g.Positions[0]
	about.add("rules", start.Rules().String())
	about.add("result", g.Record.ResultText())
	if g.Why != "" {
		about.add("termination", g.Why)
	}
	sides := object{}
	for side, t := range r.sides {
		sides.add(sideLetters[side], object{
			{"turns", t.Turns}, {"accuracy", t.Accuracy}, {"meanLost", t.MeanLost},
			{"inaccuracies", t.Inaccuracies}, {"mistakes", t.Mistakes}, {"blunders", t.Blunders}, {"missedRows", t.MissedRows},
		})
	}
	turns := []any{}
	for i := range r.verdicts {
		turns = append(turns, r.turn(&r.verdicts[i]))
	}
	return appendJSON(nil, object{
		{"game", about}, {"engine", r.Engine}, {"nodes", int(r.Nodes)}, {"summary", sides}, {"start", start.String()},
		{"white", white(start.SideToMove(), r.before)}, {"turns", turns},
	}, "\n")
}

// turn returns the JSON of a verdict.
func (r *Review) turn(v *review.Verdict) object {
	line := v.Best[:min(len(v.Best), maxLine)]
	o := object{
		{"ply", v.Ply}, {"side", sideLetters[v.Side]}, {"turn", v.Turn.String()}, {"fen", r.Game.Positions[v.Ply].String()},
		{"best", texts(position.Words(line))}, {"before", scoreOf(v.Before)}, {"after", scoreOf(v.After)},
		{"white", white(v.Side, v.After)}, {"lost", review.Tenths(v.Lost)}, {"accuracy", review.Tenths(v.Accuracy)}, {"label", string(v.Label)}, {"missedRow", v.MissedRow},
	}
	if v.Label == review.Fine {
		return o
	}
	against, better := r.reasons(v)
	o.add("against", texts(against))
	o.add("for", texts(better))
	p := r.Game.Positions[v.Ply-1]
	positions := []any{}
	for _, t := range line {
		p = p.After(t)
		positions = append(positions, p.String())
	}
	o.add("line", positions)
	return o
}

// scoreOf returns the JSON of a score.
func scoreOf(s protocol.Score) object {
	if s.Mate {
		return object{{"mate", s.Value}}
	}
	return object{{"cp", s.Value}}
}

//go:embed review.html
var reviewPage string

// Page returns the review as a page that needs no other file and no network.
func (r *Review) Page() []byte {
	// No text in the data can end the script element.
	data := strings.ReplaceAll(string(r.JSON()), "<", `\u003c`)
	return []byte(strings.NewReplacer("/*BOARD STYLE*/", drawing.Style(), "/*BOARD SCRIPT*/", drawing.Script(), "/*REVIEW*/", strings.TrimSuffix(data, "\n")).Replace(reviewPage))
}

// object is a JSON object with its fields in order. Values are objects, arrays ([]any),
// texts, whole numbers, fractions and booleans.
type object []field

type field struct {
	name  string
	value any
}

func (o *object) add(name string, value any) { *o = append(*o, field{name, value}) }

// texts converts texts to an array.
func texts(list []string) []any {
	all := []any{}
	for _, text := range list {
		all = append(all, text)
	}
	return all
}

// appendJSON appends a value. Fields of the outermost object and elements of its arrays begin
// new lines if newline is not empty.
func appendJSON(dst []byte, value any, newline string) []byte {
	switch v := value.(type) {
	case object:
		dst = append(dst, '{')
		for i, f := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(analysis.AppendQuoted(append(dst, newline...), f.name), ':')
			if list, ok := f.value.([]any); ok && newline != "" {
				dst = appendLines(dst, list, newline)
			} else {
				dst = appendJSON(dst, f.value, "")
			}
		}
		return append(append(append(dst, newline...), '}'), newline...)
	case []any:
		return appendLines(dst, v, "")
	case string:
		return analysis.AppendQuoted(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case bool:
		return strconv.AppendBool(dst, v)
	}
	panic(fmt.Sprintf("no JSON for a %T", value))
}

// appendLines appends an array with newline before each element.
func appendLines(dst []byte, list []any, newline string) []byte {
	dst = append(dst, '[')
	for i, one := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(append(dst, newline...), one, "")
	}
	return append(dst, ']')
}
