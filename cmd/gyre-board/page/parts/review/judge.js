// Judging a single turn: what it lost, measured as in a review. A turn gets its label from the program
// (package bench/review), once a check confirms the loss, and from nowhere else.

import { forWhite } from "../../scores.js";
import { numberText, percent, t } from "../../language.js";

/**
 * Judges turns, one at a time.
 * @param {Pick<import("../../_types/page").Page["analysis"], "borrow">} analysis
 */
export function judgeOf(analysis) {
  let latest = 0;
  let end = () => {};

  /** Ends the judgment in progress, if there is one. */
  const stop = () => {
    latest++;
    end();
  };

  /**
   * Asks an engine to judge a turn. The analysis leaves the engine alone meanwhile.
   * @param {string} engine
   * @param {import("../../../../../position/drawing/rules.js").View} before the position in which it is played
   * @param {string} turn
   * @param {number} nodes for each position, as in a review
   * @param {{game?: string, better?: string}} [how] the id of its game, and a turn to compare it with
   *   instead of the engine's
   * @returns {Promise<import("../../_types/messages").VerdictView|null|undefined>} null if the engine cannot
   *   tell; undefined if the judgment was ended meanwhile, for example by a later one
  */
  const judge = async (engine, before, turn, nodes, { game = "one turn", better } = {}) => {
    stop();
    const asked = latest;
    const path = { rules: before.rules, start: before.position, turns: [turn] };
    const verdict = await new Promise((resolve) => {
      let found = null;
      const giveBack = analysis.borrow("review", { engine, path, nodes, game, better }, {
        review: (event) => (found = event.turn),
        reviewed: () => resolve(found),
        failed: () => resolve(null),
        quiet: true,
      });
      end = () => {
        giveBack();
        resolve(undefined);
      };
    });
    if (asked !== latest) return undefined;
    end();
    return verdict;
  };

  return { judge, stop };
}

/**
 * The part of a verdict that is stored with the turn.
 * @param {import("../../_types/messages").VerdictView} verdict
 * @returns {import("../../_types/messages").Finding}
 */
export function findingOf({ turn, best, lost, accuracy, label, missedRow }) {
  return { label, lost, accuracy, missedRow, best: best[0] === turn ? "" : best[0], line: label ? best : undefined };
}

/**
 * Stores a verdict in a node, unless a check must confirm it first. Scores are from the side that played.
 * @param {import("../../game/tree.js").TurnNode} node the position after the turn
 * @param {import("../../_types/messages").VerdictView} verdict
 */
export function applyVerdict(node, verdict) {
  const { before, after, side, doubtful } = verdict;
  node.finding = doubtful ? null : findingOf(verdict);
  if (before) node.parent.score = forWhite(before, side);
  if (after) node.score = forWhite(after, side);
}

/**
 * A turn's loss in words.
 * @param {{lost: number}} finding
 */
export function lostText({ lost }) {
  return t("turn-lost", { share: percent(lost / 100) });
}

// What both the review of a game and that of several show.

/** The usual depth, in nodes per position. */
export const NORMAL = "100000";

/** The choice of a depth. @param {string} value @returns {import("../sheet/sheet.js").Block} */
export function depthChoice(value) {
  return { choice: t("review-depth"), options: [["20000", t("depth-quick")], [NORMAL, t("depth-normal")], ["500000", t("depth-thorough")]], value };
}

/** A share in percent with one digit after the point. @param {number} percent */
export function tenthsText(percent) {
  return numberText(percent / 100, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
