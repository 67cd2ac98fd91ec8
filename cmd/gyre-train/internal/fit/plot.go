package fit

import (
	"fmt"
	"io"
	"math"
	"strings"

	"gyre/bench/stats"
)

// PlotMark occurs in the first kilobyte of every plot.
const PlotMark = "gyre-train fit: losses"

// The layout of a plot in pixels. It is as wide as a large phone, so that text stays readable
// there; on larger screens it grows to plotMaxWidth.
const (
	plotWidth    = 430
	plotMaxWidth = 680
	plotLeft     = 52
	plotRight    = plotWidth - 14
	plotTop      = 58
	plotBottom   = 298
	plotLegend   = plotBottom + 66 // baseline of its first row
	legendRow    = 21              // distance of its rows
	tickDistance = 34              // minimum distance of ticks on an axis
)

// plotStyle is the style of a plot. The colors of the phases are distinguishable to the
// color-blind (Okabe and Ito, 2008), darkened or lightened for contrast with the background, and
// lines also differ in their dashes.
const plotStyle = `svg { color-scheme: light dark; --text: #222; --faint: #5f5f5f; --back: #fff; --rule: #ddd;
  --c0: #0072b2; --c1: #b35900; --c2: #00805c; --c3: #c43c00; --c4: #a8478b; --c5: #2a7ab0; --c6: #7d6608; --c7: #666; }
@media (prefers-color-scheme: dark) { svg { --text: #e4e4e4; --faint: #a8a8a8; --back: #161616; --rule: #383838;
  --c0: #56b4e9; --c1: #f0a04b; --c2: #2fc6a0; --c3: #ff8a5c; --c4: #e08fc0; --c5: #8ccdf5; --c6: #e0c94b; --c7: #bbb; } }
text { font: 13px system-ui, sans-serif; fill: var(--text); } .title { font-size: 16px; font-weight: 600; } .note { fill: var(--faint); }
.grid { stroke: var(--rule); } .kept { stroke: var(--text); stroke-dasharray: 2 3; }
.line { fill: none; stroke-width: 1.6; stroke-linejoin: round; } .all { stroke: var(--text); stroke-width: 2.6; } .learned { stroke: var(--text); stroke-width: 1.8; stroke-dasharray: 6 4; }
.p0 { stroke: var(--c0); } .p1 { stroke: var(--c1); stroke-dasharray: 9 3; } .p2 { stroke: var(--c2); stroke-dasharray: 3 3; }
.p3 { stroke: var(--c3); stroke-dasharray: 9 3 2 3; } .p4 { stroke: var(--c4); stroke-dasharray: 14 4; } .p5 { stroke: var(--c5); stroke-dasharray: 5 2; }
.p6 { stroke: var(--c6); stroke-dasharray: 1 3; stroke-width: 2.4; } .p7 { stroke: var(--c7); stroke-dasharray: 12 3 2 3 2 3; }
`

// curve is a line of a plot.
type curve struct {
	name  string // for the legend
	class string
	x, y  []float64
}

