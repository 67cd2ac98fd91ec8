package main

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"gyre/bench/puzzles"
	"gyre/position"
)

// handheld are the phones and the tablet on which a person can do everything without scrolling.
var handheld = []screen{
	{"390x844", 390, 844, true},
	{"360x640", 360, 640, true},
	{"820x1180", 820, 1180, true},
}

// laptop is a window in which a person can do everything without scrolling, too.
var laptop = screen{"1280x800", 1280, 800, false}

// TestBrowserWalk goes the way of a new player on phones and a tablet, in English and in the languages with the longest
// words, and on a laptop with the dark colors: a first game,
// a hint, a question of the coach, a row, the result, a review, a mistake to try again, the moments of a game,
// the puzzle of the day, a rush, and a challenge that is sent and answered. On each screen, all that a person
// needs to go on is in view.
func TestBrowserWalk(t *testing.T) {
	t.Parallel()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	s := serveSite(t)
	for _, walk := range []stroll{
		{language: "en", scheme: "light", screens: handheld},
		{language: "de", scheme: "light", screens: handheld},
		{language: "fr", scheme: "light", screens: handheld},
		{language: "pl", scheme: "light", screens: handheld},
		{language: "en", scheme: "dark", screens: []screen{laptop}},
		{language: "de", scheme: "dark", screens: []screen{laptop}},
	} {
		language := walk.language
		t.Run(language+" "+walk.screens[0].name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.visit(s.address)
			b.become(walk.screens[0])
			b.media("prefers-color-scheme", walk.scheme)
			w := &walk
			w.tab, w.set = b, set
			look[bool](b, fmt.Sprintf(`(localStorage.setItem('gyre.settings', JSON.stringify({language: %q, coach: true})), true)`, language))
			b.reload()
			b.await("the language", fmt.Sprintf(`document.documentElement.lang === %q`, language))
			look[bool](b, `(navigator.share = async () => {}, true)`) // as phones can
			w.game(s)
			w.review()
			w.puzzles()
			w.rush()
			w.challenge()
		})
	}
}

// stroll is the way of a new player through the page.
type stroll struct {
	*tab
	language string
	scheme   string
	screens  []screen // at which each step is checked; the first one is that of the next step
	set      []puzzles.Puzzle
	number   int // of steps
}

// tap taps an element with a finger, or clicks it where there is no touch.
func (w *stroll) tap(selector string) {
	w.t.Helper()
	if w.screens[0].touch {
		w.tab.tap(selector)
	} else {
		w.click(selector)
	}
}

// check checks the page at each size.
func (w *stroll) check(what string) {
	w.t.Helper()
	w.number++
	w.saysTurnsInWords(what + ", " + w.language)
	for _, size := range slices.Backward(w.screens) {
		w.become(size)
		name := fmt.Sprintf("%s, %s, %s", what, w.language, size.name)
		w.isWhole(name)
		w.needsNoScrolling(name)
		// A third line in a button after a game pushes the rating out of view.
		if high := look[float64](w.tab, `Math.max(0, ...[...document.querySelectorAll('.end-next button')].map(({clientHeight}) => clientHeight))`); size.touch && high > 48 {
			w.t.Errorf("%s: a button has %.0f pixels", name, high)
		}
		// A hint or a question pushes the panel down, and nothing more.
		if room := look[float64](w.tab, `document.querySelector('dialog[open]') ? 999 : document.querySelector('.panel:not([hidden])').checkVisibility({visibilityProperty: true}) && document.querySelector('.panel:not([hidden])').clientHeight`); room < 60 {
			w.t.Errorf("%s: the panel has %.0f pixels", name, room)
		}
		w.picture(fmt.Sprintf("walk-%s-%02d-%s", w.language, w.number, what), size.name, w.scheme)
	}
}

