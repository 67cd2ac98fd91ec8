// Tests of what an imported file is taken for, which need no browser: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../game/game.js";
import { isBackup, restore } from "../parts/games/backup.js";
import { looksLikeJSON } from "../parts/games/importing.js";

test("JSON is told from a record that begins with a comment, and a backup from a log", () => {
  const backup = '{"format":"gyre games 1","games":[\n{"comment":"logs"}]}';
  const log = '\n { "status": 1, "data": {"logs": []}}';
  const record = '{"Good" he said: "logs"} [White "A"]\nf6 e5';
  assert.deepEqual([backup, log, record].map(looksLikeJSON), [true, true, false]);
  assert.deepEqual([backup, log, record].map(isBackup), [true, false, false]);
});

// A store in which games are kept as the browser does.
function storeOf(...games) {
  const values = games.map((game) => game.toJSON());
  return {
    values,
    addGames: async (more) => void values.push(...more),
    listIds: async () => values.map(({ id }) => id),
    loadGame: async (id) => ({ value: values.find((value) => value.id === id), revision: 1 }),
    addResults: async () => {},
  };
}

test("a game that goes on is a copy where a backup brings it back, and comes only once", async () => {
  const players = () => ({ w: { kind: "person" }, b: { kind: "engine", engine: "Gyre" } });
  const [goesOn, over] = ["f6", "e5"].map((turn) => {
    const game = new Game(/** @type {any} */ ({ players: players() }));
    game.live = game.at = game.root.play(turn, true);
    return game;
  });
  over.playing = false;
  const text = JSON.stringify({ format: "gyre games 1", games: [goesOn, over] });
  const bring = (store) => restore(text, /** @type {any} */ ({ write: async () => "" }), () => {}, () => false, /** @type {any} */ (store));
  const store = storeOf();
  assert.deepEqual(await bring(store), { same: 0, errors: [] });
  assert.deepEqual(store.values.map(({ tags }) => tags), [[["Help", "a copy"]], []]);
  assert.deepEqual(await bring(store), { same: 2, errors: [] });
  const here = storeOf(goesOn, over);
  assert.deepEqual(await bring(here), { same: 2, errors: [] });
  assert.deepEqual([store.values.length, here.values.length], [2, 2]);
});
