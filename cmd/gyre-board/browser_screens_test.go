package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gyre/bench/browsertest"
	"gyre/cmd/gyre-board/internal/export"
	"gyre/cmd/gyre-board/internal/server"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/position"
)

// screen is the window of a kind of device in CSS pixels.
type screen struct {
	name          string
	width, height int
	touch         bool
}

// screens are a large window, a laptop, a tablet, and a phone in both orientations.
var screens = []screen{
	{"large", 1440, 900, false},
	{"laptop", 1280, 720, false},
	{"tablet", 820, 1180, true},
	{"phone", 390, 844, true},
	{"phone on its side", 844, 390, true},
}

// The smallest windows: a small phone, and a laptop whose page is zoomed to 200%. high has the least
// room next to the board. largePhone has just enough room for the buttons to the first and the last
// turn, and half is the widest window with a phone's layout.
var (
	smallPhone = screen{"small phone", 320, 568, true}
	zoomed     = screen{"laptop at 200%", 720, 450, false}
	high       = screen{"high", 1180, 957, false}
	largePhone = screen{"large phone", 440, 956, true}
	half       = screen{"half a screen", 620, 1000, false}
)

// become changes the tab's window to a screen.
func (b *tab) become(s screen) {
	b.t.Helper()
	var options []chromedp.EmulateViewportOption
	if s.touch {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	b.sized = true
	b.do("becoming a "+s.name, chromedp.EmulateViewport(int64(s.width), int64(s.height), options...))
	b.await("the window's size", fmt.Sprintf("innerWidth === %d && innerHeight === %d", s.width, s.height))
	b.awaitFrame()
}

// sizes are the windows in which each screen is checked once. In the low ones the page may scroll
// to a control.
var sizes = []screen{
	{"1440x900", 1440, 900, false},
	{"1280x800", 1280, 800, false},
	{"1100x760", 1100, 760, false},
	{"1024x768", 1024, 768, false},
	{"820x1180", 820, 1180, true},
	{"480x430", 480, 430, false},
	{"390x844", 390, 844, true},
	{"360x640", 360, 640, true},
	{"320x256", 320, 256, false},
}

// cutControls lists the controls and prompts that are not whole: a part of them is outside the
// window or outside an ancestor that clips it, their text is wider than they are, or something
// covers them. A list that scrolls may hold more than it shows, but a control must fit into it, and
// scrolling must reach it. It also lists text fields too narrow for a name, texts to send of which
// little is shown, buttons that look hovered after a tap, and notices that cover something even if the page scrolls to its end.
const cutControls = `((scrolls) => {
	const lists = '.panel, dialog, .game-list, .match-games, .reviews-list, [data-testid=reviews-summary], textarea';
	const folds = 'li:not(.open) > .line-turns'; // the first line of turns, and a button that shows the others
	const boxOf = (element) => (({left, top, right, bottom}) => ({left, top, right, bottom}))(element.getBoundingClientRect());
	const name = (element) => [(element.tagName + '#' + element.id + '.' + element.className).toLowerCase(), element.textContent.replace(/\s+/g, ' ').trim().slice(0, 30)].join(' ');
	const outside = (box, room, axes) => (axes.x && (box.left < room.left - 1 || box.right > room.right + 1)) || (axes.y && (box.top < room.top - 1 || box.bottom > room.bottom + 1));
	const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
	const pushes = innerWidth < 1.1 * innerHeight && document.querySelector('.card:not([hidden]), .notice'); // pushes the panels down
	const found = new Set();
	const soft = document.body.appendChild(Object.assign(document.createElement('i'), {style: 'background: var(--accent-soft)'}));
	const hovered = getComputedStyle(soft).backgroundColor;
	soft.remove();
	for (const control of (dialog ?? document).querySelectorAll('button, select, input, textarea, summary, a[href], #prompt, #strip, .before, .card, [role=alert], [role=status]')) {
		if (control.closest('.board, .point, .unseen, svg') || !control.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
		const box = boxOf(control);
		if (box.right - box.left <= 1 || box.bottom - box.top <= 1) continue; // for screen readers
		let [moved, folded] = [false, false];
		for (let at = control; at !== document.body && !folded; at = at.parentElement) {
			const style = getComputedStyle(at);
			if (at !== control && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) {
				const outer = boxOf(at);
				const room = {left: outer.left + at.clientLeft, top: outer.top + at.clientTop};
				room.right = room.left + at.clientWidth;
				room.bottom = room.top + at.clientHeight;
				if (at.matches(lists) && style.overflowY !== 'hidden' && style.overflowY !== 'clip') {
					if (box.bottom - box.top > room.bottom - room.top + 1) found.add(name(control) + ' is higher than ' + name(at) + ', ' + Math.round(room.bottom - room.top));
					const shift = Math.max(room.top - box.top, 0) || Math.min(room.bottom - box.bottom, 0);
					const reached = at.scrollTop - shift;
					if (reached < -1 || reached > at.scrollHeight - at.clientHeight + 1) found.add(name(control) + ' is beyond what scrolls in ' + name(at));
					[box.top, box.bottom] = [box.top + shift, box.bottom + shift];
					moved ||= shift !== 0;
					if (outside(box, room, {x: style.overflowX !== 'auto' || !at.matches('[data-testid=reviews-summary]')})) found.add(name(control) + ' is cut by ' + name(at));
				} else if (at.matches(folds) && box.top >= room.bottom && at.scrollTop === 0) folded = true;
				else if (outside(box, room, {x: true, y: true})) found.add(name(control) + ' is cut by ' + name(at));
			}
			if (at.tagName === 'DIALOG' || style.position === 'fixed') break;
		}
		if (folded) continue;
		const far = scrolls || Boolean(pushes && control.closest('aside, .actions'));
		const page = {left: far ? -scrollX : 0, top: far ? -scrollY : 0};
		page.right = page.left + (far ? Math.max(document.documentElement.scrollWidth, innerWidth) : innerWidth);
		page.bottom = page.top + (far ? Math.max(document.documentElement.scrollHeight, innerHeight) : innerHeight);
		page.right = Math.min(page.right, innerWidth);
		if (outside(box, page, {x: true, y: true})) found.add(name(control) + ' is outside the window: ' + JSON.stringify(box));
		if (control.matches('input:not([type]), input[type=text]') && box.right - box.left < 90) found.add(name(control) + ' is too narrow for a name');
		if (control.matches('.sheet-copy > textarea') && control.scrollHeight > control.clientHeight + 1 && control.clientHeight < 90) found.add(name(control) + ' shows too little of its text');
		if (matchMedia('(pointer: coarse)').matches && control.matches('button:hover:not(.main, [aria-pressed=true], [aria-current=true])') && getComputedStyle(control).backgroundColor === hovered) found.add(name(control) + ' looks as if a pointer were over it');
		if (control.matches('button, summary') && (control.scrollWidth > control.clientWidth + 1 || control.scrollHeight > control.clientHeight + 3) && control.clientWidth) found.add(name(control) + ' is smaller than its text');
		const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
		if (moved || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || !control.matches('button, select, textarea, summary')) continue;
		const top = document.elementFromPoint(x, y);
		const over = (at) => at && at !== document.body && (at.matches('#notices, label') || getComputedStyle(at).position === 'sticky' || over(at.parentElement));
		if (top && !control.contains(top) && !top.contains(control) && !over(top)) found.add(name(control) + ' is covered by ' + name(top));
	}
	const [left, top] = [scrollX, scrollY];
	scrollTo({top: document.documentElement.scrollHeight, behavior: 'instant'}); // in a low window
	const notices = boxOf(document.querySelector('#notices'));
	for (const part of dialog ? [] : document.querySelectorAll('.says, .players, .field, .bar, aside')) {
		const box = boxOf(part);
		if (Math.min(notices.right, box.right) > Math.max(notices.left, box.left) + 1 && Math.min(notices.bottom, box.bottom) > Math.max(notices.top, box.top) + 1) found.add('a notice covers ' + name(part));
	}
	scrollTo({left, top, behavior: 'instant'});
	return [...found];
})(%s)`

// isWhole checks that each visible control and prompt is whole in the current window. On a small
// phone with a wide font, the tabs take two lines, and the page scrolls to the panels.
func (b *tab) isWhole(what string) {
	b.t.Helper()
	const scrolls = "innerHeight < 500 || innerWidth <= 360 && document.adoptedStyleSheets.length > 0"
	for _, cut := range look[[]string](b, fmt.Sprintf(cutControls, scrolls)) {
		b.t.Errorf("%s: %s", what, cut)
	}
}

// outOfView lists the buttons and fields of the open panel or dialog that a person must scroll to, in a list of
// its own or not, the texts about the rating and offers if they are not whole, the table of a challenge until one of its games
// is on the board, and every main button on the screen but the first. A panel may be longer than its room, if what follows is
// not needed to go on: the turns and the text field, lines of an engine, ways of an opening, lessons, texts to copy and
// paste, games of a match and its deletion, settings, the theme of puzzles, and the rules and the clock of a new game. Below
// the board, texts to send may follow, too, and in a low window the rating, offers and cards.
const outOfView = `((always, column, low) => {
	const mayFollow = [always, innerWidth < innerHeight && column, innerHeight < 800 && low].filter(Boolean).join();
	const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
	// A hint, a question or a notice takes room from the panels, and in the middle of a turn there is nothing to learn.
	const pushed = document.querySelector('.card:not([hidden]), .notice, #choices > *');
	for (const scroller of document.querySelectorAll('.panel, dialog')) scroller.scrollTop = 0;
	const plain = getComputedStyle(document.querySelector('.panel')).backgroundColor;
	const mains = [...(dialog ?? document).querySelectorAll('button.main')].filter((button) => button.checkVisibility({visibilityProperty: true}) && getComputedStyle(button).backgroundColor !== plain);
	return [...(dialog ?? document).querySelectorAll('button, select, input, textarea, .instead [data-testid=challenge-table], #end-rating p, .offers p')].filter((button) => {
		const scroller = button.closest('.panel, dialog');
		if (!scroller || button.closest(mayFollow) || pushed && button.closest('#learn') || !button.checkVisibility({visibilityProperty: true})) return false;
		const [box, room] = [button.getBoundingClientRect(), scroller.getBoundingClientRect()];
		return box.bottom > Math.min(room.bottom, innerHeight) + 1 || box.top < room.top - 1;
	}).concat(mains.slice(1)).map((button) => button.id + ' ' + button.textContent.trim().slice(0, 40));
})('#panel-turns, .lines, .summary, .strategy-list, #editor-copy, #editor-link, #editor-text, #paste, #open-paste, #settings-form, [data-testid=puzzle-theme], .match-games, #match-forget, #new-dialog fieldset:has([name=rules]), #new-dialog .row', '.sheet-copy > textarea', '#end-rating, .offers, .cards')`

// needsNoScrolling checks that outOfView lists nothing.
func (b *tab) needsNoScrolling(what string) {
	b.t.Helper()
	for _, button := range look[[]string](b, outOfView) {
		b.t.Errorf("%s: a person must scroll to it, or it is a second main button: %s", what, button)
	}
}

// showsScore checks that the rings which both sides have removed are in view, unless a dialog or the position editor is open.
func (b *tab) showsScore() {
	b.t.Helper()
	for _, side := range []string{"w", "b"} {
		if !look[bool](b, fmt.Sprintf(`((won) => {
			if (document.querySelector('dialog[open], [data-editing]')) return true;
			const {top, bottom, left, right} = won.getBoundingClientRect();
			return won.checkVisibility({visibilityProperty: true}) && top >= 0 && bottom <= innerHeight && right > left && won.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
		})(document.querySelector('[data-testid=won-%s]'))`, side)) {
			b.t.Errorf("the rings that %s removed are out of view", side)
		}
	}
}

// notationShown lists the turns in notation that the page shows or reads out, except in lists of turns, which
// are the game and the lines of an engine, in texts to copy, and in the help, which explains the notation.
const notationShown = `(() => {
	const notation = /\b[a-k]\d\d?-[a-k]\d|x[a-k]\d/;
	return [...document.querySelectorAll('body *')].filter((element) => !element.closest('#turns, .lines .pv, #help-dialog, textarea, input, script') && element.checkVisibility({visibilityProperty: true})).flatMap((element) => [
		...[...element.childNodes].filter(({nodeType}) => nodeType === Node.TEXT_NODE).map(({data}) => data),
		...['title', 'aria-label', 'aria-description', 'aria-valuetext'].map((name) => element.getAttribute(name) ?? ''),
	].filter((text) => notation.test(text)).map((text) => element.tagName + '#' + element.id + '.' + element.className + ' ' + text));
})()`

// saysTurnsInWords checks that notationShown lists nothing.
func (b *tab) saysTurnsInWords(what string) {
	b.t.Helper()
	for _, found := range look[[]string](b, notationShown) {
		b.t.Errorf("%s: a turn is in notation: %s", what, found)
	}
}

// controlsShown names the visible controls and prompts with their texts, without numbers and points.
const controlsShown = `[...new Set([...document.querySelectorAll('button, select, input, textarea, summary, a[href], #prompt, #strip, .before, .card, [role=alert], [role=status], dialog[open]')]
	.filter((control) => control.checkVisibility({visibilityProperty: true}) && !control.closest('.board, svg'))
	.map((control) => control.tagName + '#' + control.id + '.' + control.className + ' ' + control.textContent.replace(/[a-k]?\d+/g, '0')))].join('\n')`

// wholeOnPhone has the controls that were whole on a phone, as controlsShown names them.
var wholeOnPhone sync.Map

// stepped checks after a user's step that each visible control and prompt is whole: in the current
// window, and if that is the usual one, on a phone, too, unless the same controls were whole there
// before. It ignores a page that the step has left, and a new one that has no style yet.
func (b *tab) stepped(what string) {
	b.t.Helper()
	cut := func(window string) bool {
		b.t.Helper()
		const loading = "loading"
		found, err := evaluate[[]string](b.ctx, b, fmt.Sprintf("document.readyState !== 'complete' ? ['"+loading+"'] : "+cutControls, "innerHeight < 620")) // a low page scrolls
		if slices.Contains(found, loading) {
			return false
		}
		for _, text := range found {
			if text = window + ": " + text; !slices.Contains(b.cut, text) {
				b.cut = append(b.cut, text)
				b.t.Errorf("after %s, %s", what, text)
			}
		}
		return err == nil && len(found) == 0
	}
	cut("in its window")
	if b.fox != nil || b.sized {
		return
	}
	shown, err := evaluate[string](b.ctx, b, controlsShown)
	if _, known := wholeOnPhone.Load(shown); known || err != nil {
		return
	}
	resize := func(width, height int64) bool {
		if _, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, height)); err != nil {
			return false
		}
		// The page notices its new size with the next frame.
		_, err := evaluate[bool](b.ctx, b, wholeFrame)
		return err == nil
	}
	if resize(390, 844) {
		if cut("on a phone") {
			wholeOnPhone.Store(shown, true)
		}
		resize(browsertest.WindowWidth, browsertest.WindowHeight)
	}
}

