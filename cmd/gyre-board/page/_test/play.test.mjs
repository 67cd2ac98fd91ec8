// Tests of engines that play: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { Play } from "../game/play.js";

/** A game at its start, and the engine that is asked for a turn in it. */
function table(players) {
  const node = { ply: 0, clock: null, end: null, score: null };
  const game = { id: "1", live: node, players, playing: true, moveTime: 2000, path: () => ({}), left: null, clock: null };
  const played = [];
  const controller = Object.assign(new EventTarget(), { game, played, play: async (_, turn) => played.push(turn) });
  const rules = { game: async () => ({ views: [{ side: "b", over: false }] }) };
  const searches = { begin: (_, fields, heard) => Object.assign(searches, { heard }) && { engine: fields.engine, stop() {} } };
  const clocks = Object.assign(new EventTarget(), { left: null, running: null, set() {}, run() {}, stop() {} });
  const play = new Play({ controller, rules, searches, clocks, motion: { idle: Promise.resolve() } });
  controller.dispatchEvent(new Event("live"));
  return { node, played, searches, play };
}

const [person, engine] = [{ kind: "person" }, { kind: "engine", engine: "Gyre" }];
const meanwhile = () => new Promise((resolve) => setImmediate(resolve));

test("a turn of two engines takes no less than the pace, and one against a person no more than it took", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(performance, "now", () => 0);
  const watched = table({ w: engine, b: engine });
  watched.play.pace = 3000;
  await meanwhile();
  watched.searches.heard.best({ turn: "f6" });
  t.mock.timers.tick(2000);
  await meanwhile();
  assert.deepEqual(watched.played, []);
  t.mock.timers.tick(1000);
  await meanwhile();
  assert.deepEqual(watched.played, ["f6"]);
  const own = table({ w: person, b: engine });
  await meanwhile();
  own.searches.heard.best({ turn: "f6" });
  await meanwhile();
  assert.deepEqual(own.played, ["f6"]);
});

test("what the engine thought last is kept as White's, unless a deeper score is there", async () => {
  const { node, searches } = table({ w: person, b: engine });
  await meanwhile();
  searches.heard.info([{ score: { cp: 30 }, depth: 5, bound: "" }]);
  searches.heard.info([{ score: { cp: 90 }, depth: 6, bound: "lower" }]);
  searches.heard.best({ turn: "f6" });
  assert.deepEqual(node.score, { cp: -30, depth: 5 });
  searches.heard.info([{ score: { cp: 10 }, depth: 4, bound: "" }]);
  searches.heard.best({ turn: "f6" });
  assert.deepEqual(node.score, { cp: -30, depth: 5 });
});

test("an engine that tells no scores plays all the same", async () => {
  const { node, played, searches } = table({ w: person, b: engine });
  await meanwhile();
  searches.heard.info([{ score: null, depth: 5, bound: "" }]);
  searches.heard.best({ turn: "f6" });
  await meanwhile();
  assert.deepEqual([node.score, played], [null, ["f6"]]);
});