// game plays a game against an engine: the first turn, and then one from a position in which White blunders,
// asks for a hint, and takes a row, which wins.
func (w *stroll) game(s *site) {
	w.t.Helper()
	w.awaitState("place")
	w.check("start")
	w.tap(at("f6"))
	w.awaitPly(2)
	w.check("first turns")
	w.tap("#new-game")
	w.check("new game")
	w.tap("#new-dialog [data-close]")
	start := strings.ReplaceAll(twoFours, " ", "_")
	w.do("following a link", chromedp.Evaluate[chromedp.Void](fmt.Sprintf("location.hash = 'rules=blitz&start=%s'", start)))
	w.await("the position", `document.querySelector('#board button[data-point=a2]').classList.contains('can') && document.querySelector('#board').dataset.ply === '0'`)
	w.newGame(map[string]string{"new-level-b": w.lowestLevel()}, blitz, "[data-testid=new-here]")
	w.awaitCan("a2")
	w.await("the coach", `document.querySelector('#coach-box')`)
	w.tap("#hint")
	w.await("where to look", `document.querySelector('[data-testid=hint-turn]')`)
	w.check("hint")
	w.tap(id("hint-turn"))
	w.await("the turn", `!document.querySelector('[data-testid=hint-turn]') && document.querySelector('[data-testid=coach-said]').textContent`)
	w.check("hint with the turn")
	w.tap(at("a2"))
	w.awaitCan("a3")
	w.check("picked")
	w.tap(at("a3"))
	w.await("the coach's question", `document.querySelector('[data-testid=coach-back]')`)
	w.check("coach")
	w.tap(id("coach-back"))
	p := w.played(position.Blitz, twoFours)
	legal := p.Turns(nil)
	winning := legal[slices.IndexFunc(legal, func(turn position.Turn) bool {
		after := p.After(turn)
		return after.Result() == position.WhiteWins
	})]
	w.enterAfter(winning, w.tap, func(step int) { w.check(fmt.Sprint("turn, step ", step)) })
	w.awaitState("over")
	w.await("the result", `document.querySelector('#panel-end').checkVisibility() && document.querySelector('[data-testid=offer-sound]') && document.querySelector('#end-rating p')`)
	w.check("won")
}

// review looks at a lost game: its result, the review, a mistake to try again, and its moments.
func (w *stroll) review() {
	w.t.Helper()
	w.openFiles(fileOf(w.t, "lost.txt", "[White \"Ann\"]\n[Tree \""+momentsTree+"\"]\n[Result \"0-3\"]\n[Termination \"resignation\"]\n\n1.a2 2.e4 3.a3 0-3\n"))
	w.awaitPly(3)
	w.tap("#tab-end")
	w.check("lost")
	w.tap("#end-review")
	w.await("the first mistake", `document.querySelector('[data-testid=finding]')`)
	w.awaitPly(1)
	w.check("review")
	w.tap(id("show-better"))
	w.awaitPly(0)
	w.check("better turn")
	w.tap(id("retry"))
	w.await("the question", `document.querySelector('[data-testid=retry-text]')`)
	if look[bool](w.tab, `document.querySelector('#board .ghost') !== null`) {
		w.t.Error("a ring is shown where nobody points")
	}
	w.check("retry")
	w.tap(at("e5"))
	w.await("the verdict", `document.querySelector('[data-testid=retry-done]')`)
	w.check("retried")
	w.tap(id("next-mistake"))
	w.awaitPly(3)
	w.check("last mistake")
	w.tap("#tab-end")
	w.tap(id("end-moments"))
	w.await("two cards", `document.querySelectorAll('#moments .cards button').length === 2`)
	w.check("moments")
	w.tap("#moments .cards button")
	w.awaitPly(0)
	w.awaitCan("a2")
	w.check("moment")
	w.tap(at("a2"))
	w.await("the way back", `document.querySelector('[data-testid=again]')`)
	w.check("missed moment")
	w.tap(id("list"))
	w.await("the cards", `document.querySelector('#moments .cards')`)
	w.tap("#moments " + id("close"))
}

