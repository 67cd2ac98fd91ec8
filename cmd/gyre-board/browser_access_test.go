package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// view is a main view of the page, and how to get there in a new tab.
type view struct {
	name string
	show func(b *tab, s *site)
}

// views are the main views of the page.
var views = []view{
	{"start", func(b *tab, s *site) { b.visit(s.address) }},
	{"placing", func(b *tab, s *site) { b.visit(s.at("standard", "", middleGame[:5]...)) }},
	{"targets", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.awaitHint("f3", "can move")
		b.click(at("f3"))
		b.awaitHint("f2", "move here")
	}},
	{"rows", func(b *tab, s *site) {
		b.visit(s.at("standard", sevenInARow))
		b.move("f5", "h7")
		b.awaitState("row")
	}},
	{"rings", func(b *tab, s *site) {
		b.visit(s.at("standard", twoCross))
		b.move("f5", "h7")
		b.takeRow("c5", "g5", b.click)
		b.awaitState("ring")
	}},
	{"pass", func(b *tab, s *site) { b.visit(s.at("standard", mustPass)) }},
	{"over", func(b *tab, s *site) {
		b.visit(s.at("blitz", twoCross, "f5-h7;xc5-g5xb2"))
		b.awaitState("over")
	}},
	{"turns", func(b *tab, s *site) { b.visit(s.at("standard", "", middleGame...)); b.click("#tab-turns") }},
	{"result", func(b *tab, s *site) {
		b.visit(s.at("blitz", twoCross, "f5-h7;xc5-g5xb2"))
		b.click("#tab-end")
	}},
	{"analysis", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.click("#analysis")
		b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
		b.click(id("threat"))
		b.awaitText(id("threat-text"), "threat")
	}},
	{"review", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.review()
		b.await("the summary", `document.querySelector('#review-progress').hidden && document.querySelector('#review-summary').childElementCount > 0`)
	}},
	{"puzzle", func(b *tab, s *site) {
		b.visit(s.address)
		b.openPuzzles()
		b.click(id("puzzle-hint"))
		b.awaitText(id("puzzle-said"), "e")
	}},
	{"new game", func(b *tab, s *site) { b.visit(s.address); b.click("#new-game") }},
	{"games", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.click("#games")
		b.awaitText("#game-list", "16 turns")
	}},
	{"openings", func(b *tab, s *site) {
		b.visit(s.at("standard", ""))
		b.click(id("openings"))
		b.await("turns", `document.querySelectorAll('#explorer-ways tr').length > 1`)
	}},
	{"editor", func(b *tab, s *site) {
		b.visit(s.at("standard", twoCross))
		b.click("#games")
		b.click(id("editor"))
		b.awaitText(id("editor-said"), "It can be played.")
	}},
	{"image", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.click("#games")
		b.click(id("image"))
		b.await("the picture", `document.querySelector('#image-preview')?.naturalWidth > 0`)
	}},
	{"settings", func(b *tab, s *site) { b.visit(s.address); b.choose("board", "wood") }},
	{"help", func(b *tab, s *site) {
		b.visit(s.address)
		b.click("#help")
		b.awaitHelp()
	}},
	{"notice", func(b *tab, s *site) {
		b.visit(s.address)
		b.do("opening a link to nothing", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,f6'`))
		b.awaitText("#notices", "f6 is not vacant")
	}},
}

// TestBrowserAccess looks through each main view, light in a wide window and dark
// on a phone: axe finds nothing that keeps people from using it, no text is smaller
// than 14 pixels, and nothing is wider than the window. With -screenshots it
// takes a picture of each.
func TestBrowserAccess(t *testing.T) {
	t.Parallel()
	axe := axeScript(t)
	s := serveSite(t)
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			v.show(b, s)
			b.do("loading axe", chromedp.Evaluate[chromedp.Void](axe))
			b.inspect(v.name, "wide", "light")
			b.asPhone()
			b.inspect(v.name, "narrow", "dark")
			if v.name != "targets" && v.name != "rows" {
				return
			}
			for _, theme := range []string{"wood", "slate"} { // of the board alone
				look[bool](b, fmt.Sprintf("Boolean(document.documentElement.dataset.board = %q)", theme))
				b.inspect(v.name, theme, "dark")
				b.readsLabels(theme)
			}
		})
	}
}

