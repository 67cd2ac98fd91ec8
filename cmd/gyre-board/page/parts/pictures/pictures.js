// Pictures for the rules, one next to each sentence: pieces on a part of the board, drawn
// with the board's own pieces.

import { svg } from "../../dom.js";
import { lines, place } from "../../../../../position/drawing/geometry.js";
import { makePiece, setSpot } from "../../../../../position/drawing/pieces.js";
import { t } from "../../language.js";

/**
 * @typedef {Object} Picture its text alternative is the message picture-ID
 * @property {string} id
 * @property {Object<string, string>} pieces letters by point: W, B rings; w, b markers
 * @property {[string, string]} [way] a ring's move, as an arrow
 * @property {string[]} [flips] markers that were flipped
 * @property {Array<[string, string]>} [rows]
 * @property {string} [won] the point of a removed ring, or "all"
 */

/** @type {Picture[]} In the order of the rules. */
const PICTURES = [
  { id: "place", pieces: { e5: "W", g6: "B", f7: "W", d5: "B" } },
  { id: "move", pieces: { d4: "w", h8: "W", f5: "B" }, way: ["d4", "h8"] },
  { id: "flip", pieces: { d4: "w", e5: "w", f6: "b", g7: "w", h8: "W" }, way: ["d4", "h8"], flips: ["e5", "f6", "g7"] },
  { id: "row", pieces: { d4: "w", e5: "w", f6: "w", g7: "w", h8: "w", e6: "W", g6: "B" }, rows: [["d4", "h8"]], won: "e6" },
  { id: "rows", pieces: { d4: "w", e5: "w", f6: "w", g7: "w", h8: "w", d6: "w", e6: "w", g6: "w", h6: "w" }, rows: [["d4", "h8"], ["d6", "h6"]] },
  { id: "gift", pieces: { d6: "w", e6: "w", f6: "w", g6: "w", h6: "w", f5: "b", f7: "B" }, rows: [["d6", "h6"]], way: ["f5", "f7"], flips: ["f6"] },
  { id: "win", pieces: { e6: "W", f6: "W", g7: "W" }, won: "all" },
  { id: "end", pieces: { e6: "W", f6: "W", g7: "B" }, won: "all" },
];

/** When opened, adds the pictures to all lists of the rules. */
export function begin() {
  return { open: () => document.querySelectorAll(".how-list:not(:has(.picture))").forEach(addPictures) };
}

function addPictures(list) {
  [...list.children].forEach((item, i) => item.prepend(draw(PICTURES[i])));
}

/** @param {Picture} picture */
function draw({ id, pieces, way, flips = [], rows = [], won }) {
  const d = lines().map(([a, b]) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join("");
  const drawing = svg("svg", { class: "picture", viewBox: "-240 -160 480 320", role: "img", "aria-label": t(`picture-${id}`) });
  if (won !== "all") drawing.append(svg("path", { class: "plate-lines", d }));
  for (const row of rows) drawing.append(along(row, "picture-row"));
  if (way) drawing.append(along(way, "last-path"));
  // Rings are drawn above markers.
  const order = Object.entries(pieces).sort(([, a], [, b]) => (a < b ? 1 : -1));
  for (const [i, [point, letter]] of order.entries()) {
    const piece = makePiece(letter === letter.toUpperCase() ? "ring" : "marker", letter.toLowerCase() === "w" ? "w" : "b");
    setSpot(piece.element, won === "all" ? { x: 130 * (i - 1), y: 0 } : place(point));
    drawing.append(piece.element);
  }
  for (const point of flips) drawing.append(circle(point, "flip-under", 30), circle(point, "flip", 30));
  if (won && won !== "all") drawing.append(circle(won, "halo-under halo-take-under", 47), circle(won, "halo-take", 47));
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
