// Tests of reading files of games: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Game } from "../game/game.js";
import { formOf, gamesOf, importer, isBackup, isBinary, looksLikeJSON, piecesOf, restore } from "../parts/games/files.js";

test("a picture is not text; a name with accents is", () => {
  assert.ok(isBinary("\ufffdPNG\r\n\x1a\n\0\0\0\rIHDR"));
  assert.ok(!isBinary('[White "J\u00f6rg"]\r\n\t1.f6 {cut \ufffd'));
});

test("JSON is distinguished from a record that begins with a comment, and a backup from a log", () => {
  const backup = '{"format":"gyre games 1","games":[\n{"comment":"logs"}]}';
  const log = '\n { "status": 1, "data": {"logs": []}}';
  const record = '{"Good" he said: "logs"} [White "A"]\nf6 e5';
  assert.deepEqual([backup, log, record].map(looksLikeJSON), [true, true, false]);
  assert.deepEqual([backup, log, record].map(isBackup), [true, false, false]);
});

test("the server knows the same logs", async () => {
  const table = JSON.parse(await readFile(new URL("../../../../position/bga/testdata/beginnings.json", import.meta.url), "utf8"));
  for (const [text, looks] of table) assert.equal(looksLikeJSON(text), looks, JSON.stringify(text));
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

test("a running game in a backup is imported as a copy, and only once", async () => {
  const players = () => ({ w: { kind: "person" }, b: { kind: "engine", engine: "Gyre" } });
  const [goesOn, over] = ["f6", "e5"].map((turn) => {
    const game = new Game(/** @type {any} */ ({ players: players() }));
    game.live = game.at = game.root.play(turn, true);
    return game;
  });
  over.playing = false;
  const text = JSON.stringify({ format: "gyre games 1", games: [goesOn, over] });
  const bring = (store) => restore(text, /** @type {any} */ ({ ask: async () => "" }), () => {}, () => false, /** @type {any} */ (store));
  const store = storeOf();
  assert.deepEqual(await bring(store), { same: 0, errors: [] });
  assert.deepEqual(store.values.map(({ tags }) => tags), [[["Help", "a copy"]], []]);
  assert.deepEqual(await bring(store), { same: 2, errors: [] });
  const here = storeOf(goesOn, over);
  assert.deepEqual(await bring(here), { same: 2, errors: [] });
  assert.deepEqual([store.values.length, here.values.length], [2, 2]);
});

async function cut(text) {
  const all = [];
  for await (const piece of piecesOf(new Blob([text]), "utf-8", () => {})) all.push(piece);
  return all;
}

test("a large file is read in pieces of whole records, with their line numbers", async () => {
  const record = (i) => `[White "A${i}"]\n[Note "{"]\n\n1.f6 {a\n[no tag]\n} 2.e5 *\n\n`;
  const text = Array.from({ length: 3000 }, (_, i) => record(i)).join("");
  const pieces = await cut(text);
  assert.equal(pieces.map((piece) => piece.text).join(""), text);
  assert.ok(pieces.length > 3 && pieces.every((piece) => piece.text.length < 70_000 && piece.text.startsWith("[White")));
  let lines = 1;
  for (const piece of pieces) {
    assert.equal(piece.line, lines);
    lines += piece.text.split("\n").length - 1;
  }
  const games = pieces.flatMap(gamesOf);
  assert.equal(games.length, 3000);
  assert.equal(games[2].line, 15);
});

test("SGF is split where trees begin, whatever its texts contain", async () => {
  const text = "(;SU[Yinsh]\n;C[a \\] (\n(])\n\n(;SU[Yinsh])\n";
  assert.deepEqual(gamesOf({ text, line: 7 }).map(({ line: at }) => at), [7, 11]);
});

test("data that is not text of games is rejected early", async () => {
  await assert.rejects(cut("x".repeat(4_000_000)), /too long/);
});

/** The bytes of a text of which each character is one. */
const bytes = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test("files are read in the encoding that they have, else in the one that they name, else in Windows-1252", async () => {
  const name = (text) => `(;SU[Yinsh]P0[id "${text}"])`;
  const utf8 = new TextEncoder().encode(name("Jörg"));
  for (const [content, form, text] of [
    [utf8, "utf-8", "Jörg"],
    [new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]), "utf-8", "Jörg"],
    [bytes(name("J\xf6rg")), "windows-1252", "Jörg"],
    [bytes(`(;CA[UTF-8]${name("J\xf6rg")}`), "windows-1252", "Jörg"],
    [bytes(`(;CA[windows-1251]${name("\xc0\xed\xed\xe0")}`), "windows-1251", "Анна"],
    [bytes(`(;CA[nothing known]${name("J\xf6rg")}`), "windows-1252", "Jörg"],
  ]) {
    const blob = new Blob([/** @type {BlobPart} */ (content)]);
    assert.equal(await formOf(blob), form);
    const pieces = [];
    for await (const piece of piecesOf(blob, form, () => {})) pieces.push(piece.text);
    assert.match(pieces.join(""), new RegExp(`id "${text}"`));
  }
});

test("compressed files and UTF-16 are named, and what was skipped is listed with its file and line", async () => {
  const link = { ask: async () => ({ games: [], skipped: [{ message: "", where: "line 3", fault: { code: "no-value", values: { name: "CM" } } }] }) };
  const errorsOf = async (content) => (await importer(/** @type {any} */ (link), () => {}).read([{ name: "a.sgf", blob: new Blob([content]) }])).errors;
  assert.deepEqual(await errorsOf(bytes("\x1f\x8b\x08")), ["a.sgf: This file is compressed. Extract it first."]);
  assert.deepEqual(await errorsOf(bytes("\xff\xfe(\0")), ["a.sgf: This file is UTF-16. Save it as UTF-8."]);
  assert.deepEqual(await errorsOf("(;SU[Yinsh]\n;CM\n)"), ["a.sgf: line 3: the property CM has no value"]);
});
