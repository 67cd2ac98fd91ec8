package sample

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gyre/position"
)

// Statistics counts games and positions. Create it with NewStatistics.
type Statistics struct {
	games     int
	results   [4]int // games by position.Result
	positions outcomes

	placing  outcomes
	removed  [2*position.RingsPerSide + 1]outcomes // by removed rings of both sides; without placing
	markers  [markerBins]outcomes                  // by markers on the board; without placing
	scores   [2*scoreBins + 1]outcomes             // see scoreBin
	proven   outcomes
	longest  int // ply of the last sample of a game
	lengths  int // sum of the last plies
	repeated duplicates
}

// The bins of markers.
const (
	markerBin  = 10 // markers
	markerBins = position.MarkersInGame/markerBin + 1
)

// The bins of scores: one around 0 and scoreBins on each side. The outermost ones have no end.
const (
	scoreBinWidth = 50 // centipawns
	scoreBins     = 10
)

// NewStatistics returns empty statistics.
func NewStatistics() *Statistics { return &Statistics{repeated: newDuplicates(maxKeys)} }

// Add counts a game.
func (c *Statistics) Add(g *Game) {
	c.games++
	c.results[g.Result()&3]++
	for i := range g.Samples {
		c.add(&g.Samples[i])
	}
	if n := len(g.Samples); n > 0 {
		ply := int(g.Samples[n-1].Ply)
		c.longest = max(c.longest, ply)
		c.lengths += ply
	}
}

// add counts a position.
func (c *Statistics) add(s *Sample) {
	p := &s.Position
	c.positions.add(s)
	if p.Placing() {
		c.placing.add(s)
	} else {
		c.removed[p.Removed(position.White)+p.Removed(position.Black)].add(s)
		c.markers[(position.MarkersInGame-p.Pool())/markerBin].add(s)
	}
	if s.Score == MaxScore || s.Score == -MaxScore {
		c.proven.add(s)
	} else {
		c.scores[scoreBin(int(s.Score))].add(s)
	}
	c.repeated.add(p.SymmetricHash())
}

// scoreBin returns the bin of a score. The bin around 0 has number scoreBins.
func scoreBin(score int) int {
	const half = scoreBinWidth / 2
	bin := (max(score, -score) + half) / scoreBinWidth
	if score < 0 {
		bin = -bin
	}
	return scoreBins + max(-scoreBins, min(scoreBins, bin))
}

// outcomes counts positions by the result of their games for the side to move.
type outcomes struct{ Lost, Drawn, Won int }

// add counts a position.
func (o *outcomes) add(s *Sample) {
	switch {
	case s.Result < 0:
		o.Lost++
	case s.Result > 0:
		o.Won++
	default:
		o.Drawn++
	}
}

// total returns the number of positions.
func (o *outcomes) total() int { return o.Lost + o.Drawn + o.Won }

// points returns the average score of the side to move, in percent.
func (o *outcomes) points() float64 {
	return percent(2*o.Won+o.Drawn, 2*o.total())
}

