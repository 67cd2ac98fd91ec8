// Importing files and texts with any number of games, piece by piece with progress. An
// unreadable game does not stop the others. Also backups of all games.

import { Game, tagsForCopy, recordOf } from "../../game/game.js";
import { addGames, listIds, loadGame } from "../../game/store.js";
import { addResults, isResult, loadResults } from "../rating/results.js";
import { Refusal } from "../../link/link.js";
import { download, freeName } from "./gamelist.js";
import { reasonOf } from "../../failures.js";
import { t } from "../../language.js";

/**
 * @typedef {Object} Source
 * @property {string} name of the file, "" for pasted text
 * @property {Blob} blob
 */

/**
 * @typedef {Object} Imported
 * @property {Game|null} first the first game read
 * @property {number} count how many games were read
 * @property {boolean} restored whether some were from a backup
 * @property {number} same how many of those existed already
 * @property {string[]} errors the errors, with their places
 */

// This many bytes identify a file's format.
const HEAD = 200;

/**
 * An import that can be stopped.
 * @param {import("../../link/link.js").Link} link
 * @param {(bytes: number, games: number) => void} progress
 */
export function importer(link, progress) {
  let stopped = false;
  /** The bytes of the sources that are read. */
  let before = 0;
  /** @type {Imported} */
  const done = { first: null, count: 0, restored: false, same: 0, errors: [] };

  const readOne = async (source) => {
    const begun = Date.now();
    const form = await formOf(source.blob);
    if (form === "gzip" || form === "zip") throw new Error(t("file-is-compressed"));
    if (form === "utf-16") throw new Error(t("file-is-utf16"));
    const head = new TextDecoder(form).decode(await source.blob.slice(0, HEAD).arrayBuffer());
    if (isBinary(head)) throw new Error(t("not-a-game-file"));
    if (looksLikeJSON(head)) return readJSON(source, begun);
    let held = [];
    let count = 0;
    let collection = "";
    for await (const piece of piecesOf(source.blob, form, (bytes) => progress(before + bytes, done.count))) {
      if (stopped) return undefined;
      held.push(...(await readPiece(source, piece)));
      // Two games make a collection.
      if (held.length + count < 2) continue;
      collection ||= await freeName(source.name || t("pasted-games"));
      await keep(held, collection, begun - count);
      count += held.length;
      held = [];
    }
    return held.length ? keep(held, collection, begun - count) : undefined;
  };

  // JSON is a backup from this page, or a log of another site's game.
  const readJSON = async (source, begun) => {
    const text = await source.blob.text();
    if (!isBackup(text) && text.includes('"logs"')) return keep(await gamesIn(source, { text, line: 1 }), "", begun);
    const count = done.count;
    done.restored = true;
    const onProgress = (share, added) => {
      done.count = count + added;
      progress(before + share * source.blob.size, done.count);
    };
    const { same, errors } = await restore(text, link, onProgress, () => stopped);
    done.same += same;
    return errors.forEach((error) => complain(source, error));
  };

  // If a piece has an error, each of its games is read alone.
  const readPiece = async (source, piece) => {
    try {
      return await gamesIn(source, piece);
    } catch (error) {
      const alone = gamesOf(piece);
      if (alone.length < 2) {
        complain(source, error);
        return [];
      }
      const found = [];
      for (const one of alone) found.push(...((await gamesIn(source, one).catch((wrong) => complain(source, wrong))) ?? []));
      return found;
    }
  };

  // The games of a piece. What had to be skipped is listed like errors.
  const gamesIn = async (source, { text, line }) => {
    const { games, skipped = [] } = await link.ask("read", { text, line });
    for (const fault of skipped) complain(source, new Refusal(fault));
    return games;
  };

  // Games are listed by time, latest first: keep the order of the file.
  const keep = async (reads, collection, latest) => {
    const games = reads.map((read) => Game.fromRead(read, collection));
    done.first ??= games[0];
    await addGames(games.map((game, i) => ({ ...game.toJSON(), changed: latest - i })));
    for (const game of games) game.revision = 1;
    done.count += games.length;
  };

  const complain = (source, error) => void done.errors.push(source.name ? `${source.name}: ${reasonOf(error)}` : reasonOf(error));

  return {
    /** Stops after the current piece. Games read so far stay. */
    stop: () => (stopped = true),
    /**
     * Reads and stores all games of the sources. A file with several games becomes a
     * collection named after it.
     * @param {Source[]} sources
     * @returns {Promise<Imported>}
    */
    async read(sources) {
      for (const source of sources) {
        if (stopped) break;
        await readOne(source).catch((error) => complain(source, error));
        before += source.blob.size;
      }
      return done;
    },
  };
}

// How some files that are not text begin.
const MARKS = /** @type {const} */ ([["gzip", [0x1f, 0x8b]], ["zip", [0x50, 0x4b, 3, 4]], ["utf-16", [0xff, 0xfe]], ["utf-16", [0xfe, 0xff]]]);