// widen makes all texts a fifth wider, or as wide as they were.
func (b *tab) widen(wide bool) {
	b.t.Helper()
	b.wide = wide
	look[bool](b, fmt.Sprintf(`((wide) => {
		const style = new CSSStyleSheet(); // the page's policy forbids style elements
		style.replaceSync('body, body :not(svg *) { letter-spacing: 0.1em !important }');
		document.adoptedStyleSheets = wide ? [style] : [];
		return %s;
	})(%t)`, wholeFrame, wide))
}

// isWholeAtAllSizes checks the shown screen at all sizes, with the page's font and with a font a fifth
// wider. It calls check at each size with the page's font. A new font takes as long as a new size, so each
// size begins with the font of the one before it.
func (b *tab) isWholeAtAllSizes(check func(screen)) {
	b.t.Helper()
	for _, s := range sizes {
		b.become(s)
		for i := range 2 {
			if i == 1 {
				b.widen(!b.wide)
			}
			if b.wide {
				b.isWhole(s.name + " with a wider font")
				continue
			}
			b.isWhole(s.name + " with the page's font")
			check(s)
		}
	}
	b.widen(false)
}

// wholeFrame is a promise that the page has drawn a whole frame. The board fits its labels to its size
// after a frame begins.
const wholeFrame = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

