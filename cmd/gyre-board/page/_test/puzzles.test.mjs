// Tests of the puzzles, their ratings and solving them: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as passed } from "node:timers/promises";
import { Controller } from "../game/controller.js";
import { Game } from "../game/game.js";
import { updatedRating, newRating } from "../parts/puzzles/glicko.js";
import { after, choose, daily, puzzlesOf, shareText, sheetOf } from "../parts/puzzles/puzzles.js";
import { lossWords, puzzleRun, sameAnswer } from "../parts/puzzles/solving.js";
import { sheetOf as strategyOf } from "../parts/strategy/strategy.js";
import { stateWith } from "./state.mjs";

test("the rating of Glickman's example agrees with his paper", () => {
  const { rating, deviation, volatility } = updatedRating({ rating: 1500, deviation: 200, volatility: 0.06 }, [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ]);
  // He rounds on the way.
  assert.ok(Math.abs(rating - 1464.06) < 0.02, `${rating}`);
  assert.ok(Math.abs(deviation - 151.52) < 0.01, `${deviation}`);
  assert.ok(Math.abs(volatility - 0.05999) < 0.00001, `${volatility}`);
});

test("only surprises increase the volatility", () => {
  const player = { rating: 1000, deviation: 50, volatility: 0.06 };
  const surprise = updatedRating(player, Array.from({ length: 10 }, () => ({ rating: 1800, deviation: 50, score: 1 })));
  const expected = updatedRating(player, [{ rating: 400, deviation: 50, score: 1 }]);
  assert.ok(surprise.volatility > 0.06 && surprise.rating > 1140, JSON.stringify(surprise));
  assert.ok(expected.volatility <= 0.06 && expected.rating > 1000 && expected.rating < 1002, JSON.stringify(expected));
});

test("one outcome against an equal counts in full, and a surprise by little more", () => {
  const change = (rating, score, deviation = 100) => Math.round(updatedRating(newRating(), [{ rating, deviation, score }]).rating - newRating().rating);
  for (const [rating, score, want] of [[1000, 0, -175], [1000, 1, 175], [300, 0, -200], [0, 0, -200], [2400, 1, 200], [0, 1, 1], [2400, 0, -1]]) {
    assert.ok(Math.abs(change(rating, score) - want) <= 4, `${rating} ${score}: ${change(rating, score)}`);
  }
});

test("solving all puzzles of a rating raises a player above it; failing them lowers the player below", () => {
  const run = (score) => {
    let me = newRating();
    for (let i = 0; i < 30; i++) me = updatedRating(me, [{ rating: 1500, deviation: 100, score }]);
    return me;
  };
  assert.ok(run(1).rating > 1700 && run(0).rating < 900);
  assert.ok(run(1).deviation < 350);
});

test("the same answer is the same move and the same rows, in any order", () => {
  for (const [a, b, loose, strict] of [
    ["e4-e8", "e4-e8", true, true],
    ["e4-e8", "e4-e7", false, false],
    ["e4-e8", "e4-e8;xb3-b7xb2", false, false],
    ["e4-e8;xb3-b7xb2", "e4-e8;xb3-b7xc1", true, false],
    ["e4-e8;xb3-b7xb2", "e4-e8;xb2-b6xb2", false, false],
    ["e4-e8;xb3-b7xb2;xc1-c5xd1", "e4-e8;xc1-c5xd1;xb3-b7xb2", true, true],
    ["e4-e8;xb3-b7xb2;xc1-c5xd1", "e4-e8;xc1-c5xb2;xb3-b7xd1", true, true],
    ["xb3-b7xb2;e4-e8", "e4-e8;xb3-b7xb2", false, false],
    ["xb3-b7xb2;e4-e8", "xb3-b7xb5;e4-e8", true, false],
    ["xb3-b7xb2", "xb3-b7xb5", true, false],
  ]) {
    assert.equal(sameAnswer(a, b, false), loose, `${a} and ${b}, whatever the rings`);
    assert.equal(sameAnswer(a, b, true), strict, `${a} and ${b}, with the rings`);
  }
});

const ratedPuzzle = (id, rating) => ({ id, rating, fen: "", rules: /** @type {const} */ ("standard"), theme: "make-row", solution: [] });

