// Puzzles from the games that are kept here, those of opened files among them: the mistakes
// that a review found in them. The review's choice is the solution; other turns that are
// as good will do.

import { Game } from "../../game/game.js";
import { listIds, loadGames } from "../../game/store.js";
import { Refusal } from "../../link/link.js";

// So many mistakes, the worst, are puzzles.
const MOST = 200;

// So many games are read together.
const TOGETHER = 50;

/** The theme of such puzzles. */
export const OWN = "own";

/**
 * A mistake of a game.
 * @typedef {Object} Mistake
 * @property {string} id of the puzzle that it makes
 * @property {Game} game
 * @property {import("../../game/tree.js").TurnNode} node what the turn led to
 */

/**
 * The worst mistakes and blunders of people in the games that are kept, all of which are read.
 * @param {(read: number, of: number) => void} told how many are read
 * @returns {Promise<Mistake[]>}
 */
export async function findMistakes(told) {
  const ids = await listIds();
  /** @type {Mistake[]} */
  let found = [];
  for (let i = 0; i < ids.length; i += TOGETHER) {
    told(i, ids.length);
    for (const value of await loadGames(ids.slice(i, i + TOGETHER))) {
      const game = value && Game.readable(value);
      if (game) found.push(...mistakesOf(game));
    }
    found = worst(found);
  }
  return found;
}

/**
 * The mistakes of people in the main line of a game.
 * @param {Game} game
 * @returns {Mistake[]}
 */
export function mistakesOf(game) {
  const wrong = ({ ply, finding }) =>
    finding?.best && ["mistake", "blunder"].includes(finding.label) && game.players[game.sideAt(ply - 1)].kind === "person";
  return game.mainLeaf.nodes.filter(wrong).map((node) => ({ id: `${OWN}-${game.id}-${node.ply}`, game, node }));
}

/**
 * The worst of some mistakes, the worst first.
 * @param {Mistake[]} mistakes
 */
export function worst(mistakes) {
  // What an earlier version has found tells not what was lost in per cent.
  const lost = ({ node }) => node.finding.lost ?? 0;
  return [...mistakes].sort((a, b) => lost(b) - lost(a)).slice(0, MOST);
}

/**
 * The puzzle that a mistake makes.
 * @param {Mistake} mistake
 * @param {import("../../link/link.js").Rules} rules
 * @returns {Promise<import("./puzzles.js").Puzzle|null>} null where the turns of the stored
 *   game are damaged: the rules refuse them
 */
export async function puzzleOf({ id, game, node }, rules) {
  try {
    const { views } = await rules.game(game.path(node.parent));
    const source = game.collection ? game.title : "";
    return { id, fen: views.at(-1).position, rules: game.rules, theme: OWN, solution: [node.finding.best], source };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
