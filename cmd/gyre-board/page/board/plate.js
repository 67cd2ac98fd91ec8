// The board itself, without a piece on it: the plate, the lines, the names of
// columns and numbers, and the three places a side for rings won.

import { svg } from "../dom.js";
import { EDGE, labels, lines } from "./geometry.js";

const RING_RADIUS = 37;

// Labels must not be smaller than this on the screen, however small the board.
const SMALLEST_TEXT = 14.5;
const LABEL_SIZE = 30;

/**
 * Where the rings that a side has won lie: White's at the lower left, Black's
 * at the upper right, as on the printed board.
 * @param {"w"|"b"} side
 * @param {number} index 0 to 2
 * @returns {{x: number, y: number}}
 */
export function traySpot(side, index) {
  const x = 492 - 84 * index;
  return side === "w" ? { x: -x, y: 488 } : { x, y: -492 };
}

/**
 * Draws the plate into a layer.
 * @param {SVGElement} layer
 */
export function drawPlate(layer) {
  const d = lines().map(([a, b]) => `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}`);
  layer.append(
    svg("rect", { class: "plate-edge", x: -EDGE, y: -EDGE + 6, width: 2 * EDGE, height: 2 * EDGE - 6, rx: 46 }),
    svg("rect", { class: "plate-top", x: -EDGE, y: -EDGE, width: 2 * EDGE, height: 2 * EDGE - 8, rx: 46 }),
    svg("path", { class: "plate-lines", d: d.join("") }),
  );
  for (const { text, x, y } of labels()) {
    layer.append(svg("text", { class: "plate-label", x: x.toFixed(1), y: y.toFixed(1) }, text));
  }
}

/**
 * Draws the places for rings won: as many as win the game.
 * @param {SVGElement} layer
 * @param {number} count 3, or 1 in blitz
 */
export function drawTrays(layer, count) {
  layer.replaceChildren();
  for (const side of /** @type {const} */ (["w", "b"])) {
    for (let i = 0; i < count; i++) {
      const { x, y } = traySpot(side, i);
      layer.append(svg("circle", { class: `tray tray-${side}`, cx: x, cy: y, r: RING_RADIUS }));
    }
  }
}

/**
 * Keeps the labels readable: their size in the drawing grows as the board
 * shrinks.
 * @param {SVGElement} drawing
 * @param {number} width of the board on the screen, in CSS pixels
 */
export function scaleLabels(drawing, width) {
  const unit = width / (2 * EDGE);
  const size = Math.max(LABEL_SIZE, SMALLEST_TEXT / unit);
  drawing.style.setProperty("--label-size", `${size.toFixed(1)}px`);
}
