// Tests of the coach, its hints and its questions before a blunder: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turned } from "node:timers/promises";
import { Game, helpOf } from "../game/game.js";
import { factText } from "../parts/coach/facts.js";
import { blunderText, guardOf, hintOf, lookAt } from "../parts/coach/coach.js";
import { stateWith } from "./state.mjs";

const step = (what, ...points) => ({ do: what, from: points[0], to: points[1] ?? points[0], row: /** @type {[string, string]} */ (points) });

test("a hint shows the next step of the turn, and nothing in another turn", () => {
  const turn = "xb3-b7xb2;e4-e8";
  for (const [of, prefix, words, marks] of /** @type {const} */ ([
    ["f6", [], "Look at f6.", [{ from: "f6", to: "f6" }]],
    ["e4-e8;xb3-b7xb2", [], "Look at the ring on e4.", [{ from: "e4", to: "e4" }]],
    [turn, [], "Look at the row b3 to b7.", [{ from: "b3", to: "b7", row: true }]],
    [turn, [step("row", "b7", "b3")], "Look at the ring on b2. You can remove it for the row.", [{ from: "b2", to: "b2" }]],
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
function hintPage({ facts = [{ kind: "wins", side: "w" }] } = {}) {
  const game = new Game({ players: against });
  const controller = Object.assign(new EventTarget(), { changed() {} });
  const state = stateWith({ game, view: { side: "w" } });
  const shown = [];
  const lent = new Set();
  const asked = [];
  const page = {
    state, controller,
    moveInput: { open: true, prefix: [] },
    rules: { why: async (path, better) => (asked.push([path.turns.join(" "), better]), { against: [], for: facts }) },
    board: { arrows: { show: (_, marks) => shown.push(marks) } },
    analysis: { borrow: (what, fields, listener) => (Object.assign(page, { fields, listener }), lent.add(fields.engine), () => lent.delete(fields.engine)) },
  };
  const said = [];
  const box = { show: (text, buttons = []) => said.push([text, ...buttons.map(({ name }) => name)]), hide: () => said.push(["hidden"]) };
  return { page: /** @type {any} */ (page), box: /** @type {any} */ (box), game, controller, shown, lent, asked, said };
}

test("a hint first shows where to look, then the turn with its proven facts, and is recorded", async () => {
  const { page, box, game, shown, lent, asked, said } = hintPage();
  const hint = hintOf(page, box);
  hint.ask();
  assert.deepEqual([...lent], ["one"]);
  assert.equal(page.fields.level, null);
  assert.notEqual(page.fields.game, game.id);
  page.listener.best({ turn: "e4-e8" });
  assert.deepEqual([[...lent], shown, helpOf(game)], [[], [[{ from: "e4", to: "e4" }]], ["hints"]]);
  hint.ask();
  await turned();
  assert.deepEqual(asked, [["e4-e8", "e4-e8"]]);
  assert.deepEqual(said, [["Looking for a hint…"], ["Look at the ring on e4.", "Show the turn"], ["The engine suggests: e4 to e8. It wins the game."]]);
  assert.deepEqual(shown[1], [{ from: "e4", to: "e8", label: undefined }]);
});

test("a late hint, or one from an engine that failed, changes neither the engine nor the board", async () => {
  for (const end of ["position", "game"]) {
    const { page, box, controller, shown, lent, said } = hintPage();
    hintOf(page, box).ask();
    controller.dispatchEvent(new Event(end));
    page.listener.best({ turn: "e4-e8" });
    assert.deepEqual([[...lent], shown, said.at(-1)], [[], [], ["hidden"]], end);
  }
  const { page, box, lent, said } = hintPage();
  const hint = hintOf(page, box);
  hint.ask();
  page.listener.failed("dead");
  assert.deepEqual([[...lent], said.at(-1)], [[], ["The engine cannot answer right now."]]);
  hint.ask();
  assert.deepEqual([...lent], ["one"]);
});

test("there are no hints out of turn, or in games without an engine", () => {
  for (const change of [({ page }) => (page.moveInput.open = false), ({ game }) => (game.live = game.root.play("f6", true)), ({ game }) => (game.playing = false), ({ game }) => (game.players.b = against.w)]) {
    const all = hintPage();
    all.game.players = { ...against };
    change(all);
    hintOf(all.page, all.box).ask();
    assert.deepEqual([all.said, helpOf(all.game)], [[], []], String(change));
  }
});

// The page, whose dialogs are closed unless the test says otherwise.
const keyboard = Object.assign(new EventTarget(), { dialog: null, querySelector: () => keyboard.dialog });
Object.defineProperty(globalThis, "document", { value: keyboard, configurable: true });

const BLUNDER = { label: "blunder", best: ["e4-e8"], reply: "f6-f8", before: { cp: 100 }, after: { cp: -100 } };

// A page on which a person plays an engine that judges a turn when the test says so.
function guardPage({ noticeAfter = 3_600_000 } = {}) {
  const game = new Game({ players: { w: { kind: "person" }, b: { kind: "engine", engine: "one", level: "Club" } } });
  const controller = Object.assign(new EventTarget(), { changed() {} });
  const state = stateWith({ game, view: { side: "w", rules: "standard", position: "p" } });
  const lent = new Set();
  const drawn = {};
  const box = {
    asks: false,
    said: [],
    show: (text, buttons) => Object.assign(box, { asks: true, buttons }) && box.said.push(text),
    hide: () => (box.asks = false),
    focus() {},
  };
  const page = {
    state, controller,
    link: Object.assign(new EventTarget(), { connected: true }),
    analysis: { borrow: (what, fields, listener) => (Object.assign(page, { fields, listener }), lent.add(fields.engine), () => lent.delete(fields.engine)) },
    rules: { why: async ({ turns }, better) => ({ against: [{ kind: "misses-row", side: "w", turn: turns.join() === "a2-a3" ? better : "", left: 1 }], for: [] }) },
    board: { points: { focus() {} }, arrows: { show: (kind, arrows) => (drawn[kind] = arrows.map(({ from, to }) => `${from}-${to}`).join()) } },
  };
  const judged = async (verdict) => {
    page.listener.review({ turn: verdict });
    page.listener.reviewed({});
    await turned();
  };
  return { guard: guardOf(/** @type {any} */ (page), /** @type {any} */ (box), noticeAfter), drawn, page, game, controller, box, lent, judged };
}

test("a blunder is questioned, with proven reasons", async () => {
  for (const [button, plays] of /** @type {const} */ ([[0, false], [1, true]])) {
    const { guard, page, game, box, drawn, lent, judged } = guardPage();
    const may = guard.mayPlay("a2-a3");
    assert.deepEqual([[...lent], page.fields.path.turns], [["one"], ["a2-a3"]]);
    await judged(BLUNDER);
    assert.deepEqual(box.said, ["a2 to a3 is a blunder: your winning chances drop from 73% to 27%. White could remove a row with e4 to e8. The blue arrow is the best answer, f6 to f8. Play it anyway?"]);
    assert.deepEqual(drawn, { threat: "a2-a3", line: "f6-f8" });
    box.buttons[button].act();
    assert.deepEqual([await may, box.asks, [...lent], helpOf(game), drawn], [plays, false, [], ["the coach"], { threat: "", line: "" }]);
  }
});

test("other turns are played, and so are turns that no engine can judge", async () => {
  for (const end of [(all) => all.judged({ ...BLUNDER, label: "mistake" }), (all) => all.judged({ ...BLUNDER, label: "", doubtful: true }), ({ page }) => page.listener.failed("dead")]) {
    const all = guardPage();
    const may = all.guard.mayPlay("a2-a3");
    await end(all);
    assert.deepEqual([await may, all.box.said, [...all.lent]], [true, [], []], String(end));
  }
});

test("the question waits for no missing engine, and can be turned off", async () => {
  const away = guardPage();
  away.page.link.connected = false;
  assert.deepEqual([await away.guard.mayPlay("a2-a3"), away.page.listener, helpOf(away.game)], [true, undefined, ["the coach"]]);
  const lost = guardPage();
  const may = lost.guard.mayPlay("a2-a3");
  lost.page.link.dispatchEvent(new Event("lost"));
  assert.deepEqual([await may, [...lost.lent], lost.box.said], [true, [], []]);
  for (const judged of [false, true]) {
    const slow = guardPage({ noticeAfter: 1 });
    slow.page.rules.why = () => new Promise(() => {});
    const waiting = slow.guard.mayPlay("a2-a3");
    if (judged) await slow.judged(BLUNDER);
    while (!slow.box.asks) await turned();
    assert.deepEqual([slow.box.said, slow.box.buttons.length], [["The coach is looking at a2 to a3…"], 1]);
    slow.box.buttons[0].act();
    assert.deepEqual([await waiting, slow.box.asks, [...slow.lent]], [true, false, []]);
  }
});

test("another game, a step back or a pause ends the question; Escape takes the turn back", async () => {
  const ends = ["game", "position", "live", "playing"].map((name) => ({ controller }) => controller.dispatchEvent(new Event(name)));
  ends.push(() => keyboard.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key: "Escape" })));
  for (const end of ends) {
    const all = guardPage();
    const may = all.guard.mayPlay("a2-a3");
    await all.judged(BLUNDER);
    assert.ok(all.box.asks);
    end(all);
    assert.deepEqual([await may, all.box.asks], [false, false]);
  }
  const { guard, page, controller, box, lent, judged } = guardPage();
  const may = guard.mayPlay("a2-a3");
  controller.dispatchEvent(new Event("live"));
  assert.equal(await may, false);
  await judged(BLUNDER);
  assert.deepEqual([box.said, page.fields.engine, [...lent]], [[], "one", []]);
});

test("Escape takes back a questioned turn, unless a dialog is open", async () => {
  const escape = () => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key: "Escape" });
    keyboard.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const { guard, box, judged } = guardPage();
  const may = guard.mayPlay("a2-a3");
  assert.ok(escape());
  assert.deepEqual([await may, escape()], [false, false]);
  const second = guard.mayPlay("a2-a3");
  await judged(BLUNDER);
  keyboard.dialog = {};
  assert.deepEqual([escape(), box.asks], [false, true]);
  keyboard.dialog = null;
  assert.deepEqual([escape(), await second], [true, false]);
});

