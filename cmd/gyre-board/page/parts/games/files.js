// Opening files and texts with any number of games: piece by piece, with progress,
// and whatever cannot be read does not keep the others from being read.

import { Game, tagsForCopy, recordOf } from "../../game/game.js";
import { addGames, listIds, loadGame } from "../../game/store.js";
import { plural } from "../../scores.js";
import { addResults, isResult, loadResults } from "../rating/results.js";
import { download, freeName } from "./gamelist.js";

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
export class Importer {
  #rules;
  #progress;
  #stopped = false;
  #before = 0;
  /** @type {Imported} */
  #done = { first: null, count: 0, restored: false, same: 0, errors: [] };

  /**
   * @param {import("../../link/link.js").Rules} rules
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

// Large files in pieces: each has whole games, as many as there is room for, so
// that the server reads them one piece after the other and the page goes on.

/** How many characters a piece has at least, but the last one. */
const PIECE = 16_384;

/** And at most: what is longer is no game. */
const LONGEST = 3_000_000;

/**
 * @typedef {Object} Piece
 * @property {string} text
 * @property {number} line the number of its first line
 */

/**
 * Cuts a file into pieces as it is read.
 * @param {Blob} blob
 * @param {(bytes: number) => void} read told how much has been read
 * @returns {AsyncGenerator<Piece>}
 */
export async function* piecesOf(blob, read) {
  const decoder = new TextDecoder();
  const reader = blob.stream().getReader();
  let cutter = null;
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    read(bytes);
    const text = decoder.decode(part.value, { stream: true });
    cutter ??= cutterFor(text, PIECE);
    yield* cutter.add(text);
  }
  cutter ??= cutterFor("", PIECE);
  yield* cutter.add(decoder.decode());
  yield* cutter.end();
}

/**
 * The single games of a piece.
 * @param {Piece} piece
 * @returns {Piece[]}
 */
export function gamesOf({ text, line }) {
  const cutter = cutterFor(text, 0, line);
  return [...cutter.add(text), ...cutter.end()];
}

function cutterFor(text, least, line = 1) {
  return new Cutter(text.trimStart().startsWith("(") ? new TreeEnds() : new RecordBegins(), least, line);
}

/** Cuts lines of text where a new game begins. */
class Cutter {
  #games;
  #least;
  #line;
  #lines = [];
  #size = 0;
  #rest = "";

  constructor(games, least, line) {
    [this.#games, this.#least, this.#line] = [games, least, line];
  }

  *add(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) yield* this.#take(`${line}\n`);
    if (this.#size + this.#rest.length > LONGEST) throw new Error(`line ${this.#line}: what begins here is too long for a game`);
  }

  *end() {
    yield* this.#take(this.#rest);
    if (this.#lines.some((line) => line.trim())) yield this.#cut();
  }

  *#take(line) {
    if (this.#games.beginsWith(line) && this.#size > this.#least) yield this.#cut();
    this.#lines.push(line);
    this.#size += line.length;
  }

  #cut() {
    const piece = { text: this.#lines.join(""), line: this.#line };
    this.#line += this.#lines.length;
    this.#lines = [];
    this.#size = 0;
    return piece;
  }
}

/** Records begin with tags, which follow no other tag. */
class RecordBegins {
  #inTags = false;
  #inComment = false;
  #inGame = false;

  beginsWith(line) {
    if (!line.trim()) return false;
    const tag = !this.#inComment && /^\s*\[/.test(line);
    const begins = tag && !this.#inTags && this.#inGame;
    this.#inTags = tag;
    this.#inGame = true;
    if (!tag) this.#follow(line);
    return begins;
  }

  // A comment goes to the first closing brace.
  #follow(line) {
    for (const c of line) this.#inComment = this.#inComment ? c !== "}" : c === "{";
  }
}

/** Games of SGF are trees in parentheses; the text of a property is in brackets. */
class TreeEnds {
  #depth = 0;
  #inText = false;
  #any = false;

  beginsWith(line) {
    const begins = this.#any && this.#depth === 0 && line.trimStart().startsWith("(");
    for (let i = 0; i < line.length; i++) {
      const c = line[i];
      if (this.#inText && c === "\\") i++;
      else if (this.#inText) this.#inText = c !== "]";
      else if (c === "[") this.#inText = true;
      else if (c === "(") this.#depth++;
      else if (c === ")") this.#depth--;
    }
    this.#any = true;
    return begins;
  }
}

// All games of the browser as one file, with everything that is kept of them and the results
// that one's own rating comes from; and such a file taken in again: it adds to what is there,
// and replaces nothing.

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
 * @param {import("../../link/link.js").Rules} rules
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
      game.tags = tagsForCopy(game);
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
