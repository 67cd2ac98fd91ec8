// All games of the browser as one file, with everything that is kept of them and the results
// that one's own rating comes from; and such a file taken in again: it adds to what is there,
// and replaces nothing.

import { Game, recordOf } from "../../game/game.js";
import { asCopy } from "../../game/help.js";
import { addGames, listIds, loadGame } from "../../game/store.js";
import { plural } from "../../scores.js";
import { addResults, isResult, loadResults } from "../rating/results.js";
import { download } from "./gamelist.js";

const FORMAT = "gyre games 1";

// So many games are stored together.
const TOGETHER = 50;

/**
 * Saves all games as a file.
 * @param {Game} open the game that is open, which may not be stored yet as it is now
 * @param {(text: string) => void} say
 */
export async function backUp(open, say) {
  const ids = await listIds();
  if (open.begun && !ids.includes(open.id)) ids.push(open.id);
  const texts = [];
  for (const [i, id] of ids.entries()) {
    if (i % TOGETHER === 0) say(`${i} of ${ids.length} games written…`);
    const value = id === open.id ? open : (await loadGame(id))?.value;
    if (value) texts.push(JSON.stringify(value));
  }
  // Games are saved also where the results cannot be read.
  const results = await loadResults().catch(() => null);
  const parts = [`{"format":${JSON.stringify(FORMAT)},"games":[\n`, texts.join(",\n"), `\n],"results":${JSON.stringify(results ?? [])}}\n`];
  const name = download(`yinsh-backup-${new Date().toISOString().slice(0, 10)}.json`, parts);
  const without = results ? "" : ", without the results of your rating, which cannot be read now";
  say(`${plural(texts.length, "game")} saved as ${name}${without}. Open that file in any browser to have them there.`);
}

/**
 * Whether a text says that it is such a file.
 * @param {string} text
 */
export function isBackup(text) {
  return /^\s*{\s*"format"\s*:\s*"gyre games/.test(text);
}

/**
 * What a restored backup came to, in words.
 * @param {number} added
 * @param {number} same
 */
export function addedText(added, same) {
  return `${plural(added, "game")} added${same ? `, ${plural(same, "game")} of the file here already` : ""}.`;
}

/**
 * What restore needs of the store.
 * @typedef {Pick<typeof import("../../game/store.js"), "addGames"|"listIds"|"loadGame"> & Pick<typeof import("../rating/results.js"), "addResults">} Kept
 */

/**
 * Adds the games of such a file, except those that are here already.
 * @param {string} text
 * @param {import("../../link/rules.js").Rules} rules
 * @param {(share: number, added: number) => void} told how much is done
 * @param {() => boolean} stopped
 * @param {Kept} [kept] where games and results go
 * @returns {Promise<{same: number, errors: Error[]}>} how many were here, and what could not be taken in
 */
export async function restore(text, rules, told, stopped, kept = { addGames, listIds, loadGame, addResults }) {
  const { games: values, results } = contentIn(text);
  const contents = await known(kept);
  const errors = [];
  let [added, same, waiting] = [0, 0, []];
  for (const [i, value] of values.entries()) {
    if (stopped()) break;
    try {
      const game = await readable(value, rules);
      const before = contentOf(game.toJSON());
      game.tags = asCopy(game);
      const content = contentOf(game.toJSON());
      if (contents.has(content) || contents.has(before)) same++;
      else {
        contents.add(content).add(before);
        waiting.push({ ...game.toJSON(), changed: Number(value.changed) || Date.now() });
      }
    } catch (error) {
      errors.push(new Error(`game ${i + 1}: ${error.message}`));
    }
    if (waiting.length < TOGETHER && i < values.length - 1) continue;
    await kept.addGames(waiting);
    added += waiting.length;
    waiting = [];
    told((i + 1) / values.length, added);
  }
  // Where it was stopped, some may wait.
  await kept.addGames(waiting);
  if (!stopped()) await kept.addResults(results);
  told(1, added + waiting.length);
  return { same, errors };
}

// The games that a text has, not yet looked at, and the results.
function contentIn(text) {
  let file = null;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is no backup of games: ${error.message}`);
  }
  if (file?.format !== FORMAT || !Array.isArray(file.games)) throw new Error("it is no backup of games: it does not say that it is one");
  return { games: file.games, results: Array.isArray(file.results) ? file.results.filter(isResult) : [] };
}

// What is in the games that are here, as this version stores them.
async function known({ listIds, loadGame }) {
  const contents = new Set();
  for (const id of await listIds()) {
    const stored = await loadGame(id);
    try {
      if (stored) contents.add(contentOf(Game.from(stored.value).toJSON()));
    } catch {
      // Damaged: it is the same as none.
    }
  }
  return contents;
}

// The game, once the rules have found its turns legal.
async function readable(value, rules) {
  if (typeof value?.id !== "string" || !Array.isArray(value.tree)) throw new Error("it is damaged");
  const game = Game.from(value);
  await rules.write(recordOf(game));
  return game;
}

// What tells a game from others, whatever it is called and wherever one is in it.
function contentOf({ rules, start, players, clock, tags, result, tree }) {
  const bare = (list) => list.map(({ preferred, others, ...node }) => ({ ...node, others: others?.map(bare) }));
  return JSON.stringify([rules, start, players, clock, tags, result, bare(tree)]);
}
