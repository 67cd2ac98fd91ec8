package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"gyre/cmd/gyre-board/internal/clients"
	"gyre/position"
)

// pictureName is the path of the pictures that programs show with a link to a game. The query's
// board is the position, with "_" for blanks, and rules are its rules: "standard", the default, or "blitz".
const pictureName = "/picture.png"

// The size of a picture in pixels, as the index says.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// maxPictures is the number of pictures that are kept. A picture has about 35 kB.
const maxPictures = 64

// maxWaiting is the number of pictures that wait to be drawn. A picture takes some hundredths of a second.
const maxWaiting = 16

// pictures draws positions. One picture is drawn at a time, and the latest are kept.
type pictures struct {
	clientOf func(*http.Request) *clients.Client

	waiting chan struct{} // one element per picture that waits or is drawn
	drawing chan struct{} // one element while one is drawn

	mu    sync.Mutex // not held while one is drawn
	drawn map[position.Position][]byte
	order []position.Position // of drawn, oldest first
}

func newPictures(clientOf func(*http.Request) *clients.Client) *pictures {
	return &pictures{clientOf: clientOf, waiting: make(chan struct{}, maxWaiting), drawing: make(chan struct{}, 1), drawn: map[position.Position][]byte{}}
}

// errPictures reports that too many pictures wait to be drawn.
var errPictures = errors.New("too many pictures are waiting")

// boardOf returns the position that a query names, and reports whether it is one.
func boardOf(query url.Values) (position.Position, bool) {
	rules, err := position.ParseRules(cmp.Or(query.Get("rules"), "standard"))
	if err != nil {
		return position.Position{}, false
	}
	p, err := position.Parse(strings.ReplaceAll(query.Get("board"), "_", " "), rules)
	return p, err == nil
}

// ServeHTTP sends the picture of a position.
func (c *pictures) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, ok := boardOf(r.URL.Query())
	if !ok {
		http.NotFound(w, r)
		return
	}
	content, err := c.of(r.Context(), c.clientOf(r), p)
	switch {
	case r.Context().Err() != nil:
		return // the client has disconnected
	case errors.Is(err, errPictures):
		w.Header().Set("Retry-After", "10")
		http.Error(w, "Too many pictures are waiting. Try again in ten seconds.", http.StatusServiceUnavailable)
		return
	case err != nil:
		http.Error(w, "The picture cannot be drawn.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = w.Write(content) // the client may have disconnected
}

// find returns a picture that is kept.
func (c *pictures) find(p position.Position) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	content, ok := c.drawn[p]
	return content, ok
}

// keep keeps a picture in place of the oldest.
func (c *pictures) keep(p position.Position, content []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.order) == maxPictures {
		delete(c.drawn, c.order[0])
		c.order = c.order[1:]
	}
	c.drawn[p], c.order = content, append(c.order, p)
}

// of returns the picture of a position, as PNG. It waits in the client's share, so that others find a
// place, and does not draw after ctx is done.
func (c *pictures) of(ctx context.Context, client *clients.Client, p position.Position) ([]byte, error) {
	if content, ok := c.find(p); ok {
		return content, nil
	}
	if !client.Take(clients.Picture) {
		return nil, errPictures
	}
	defer client.Give(clients.Picture)
	select {
	case c.waiting <- struct{}{}:
		defer func() { <-c.waiting }()
	default:
		return nil, errPictures
	}
	select {
	case c.drawing <- struct{}{}:
		defer func() { <-c.drawing }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if content, ok := c.find(p); ok { // drawn meanwhile
		return content, nil
	}
	var content bytes.Buffer
	if err := png.Encode(&content, draw(&p)); err != nil {
		return nil, err
	}
	c.keep(p, content.Bytes())
	return content.Bytes(), nil
}

// The colors of pictures, those of the page's first theme.
const (
	plateColor = iota
	lineColor
	trayColor
	white
	black
)

// palette contains the colors, and mixtures of two of them for smooth edges.
var palette = func() color.Palette {
	const steps = 8
	all := color.Palette{
		plateColor: color.RGBA{0xc2, 0xd4, 0xdf, 0xff},
		lineColor:  color.RGBA{0x1d, 0x2b, 0x35, 0xff},
		trayColor:  color.RGBA{0x8f, 0xa9, 0xb8, 0xff},
		white:      color.RGBA{0xfb, 0xf9, 0xf2, 0xff},
		black:      color.RGBA{0x15, 0x19, 0x1d, 0xff},
	}
	for i, a := range all[:black] {
		for _, b := range all[i+1 : black+1] {
			for n := 1; n < steps; n++ {
				all = append(all, mix(a.(color.RGBA), b.(color.RGBA), float64(n)/steps))
			}
		}
	}
	return all
}()

// mix returns a color between two: a for 0, b for 1.
func mix(a, b color.RGBA, share float64) color.RGBA {
	one := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.RGBA{one(a.R, b.R), one(a.G, b.G), one(a.B, b.B), 0xff}
}

// Lengths in pixels. Neighboring points are a step apart.
const (
	step       = 61.0
	ringRadius = 0.37 * step
	ringWidth  = 0.15 * step
	markRadius = 0.25 * step
	edgeWidth  = 1.6
	lineWidth  = 1.8
	traysApart = 0.8 * step
	trayFromX  = 7.6 * step // the center of the first tray from that of the board
	trayFromY  = 4.3 * step
)

// canvas is a picture that is drawn from shapes with smooth edges.
type canvas struct{ *image.Paletted }

// shape colors the pixels of a box by their distance from a shape: negative inside.
func (c canvas) shape(left, top, right, bottom float64, ink uint8, distance func(x, y float64) float64) {
	box := image.Rect(int(left)-2, int(top)-2, int(right)+3, int(bottom)+3).Intersect(c.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			share := min(max(0.5-distance(float64(x)+0.5, float64(y)+0.5), 0), 1)
			pixel := &c.Pix[c.PixOffset(x, y)]
			switch share {
			case 0:
			case 1:
				*pixel = ink
			default:
				*pixel = uint8(palette.Index(mix(palette[*pixel].(color.RGBA), palette[ink].(color.RGBA), share)))
			}
		}
	}
}

