// Tests of setting up positions, which need no browser: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pointer } from "../board/pointer.js";
import { PositionSetup } from "../parts/editor/editor.js";

test("pieces are placed, replaced, moved and erased, and each change can be undone", () => {
  const setting = new PositionSetup();
  setting.change((s) => s.put("f6", "W"));
  setting.change((s) => s.put("f6", "b"));
  setting.change((s) => s.move("f6", "g7"));
  assert.deepEqual(setting.points, { g7: "b" });
  setting.change((s) => s.move("a2", "g7"));
  setting.change((s) => s.move("g7", null));
  assert.deepEqual(setting.points, {});
  setting.change((s) => s.win("b", 2));
  assert.deepEqual(setting.removed, [0, 2]);
  const back = [];
  while (setting.back()) back.push([setting.points, setting.removed]);
  // The move of nothing is no change.
  assert.deepEqual(back, [[{}, [0, 0]], [{ g7: "b" }, [0, 0]], [{ f6: "b" }, [0, 0]], [{ f6: "W" }, [0, 0]], [{}, [0, 0]]]);
});

test("the editor copies a position, and can clear it", () => {
  const view = { points: { f6: "W" }, removed: [1, 0], side: "b", rules: "blitz" };
  const setting = new PositionSetup();
  setting.change((s) => s.take(view));
  setting.change((s) => s.put("a2", "w"));
  assert.deepEqual(view.points, { f6: "W" });
  setting.change((s) => s.clear());
  assert.deepEqual([setting.points, setting.removed, setting.side, setting.rules], [{}, [0, 0], "w", "blitz"]);
  assert.ok(setting.canGoBack && setting.begun);
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
