package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/report"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

const standingSynopsis = `usage: gyre-arena standing GAMES.jsonl ... [-anchor NAME=ELO] [-json FILE] [FLAGS]

Combines the games of one or more files, of any matches:

  gyre-arena standing monday.jsonl tuesday.jsonl -anchor base=1500

Prints a cross table with ratings by maximum likelihood, then the rating
difference of each two engines, with 95% intervals, and the likelihood that the
first is stronger (LOS). Both are valid even for engines that met only through
others, and games against others make neither less certain. "At least" is the
end of an interval if one engine won all games that compare the two. With two
engines, the second is rated 0, so that the first has the same Elo as in a
match. Fewer than 20 games are too few for a rating.

Engines of the same name are one engine. A game in several files is counted
once. Only complete pairs are counted, and none decided by an engine's fault. Of
one match with a test, pairs after its verdict are not counted, as in the match.
`

// runStanding runs the command standing.
func runStanding(args []string, stdout, stderr io.Writer) error {
	flags := commandline.NewFlags("standing")
	anchor := flags.String("anchor", "", anchorHelp)
	path := flags.String("json", "", summaryHelp+", or - for standard output instead of the tables")
	unchecked := flags.Bool("unchecked", false, uncheckedHelp)
	files, err := commandline.ParseMixed(flags, args, standingSynopsis, stdout)
	if err != nil {
		return err
	}
	wrong := func(err error) error { return &commandline.UsageError{Command: "standing", Err: err} }
	if len(files) == 0 {
		return wrong(errors.New("no games; name at least one file"))
	}
	if i := slices.IndexFunc(files, func(name string) bool { return commandline.SameFile(*path, name) }); i >= 0 {
		return wrong(fmt.Errorf("%s is named twice, for games and by -json", files[i]))
	}
	pool, err := readPool(files, *unchecked)
	if err != nil {
		return err
	}
	s, err := pool.Own()
	if err != nil {
		return err
	}
	fixed, err := parseAnchor(*anchor, s.Names)
	if err != nil {
		return wrong(err)
	}
	if err := warnOfPool(stderr, pool); err != nil {
		return err
	}
	table, err := rated(s, fixed)
	if err != nil {
		return err
	}
	if *path == "-" {
		return newSummary("standing", table, nil).write(stdout)
	}
	if _, err := fmt.Fprintf(stdout, "%s of %d engines, %s\n", plural(s.Games, "game"), len(s.Names), plural(s.Settled-s.Excluded, "counted pair")); err != nil {
		return err
	}
	return errors.Join(writeTournament(stdout, table), writeDifferences(stdout, table), saveSummary(stdout, *path, newSummary("standing", table, nil)))
}

// noGames returns the error for files without games.
func noGames(files []string) error {
	return fmt.Errorf("%s: no games; name a file that a match wrote with -out", strings.Join(files, ", "))
}

// readPool reads the games of several files.
func readPool(files []string, unchecked bool) (*match.Pool, error) {
	pool := &match.Pool{}
	for _, name := range files {
		if err := readGames(name, unchecked, func(line *match.Line) error { pool.Add(line); return nil }); err != nil {
			return nil, err
		}
	}
	if len(pool.Pairs()) == 0 {
		return nil, noGames(files)
	}
	return pool, nil
}