// percent returns part as a percentage of whole, or 0 if whole is 0.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// Write writes the statistics as tables.
func (c *Statistics) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "games      %d, white won %.1f%%, black %.1f%%, drawn %.1f%%\n", c.games, c.won(position.WhiteWins), c.won(position.BlackWins), c.won(position.Draw))
	if c.games > 0 {
		fmt.Fprintf(&b, "plies      %.1f on average up to the last position of a game, at most %d\n", float64(c.lengths)/float64(c.games), c.longest)
	}
	fmt.Fprintf(&b, "positions  %d\n", c.positions.total())
	repeated, oneIn := c.repeated.share()
	fmt.Fprintf(&b, "repeated   %.2f%% of the positions, up to symmetry", repeated)
	if oneIn > 1 {
		fmt.Fprintf(&b, " (estimated from one in %d)", oneIn)
	}
	b.WriteString("\n")
	if err := c.writePhases(&b); err != nil {
		return err
	}
	if err := c.writeScores(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// won returns the percentage of games with a result.
func (c *Statistics) won(r position.Result) float64 { return percent(c.results[r], c.games) }

// table returns a writer of right-aligned columns.
func table(b *strings.Builder) *tabwriter.Writer {
	return tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// head is the header of a table of outcomes.
const head = "positions\tshare\twon\tdrawn\tlost\tpoints\t"

// line writes a line of a table of outcomes, for the side to move.
func (c *Statistics) line(w io.Writer, name string, o *outcomes, more string) {
	n := o.total()
	if n == 0 {
		return
	}
	// Flush returns the errors.
	_, _ = fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%.1f%%\t%.1f%%\t%.1f%%\t%.1f%%\t%s\n", name, n, percent(n, c.positions.total()),
		percent(o.Won, n), percent(o.Drawn, n), percent(o.Lost, n), o.points(), more)
}

// writePhases writes the positions by phase of the game.
func (c *Statistics) writePhases(b *strings.Builder) error {
	t := table(b)
	fmt.Fprintf(t, "\nphase\t%s\n", head)
	c.line(t, "rings to place", &c.placing, "")
	for n := range c.removed {
		c.line(t, fmt.Sprintf("%d rings removed", n), &c.removed[n], "")
	}
	for bin := range c.markers {
		from := bin * markerBin
		c.line(t, fmt.Sprintf("%d-%d markers", from, min(from+markerBin-1, position.MarkersInGame)), &c.markers[bin], "")
	}
	return t.Flush()
}

// writeScores writes the positions by score.
func (c *Statistics) writeScores(b *strings.Builder) error {
	t := table(b)
	fmt.Fprintf(t, "\nscore\t%s\n", head)
	most := 1
	for bin := range c.scores {
		most = max(most, c.scores[bin].total())
	}
	for bin := range c.scores {
		o := &c.scores[bin]
		c.line(t, scoreName(bin), o, bar(o.total(), most))
	}
	c.line(t, "proven", &c.proven, "")
	return t.Flush()
}

// scoreName names a bin by the score at its center.
func scoreName(bin int) string {
	middle := (bin - scoreBins) * scoreBinWidth
	switch bin {
	case 0:
		return fmt.Sprintf("%d and below", middle)
	case 2 * scoreBins:
		return fmt.Sprintf("%+d and above", middle)
	case scoreBins:
		return "about 0"
	}
	return fmt.Sprintf("%+d", middle)
}

// bar returns a bar with a length proportional to n.
func bar(n, most int) string {
	const longest = 20
	return " " + strings.Repeat("#", (n*longest+most-1)/most)
}

// duplicates estimates how many keys are repeated. It keeps the keys that end in a number of
// zero bits, and increases that number whenever there are too many. That is a fair sample of
// the distinct keys with all their repetitions (Gibbons and Tirthapura, "Estimating Simple
// Functions on the Union of Data Streams", 2001). The count is exact while all keys fit.
type duplicates struct {
	most  int // maximum number of keys kept
	zeros uint
	times map[uint64]int // occurrences of each key
	total int            // sum of times
}

// maxKeys is the maximum number of keys kept, about 100 MB.
const maxKeys = 1 << 21

func newDuplicates(most int) duplicates { return duplicates{most: most, times: map[uint64]int{}} }

// kept reports whether a key belongs to the current sample of keys.
func (d *duplicates) kept(key uint64) bool { return key&(1<<d.zeros-1) == 0 }

// add adds a key.
func (d *duplicates) add(key uint64) {
	if !d.kept(key) {
		return
	}
	d.times[key]++
	d.total++
	for len(d.times) > d.most {
		d.zeros++
		for key, times := range d.times {
			if !d.kept(key) {
				d.total -= times
				delete(d.times, key)
			}
		}
	}
}

// share returns the percentage of repeated keys, and how many keys one kept key stands for: 1 if
// all are kept.
func (d *duplicates) share() (repeated float64, oneIn int) {
	return percent(d.total-len(d.times), d.total), 1 << d.zeros
}
