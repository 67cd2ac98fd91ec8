// How far one has come with the puzzles, as the browser keeps it: the rating, the run of
// puzzles solved, and which were tried.

import { rated, unrated } from "./glicko.js";

const KEY = "gyre.puzzles";
// How sure a puzzle's own rating is: it was found by some tens of tries.
const PUZZLE_DEVIATION = 100;

/**
 * @typedef {Object} Puzzle a line of the set, or a mistake in a game that is kept
 * @property {string} id
 * @property {string} fen
 * @property {"standard"|"blitz"} rules
 * @property {string} theme
 * @property {number} [rating] none if it is of a game that is kept
 * @property {string[]} solution
 * @property {number} [mate]
 * @property {string} [source] the game that it is of, where that came from a file with others
 */

/**
 * @typedef {Object} Progress
 * @property {import("./glicko.js").Rating} me
 * @property {number} streak puzzles solved since the last that was not
 * @property {number} best the longest streak
 * @property {Object<string, 0|1>} tried whether a puzzle was solved when it was first tried
 */

/** What is kept. @returns {Progress} */
export function loadProgress() {
  const fresh = { me: unrated(), streak: 0, best: 0, tried: {} };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    const whole = Object.values(kept?.me ?? {}).length === 3 && Object.values(kept.me).every(Number.isFinite);
    return whole ? { ...fresh, ...kept } : fresh;
  } catch {
    return fresh;
  }
}

/**
 * Keeps it.
 * @param {Progress} progress
 */
export function saveProgress(progress) {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // There is no room, or the browser keeps nothing: it counts for this visit.
  }
}

/**
 * What there is after a puzzle. One that was tried before changes nothing, and one without
 * a rating not one's own.
 * @param {Progress} progress
 * @param {Puzzle} puzzle
 * @param {boolean} solved at the first try, without help
 * @returns {Progress}
 */
export function after(progress, { id, rating }, solved) {
  if (id in progress.tried) return progress;
  const streak = solved ? progress.streak + 1 : 0;
  return {
    me: rating === undefined ? progress.me : rated(progress.me, [{ rating, deviation: PUZZLE_DEVIATION, score: solved ? 1 : 0 }]),
    streak,
    best: Math.max(progress.best, streak),
    tried: { ...progress.tried, [id]: solved ? 1 : 0 },
  };
}

/**
 * A puzzle to try next: one of those not tried yet that are nearest to one's strength,
 * or when all were tried, of those that were not solved, or of all.
 * @template {Pick<Puzzle, "id"|"rating">} One
 * @param {One[]} all at least one
 * @param {Progress} progress
 * @param {string} [not] the id of one that it should not be
 * @param {() => number} [chance] from 0 to below 1
 * @returns {One}
 */
export function choose(all, { me, tried }, not = "", chance = Math.random) {
  const others = all.length > 1 ? all.filter(({ id }) => id !== not) : all;
  const fresh = others.filter(({ id }) => !(id in tried));
  const failed = others.filter(({ id }) => tried[id] === 0);
  const from = fresh.length ? fresh : failed.length ? failed : others;
  const far = ({ rating = me.rating }) => Math.abs(rating - me.rating);
  const near = [...from].sort((a, b) => far(a) - far(b)).slice(0, 12);
  return near[Math.floor(chance() * near.length)];
}
