// The 85 points and the words for turns. A point is named by column and number
// ("e4"); lines run in the directions (0,1), (1,0) and (1,1) in (column, number).
// Lengths are in units of the drawing, with neighbors U apart.

/** The distance between neighboring points. */
export const U = 100;

/** The drawing extends from -EDGE to EDGE in both directions: rings at the edge just fit. */
export const EDGE = 508;

const LETTERS = "abcdefghijk";
const LOWEST = [2, 1, 1, 1, 1, 2, 2, 3, 4, 5, 7];
const HIGHEST = [5, 7, 8, 9, 10, 10, 11, 11, 11, 11, 10];

/** The directions of lines: along a letter, along a number, and the third. */
export const DIRECTIONS = [[0, 1], [1, 0], [1, 1]];

/**
 * @typedef {Object} Place
 * @property {string} name
 * @property {number} column 0 to 10
 * @property {number} number
 * @property {number} x
 * @property {number} y grows downwards
 */

/** @type {Map<string, Place>} */
const places = new Map();
LOWEST.forEach((lowest, column) => {
  for (let number = lowest; number <= HIGHEST[column]; number++) {
    const name = LETTERS[column] + number;
    const x = (column - 5) * (Math.sqrt(3) / 2) * U;
    const y = -((number - 6) - (column - 5) / 2) * U;
    places.set(name, { name, column, number, x, y });
  }
});

/** All points, by column and then by number. @type {string[]} */
export const points = [...places.keys()];

/**
 * @param {string} name
 * @returns {Place}
 */
export function place(name) {
  return places.get(name);
}

/**
 * The point nearest to a place in the drawing, if it is within reach: half a step
 * by default.
 * @param {number} x
 * @param {number} y
 * @param {number} [reach]
 * @param {Iterable<string>} [among] the points to choose from, all by default
 * @returns {string|null}
 */
export function nearest(x, y, reach = U / 2, among = points) {
  let best = null;
  let distance = reach;
  for (const at of [...among].map(place)) {
    const d = Math.hypot(at.x - x, at.y - y);
    if (d <= distance) [best, distance] = [at.name, d];
  }
  return best;
}

/**
 * The next point in a direction, or null at the edge.
 * @param {string} name
 * @param {number} columns
 * @param {number} numbers
 * @returns {string|null}
 */
export function neighbor(name, columns, numbers) {
  const from = places.get(name);
  const next = LETTERS[from.column + columns] + (from.number + numbers);
  return places.has(next) ? next : null;
}

/**
 * All points from one point to another on its line, both included.
 * @param {string} from
 * @param {string} to
 * @returns {string[]}
 */
export function span(from, to) {
  const a = places.get(from);
  const b = places.get(to);
  const columns = Math.sign(b.column - a.column);
  const numbers = Math.sign(b.number - a.number);
  const all = [from];
  for (let name = from; name !== to && name;) {
    name = neighbor(name, columns, numbers);
    if (name) all.push(name);
  }
  return all;
}

/**
 * Where the handle of a window of five is drawn: half a step before its first
 * marker. No two windows share this spot.
 * @param {string[]} row its points in order
 * @returns {{x: number, y: number}}
 */
export function handleSpot(row) {
  const a = places.get(row[0]);
  const b = places.get(row[1]);
  return { x: a.x - (b.x - a.x) / 2, y: a.y - (b.y - a.y) / 2 };
}

/**
 * The 33 lines, as their first and last points.
 * @returns {Array<[Place, Place]>}
 */
export function lines() {
  const all = [];
  for (const [columns, numbers] of DIRECTIONS) {
    for (const at of places.values()) {
      if (neighbor(at.name, -columns, -numbers)) continue;
      let end = at.name;
      for (let next = end; next; next = neighbor(next, columns, numbers)) end = next;
      all.push([at, places.get(end)]);
    }
  }
  return all;
}

/**
 * The corners of the field, a distance outside the outermost points.
 * @param {number} away
 * @returns {Array<{x: number, y: number}>}
 */
export function outline(away) {
  const corners = ["a2", "a5", "b7", "e10", "g11", "j11", "k10", "k7", "j5", "g2", "e1", "b1"];
  return corners.map((name) => {
    const { x, y } = places.get(name);
    const length = Math.hypot(x, y);
    return { x: (x * (length + away)) / length, y: (y * (length + away)) / length };
  });
}

/**
 * The letters at the foot of the columns and the numbers at the upper left of the lines, in
 * the corners that the field leaves free, and clear of rings at the edge.
 * @returns {Array<{text: string, x: number, y: number}>}
 */
export function labels() {
  const away = 0.68 * U;
  const all = [...LETTERS].map((letter, column) => {
    const foot = places.get(letter + LOWEST[column]);
    const aside = Math.sign(column - 5);
    return { text: letter, x: foot.x + aside * 0.81 * away, y: foot.y + (aside ? 0.59 : 1) * away };
  });
  for (let number = 1; number <= 11; number++) {
    const end = [...places.values()].find((at) => at.number === number);
    const far = number < 10 ? away : 1.12 * away;
    all.push({ text: String(number), x: end.x - (far * Math.sqrt(3)) / 2, y: end.y - far / 2 });
  }
  return all;
}

// Parsing turns to draw them: what a turn does to which points. The server decides
// whether it is legal.

/**
 * @typedef {Object} Part
 * @property {"place"|"move"|"take"|"pass"} do
 * @property {string} [from] the ring that moves
 * @property {string} [to] where a ring is placed or moved
 * @property {[string, string]} [row] the ends of the row that is removed
 * @property {string} [ring] the ring that is removed with the row
 */

const POINT = "([a-k](?:1[01]|[1-9]))";
const PLACE = new RegExp(`^${POINT}$`);
const MOVE = new RegExp(`^${POINT}(?:-| +)${POINT}$`);
const TAKE = new RegExp(`^x${POINT}-${POINT}(?: *x${POINT})?$`);

/**
 * Parses a turn into its parts, in order. Blanks are allowed around semicolons and
 * instead of the hyphen of a move. Parsing stops at the first part that is not valid.
 * @param {string} turn
 * @returns {Part[]}
 */
export function parseTurn(turn) {
  const all = [];
  for (const part of turn.trim().toLowerCase().split(";")) {
    const word = part.trim();
    let found;
    if (word === "pass") all.push({ do: "pass" });
    else if ((found = PLACE.exec(word))) all.push({ do: "place", to: found[1] });
    else if ((found = MOVE.exec(word))) all.push({ do: "move", from: found[1], to: found[2] });
    else if ((found = TAKE.exec(word))) all.push({ do: "take", row: [found[1], found[2]], ring: found[3] });
    else return all;
  }
  return all;
}

/**
 * The steps of a part. Removing a row is two steps.
 * @param {Part} part
 * @returns {Array<{do: string, matches: (step: Object) => boolean, text: string}>}
 */
export function stepsOf(part) {
  switch (part.do) {
    case "place":
      return [wanted("place", part.to, (step) => step.to === part.to)];
    case "move":
      return [wanted("move", `${part.from}-${part.to}`, (step) => step.from === part.from && step.to === part.to)];
    case "take": {
      const ends = [...part.row].sort().join();
      const row = wanted("row", `x${part.row.join("-")}`, (step) => [...step.row].sort().join() === ends);
      return part.ring ? [row, wanted("ring", `x${part.ring}`, (step) => step.from === part.ring)] : [row];
    }
    default:
      return [wanted("pass", "pass", () => true)];
  }
}

function wanted(kind, text, same) {
  return { do: kind, text, matches: (step) => step.do === kind && same(step) };
}
