// Tests of the moments that come back, and of what their panel shows: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../game/game.js";
import { after, dayAfter, dueOf, momentsKept } from "../parts/due/due.js";
import { sheetOf } from "../parts/moments/moments.js";
import { momentsOf } from "../parts/puzzles/mistakes.js";

/** A time on a day of November 2026, here. */
const at = (day, hour = 0) => new Date(2026, 10, day, hour).getTime();

const moment = { id: "own-1-2-11", fen: "4/7/8/9/10/9/10/9/8/7/4 w 0-0", rules: /** @type {const} */ ("standard"), played: "f6", best: "g7", number: 11, lost: 12, source: "" };

test("a missed moment returns after 1, 3 and 7 days, and again after a day once it is missed", () => {
  // Each step: the time of a try, whether it is found, and the day on which it returns, or none.
  for (const steps of [
    [[at(1, 20), true, null]],
    [[at(1, 20), false, at(2)], [at(2, 7), true, at(5)], [at(5, 9), true, at(12)], [at(12), true, null]],
    [[at(1), false, at(2)], [at(2), true, at(5)], [at(5), false, at(6)], [at(6), true, at(9)]],
    [[at(1), false, at(2)], [at(4, 23), true, at(7)]], // late: counted from the try
    [[at(1), false, at(2)], [at(1, 5), true, at(2)], [at(1, 6), false, at(2)]], // before it is due
  ]) {
    let now = moment;
    for (const [time, found, due] of steps) {
      now = after(now, found, time);
      assert.equal(now?.due ?? null, due, JSON.stringify(steps));
    }
  }
});

test("days begin at midnight here, also where the clocks change", () => {
  for (const [days, want] of [[0, at(30)], [1, at(31)], [3, new Date(2026, 11, 3).getTime()]]) assert.equal(dayAfter(at(30, 23), days), want);
});

test("those that are due come first due first", () => {
  const all = [at(9), at(3), at(5), at(5) + 1].map((due, i) => ({ id: i, due }));
  assert.deepEqual(dueOf(all, at(5)).map(({ id }) => id), [1, 2]);
});

/** A database in memory, which can fail. */
function memory() {
  const kept = new Map();
  const store = { kept, fails: false };
  const open = async () => {
    if (store.fails) throw new DOMException("full", "QuotaExceededError");
    return { getAll: async () => [...kept.values()], put: async (_, value) => void kept.set(value.id, value), delete: async (_, id) => void kept.delete(id), close() {} };
  };
  return { store, open: /** @type {any} */ (open) };
}

test("moments are kept, read by other tabs, and last for the visit if the browser stores nothing", async () => {
  const { store, open } = memory();
  let changes = 0;
  const [one, other] = [momentsKept(() => changes++, open), momentsKept(() => {}, open)];
  await one.keep(moment.id, after(moment, false, at(1)));
  assert.deepEqual(other.all, []);
  await other.refresh();
  assert.equal(other.all[0].due, at(2));
  store.fails = true;
  await one.keep("b", { ...after(moment, false, at(1)), id: "b" });
  await one.keep(moment.id, null);
  changes = 0;
  await one.refresh();
  assert.equal(changes, 1, "the badge is drawn again although nothing could be read");
  store.fails = false;
  await one.refresh();
  assert.deepEqual(one.all.map(({ id }) => id), ["b"]);
});

test("the moments of a game are the three turns of its person that lost most, in order", () => {
  const game = new Game({ players: { w: { kind: "person" }, b: { kind: "engine", engine: "Gyre" } } });
  const lost = [6, 40, 0, 50, 12, 60, 30, 9, 8];
  let node = game.root;
  for (const [i, share] of lost.entries()) {
    node = node.play(`turn${i}`, true);
    node.finding = { label: share >= 15 ? "blunder" : share >= 5 ? "inaccuracy" : "", lost: share, accuracy: 0, missedRow: false, best: "g7" };
  }
  assert.deepEqual(momentsOf(game).map(({ node: { ply } }) => ply), [5, 7, 9]);
});

test("the panel is a function of its state", () => {
  const state = /** @type {import("../parts/moments/moments.js").State} */ ({ of: "game", moments: [{ ...moment, before: 0.5, after: 0.38 }, { ...moment, id: "two" }], tried: {}, run: null });
  const shown = (changes) => sheetOf({ ...state, ...changes }).filter(Boolean);
  const buttons = (changes) => shown(changes).flatMap(({ buttons = [] }) => buttons.filter(Boolean).map(([act]) => act)).join();
  assert.deepEqual(shown({}).find(({ cards }) => cards).cards.map(({ text, mark }) => [text, mark]), [["11. f6: White 50% to 38%", undefined], ["11. f6: lost 12%", undefined]]);
  assert.deepEqual(shown({ tried: { two: false } }).find(({ cards }) => cards).cards.map(({ mark }) => mark), [undefined, "Missed"]);
  assert.ok(shown({ tried: { two: false } }).some(({ id }) => id === "moments-return"));
  assert.ok(!shown({ tried: { two: true } }).some(({ id }) => id === "moments-return"));
  assert.ok(shown({ share: 0.4, moments: [] }).some(({ bar }) => bar === 0.4));
  assert.equal(shown({ of: "due", moments: [], next: at(3) }).find(({ id }) => id === "moments-none").text, "Nothing to repeat today. The next moment returns on Nov 3, 2026.");
  const run = (changes) => ({ run: { id: moment.id, side: "w", state: "yours", said: "", hinted: false, ...changes } });
  for (const [run_, tried, want] of [
    [run({}), {}, "hint,show,list"],
    [run({ hinted: true }), {}, "show,list"],
    [run({ state: "wrong" }), {}, "again,hint,show,list"],
    [run({ state: "solved" }), {}, "next,list"],
    [run({ state: "shown" }), { two: true }, "list"],
  ]) assert.equal(buttons({ ...run_, tried }), want);
});
