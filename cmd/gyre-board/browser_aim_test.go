package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// aim has the page watch what the next press hits. What comes to anything but the element is
// kept from the page, as it may have moved since its place was looked up (after Playwright's
// check of the hit target).
const aim = `((selector) => {
	const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'touchstart', 'touchend', 'click'];
	let hit;
	const guard = (event) => {
		const element = document.querySelector(selector);
		hit ??= Boolean(element?.contains(event.target) || element?.closest('.board')?.contains(event.target));
		if (hit) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	const options = {capture: true, passive: false};
	for (const kind of kinds) addEventListener(kind, guard, options);
	window.aimed = () => {
		for (const kind of kinds) removeEventListener(kind, guard, options);
		return Boolean(hit);
	};
	return true;
})(%q)`

// strike presses an element at its middle, and does so again as long as it has moved away.
func (b *tab) strike(selector string, press func(spot)) {
	b.t.Helper()
	b.until("a press that hits "+selector, func() bool {
		at := b.find(selector)
		look[bool](b, fmt.Sprintf(aim, selector))
		press(at)
		// A page that is left by the press cannot say what it hit.
		hit, err := evaluate[bool](b.ctx, b, "window.aimed?.() ?? true")
		return hit || err != nil
	})
}

// click clicks an element with the mouse.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.strike(selector, func(at spot) {
		if b.fox != nil {
			b.try("clicking "+selector, b.fox.click(b.ctx, at))
			return
		}
		b.do("clicking "+selector, chromedp.MouseClickXY(at.X, at.Y))
	})
}

// tap taps an element with a finger.
func (b *tab) tap(selector string) {
	b.t.Helper()
	b.strike(selector, func(at spot) {
		b.do("tapping "+selector, chromedp.TapXY(at.X, at.Y))
	})
}

// TestBrowserAim presses a button that moves away between the look at its place and the
// press: what lies there now is not pressed, and the button is, in its new place.
func TestBrowserAim(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	look[bool](b, `((pressed) => {
		for (const [name, top] of [['runaway', 300], ['beneath', 200]]) {
			const button = Object.assign(document.createElement('button'), {id: name, textContent: name});
			button.style = 'position: fixed; z-index: 9; left: 100px; width: 200px; height: 44px; top: ' + top + 'px';
			button.onclick = () => pressed.push(name);
			document.body.append(button);
		}
		window.pressed = pressed;
		return true;
	})([])`)
	moved := false
	b.strike("#runaway", func(at spot) {
		if !moved {
			look[bool](b, `(document.querySelector('#runaway').style.top = '400px', document.querySelector('#beneath').style.top = '300px', true)`)
			moved = true
		}
		b.do("clicking", chromedp.MouseClickXY(at.X, at.Y))
	})
	if got := look[string](b, "window.pressed.join()"); got != "runaway" {
		t.Errorf("pressed %q, want runaway alone", got)
	}
}
