// Opening files and texts with any number of games: piece by piece, with progress,
// and whatever cannot be read does not keep the others from being read.

import { Game } from "../../game/game.js";
import { isBackup, restore } from "./backup.js";
import { gamesOf, piecesOf } from "./pieces.js";
import { addGames, listCollections } from "../../game/store.js";

/**
 * @typedef {Object} Source
 * @property {string} name of the file, "" for a text that was pasted
 * @property {Blob} blob
 */

/**
 * @typedef {Object} Imported
 * @property {Game|null} first the first game that was read
 * @property {number} count how many were
 * @property {boolean} restored whether some were of a backup
 * @property {number} same how many of those were here already
 * @property {string[]} errors what is wrong, and where
 */

// So many bytes tell what a file is.
const HEAD = 200;

/** An import, which can be stopped. */
export class Importing {
  #rules;
  #progress;
  #stopped = false;
  #before = 0;
  /** @type {Imported} */
  #done = { first: null, count: 0, restored: false, same: 0, errors: [] };

  /**
   * @param {import("../../link/rules.js").Rules} rules
   * @param {(bytes: number, games: number) => void} progress
   */
  constructor(rules, progress) {
    [this.#rules, this.#progress] = [rules, progress];
  }

  /** Ends it after the piece that is being read; what was read stays. */
  stop() {
    this.#stopped = true;
  }

  /**
   * Reads all games of the sources and stores them; those of a file that has several
   * are a collection of its name.
   * @param {Source[]} sources
   * @returns {Promise<Imported>}
   */
  async read(sources) {
    for (const source of sources) {
      if (this.#stopped) break;
      try {
        await this.#source(source);
      } catch (error) {
        this.#complain(source, error);
      }
      this.#before += source.blob.size;
    }
    return this.#done;
  }

  async #source(source) {
    const begun = Date.now();
    if (looksLikeJSON(await source.blob.slice(0, HEAD).text())) return this.#json(source, begun);
    let held = [];
    let count = 0;
    let collection = "";
    for await (const piece of piecesOf(source.blob, (bytes) => this.#progress(this.#before + bytes, this.#done.count))) {
      if (this.#stopped) return;
      held.push(...(await this.#piece(source, piece)));
      // Whether it is a collection is known from the second game on.
      if (held.length + count < 2) continue;
      collection ||= await freeName(source.name || "Pasted games");
      await this.#keep(held, collection, begun - count);
      count += held.length;
      held = [];
    }
    if (held.length) await this.#keep(held, collection, begun - count);
  }

  // JSON is a backup of this page, or a log of a game elsewhere.
  async #json(source, begun) {
    const text = await source.blob.text();
    if (!isBackup(text) && text.includes('"logs"')) return this.#keep((await this.#rules.read(text)).games, "", begun);
    const before = this.#done.count;
    this.#done.restored = true;
    const told = (share, added) => {
      this.#done.count = before + added;
      this.#progress(this.#before + share * source.blob.size, this.#done.count);
    };
    const { same, errors } = await restore(text, this.#rules, told, () => this.#stopped);
    this.#done.same += same;
    for (const error of errors) this.#complain(source, error);
  }

  // Where a piece has something wrong in it, each of its games is read alone.
  async #piece(source, piece) {
    try {
      return (await this.#rules.read(piece.text, piece.line)).games;
    } catch (error) {
      const alone = gamesOf(piece);
      if (alone.length < 2) {
        this.#complain(source, error);
        return [];
      }
      const found = [];
      for (const one of alone) {
        const read = await this.#rules.read(one.text, one.line).catch((wrong) => this.#complain(source, wrong));
        if (read) found.push(...read.games);
      }
      return found;
    }
  }

  // They are listed in the order of the file, which is by time, the latest first.
  async #keep(reads, collection, latest) {
    const games = reads.map((read) => Game.fromRead(read, collection));
    this.#done.first ??= games[0];
    await addGames(games.map((game, i) => ({ ...game.toJSON(), changed: latest - i })));
    for (const game of games) game.revision = 1;
    this.#done.count += games.length;
  }

  #complain(source, error) {
    this.#done.errors.push(source.name ? `${source.name}: ${error.message}` : error.message);
  }
}

/**
 * Whether a text begins as JSON does: a record may begin with a comment in braces, and that
 * with a quotation mark.
 * @param {string} text
 */
export function looksLikeJSON(text) {
  return /^\s*{\s*"[^"]*"\s*:/.test(text);
}

/**
 * A name that no collection has.
 * @param {string} name the one to begin with
 */
export async function freeName(name) {
  const taken = new Set((await listCollections()).map((collection) => collection.name));
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name} (${i})`;
  return free;
}