// awaitFrame waits until the page has drawn a whole frame.
func (b *tab) awaitFrame() {
	b.t.Helper()
	look[bool](b, wholeFrame)
}

// box is the bounding box of an element in the window.
type box struct{ Left, Top, Right, Bottom float64 }

// boxOf returns an element's bounding box.
func (b *tab) boxOf(selector string) box {
	b.t.Helper()
	return look[box](b, fmt.Sprintf(`(({left, top, right, bottom}) => ({Left: left, Top: top, Right: right, Bottom: bottom}))(document.querySelector(%q).getBoundingClientRect())`, selector))
}

// TestBrowserScreens checks the page in ten windows. The board takes at least 80% of the shorter
// side. The board, the prompt, the players and the tabs are in view, and nothing covers a button.
// The page does not scroll, and shows the name of the game.
func TestBrowserScreens(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	for _, s := range append(screens, smallPhone, zoomed, high, largePhone, half) {
		b.become(s)
		b.await("the board's size", fmt.Sprintf(`document.querySelector('#board').clientWidth <= %d`, min(s.width, s.height)))
		board := b.boxOf("#board")
		share := (board.Right - board.Left) / float64(min(s.width, s.height))
		t.Logf("%s: the board has %.0f of %d x %d pixels, %.0f %% of the shorter side", s.name, board.Right-board.Left, s.width, s.height, 100*share)
		if share < 0.80 {
			t.Errorf("%s: the board takes %.0f %% of the shorter side, want at least 80 %%", s.name, 100*share)
		}
		if math.Abs((board.Right-board.Left)-(board.Bottom-board.Top)) > 1 {
			t.Errorf("%s: the board is no square: %+v", s.name, board)
		}
		parts := []string{"#board", "#prompt", "#player-w", "#player-b", "#tabs", "#new-game", "#go-back", "h1"}
		if s == largePhone || s == half {
			parts = append(parts, "#go-first", "#go-last")
		}
		for _, part := range parts {
			if at := b.boxOf(part); at.Left < 0 || at.Top < 0 || at.Right > float64(s.width)+0.5 || at.Bottom > float64(s.height)+0.5 || at.Right <= at.Left {
				t.Errorf("%s: %s is not in view: %+v", s.name, part, at)
			}
		}
		for _, covered := range look[[]string](b, `[...document.querySelectorAll('.top button, .actions button')].filter((button) => button.checkVisibility()).filter((button) => {
			const {left, top, width, height} = button.getBoundingClientRect();
			return [1, width / 2, width - 1].some((x) => !button.contains(document.elementFromPoint(left + x, top + height / 2)));
		}).map(({id}) => id)`) {
			t.Errorf("%s: #%s is covered or not in view", s.name, covered)
		}
		// On the smallest phone the page scrolls to the panels.
		if tall := look[int](b, "document.documentElement.scrollHeight"); tall > s.height && s != smallPhone {
			t.Errorf("%s: the page is %d pixels high", s.name, tall)
		}
		b.fitsWidth()
		b.awaitText("h1", "YINSH")
		if name, button := b.boxOf(".brand"), b.boxOf("#new-game"); name.Right > button.Left {
			t.Errorf("%s: the page's name ends at %.0f, below the button at %.0f", s.name, name.Right, button.Left)
		}
	}
}