test("a puzzle counts once: for the rating, the streak and what was tried", () => {
  const fresh = { me: newRating(), streak: 0, best: 0, tried: {} };
  const one = after(fresh, ratedPuzzle("a", 1000), true);
  assert.ok(one.me.rating > 1000 && one.streak === 1 && one.best === 1 && one.tried.a === 1);
  assert.equal(after(one, ratedPuzzle("a", 1000), false), one);
  const two = after(one, ratedPuzzle("b", 1000), false);
  assert.ok(two.me.rating < one.me.rating && two.streak === 0 && two.best === 1 && two.tried.b === 0);
  assert.deepEqual(fresh.tried, {});
  const own = after(one, { ...ratedPuzzle("c", 0), rating: undefined }, true);
  assert.ok(own.me === one.me && own.streak === 2 && own.tried.c === 1);
});

test("the next puzzle is new and of the player's strength, and failed ones return", () => {
  const all = Array.from({ length: 100 }, (_, i) => ratedPuzzle(`p${i}`, 20 * i));
  const progress = { me: { ...newRating(), rating: 1000 }, streak: 0, best: 0, tried: {} };
  for (const at of [0, 0.5, 0.999]) {
    const { rating } = choose(all, progress, "p50", () => at);
    assert.ok(rating !== 1000 && Math.abs(rating - 1000) <= 120, `${rating}`);
  }
  const tried = Object.fromEntries(all.map(({ id }) => [id, id === "p99" ? 0 : 1]));
  assert.equal(choose(all, { ...progress, tried }).id, "p99");
  assert.notEqual(choose(all, { ...progress, tried }, "p99").id, "p99");
  assert.equal(choose([all[0]], progress, "p0").id, "p0");
});

test("a wrong turn shows the chances before and after it", () => {
  const words = (before, after, mate, label = "") => lossWords("e4 to e8", { before, after, label }, { ...ratedPuzzle("a", 1000), mate });
  assert.equal(words({ cp: 100 }, { cp: -100 }, undefined, "blunder"), "e4 to e8 is a mistake: your winning chances drop from 73% to 27%.");
  assert.equal(words({ mate: 2 }, { mate: 4 }, 2), "e4 to e8 wins, too, but more slowly.");
  assert.equal(words({ mate: 2 }, { cp: 600 }, 2), "e4 to e8 looks good, but is not the solution."); // which no search has proven to win
  assert.equal(words({ mate: 2 }, { mate: -1 }, 2), "e4 to e8 loses: your opponent then wins in one turn.");
  assert.equal(words({ cp: 10 }, { cp: 0 }), "e4 to e8 looks good, but is not the solution.");
  assert.equal(lossWords("e4 to e8", null, ratedPuzzle("a", 1000)), "e4 to e8 is not the solution.");
});

// What the page's own modules want of a browser.
const browser = { addEventListener() {}, navigator: {}, sessionStorage: { getItem: () => null, setItem() {} } };
for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true });

/** A turn that wins, other than the solution. */
const WIN = "e4-e9;xb3-b7xd1";

const rules = {
  game: async ({ turns }) => ({ views: ["", ...turns].map((turn) => ({ over: turn === WIN, winner: turn === WIN ? "w" : "", position: "", rules: "standard" })), turns: [] }),
  why: async (path, turn) => ({ against: [], for: [{ kind: "takes-rows", side: "w", rows: [["b3", "b7"]], turn }] }),
};

const puzzle = (id) => ({ id, rating: 1000, fen: "4/7/8/9/10/9/10/9/8/7/4 w 0-0", rules: /** @type {const} */ ("standard"), theme: "make-row", solution: ["e4-e8;xb3-b7xb2", "a2-a3", "b2-b3"] });
/** The solution's first turn, but for the ring that pays. */
const WITH_ANOTHER_RING = "e4-e8;xb3-b7xc1";

// A page with a puzzle on it, where what is shown on the board ends when the test says so.
async function solvingOne(verdict = null) {
  const state = stateWith({});
  const controller = new Controller({ state, notices: null, rules: /** @type {any} */ (rules), autosave: /** @type {any} */ (Object.assign(new EventTarget(), { keep() {}, leave() {}, async settled() {} })) });
  let shown;
  const board = { motion: { idle: new Promise((resolve) => (shown = resolve)), busy: true }, arrows: { show() {} }, points: { focus() {} } };
  const lent = new Set();
  const orders = [];
  const borrow = (_, fields, { review, reviewed }) => {
    orders.push(fields);
    lent.add(fields.engine);
    if (verdict) queueMicrotask(() => (review({ turn: verdict }), reviewed()));
    return () => lent.delete(fields.engine);
  };
  const analysis = { engines: ["one"], borrow };
  const solving = puzzleRun(/** @type {any} */ ({ state, rules, controller, board, analysis }), {});
  await solving.begin(puzzle("first"));
  const end = async () => {
    shown();
    // What would wrongly go on does so within a timer of no time.
    await passed(20);
  };
  return { state, controller, solving, lent, orders, end };
}

