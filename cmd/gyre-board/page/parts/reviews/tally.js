// What the reviews of several games come to, by player.

/**
 * @typedef {Object} Reviewed a game that was reviewed
 * @property {{w: string, b: string}} names
 * @property {Object<string, import("../../_types/messages").Summary>} review by side
 *
 * @typedef {Object} Tally of a player over all games
 * @property {string} name
 * @property {number} games
 * @property {number} turns
 * @property {number} accuracy the mean of that in the games, each weighted by its turns
 * @property {number} blunders
 * @property {number} mistakes
 * @property {number} inaccuracies
 * @property {number} missedRows
 */

const COUNTED = /** @type {const} */ (["turns", "blunders", "mistakes", "inaccuracies", "missedRows"]);

/**
 * Adds up by player, those of most games first. A player who had both sides of a game had
 * it once.
 * @param {Reviewed[]} games
 * @returns {Tally[]}
 */
export function tally(games) {
  /** @type {Map<string, Tally>} */
  const all = new Map();
  for (const { names, review } of games) {
    for (const side of /** @type {const} */ (["w", "b"])) {
      const summary = review[side];
      if (!summary?.turns) continue;
      const name = names[side];
      const sum = all.get(name) ?? { name, games: 0, turns: 0, accuracy: 0, blunders: 0, mistakes: 0, inaccuracies: 0, missedRows: 0 };
      // As a sum, until all are there.
      sum.accuracy += summary.accuracy * summary.turns;
      for (const what of COUNTED) sum[what] += summary[what];
      sum.games += side === "b" && names.w === name && review.w?.turns ? 0 : 1;
      all.set(name, sum);
    }
  }
  const list = [...all.values()].map((sum) => ({ ...sum, accuracy: sum.accuracy / sum.turns }));
  return list.sort((a, b) => b.games - a.games || b.accuracy - a.accuracy);
}