// Plot writes a plot of the losses of epochs as SVG. A bold line shows the held-out loss of all
// phases, a dashed line the loss on the positions learned from, and thin lines the held-out loss of
// each phase. The epoch whose model was kept is marked.
func Plot(out io.Writer, epochs []*Epoch) error {
	curves := curvesOf(epochs)
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, y := range c.y {
			low, high = min(low, y), max(high, y)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	last := 1.0
	for _, e := range epochs {
		last = max(last, float64(e.Number))
	}
	step := stats.NiceStep(max(high-low, 1e-6), (plotBottom-plotTop)/tickDistance)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if low == high {
		high += step
	}
	x := func(epoch float64) float64 { return plotLeft + epoch/last*(plotRight-plotLeft) }
	y := func(loss float64) float64 { return plotBottom - (loss-low)/(high-low)*(plotBottom-plotTop) }

	var b strings.Builder
	height := plotLegend + len(curves)*legendRow
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"xMidYMin\" style=\"width: 100%%; max-width: %dpx; background: var(--back)\" role=\"img\" aria-label=\"Mean loss per position by epoch\">\n",
		plotWidth, height, plotMaxWidth)
	fmt.Fprintf(&b, "<!-- %s -->\n<style>\n%s</style>\n", PlotMark, plotStyle)
	fmt.Fprintf(&b, "<text class=\"title\" x=\"14\" y=\"24\">Mean loss per position</text>\n<text class=\"note\" x=\"14\" y=\"44\">nats</text>\n")
	for i := 0; low+float64(i)*step < high+step/2; i++ {
		loss := low + float64(i)*step
		fmt.Fprintf(&b, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
			plotLeft, plotRight, y(loss), y(loss), plotLeft-7, y(loss)+4, decimalsOf(step), loss)
	}
	each := max(1, stats.NiceStep(last, (plotRight-plotLeft)/tickDistance))
	for epoch := 0.0; epoch <= last; epoch += each {
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", x(epoch), plotBottom+20, epoch)
	}
	fmt.Fprintf(&b, "<text class=\"note\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">epoch</text>\n", (plotLeft+plotRight)/2, plotBottom+39)
	for _, c := range curves {
		points := make([]string, len(c.x))
		for i := range c.x {
			points[i] = fmt.Sprintf("%.1f %.1f", x(c.x[i]), y(c.y[i]))
		}
		fmt.Fprintf(&b, "<path class=\"line %s\" d=\"M%s\"/>\n", c.class, strings.Join(points, "L"))
		if len(c.x) == 1 {
			fmt.Fprintf(&b, "<circle class=\"line %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", c.class, x(c.x[0]), y(c.y[0]))
		}
	}
	writeKept(&b, epochs, x, y)
	for i, c := range curves {
		at := plotLegend + i*legendRow
		fmt.Fprintf(&b, "<path class=\"line %s\" d=\"M14 %dh36\"/><text x=\"60\" y=\"%d\">%s</text>\n", c.class, at-4, at, c.name)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// curvesOf returns the curves that have points. Those of all phases come first.
func curvesOf(epochs []*Epoch) (curves []curve) {
	add := func(name, class string, of func(*Epoch) float64) {
		c := curve{name: name, class: class}
		for _, e := range epochs {
			if loss := of(e); !math.IsNaN(loss) {
				c.x, c.y = append(c.x, float64(e.Number)), append(c.y, loss)
			}
		}
		if len(c.x) > 0 {
			curves = append(curves, c)
		}
	}
	total := func(l *Loss) float64 { mean, _ := l.Total(); return mean }
	add("held out, all phases", "all", func(e *Epoch) float64 { return total(&e.Held) })
	add("learned from, all phases", "learned", func(e *Epoch) float64 { return total(&e.Learned) })
	for phase := range Phases {
		add(phaseTitle(phase), fmt.Sprintf("p%d", phase), func(e *Epoch) float64 { return e.Held.Mean(phase) })
	}
	return curves
}

// phaseTitle explains a phase.
func phaseTitle(phase int) string {
	name := PhaseName(phase)
	switch phase {
	case openingPhase:
		return name + ": few markers on the board"
	case firstPhase:
		return name + ": no rings removed"
	case blitzPhase:
		return name + ": blitz games"
	}
	more, less, _ := strings.Cut(name, "-")
	rings := more + " ring"
	if more != "1" {
		rings += "s"
	}
	if more == less {
		return name + ": each side removed " + rings
	}
	return name + ": one side removed " + rings + ", the other " + less
}

// writeKept marks the epoch with the lowest held-out loss, whose model is kept.
func writeKept(b *strings.Builder, epochs []*Epoch, x, y func(float64) float64) {
	var kept *Epoch
	for _, e := range epochs {
		if e.Best {
			kept = e
		}
	}
	if kept == nil {
		return
	}
	loss, count := kept.Held.Total()
	if count == 0 {
		return
	}
	at := x(float64(kept.Number))
	anchor, label := "middle", at
	switch {
	case at > plotRight-80:
		anchor, label = "end", plotRight
	case at < plotLeft+80:
		anchor, label = "start", plotLeft
	}
	fmt.Fprintf(b, "<line class=\"kept\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"var(--text)\"/>\n",
		at, at, plotTop-6, plotBottom, at, y(loss))
	word := "kept"
	if kept.Number == 0 { // the initial model may not be saved
		word = "lowest"
	}
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s: epoch %d, %.4f</text>\n", label, plotTop-11, anchor, word, kept.Number, loss)
}

// decimalsOf returns the number of decimals to print multiples of step.
func decimalsOf(step float64) int { return max(0, int(math.Ceil(-math.Log10(step)-1e-9))) }
