package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"gyre/bench/puzzles"
	"gyre/position"
)

// lesson is a lesson of the tutorial in lessons.json.
type lesson struct {
	ID, Goal    string
	Accept      []string
	Start, Turn string
}

// text returns a text of the lesson in English, or "": its title, or that of an attribute.
func (l *lesson) text(t *testing.T, attribute string) string {
	t.Helper()
	all, err := fs.ReadFile(page(), "language/en/parts.ftl")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(all), "\ntask-"+l.ID+" = ")
	title, attributes, _ := strings.Cut(text, "\n")
	if attribute == "" {
		return title
	}
	attributes, _, _ = strings.Cut(attributes, "\ntask-")
	_, text, _ = strings.Cut(attributes, "."+attribute+" = ")
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// lessons returns the lessons of the tutorial.
func lessons(t *testing.T) (all []lesson) {
	t.Helper()
	text, err := fs.ReadFile(page(), "parts/tutorial/lessons.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// reaches reports whether a turn meets the goal of a lesson.
func (l *lesson) reaches(p *position.Position, turn position.Turn) bool {
	after := p.After(turn)
	switch l.Goal {
	case "place":
		return turn.Kind() == position.Place
	case "move":
		return turn.Kind() == position.Move
	case "flip":
		return p.Flipped(turn).Count() >= 2
	case "row":
		return turn.Removals() > 0
	case "rows":
		return turn.Removals() > 1
	case "stop":
		return !after.HasRow(position.Black) && len(after.Completions(position.Black, nil)) == 0
	case "win":
		return after.Result() == position.WhiteWins
	}
	return false
}

// TestLessons checks the tutorial with the rules: its positions are possible, the solution meets
// the goal, other turns do not if the lesson has a text for that, and the turns listed as stopping
// Black do so.
func TestLessons(t *testing.T) {
	all := lessons(t)
	if len(all) != 9 {
		t.Errorf("there are %d lessons", len(all))
	}
	for _, l := range all {
		t.Run(l.ID, func(t *testing.T) {
			p, err := position.Parse(l.Start, position.Standard)
			if err != nil {
				t.Fatal(err)
			}
			turn, err := p.ParseTurn(l.Turn)
			if err != nil {
				t.Fatal(err)
			}
			if !l.reaches(&p, turn) {
				t.Errorf("%v does not do it", turn)
			}
			missed := false
			var stops []string
			for _, turn := range p.Turns(nil) {
				reached := l.reaches(&p, turn)
				missed = missed || !reached
				if l.Goal == "stop" && reached {
					stops = append(stops, turn.String())
				}
			}
			if again := l.text(t, "again"); missed != (again != "") {
				t.Errorf("some turns miss: %t, and then it says %q", missed, again)
			}
			slices.Sort(l.Accept)
			if diff := cmp.Diff(slices.Sorted(slices.Values(stops)), l.Accept); diff != "" && l.Goal == "stop" {
				t.Errorf("turns that stop Black (-actual +listed):\n%s", diff)
			}
			if l.text(t, "say") == "" || l.text(t, "hint") == "" || l.text(t, "done") == "" {
				t.Error("a text is missing")
			}
		})
	}
}

// inLesson returns the selector of a point on the tutorial's board.
func inLesson(point string) string {
	return fmt.Sprintf("#tutorial-board button[data-point=%q]", point)
}

// awaitLesson waits until a lesson expects its turn.
func (b *tab) awaitLesson(l lesson) {
	b.t.Helper()
	b.awaitText("#tutorial-title", l.text(b.t, ""))
	b.await("the board of the lesson", `document.activeElement.closest('#tutorial-board') && document.querySelector('#lesson-told').dataset.outcome === '' && document.querySelector('#tutorial-board .can')`)
}

// learn completes a lesson. press presses a point.
func (b *tab) learn(l lesson, press func(point string)) {
	b.t.Helper()
	p, err := position.Parse(l.Start, position.Standard)
	if err != nil {
		b.t.Fatal(err)
	}
	turn, err := p.ParseTurn(l.Turn)
	if err != nil {
		b.t.Fatal(err)
	}
	can := func(point, words string) {
		b.t.Helper()
		b.await(point+": "+words, fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes(%q)", inLesson(point), words))
		press(point)
	}
	for _, step := range stepsOf(turn) {
		switch step.Kind {
		case position.StepPlace:
			can(step.To.String(), "place your ring")
		case position.StepMove:
			can(step.From.String(), "can move")
			can(step.To.String(), "move here")
		case position.StepTakeRow:
			// Of several rows, the first press selects one.
			_, last := step.Row.Ends()
			b.await("the row", fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes('row')", inLesson(last.String())))
			if !look[bool](b, fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes('press to remove it')", inLesson(last.String()))) {
				press(last.String())
			}
			can(last.String(), "press to remove it")
		case position.StepTakeRing:
			can(step.From.String(), "remove this ring")
			if b.text("#lesson-told") == "" && look[bool](b, `Boolean(document.querySelector('#tutorial-board .halo-picked'))`) {
				press(step.From.String()) // fingers must confirm
			}
		}
	}
	b.awaitText(id("lesson-told"), l.text(b.t, "done"))
}

// TestBrowserTutorialKeys completes the tutorial with the keyboard, including a wrong turn, a hint
// and a reload.
func TestBrowserTutorialKeys(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.tabTo("[data-part=tutorial]")
	b.press(kb.Enter)
	press := func(point string) {
		b.t.Helper()
		here := look[string](b, "document.activeElement.dataset.point ?? ''")
		for _, step := range walk(here, point) {
			if step.shifted {
				b.pressShifted(step.key)
			} else {
				b.press(step.key)
			}
		}
		b.press(kb.Enter)
	}
	all := lessons(t)
	for i, l := range all {
		b.awaitLesson(l)
		if l.Goal == "win" {
			press("d3")
			press("d4")
			b.awaitText(id("lesson-told"), l.text(t, "again"))
			b.press(kb.Enter)
			b.awaitLesson(l)
			b.tabTo(id("lesson-hint"))
			b.press(kb.Enter)
			b.awaitText(id("lesson-told"), l.text(t, "hint"))
			b.await("arrows", `document.querySelector('#tutorial-board .arrows-best > *')`)
			look[bool](b, `(document.querySelector('#tutorial-board button[tabindex="0"]').focus(), true)`)
		}
		b.learn(l, press)
		if i == 2 {
			b.reload()
			b.tabTo("[data-part=tutorial]")
			b.press(kb.Enter)
			continue
		}
		b.press(kb.Enter)
	}
	b.await("the end of the tutorial", `!document.querySelector('#tutorial-dialog').open`)
}

// changeLesson goes to another lesson before the rules have confirmed the first, and then quickly
// through others. The last one is shown, and none is completed.
func (b *tab) changeLesson(all []lesson) {
	b.t.Helper()
	const number = `document.querySelector('#lessons li:nth-child(%d) button').click()`
	look[bool](b, fmt.Sprintf("(document.querySelector(`%s`).click(), "+number+", true)", inLesson("a2"), 2))
	b.awaitLesson(all[1])
	look[bool](b, fmt.Sprintf("("+number+", "+number+", "+number+", true)", 3, 2, 1))
	b.awaitLesson(all[0])
	b.await("no lesson done", `!document.querySelector('#lessons .done')`)
}

// TestBrowserTutorialTouch completes the tutorial on a phone by taps. Each lesson fits the window
// and is accessible. It also skips through lessons.
func TestBrowserTutorialTouch(t *testing.T) {
	t.Parallel()
	axe := axeScript(t)
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.become(screens[3])
	b.tap("[data-part=tutorial]")
	all := lessons(t)
	for i, l := range all {
		b.awaitLesson(l)
		if i == 0 {
			b.changeLesson(all)
			look[bool](b, axe+";true")
		}
		if i == 3 {
			b.inspect("tutorial", "narrow", "dark")
			b.become(screens[0])
			b.inspect("tutorial", "wide", "light")
			b.become(screens[3])
		}
		b.fitsWidth()
		b.learn(l, func(point string) { b.tap(inLesson(point)) })
		b.tap(id("lesson-next"))
	}
	b.await("the end of the tutorial", `!document.querySelector('#tutorial-dialog').open`)
}

// openPuzzles opens the puzzles and waits for the first.
func (b *tab) openPuzzles() {
	b.t.Helper()
	b.click("#tab-learn")
	b.click("[data-part=puzzles]")
	b.awaitPuzzle("yours")
}

// awaitPuzzle waits until a puzzle is in the given state.
func (b *tab) awaitPuzzle(state string) {
	b.t.Helper()
	b.await("the puzzle to be "+state, fmt.Sprintf(`document.querySelector('#puzzles')?.dataset.state === '%s'`, state))
}

// puzzle returns the puzzle on the board.
func (b *tab) puzzle(set []puzzles.Puzzle) *puzzles.Puzzle {
	b.t.Helper()
	name := look[string](b, `document.querySelector('#puzzles').dataset.puzzle`)
	for i := range set {
		if set[i].ID == name {
			return &set[i]
		}
	}
	b.t.Fatalf("the set has no puzzle %q", name)
	return nil
}

// wrongTurn returns a turn that removes no row and is not the solution.
func wrongTurn(t *testing.T, z *puzzles.Puzzle) position.Turn {
	t.Helper()
	_, others := puzzles.Split(&z.Position, z.Solution[0], false)
	for _, turn := range others {
		if turn.Quiet() {
			return turn
		}
	}
	return others[0]
}

// solve plays the solver's turns and waits for the replies. click may be a tap.
func (b *tab) solve(z *puzzles.Puzzle, click func(string)) {
	b.t.Helper()
	for i := 0; i < len(z.Solution); i += 2 {
		b.awaitPuzzle("yours")
		b.awaitPly(i)
		b.enter(z.Solution[i], click)
	}
	b.awaitPuzzle("solved")
}

// mistake is the tree of a game with a mistake in its first turn.
const mistake = `[{\"turn\":\"\",\"score\":{\"cp\":0}},{\"turn\":\"f6\",\"score\":{\"cp\":-100},\"finding\":{\"label\":\"blunder\",\"loss\":120,\"missedRow\":false,\"best\":\"g7\"}},{\"turn\":\"e5\",\"score\":{\"cp\":-90}}]`

// solveMistake opens the user's mistakes while the games cannot be read, which the page reports,
// and then solves the mistake.
func (b *tab) solveMistake() {
	b.t.Helper()
	look[bool](b, `(window.keys = IDBIndex.prototype.getAllKeys, IDBIndex.prototype.getAllKeys = () => { throw new DOMException('damaged', 'UnknownError'); }, true)`)
	b.fill("#puzzle-theme", "own")
	b.awaitText(id("puzzle-said"), "The games cannot be read now: damaged.")
	look[bool](b, `(IDBIndex.prototype.getAllKeys = window.keys, true)`)
	b.tap(id("puzzle-next"))
	b.awaitText(id("puzzle-task"), "White to move. Find a better turn than in your game.")
	b.awaitPuzzle("yours")
	b.awaitHint("g7", "place your ring")
	b.tap(at("g7"))
	b.awaitPuzzle("solved")
}

// TestBrowserPuzzles plays a wrong turn in a puzzle, finds the right one, shows the solution of
// another puzzle, and solves one at once. The rating, the streak and the history are updated and
// survive a reload. It also solves a mistake of the user's game. That game returns to the board,
// even after a reload during a puzzle, and is the only one stored.
func TestBrowserPuzzles(t *testing.T) {
	t.Parallel()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "mistake.txt", "[Tree \""+mistake+"\"]\n\n1.f6 2.e5 *\n"))
	b.awaitPly(2)
	b.openPuzzles()
	b.reload()
	b.awaitPly(2)
	b.awaitText("#turns", "f6")
	b.openPuzzles()
	z := b.puzzle(set)
	b.awaitState("move", "row")
	b.enter(wrongTurn(t, z), b.click)
	b.awaitPuzzle("wrong")
	b.await("what it throws away", `/is a mistake|wins, too|loses|looks good/.test(document.querySelector('#puzzle-said').textContent)`)
	b.awaitText(id("puzzle-rating"), "Streak 0, best 0. Solved 0 of 1.")
	b.click(id("puzzle-again"))
	b.solve(z, b.click)
	b.awaitText(id("puzzle-rating"), "Solved 0 of 1.")

	b.await("the puzzle next to the solved position", `document.querySelector('#puzzles').checkVisibility()`)
	b.click(id("puzzle-analyze"))
	b.await("the engine's lines", `document.querySelectorAll('[data-testid=lines] > li').length > 0`)
	b.click(id("puzzle-next"))
	b.await("no analysis of the next puzzle", `document.querySelector('#analysis').ariaChecked === 'false'`)
	b.await("another puzzle", fmt.Sprintf(`document.querySelector('#puzzles').dataset.puzzle !== '%s'`, z.ID))
	z = b.puzzle(set)
	b.tabTo("#puzzle-hint")
	b.press(kb.Enter)
	b.await("the mark of the hint", `document.querySelector('.arrows-best').childElementCount > 0`)
	b.tabTo("#puzzle-show")
	b.press(kb.Enter)
	b.awaitPuzzle("shown")
	b.awaitPly(len(z.Solution))
	b.awaitText(id("puzzle-said"), "Solution: "+z.Solution[0].String())
	b.awaitText(id("puzzle-rating"), "Solved 0 of 2.")

	b.asPhone()
	b.tap(id("puzzle-next"))
	b.awaitPuzzle("yours")
	b.solve(b.puzzle(set), b.tap)
	b.awaitText(id("puzzle-rating"), "Streak 1, best 1. Solved 1 of 3.")

	b.solveMistake()
	b.tap(id("puzzles-close"))
	b.awaitPly(2)
	b.reload()
	b.awaitPly(2)
	b.openPuzzles()
	b.awaitText(id("puzzle-rating"), "Streak 2, best 2. Solved 2 of 4.")
	b.tap("#games")
	b.await("one game", `document.querySelectorAll('#game-list li').length === 1`)
}
