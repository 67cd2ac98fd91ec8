// Tests of one's own rating: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turned } from "node:timers/promises";
import { Game, helpOf } from "../game/game.js";
import { recorderOf, endOf, scoreOf, sheetOf } from "../parts/rating/rating.js";
import { changeText, history, isResult, ratingText } from "../parts/rating/results.js";
import { stateWith } from "./state.mjs";

const explorer = { seen: false, checkVisibility: () => explorer.seen };
Object.defineProperty(globalThis, "document", { value: { getElementById: (id) => (id === "explorer" ? explorer : null) }, configurable: true });

const result = (i, elo, score) => ({ game: `g${i}`, at: i, opponent: "Gyre, Club", elo, score });

test("a rating rises with wins and falls with losses", () => {
  const won = history(Array.from({ length: 30 }, (_, i) => result(i, 1200, 1)));
  const lost = history(Array.from({ length: 30 }, (_, i) => result(i, 1200, 0)));
  const drawn = history(Array.from({ length: 30 }, (_, i) => result(i, 1200, 0.5)));
  assert.ok(won.at(-1).me.rating > 1400 && lost.at(-1).me.rating < 900, `${won.at(-1).me.rating} ${lost.at(-1).me.rating}`);
  assert.ok(Math.abs(drawn.at(-1).me.rating - 1200) < 20 && drawn.at(-1).me.deviation < 120, JSON.stringify(drawn.at(-1).me));
  assert.ok(won[0].change > 0 && lost[0].change < 0 && won[0].change > won[29].change);
  assert.deepEqual(history([]), []);
  assert.deepEqual([350, 111, 110].map((deviation) => ratingText({ rating: 988, deviation, volatility: 0.06 })), ["988, provisional", "988, provisional", "988 ± 220"]);
  assert.deepEqual([ratingText({ rating: 811.6, deviation: 70.2, volatility: 0.06 }), changeText(12), changeText(-7)], ["812 ± 140", "+12", "−7"]);
});

test("an invalid result in a file is ignored", () => {
  assert.ok(isResult(result(1, 500, 0.5)));
  for (const other of [null, 7, {}, { ...result(1, 500, 2) }, { ...result(1, 500, 1), at: "now" }, { ...result(1, 500, 1), game: undefined }, { ...result(1, NaN, 1) }, { ...result(1, 500, 1), at: 1e300 }, { ...result(1, 500, 1), at: -1e16 }, { ...result(1, 1e9, 1) }, { ...result(1, -1, 1) }, { ...result(1, 500, 1), at: "7" }]) assert.ok(!isResult(other), JSON.stringify(other));
});

// A page on which a person plays a level, as White.
function pageWith({ level = "Club", engine = "one", ...fields } = {}) {
  const game = new Game({ players: { w: { kind: "person" }, b: { kind: "engine", engine, level } }, ...fields });
  const state = stateWith({ game, liveView: { removed: [0, 0], over: false } });
  const controller = Object.assign(new EventTarget(), { changed: () => state.change() });
  const page = {
    state, controller,
    link: {
      hello: { levels: [{ name: "Club", elo: 1200 }, { name: "Full strength", elo: 0 }] },
      ask: async (what, { engine }) => ({ options: engine === "one" ? [{ name: "UCI_Elo" }] : [] }),
    },
    notices: { show: (_, text) => assert.fail(text) },
  };
  const stored = new Map();
  const counting = recorderOf(/** @type {any} */ (page), () => {}, { addResults: async ([one]) => void (stored.has(one.game) || stored.set(one.game, one)), forgetResult: async (id) => void stored.delete(id) });
  const fire = (name) => controller.dispatchEvent(new Event(name));
  const go = (turn) => {
    game.live = game.live.play(turn, true);
    fire("live");
  };
  const end = async (removed) => {
    state.liveView = { removed, over: true };
    game.playing = false;
    fire("playing");
    state.change();
    await turned();
  };
  fire("live");
  return { counting, page, game, state, stored, fire, go, end };
}

test("a game counts once, when it ends, with its points", async () => {
  for (const [removed, score] of /** @type {const} */ ([[[3, 1], 1], [[1, 3], 0], [[2, 2], 0.5]])) {
    const { game, stored, go, end, state, counting } = pageWith();
    assert.equal(await counting.whyNot(game), "");
    go("f6");
    go("e5");
    assert.equal(stored.size, 0);
    await end(removed);
    state.change();
    await turned();
    const { at, ...rest } = stored.get(game.id);
    assert.deepEqual([stored.size, rest], [1, { game: game.id, opponent: "one, Club", elo: 1200, score }]);
    assert.ok(Math.abs(at - Date.now()) < 3_600_000);
  }
});

test("a game with help does not count, and names the help", async () => {
  for (const [help, words] of /** @type {const} */ ([
    [({ game, fire }) => { game.live = game.root; fire("live"); }, "take-backs"],
    [({ game, fire }) => { game.live = game.root.play("g7", true).play("e5", true); fire("live"); }, "take-backs"],
    [({ game, fire }) => { game.playing = false; fire("playing"); game.playing = true; fire("playing"); }, "pauses"],
    [({ game, go }) => { game.playing = false; go("d5"); game.playing = true; }, "pauses"],
    [({ state }) => state.change({ analyzing: true }), "the analysis"],
    [({ go }) => { explorer.seen = true; go("d5"); explorer.seen = false; }, "the openings"],
  ])) {
    const all = pageWith();
    all.go("f6");
    all.go("e5");
    help(all);
    assert.deepEqual(helpOf(all.game), [words], String(help));
    assert.equal(await all.counting.whyNot(all.game), `you had ${words.replace(/the (analysis|openings)/, "$1")}`);
    await all.end([3, 0]);
    assert.equal(all.stored.size, 0, words);
  }
});

