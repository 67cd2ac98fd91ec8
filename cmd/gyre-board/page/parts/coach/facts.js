// What is good or bad about a turn, in words. The facts follow from the rules; the program
// finds them (internal/coach).

import { moveName, turnName } from "../../game/words.js";
import { listText, sideName, t } from "../../language.js";

/** @typedef {import("../../_types/messages").Fact} Fact */

/** The number of four markers in a row before and after a turn decides the words. */
const FOURS = ["loses-fours", "gains-fours"];

/**
 * A fact, a sentence.
 * @param {Fact} fact
 */
export function factText({ kind, side, turn = "", rows = [], rings = [], had = 0, left = 0 }) {
  const opponent = sideName(side === "w" ? "b" : "w");
  const named = listText(rows.map(([first, last]) => t("row-ends", { first, last })));
  const args = { side, opponent, turn: had ? turnName(turn) : moveName(turn), count: rows.length, rows: named, rings: listText(rings), had, left };
  if (FOURS.includes(kind)) return had && left ? t("fours-change", args) : had ? t("fours-lost", args) : t("fours-new", args);
  return t(`fact-${kind}`, args);
}

/**
 * Facts as one text.
 * @param {Fact[]} [facts]
 */
export function factsText(facts = []) {
  return facts.map(factText).join(" ");
}
