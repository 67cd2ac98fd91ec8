package main

import (
	"fmt"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// spot is a place in the window in CSS pixels.
type spot struct{ X, Y float64 }

// find waits until an element can be pressed, and returns its middle: there,
// enabled, in view, and with nothing else over it. What is in a panel that does not
// show has its tab pressed first.
func (b *tab) find(selector string) spot {
	b.t.Helper()
	found := fmt.Sprintf(`((element) => {
		document.querySelector('#tab-' + element?.closest('[role=tabpanel][hidden]')?.id.slice('panel-'.length))?.click();
		if (!element || element.disabled || !element.checkVisibility({visibilityProperty: true})) return null;
		element.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
		const box = element.getBoundingClientRect();
		const spot = {X: box.x + box.width / 2, Y: box.y + box.height / 2};
		const top = document.elementFromPoint(spot.X, spot.Y);
		const board = element.closest('.board');
		return top && (element.contains(top) || board?.contains(top)) ? spot : null;
	})(document.querySelector(%q))`, selector)
	b.await(selector+" to press", found)
	return look[spot](b, found)
}

// press presses a key once, or several after each other.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		if b.fox != nil {
			b.try("pressing "+key, b.fox.press(b.ctx, key, false))
			continue
		}
		b.do("pressing "+key, chromedp.KeyEvent(key))
	}
}

// try ends the test if something could not be done.
func (b *tab) try(what string, err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.state())
	}
}

// pressShifted presses a key with Shift held.
func (b *tab) pressShifted(key string) {
	b.t.Helper()
	if b.fox != nil {
		b.try("pressing Shift and "+key, b.fox.press(b.ctx, key, true))
		return
	}
	b.do("pressing Shift and "+key, chromedp.KeyEvent(key, chromedp.KeyModifiers(kb.ModifierShift)))
}

// fill gives a box a text, in place of what is there, or chooses an entry of a
// list by its value.
func (b *tab) fill(selector, value string) {
	b.t.Helper()
	b.find(selector)
	look[bool](b, fmt.Sprintf(`((field) => {
		field.value = %q;
		for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, {bubbles: true}));
		return true;
	})(document.querySelector(%q))`, value, selector))
}
