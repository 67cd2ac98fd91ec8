// The text of the protocol as values: limits, positions, options and info lines. See
// PROTOCOL.md for the meaning of each word.

/**
 * The limits of a search. The first one reached ends it. Without limits, it runs until it is
 * stopped.
 * @typedef {Object} Limits
 * @property {number} [nodes] positions to visit
 * @property {number} [depth] in turns
 * @property {number} [moveTime] milliseconds for this turn
 * @property {number} [mate] search for a win within this many turns of the side to move
 * @property {number} [whiteTime] milliseconds left on White's clock
 * @property {number} [blackTime] milliseconds left on Black's clock
 * @property {number} [whiteIncrement] milliseconds added to White's clock after each turn
 * @property {number} [blackIncrement] milliseconds added to Black's clock after each turn
 * @property {number} [movesToGo] turns until the next time control
 * @property {boolean} [ponder] search on the opponent's time, until ponderHit or stop
 * @property {string[]} [searchTurns] search only these turns
 *
 * @typedef {Object} Place a position: a start and the turns played from it
 * @property {string} [start] the first position, in three words (default: the start of a game)
 * @property {string[]} [turns] the turns played from start (default: none)
 * @property {"standard"|"blitz"} [rules] (default: standard)
 *
 * @typedef {Object} Score for the side to move; exactly one of cp and mate is present
 * @property {number} [cp] hundredths; 100 stands for 73 of 100 points
 * @property {number} [mate] turns of both sides until the game ends; negative if the side to move loses
 * @property {"lower"|"upper"} [bound] whether the true score is at least, or at most, as high
 *
 * @typedef {Object} Info the progress of a search; unknown numbers are missing
 * @property {number} multipv the rank of the line, from 1
 * @property {number} [depth] turns searched in full
 * @property {number} [seldepth] turns of the deepest line searched
 * @property {Score} [score]
 * @property {[number, number, number]} [wdl] chances of a win, a draw and a loss, in thousandths
 * @property {number} [nodes] positions visited
 * @property {number} [nps] positions per second
 * @property {number} [hashfull] used part of the table, in thousandths
 * @property {number} [time] milliseconds since the search began
 * @property {string[]} pv the expected line, from the root
 *
 * @typedef {Object} Option
 * @property {string} name
 * @property {"spin"|"check"|"combo"|"button"|"string"} type
 * @property {string} default
 * @property {number} [min] of a spin
 * @property {number} [max] of a spin
 * @property {string[]} choices of a combo
 */

/** The start of a game, in three words. */
export const START = "4/7/8/9/10/9/10/9/8/7/4 w 0-0";

/** The engine rejected a command, or its text is malformed. */
export class EngineError extends Error {
  name = "EngineError";
}

/** @type {[keyof Limits, string][]} */
const LIMIT_WORDS = [
  ["nodes", "nodes"],
  ["depth", "depth"],
  ["moveTime", "movetime"],
  ["mate", "mate"],
  ["whiteTime", "p1time"],
  ["blackTime", "p2time"],
  ["whiteIncrement", "p1inc"],
  ["blackIncrement", "p2inc"],
  ["movesToGo", "movestogo"],
];
const LIMIT_NAMES = new Set([...LIMIT_WORDS.map(([name]) => name), "ponder", "searchTurns"]);

/**
 * Returns the command that begins a search. Throws a TypeError if a limit is unknown or not a
 * number.
 * @param {Limits} limits
 */
export function goCommand(limits) {
  for (const name of Object.keys(limits)) {
    if (!LIMIT_NAMES.has(/** @type {any} */ (name))) throw new TypeError(`${name}: unknown limit; use one of ${[...LIMIT_NAMES].join(", ")}`);
  }
  const words = ["go"];
  if (limits.ponder) words.push("ponder");
  for (const [name, word] of LIMIT_WORDS) {
    const value = limits[name];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError(`${name}: ${value} is not a number`);
    words.push(word, String(Math.round(value)));
  }
  if (limits.searchTurns?.length) words.push("searchmoves", ...limits.searchTurns.map(word));
  return words.join(" ");
}

/**
 * Returns the command that sets up a position. Throws a TypeError if a turn is not one word.
 * @param {Place} place
 */
