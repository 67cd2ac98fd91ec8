// Tests of lines of engines and of files in pieces: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { gamesOf, piecesOf } from "../parts/games/pieces.js";
import { grouped, settled } from "../panels/enginelines.js";

const line = (depth, ...pv) => ({ depth, pv, score: { cp: 0 } });

test("while a new depth comes in, no turn is listed twice", () => {
  // The turn that was second is first at depth 6, and the old second line still stands.
  const lines = [line(6, "e4-e5"), line(5, "e4-e5"), line(5, "a2-a3")];
  assert.deepEqual(settled(lines).map(({ depth, pv }) => `${depth} ${pv[0]}`), ["6 e4-e5", "5 a2-a3"]);
  // It may also be that the old first line is not yet replaced.
  const other = [line(5, "e4-e5"), line(6, "e4-e5"), line(5, "a2-a3")];
  assert.deepEqual(settled(other).map(({ depth, pv }) => `${depth} ${pv[0]}`), ["6 e4-e5", "5 a2-a3"]);
});

test("lines that differ in what they take off are one", () => {
  const lines = [line(6, "f5-h7;xc5-g5xb2"), line(6, "f5-h7;xc5-g5xb6"), line(6, "a2-a3"), line(6, "f5-h7;xc5-g5xf1")];
  const found = grouped(lines);
  assert.deepEqual(found.map(({ pv, others }) => [pv[0], others.length]), [["f5-h7;xc5-g5xb2", 2], ["a2-a3", 0]]);
});

async function cut(text) {
  const all = [];
  for await (const piece of piecesOf(new Blob([text]), () => {})) all.push(piece);
  return all;
}

test("a large file comes in pieces of whole records, with the numbers of their lines", async () => {
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

test("trees of SGF are cut where they begin, whatever their texts hold", async () => {
  const text = "(;SU[Yinsh]\n;C[a \\] (\n(])\n\n(;SU[Yinsh])\n";
  assert.deepEqual(gamesOf({ text, line: 7 }).map(({ line: at }) => at), [7, 11]);
});

test("what is no text of games is not gathered without end", async () => {
  await assert.rejects(cut("x".repeat(4_000_000)), /too long/);
});