test("games opened before the first puzzle change nothing", async () => {
  const { state, controller } = await solvingOne();
  let changes = 0;
  puzzleRun(/** @type {any} */ ({ state, rules, controller }), { changed: () => changes++ });
  controller.dispatchEvent(new Event("game"));
  assert.equal(changes, 0);
});

test("a game opened before the reply to a puzzle is not changed", async () => {
  const { state, controller, solving, end } = await solvingOne();
  await controller.play(state.node, WITH_ANOTHER_RING);
  assert.equal(solving.state, "reply");
  const own = new Game();
  await controller.open(own);
  await end();
  assert.equal(own.at, own.root);
});

test("a late reply of one puzzle does not solve the next", async () => {
  for (const turn of [WITH_ANOTHER_RING, "e4-e8;xb3-b7xb2"]) {
    const { state, controller, solving, end } = await solvingOne();
    await controller.play(state.node, turn);
    await solving.begin(puzzle("second"));
    await end();
    assert.deepEqual([solving.state, state.game.root.children.length], ["yours", 0], turn);
  }
});

test("a hint or a solution that arrives after another game was opened is not shown", async () => {
  for (const ask of [(solving) => solving.hint(), (solving) => solving.show()]) {
    const { state, controller, solving, end } = await solvingOne();
    await controller.play(state.node, "e4-e7");
    solving.state = "wrong";
    const asked = ask(solving);
    const own = new Game();
    await controller.open(own);
    await end();
    await asked;
    assert.deepEqual([own.at, solving.hinted], [own.root, false]);
  }
});

test("opening another game releases the engine that judges a turn", async () => {
  const { state, controller, lent } = await solvingOne();
  await controller.play(state.node, "e4-e7");
  assert.deepEqual([...lent], ["one"]);
  await controller.open(new Game());
  assert.deepEqual([...lent], []);
});

test("in a puzzle from a game, a turn is as good if a review would not label it, but never the turn that was played", async () => {
  for (const [turn, label, outcome] of [["e4-e7", "", "solved"], ["e4-e7", "inaccuracy", "wrong"], ["e4-e7", "blunder", "wrong"], ["e4-e6", "", "wrong"]]) {
    const { state, controller, solving, orders } = await solvingOne({ before: { cp: 0 }, after: { cp: -30 }, label });
    const { rating, ...own } = puzzle("own-1-2-3");
    await solving.begin({ ...own, theme: "own", solution: ["e4-e8"], played: "e4-e6" });
    await controller.play(state.node, String(turn));
    await passed(20);
    assert.equal(solving.state, outcome, `${turn}, ${label}`);
    assert.deepEqual(orders.map(({ better }) => better), turn === "e4-e7" ? ["e4-e8"] : []);
  }
});

test("a missing tree shows nothing", () => {
  const state = stateWith({});
  const controller = new Controller({ state, notices: null, rules: /** @type {any} */ (rules), autosave: /** @type {any} */ (new EventTarget()) });
  let told = 0;
  state.whenChanged(() => told++);
  controller.changed();
  assert.deepEqual([told, state.node], [0, undefined]);
});

test("the puzzle of the day changes at midnight UTC, and every puzzle comes once in as many days", () => {
  const at = (...date) => daily(1503, Date.UTC(.../** @type {[number, number]} */ (date)));
  assert.equal(at(2026, 10, 25, 0, 0), at(2026, 10, 25, 23, 59));
  assert.notEqual(at(2026, 10, 25, 23, 59), at(2026, 10, 26));
  for (const count of [1, 2, 6, 1503]) {
    const days = Array.from({ length: count }, (_, day) => daily(count, Date.UTC(2026, 0, 1 + day)));
    assert.deepEqual(days.sort((a, b) => a - b), Array.from({ length: count }, (_, i) => i));
  }
});

test("a solved puzzle says why the first turn is right", async () => {
  const { state, controller, solving, end } = await solvingOne();
  const one = { ...puzzle("third"), solution: ["e4-e8;xb3-b7xb2"] };
  await solving.begin(one);
  await controller.play(state.node, "e4-e8;xb3-b7xb2");
  await end();
  assert.deepEqual([solving.state, solving.said], ["solved", "Right. e4 to e8: It removes the row b3 to b7."]);
});

