// Tests of the page's parts that need no browser: node --test page/_test/
// Folders that begin with an underscore are not embedded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DIRECTIONS, handleSpot, lines, nearest, neighbour, place, points, span } from "../board/geometry.js";
import { parts } from "../board/notation.js";
import { Entry } from "../board/entry.js";
import { runs } from "../board/marks.js";
import { readLink } from "../game/address.js";
import { clockText } from "../game/clock.js";
import { TurnNode, address, find, pack, unpack } from "../game/tree.js";
import { chance, forWhite, isMeasured, scoreText } from "../scores.js";
import { turningPoints } from "../parts/review/summary.js";

// Browsers have this event; Node.js has it from version 19 on.
globalThis.CustomEvent ??= class extends Event {
  constructor(name, { detail } = {}) {
    super(name);
    this.detail = detail;
  }
};

test("the board has 85 points, 222 pairs of neighbours and 33 lines", () => {
  assert.equal(points.length, 85);
  const pairs = points.flatMap((point) => DIRECTIONS.map((d) => neighbour(point, ...d)).filter(Boolean).map((next) => [point, next]));
  assert.equal(pairs.length, 222);
  assert.equal(lines().length, 33);
  for (const [a, b] of pairs) {
    const distance = Math.hypot(place(a).x - place(b).x, place(a).y - place(b).y);
    assert.ok(Math.abs(distance - 100) < 1e-9, `${a} to ${b} is ${distance}`);
  }
});

test("a place belongs to the nearest point within half a step", () => {
  const { x, y } = place("e4");
  assert.equal(nearest(x + 30, y - 30), "e4");
  assert.equal(nearest(600, 600), null);
});

