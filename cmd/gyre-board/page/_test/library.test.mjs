// Tests of finding games in the list: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../game/game.js";
import { playersOf } from "../parts/games/library.js";

test("players with a dash in their names are those of the game; older games have them in the title", () => {
  const people = { w: { kind: "person" }, b: { kind: "person" } };
  const game = new Game(/** @type {any} */ ({ players: people, tags: [["White", "Ann"], ["Black", "Bob – Cy"]] }));
  assert.deepEqual(playersOf(/** @type {any} */ (game.toJSON())), ["Ann", "Bob – Cy"]);
  assert.deepEqual(playersOf(/** @type {any} */ ({ title: "Ann – Bob, blitz, 2026.01.01" })), ["Ann", "Bob"]);
  assert.deepEqual(playersOf(/** @type {any} */ ({ title: "old" })), []);
});
