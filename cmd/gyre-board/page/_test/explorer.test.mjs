// Tests of the opening explorer's table, which need no browser: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { count, lastKnown, readTable, waysOn } from "../parts/explorer/explorer.js";

test("the table is parsed, and its turns are sorted by games", () => {
  const table = readTable("# gyre-arena explore: standard, seed 1\nabc 10 15 -20\nx1 30 31 5\n");
  assert.equal(table.size, 2);
  assert.deepEqual(table.get("abc"), { games: 10, points: 7.5, score: -20 });
  const ways = waysOn(table, [{ turn: "f6", key: "abc", alike: 1 }, { turn: "a2", key: "none", alike: 12 }, { turn: "e5", key: "x1", alike: 6 }]);
  assert.deepEqual(ways.map(({ turn, games }) => [turn, games]), [["e5", 30], ["f6", 10]]);
});

test("each position of a game counts once", () => {
  const table = new Map();
  count(table, ["start", "a", "b", "a"], 1);
  count(table, ["start", "a"], 0.5);
  assert.deepEqual([...table], [["a", { games: 2, points: 1.5, score: null }], ["b", { games: 1, points: 1, score: null }]]);
});

test("the way back from an unknown position leads to the last one from which games continue", () => {
  const table = new Map();
  count(table, ["start", "a", "b", "c"], 1);
  for (const [keys, ply] of /** @type {const} */ ([[["start", "a", "b", "x", "y"], 1], [["start", "a", "b", "c"], 2], [["start", "x"], 0], [["start"], 0]])) {
    assert.equal(lastKnown(table, [...keys]), ply, keys.join());
  }
});
