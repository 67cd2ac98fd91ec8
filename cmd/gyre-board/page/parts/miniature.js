// A small picture of a position for lists and cards: the field and the pieces, without labels.

import { EDGE, outline, place } from "../../../../position/drawing/geometry.js";
import { START, parseBoard, playTurn } from "../../../../position/drawing/rules.js";
import { svg } from "../dom.js";

/**
 * The board after a path, which must be legal.
 * @param {import("../_types/messages").Path} path
 */
export function boardAfter({ start, turns }) {
  const board = parseBoard(start === "startpos" ? START : start);
  return turns.reduce((now, turn) => playTurn(now, turn).board, board);
}

/**
 * Draws a position.
 * @param {Record<string, string>} points its pieces by point
 */
export function miniature(points) {
  const corners = outline(30).map(({ x, y }) => `${x.toFixed()},${y.toFixed()}`);
  const pieces = Object.entries(points).flatMap(([point, piece]) => {
    const { x, y } = place(point);
    const side = piece.toLowerCase();
    const kinds = piece === side ? ["marker"] : ["ring-edge", "ring"];
    return kinds.map((kind) => svg("circle", { class: `${kind} ${side}`, cx: x.toFixed(), cy: y.toFixed(), r: kind === "marker" ? 38 : 34 }));
  });
  return svg("svg", { class: "miniature", viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`, "aria-hidden": "true" }, svg("polygon", { points: corners.join(" ") }), ...pieces);
}
