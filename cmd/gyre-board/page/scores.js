// Formatting scores and numbers. Scores on the page are always White's: above zero,
// White is ahead, whoever is to move.

import { numberText, percent, percentText, t } from "./language.js";

/**
 * Exactly one of the two is set.
 * @typedef {{cp?: number, mate?: number}} Score
 */

/**
 * Converts a score of the side to move to White's.
 * @param {Score} score
 * @param {"w"|"b"} side the side to move
 */
export function forWhite(score, side) {
  if (side === "w") return score;
  return "mate" in score ? { mate: -score.mate } : { cp: -score.cp };
}

/**
 * White's expected share of the points, from 0 to 1. The protocol defines
 * cp N as 1 / (1 + e^(-N/100)).
 * @param {Score} score White's
 */
export function chance(score) {
  if ("mate" in score) return score.mate >= 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / 100));
}

/**
 * A score in short form: "+0.35", "+#5".
 * @param {Score} score White's
 */
export function scoreText(score) {
  if ("mate" in score) return `${score.mate >= 0 ? "+" : "−"}#${Math.abs(score.mate)}`;
  const value = numberText(Math.abs(score.cp) / 100, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return Math.round(score.cp) === 0 ? value : `${score.cp > 0 ? "+" : "−"}${value}`;
}

/**
 * White's chances in short form: "62%".
 * @param {Score} score White's
 */
export function chanceText(score) {
  return percentText(chance(score));
}

/**
 * A score in words: "White wins in 5 turns", "White's chances: 62%".
 * @param {Score} score White's
 */
export function scoreWords(score) {
  if ("mate" in score) return t("wins-in", { side: score.mate >= 0 ? "w" : "b", count: Math.abs(score.mate) });
  return t("white-chances", { share: percent(chance(score)) });
}

/**
 * A large number in short form: "950", "12.3 k", "4.56 M".
 * @param {number} count
 */
export function countText(count) {
  if (count < 1000) return String(count);
  const [unit, sign] = count < 1e6 ? [1e3, "k"] : count < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const digits = count < 1e6 ? Number(count < 1e5) : count < 1e9 && count >= 1e8 ? 0 : 2;
  return `${numberText(count / unit, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${sign}`;
}

/**
 * Formats points: "½", "2½".
 * @param {number} points in halves
 */
export function pointsText(points) {
  return String(points).replace(".5", "½").replace(/^0½/, "½");
}
