// Pictures for the rules, one next to each sentence: pieces on a part of the board, drawn
// with the board's own pieces.

import { svg } from "../../dom.js";
import { lines, place } from "../../board/geometry.js";
import { makePiece, setSpot } from "../../board/pieces.js";

/**
 * @typedef {Object} Picture
 * @property {string} shows the text alternative
 * @property {Object<string, string>} pieces letters by point: W, B rings; w, b markers
 * @property {[string, string]} [way] a ring's move, as an arrow
 * @property {string[]} [flips] markers that were flipped
 * @property {[string, string]} [row]
 * @property {string} [won] the point of a removed ring
 */

/** @type {Picture[]} In the order of the rules. */
const PICTURES = [
  { shows: "Rings of both sides on points where lines cross", pieces: { e5: "W", g6: "B", f7: "W", d5: "B" } },
  { shows: "A ring has moved along a line: a marker is left where it stood", pieces: { d4: "w", h8: "W", f5: "B" }, way: ["d4", "h8"] },
  { shows: "A ring has jumped three markers: all of them are turned over", pieces: { d4: "w", e5: "w", f6: "b", g7: "w", h8: "W" }, way: ["d4", "h8"], flips: ["e5", "f6", "g7"] },
  { shows: "Five white markers in a row, and a white ring that goes with them", pieces: { d4: "w", e5: "w", f6: "w", g7: "w", h8: "w", e6: "W", g6: "B" }, row: ["d4", "h8"], won: "e6" },
  { shows: "Three rings taken off", pieces: { e6: "W", f6: "W", g7: "W" }, won: "all" },
];

/** When opened, adds the pictures to all lists of the rules. */
export function begin() {
  return { open: () => document.querySelectorAll(".how-list:not(:has(.picture))").forEach(addPictures) };
}

function addPictures(list) {
  [...list.children].forEach((item, i) => item.prepend(draw(PICTURES[i])));
}

/** @param {Picture} picture */
function draw({ shows, pieces, way, flips = [], row, won }) {
  const d = lines().map(([a, b]) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join("");
  const drawing = svg("svg", { class: "picture", viewBox: "-240 -160 480 320", role: "img", "aria-label": shows });
  if (won !== "all") drawing.append(svg("path", { class: "plate-lines", d }));
  if (row) drawing.append(along(row, "picture-row"));
  if (way) drawing.append(along(way, "last-path"));
  // Rings are drawn above markers.
  const order = Object.entries(pieces).sort(([, a], [, b]) => (a < b ? 1 : -1));
  for (const [i, [point, letter]] of order.entries()) {
    const piece = makePiece(letter === letter.toUpperCase() ? "ring" : "marker", letter.toLowerCase() === "w" ? "w" : "b");
    setSpot(piece.element, won === "all" ? { x: 130 * (i - 1), y: 0 } : place(point));
    drawing.append(piece.element);
  }
  for (const point of flips) drawing.append(circle(point, "flip-under", 30), circle(point, "flip", 30));
  if (won && won !== "all") drawing.append(circle(won, "halo-under", 47), circle(won, "halo-take", 47));
  return drawing;
}

function along([from, to], name) {
  const [a, b] = [place(from), place(to)];
  return svg("line", { class: name, x1: a.x, y1: a.y, x2: b.x, y2: b.y });
}

function circle(point, name, r) {
  const { x, y } = place(point);
  return svg("circle", { class: name, cx: x, cy: y, r });
}
