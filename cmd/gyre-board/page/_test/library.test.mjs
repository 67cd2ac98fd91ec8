// Tests of finding games in the list: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../game/game.js";
import { outcomeOf } from "../parts/games/gamelist.js";
import { playersOf } from "../parts/games/library.js";
import { boardAfter } from "../parts/miniature.js";

test("players with a dash in their names are those of the game", () => {
  const people = { w: { kind: "person" }, b: { kind: "person" } };
  const game = new Game(/** @type {any} */ ({ players: people, tags: [["White", "Ann"], ["Black", "Bob – Cy"]] }));
  assert.deepEqual(playersOf(/** @type {any} */ (game.toJSON())), ["Ann", "Bob – Cy"]);
});

test("a row of the list says how a game ended: for the person here, or who won", () => {
  for (const [head, kind, text] of /** @type {const} */ ([
    [{ outcome: "w", own: "w" }, "won", "won"],
    [{ outcome: "w", own: "b" }, "lost", "lost"],
    [{ outcome: "d", own: "b" }, "drawn", "drawn"],
    [{ outcome: "b", own: "" }, "wins-b", "Black won"],
    [{ outcome: "w", own: "" }, "wins-w", "White won"],
    [{ outcome: "", own: "w" }, "", ""],
    [{ own: "w" }, "", ""],
  ])) {
    assert.deepEqual(outcomeOf(/** @type {any} */ (head)), { kind, text }, JSON.stringify(head));
  }
});

test("the picture of a row shows the position after the turns of the game", () => {
  assert.deepEqual(boardAfter({ rules: "standard", start: "startpos", turns: ["f6", "e5"] }).points, { f6: "W", e5: "B" });
  const { points, removed } = boardAfter({ rules: "standard", start: "4/W6/8/9/4Wwwww1/9/10/9/8/6B/BBBB w 1-0", turns: ["b1-c2", "j11-j10"] });
  assert.deepEqual([points.b1, points.c2, points.j11, removed], ["w", "W", "b", [1, 0]]);
});
