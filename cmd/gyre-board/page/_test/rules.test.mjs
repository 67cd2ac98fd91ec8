// Tests of the rules in the page, against the positions, games and counts of package position:
// node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { START, formatBoard, playTurn, stepsOfTurn, turnSteps, viewOf } from "../../../../position/drawing/rules.js";

const linesOf = (name) => readFileSync(new URL(`../../../../position/testdata/${name}`, import.meta.url), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));

/** All turns that complete some steps. */
function turnsOf(view, prefix = []) {
  const { steps, complete } = turnSteps(view, view.rules, prefix);
  return complete ? [complete] : steps.flatMap((step) => turnsOf(view, [...prefix, step]));
}

/** The position after a turn, which must be legal. */
function after(view, turn) {
  const entered = turnSteps(view, view.rules, stepsOfTurn(turn));
  assert.equal(entered?.complete, turn, `${view.position} ${turn}`);
  return viewOf(formatBoard(playTurn(view, turn).board), view.rules);
}

const resultOf = ({ over, winner }) => (!over ? "ongoing" : { w: "white", b: "black", "": "draw" }[winner]);

test("the rulings", () => {
  const cases = [];
  for (const line of linesOf("rulings.txt")) {
    const [, key, value] = /^(\w+): ?(.*)$/.exec(line);
    if (key === "case") cases.push({ name: value, rules: "standard", result: "ongoing", play: [] });
    else if (key === "play") cases.at(-1).play.push(value);
    else if (["turns", "has", "lacks"].includes(key)) cases.at(-1)[key] = [...(cases.at(-1)[key] ?? []), ...value.split(" ").filter(Boolean)];
    else cases.at(-1)[key] = value;
  }
  assert.ok(cases.length > 25, `${cases.length} rulings`);
  for (const { name, rules, position, result, turns, has = [], lacks = [], play } of cases) {
    const view = viewOf(position, rules);
    assert.equal(resultOf(view), result, name);
    const all = turnsOf(view);
    if (turns) assert.deepEqual(all.toSorted(), turns.toSorted(), name);
    for (const turn of has) assert.ok(all.includes(turn), `${name}: ${turn}`);
    for (const turn of lacks) assert.ok(!all.includes(turn), `${name}: ${turn}`);
    for (const line of play) {
      const [words, want] = line.split(" => ");
      const end = words.split(" ").reduce(after, view);
      assert.equal(`${resultOf(end)} ${end.position}`, want, name);
    }
  }
});

test("as many turns and pairs of turns as the engine counts", () => {
  for (const line of linesOf("perft.txt")) {
    const [position, counts] = line.split(" | ");
    const [turns, pairs] = counts.split(" ").map(Number);
    const view = viewOf(position, "standard");
    const all = turnsOf(view);
    assert.deepEqual([all.length, new Set(all).size], [turns, turns], position);
    if (pairs < 1500) assert.equal(all.reduce((sum, turn) => sum + turnsOf(after(view, turn)).length, 0), pairs, position);
  }
});

test("whole games can be entered, and end as they do", () => {
  const games = [...linesOf("human.txt").map((line) => ["standard", ...line.split(" | ")]), ...linesOf("games.txt").map((line) => line.split("|"))];
  for (const [rules, result, score, turns] of games) {
    const end = turns.split(" ").reduce(after, viewOf(START, rules));
    assert.deepEqual([resultOf(end).replace("ongoing", "unfinished"), end.removed.join("-")], [result, score], turns);
  }
});

test("what the player is asked for", () => {
  const six = "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0";
  const apart = "W2B/W5B/1wwwww2/9/W9/9/10/2wwwww2/B7/B6/WW1B w 0-0";
  const cross = "W3/W6/W7/3w5/W3w5/2wwwww2/5w4/5w3/B7/B6/BBB1 w 1-0";
  const early = "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0";
  const passes = "4/6w/b5ww/1b4bw1/2b3ww2/2w2bb2/3w1bw3/3bbw3/wbbWwbww/2BWbwb/BWB1 w 2-2";
  const row = (...ends) => ({ do: "row", row: ends });
  const ring = (from) => ({ do: "ring", from });
  const { position: later } = ["f6", "e5", "a2"].reduce(after, viewOf(START, "standard"));
  for (const [name, position, prefix, prompt, rules = "standard"] of [
    ["the first ring", START, [], { ask: "place", side: "w", number: 1, of: 5 }],
    ["a later ring", later, [], { ask: "place", side: "b", number: 2, of: 5 }],
    ["a ring placed", START, [{ do: "place", to: "e5" }], { ask: "complete", side: "w" }],
    ["six in a row", six, [], { ask: "given-five", side: "w" }],
    ["the ring for it", six, [row("f3", "f7")], { ask: "ring", side: "w" }],
    ["the third ring", six, [row("f7", "f3"), ring("a2")], { ask: "over", side: "w" }],
    ["two rows apart", apart, [], { ask: "given-row-of", side: "w", number: 1, of: 2 }],
    ["the second of two rows", apart, [row("c2", "c6"), ring("a2")], { ask: "row-of", side: "w", number: 2, of: 2 }],
    ["two rows that cross", cross, [], { ask: "given-five", side: "w" }],
    ["one row", early, [], { ask: "given-row", side: "w" }],
    ["the ring move after it", early, [row("f3", "f7"), ring("k7")], { ask: "move", side: "w" }],
    ["a row made in the turn", early, [row("f3", "f7"), ring("k7"), { do: "move", from: "b5", to: "d5" }], { ask: "row", side: "w" }],
    ["a pass", passes, [], { ask: "pass", side: "w" }],
    ["a game that is over", "W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2", [], { ask: "over", side: "b" }],
    ["a blitz game won", "W3/W6/W7/W8/W9/1wwwww3/10/9/8/6B/BBBB w 0-0", [row("f3", "f7"), ring("a2")], { ask: "over", side: "w" }, "blitz"],
    ["a draw", "2bw/4bbw/5www/bbwwwbbbB/wwbwbwwWWB/bbwwbbwBW/6wwbw/5bbbw/4wwb1/3wbw1/1bwb w 2-2", [], { ask: "over", side: "w" }],
  ]) assert.deepEqual(turnSteps(viewOf(position, rules), rules, prefix)?.prompt, prompt, name);
});

test("a run of six is removed row by row, and its rings in the order of the points", () => {
  const view = viewOf("W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "standard");
  const { steps } = turnSteps(view, "standard", []);
  assert.deepEqual(steps.map(({ row, points }) => [row, points.length]), [[["f3", "f7"], 5], [["f4", "f8"], 5]]);
  const next = turnSteps(view, "standard", [steps[1]]);
  assert.deepEqual(next.steps, ["a2", "b1", "c1"].map((from) => ({ do: "ring", from })));
  assert.deepEqual([next.view.points.f3, next.view.points.f4, next.view.pool], ["w", undefined, view.pool + 5]);
});

test("rows are offered by direction, and then by their lower end", () => {
  const rows = turnSteps(viewOf("W3/W6/W7/3w5/W3w5/2wwwww2/5w4/5w3/B7/B6/BBB1 w 1-0", "standard"), "standard", []).steps;
  assert.deepEqual(rows.map(({ row }) => row.join("-")), ["f4-f8", "d4-h8"]);
});

test("steps that are not possible begin no turn", () => {
  const view = viewOf(START, "standard");
  for (const prefix of [[{ do: "place", to: "f6" }, { do: "place", to: "f7" }], [{ do: "row" }], [{ do: "dance" }], [{ do: "place", to: "z9" }]]) assert.equal(turnSteps(view, "standard", prefix), null);
});
