// Tests of playing a mistake again: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../game/game.js";
import { Retry } from "../parts/review/retry.js";

// An element that shows nothing.
const element = () => ({ addEventListener() {}, setAttribute() {}, append() {}, replaceChildren() {} });
Object.defineProperty(globalThis, "document", { value: { createElement: element }, configurable: true });

test("a mistake that is left before its position is shown asks for nothing", async () => {
  const game = new Game();
  const mistake = game.root.play("f6", true);
  let shown;
  const controller = Object.assign(new EventTarget(), { game, go: () => new Promise((resolve) => (shown = resolve)) });
  const said = [];
  const page = { controller, board: { points: { focus: () => said.push("focus") } }, say: (text) => said.push(text) };
  const retry = new Retry(/** @type {any} */ (page), () => "one");
  const first = retry.begin(mistake);
  retry.end();
  shown();
  await first;
  assert.deepEqual(said, []);
  const second = retry.begin(mistake);
  shown();
  await second;
  assert.deepEqual(said, ["Find a better turn for White than f6.", "focus"]);
});
