// Tests of setting up positions, which need no browser: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pointer } from "../board/pointer.js";
import { EMPTY, changed, move, put } from "../parts/editor/editor.js";

test("pieces are placed, replaced, moved and erased, and each change can be undone", () => {
  let history = [EMPTY];
  /** @param {typeof put|typeof move} how */
  const change = (how, ...args) => (history = changed(history, { points: how(history.at(-1).points, args[0], args[1]) }));
  change(put, "f6", "W");
  change(put, "f6", "b");
  change(move, "f6", "g7");
  assert.deepEqual(history.at(-1).points, { g7: "b" });
  change(move, "a2", "g7");
  change(move, "g7", null);
  // The move of nothing is no change.
  assert.deepEqual(history.map(({ points }) => points), [{}, { f6: "W" }, { f6: "b" }, { g7: "b" }, {}]);
  assert.deepEqual(changed(history, { removed: [0, 2] }).at(-1), { ...EMPTY, removed: [0, 2] });
});

test("not every change is kept", () => {
  let history = [EMPTY];
  for (let i = 0; i < 300; i++) history = changed(history, { removed: [i, 0] });
  assert.deepEqual([history.length, history[0].removed], [200, [100, 0]]);
});

test("a cancelled drag removes nothing from the board", () => {
  const size = { left: 0, top: 0, width: 1000, height: 1000 };
  const root = Object.assign(new EventTarget(), { getBoundingClientRect: () => size, setPointerCapture() {} });
  const drops = [];
  new Pointer(/** @type {any} */ (root)).addEventListener("drop", ({ detail }) => drops.push(detail));
  const fire = (name, clientX) => root.dispatchEvent(Object.assign(new Event(name), { button: 0, isPrimary: true, pointerType: "touch", pointerId: 1, clientX, clientY: 500 }));
  fire("pointerdown", 500);
  fire("pointermove", 700);
  fire("pointercancel", 700);
  assert.deepEqual(drops, [{ point: null, from: "f6", cancelled: true }]);
});