// band draws a circle whose line goes from one radius to another; a disc if the first is
// negative.
func (c canvas) band(x, y, inner, outer float64, ink uint8) {
	c.shape(x-outer, y-outer, x+outer, y+outer, ink, func(px, py float64) float64 {
		r := math.Hypot(px-x, py-y)
		return max(r-outer, inner-r)
	})
}

// line draws a line.
func (c canvas) line(x1, y1, x2, y2 float64) {
	dx, dy := x2-x1, y2-y1
	c.shape(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2), lineColor, func(x, y float64) float64 {
		along := min(max(((x-x1)*dx+(y-y1)*dy)/(dx*dx+dy*dy), 0), 1)
		return math.Hypot(x-x1-along*dx, y-y1-along*dy) - lineWidth/2
	})
}

// ring draws a ring with an edge in the other color.
func (c canvas) ring(x, y, scale float64, side position.Side) {
	ink, edge := inks(side)
	r, half := scale*ringRadius, scale*ringWidth/2
	c.band(x, y, r-half-edgeWidth, r+half+edgeWidth, edge)
	c.band(x, y, r-half, r+half, ink)
}

// marker draws a marker with an edge in the other color.
func (c canvas) marker(x, y float64, side position.Side) {
	ink, edge := inks(side)
	c.band(x, y, -1, markRadius+edgeWidth, edge)
	c.band(x, y, -1, markRadius, ink)
}

// inks returns the color of a side's pieces, and that of their edges.
func inks(side position.Side) (ink, edge uint8) {
	if side == position.White {
		return white, black
	}
	return black, white
}

// spot returns the place of a point in a picture.
func spot(p position.Point) (x, y float64) {
	column, number := float64(p.Column()-5), float64(p.Number()-6)
	return pictureWidth/2 + column*math.Sqrt(3)/2*step, pictureHeight/2 - (number-column/2)*step
}

// draw draws a position.
func draw(p *position.Position) image.Image {
	c := canvas{image.NewPaletted(image.Rect(0, 0, pictureWidth, pictureHeight), palette)} // all plateColor
	for _, from := range position.Board().Points(nil) {
		for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}} {
			if to, ok := position.PointAt(from.Column()+d[0], from.Number()+d[1]); ok {
				x1, y1 := spot(from)
				x2, y2 := spot(to)
				c.line(x1, y1, x2, y2)
			}
		}
	}
	for side := range position.Side(2) {
		// White's trays are at the lower left, Black's at the upper right.
		sign := 2*float64(side) - 1
		for i := range p.Rules().WinningRings() {
			x, y := pictureWidth/2+sign*(trayFromX-float64(i)*traysApart), pictureHeight/2-sign*trayFromY
			c.band(x, y, -1, 0.8*ringRadius, trayColor)
			if i < p.Removed(side) {
				c.ring(x, y, 0.8, side)
			}
		}
		for _, point := range p.Markers(side).Points(nil) {
			x, y := spot(point)
			c.marker(x, y, side)
		}
		for _, point := range p.Rings(side).Points(nil) {
			x, y := spot(point)
			c.ring(x, y, 1, side)
		}
	}
	return c
}
