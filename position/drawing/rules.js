// The rules on a board: what turns do to it, and the steps that can come next in a turn. The engine's
// rules in package position decide; the tests compare the two.

import { DIRECTIONS, neighbor, parseTurn, points, span } from "./geometry.js";

const allPoints = points;

/** The number of markers in a game. */
const MARKERS = 51;

/** The number of rings of both sides. */
const RINGS = 10;

/** The number of markers in a row. */
const ROW = 5;

/** The position at the start of a game. */
export const START = "4/7/8/9/10/9/10/9/8/7/4 w 0-0";

/**
 * @typedef {"w"|"b"} Side
 *
 * @typedef {Object} Board
 * @property {Record<string, string>} points pieces by point: W and B are rings, w and b markers
 * @property {Side} side the side to move
 * @property {[number, number]} removed rings removed by White and by Black
 * @property {number} pool markers not on the board
 *
 * @typedef {Object} Step a part of a turn; removing a row and its ring are two steps
 * @property {"place"|"move"|"row"|"ring"|"pass"} do
 * @property {string} [from]
 * @property {string} [to]
 * @property {[string, string]} [row] the ends of the row
 * @property {string[]} [points] the markers of the row
 * @property {string[]} [flips] the markers that a move flips
 * @property {Side} [side] whose step it is
 */

/**
 * A position as the page shows it.
 * @typedef {Board & {position: string, rules: Rules, placing: boolean, over: boolean, winner: Side|""}} View
 *     position is its text, placing whether rings are still to be placed, winner "" for a draw or
 *     while the game is not over
 *
 * @typedef {"standard"|"blitz"} Rules
 *
 * What the player must do next, as facts for the page's words.
 * @typedef {Object} Prompt
 * @property {"place"|"move"|"pass"|"ring"|"row"|"five"|"row-of"|"given-row"|"given-five"|"given-row-of"|"complete"|"over"} ask
 *     given: the opponent completed the row; five: one of several rows that share markers; row-of: one
 *     of several rows that can all be removed
 * @property {Side} side
 * @property {number} [number] of the ring or row
 * @property {number} [of] how many there are
 *
 * A turn of which some steps are done.
 * @typedef {Object} PartialTurn
 * @property {Step[]} steps that can come next; empty when the turn is complete
 * @property {string|null} complete the turn, if it is complete
 * @property {Board} view the board after the steps
 * @property {Prompt} [prompt]
 */

/**
 * Parses a position. Throws an error that names the invalid word.
 * @param {string} text three words: BOARD SIDE SCORE
 * @returns {Board}
 */
export function parseBoard(text) {
  const [board = "", side = "", score = "", ...rest] = text.trim().split(/\s+/);
  if (rest.length) throw new Error(`position ${JSON.stringify(text)}: more than three words`);
  const columns = board.split("/");
  if (columns.length !== 11) throw new Error(`position: ${columns.length} columns instead of 11 in ${JSON.stringify(board)}`);
  /** @type {Record<string, string>} */
  const points = {};
  let markers = 0;
  columns.forEach((column, at) => {
    const letter = "abcdefghijk"[at];
    const names = allPoints.filter((point) => point[0] === letter);
    let next = 0;
    for (const [word] of column.matchAll(/\d+|./g)) {
      if (/\d/.test(word)) {
        next += Number(word);
      } else if (/[WBwb]/.test(word)) {
        if (next < names.length) points[names[next]] = word;
        if (word === word.toLowerCase()) markers++;
        next++;
      } else {
        throw new Error(`position: column ${letter} has an unknown piece ${JSON.stringify(word)}`);
      }
    }
    if (next !== names.length) throw new Error(`position: column ${letter} has ${next} points instead of ${names.length}`);
  });
  if (side !== "w" && side !== "b") throw new Error(`position: the side to move is w or b, not ${JSON.stringify(side)}`);
  const counts = /^([0-3])-([0-3])$/.exec(score);
  if (!counts) throw new Error(`position: the score ${JSON.stringify(score)} is not two numbers like 0-0`);
  return { points, side, removed: [Number(counts[1]), Number(counts[2])], pool: MARKERS - markers };
}

/**
 * Writes a position as text.
 * @param {Board} board
 */
export function formatBoard({ points, side, removed }) {
  const columns = [..."abcdefghijk"].map((letter) => {
    let text = "";
    let vacant = 0;
    for (const point of allPoints) {
      if (point[0] !== letter) continue;
      if (!points[point]) {
        vacant++;
        continue;
      }
      text += (vacant || "") + points[point];
      vacant = 0;
    }
    return text + (vacant || "");
  });
  return `${columns.join("/")} ${side} ${removed.join("-")}`;
}

/**
 * The steps of a turn, without what depends on the board.
 * @param {string} turn
 * @returns {Step[]}
 */
export function stepsOfTurn(turn) {
  return parseTurn(turn).flatMap((part) => {
    if (part.do !== "take") return [/** @type {Step} */ (part)];
    const ends = /** @type {[string, string]} */ (part.row);
    /** @type {Step[]} */
    const steps = [{ do: "row", row: ends, points: span(...ends) }];
    if (part.ring) steps.push({ do: "ring", from: part.ring });
    return steps;
  });
}

