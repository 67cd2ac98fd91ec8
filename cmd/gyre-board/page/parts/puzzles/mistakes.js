// Puzzles from stored games, including imported ones: the mistakes that reviews found in
// them. The review's best turn is the solution; other turns that are as good are accepted.

import { Game } from "../../game/game.js";
import { listIds, loadGames } from "../../game/store.js";
import { Refusal } from "../../link/link.js";

// The number of worst mistakes used as puzzles.
const MOST = 200;

// This many games are read together.
const TOGETHER = 50;

/** The theme of these puzzles. */
export const OWN = "own";

/**
 * A mistake in a game.
 * @typedef {Object} Mistake
 * @property {string} id of its puzzle
 * @property {Game} game
 * @property {import("../../game/tree.js").TurnNode} node the position after the turn
 */

/**
 * The worst mistakes and blunders by people in all stored games.
 * @param {(read: number, of: number) => void} onProgress called with the number of games read
 */
export async function findMistakes(onProgress) {
  /** @type {Mistake[]} */
  let found = [];
  for await (const games of readGames(await listIds(), onProgress)) found = worst([...found, ...games.flatMap(mistakesOf)]);
  return found;
}

/**
 * The readable ones of some stored games, a few at a time.
 * @param {string[]} ids
 * @param {(read: number, of: number) => void} onProgress called with the number of games read
 */
export async function* readGames(ids, onProgress) {
  for (let i = 0; i < ids.length; i += TOGETHER) {
    onProgress(i, ids.length);
    yield (await loadGames(ids.slice(i, i + TOGETHER))).flatMap((value) => (value && Game.readable(value)) || []);
  }
}

/**
 * The mistakes by people in the main line of a game.
 * @param {Game} game
 * @returns {Mistake[]}
 */
export function mistakesOf(game) {
  return labeledOf(game).filter(({ node }) => node.finding.label !== "inaccuracy");
}

/** The number of moments of a game. */
const MOMENTS = 3;

/**
 * The positions in a game in which its person lost most, in the order of the game.
 * @param {Game} game
 */
export function momentsOf(game) {
  return worst(labeledOf(game)).slice(0, MOMENTS).sort((a, b) => a.node.ply - b.node.ply);
}

// The turns of the main line by people that a review labels.
function labeledOf(game) {
  const labeled = ({ ply, finding }) => finding?.best && finding.label && game.players[game.sideAt(ply - 1)].kind === "person";
  return game.mainLeaf.nodes.filter(labeled).map((node) => ({ id: `${OWN}-${game.id}-${node.ply}`, game, node }));
}

/**
 * The worst mistakes, worst first.
 * @param {Mistake[]} mistakes
 */
export function worst(mistakes) {
  return [...mistakes].sort((a, b) => b.node.finding.lost - a.node.finding.lost).slice(0, MOST);
}

/**
 * The puzzle from a mistake.
 * @param {Mistake} mistake
 * @param {import("../../link/link.js").Rules} rules
 * @returns {Promise<import("./puzzles.js").Puzzle|null>} null if the rules refuse
 *   the stored turns because they are damaged
 */
export async function puzzleOf({ id, game, node }, rules) {
  try {
    const { views } = await rules.game(game.path(node.parent));
    const source = game.collection ? game.title : "";
    return { id, fen: views.at(-1).position, rules: game.rules, theme: OWN, solution: [node.finding.best], played: node.turn, source };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