export function positionCommand({ start = START, turns = [] }) {
  const words = ["position fen", oneLine(start)];
  if (turns.length) words.push("moves", ...turns.map(word));
  return words.join(" ");
}

/**
 * Returns the command that sets an option. Throws an EngineError if the value is missing, or
 * given for a button.
 * @param {Option} option
 * @param {string|number|boolean} [value] missing for a button
 */
export function optionCommand({ name, type }, value) {
  if (type === "button") {
    if (value !== undefined) throw new EngineError(`option ${name}: a button has no value`);
    return `setoption name ${name}`;
  }
  if (value === undefined) throw new EngineError(`option ${name}: needs a value`);
  return `setoption name ${name} value ${oneLine(String(value)) || "<empty>"}`;
}

/** @param {string} text */
function word(text) {
  if (!/^\S+$/.test(text)) throw new TypeError(`turn ${JSON.stringify(text)}: must be one word`);
  return text;
}

/** @param {string} text */
function oneLine(text) {
  if (/[\r\n]/.test(text)) throw new TypeError(`${JSON.stringify(text)}: must be one line`);
  return text.trim();
}

const NUMBERS = new Set(["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"]);

/**
 * Parses a line of info. Returns null for other lines and for info string. Skips unknown words.
 * Throws an EngineError if a number is malformed.
 * @param {string} line
 * @returns {Info|null}
 */
export function parseInfo(line) {
  const words = line.trim().split(/\s+/);
  if (words[0] !== "info" || words[1] === "string") return null;
  /** @type {any} */
  const info = { multipv: 1, pv: [] };
  let at = 1;
  const number = (/** @type {string} */ name) => {
    const text = words[at++] ?? "";
    if (!/^-?\d+$/.test(text)) throw new EngineError(`info ${name} ${JSON.stringify(text.slice(0, 40))}: not a whole number`);
    return Number(text);
  };
  while (at < words.length) {
    const name = words[at++];
    if (NUMBERS.has(name)) {
      info[name] = number(name);
    } else if (name === "score") {
      const unit = words[at++];
      if (unit !== "cp" && unit !== "mate") throw new EngineError(`info score ${JSON.stringify(unit ?? "")}: neither cp nor mate`);
      info.score = { [unit]: number("score") };
      const bound = { lowerbound: "lower", upperbound: "upper" }[words[at]];
      if (bound) {
        info.score.bound = bound;
        at++;
      }
    } else if (name === "wdl") {
      info.wdl = [number(name), number(name), number(name)];
    } else if (name === "pv") {
      info.pv = words.slice(at);
      break;
    }
  }
  return info;
}

/**
 * Parses a line of the handshake that describes an option. Throws an EngineError if it is
 * malformed.
 * @param {string} line
 * @returns {Option}
 */
export function parseOption(line) {
  /** @type {Record<string, string[]>} */
  const found = {};
  /** @type {string[][]} */
  const choices = [];
  /** @type {string[]|null} */
  let current = null;
  for (const word of line.trim().split(/\s+/).slice(1)) {
    const isKey = word === "name" ? !found.name : found.name && ["type", "default", "min", "max", "var"].includes(word);
    if (isKey) {
      current = found[word] = [];
      if (word === "var") choices.push(current);
    } else {
      current?.push(word);
    }
  }
  const [name, type, preset] = ["name", "type", "default"].map((key) => (found[key] ?? []).join(" "));
  if (!name || !type) throw new EngineError(`${JSON.stringify(line.slice(0, 200))}: the option needs a name and a type`);
  /** @type {any} */
  const option = { name, type, default: preset === "<empty>" ? "" : preset, choices: choices.map((words) => words.join(" ")) };
  for (const key of ["min", "max"]) {
    if (!found[key]) continue;
    option[key] = Number(found[key][0]);
    if (!Number.isInteger(option[key])) throw new EngineError(`${JSON.stringify(line.slice(0, 200))}: ${key} is not a whole number`);
  }
  return option;
}

/**
 * Returns the text of an error line, or null for other lines.
 * @param {string} line
 */
export function errorOf(line) {
  return /^info string error (.*)/.exec(line)?.[1] ?? null;
}

/**
 * Returns the share of the points, from 0 to 1, that the side to move can expect.
 * @param {Score} score
 */
export function chanceOf({ cp = 0, mate }) {
  if (mate !== undefined) return mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-cp / 100));
}
