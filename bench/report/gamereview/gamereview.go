// Package gamereview reviews a game for `gyre review`: it reads records and SGF files, and
// writes what each turn lost as text, as JSON, or as a page that needs no network. Its
// numbers are those of gyre-board's review. It does not use html/template or regular
// expressions, so that the engine stays small.
package gamereview

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gyre/bench/review"
	"gyre/position"
	"gyre/position/drawing"
	"gyre/position/record"
	"gyre/position/sgf"
	"gyre/protocol"
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
		judges[i] = func(ctx context.Context, task review.Task) (review.Judgement, error) {
			j := ask(ctx, e, &g.Positions[task.Ply], task)
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
func ask(ctx context.Context, e Engine, p *position.Position, task review.Task) review.Judgement {
	e.NewGame()
	var last protocol.Info
	best, _ := e.Search(ctx, *p, task.Limits(), func(i protocol.Info) {
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

// sentences returns the first facts as sentences. It never returns nil, so that JSON has an empty list.
func sentences(facts []review.Fact) []string {
	list := []string{}
	for _, fact := range facts[:min(len(facts), maxSentences)] {
		list = append(list, fact.Sentence())
	}
	return list
}

// reasons returns what is wrong with a turn that lost much, and what is good about the better
// one.
func (r *Review) reasons(v *review.Verdict) (against, better []string) {
	if v.Label == review.Fine || len(v.Best) == 0 || v.Best[0] == v.Turn {
		return []string{}, []string{}
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

// sideNames are the sides in sentences.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

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
		fmt.Fprintf(&b, "\n%d. %s %s: %s, lost %.1f%%\n", v.Ply, sideNames[v.Side], v.Turn, v.Label, review.Shown(v.Lost))
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

// turn is the JSON of a verdict.
type turn struct {
	Ply       int                  `json:"ply"`
	Side      string               `json:"side"`
	Turn      string               `json:"turn"`
	FEN       string               `json:"fen"`
	Best      []string             `json:"best"`
	Before    protocol.ScoreFields `json:"before"`
	After     protocol.ScoreFields `json:"after"`
	White     float64              `json:"white"`
	Lost      float64              `json:"lost"`
	Accuracy  float64              `json:"accuracy"`
	Label     review.Label         `json:"label"`
	MissedRow bool                 `json:"missedRow"`
	*reasons
}

// reasons are the reasons for a label, and the positions of the better line.
type reasons struct {
	Against []string `json:"against"`
	For     []string `json:"for"`
	Line    []string `json:"line"`
}

// JSON returns the review as a JSON object with a line for each turn. PROTOCOL.md describes
// scores; chances and losses are percentages.
func (r *Review) JSON() []byte {
	g := r.Game
	start := &g.Positions[0]
	all := struct {
		Game struct {
			White       string `json:"white,omitempty"`
			Black       string `json:"black,omitempty"`
			Event       string `json:"event,omitempty"`
			Date        string `json:"date,omitempty"`
			Rules       string `json:"rules"`
			Result      string `json:"result"`
			Termination string `json:"termination,omitempty"`
		} `json:"game"`
		Engine  string `json:"engine"`
		Nodes   uint64 `json:"nodes"`
		Summary struct {
			White review.Summary `json:"w"`
			Black review.Summary `json:"b"`
		} `json:"summary"`
		Start string  `json:"start"`
		White float64 `json:"white"`
		Turns []turn  `json:"turns"`
	}{Engine: r.Engine, Nodes: r.Nodes, Start: start.String(), White: white(start.SideToMove(), r.before)}
	tag := g.Record.Tag
	all.Game.White, all.Game.Black, all.Game.Event, all.Game.Date = tag("White"), tag("Black"), tag("Event"), tag("Date")
	all.Game.Rules, all.Game.Result, all.Game.Termination = start.Rules().String(), g.Record.ResultText(), g.Why
	all.Summary.White, all.Summary.Black = r.sides[position.White], r.sides[position.Black]
	for i := range r.verdicts {
		all.Turns = append(all.Turns, r.turn(&r.verdicts[i]))
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // these types can be encoded
	}
	return append(bytes.ReplaceAll(text, []byte(`{"ply":`), []byte("\n{\"ply\":")), '\n')
}

// turn returns the JSON of a verdict.
func (r *Review) turn(v *review.Verdict) turn {
	line := v.Best[:min(len(v.Best), maxLine)]
	t := turn{
		Ply: v.Ply, Side: v.Side.Letter(), Turn: v.Turn.String(), FEN: r.Game.Positions[v.Ply].String(),
		Best: position.Words(line), Before: v.Before.Fields(), After: v.After.Fields(), White: white(v.Side, v.After),
		Lost: review.Shown(v.Lost), Accuracy: review.Tenths(v.Accuracy), Label: v.Label, MissedRow: v.MissedRow,
	}
	if v.Label == review.Fine {
		return t
	}
	t.reasons = &reasons{Line: []string{}}
	t.Against, t.For = r.reasons(v)
	p := r.Game.Positions[v.Ply-1]
	for _, better := range line {
		p = p.After(better)
		t.Line = append(t.Line, p.String())
	}
	return t
}

//go:embed review.html
var reviewPage string

// Page returns the review as a page that needs no other file and no network.
func (r *Review) Page() []byte {
	// JSON escapes <, >, and &, so no text in it can end the script element.
	data := strings.TrimSuffix(string(r.JSON()), "\n")
	return []byte(strings.NewReplacer("/*BOARD STYLE*/", drawing.Style(), "/*BOARD SCRIPT*/", drawing.Script(), "/*REVIEW*/", data).Replace(reviewPage))
}