// TestBrowserLongNames shows long names on the smallest phone. They are on two lines and end in
// an ellipsis, but no letter is cut.
func TestBrowserLongNames(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...) + "&white=Bernadette_von_Hohenzollern_Sigmaringen&black=Grandmaster Anastasia Konstantinopolskaya the Third")
	b.awaitPly(len(middleGame))
	b.become(smallPhone)
	for _, side := range []string{"w", "b"} {
		if cut := look[[]int](b, fmt.Sprintf(`(({scrollWidth, clientWidth, clientHeight, scrollHeight}) => [scrollWidth, clientWidth, clientHeight, scrollHeight])(document.querySelector('[data-testid=name-%s]'))`, side)); cut[0] > cut[1] || cut[2] >= cut[3] {
			t.Errorf("the name of %s has %d x %d pixels and is %d x %d pixels large", side, cut[1], cut[2], cut[0], cut[3])
		}
	}
	b.fitsWidth()
	b.picture("long names", smallPhone.name, "light")
}

// TestBrowserSmallWindows shows a prompt of two lines and the steps of a turn in a low window.
// Nothing is cut.
func TestBrowserSmallWindows(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", sevenInARow))
	b.move("f5", "h7")
	b.awaitState("row")
	b.become(zoomed)
	says, prompt, strip := b.boxOf(".says"), b.boxOf("#prompt"), b.boxOf("#strip")
	if prompt.Top < says.Top || strip.Bottom > says.Bottom+1 {
		t.Errorf("the prompt is at %+v, the steps are at %+v, and the room for both is %+v", prompt, strip, says)
	}
}

// TestBrowserForcedColorsSelected shows with forced colors what is selected, pressed or turned on. It
// has the system's color for it, and the boards in the settings keep theirs.
func TestBrowserForcedColorsSelected(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.media("forced-colors", "active", "prefers-reduced-motion", "reduce")
	b.await("the border of the shown turn", `getComputedStyle(document.querySelector('.turn-button[aria-current=true]')).borderTopWidth === '2px'`)
	if opacity := look[string](b, `getComputedStyle(document.querySelector('#go-forward:disabled')).opacity`); opacity != "1" {
		t.Errorf("a disabled button has the opacity %s", opacity)
	}
	look[bool](b, `(document.body.append(Object.assign(document.createElement('p'), {id: 'highlight', hidden: true})), document.querySelector('#highlight').style.cssText = 'forced-color-adjust: none; background: Highlight', true)`)
	highlighted := func(selector string) {
		t.Helper()
		b.await(selector+" to be highlighted", fmt.Sprintf(`document.querySelector(%q) && getComputedStyle(document.querySelector(%[1]q)).backgroundColor === getComputedStyle(document.querySelector('#highlight')).backgroundColor`, selector))
	}
	b.click("#turn-board")
	highlighted("#turn-board")
	b.click("#tab-analysis")
	b.click("#analysis")
	highlighted("#analysis[aria-checked=true]")
	b.click("#new-game")
	highlighted("#new-dialog [value=engine] + span")
	b.click("#new-dialog [data-close]")
	b.click("#settings")
	b.await("the colors of the boards", `document.querySelector('.swatch') && [...document.querySelectorAll('.swatch')].every((swatch) => getComputedStyle(swatch).backgroundImage !== 'none')`)
	b.click("#settings-dialog [data-close]")
	b.click("#tab-learn")
	b.click("[data-part=strategy]")
	highlighted(".strategy-list [aria-current]")
}