test("a turn that wins at once solves a puzzle, also if it is not the solution", async () => {
  const { state, controller, solving } = await solvingOne();
  await controller.play(state.node, WIN);
  assert.equal(solving.state, "solved");
});

test("puzzles are of the standard rules, unless blitz is chosen", () => {
  const all = ["standard", "blitz", "standard"].flatMap((rules, i) => ["win", "make-row"].map((theme) => ({ id: `${i} ${theme}`, rules, theme })));
  for (const theme of ["", "win", "day", "blitz"]) {
    const some = puzzlesOf(all, theme, 0);
    assert.ok(some.length > 0, theme);
    for (const { id, rules } of some) assert.equal(rules, theme === "blitz" ? "blitz" : "standard", `${theme}: ${id}`);
  }
  assert.deepEqual(puzzlesOf(all, "win", 0).map(({ id }) => id), ["0 win", "2 win"]);
  assert.deepEqual(puzzlesOf(all.slice(2, 4), "", 0), []);
});

test("the strategy lessons are a function of their state", () => {
  const lessons = /** @type {any[]} */ ([{ id: "tempo", exercises: [{ id: "a" }, { id: "b" }] }, { id: "double", exercises: [{ id: "c" }] }]);
  const run = /** @type {const} */ ({ open: true, state: "yours", said: "", side: "w", hinted: false });
  const shown = (changes = {}) => /** @type {any[]} */ (strategyOf({ lessons, lesson: 1, exercise: 0, solved: ["a", "c"], run: { ...run, ...changes } }));
  const acts = (changes) => shown(changes)[4].buttons.filter(Boolean).map(([act]) => act.replace("strategy-", "")).join();
  assert.deepEqual([{}, { hinted: true }, { state: "wrong" }, { state: "solved" }, { state: "shown" }, { open: false }].map(acts),
    ["hint,show,close", "show,close", "again,hint,show,close", "next,close", "next,close", "close"]);
  const list = shown()[5].blocks.map(({ tone, blocks: [{ buttons: [[, , , { current }]] }] }) => [tone, current]);
  assert.deepEqual(list, [["", false], ["done", true]]);
});

test("the puzzles are a function of their state", () => {
  const run = { puzzle: { theme: "win", mate: 2, rules: "standard", rating: 700 }, open: true, state: "yours", side: "w", hinted: false };
  const shown = (changes = {}) => /** @type {any[]} */ (sheetOf(/** @type {any} */ ({ theme: "", said: "", progress: { me: newRating(), streak: 0, best: 0, tried: {} }, moved: null, run: { ...run, ...changes } })));
  const acts = (changes) => shown(changes)[2].buttons.filter(Boolean).map(([act]) => act.replace(/puzzles?-/, "")).join();
  assert.deepEqual([{}, { hinted: true }, { state: "wrong" }, { state: "solved" }, { state: "shown" }, { open: false }].map(acts),
    ["next,hint,show,close", "next,show,close", "again,next,hint,show,close", "next,analyze,close", "next,analyze,close", "next,close"]);
  const main = (state) => shown({ state })[2].buttons.filter((button) => button?.[2]).map(([act]) => act).join();
  assert.deepEqual(["yours", "wrong", "solved"].map(main), ["", "puzzle-again", "puzzle-next"]);
  // The solved puzzle of a day has a text, whose main button copies it.
  const ofDay = (state, tried) => /** @type {any[]} */ (sheetOf(/** @type {any} */ ({ theme: "day", date: "2026-11-26", said: "", progress: { me: newRating(), tried: { a: tried } }, moved: null, run: { ...run, puzzle: { ...run.puzzle, id: "a" }, state } }), "https://x/"))[2];
  assert.deepEqual(["yours", "wrong", "shown"].map((state) => ofDay(state, 0).copy), [undefined, undefined, undefined]);
  assert.deepEqual([0, 1].map((tried) => ofDay("solved", tried).copy), [false, true].map((first) => shareText("2026-11-26", first, "https://x/")));
  assert.ok(ofDay("solved", 1).buttons.every((button) => !button?.[2]));
  assert.equal(shareText("2026-11-26", true, "https://x/"), "YINSH puzzle of the day, 2026-11-26: solved 🟩\nhttps://x/#puzzles=2026-11-26");
  // The theme would give too much away before.
  const row = { ...run.puzzle, theme: "make-row", mate: 0 };
  const [before, after] = ["yours", "solved"].map((state) => shown({ puzzle: row, state })[0].title);
  assert.ok(!before.includes("row") && after.includes("row"), `${before} ${after}`);
});
