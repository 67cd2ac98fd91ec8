// The games that can be reviewed together, as the browser keeps them.

import { Game, SIDES } from "../../game/game.js";
import { idsOf, listCollections, loadGames } from "../../game/store.js";

/** So many games are read together. */
const TOGETHER = 50;

/**
 * @typedef {Object} Listed a game of the library
 * @property {string} id
 * @property {string} title
 * @property {number} turns of its main line
 * @property {{w: string, b: string}} names
 * @property {Object<string, import("../../_types/messages").Summary>|null} review by side, of its main line
 */

/**
 * The collections there are: one's own games, and those of files with several.
 * @returns {Promise<Array<{name: string, text: string}>>}
 */
export async function collections() {
  const found = await listCollections();
  const own = found.find(({ name }) => !name)?.count ?? 0;
  const text = (name, count) => `${name} (${count})`;
  return [{ name: "", text: text("My games", own) }, ...found.filter(({ name }) => name).map(({ name, count }) => ({ name, text: text(name, count) }))];
}

/**
 * The games of a collection that can be read and have turns, the latest first.
 * @param {string} collection
 * @param {(read: number, of: number) => void} told how many are read
 * @returns {Promise<Listed[]>}
 */
export async function gamesIn(collection, told) {
  const ids = (await idsOf(collection)).reverse();
  const listed = [];
  for (let i = 0; i < ids.length; i += TOGETHER) {
    told(i, ids.length);
    for (const value of await loadGames(ids.slice(i, i + TOGETHER))) {
      const game = value && Game.readable(value);
      if (game?.root.children.length) listed.push(listedOf(game));
    }
  }
  return listed;
}

/**
 * What the list shows of a game.
 * @param {Game} game
 * @returns {Listed}
 */
export function listedOf(game) {
  const { id, title, mainLeaf } = game;
  const name = (side) => game.nameOf(side) || SIDES[side];
  return { id, title, turns: mainLeaf.ply, names: { w: name("w"), b: name("b") }, review: mainLeaf.review };
}