// TestBrowserTargets measures touch targets on a phone in all panels and dialogs. They have at
// least 44 by 44 pixels, except points of the board: eleven of them have 35 pixels each in a
// window of 390, and a tap selects the nearest one that can be pressed. A running game has the
// most buttons, on a large phone.
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
	b.newGame(nil)
	b.become(largePhone)
	check("a running game", "main")
}

// TestBrowserTabs walks through the tabs with the keyboard. The selected tab survives a reload.
func TestBrowserTabs(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.become(screens[1])
	const shown = `[...document.querySelectorAll('[role=tabpanel]')].filter((panel) => panel.checkVisibility()).map(({id}) => id).join()`
	if got := look[string](b, shown); got != "panel-turns" {
		t.Errorf("at first there is %s", got)
	}
	b.tabTo("#tab-turns")
	b.press(kb.ArrowLeft)
	b.await("the rules", shown+` === 'panel-learn'`)
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

// TestBrowserLineKeys walks through the turns of an engine's line with the arrow keys. A turn below the first row of
// the line is whole while it has the focus, and nothing stays scrolled after it.
func TestBrowserLineKeys(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.click("#analysis")
	const folded = `[...document.querySelectorAll('.line-turns')].find((line) => line.scrollHeight > line.clientHeight + 8)`
	b.await("a line of two rows", fmt.Sprintf(`((line) => line && (line.previousSibling.focus(), document.activeElement === line.previousSibling))(%s)`, folded))
	turns := look[int](b, `document.activeElement.nextSibling.childElementCount`)
	for range turns {
		b.press(kb.ArrowRight)
	}
	b.await("the last turn to be whole", `document.activeElement.matches('.pv:last-child') && ((turn, line) => turn.top >= line.top - 1 && turn.bottom <= line.bottom + 1)(
		document.activeElement.getBoundingClientRect(), document.activeElement.parentElement.getBoundingClientRect())`)
	look[bool](b, `(document.activeElement.blur(), true)`)
	b.await("nothing to be scrolled", `[...document.querySelectorAll('.line-turns')].every(({scrollTop}) => scrollTop === 0)`)
}

// TestBrowserPhoneLanguages shows a finished game on two phones in every language. None of the five
// tabs is cut, and no button covers the page's name.
func TestBrowserPhoneLanguages(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("blitz", twoCross, "f5-h7;xc5-g5xb2"))
	for _, language := range languages {
		b.speak(language)
		b.awaitState("over")
		b.await("the tab of the result", `!document.querySelector('#tab-end').hidden`)
		for _, phone := range []screen{smallPhone, screens[3]} {
			b.become(phone)
			for _, cut := range look[[]string](b, `(({left, right}) => [...document.querySelectorAll('#tabs [role=tab]')].map((tab) => [tab.textContent, tab.getBoundingClientRect()])
				.filter(([, at]) => at.left < left - 0.5 || at.right > right + 0.5).map(([name, at]) => name + ' at ' + at.left + ' to ' + at.right + ' of ' + right))(document.querySelector('#tabs').getBoundingClientRect())`) {
				t.Errorf("%s, %s: a tab is cut: %s", phone.name, language, cut)
			}
			if name, button := b.boxOf(".brand"), b.boxOf("#new-game"); name.Right > button.Left {
				t.Errorf("%s, %s: the page's name ends at %.0f, below the button at %.0f", phone.name, language, name.Right, button.Left)
			}
		}
	}
}

// languages are the languages of the page.
var languages = []string{"en", "de", "es", "fr", "nl", "pl"}

// speak changes the language of the page and loads it again.
func (b *tab) speak(language string) {
	b.t.Helper()
	look[bool](b, fmt.Sprintf(`(localStorage.setItem('gyre.settings', JSON.stringify({language: %q})), true)`, language))
	b.reload()
	b.await("the language", fmt.Sprintf(`document.documentElement.lang === %q`, language))
}

// asPhone turns the tab into a phone.
func (b *tab) asPhone() {
	b.t.Helper()
	b.sized = true
	b.do("becoming a phone", chromedp.EmulateViewport(360, 740, chromedp.EmulateScale(3), chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait))
	b.awaitFrame()
}

// TestBrowserPhone plays a row of more than five by taps. There is no room for handles, and
// removing a ring needs a second tap.
func TestBrowserPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).at("standard", sevenInARow))
	b.fitsWidth()
	b.awaitHint("f5", "can move")
	b.tap(at("f5"))
	b.awaitText("#prompt", "White: Choose where f5 goes.")
	b.awaitHint("h7", "move here")
	b.tap(at("h7"))
	b.awaitState("row")
	b.tap(at("f2"))
	b.awaitText(id("choice-text"), "f2 to f6")
	b.fitsWidth()
	b.tap(id("take"))
	b.awaitState("ring")
	b.tap(at("b2"))
	b.awaitText(id("choice-text"), "Ring on b2")
	b.tap(at("b6"))
	b.awaitText(id("choice-text"), "Ring on b6")
	b.tap(at("b6"))
	b.awaitTurn("f5-h7;xf2-f6xb6")
	b.awaitText(id("turn-before"), "White moves f5 to h7")
	b.position(position.Standard, sevenInARow)
	b.fitsWidth()
}