test("games by other rules, imported games, and games against unrated engines do not count", async () => {
  for (const [fields, words] of /** @type {const} */ ([
    [{ rules: "blitz" }, "ratings are for the standard rules"],
    [{ start: "4/7/8/9/10/9/10/9/8/7/4 b 0-0" }, "it did not start with an empty board"],
    [{ level: "Full strength" }, "the level Full strength has no rating"],
    [{ level: "" }, "the level Full strength has no rating"],
    [{ engine: "other" }, "other cannot play at a rating"],
  ])) {
    const { counting, game, stored, go, end } = pageWith(fields);
    go("f6");
    await end([3, 0]);
    assert.deepEqual([await counting.whyNot(game), stored.size], [words, 0]);
  }
});

test("resigning at the moment of the engine's turn is not a pause", async () => {
  const { game, go, fire } = pageWith();
  go("f6");
  game.live = game.live.play("e5", true);
  Object.assign(game.live, { end: { winner: "b", why: "resignation" } });
  game.playing = false;
  fire("playing");
  fire("live");
  assert.deepEqual(helpOf(game), []);
});

test("resigning loses until it is undone; turns undone after an end stay undone", async () => {
  const { game, stored, fire, go, end, state } = pageWith();
  go("f6");
  game.live.end = { winner: "b", why: "resignation" };
  state.change();
  await turned();
  assert.equal(stored.get(game.id).score, 0);
  game.live.end = null;
  fire("live");
  await turned();
  assert.deepEqual([stored.size, helpOf(game)], [0, []]);
  go("e5");
  await end([3, 0]);
  assert.equal(stored.get(game.id).score, 1);
  state.liveView = { removed: [0, 0], over: false };
  game.playing = true;
  game.live = game.root;
  fire("live");
  game.live = game.root.play("g7", true);
  fire("live");
  await end([0, 3]);
  assert.deepEqual([stored.get(game.id).score, helpOf(game)], [1, ["take-backs"]]);
});

test("a game that was over when opened does not count; one that continued does", async () => {
  const over = pageWith();
  over.game.playing = false;
  const other = pageWith();
  other.go("f6");
  for (const [all, counted] of /** @type {const} */ ([[over, 0], [other, 1]])) {
    // Another game is opened, of which nothing was heard yet.
    const fresh = Game.from(all.game.toJSON());
    all.state.game = fresh;
    all.counting.follow(fresh, fresh.root);
    all.state.change({ liveView: { removed: [3, 0], over: true } });
    await turned();
    assert.equal(all.stored.size, counted);
  }
});

test("a result that the board does not show decides the winner", () => {
  const { game } = pageWith();
  game.live.end = { winner: "w", why: "time forfeit" };
  assert.equal(scoreOf(game, [0, 2]), 1);
  game.live.end = { winner: "", why: "adjudication" };
  assert.equal(scoreOf(game, [0, 2]), 0.5);
});

test("of a running game and its copies only the first counts", () => {
  const { game } = pageWith();
  const copy = game.copy();
  assert.deepEqual([helpOf(game), helpOf(copy), helpOf(copy.copy())], [[], ["a copy"], ["a copy"]]);
  game.tags = [["Event", "Club night"], ["Help", "hints, pauses"]];
  assert.deepEqual(game.copy().tags, [["Event", "Club night"], ["Help", "hints, pauses, a copy"]]);
  game.playing = false;
  assert.deepEqual(helpOf(game.copy()), ["hints", "pauses"]);
  assert.deepEqual(helpOf(new Game({ players: { w: { kind: "person" }, b: { kind: "person" } } }).copy()), []);
});

test("an engine that has left by the end still counts; one that was never there does not", async () => {
  const { page, stored, go, end } = pageWith();
  go("f6");
  await turned();
  page.link.ask = async () => Promise.reject(new Error("gone"));
  await end([3, 0]);
  assert.equal(stored.size, 1);
  const away = pageWith();
  away.page.link.ask = page.link.ask;
  away.go("f6");
  await away.end([3, 0]);
  assert.deepEqual([away.stored.size, await away.counting.whyNot(away.game)], [0, "one does not say whether it can play at a rating"]);
});

test("the dialog and the line of the result are functions of the results", () => {
  const all = history([result(1, 1200, 1), result(2, 1200, 0)]);
  const named = (/** @type {any[]} */ blocks) => blocks.filter(Boolean).map((block) => block.id ?? Object.keys(block)[0]);
  assert.deepEqual(named(sheetOf({ all: [], whyNot: null })), ["title", "rating-now", "text", "buttons"]);
  assert.equal(/** @type {any} */ (sheetOf({ all: [], whyNot: null, fault: "blocked" }))[1].text, "blocked");
  assert.deepEqual(named(sheetOf({ all, whyNot: "" })), ["title", "rating-now", "rating-game", "chart", "rating-table", "text", "buttons"]);
  const { table } = /** @type {any} */ (sheetOf({ all, whyNot: null }).find((block) => block && block.table));
  assert.deepEqual(table.map(([, opponent, end]) => [opponent, end]), [["Opponent", "Result"], ["Gyre, Club (1200)", "lost"], ["Gyre, Club (1200)", "won"]]);
  assert.deepEqual([{ result: all[1], whyNot: "" }, { result: null, whyNot: "hints" }, { result: null, whyNot: "" }].map(endOf).map((blocks) => named(blocks).length), [1, 1, 0]);
  // On phones there is no room for all kinds of help and the button.
  assert.deepEqual([{ result: all[1], whyNot: "" }, { result: null, whyNot: "hints" }].map((state) => /** @type {any} */ (endOf(state)[0]).buttons.filter(Boolean).length), [1, 0]);
});
