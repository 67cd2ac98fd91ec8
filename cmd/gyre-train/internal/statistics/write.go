package statistics

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gyre/position"
)

// Write writes the counts for people to read.
func (c *Statistics) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "games      %d, white won %.1f%%, black %.1f%%, drawn %.1f%%\n", c.games, c.won(position.WhiteWins), c.won(position.BlackWins), c.won(position.Draw))
	if c.games > 0 {
		fmt.Fprintf(&b, "plies      %.1f up to the last position of a game, at most %d\n", float64(c.lengths)/float64(c.games), c.longest)
	}
	fmt.Fprintf(&b, "positions  %d\n", c.positions.total())
	repeated, oneIn := c.repeated.share()
	fmt.Fprintf(&b, "repeated   %.2f%% of the positions, symmetric ones counted as the same", repeated)
	if oneIn > 1 {
		fmt.Fprintf(&b, " (from a sample, one in %d)", oneIn)
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

// won returns the share of the games with a result, in percent.
func (c *Statistics) won(r position.Result) float64 { return percent(c.results[r], c.games) }

// table returns a writer of columns that stand right.
func table(b *strings.Builder) *tabwriter.Writer {
	return tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// head begins a table of outcomes.
const head = "positions\tshare\twon\tdrawn\tlost\tpoints\t"

// line writes a line of a table of outcomes, of the side to move.
func (c *Statistics) line(w io.Writer, name string, o *outcomes, more string) {
	n := o.total()
	if n == 0 {
		return
	}
	// The errors come with Flush.
	_, _ = fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%.1f%%\t%.1f%%\t%.1f%%\t%.1f%%\t%s\n", name, n, percent(n, c.positions.total()),
		percent(o.Won, n), percent(o.Drawn, n), percent(o.Lost, n), o.points(), more)
}

// writePhases writes the positions by how far the game had come.
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

// scoreName names a bin by the score in its middle.
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

// bar returns a bar of the length that a number has of the most.
func bar(n, most int) string {
	const longest = 20
	return " " + strings.Repeat("#", (n*longest+most-1)/most)
}