/**
 * A step with what it does to a board.
 * @param {Board} board
 * @param {Step} step
 * @returns {Step}
 */
function complete(board, step) {
  if (step.do !== "move") return { ...step, side: board.side };
  const path = span(/** @type {string} */ (step.from), /** @type {string} */ (step.to)).slice(1, -1);
  return { ...step, side: board.side, flips: path.filter((point) => /[wb]/.test(board.points[point] ?? "")) };
}

/**
 * The board after a step. The side to move stays: a turn ends with afterTurn.
 * @param {Board} board
 * @param {Step} step
 * @returns {Board}
 */
function afterStep(board, step) {
  const { side } = board;
  const points = { ...board.points };
  const removed = /** @type {[number, number]} */ ([...board.removed]);
  let { pool } = board;
  const full = complete(board, step);
  switch (step.do) {
    case "place":
      points[/** @type {string} */ (step.to)] = side.toUpperCase();
      break;
    case "move":
      points[/** @type {string} */ (step.to)] = side.toUpperCase();
      points[/** @type {string} */ (step.from)] = side;
      pool--;
      for (const point of full.flips ?? []) points[point] = points[point] === "w" ? "b" : "w";
      break;
    case "row":
      for (const point of step.points ?? []) delete points[point];
      pool += step.points?.length ?? 0;
      break;
    case "ring":
      delete points[/** @type {string} */ (step.from)];
      removed[side === "w" ? 0 : 1]++;
      break;
  }
  return { points, side, removed, pool };
}

/**
 * What a turn does, step by step, to animate it.
 * @param {Board} board
 * @param {string} turn
 * @returns {{acts: Step[], board: Board}} the steps, and the board after the turn
 */
export function playTurn(board, turn) {
  const acts = [];
  let now = board;
  for (const step of stepsOfTurn(turn)) {
    acts.push(complete(now, step));
    now = afterStep(now, step);
  }
  return { acts, board: { ...now, side: board.side === "w" ? "b" : "w" } };
}

/**
 * The steps that can come next in one of some turns.
 * @param {Board} board before the turn
 * @param {string[]} legalTurns
 * @param {Step[]} prefix the steps done
 * @returns {PartialTurn}
 */
export function nextSteps(board, legalTurns, prefix) {
  const view = prefix.reduce(afterStep, board);
  /** @type {Map<string, Step>} */
  const next = new Map();
  /** @type {string|null} */
  let completed = null;
  for (const turn of legalTurns) {
    const steps = stepsOfTurn(turn);
    if (!prefix.every((step, i) => steps[i] && keyOf(steps[i]) === keyOf(step))) continue;
    const step = steps[prefix.length];
    if (step) next.set(keyOf(step), step);
    else completed ??= turn;
  }
  return {
    steps: completed === null ? [...next.values()].map((step) => complete(view, step)) : [],
    complete: completed,
    view,
  };
}

/** @param {Step} step */
function keyOf({ do: kind, from, to, row }) {
  return [kind, from, to, row && [...row].sort()].join();
}

/**
 * A position as the page shows it.
 * @param {string} position its text
 * @param {Rules} rules
 * @returns {View}
 */
export function viewOf(position, rules) {
  const board = parseBoard(position);
  const over = isOver(board, rules);
  const [white, black] = board.removed;
  return { ...board, position, rules, placing: isPlacing(board), over, winner: !over || white === black ? "" : white > black ? "w" : "b" };
}

/**
 * The steps that can come next in a turn.
 * @param {Board} board before the turn
 * @param {Rules} rules
 * @param {Step[]} prefix the steps done
 * @returns {PartialTurn|null} null if those steps are not possible
 */
export function turnSteps(board, rules, prefix) {
  let view = board;
  let steps = legalSteps(board, rules, []);
  for (const [i, step] of prefix.entries()) {
    const legal = steps.find((one) => keyOf(one) === keyOf(step));
    if (!legal) return null;
    view = afterStep(view, legal);
    steps = legalSteps(view, rules, prefix.slice(0, i + 1));
  }
  return { steps, complete: prefix.length && !steps.length ? turnOf(prefix) : null, view, prompt: promptOf(view, rules, prefix, steps) };
}

/** @param {Step[]} prefix whether the ring move of the turn, or what is in its place, is done */
function hasMoved(prefix) {
  return prefix.some(({ do: kind }) => kind === "move" || kind === "place" || kind === "pass");
}

/**
 * The legal next steps, in the order of the points, and of the directions of rows.
 * @param {Board} board after the steps of prefix
 * @param {Rules} rules
 * @param {Step[]} prefix
 * @returns {Step[]}
 */