// fitsWidth checks that nothing is wider than the window.
func (b *tab) fitsWidth() {
	b.t.Helper()
	if wide := look[[]string](b, `document.documentElement.scrollWidth <= innerWidth ? [] :
		[...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
			.map((element) => element.tagName + '#' + element.id + '.' + element.className)`); len(wide) > 0 {
		b.t.Errorf("wider than the window: %v", wide)
	}
}

// TestBrowserPhoneGame plays a blitz game on a phone by taps.
func TestBrowserPhoneGame(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).address)
	b.newGame(nil, blitz)
	b.playBlitz(b.tap)
	b.awaitText("#prompt", "The game is over.")
}

// view is a main view of the page, and how to get to it in a new tab.
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
	{"hint", (*tab).showHint},
	{"hint with the turn", func(b *tab, s *site) {
		b.showHint(s)
		b.press("h")
		b.awaitText(id("coach-said"), "It wins the game.")
	}},
	{"coach", func(b *tab, s *site) {
		b.visit(s.at("blitz", twoFours))
		b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz, "[data-testid=new-here]")
		b.choose("coach", "on")
		b.press(kb.Escape)
		b.await("the coach", `document.querySelector('#coach-box')`)
		b.blunder()
	}},
	{"review", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.review()
		b.await("the summary", `!document.querySelector('[data-testid=review-bar]') && document.querySelector('[data-testid=summary]')`)
	}},
	{"puzzle", func(b *tab, s *site) {
		b.visit(s.address)
		b.openPuzzles()
		b.click(id("puzzle-hint"))
		b.awaitText(id("puzzle-said"), "e")
	}},
	{"strategy", func(b *tab, s *site) {
		b.visit(s.address)
		b.click("#tab-learn")
		b.click("[data-part=strategy]")
		b.await("an exercise", `document.querySelector('.strategy[data-state=yours]')`)
	}},
	{"moments", (*tab).openMoments},
	{"rush", func(b *tab, s *site) {
		b.visit(s.address)
		b.click("#tab-learn")
		b.click("[data-part=rush]")
		b.awaitText(id("rush-streak"), "0")
	}},
	{"challenge", func(b *tab, s *site) {
		b.visit(s.address)
		b.click("#tab-learn")
		b.click("#learn [data-part=challenge]")
		b.await("the levels", `document.querySelector('[data-act=level][data-value=Beginner]')`)
	}},
	{"new game", func(b *tab, s *site) { b.visit(s.address); b.click("#new-game") }},
	{"new match", func(b *tab, s *site) {
		b.visit(s.address)
		b.openMatch()
		b.await("the form", `document.querySelector('#match-form select')`)
	}},
	{"match", func(b *tab, s *site) {
		b.visit(s.address)
		b.openMatch()
		b.startMatch(2000)
		b.await("four games, and one on the board", matchGames+` >= 4 && document.querySelector('#board').dataset.ply > 10`)
		b.click(id("match-stop"))
		b.awaitText(id("match-said"), "You can resume it at any time.")
		b.awaitText(id("match-elo"), "Elo difference ")
	}},
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
		b.awaitText(id("editor-said"), "Playable.")
	}},
	{"image", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.click("#games")
		b.click(id("image"))
		b.await("the picture", `document.querySelector('[data-testid=image-preview]')?.naturalWidth > 0`)
	}},
	{"settings", func(b *tab, s *site) { b.visit(s.address); b.choose("board", "wood") }},
	{"help", func(b *tab, s *site) {
		b.visit(s.address)
		b.click("#help")
		b.awaitHelp()
	}},
	{"notice", func(b *tab, s *site) {
		b.visit(s.address)
		b.do("opening an invalid link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,f6'`))
		b.awaitText("#notices", "f6 is not free")
	}},
	{"sharing a link", func(b *tab, s *site) {
		b.visit(s.address)
		b.beginLink("Ann", "b")
		b.await("the dialog with the link", `document.querySelector('#share-dialog')?.open`)
		b.click(id("share-qr"))
		b.await("the code", `document.querySelector('[data-testid=share-code]')?.naturalWidth > 0`)
	}},
	{"a game by link", func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...) + "&white=Ann&black=Bob&game=1-2")
		b.awaitText("#remote-text", "Your turn")
	}},
	{"a new game by link", func(b *tab, s *site) {
		b.visit(s.address)
		b.click("#new-game")
		b.click("#new-dialog label:has([name=who][value=link])")
	}},
}

// TestBrowserViews opens each view once. It checks the accessibility with axe, light in a wide window
// and dark on a phone: no text is smaller than 14 pixels, and nothing is wider than the window. Then it
// checks at all sizes that each visible control and prompt is whole. With -screenshots it takes a picture
// of each view.
func TestBrowserViews(t *testing.T) {
	t.Parallel()
	axe := browsertest.Axe(t)
	s := serveSite(t)
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			v.show(b, s)
			b.saysTurnsInWords(v.name)
			b.do("loading axe", chromedp.Evaluate[chromedp.Void](axe))
			b.inspect(v.name, "wide", "light")
			b.asPhone()
			b.inspect(v.name, "narrow", "dark")
			if v.name == "targets" || v.name == "rows" {
				for _, theme := range []string{"wood", "slate"} { // of the board alone
					look[bool](b, fmt.Sprintf("Boolean(document.documentElement.dataset.board = %q)", theme))
					b.inspect(v.name, theme, "dark")
					b.readsLabels(theme)
				}
			}
			b.isWholeAtAllSizes(func(s screen) {
				if !slices.Contains([]string{"1280x800", "820x1180", "390x844"}, s.name) {
					return
				}
				b.needsNoScrolling(s.name)
				if s.name == "390x844" {
					b.showsScore()
				}
			})
		})
	}
}

