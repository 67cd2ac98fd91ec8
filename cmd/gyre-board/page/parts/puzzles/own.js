// Puzzles from the user's own games: the mistakes that a review found in them. Those that
// came from a file with others are not the user's. The review's choice is the solution;
// other turns that are as good will do.

import { Game } from "../../game/game.js";
import { idsOf, loadGame } from "../../game/store.js";
import { Refusal } from "../../link/link.js";

// Of so many games, the latest, mistakes are looked for.
const MOST_GAMES = 300;

/** The theme of such puzzles. */
export const OWN = "own";

/**
 * The mistakes and blunders of people in the latest of the user's games, as puzzles.
 * @param {import("../../link/rules.js").Rules} rules
 * @returns {Promise<import("./progress.js").Puzzle[]>}
 */
export async function ownMistakes(rules) {
  const all = [];
  for (const id of (await idsOf("")).slice(-MOST_GAMES)) {
    const stored = await loadGame(id);
    const game = stored && Game.readable(stored.value);
    if (game) all.push(...(await mistakesOf(game, rules).catch(noneIfRefused)));
  }
  return all;
}

// The turns of a stored game may be damaged: the rules refuse them.
function noneIfRefused(error) {
  if (error instanceof Refusal) return [];
  throw error;
}

async function mistakesOf(game, rules) {
  const found = [];
  for (const node of game.mainLeaf.nodes) {
    const { finding } = node;
    const person = game.players[game.sideAt(node.ply - 1)].kind === "person";
    if (!person || !finding?.best || !["mistake", "blunder"].includes(finding.label)) continue;
    const { views } = await rules.game(game.path(node.parent));
    found.push({ id: `${OWN}-${game.id}-${node.ply}`, fen: views.at(-1).position, rules: game.rules, theme: OWN, solution: [finding.best] });
  }
  return found;
}