test("there are no questions in studies, in games between people, or while another position is shown", async () => {
  for (const change of [({ game }) => (game.playing = false), ({ game }) => (game.live = game.root.play("f6", true)), ({ game }) => (game.players = { w: { kind: "person" }, b: { kind: "person" } }), ({ game }) => (game.passing = true)]) {
    const all = guardPage();
    change(all);
    assert.deepEqual([await all.guard.mayPlay("a2-a3"), all.page.listener, helpOf(all.game)], [true, undefined, []], String(change));
  }
});

test("a lost win is described by its chances", () => {
  assert.equal(blunderText("f6", { before: { mate: 3 }, after: { mate: -1 } }, []), "f6 is a blunder: your winning chances drop from 100% to 0%. Play it anyway?");
  const loses = /** @type {any} */ ({ kind: "loses-next", side: "w", turn: "xa2-a6xb1;h4-h3;xh4-h8xa5" });
  assert.equal(
    blunderText("e4-e8;xe3-e7xb1", { before: { cp: 0 }, after: { mate: -1 }, reply: "h4-e1;xh4-h8xa5" }, [loses, { ...loses, kind: "leaves-row", turn: "h4-h3;xh4-h8xb7" }]),
    "e4 to e8 is a blunder: your winning chances drop from 50% to 0%. Black can then win with h4 to h3. The blue arrow is the best answer, h4 to e1. Play it anyway?",
  );
});

