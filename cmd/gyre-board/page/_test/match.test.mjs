// Tests of matches, as far as they need no browser: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { MatchRunner, eloScale, gameOf, limitText, nameOf, scoreText, sidesOf, titleOf } from "../parts/match/matches.js";
import { liveGame } from "../parts/match/live.js";
import { pointsText } from "../scores.js";
import { stateWith } from "./state.mjs";

const match = {
  id: "m", created: 0, rules: /** @type {const} */ ("blitz"), limits: { nodes: 1000 }, games: 4, seed: 1, results: "", collection: "Match",
  players: /** @type {any} */ ([{ engine: "Gyre", level: "" }, { engine: "Gyre", level: "Club" }]),
};

test("a game of a match is saved in the library with its engines and colors", () => {
  const path = { rules: /** @type {const} */ ("blitz"), start: "startpos", turns: ["f6", "e5", "g7"] };
  for (const [number, white] of [[1, 0], [2, 1]]) {
    const game = gameOf(match, /** @type {any} */ ({ game: number, white, path, opening: 2 }));
    assert.equal(game.id, `m-${number}`);
    assert.deepEqual([game.nameOf("w"), game.nameOf("b")], number === 1 ? ["Gyre", "Gyre, Club"] : ["Gyre, Club", "Gyre"]);
    assert.deepEqual([game.players.w.level, game.players.b.level], number === 1 ? [undefined, "Club"] : ["Club", undefined]);
    assert.ok(!game.playing && game.isWatched && game.live.ply === 3 && game.collection === "Match");
    assert.equal(game.root.comment, "1,000 positions per turn; the first 2 turns are the opening.");
    assert.deepEqual(game.recordTags.find(([name]) => name === "Round"), ["Round", String(number)]);
    assert.equal(sidesOf(number)[0], number === 1 ? "w" : "b");
  }
});

test("a match resumes where another tab left it", async () => {
  const stored = new Map([["gyre.matches", JSON.stringify([{ ...match, results: "wdw" }])]]);
  const storage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  Object.defineProperty(globalThis, "navigator", { value: { locks: { query: async () => ({ held: [] }), request: (_, __, act) => act({}) } }, configurable: true });
  const asked = [];
  const running = new MatchRunner(/** @type {any} */ ({ searches: { begin: (_, fields, heard) => (asked.push([fields.results, fields.stores]), queueMicrotask(heard.matched), { stop() {} }) } }));
  await running.play({ ...match, results: "w" }, /** @type {any} */ ({}));
  assert.deepEqual([asked, JSON.parse(stored.get("gyre.matches"))[0].results], [[["wdw", true]], "wdw"]);
});

test("the server hears how many games are stored, also of one that was stored before", async () => {
  const asked = [];
  const link = { ask: async (what, fields) => void asked.push([what, fields]) };
  const playing = (_, __, heard) => {
    queueMicrotask(() => (heard.played({ search: 5, game: 1, results: "w", path: { turns: [] } }), heard.matched()));
    return { stop() {} };
  };
  await new MatchRunner(/** @type {any} */ ({ link, searches: { begin: playing } })).play({ ...match, id: "s", results: "wdw" }, /** @type {any} */ ({}));
  assert.deepEqual(asked, [["stored", { search: 5, games: 3 }]]);
});

test("the turns of a running game are those that were reported of it", async () => {
  let heard = null;
  const running = new MatchRunner(/** @type {any} */ ({ searches: { begin: (_, __, listener) => (heard = listener, { stop() {} }) } }));
  const seen = [];
  running.addEventListener("change", () => seen.push([running.game.number, running.game.turns.join(" ")].join(" ").trim()));
  const done = running.play({ ...match, id: "r" }, /** @type {any} */ ({}));
  while (!heard) await new Promise((resolve) => setImmediate(resolve));
  for (const [game, turns, added] of [[1, 2, ["f6", "e5"]], [1, 3, ["g6"]], [2, 1, ["a2"]], [2, 2, ["a3"]]]) heard.turn({ game, turns, added });
  // After a lost connection, the game begins again.
  heard.turn({ game: 2, turns: 1, added: ["a2"] });
  heard.matched();
  await done;
  assert.deepEqual(seen, ["0", "1 f6 e5", "1 f6 e5 g6", "2 a2", "2 a2 a3", "2 a2"]);
});

test("the board keeps up with fast games: it shows the end of each that it began, and the last one", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const turnsOf = (number) => ["f6", "e5", "g6", "j5", "f5", `${"abcdef"[number]}3`];
  const shown = [];
  let release = () => {};
  const motion = { idle: Promise.resolve() };
  const state = stateWith({});
  const controller = {
    go() {}, setPlaying: () => shown.push("end"),
    open: async (game) => (state.game = game, shown.push(game.id), true),
    play: async (node, turn) => {
      state.game.live = state.game.at = node.play(turn, true);
      shown.push(state.game.live.ply);
      motion.idle = new Promise((resolve) => (release = resolve)); // the turn is animated
    },
  };
  const running = /** @type {any} */ (Object.assign(new EventTarget(), { match: { ...match, games: 5 }, game: null }));
  const live = liveGame(/** @type {any} */ ({ state, board: { motion }, controller }), running);
  const played = async (number, turns) => {
    running.game = { number, turns };
    running.dispatchEvent(new Event("change"));
    await settled();
  };
  running.game = { number: 1, turns: ["f6"] };
  live.watch();
  await settled();
  for (let number = 1; number <= 3; number++) for (let ply = 1; ply <= 6; ply++) await played(number, turnsOf(number).slice(0, ply));
  // All were played while the first turn was animated.
  assert.deepEqual(shown, ["m-1-live", 1]);
  release();
  await settled();
  assert.deepEqual(shown.splice(0), ["m-1-live", 1, 6]);
  release();
  await settled();
  mock.timers.tick(3000);
  await settled();
  assert.deepEqual(shown.splice(0), ["m-3-live", 6]);
  await played(4, turnsOf(4));
  await played(5, turnsOf(5));
  running.match.results = "wwwww";
  running.dispatchEvent(new CustomEvent("end", { detail: { match: running.match } }));
  release();
  await settled();
  assert.deepEqual(shown.splice(0), []);
  mock.timers.tick(3000);
  await settled();
  release();
  await settled();
  assert.deepEqual(shown, ["m-5-live", 6, "end"]);
  mock.timers.reset();
});

test("matches and their scores have words", () => {
  assert.equal(titleOf(match), "Gyre – Gyre, Club, blitz");
  assert.equal(nameOf(match.players[1]), "Gyre, Club");
  assert.equal(scoreText("wdl"), "1½ : 1½");
  assert.equal(scoreText("dw"), "1½ : ½");
  assert.equal(scoreText(""), "0 : 0");
  assert.equal(pointsText(10), "10");
  assert.equal(limitText({ movetime: 500 }), "0.5 s per turn");
});

test("the chart of a match spans zero and the errors of all but its first pairs", () => {
  const course = Array.from({ length: 20 }, (_, i) => ({ pairs: i + 2, elo: 100, error: i < 2 ? 1500 : 80 - i }));
  assert.deepEqual(eloScale(course), { low: 0, high: 200 });
  const below = course.map((point) => ({ ...point, elo: -3000 }));
  assert.deepEqual(eloScale(below), { low: -1200, high: 0 });
});