// puzzles tries the puzzle of the day, wrong and right.
func (w *stroll) puzzles() {
	w.t.Helper()
	look[bool](w.tab, "(Date.now = () => new Date(Date.UTC(2026, 10, 26, 12)).getTime(), true)")
	w.tap("#tab-learn")
	w.tap("[data-theme=day]")
	w.awaitPuzzle("yours")
	w.awaitPly(0) // the board follows the panel
	w.check("puzzle")
	z := w.puzzle(w.set)
	w.enter(wrongTurn(w.t, z), w.tap)
	w.awaitPuzzle("wrong")
	w.await("its price", `document.querySelector('[data-testid=puzzle-said]').textContent.length > 12`)
	w.check("wrong puzzle")
	w.tap(id("puzzle-again"))
	w.solve(z, w.tap)
	w.check("solved puzzle")
	w.tap(id("puzzles-close"))
}

// rush loses a rush.
func (w *stroll) rush() {
	w.t.Helper()
	w.tap("[data-part=rush]")
	w.await("the panel", `document.querySelector('[data-testid=rush-streak]')`)
	w.check("rush before")
	w.tap(id("daily"))
	last := ""
	for i := range 3 {
		w.await("another puzzle", fmt.Sprintf(`![undefined, '', %q].includes(document.querySelector('#rush').dataset.puzzle)`, last))
		last = look[string](w.tab, `document.querySelector('#rush').dataset.puzzle`)
		z := &w.set[slices.IndexFunc(w.set, func(z puzzles.Puzzle) bool { return z.ID == last })]
		w.awaitPly(0)
		w.awaitState("move", "row", "place")
		if i == 1 {
			w.check("rush")
		}
		w.enter(wrongTurn(w.t, z), w.tap)
	}
	w.await("the result", `document.querySelector('[data-testid=rush-text]')`)
	w.check("rush after")
	w.tap("#rush " + id("close"))
}

// challenge plays a challenge, sends it, and answers it as somebody else.
func (w *stroll) challenge() {
	w.t.Helper()
	const start, body = "4/7/8/3W1W3/3W2W3/2W3B2/3B2B3/3B1B3/8/7/4 w 0-0", "1&level=Novice&seed=7&rings=e4,g8,d6,h6,f4,f8,e7,g5,d4,h8"
	follow := func(link string) {
		w.do("following a link", chromedp.Evaluate[chromedp.Void](fmt.Sprintf("location.hash = 'challenge=%s'", link)))
	}
	play := func() (link string) {
		w.tap("#challenge " + id("accept"))
		w.awaitPly(0)
		w.awaitState("move")
		p := w.played(position.Standard, start)
		legal := p.Turns(nil)
		w.enter(legal[slices.IndexFunc(legal, position.Turn.Quiet)], w.tap)
		w.awaitPly(2)
		w.tap("#resign")
		// The second tap must follow soon, which a slow machine may not manage.
		w.await("the result", `(() => {
			const end = document.querySelector('#panel-end'), resign = document.querySelector('#resign');
			if (!end.checkVisibility() && resign.checkVisibility()) resign.click();
			return end.checkVisibility();
		})()`)
		w.check("challenge over")
		w.tap(id("end-challenge"))
		w.await("the text", `document.querySelector('[data-testid=challenge-text]')`)
		_, link, _ = strings.Cut(look[string](w.tab, `document.querySelector('[data-testid=challenge-text]').value`), "#challenge=")
		return link
	}
	w.tap("#learn [data-part=challenge]")
	w.await("the levels", `document.querySelector('[data-act=level][data-value=Beginner]')`)
	w.check("challenge")
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(body))
	follow(fmt.Sprintf("%s&sum=%08x", body, sum.Sum32()))
	link := play()
	w.check("challenge sent")
	follow(link)
	w.await("the invitation", `document.querySelector('[data-testid=challenge-invites]')`)
	w.check("challenge received")
	link = play()
	w.check("challenge answered")
	follow(link)
	w.await("both games", `document.querySelector('[data-testid=card-1]') && !document.querySelector('[data-testid=challenge-text]')`)
	w.check("challenge both")
	w.tap(id("card-0"))
	w.await("the buttons to step through the game", `document.querySelector('#go-back').checkVisibility() && !document.querySelector('#go-back').disabled`)
	w.check("challenge game")
}