// TestBrowserViewsInLanguages opens each view with the longest text that any language has for each message, in a font a
// fifth wider, and checks at all sizes that each visible control and prompt is whole. Opening each view in each
// language would take five times as long.
func TestBrowserViewsInLanguages(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	texts, err := json.Marshal(map[string]string{"page": longest(t, "page.ftl"), "parts": longest(t, "parts.ftl")})
	if err != nil {
		t.Fatal(err)
	}
	speak := pages.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(`((texts, load) => {
		localStorage['gyre.settings'] ??= JSON.stringify({language: 'de'});
		window.fetch = (address, ...options) => {
			const [, name] = /\/(page|parts)\.ftl$/.exec(address) ?? [];
			if (name) window.longest = true;
			return name ? Promise.resolve(new Response(texts[name])) : load(address, ...options);
		};
	})(%s, fetch)`, texts)}
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.foreign = true
			if _, err := chromedp.Call(b.ctx, pages.AddScriptToEvaluateOnNewDocument, speak); err != nil {
				t.Fatal(err)
			}
			v.show(b, s)
			b.await("the longest texts", "'longest' in window")
			b.widen(true)
			for _, s := range sizes {
				b.become(s)
				b.isWhole(s.name)
			}
		})
	}
}

// A file of messages of Project Fluent has comments, and texts of messages and of their attributes.
var (
	messageComment = regexp.MustCompile(`(?m)^#.*\n`)
	messageStart   = regexp.MustCompile(`(?m)^(?:[a-z][\w-]*| +\.[a-z-]+) *=`)
)

// textLength returns the length of a message's longest line: a text with variants has one on each.
func textLength(text string) (most int) {
	for line := range strings.Lines(text) {
		most = max(most, utf8.RuneCountInString(strings.TrimSpace(line)))
	}
	return most
}

// longest returns a file of messages with the longest text for each one from all languages.
func longest(t *testing.T, name string) string {
	t.Helper()
	var order []string
	texts := map[string]string{}
	for _, language := range languages {
		content, err := fs.ReadFile(page(), "language/"+language+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		file := messageComment.ReplaceAllString(string(content), "")
		id := ""
		starts := messageStart.FindAllStringIndex(file, -1)
		for i, at := range starts {
			end := len(file)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			key, text := file[at[0]:at[1]], file[at[0]:end]
			if key[0] != ' ' {
				id = key
			} else {
				key = id + key
			}
			if _, known := texts[key]; !known {
				order = append(order, key)
			}
			if textLength(text) > textLength(texts[key]) {
				texts[key] = text
			}
		}
	}
	var file strings.Builder
	for _, key := range order {
		file.WriteString(texts[key])
	}
	return file.String()
}

// showHint shows a hint that names a ring.
func (b *tab) showHint(s *site) {
	b.visit(s.at("blitz", twoFours))
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz, "[data-testid=new-here]")
	b.awaitHint("a2", "can move")
	b.click("#hint")
	b.awaitText(id("coach-said"), "Look at the ring on f3.")
}

// cutTexts lists visible labels and headings whose text is wider than their box, and a dialog with
// something wider.
const cutTexts = `[...document.querySelectorAll('button, label, h2, h3, select, summary, dialog[open], [role=tab], [role=status]')].filter((element) =>
	element.checkVisibility({visibilityProperty: true}) && !element.closest('.unseen') && !element.matches('.unseen') &&
	element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
	.map((element) => element.tagName + '#' + element.id + '.' + element.className + ' ' + element.textContent.trim().slice(0, 60))`

// TestBrowserLanguages checks the main views on two phones in the languages with long words, with axe.
// Nothing is wider than the window, and no label is cut. Colors do not depend on the language, so only
// the first one has its contrasts checked.
func TestBrowserLanguages(t *testing.T) {
	t.Parallel()
	axe := browsertest.Axe(t)
	s := serveSite(t)
	for i, language := range languages[1:] {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.known = i > 0
			b.visit(s.address)
			look[bool](b, fmt.Sprintf(`(localStorage.setItem('gyre.settings', JSON.stringify({language: %q})), location.hash = 'rules=standard&turns=%s', true)`, language, strings.Join(middleGame, ",")))
			b.reload()
			b.await("the language", fmt.Sprintf(`document.documentElement.lang === %q`, language))
			b.awaitState(stateFor[:]...)
			b.do("loading axe", chromedp.Evaluate[chromedp.Void](axe))
			check := func(name string) {
				for scheme, phone := range map[string]screen{"light": {"phone", 390, 844, true}, "dark": smallPhone} {
					b.become(phone)
					b.inspect(language+" "+name, phone.name, scheme)
					for _, cut := range look[[]string](b, cutTexts) {
						b.t.Errorf("%s, %s: the text is cut: %s", name, phone.name, cut)
					}
				}
			}
			for _, view := range []struct {
				name string
				show []string // to click
			}{
				{"turns", []string{"#tab-turns"}},
				{"learn", []string{"#tab-learn"}},
				{"analysis", []string{"#tab-analysis"}},
				{"review", []string{"#tab-review"}},
				{"new game", []string{"#new-game"}},
				{"games", []string{"#games"}},
				{"editor", []string{"#games", id("editor")}},
				{"settings", []string{"#editor-close", "#settings"}},
				{"help", []string{"#help"}},
				{"rush", []string{"#tab-learn", "[data-part=rush]"}},
				{"challenge", []string{"#rush [data-testid=close]", "#learn [data-part=challenge]"}},
				{"puzzles", []string{"#challenge [data-testid=close]", "[data-part=puzzles]"}},
				{"match", []string{"#new-game", "#new-dialog [data-part=match]"}},
			} {
				for _, selector := range view.show {
					b.click(selector)
				}
				if view.name == "puzzles" {
					b.awaitPuzzle("yours")
				}
				check(view.name)
				look[bool](b, `(document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close()), true)`)
			}
			b.visit(s.at("standard", twoCross))
			b.do("loading axe", chromedp.Evaluate[chromedp.Void](axe))
			for _, point := range []string{"f5", "h7"} {
				b.awaitCan(point)
				b.click(at(point))
			}
			b.takeRow("c5", "g5", b.click)
			b.awaitState("ring")
			check("rings")
		})
	}
}

