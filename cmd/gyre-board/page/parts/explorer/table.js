// What is known of openings: how many games came to a position, how White did in them,
// and a score, by the keys of positions.

/**
 * @typedef {Object} Known
 * @property {number} games that came to it
 * @property {number} points White's in them
 * @property {number|null} score in hundredths, White's
 */

/**
 * Reads a table as gyre-arena explore writes it.
 * @param {string} text
 * @returns {Map<string, Known>}
 */
export function readTable(text) {
  const table = new Map();
  for (const line of text.split("\n")) {
    const [key, games, halves, score] = line.split(" ");
    if (key && key !== "#") table.set(key, { games: Number(games), points: Number(halves) / 2, score: Number(score) });
  }
  return table;
}

/**
 * Counts a game into a table.
 * @param {Map<string, Known>} table
 * @param {string[]} keys of its positions, the start first
 * @param {number} points White's: 1, ½ or 0
 */
export function count(table, keys, points) {
  for (const key of new Set(keys.slice(1))) {
    const known = table.get(key) ?? { games: 0, points: 0, score: null };
    table.set(key, { ...known, games: known.games + 1, points: known.points + points });
  }
}

/**
 * The turns of a position that lead to known ones, the most played first.
 * @param {Map<string, Known>} table
 * @param {import("../../_types/messages").OpeningTurn[]} turns
 * @returns {Array<import("../../_types/messages").OpeningTurn & Known>}
 */
export function waysOn(table, turns) {
  const known = turns.filter(({ key }) => table.has(key)).map((turn) => ({ ...turn, ...table.get(turn.key) }));
  return known.sort((a, b) => b.games - a.games);
}
