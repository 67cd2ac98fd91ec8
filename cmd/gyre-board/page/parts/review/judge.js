// A turn judged by itself: what it lost, by the measure of a review.

import { forWhite } from "../../scores.js";

/**
 * Has an engine judge a turn.
 * @param {import("../../link/searches.js").Searches} searches
 * @param {string} engine
 * @param {import("../../_types/messages").View} before the position in which it is played
 * @param {string} turn
 * @param {number} nodes positions that the engine looks at for each of the two, before the
 *   turn and after it
 * @param {string} [game] the game it is of, by its id
 * @returns {{verdict: Promise<import("../../_types/messages").VerdictView|null>, stop: () => void}} null
 *   where the engine cannot tell
 */
export function judge(searches, engine, before, turn, nodes, game = "one turn") {
  let search;
  const verdict = new Promise((resolve) => {
    let found = null;
    const path = { rules: before.rules, start: before.position, turns: [turn] };
    search = searches.begin("review", { engine, path, nodes, game }, {
      review: (event) => (found = event.turn),
      reviewed: () => resolve(found),
      failed: () => resolve(null),
      quiet: true,
    });
  });
  return { verdict, stop: () => search.stop() };
}

/**
 * What is kept of a verdict with its turn.
 * @param {import("../../_types/messages").VerdictView} verdict
 * @returns {import("../../_types/messages").Finding}
 */
export function findingOf({ turn, best, lost, accuracy, label, missedRow }) {
  return { label, lost, accuracy, missedRow, best: best[0] === turn ? "" : best[0], line: label ? best : undefined };
}

/**
 * Puts down what was found about a turn. Scores come as those of the side that played.
 * @param {import("../../game/tree.js").TurnNode} node where the turn led to
 * @param {import("../../_types/messages").VerdictView} verdict
 */
export function applyVerdict(node, verdict) {
  const { before, after, side } = verdict;
  node.finding = findingOf(verdict);
  if (before) node.parent.score = forWhite(before, side);
  if (after) node.score = forWhite(after, side);
}

/**
 * What a turn lost, in words.
 * @param {{lost: number}} finding
 */
export function lostText({ lost }) {
  return lost >= 0.5 ? `loses ${Math.round(lost)} %` : "loses nothing";
}