test("the handles of all 123 windows are apart", () => {
  const spots = [];
  for (const [a, b] of lines()) {
    const all = span(a.name, b.name);
    for (let i = 0; i + 5 <= all.length; i++) spots.push(handleSpot(all.slice(i, i + 5)));
  }
  assert.equal(spots.length, 123);
  for (const [i, a] of spots.entries()) {
    for (const b of spots.slice(i + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 40);
  }
});

test("turns are read as their parts", () => {
  assert.deepEqual(parts("xe7-i11xd9;i7-i11;xi6-i10xh4"), [
    { do: "take", row: ["e7", "i11"], ring: "d9" },
    { do: "move", from: "i7", to: "i11" },
    { do: "take", row: ["i6", "i10"], ring: "h4" },
  ]);
  for (const [word, count] of Object.entries({ f6: 1, "e4-e10": 1, "e4 e10": 1, pass: 1, "xe7-i11xd9; pass": 2, "f6;;g7": 1, "": 0, l4: 0, e12: 0, "e4-": 0, hello: 0 })) assert.equal(parts(word).length, count, word);
});

test("windows that overlap are one run, crossing ones are two", () => {
  const window = (a, b) => span(a, b);
  const found = runs([window("e3", "e7"), window("e4", "e8"), window("c6", "g6")]);
  assert.deepEqual(found, [span("e3", "e8"), span("c6", "g6")]);
});

test("a link is read back", () => {
  assert.deepEqual(readLink("#rules=blitz&turns=f6,e4-e10;xb3-b7xb2&at=1"), {
    path: { rules: "blitz", start: "startpos", turns: ["f6", "e4-e10;xb3-b7xb2"] },
    at: 1,
  });
  assert.equal(readLink("#start=4/7_b_0-0").path.start, "4/7 b 0-0");
  assert.equal(readLink("#board"), null);
});

test("clocks show tenths in the last ten seconds", () => {
  assert.equal(clockText(9940), "9.9");
  assert.equal(clockText(61000), "1:01");
  assert.equal(clockText(3601000), "1:00:01");
});

test("a tree is the same after packing, and its addresses too", () => {
  const root = new TurnNode("", null);
  const first = root.play("f6", true).play("e5", true);
  first.comment = "hm";
  const other = root.children[0].play("g7", false).play("c3", false);
  const again = unpack(JSON.parse(JSON.stringify(pack(root))));
  assert.deepEqual(pack(again), pack(root));
  assert.equal(find(again, address(other)).turn, "c3");
  assert.equal(find(again, address(first)).comment, "hm");
});

test("a new main turn goes before its variations, and promoting moves one there", () => {
  const root = new TurnNode("", null);
  root.play("f6", true);
  const later = root.play("e5", true);
  assert.deepEqual(root.children.map(({ turn }) => turn), ["e5", "f6"]);
  root.children[1].promote();
  assert.deepEqual(root.children.map(({ turn }) => turn), ["f6", "e5"]);
  assert.ok(!later.onMainLine);
});

test("scores are White's, and their words follow the protocol", () => {
  assert.deepEqual(forWhite({ cp: 30 }, "b"), { cp: -30 });
  assert.deepEqual(forWhite({ mate: 3 }, "b"), { mate: -3 });
  assert.equal(scoreText({ cp: 35 }), "+0.35");
  assert.equal(scoreText({ mate: -4 }), "−#4");
  assert.equal(Math.round(chance({ cp: 100 }) * 100), 73);
});

const row = (a, b) => ({ do: "row", row: [a, b], points: span(a, b) });

async function entryWith(...answers) {
  // When the answers run out, the turn waits for nothing.
  const view = { side: "w" };
  const entry = new Entry({ steps: async () => ({ view, prompt: "", complete: null, steps: [], ...answers.shift() }) });
  await entry.begin({}, null);
  return entry;
}

test("presses narrow rows down and never cancel", async () => {
  const rows = [row("e3", "e7"), row("e4", "e8"), row("c6", "g6")];
  const entry = await entryWith({ steps: rows }, { steps: [], complete: "x" });
  assert.equal(entry.press("e6", false), "narrowed");
  assert.equal(entry.choices.length, 3);
  assert.equal(entry.press("e4", false), "narrowed");
  assert.deepEqual(entry.choices, rows.slice(0, 2));
  assert.equal(entry.press("d6", false), "chosen");
  assert.equal(entry.press("k8", false), "wrong");
  assert.equal(entry.shownRow, rows[2]);
  assert.equal(entry.press("d6", false), "done");
});

test("a single row is shown but waits to be confirmed", async () => {
  const entry = await entryWith({ steps: [row("e3", "e7")] });
  assert.ok(entry.chosen);
  assert.equal(entry.prefix.length, 0);
  assert.ok(entry.confirm());
  assert.equal(entry.prefix.length, 1);
});

test("a careful press on a ring to take off wants a second one", async () => {
  const entry = await entryWith({ steps: [{ do: "ring", from: "e4" }, { do: "ring", from: "f5" }] });
  assert.equal(entry.press("e4", true), "confirm");
  assert.equal(entry.press("e4", true), "done");
});

test("a row is off the board while its ring is being chosen", async () => {
  const points = Object.fromEntries([...span("e3", "e7"), "f6"].map((point) => [point, "w"]));
  const steps = [{ do: "ring", from: "a2" }, { do: "ring", from: "a3" }];
  const entry = await entryWith({ steps, taking: ["e3", "e7"], view: { side: "w", points, pool: 45 } });
  assert.deepEqual(entry.now.view.points, { f6: "w" });
  assert.equal(entry.now.view.pool, 50);
});

test("a press beside the targets keeps the ring picked, and Esc lets it go", async () => {
  const entry = await entryWith({ steps: [{ do: "move", from: "e4", to: "e5" }] });
  assert.equal(entry.press("e4", false), "picked");
  assert.equal(entry.press("a2", false), "wrong");
  assert.equal(entry.press("e4", false), "picked");
  assert.ok(entry.back());
  assert.equal(entry.picked, null);
  assert.ok(!entry.back());
});

test("what a turn lost is known, or was not told by an earlier version", () => {
  assert.ok(isMeasured({ label: "", lost: 0, accuracy: 100, missedRow: false, best: "" }));
  assert.ok(isMeasured({ label: "blunder", lost: 99, accuracy: 0, missedRow: false, best: "" }));
  assert.ok(!isMeasured({ label: "blunder", lost: 0, accuracy: 0, missedRow: false, best: "" }));
  assert.ok(!isMeasured(null));
});

test("a game turns by mistakes after which the other side is ahead", () => {
  const scores = [30, 80, 90, -200, -210, -300, 50, 45];
  const labels = ["", "", "blunder", "", "inaccuracy", "mistake", "mistake"];
  const nodes = [{ score: { cp: scores[0] } }];
  labels.forEach((label, i) => nodes.push({ ply: i + 1, parent: nodes[i], score: { cp: scores[i + 1] }, finding: { label, lost: 10 * i } }));
  assert.deepEqual(turningPoints(nodes.slice(1)).map(({ ply }) => ply), [3, 6]);
});

test("settings hold for the visit where the browser can keep no more", async () => {
  const kept = { "gyre.settings": JSON.stringify({ sound: false, lines: "3" }) };
  let full = true;
  const storage = { getItem: (key) => kept[key] ?? null, setItem: (key, value) => { if (full) throw new Error("full"); kept[key] = value; } };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  globalThis.dispatchEvent = () => true;
  const { saveSettings, settings } = await import("../game/settings.js");
  saveSettings({ sound: true });
  assert.deepEqual(settings(), { sound: true, lines: "3" });
  full = false;
  saveSettings({ coach: true });
  assert.deepEqual(JSON.parse(kept["gyre.settings"]), { sound: true, lines: "3", coach: true });
  kept["gyre.settings"] = JSON.stringify({ sound: false });
  assert.deepEqual(settings(), { sound: false });
});
