// Tests of turns in words, in every language: node --test page/_test/

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const page = new URL("../", import.meta.url);
const languages = readdirSync(new URL("language/", page)).sort();

// Runs a module body with the messages of a language. It prints JSON.
function speaking(language, body, input) {
  const messages = ["page", "parts"].map((name) => readFileSync(new URL(`language/${language}/${name}.ftl`, page), "utf8")).join("\n");
  const code = `
    globalThis.document = { documentElement: { lang: ${JSON.stringify(language)}, dataset: { languages: "" } } };
    globalThis.firstMessages = ${JSON.stringify(messages)};
    const input = ${JSON.stringify(input)};
    const words = await import(${JSON.stringify(new URL("game/words.js", page).href)});
    const facts = await import(${JSON.stringify(new URL("parts/coach/facts.js", page).href)});
    console.log(JSON.stringify(${body}));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module"], { encoding: "utf8", input: code }));
}

/** Each kind of turn, and its words. */
const TURNS = {
  "f6": { en: "f6", de: "f6", es: "f6", fr: "f6", nl: "f6", pl: "f6" },
  "e4-e8": { en: "e4 to e8", de: "e4 nach e8", es: "e4 a e8", fr: "e4 à e8", nl: "e4 naar e8", pl: "e4 na e8" },
  "pass": { en: "Pass", de: "Passen", es: "Pasar", fr: "Passe", nl: "Passen", pl: "Pas" },
  "f5-h7;xc5-g5xb2": {
    en: "f5 to h7, then removing the row c5 to g5 and the ring on b2",
    de: "f5 nach h7, dann Entfernen der Reihe c5 bis g5 und des Rings auf b2",
    es: "f5 a h7, luego retirada de la fila de c5 a g5 y del anillo en b2",
    fr: "f5 à h7, puis retrait de l’alignement de c5 à g5 et de l’anneau en b2",
    nl: "f5 naar h7, dan verwijderen van de rij c5 t/m g5 en de ring op b2",
    pl: "f5 na h7, potem zdjęcie rzędu od c5 do g5 i pierścienia z b2",
  },
  "d8-h8;xd4-d8xb2;xg4-g8xb6": {
    en: "d8 to h8, then removing the row d4 to d8 and the ring on b2, then removing the row g4 to g8 and the ring on b6",
    de: "d8 nach h8, dann Entfernen der Reihe d4 bis d8 und des Rings auf b2, dann Entfernen der Reihe g4 bis g8 und des Rings auf b6",
    es: "d8 a h8, luego retirada de la fila de d4 a d8 y del anillo en b2, luego retirada de la fila de g4 a g8 y del anillo en b6",
    fr: "d8 à h8, puis retrait de l’alignement de d4 à d8 et de l’anneau en b2, puis retrait de l’alignement de g4 à g8 et de l’anneau en b6",
    nl: "d8 naar h8, dan verwijderen van de rij d4 t/m d8 en de ring op b2, dan verwijderen van de rij g4 t/m g8 en de ring op b6",
    pl: "d8 na h8, potem zdjęcie rzędu od d4 do d8 i pierścienia z b2, potem zdjęcie rzędu od g4 do g8 i pierścienia z b6",
  },
  "xf2-f6xj10;d4-d6": {
    en: "removing the row f2 to f6 and the ring on j10, then d4 to d6",
    de: "Entfernen der Reihe f2 bis f6 und des Rings auf j10, dann d4 nach d6",
    es: "retirada de la fila de f2 a f6 y del anillo en j10, luego d4 a d6",
    fr: "retrait de l’alignement de f2 à f6 et de l’anneau en j10, puis d4 à d6",
    nl: "verwijderen van de rij f2 t/m f6 en de ring op j10, dan d4 naar d6",
    pl: "zdjęcie rzędu od f2 do f6 i pierścienia z j10, potem d4 na d6",
  },
  "xf2-f6xj10;f5-h7;xc5-g5xb2": {
    en: "removing the row f2 to f6 and the ring on j10, then f5 to h7, then removing the row c5 to g5 and the ring on b2",
    de: "Entfernen der Reihe f2 bis f6 und des Rings auf j10, dann f5 nach h7, dann Entfernen der Reihe c5 bis g5 und des Rings auf b2",
    es: "retirada de la fila de f2 a f6 y del anillo en j10, luego f5 a h7, luego retirada de la fila de c5 a g5 y del anillo en b2",
    fr: "retrait de l’alignement de f2 à f6 et de l’anneau en j10, puis f5 à h7, puis retrait de l’alignement de c5 à g5 et de l’anneau en b2",
    nl: "verwijderen van de rij f2 t/m f6 en de ring op j10, dan f5 naar h7, dan verwijderen van de rij c5 t/m g5 en de ring op b2",
    pl: "zdjęcie rzędu od f2 do f6 i pierścienia z j10, potem f5 na h7, potem zdjęcie rzędu od c5 do g5 i pierścienia z b2",
  },
  // The last ring: the row that the opponent made ends the game.
  "xf2-f6xj10": {
    en: "removing the row f2 to f6 and the ring on j10",
    de: "Entfernen der Reihe f2 bis f6 und des Rings auf j10",
    es: "retirada de la fila de f2 a f6 y del anillo en j10",
    fr: "retrait de l’alignement de f2 à f6 et de l’anneau en j10",
    nl: "verwijderen van de rij f2 t/m f6 en de ring op j10",
    pl: "zdjęcie rzędu od f2 do f6 i pierścienia z j10",
  },
};

/** The points that a turn names, in order. */
const pointsOf = (text) => [...text.matchAll(/[a-k](?:1[01]|[1-9])/g)].map(([point]) => point).sort();

/** The notation of a move or a row. */
const NOTATION = /[a-k]\d+[-x]|x[a-k]\d/;

test("every kind of turn has words in every language, which name all of its points", () => {
  const turns = Object.keys(TURNS);
  for (const language of languages) {
    const names = speaking(language, "input.map(words.turnName)", turns);
    turns.forEach((turn, i) => {
      assert.equal(names[i], TURNS[turn][language], `${turn} in ${language}`);
      assert.deepEqual(pointsOf(names[i]), pointsOf(turn), `the points of ${turn} in ${language}`);
      assert.doesNotMatch(names[i], NOTATION);
    });
  }
});

test("a short name leaves out what is removed, unless another turn has the same move", () => {
  const [row, other] = ["f5-h7;xc5-g5xb2", "f5-h7;xc5-g5xb6"];
  const cases = [[row], [row, "e4-e8"], [row, other], [row, "e4-e8", other], ["f6"], ["xf2-f6xj10"]];
  const { en } = TURNS[row];
  const want = ["f5 to h7", "f5 to h7", en, en, "f6", TURNS["xf2-f6xj10"].en];
  assert.deepEqual(speaking("en", "input.map((turns) => words.moveName(...turns))", cases), want);
});

/** Sentences whose turn removes a row, before which a language may need another form. */
const SENTENCES = {
  en: ["Black can then win with removing the row f2 to f6 and the ring on j10.", "White could remove 2 rows instead of 1 with f5 to h7, then removing the row c5 to g5 and the ring on b2."],
  de: ["Schwarz kann danach mit Entfernen der Reihe f2 bis f6 und des Rings auf j10 gewinnen.", "Weiß konnte 2 Reihen statt 1 entfernen, mit f5 nach h7, dann Entfernen der Reihe c5 bis g5 und des Rings auf b2."],
};

test("a row in the middle of a sentence fits into it", () => {
  const facts = [{ kind: "loses-next", side: "w", turn: "xf2-f6xj10" }, { kind: "misses-row", side: "w", turn: "f5-h7;xc5-g5xb2", had: 1, left: 2 }];
  for (const [language, want] of Object.entries(SENTENCES)) assert.deepEqual(speaking(language, "input.map(facts.factText)", facts), want);
});

test("no fact about a turn shows its notation, in any language", () => {
  const kinds = ["loses-next", "opens-row", "leaves-row", "misses-row", "threatens"];
  const facts = kinds.flatMap((kind) => [0, 1].map((had) => ({ kind, side: "w", turn: "f5-h7;xc5-g5xb2", had, left: 1 })));
  for (const language of languages) {
    for (const text of speaking(language, "input.map(facts.factText)", facts)) assert.doesNotMatch(text, NOTATION, language);
  }
});