/** The start of a file, in bytes, that may name its encoding. */
const NAMED_WITHIN = 4096;

/**
 * The encoding of a file, as all programs of Gyre read it: UTF-8 if it is valid, or else the one
 * that an SGF file names (CA), or Windows-1252. "gzip", "zip" and "utf-16" are not read.
 * @param {Blob} blob
 */
export async function formOf(blob) {
  const head = new Uint8Array(await blob.slice(0, NAMED_WITHIN).arrayBuffer());
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte));
  if (mark) return mark[0];
  if (await isUTF8(blob)) return "utf-8";
  const named = /(?:^|[^A-Z])CA\s*\[\s*([\w:-]+)\s*\]/i.exec(new TextDecoder("latin1").decode(head))?.[1];
  try {
    const { encoding } = new TextDecoder(named);
    return encoding === "utf-8" ? "windows-1252" : encoding;
  } catch {
    return "windows-1252"; // the browser does not know the name
  }
}

/** @param {Blob} blob */
async function isUTF8(blob) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = blob.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) decoder.decode(part.value, { stream: true });
    decoder.decode();
    return true;
  } catch {
    reader.cancel();
    return false;
  }
}

/**
 * Whether the head of a file is not text. Its last character may be cut off.
 * @param {string} head
 */
export function isBinary(head) {
  return /[\0-\x08\x0e-\x1f]|\ufffd(?!\ufffd{0,2}$)/.test(head);
}

/**
 * Whether a text starts like JSON. A record may also start with a brace, that of a
 * comment, and then a quotation mark.
 * @param {string} text
 */
export function looksLikeJSON(text) {
  return /^[ \t\n\r]*{[ \t\n\r]*"[^"]*"[ \t\n\r]*:/.test(text);
}

// Large files are read in pieces of whole games, so that the server handles one piece at a
// time and the page stays responsive.

/** The minimum number of characters in a piece, except the last. */
const PIECE = 16_384;

/** The maximum; nothing longer is a game. */
const LONGEST = 3_000_000;

/**
 * @typedef {Object} Piece
 * @property {string} text
 * @property {number} line the number of its first line
 */

/**
 * Splits a file into pieces while reading it.
 * @param {Blob} blob
 * @param {string} encoding
 * @param {(bytes: number) => void} read called with the number of bytes read
 * @returns {AsyncGenerator<Piece>}
 */