// warnOfPool writes warnings about the games of a pool.
func warnOfPool(w io.Writer, pool *match.Pool) error {
	var b strings.Builder
	if n := pool.Repeated; n > 0 {
		fmt.Fprintf(&b, "warning: %d duplicate games are counted once\n", n)
	}
	for _, line := range pool.Mixed() {
		fmt.Fprintf(&b, "warning: %s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeDifferences writes the rating differences of all engines, and the likelihood
// that each is stronger.
func writeDifferences(w io.Writer, s *ratedStanding) error {
	var b strings.Builder
	if s.ratings == nil {
		b.WriteString("\n" + wrapped(fmt.Sprintf("no ratings: %s and %s are not connected by games, not even through other engines", s.Names[s.unlinked.First], s.Names[s.unlinked.Second]), 2))
		_, err := io.WriteString(w, b.String())
		return err
	}
	s.ratings.Prepare()
	order := s.order()
	matrix := func(title string, cell func(i, j int) string) {
		fmt.Fprintf(&b, "\n%s\n", title)
		rows := [][]string{{"#", "engine"}}
		for place := range order {
			rows[0] = append(rows[0], strconv.Itoa(place+1))
		}
		for place, i := range order {
			row := []string{strconv.Itoa(place + 1), s.Names[i]}
			for _, j := range order {
				switch {
				case i == j:
					row = append(row, "")
				case s.ratings.Enough(i) && s.ratings.Enough(j):
					row = append(row, cell(i, j))
				default:
					row = append(row, stats.TooFew)
				}
			}
			rows = append(rows, row)
		}
		writeTable(&b, rows)
	}
	matrix("Elo of the row's engine minus the column's", func(i, j int) string { return s.ratings.Difference(i, j).String() })
	matrix("likelihood that the row's engine is stronger than the column's", func(i, j int) string { return stats.Percent(s.ratings.LOS(i, j)) })
	_, err := io.WriteString(w, b.String())
	return err
}

// textWidth is the width of results, in columns.
const textWidth = 80

// writeTable writes a table whose first row is the header, aligned to the right. If it is
// wider than textWidth, further parts repeat the first two columns.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], 2+utf8.RuneCountInString(cell))
		}
	}
	const repeated = 2
	for from := repeated; from < len(widths); {
		width, to := widths[0]+widths[1], from
		for to < len(widths) && (to == from || width+widths[to] <= textWidth) {
			width += widths[to]
			to++
		}
		if from > repeated {
			b.WriteString("\n")
		}
		for _, row := range rows {
			var line strings.Builder
			for i, cell := range row {
				if i < repeated || i >= from && i < to {
					fmt.Fprintf(&line, "%*s", widths[i], cell)
				}
			}
			b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
		from = to
	}
}

// wrapped breaks a line between words to textWidth columns, and indents all lines but
// the first.
func wrapped(line string, indent int) string {
	var b strings.Builder
	for utf8.RuneCountInString(line) > textWidth {
		end := len(string([]rune(line)[:textWidth+1]))
		at := strings.LastIndex(line[:end], " ")
		if strings.TrimSpace(line[:max(at, 0)]) == "" { // a long word
			if at = strings.Index(strings.TrimLeft(line, " "), " "); at < 0 {
				break
			}
			at += len(line) - len(strings.TrimLeft(line, " "))
		}
		b.WriteString(line[:at] + "\n")
		line = strings.Repeat(" ", indent) + strings.TrimLeft(line[at:], " ")
	}
	return b.String() + line + "\n"
}

// anchored is an engine with a fixed rating; engine is -1 for none.
type anchored struct {
	engine int
	elo    float64
}

// anchorHelp explains the flag -anchor.
const anchorHelp = "engine with a fixed rating: `NAME=ELO` (default: the mean rating is 0, or that of the second of two engines)"

// parseAnchor reads NAME=ELO.
func parseAnchor(text string, names []string) (anchored, error) {
	if text == "" {
		return anchored{engine: -1}, nil
	}
	name, number, _ := strings.Cut(text, "=")
	elo, err := strconv.ParseFloat(number, 64)
	if err != nil || !(elo > -10000 && elo < 10000) {
		return anchored{}, fmt.Errorf("-anchor %q: not NAME=ELO, such as base=1500", text)
	}
	if i := slices.Index(names, name); i >= 0 {
		return anchored{engine: i, elo: elo}, nil
	}
	return anchored{}, fmt.Errorf("-anchor %q: unknown engine%s", text, commandline.DidYouMean("", name, names))
}

// rating returns the rating of an engine.
func (a anchored) rating(r *stats.Ratings, engine int) stats.Interval {
	if a.engine < 0 {
		return r.Rating(engine)
	}
	return r.Anchored(engine, a.engine, a.elo)
}

// ratedStanding is a standing with ratings.
type ratedStanding struct {
	*match.Standing
	fixed   anchored
	ratings *stats.Ratings // nil if games do not link all engines
	// unlinked names two engines that no games link, if there are no ratings.
	unlinked *stats.UnlinkedError
}

// rated computes the ratings of a standing.
func rated(standing *match.Standing, fixed anchored) (*ratedStanding, error) {
	s := &ratedStanding{Standing: standing, fixed: fixed}
	var err error
	s.ratings, err = stats.Rate(len(s.Names), s.Encounters(), stats.DefaultPrior)
	if unlinked, ok := errors.AsType[*stats.UnlinkedError](err); ok {
		s.unlinked = unlinked
		return s, nil
	}
	return s, err
}

// order returns the engines, best first: by rating, or by the share of points.
func (s *ratedStanding) order() []int {
	totals := s.Totals()
	share := func(i int) float64 { return totals[i].Points() / float64(max(totals[i].Total(), 1)) }
	order := make([]int, len(s.Names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if s.ratings != nil {
			return cmp.Compare(s.fixed.rating(s.ratings, b).Value, s.fixed.rating(s.ratings, a).Value)
		}
		return cmp.Compare(share(b), share(a))
	})
	return order
}

// writeTournament writes the cross table, with ratings if games link all engines.
func writeTournament(w io.Writer, s *ratedStanding) error {
	totals, order := s.Totals(), s.order()
	var b strings.Builder
	rows := [][]string{{"#", "engine", "Elo", "95% interval", "points", "games", "%"}}
	for place := range order {
		rows[0] = append(rows[0], strconv.Itoa(place+1))
	}
	for place, i := range order {
		elo, interval := "?", "?"
		if s.ratings != nil {
			switch e := s.fixed.rating(s.ratings, i); {
			case e.Low == e.High:
				elo, interval = stats.Signed(e.Value), "fixed"
			case s.ratings.Enough(i):
				elo, interval = stats.Signed(e.Value), e.Range()
			default:
				interval = stats.TooFew
			}
		}
		points, games := totals[i].Points(), totals[i].Total()
		row := []string{strconv.Itoa(place + 1), s.Names[i], elo, interval, fmt.Sprintf("%.1f", points), strconv.Itoa(games), fmt.Sprintf("%.1f", 100*points/float64(max(games, 1)))}
		for _, j := range order {
			cell := "-"
			if games, met := s.Between(i, j); met {
				cell = strconv.FormatFloat(games.Points(), 'f', -1, 64)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	b.WriteString("\n")
	writeTable(&b, rows)
	fmt.Fprintf(&b, "points are the row's against the column's\n")
	writeEnds(&b, s.Standing)
	_, err := io.WriteString(w, b.String())
	return err
}

// summaryHelp explains the flag -json.
const summaryHelp = "`FILE` for the result as JSON: engines, ratings, pairings, differences, ends"

// summaryFormat is the first value of a summary. It identifies the format.
const summaryFormat = "gyre-arena summary 1"

// summary is the result of games as JSON. Infinite numbers are null.
type summary struct {
	Format   string `json:"format"`
	Command  string `json:"command"`            // match, tournament, ladder or standing
	Games    int    `json:"games"`              // finished
	Pairs    int    `json:"pairs"`              // counted
	Excluded int    `json:"leftOut"`            // pairs decided by an engine's fault
	Disputed int    `json:"disputed,omitempty"` // pairs of which two workers of a hub have different results, and nobody decided
	// Over reports whether all games were played; nil for a standing of files.
	Over     *bool            `json:"over,omitempty"`
	Anchor   string           `json:"anchor,omitempty"` // the engine of fixed rating; without one the mean is 0
	Engines  []engineSummary  `json:"engines"`
	Pairings []pairingSummary `json:"pairings"`
	// Differences are by engine and engine, in the order of Engines; null if games do
	// not link all engines.
	Differences [][]difference `json:"differences"`
	Test        *testSummary   `json:"test,omitempty"`
	Rating      *number        `json:"rating,omitempty"` // of the engine on the ladder
	Ends        map[string]int `json:"ends"`             // games by reason
}

// number is a value and its error, half the 95% interval, and the ends of an asymmetric
// interval.
type number struct {
	Value *float64 `json:"value"`
	Error *float64 `json:"error"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// engineSummary is the result of an engine in the counted pairs.
type engineSummary struct {
	Name   string         `json:"name"`
	Elo    *number        `json:"elo"` // null without ratings
	Games  int            `json:"games"`
	Points float64        `json:"points"`
	Faults map[string]int `json:"faults,omitempty"` // games lost by a fault, by reason
	// Announced wins, those of them that were not on time, and searches that expected
	// illegal turns.
	Mates      int `json:"mates"`
	WrongMates int `json:"wrongMates"`
	Illegal    int `json:"illegalLines"`
}

// pairingSummary is the result of two engines, as the first sees it. Elo is computed
// from their games alone.
type pairingSummary struct {
	First  string      `json:"first"`
	Second string      `json:"second"`
	Games  stats.Games `json:"games"`
	White  stats.Games `json:"white"` // the first engine has white
	Black  stats.Games `json:"black"`
	Pairs  stats.Pairs `json:"pairs"` // LL, LD, DD+WL, WD, WW
	Elo    number      `json:"elo"`
	NElo   number      `json:"nelo"`
	LOS    float64     `json:"los"` // from 0 to 1
}

// difference is the rating of an engine minus that of another, and the likelihood that
// it is stronger.
type difference struct {
	number
	LOS float64 `json:"los"`
}

// testSummary is a sequential test.
type testSummary struct {
	stats.Hypotheses
	LLR   float64 `json:"llr"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	State string  `json:"state"` // continue, accept H0 or accept H1
}

// newSummary returns the summary of a standing. test may be nil.
func newSummary(command string, s *ratedStanding, test *stats.SPRT) *summary {
	out := &summary{Format: summaryFormat, Command: command, Games: s.Games, Pairs: s.Settled - s.Excluded, Excluded: s.Excluded, Disputed: len(s.Disputed),
		Engines: []engineSummary{}, Pairings: []pairingSummary{}, Ends: map[string]int{}}
	if s.fixed.engine >= 0 {
		out.Anchor = s.Names[s.fixed.engine]
	}
	if s.ratings != nil {
		s.ratings.Prepare()
	}
	totals := s.Totals()
	for i, name := range s.Names {
		e := engineSummary{Name: name, Games: totals[i].Total(), Points: totals[i].Points(), Faults: map[string]int{},
			Mates: s.Claims[i].Mates, WrongMates: s.Claims[i].WrongMates, Illegal: s.Claims[i].Illegal}
		for reason, n := range s.Faults[i] {
			e.Faults[reason.String()] = n
		}
		if s.ratings != nil {
			rating := newInterval(s.fixed.rating(s.ratings, i))
			e.Elo = &rating
			out.Differences = append(out.Differences, differencesOf(s.ratings, i))
		}
		out.Engines = append(out.Engines, e)
	}
	for i := range s.Pairings {
		out.Pairings = append(out.Pairings, newPairingSummary(s.Names, &s.Pairings[i]))
	}
	for reason, n := range s.Ends {
		out.Ends[reason.String()] = n
	}
	if test != nil {
		lower, upper := test.Bounds()
		out.Test = &testSummary{test.Hypotheses(), s.LLR, lower, upper, s.State.String()}
	}
	return out
}

// differencesOf returns the differences of an engine to all engines.
func differencesOf(r *stats.Ratings, i int) (row []difference) {
	for j := range r.Len() {
		row = append(row, difference{newInterval(r.Difference(i, j)), r.LOS(i, j)})
	}
	return row
}

func newPairingSummary(names []string, p *match.PairingResult) pairingSummary {
	return pairingSummary{First: names[p.Engines[0]], Second: names[p.Engines[1]],
		Games: p.Games, White: p.ByWhite[0], Black: p.ByWhite[1], Pairs: p.Pairs,
		Elo: newInterval(stats.Elo(p.Pairs)), NElo: newNumber(stats.NormalizedElo(p.Pairs)), LOS: stats.LOS(p.Pairs)}
}

// newNumber converts an estimate. JSON has no infinite numbers.
func newNumber(e stats.Estimate) number {
	return number{Value: finite(e.Value), Error: finite(e.Error)}
}

// newInterval returns an estimate with its interval as JSON.
func newInterval(e stats.Interval) number {
	return number{finite(e.Value), finite(e.Error()), finite(e.Low), finite(e.High)}
}

// finite returns a pointer to a number, nil for an infinity, which JSON cannot express.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// write writes the summary as one JSON object over several lines.
func (s *summary) write(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(s)
}

// saveSummary writes a summary to a file, replacing an earlier summary. It does nothing
// if path is empty.
func saveSummary(stdout io.Writer, path string, s *summary) error {
	if path == "" {
		return nil
	}
	return save(stdout, path, summaryFormat, "a summary", s.write)
}

// save writes a file with [journal.WriteFile], and says what it holds and where it is.
func save(stdout io.Writer, path, mark, what string, write func(io.Writer) error) error {
	if err := journal.WriteFile(path, mark, write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "wrote %s to %s\n", what, path)
	return err
}

const reportSynopsis = `usage: gyre-arena report GAMES.jsonl ... -o FILE.html [FLAGS]

Makes an HTML page about the games of a match:

  gyre-arena report new.jsonl -o new.html

The page works offline. It begins with the verdict, says what was compared and
how to repeat it, and has tables, charts and every game. In the charts, the
arrow keys show the values, + and - zoom, and 0 shows everything. A game opens
on a board with its turns and scores; #game-12-40 in the address opens turn 40
of game 12. From there, games open in gyre-board, which must be running. The
page grows by one or two kilobytes per game.
`

// runReport makes a page about games.
func runReport(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("report")
	path := flags.String("o", "report.html", "`FILE` for the page")
	board := flags.String("board", report.DefaultBoard, "`URL` of the board that opens games: gyre-board, or a site that it exported")
	unchecked := flags.Bool("unchecked", false, uncheckedHelp)
	h := stats.Hypotheses{}
	flags.Float64Var(&h.Elo0, "elo0", 0, "`Elo` of hypothesis H0; with -elo1 it replaces the match's own test")
	flags.Float64Var(&h.Elo1, "elo1", 0, "`Elo` of hypothesis H1")
	flags.Float64Var(&h.Alpha, "alpha", 0.05, "`probability` of accepting H1 if H0 is true")
	flags.Float64Var(&h.Beta, "beta", 0.05, "`probability` of accepting H0 if H1 is true")
	flags.TextVar(&h.Model, "model", stats.Normalized, "unit of -elo0 and -elo1, `normalized|logistic` Elo")
	files, err := commandline.ParseMixed(flags, args, reportSynopsis, stdout)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return &commandline.UsageError{Command: "report", Err: errors.New("no games; name at least one file")}
	}
	data := report.New()
	data.Board(*board)
	set := commandline.Given(flags)
	test := set["elo0"] || set["elo1"]
	for _, name := range []string{"alpha", "beta", "model"} {
		if set[name] && !test {
			return &commandline.UsageError{Command: "report", Err: fmt.Errorf("-%s needs -elo0 and -elo1", name)}
		}
	}
	if test {
		if _, err := stats.NewSPRT(h); err != nil {
			return &commandline.UsageError{Command: "report", Err: err}
		}
		data.Test(h)
	}
	for _, name := range files {
		if err := readGames(name, *unchecked, data.Add); err != nil {
			return err
		}
	}
	if data.Games() == 0 {
		return noGames(files)
	}
	return save(stdout, *path, report.Mark, fmt.Sprintf("a report of %d games", data.Games()), data.Write)
}

// readGames calls visit for each game of a file.
func readGames(name string, unchecked bool, visit func(*match.Line) error) error {
	file, err := commandline.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return match.ReadGames(file, name, unchecked, visit)
}

// plural returns a number with its noun: one, or the plural with an s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