// axeScript returns axe, which npm fetches: see testdata/npm/README.md. Without it
// the test is skipped, or fails where the browser tests are required.
func axeScript(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile("testdata/npm/node_modules/axe-core/axe.min.js")
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case missing && os.Getenv(browserVariable) != "required":
		t.Skip(noAxe)
	case missing:
		t.Fatal(noAxe)
	case err != nil:
		t.Fatal(err)
	}
	return string(script)
}

// noAxe says how to get it.
const noAxe = "no axe-core: run `npm ci --prefix cmd/gyre-board/testdata/npm` to look for what keeps people from using the page"

// inspect looks for what keeps people from using a view in a kind of window with
// a scheme of colours.
func (b *tab) inspect(name, window, scheme string) {
	b.t.Helper()
	how := window + " " + scheme
	b.media("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce")
	b.await("the transitions of colours", `document.getAnimations().every((animation) => animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)`)
	for _, found := range look[[]string](b, `axe.run({resultTypes: ['violations']}).then(({violations}) => violations.flatMap(({id, help, nodes}) =>
		nodes.map(({target, failureSummary}) => id + ': ' + help + ' at ' + target.join(' ') + ': ' + failureSummary)))`) {
		b.t.Errorf("%s: %s", how, found)
	}
	for _, found := range look[[]string](b, smallTexts) {
		b.t.Errorf("%s: text under 14 px: %s", how, found)
	}
	b.fitsWidth()
	b.picture(name, window, scheme)
}

// readsLabels checks that the names of columns and numbers stand out from every colour of
// the plate, which axe does not look at.
func (b *tab) readsLabels(theme string) {
	b.t.Helper()
	contrast := look[float64](b, `(() => {
		const light = (colour) => {
			const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		const label = light(getComputedStyle(document.querySelector('.plate-label')).fill);
		const plate = getComputedStyle(document.querySelector('#board')).backgroundImage.match(/rgba?\([^)]*\)/g).map(light);
		return Math.min(...plate.map((ground) => (Math.max(label, ground) + 0.05) / (Math.min(label, ground) + 0.05)));
	})()`)
	if contrast < 4.5 {
		b.t.Errorf("%s: the labels have a contrast of %.2f", theme, contrast)
	}
}

// smallTexts lists the texts on show that are smaller than 14 pixels, those
// drawn in SVG as they are scaled.
const smallTexts = `(() => {
	const small = [];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text; (text = texts.nextNode());) {
		const element = text.parentElement;
		if (!text.textContent.trim() || !element.checkVisibility({visibilityProperty: true}) || element.closest('.unseen, script, style')) continue;
		let size = Number.parseFloat(getComputedStyle(element).fontSize);
		if (element.ownerSVGElement) size *= element.getScreenCTM().a;
		if (size < 13.99) small.push(size.toFixed(1) + ': ' + element.tagName + ' ' + text.textContent.trim().slice(0, 40));
	}
	return [...new Set(small)];
})()`

// picture writes a picture of the page if they are wanted.
func (b *tab) picture(name, window, scheme string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	path := fmt.Sprintf("%s/%s-%s-%s.png", *screenshots, strings.ReplaceAll(name, " ", "-"), window, scheme)
	if err := os.WriteFile(path, picture, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// TestBrowserWeight checks that the page is light, and asks nobody else for
// anything.
func TestBrowserWeight(t *testing.T) {
	serverOnly(t) // others may send files unzipped: see TestStaticIsSmall
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	loaded := look[map[string]float64](b, `Object.fromEntries(performance.getEntriesByType('resource')
		.concat(performance.getEntriesByType('navigation')).map(({name, transferSize}) => [name, transferSize]))`)
	total := 0.0
	for name, bytes := range loaded {
		if !strings.HasPrefix(name, s.address) {
			t.Errorf("%s is loaded from elsewhere", name)
		}
		total += bytes
	}
	if len(loaded) < 5 || total == 0 || total > 130_000 {
		t.Errorf("%d files of %.0f bytes in all, want at most 130,000", len(loaded), total)
	}
	t.Logf("%d files of %.0f bytes in all", len(loaded), total)
}
