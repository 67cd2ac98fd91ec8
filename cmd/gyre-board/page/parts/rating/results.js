// The results that a person's rating is based on, in a browser database of their own, and
// the rating they give.

import { openDB } from "../../idb/idb.js";
import { updatedRating, newRating } from "../puzzles/glicko.js";
import { t } from "../../language.js";

const STORE = "results";

/** How far a level may be off its rating, as measured in other games. */
const LEVEL_DEVIATION = 60;

/** The latest time that a Date can represent. */
const LAST_TIME = 8.64e15;

/** No level is rated beyond this. */
const MOST_ELO = 5000;

/**
 * @typedef {Object} Result
 * @property {string} game the id of the game
 * @property {number} at milliseconds since 1970
 * @property {string} opponent the engine and its level
 * @property {number} elo of the level
 * @property {number} score 1 won, 0 lost, 0.5 drawn
 *
 * @typedef {Result & {me: import("../puzzles/glicko.js").Rating, change: number}} Rated
 *   a result with the rating after it
 */

let opening = null;

// After a failure, the next call tries again.
function database() {
  opening ??= openDB("gyre.rating", 1, {
    upgrade: (fresh) => fresh.createObjectStore(STORE, { keyPath: "game" }),
    terminated: () => (opening = null),
  }).catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** All results, earliest first. @returns {Promise<Result[]>} */
export async function loadResults() {
  const all = await (await database()).getAll(STORE);
  return all.filter(isResult).sort((a, b) => a.at - b.at);
}

/**
 * Adds results of games that have none: only the first end of a game counts.
 * @param {Result[]} results
 */
export async function addResults(results) {
  const tx = (await database()).transaction(STORE, "readwrite");
  for (const result of results) if (!(await tx.store.getKey(result.game))) tx.store.put(result);
  await tx.done;
}

/**
 * Deletes the result of a game that did not end after all.
 * @param {string} game its id
 */
export async function forgetResult(game) {
  await (await database()).delete(STORE, game);
}

/**
 * Whether a value, for example from a file, is a result.
 * @param {any} value
 * @returns {value is Result}
 */
export function isResult(value) {
  const { game, at, opponent, elo, score } = value ?? {};
  if (![at, elo].every(Number.isFinite)) return false;
  return typeof game === "string" && typeof opponent === "string" && Math.abs(at) <= LAST_TIME && elo >= 0 && elo <= MOST_ELO && [0, 0.5, 1].includes(score);
}

/**
 * The rating after each result.
 * @param {Result[]} results earliest first
 * @returns {Rated[]}
 */
export function history(results) {
  let me = newRating();
  return results.map((result) => {
    const before = me;
    me = updatedRating(me, [{ rating: result.elo, deviation: LEVEL_DEVIATION, score: result.score }]);
    return { ...result, me, change: Math.round(me.rating) - Math.round(before.rating) };
  });
}

/** A rating with a larger deviation says little: Lichess's limit for a provisional rating. */
const PROVISIONAL = 110;

/**
 * A rating as text: "812 ± 140", with twice its deviation, or after a few games only "812, provisional".
 * @param {import("../puzzles/glicko.js").Rating} me
 */
export function ratingText({ rating, deviation }) {
  if (deviation > PROVISIONAL) return t("rating-provisional", { rating: String(Math.round(rating)) });
  return `${Math.round(rating)} ± ${Math.round(2 * deviation)}`;
}

/**
 * A change of rating as text: "+12", "−7".
 * @param {number} change
 */
export function changeText(change) {
  return `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
}
