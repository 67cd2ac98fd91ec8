package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"gyre/position"
)

// inLesson is the selector of a point on the board of the tutorial.
func inLesson(point string) string {
	return fmt.Sprintf("#tutorial-board button[data-point=%q]", point)
}

// awaitLesson waits until a lesson waits for its turn.
func (b *tab) awaitLesson(l lesson) {
	b.t.Helper()
	b.awaitText("#tutorial-title", l.Title)
	b.await("the board of the lesson", `document.activeElement.closest('#tutorial-board') && document.querySelector('#lesson-told').dataset.outcome === '' && document.querySelector('#tutorial-board .can')`)
}

// learn does a lesson: press presses a point of its board.
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
			first, _ := step.Row.Ends()
			can(first.String(), "row")
		case position.StepTakeRing:
			can(step.From.String(), "take this ring off")
			if b.text("#lesson-told") == "" && look[bool](b, `Boolean(document.querySelector('#tutorial-board .halo-picked'))`) {
				press(step.From.String()) // a finger has to confirm
			}
		}
	}
	b.awaitText(id("lesson-told"), l.Done)
}

// TestBrowserTutorialKeys does the tutorial from its start to its end by the keyboard alone,
// with a wrong turn and a hint; loaded again in the middle it goes on where it was.
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
			b.awaitText(id("lesson-told"), l.Again)
			b.press(kb.Enter)
			b.awaitLesson(l)
			b.tabTo(id("lesson-hint"))
			b.press(kb.Enter)
			b.awaitText(id("lesson-told"), l.Hint)
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

// changeLesson does the first lesson and goes to another one before the rules have said
// so, and then back over others without waiting for them: the last one asked for is shown,
// and none is done.
func (b *tab) changeLesson(all []lesson) {
	b.t.Helper()
	const number = `document.querySelector('#lessons li:nth-child(%d) button').click()`
	look[bool](b, fmt.Sprintf("(document.querySelector(`%s`).click(), "+number+", true)", inLesson("a2"), 2))
	b.awaitLesson(all[1])
	look[bool](b, fmt.Sprintf("("+number+", "+number+", "+number+", true)", 3, 2, 1))
	b.awaitLesson(all[0])
	b.await("no lesson done", `!document.querySelector('#lessons .done')`)
}

// TestBrowserTutorialTouch does the tutorial on a phone by taps; each lesson fits the window,
// and axe finds nothing in it. Lessons that are left at once are not taken for others.
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
