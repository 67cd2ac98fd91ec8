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
    words.push(word, String(BigInt(Math.round(value)))); // a Number prints 1e21 with an exponent
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

const LARGE = 2 ** 31 - 1;

/** The keywords of info with one number, and the range of each. @type {Record<string, [number, number]>} */
const NUMBERS = {
  depth: [0, LARGE], seldepth: [0, LARGE], multipv: [1, LARGE], hashfull: [0, LARGE],
  nodes: [0, 2 ** 63], nps: [0, 2 ** 63], time: [0, 1e12], cp: [-LARGE, LARGE], mate: [-LARGE, LARGE],
};

/** The keywords of info, those of UCI that are not read included. They end a line of turns. */
const INFO_WORDS = new Set([
  ...Object.keys(NUMBERS), "score", "lowerbound", "upperbound", "wdl", "pv", "string",
  "currmove", "currmovenumber", "tbhits", "sbhits", "cpuload", "refutation", "currline",
]);

/**
 * Called with a message about what is skipped because it cannot be read.
 * @typedef {(message: string) => void} Warn
 */

/**
 * Splits a line at its blanks, which are those of ASCII: other characters are parts of words.
 * @param {string} line
 * @returns {string[]}
 */
export function split(line) {
  return line.match(/[^ \t\r\n\v\f]+/g) ?? [];
}

/**
 * Returns a turn in its usual form, or null if the word has not the form of a turn.
 * @param {string} [word]
 * @returns {string|null}
 */
export function turnOf(word = "") {
  const lower = word.toLowerCase();
  const point = "[a-k](?:[1-9]|1[01])";
  const part = `(?:${point}(?:-${point})?|x${point}-${point}x${point}|pass)`;
  return lower.length <= 64 && new RegExp(`^${part}(?:;${part})*$`).test(lower) ? lower : null;
}

/**
 * Parses a line of info. Returns null for other lines and for info string. Ignores unknown words.
 * Skips a value that cannot be read; the line of turns ends before the first word that is no turn.
 * @param {string} line
 * @param {Warn} [warn]
 * @returns {Info|null}
 */
export function parseInfo(line, warn = () => {}) {
  const words = split(line);
  if (words[0] !== "info" || words[1] === "string") return null;
  /** @type {any} */
  const info = { multipv: 1, pv: [] };
  /** @type {any} */
  let score = null;
  let bound = "";
  let at = 1;
  const unread = (/** @type {string} */ name) => warn(`info ${name} is skipped: ${JSON.stringify((words[at] ?? "").slice(0, 40))} cannot be read`);
  const number = (/** @type {string} */ name, [least, most] = NUMBERS[name]) => {
    const value = wholeNumber(words[at]);
    if (value === null || value < least || value > most) return unread(name);
    at++;
    return value;
  };
  while (at < words.length && words[at] !== "string") {
    const name = words[at++];
    if (name in NUMBERS && Object.hasOwn(NUMBERS, name)) {
      const value = number(name);
      if (value === undefined) continue;
      if (name === "cp" || name === "mate") score = { [name]: value };
      else info[name] = value;
    } else if (name === "score") {
      if (!["cp", "mate", "lowerbound", "upperbound"].includes(words[at])) unread(name);
    } else if (name === "lowerbound" || name === "upperbound") {
      bound = name.slice(0, 5);
    } else if (name === "wdl") {
      const chances = [];
      for (let chance; chances.length < 3 && (chance = number(name, [0, 1000])) !== undefined; ) chances.push(chance);
      if (chances.length === 3) info.wdl = chances;
    } else if (name === "pv") {
      info.pv = [];
      for (let turn; at < words.length && !INFO_WORDS.has(words[at]) && (turn = turnOf(words[at])); at++) info.pv.push(turn);
      if (at < words.length && !INFO_WORDS.has(words[at])) unread(name);
      while (at < words.length && !INFO_WORDS.has(words[at])) at++;
    }
  }
  if (score) info.score = bound ? { ...score, bound } : score;
  return info;
}

/**
 * Returns the whole number of 64 bits that a word is, or null.
 * @param {string} [word]
 */
function wholeNumber(word = "") {
  if (!/^[+-]?\d{1,19}$/.test(word)) return null;
  const number = BigInt(word.replace("+", ""));
  return BigInt.asIntN(64, number) === number ? Number(number) : null;
}

/** For each type of an option, the words that begin its parts. @type {Record<string, string[]>} */
const PARTS = { spin: ["default", "min", "max"], check: ["default"], combo: ["default", "var"], button: [], string: ["default"] };

/**
 * Parses a line of the handshake that describes an option. Throws an EngineError without a name or
 * a known type. Skips everything else that cannot be read.
 * @param {string} line
 * @param {Warn} [warn]
 * @returns {Option}
 */
export function parseOption(line, warn = () => {}) {
  const words = split(line);
  // The name may contain the word "type": the one before a type ends it.
  const end = words.findIndex((word, at) => at > 1 && word === "type" && Object.hasOwn(PARTS, words[at + 1] ?? ""));
  if (words[0] !== "option" || words[1] !== "name" || end < 3) throw new EngineError(`${JSON.stringify(line.slice(0, 200))}: the option needs a name and a type`);
  const [name, type] = [words.slice(2, end).join(" "), words[end + 1]];
  /** @type {[string, string[]][]} */
  const found = [];
  for (const word of words.slice(end + 2)) {
    if (PARTS[type].includes(word) && !(type === "string" && found.length)) found.push([word, []]);
    else if (found.length) found[found.length - 1][1].push(word);
    else warn(`option ${name}: ${JSON.stringify(word.slice(0, 40))} is skipped: unknown word`);
  }
  /** @type {any} */
  const option = { name, type, default: "", choices: [] };
  for (const [part, value] of found) {
    const text = value.join(" ");
    const number = wholeNumber(text);
    if (part === "default") option.default = text === "<empty>" ? "" : text;
    else if (part === "var") option.choices.push(text);
    else if (number !== null) option[part] = number;
    else warn(`option ${name}: its ${part} is skipped: ${JSON.stringify(text.slice(0, 40))} is not a whole number of 64 bits`);
  }
  if (option.min > option.max) {
    warn(`option ${name}: its bounds are skipped: its min is above its max`);
    delete option.min;
    delete option.max;
  }
  if (type !== "button" && type !== "string" && !found.some(([part]) => part === "default")) warn(`option ${name}: has no default`);
  return option;
}

/**
 * Returns the text of an error line, or null for other lines.
 * @param {string} line
 * @returns {string|null}
 */
export function errorOf(line) {
  const [info, string, error = "", ...text] = split(line);
  return info === "info" && string === "string" && /^error:?$/i.test(error) ? text.join(" ") || "error" : null;
}

/**
 * Returns the share of the points, from 0 to 1, that the side to move can expect.
 * @param {Score} score
 */
export function chanceOf({ cp = 0, mate }) {
  if (mate !== undefined) return mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-cp / 100));
}
