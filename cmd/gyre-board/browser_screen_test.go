package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// screen is a window of some kind of machine, in CSS pixels.
type screen struct {
	name          string
	width, height int
	touch         bool
}

// screens are a large window, a laptop's, a tablet's, and a phone's both ways.
var screens = []screen{
	{"large", 1440, 900, false},
	{"laptop", 1280, 720, false},
	{"tablet", 820, 1180, true},
	{"phone", 390, 844, true},
	{"phone on its side", 844, 390, true},
}

// become gives the tab's window the size and kind of a screen.
func (b *tab) become(s screen) {
	b.t.Helper()
	var options []chromedp.EmulateViewportOption
	if s.touch {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	b.do("becoming a "+s.name, chromedp.EmulateViewport(int64(s.width), int64(s.height), options...))
	b.await("the window's size", fmt.Sprintf("innerWidth === %d && innerHeight === %d", s.width, s.height))
}

// box is where an element is in the window.
type box struct{ Left, Top, Right, Bottom float64 }

// boxOf returns where an element is.
func (b *tab) boxOf(selector string) box {
	b.t.Helper()
	return look[box](b, fmt.Sprintf(`(({left, top, right, bottom}) => ({Left: left, Top: top, Right: right, Bottom: bottom}))(document.querySelector(%q).getBoundingClientRect())`, selector))
}

// TestBrowserScreens looks at the page in windows of five sizes: the board takes at
// least 85 % of the shorter side and is all in view, with what to do, the players and
// the tabs; the page does not scroll, and says what game it is.
func TestBrowserScreens(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	for _, s := range screens {
		b.become(s)
		b.await("the board's size", fmt.Sprintf(`document.querySelector('#board').clientWidth <= %d`, min(s.width, s.height)))
		board := b.boxOf("#board")
		share := (board.Right - board.Left) / float64(min(s.width, s.height))
		t.Logf("%s: the board has %.0f of %d x %d pixels, %.0f %% of the shorter side", s.name, board.Right-board.Left, s.width, s.height, 100*share)
		if share < 0.85 {
			t.Errorf("%s: the board takes %.0f %% of the shorter side, want at least 85 %%", s.name, 100*share)
		}
		if math.Abs((board.Right-board.Left)-(board.Bottom-board.Top)) > 1 {
			t.Errorf("%s: the board is no square: %+v", s.name, board)
		}
		for _, part := range []string{"#board", "#prompt", "#player-w", "#player-b", "#tabs", "#new-game", "#go-back", "h1"} {
			if at := b.boxOf(part); at.Left < 0 || at.Top < 0 || at.Right > float64(s.width)+0.5 || at.Bottom > float64(s.height)+0.5 || at.Right <= at.Left {
				t.Errorf("%s: %s is not in view: %+v", s.name, part, at)
			}
		}
		if tall := look[int](b, "document.documentElement.scrollHeight"); tall > s.height {
			t.Errorf("%s: the page is %d pixels high", s.name, tall)
		}
		b.fitsWidth()
		b.awaitText("h1", "YINSH")
	}
}

// TestBrowserTargets measures what a finger presses on a phone, each panel and dialog in turn: all
// of it is at least 44 pixels high and wide, but the points of the board: eleven of them
// have 35 pixels each in a window of 390, and a tap means the nearest that can be pressed.
func TestBrowserTargets(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.become(screens[3])
	check := func(what, within string) {
		t.Helper()
		for _, small := range look[[]string](b, `[...document.querySelectorAll('`+within+`')].flatMap((root) => [...root.querySelectorAll('button, select, input, summary, textarea')])
			.filter((target) => target.checkVisibility({visibilityProperty: true}) && !target.closest('#board'))
			.map((target) => [target, (target.closest('label') ?? target).getBoundingClientRect()])
			.filter(([, {width, height}]) => width < 43.5 || height < 43.5)
			.map(([target, {width, height}]) => target.outerHTML.slice(0, 80) + ' ' + width + ' x ' + height)`) {
			t.Errorf("%s: %s", what, small)
		}
	}
	for _, panel := range []string{"learn", "turns", "analysis", "review"} {
		b.tap("#tab-" + panel)
		if panel == "analysis" {
			b.tap("#analysis")
			b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
		}
		check(panel, "header, main")
	}
	for _, dialog := range []string{"new-game", "games", "settings", "help"} {
		b.tap("#" + dialog)
		b.await("the dialog", `document.querySelector('dialog[open]')`)
		check(dialog, "dialog[open]")
		b.tap("dialog[open] [data-close]")
	}
}

// TestBrowserTabs goes through the tabs by keys: one panel shows, and it is the same
// after loading the page again.
func TestBrowserTabs(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.become(screens[1])
	const shown = `[...document.querySelectorAll('[role=tabpanel]')].filter((panel) => panel.checkVisibility()).map(({id}) => id).join()`
	if got := look[string](b, shown); got != "panel-learn" {
		t.Errorf("at first there is %s", got)
	}
	b.tabTo("#tab-learn")
	b.press(kb.ArrowRight)
	b.await("the turns", shown+` === 'panel-turns'`)
	b.await("the turn that is shown", `(({bottom}) => bottom <= document.querySelector('#panel-turns').getBoundingClientRect().bottom)(document.querySelector('#turns [aria-current]').getBoundingClientRect())`)
	b.reload()
	b.await("the turns again", shown+` === 'panel-turns'`)
	b.press("a")
	b.await("the analysis, with the turns below it", shown+` === 'panel-analysis,panel-turns'`)
	lines, turns := b.boxOf("#panel-analysis"), b.boxOf("#panel-turns")
	if turns.Top < lines.Bottom || turns.Bottom-turns.Top < 100 {
		t.Errorf("the analysis is at %+v, and the turns are at %+v", lines, turns)
	}
	b.become(screens[3])
	b.await("the analysis alone", shown+` === 'panel-analysis'`)
	before := b.boxOf("aside")
	b.click("#tall")
	if after := b.boxOf("aside"); after.Bottom-after.Top < before.Bottom-before.Top+100 {
		t.Errorf("with more room the panel has %.0f pixels instead of %.0f", after.Bottom-after.Top, before.Bottom-before.Top)
	}
}