// inspect checks the accessibility of a view in a window with a color scheme. The contrasts of colors
// take axe more than half of its time.
func (b *tab) inspect(name, window, scheme string) {
	b.t.Helper()
	how := window + " " + scheme
	b.media("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce")
	b.await("the transitions of colors", `document.getAnimations().every((animation) => animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)`)
	for _, found := range look[[]string](b, fmt.Sprintf(`axe.run({resultTypes: ['violations'], rules: {'color-contrast': {enabled: %t}}}).then(({violations}) => violations.flatMap(({id, help, nodes}) =>
		nodes.map(({target, failureSummary}) => id + ': ' + help + ' at ' + target.join(' ') + ': ' + failureSummary)))`, !b.known)) {
		b.t.Errorf("%s: %s", how, found)
	}
	for _, found := range look[[]string](b, readTwice) {
		b.t.Errorf("%s: a screen reader reads the name twice: %s", how, found)
	}
	for _, found := range look[[]string](b, smallTexts) {
		b.t.Errorf("%s: text under 14 px: %s", how, found)
	}
	b.fitsWidth()
	b.picture(name, window, scheme)
}

// readsLabels checks the contrast of the board's labels, which axe does not check.
func (b *tab) readsLabels(theme string) {
	b.t.Helper()
	contrast := look[float64](b, `(() => {
		const light = (color) => {
			const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
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

// readTwice lists the controls whose title is their name, too: screen readers read the name, and then
// the title as the description.
const readTwice = `[...document.querySelectorAll(':is(button, a, select, input, summary)[title]')].filter((element) =>
	element.checkVisibility() && [element.getAttribute('aria-label'), element.textContent.trim()].includes(element.title))
	.map((element) => element.tagName + '#' + element.id + ' ' + element.title)`

// smallTexts lists visible texts that are smaller than 14 pixels. It scales texts in SVG.
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

// picture writes a picture of the page if -screenshots is set.
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

// TestBrowserWeight limits the requests before the board can be used, and the bytes of the first
// visit without the program. It checks that all files come from the server. The page is bundled,
// as in a release.
func TestBrowserWeight(t *testing.T) {
	t.Parallel()
	const mostRequests, mostBytes = 8, 80_000
	b := newTab(t)
	address := ""
	size := func(string) float64 { return 0 } // of files that a server does not compress
	if *static {
		h := serveFolder(t)
		address = h.address
		files := exported(t).Files
		size = func(name string) float64 {
			content := files[name]
			if name == "" {
				content = files["index.html"]
			}
			var zipped bytes.Buffer
			writer := gzip.NewWriter(&zipped)
			_, _ = writer.Write(content)
			_ = writer.Close()
			return float64(min(zipped.Len(), len(content)))
		}
	} else {
		address = serveBundle(t)
	}
	b.visit(address)
	b.await("a part that follows", `performance.getEntriesByType('resource').some(({name}) => name.includes('/parts/'))`)
	type resource struct {
		Name  string
		Bytes float64
		Early bool
	}
	loaded := look[[]resource](b, `(([usable]) => ['resource', 'navigation'].flatMap((kind) => performance.getEntriesByType(kind))
		.map(({name, transferSize, startTime}) => ({Name: name, Bytes: transferSize, Early: startTime < usable.startTime})))(performance.getEntriesByName('usable'))`)
	requests, total := 1, 0.0 // the WebSocket, or the program that the Worker requests
	for _, r := range loaded {
		name, ours := strings.CutPrefix(r.Name, address)
		if !ours {
			t.Errorf("%s is loaded from elsewhere", r.Name)
		}
		if *static {
			r.Bytes = size(name)
		}
		if r.Early {
			requests++
		}
		total += r.Bytes
		t.Logf("%6.0f bytes, before the board can be used %t: %s", r.Bytes, r.Early, name)
	}
	t.Logf("%d requests before the board can be used; %d files of %.0f bytes in all", requests, len(loaded), total)
	if requests < 4 || requests > mostRequests {
		t.Errorf("%d requests before the board can be used, want at most %d", requests, mostRequests)
	}
	if total < 10_000 || total > mostBytes {
		t.Errorf("%.0f bytes in all, want at most %d", total, mostBytes)
	}
}

// serveBundle serves the bundled page as the server of a release does, until the test ends.
func serveBundle(t testing.TB) (address string) {
	t.Helper()
	bundled, err := export.Bundle(t.Context(), page(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	listener, hosts, err := listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	board, err := server.New(bundled, hosts, nil, session.NewHub("test", []session.Engine{builtIn()}, session.DefaultBounds, patient), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	web := board.Web()
	go func() { _ = web.Serve(listener) }()
	t.Cleanup(func() {
		_ = web.Close()
		board.Close()
	})
	return "http://" + hosts[0] + "/"
}
