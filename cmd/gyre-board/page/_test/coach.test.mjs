// Tests of the coach: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turned } from "node:timers/promises";
import { Game } from "../game/game.js";
import { Hint } from "../parts/coach/hint.js";
import { lookAt } from "../parts/coach/words.js";
import { helpOf } from "../game/help.js";

const step = (what, ...points) => ({ do: what, from: points[0], to: points[1] ?? points[0], row: /** @type {[string, string]} */ (points) });

test("a hint shows what comes next of the turn, and nothing of another turn", () => {
  const turn = "xb3-b7xb2;e4-e8";
  for (const [of, prefix, words, marks] of /** @type {const} */ ([
    ["f6", [], "Look at f6.", [{ from: "f6", to: "f6" }]],
    ["e4-e8;xb3-b7xb2", [], "Look at the ring on e4.", [{ from: "e4", to: "e4" }]],
    [turn, [], "Look at the row b3 to b7.", [{ from: "b3", to: "b7", row: true }]],
    [turn, [step("row", "b7", "b3")], "Look at the ring on b2: it can pay for the row.", [{ from: "b2", to: "b2" }]],
    [turn, [step("row", "b3", "b7"), step("ring", "b2")], "Look at the ring on e4.", [{ from: "e4", to: "e4" }]],
    ["pass", [], "No ring can move.", []],
  ])) {
    assert.deepEqual(lookAt(of, [...prefix]), { words, marks }, of);
  }
  for (const [of, prefix] of /** @type {const} */ ([
    [turn, [step("row", "b2", "b6")]],
    ["e4-e8", [step("move", "e4", "e7")]],
    ["e4-e8", [step("move", "e4", "e8")]],
  ])) {
    assert.equal(lookAt(of, [...prefix]), null, of);
  }
});

/** @type {{w: import("../game/game.js").Player, b: import("../game/game.js").Player}} */
const against = { w: { kind: "person" }, b: { kind: "engine", engine: "one", level: "Club" } };

// A page on which a person plays an engine, which answers when the test says so.
function pageWith({ facts = ["It wins the game."] } = {}) {
  const game = new Game({ players: against });
  const controller = Object.assign(new EventTarget(), { game, node: game.root, atLive: true, view: { side: "w" }, changed() {} });
  const shown = [];
  const lent = new Set();
  const asked = [];
  const page = {
    controller,
    entry: { open: true, prefix: [] },
    rules: { why: async (path, better) => (asked.push([path.turns.join(" "), better]), { against: [], for: facts }) },
    board: { arrows: { show: (_, marks) => shown.push(marks) } },
    analysis: { lend: (engine) => (lent.add(engine), () => lent.delete(engine)) },
    searches: { begin: (what, fields, listener) => (Object.assign(page, { fields, listener }), { stop() {} }) },
  };
  const said = [];
  const box = { show: (text, buttons = []) => said.push([text, ...buttons.map(({ name }) => name)]), hide: () => said.push(["hidden"]) };
  return { page: /** @type {any} */ (page), box: /** @type {any} */ (box), game, controller, shown, lent, asked, said };
}

test("a hint tells first where to look, then the turn with what is proven, and is noted", async () => {
  const { page, box, game, shown, lent, asked, said } = pageWith();
  const hint = new Hint(page, box);
  hint.ask();
  assert.deepEqual([...lent], ["one"]);
  assert.equal(page.fields.level, null);
  assert.notEqual(page.fields.game, game.id);
  page.listener.best({ turn: "e4-e8" });
  assert.deepEqual([[...lent], shown, helpOf(game)], [[], [[{ from: "e4", to: "e4" }]], ["hints"]]);
  hint.ask();
  await turned();
  assert.deepEqual(asked, [["e4-e8", "e4-e8"]]);
  assert.deepEqual(said, [["Looking for a hint…"], ["Look at the ring on e4.", "Show the turn"], ["The engine would play e4-e8. It wins the game."]]);
  assert.deepEqual(shown[1], [{ from: "e4", to: "e8", label: undefined }]);
});

test("a hint that comes late, or from an engine that failed, leaves the engine and the board alone", async () => {
  for (const end of ["position", "game"]) {
    const { page, box, controller, shown, lent, said } = pageWith();
    new Hint(page, box).ask();
    controller.dispatchEvent(new Event(end));
    page.listener.best({ turn: "e4-e8" });
    assert.deepEqual([[...lent], shown, said.at(-1)], [[], [], ["hidden"]], end);
  }
  const { page, box, lent, said } = pageWith();
  const hint = new Hint(page, box);
  hint.ask();
  page.listener.failed("dead");
  assert.deepEqual([[...lent], said.at(-1)], [[], ["The engine cannot tell now."]]);
  hint.ask();
  assert.deepEqual([...lent], ["one"]);
});

test("nobody is given a hint out of turn, or in a game without an engine", () => {
  for (const change of [({ page }) => (page.entry.open = false), ({ controller }) => (controller.atLive = false), ({ game }) => (game.playing = false), ({ game }) => (game.players.b = against.w)]) {
    const all = pageWith();
    all.game.players = { ...against };
    change(all);
    new Hint(all.page, all.box).ask();
    assert.deepEqual([all.said, helpOf(all.game)], [[], []], String(change));
  }
});
