package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"gyre/position"
)

// foxTab is a tab of a Firefox.
type foxTab struct {
	*firefox
	context string
}

// newFoxTab starts a Firefox and returns its tab.
func newFoxTab(t *testing.T) *tab {
	t.Helper()
	f := startFirefox(t)
	var made struct{ Context string }
	f.must(t, "browsingContext.create", map[string]any{"type": "tab"}, &made)
	b := &tab{t: t, ctx: context.Background(), fox: &foxTab{f, made.Context}}
	f.mu.Lock()
	f.console = b.complain
	f.mu.Unlock()
	t.Cleanup(func() { b.atEnd() })
	return b
}

// remote is what a script's value looks like.
type remote struct {
	Type   string `json:"type"` // "success" or "exception"
	Result struct {
		Value    json.RawMessage `json:"value"`
		SharedID string          `json:"sharedId"` // of an element
	} `json:"result"`
	ExceptionDetails struct{ Text string } `json:"exceptionDetails"`
}

// evaluate returns what an expression in the page comes to.
func (f *foxTab) evaluate(ctx context.Context, expression string) (remote, error) {
	var found remote
	err := f.call(ctx, "script.evaluate", map[string]any{"expression": expression, "target": map[string]any{"context": f.context}, "awaitPromise": true}, &found)
	if err == nil && found.Type == "exception" {
		err = errors.New(found.ExceptionDetails.Text)
	}
	return found, err
}

// act does what a hand does, by one device.
func (f *foxTab) act(ctx context.Context, device map[string]any, actions ...map[string]any) error {
	device["actions"] = actions
	return f.call(ctx, "input.performActions", map[string]any{"context": f.context, "actions": []any{device}}, nil)
}

// click clicks a place in the window.
func (f *foxTab) click(ctx context.Context, at spot) error {
	return f.act(ctx, map[string]any{"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"}},
		map[string]any{"type": "pointerMove", "x": math.Round(at.X), "y": math.Round(at.Y)},
		map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
}

// foxKeys are the keys that a driver names by numbers of their own.
var foxKeys = map[string]string{
	kb.Enter: "\uE007", kb.Tab: "\uE004", kb.Escape: "\uE00C", kb.Home: "\uE011", kb.End: "\uE010",
	kb.ArrowLeft: "\uE012", kb.ArrowUp: "\uE013", kb.ArrowRight: "\uE014", kb.ArrowDown: "\uE015",
}

// press presses a key, or types a text, with or without Shift held.
func (f *foxTab) press(ctx context.Context, text string, shifted bool) error {
	var actions []map[string]any
	key := func(kind, value string) { actions = append(actions, map[string]any{"type": kind, "value": value}) }
	keys := strings.Split(text, "")
	if named := foxKeys[text]; named != "" {
		keys = []string{named}
	}
	const shift = "\uE008"
	if shifted {
		key("keyDown", shift)
	}
	for _, one := range keys {
		key("keyDown", one)
		key("keyUp", one)
	}
	if shifted {
		key("keyUp", shift)
	}
	return f.act(ctx, map[string]any{"type": "key", "id": "keyboard"}, actions...)
}

// choose gives an input of files some.
func (f *foxTab) choose(ctx context.Context, selector string, files []string) error {
	input, err := f.evaluate(ctx, fmt.Sprintf("document.querySelector(%q)", selector))
	if err != nil {
		return err
	}
	element := map[string]any{"sharedId": input.Result.SharedID}
	return f.call(ctx, "input.setFiles", map[string]any{"context": f.context, "element": element, "files": files}, nil)
}

// evaluated reads what an expression in the page comes to.
func evaluated[T any](ctx context.Context, f *foxTab, expression string) (value T, err error) {
	found, err := f.evaluate(ctx, "Promise.resolve("+expression+").then((value) => JSON.stringify(value) ?? 'null')")
	if err != nil {
		return value, err
	}
	var text string
	if err := json.Unmarshal(found.Result.Value, &text); err != nil {
		return value, err
	}
	return value, json.Unmarshal([]byte(text), &value)
}

// TestFirefox plays in Firefox as the other tests do in Chromium: a game against the
// engine, by clicks and by keys; loading it again; rows, an analysis, a review, and a file
// that is opened.
func TestFirefox(t *testing.T) {
	t.Parallel()
	b := newFoxTab(t)
	s := serveSite(t)
	b.visit(s.address)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()})
	b.awaitState("place")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitPly(2)
	b.reload()
	b.awaitPly(2)
	b.awaitState("place")
	b.press("g")
	for _, point := range []string{"b1", "a2", "k10", "j11"} {
		if len(b.pieces()) == 2 && b.pieces()[point] == "" {
			b.walkTo(at(point))
			break
		}
	}
	b.awaitPly(4)
	b.position(position.Standard, position.StartText)

	b.openFiles(fileOf(t, "game.txt", strings.Join(middleGame, " ")))
	b.awaitPly(len(middleGame))
	b.move("f3", "f2")
	b.awaitTurn("f3-f2")
	b.click("#analysis")
	b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	b.click("#analysis")
	b.review()
	b.await("the review", `document.querySelector('#review-progress').hidden && document.querySelector('#review-summary table')`)

	b.openText(sevenInARow)
	b.awaitPly(0)
	b.move("f5", "h7")
	b.takeRow("f3", "f7", b.click)
	b.awaitState("ring")
	b.reload()
	b.awaitState("ring")
	b.click(at("b2"))
	b.awaitTurn("f5-h7;xf3-f7xb2")
	b.position(position.Standard, sevenInARow)
	b.leaveWhileLoading()
}

// leaveWhileLoading leaves the page when the import of a part of it was just begun, which
// Firefox then ends with an error.
func (b *tab) leaveWhileLoading() {
	b.t.Helper()
	look[bool](b, `(window.left = true, document.addEventListener('load', (event) => {
		if (event.target.href?.includes('help.css')) location.reload();
	}, true), document.querySelector('#help').click(), true)`)
	b.await("the page anew", `!window.left`)
	b.ready()
}
