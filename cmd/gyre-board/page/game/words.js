// What the rules say in words: what to do next, what a turn did, how a game ended.

import { parseTurn } from "../../../../position/drawing/geometry.js";
import { has, sideName, t } from "../language.js";
import { SIDES, YOU } from "./game.js";

/**
 * What the player must do next, a sentence.
 * @param {import("../../../../position/drawing/rules.js").Prompt} prompt
 * @param {[number, number]} removed the rings that White and Black have removed
 */
export function promptText({ ask, side, number = 0, of = 0 }, removed) {
  if (ask === "over") return resultText(null, removed);
  return t(`ask-${ask}`, { side, number, count: of });
}

/**
 * A step in a few words.
 * @param {import("../../../../position/drawing/rules.js").Step} step
 */
export function stepText({ do: what, from = "", to = "", row = ["", ""] }) {
  return t(`step-${what}`, { from, to, first: row[0], last: row[1] });
}

/**
 * What a turn did, a sentence.
 * @param {import("../link/link.js").Played} turn
 * @param {import("../../../../position/drawing/rules.js").View} [view] the position after it; the result follows if the game is over
 */
export function turnText({ side, acts }, view) {
  const texts = [];
  for (const [i, { do: what, from = "", to = "", row = ["", ""], flips = [] }] of acts.entries()) {
    if (what !== "ring") texts.push(t(`act-${what}`, { from, to, first: row[0], last: row[1], ring: acts[i + 1]?.from ?? "", count: flips.length }));
  }
  const text = t("turn-sentence", { side, acts: texts.join(", ") });
  return view?.over ? `${text} ${resultText(null, view.removed)}` : text;
}

/** The move of a turn in notation, without what it removes. @param {string} turn */
export function moveOf(turn = "") {
  return turn.split(";").find((part) => !part.startsWith("x")) ?? turn;
}

/**
 * A turn as part of a sentence: "f5 to h7, then removing the row c5 to g5 and the ring on b2".
 * @param {string} turn
 */
export function turnName(turn) {
  const names = parseTurn(turn).map(({ do: what, from = "", to = "", row: [first, last] = ["", ""], ring = "" }) => (
    what === "place" ? to : t(`step-${what}`, { from, to, first, last, ring })));
  return names.join(`${t("step-then")} `);
}

/**
 * A turn's move as part of a sentence, or the turn if others have the same move.
 * @param {string} turn
 * @param {...(string|undefined)} others
 */
export function moveName(turn, ...others) {
  const move = moveOf(turn);
  return turnName(others.some((other) => moveOf(other) === move) ? turn : move);
}

/**
 * How a game ended, a sentence.
 * @param {import("../_types/messages").End|null} end an end that the board does not show
 * @param {number[]} removed the rings that White and Black have removed
 */
export function resultText(end, [white, black]) {
  const args = { most: Math.max(white, black), least: Math.min(white, black) };
  if (!end) return white === black ? t("result-draw", args) : t("result-wins", { side: white > black ? "w" : "b", ...args });
  const why = { "time forfeit": "time", resignation: "resignation" }[end.why];
  if (end.winner !== "w" && end.winner !== "b") return t("result-draw-by", { why: end.why });
  if (!why) return t("result-wins-by", { side: end.winner, why: end.why });
  return t(`result-${why}`, { side: end.winner, loser: sideName(end.winner === "w" ? "b" : "w") });
}

/**
 * The name of a level in the page's language. Engines' own levels keep their names.
 * @param {string} level
 */
export function levelName(level) {
  return has(`level-${slug(level)}`) ? t(`level-${slug(level)}`) : level;
}

/**
 * The name of a player as a game has it, in the page's language: "Gyre, Beginner", "You". In the
 * titles of games, players without a name have that of their side.
 * @param {string} name
 */
export function playerText(name) {
  if (name === YOU) return t("you");
  if (name === SIDES.w || name === SIDES.b) return sideName(name === SIDES.w ? "w" : "b");
  const [engine, level] = name.split(", ");
  return level ? `${engine}, ${levelName(level)}` : name;
}

/**
 * What a level can do, or "".
 * @param {string} level
 */
export function aboutLevel(level) {
  return has(`about-level-${slug(level)}`) ? t(`about-level-${slug(level)}`) : "";
}

function slug(level) {
  return level.toLowerCase().replaceAll(" ", "-");
}