function legalSteps(board, rules, prefix) {
  if (prefix.at(-1)?.do === "row") return ringsOf(board, board.side).map((from) => ({ do: "ring", from }));
  if (isDecided(board, rules)) return [];
  const rows = rowsOf(board, board.side);
  if (rows.length) return rows.map((row) => ({ do: "row", row: [row[0], row[ROW - 1]], points: row }));
  if (hasMoved(prefix) || isOver(board, rules)) return [];
  if (isPlacing(board)) return points.filter((to) => !board.points[to]).map((to) => ({ do: "place", to }));
  const moves = ringsOf(board, board.side).flatMap((from) => movesOf(board, from));
  return moves.length ? moves : [{ do: "pass" }];
}

/** @param {Step[]} steps of a whole turn @returns {string} */
function turnOf(steps) {
  /** @type {Record<Step["do"], (step: Step) => string>} */
  const words = { place: ({ to }) => to, move: ({ from, to }) => `${from}-${to}`, pass: () => "pass", row: ({ row }) => `x${row?.join("-")}`, ring: ({ from }) => `x${from}` };
  // A ring belongs to the row before it.
  return steps.reduce((turn, step) => turn + (turn && step.do !== "ring" ? ";" : "") + words[step.do](step), "");
}

/** @param {Board} board @param {Rules} rules @param {Step[]} prefix @param {Step[]} steps @returns {Prompt} */
function promptOf(board, rules, prefix, steps) {
  const { side, removed } = board;
  const own = side === "w" ? 0 : 1;
  if (!steps.length) return isOver(board, rules) ? { ask: "over", side } : { ask: "complete", side };
  const ask = steps[0].do;
  if (ask === "place") return { ask, side, number: ringsOf(board, side).length + removed[own] + 1, of: RINGS / 2 };
  if (ask !== "row") return { ask, side };
  const early = !hasMoved(prefix);
  const done = prefix.slice(prefix.findIndex((step) => hasMoved([step])) + 1).filter((step) => step.do === "row").length;
  const most = done + Math.min(mostApart(steps), winningRings(rules) - removed[own]);
  if (early && done === 0) {
    if (steps.length === 1) return { ask: "given-row", side };
    return most === 1 ? { ask: "given-five", side } : { ask: "given-row-of", side, number: 1, of: most };
  }
  if (most > 1) return { ask: "row-of", side, number: done + 1, of: most };
  return { ask: steps.length > 1 ? "five" : "row", side };
}

/** The largest number of rows that can be removed together: rows that share a marker exclude each other. @param {Step[]} rows @returns {number} */
function mostApart([first, ...rest]) {
  if (!first) return 0;
  const apart = rest.filter((other) => !other.points?.some((point) => first.points?.includes(point)));
  return Math.max(1 + mostApart(apart), mostApart(rest));
}

/** @param {Rules} rules */
function winningRings(rules) {
  return rules === "blitz" ? 1 : 3;
}

/** Whether a side has removed enough rings. @param {Board} board @param {Rules} rules */
function isDecided({ removed }, rules) {
  return Math.max(...removed) >= winningRings(rules);
}

/** Whether rings are still to be placed. @param {Board} board */
function isPlacing(board) {
  return ringsOf(board, "w").length + ringsOf(board, "b").length + board.removed[0] + board.removed[1] < RINGS;
}

/** Whether the game is over before a turn. @param {Board} board @param {Rules} rules */
function isOver(board, rules) {
  if (isDecided(board, rules)) return true;
  if (isPlacing(board) || rowsOf(board, board.side).length) return false;
  return board.pool === 0 || !["w", "b"].some((side) => ringsOf(board, side).some((from) => movesOf(board, from).length));
}

/** @param {Board} board @param {string} side */
function ringsOf(board, side) {
  const ring = side.toUpperCase();
  return points.filter((point) => board.points[point] === ring);
}

/** The points from each point to the edge, in the directions of rows and their opposites. */
const RAYS = new Map(points.map((from) => [from, [...DIRECTIONS, ...DIRECTIONS.map((by) => by.map((n) => -n))].map(([columns, numbers]) => {
  const ray = [];
  for (let at = neighbor(from, columns, numbers); at; at = neighbor(at, columns, numbers)) ray.push(at);
  return ray;
})]));

/** The moves of the ring on a point, in the order of the points. @param {Board} board @param {string} from @returns {Step[]} */
function movesOf(board, from) {
  /** @type {Map<string, Step>} */
  const moves = new Map();
  for (const ray of /** @type {string[][]} */ (RAYS.get(from))) {
    const flips = [];
    for (const to of ray) {
      const piece = board.points[to];
      if (piece === "W" || piece === "B") break;
      if (piece) {
        flips.push(to);
      } else {
        moves.set(to, { do: "move", from, to, side: board.side, flips: [...flips] });
        if (flips.length) break;
      }
    }
  }
  return points.flatMap((point) => moves.get(point) ?? []);
}

/** The places for rows, by direction and then by their lower end. */
const ROWS = DIRECTIONS.flatMap((_, i) => points.map((first) => [first, .../** @type {string[][]} */ (RAYS.get(first))[i].slice(0, ROW - 1)])).filter((row) => row.length === ROW);

/** The rows of a side. @param {Board} board @param {string} side */
function rowsOf(board, side) {
  return ROWS.filter((row) => row.every((point) => board.points[point] === side));
}