test("facts about several rows name them all, and how many were missed", () => {
  const rows = /** @type {Array<[string, string]>} */ ([["c1", "c5"], ["e1", "e5"]]);
  for (const [fact, text] of /** @type {Array<[Partial<import("../_types/messages").Fact>, string]>} */ ([
    [{ kind: "pays-other", rows, rings: ["h11", "f6"] }, "For the same rows, White could remove the rings on h11 and f6."],
    [{ kind: "pays-other", rows: rows.slice(1), rings: ["h11"] }, "For the same row, White could remove the ring on h11."],
    [{ kind: "misses-row", turn: "a2-a3", had: 1, left: 2 }, "White could remove 2 rows instead of 1 with a2 to a3."],
    [{ kind: "misses-row", turn: "a2-a3", left: 2 }, "White could remove 2 rows with a2 to a3."],
    [{ kind: "misses-row", turn: "a2-a3", left: 1 }, "White could remove a row with a2 to a3."],
    [{ kind: "takes-rows", rows }, "It removes the rows c1 to c5 and e1 to e5."],
    [{ kind: "loses-next", turn: "a2-a3" }, "Black can then win with a2 to a3."],
    [{ kind: "loses-fours", had: 2, left: 1 }, "White was one marker short of a row in 2 places, now in 1."],
    [{ kind: "few-markers", left: 1 }, "One marker is left: after that, whoever has removed more rings wins."],
  ])) {
    assert.equal(factText(/** @type {any} */ ({ side: "w", ...fact })), text);
  }
});
