// What turns do to a board, as far as a picture needs it, for other pages. The page itself asks its
// engine. Which turns are legal comes from an engine, too.

import { parseTurn, points, span } from "./geometry.js";

const allPoints = points;

/** The number of markers in a game. */
const MARKERS = 51;

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
 * The answer to which steps can come next in a turn, for MoveInput.
 * @param {Board} board before the turn
 * @param {string[]} legalTurns
 * @param {Step[]} prefix the steps done
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