export async function* piecesOf(blob, encoding, read) {
  const decoder = new TextDecoder(encoding);
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
 * Splits a piece into its games.
 * @param {Piece} piece
 * @returns {Piece[]}
 */
export function gamesOf({ text, line }) {
  const cutter = cutterFor(text, 0, line);
  return [...cutter.add(text), ...cutter.end()];
}

// Splits lines of text where games start.
function cutterFor(head, least, first = 1) {
  const begins = head.trimStart().startsWith("(") ? treeBegins() : recordBegins();
  let line = first;
  let lines = [];
  let size = 0;
  let rest = "";
  const cut = () => {
    const piece = { text: lines.join(""), line };
    line += lines.length;
    [lines, size] = [[], 0];
    return piece;
  };
  function* take(one) {
    if (begins(one) && size > least) yield cut();
    lines.push(one);
    size += one.length;
  }
  return {
    *add(text) {
      const all = (rest + text).split("\n");
      rest = all.pop();
      for (const one of all) yield* take(`${one}\n`);
      if (size + rest.length > LONGEST) throw new Error(t("line-too-long", { line: String(line) }));
    },
    *end() {
      yield* take(rest);
      if (lines.some((one) => one.trim())) yield cut();
    },
  };
}

// Returns a function that reports whether a line begins a record: a tag that follows no other tag.
function recordBegins() {
  let inTags = false;
  let inComment = false;
  let inGame = false;
  return (line) => {
    if (!line.trim()) return false;
    const tag = !inComment && /^\s*\[/.test(line);
    const begins = tag && !inTags && inGame;
    inTags = tag;
    inGame = true;
    // A comment ends at the first closing brace.
    if (!tag) for (const c of line) inComment = inComment ? c !== "}" : c === "{";
    return begins;
  };
}

// The same for SGF, whose games are trees in parentheses with values in brackets.
function treeBegins() {
  let depth = 0;
  let inText = false;
  let any = false;
  return (line) => {
    const begins = any && depth === 0 && line.trimStart().startsWith("(");
    for (let i = 0; i < line.length; i++) {
      const c = line[i];
      if (inText && c === "\\") i++;
      else if (inText) inText = c !== "]";
      else if (c === "[") inText = true;
      else if (c === "(") depth++;
      else if (c === ")") depth--;
    }
    any = true;
    return begins;
  };
}

// Backups: all games in one file, with all their data and the results of the player's
// rating. Restoring a backup adds to the stored games and replaces nothing.

const FORMAT = "gyre games 1";

// This many games are stored together.
const TOGETHER = 50;

/**
 * Saves all games as a file.
 * @param {Game} open the open game, whose current state may not be stored yet
 * @param {(text: string) => void} say
 */
export async function backUp(open, say) {
  const ids = await listIds();
  if (open.begun && !ids.includes(open.id)) ids.push(open.id);
  const texts = [];
  for (const [i, id] of ids.entries()) {
    if (i % TOGETHER === 0) say(t("games-written-of", { number: i, count: ids.length }));
    const value = id === open.id ? open : (await loadGame(id))?.value;
    if (value) texts.push(JSON.stringify(value));
  }
  // Games are saved even if the results cannot be read.
  const results = await loadResults().catch(() => null);
  const parts = [`{"format":${JSON.stringify(FORMAT)},"games":[\n`, texts.join(",\n"), `\n],"results":${JSON.stringify(results ?? [])}}\n`];
  const name = download(`yinsh-backup-${new Date().toISOString().slice(0, 10)}.json`, parts);
  const parted = [t("games-saved", { count: texts.length, name }), !results && t("backup-without-results"), t("backup-open")];
  say(parted.filter(Boolean).join(" "));
}

/**
 * Whether a text claims to be a backup.
 * @param {string} text
 */
export function isBackup(text) {
  return /^[ \t\n\r]*{[ \t\n\r]*"format"[ \t\n\r]*:[ \t\n\r]*"gyre games/.test(text);
}

/**
 * The outcome of restoring a backup, in words.
 * @param {number} added
 * @param {number} same
 */
export function addedText(added, same) {
  return same ? t("games-added-except", { count: added, same }) : t("games-added", { count: added });
}

/**
 * The storage functions that restore uses.
 * @typedef {Pick<typeof import("../../game/store.js"), "addGames"|"listIds"|"loadGame"> & Pick<typeof import("../rating/results.js"), "addResults">} Kept
 */

/**
 * Adds the games of a backup, except those that exist already.
 * @param {string} text
 * @param {import("../../link/link.js").Link} link
 * @param {(share: number, added: number) => void} onProgress called with the progress
 * @param {() => boolean} stopped
 * @param {Kept} [kept] where games and results are stored
 * @returns {Promise<{same: number, errors: Error[]}>} the number of existing games, and the errors
 */
export async function restore(text, link, onProgress, stopped, kept = { addGames, listIds, loadGame, addResults }) {
  const { games: values, results } = contentIn(text);
  const contents = await known(kept);
  const errors = [];
  let [added, same, waiting] = [0, 0, []];
  for (const [i, value] of values.entries()) {
    if (stopped()) break;
    try {
      const game = await readable(value, link);
      const before = contentOf(game.toJSON());
      game.tags = tagsForCopy(game);
      const content = contentOf(game.toJSON());
      if (contents.has(content) || contents.has(before)) same++;
      else {
        contents.add(content).add(before);
        waiting.push({ ...game.toJSON(), changed: Number(value.changed) || Date.now() });
      }
    } catch (error) {
      errors.push(new Error(t("game-number-error", { number: i + 1, reason: reasonOf(error) })));
    }
    if (waiting.length < TOGETHER && i < values.length - 1) continue;
    await kept.addGames(waiting);
    added += waiting.length;
    waiting = [];
    onProgress((i + 1) / values.length, added);
  }
  // After a stop, some games may wait to be stored.
  await kept.addGames(waiting);
  if (!stopped()) await kept.addResults(results);
  onProgress(1, added + waiting.length);
  return { same, errors };
}

// The unchecked games and the results of a backup.
function contentIn(text) {
  let file = null;
  try {
    file = JSON.parse(text);
  } catch {
    // It is refused below.
  }
  if (file?.format !== FORMAT || !Array.isArray(file.games)) throw new Error(t("not-a-backup"));
  return { games: file.games, results: Array.isArray(file.results) ? file.results.filter(isResult) : [] };
}

// The contents of the stored games, as this version stores them.
async function known({ listIds, loadGame }) {
  const contents = new Set();
  for (const id of await listIds()) {
    const stored = await loadGame(id);
    try {
      if (stored) contents.add(contentOf(Game.from(stored.value).toJSON()));
    } catch {
      // Damaged: equal to no other game.
    }
  }
  return contents;
}

// The game, after the rules have accepted its turns.
async function readable(value, link) {
  if (typeof value?.id !== "string" || !Array.isArray(value.tree)) throw new Error(t("game-damaged"));
  const game = Game.from(value);
  await link.ask("write", recordOf(game));
  return game;
}

// What distinguishes a game from others, apart from its title and the shown position.
function contentOf({ rules, start, players, clock, tags, result, tree }) {
  const bare = (list) => list.map(({ preferred, others, ...node }) => ({ ...node, others: others?.map(bare) }));
  return JSON.stringify([rules, start, players, clock, tags, result, bare(tree)]);
}
