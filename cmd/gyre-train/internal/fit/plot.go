package fit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// The size of a plot.
const (
	plotWidth  = 7.2 * vg.Inch
	plotHeight = 4 * vg.Inch
)

// colors tell the phases apart, in shades that the colour-blind can tell too
// (Okabe and Ito, 2008).
var colors = [Phases]color.RGBA{
	{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {213, 94, 0, 255}, {204, 121, 167, 255}, {86, 180, 233, 255}, {240, 228, 66, 255}, {153, 153, 153, 255},
}

// PlotMark is a text that every picture of Plot has in its first kilobyte.
const PlotMark = "gyre-train fit: losses"

// Plot draws the losses of epochs: in black those of all phases, held out and, in
// dashes, learned from; in colors those held out by phase. The format is "svg" or
// "png".
func Plot(out io.Writer, epochs []*Epoch, format string) error {
	var picture bytes.Buffer
	if err := draw(&picture, epochs, format); err != nil {
		return fmt.Errorf("drawing the losses: %w", err)
	}
	marked, err := mark(picture.Bytes(), format)
	if err != nil {
		return fmt.Errorf("drawing the losses: %w", err)
	}
	_, err = out.Write(marked)
	return err
}

// mark returns a picture with PlotMark in it: as a comment after the first line
// of an SVG, or as a text chunk after the header of a PNG.
func mark(picture []byte, format string) ([]byte, error) {
	switch format {
	case "svg":
		at := bytes.IndexByte(picture, '\n') + 1
		return slices.Concat(picture[:at], []byte("<!-- "+PlotMark+" -->\n"), picture[at:]), nil
	case "png":
		const header = 8 + 4 + 4 + 13 + 4 // the signature and the chunk IHDR
		chunk := []byte("tEXtSoftware\x00" + PlotMark)
		length := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
		sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
		return slices.Concat(picture[:header], length, chunk, sum, picture[header:]), nil
	}
	return nil, fmt.Errorf("format %q: neither svg nor png", format)
}

// draw draws the losses without a mark.
func draw(out io.Writer, epochs []*Epoch, format string) error {
	p := plot.New()
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(10)}
	for _, style := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*style = sans
	}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Loss of an example in the mean", "epoch", "nats"
	p.X.Tick.Marker = wholeTicks{}
	p.Legend.Top, p.Legend.XOffs = true, -vg.Points(4)
	p.Add(plotter.NewGrid())
	black := vgdraw.LineStyle{Color: color.Black, Width: vg.Points(1.8)}
	total := func(l *Loss) float64 { mean, _ := l.Total(); return mean }
	if err := curve(p, "held out", black, epochs, func(e *Epoch) float64 { return total(&e.Held) }); err != nil {
		return err
	}
	black.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	if err := curve(p, "learned from", black, epochs, func(e *Epoch) float64 { return total(&e.Learned) }); err != nil {
		return err
	}
	for phase := range Phases {
		style := vgdraw.LineStyle{Color: colors[phase], Width: vg.Points(1.2)}
		if err := curve(p, PhaseName(phase), style, epochs, func(e *Epoch) float64 { return e.Held.Mean(phase) }); err != nil {
			return err
		}
	}
	p.X.Max += 0.3 * (p.X.Max - p.X.Min) // room for the legend
	writer, err := p.WriterTo(plotWidth, plotHeight, format)
	if err != nil {
		return err
	}
	_, err = writer.WriteTo(out)
	return err
}

// curve adds a line to a plot: a number of each epoch that has it.
func curve(p *plot.Plot, name string, style vgdraw.LineStyle, epochs []*Epoch, of func(*Epoch) float64) error {
	var points plotter.XYs
	for _, e := range epochs {
		if y := of(e); !math.IsNaN(y) {
			points = append(points, plotter.XY{X: float64(e.Number), Y: y})
		}
	}
	if len(points) == 0 {
		return nil
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.LineStyle = style
	p.Add(line)
	p.Legend.Add(name, line)
	return nil
}

// wholeTicks are marks at whole numbers.
type wholeTicks struct{}

// Ticks returns a mark at each whole number, or fewer if they are many.
func (wholeTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	step := max(1, math.Ceil((high-low)/10))
	for x := math.Ceil(low); x <= high; x += step {
		ticks = append(ticks, plot.Tick{Value: x, Label: fmt.Sprint(x)})
	}
	return ticks
}
