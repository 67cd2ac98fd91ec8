// The board itself, without a piece on it: the field, the lines, the names of
// columns and numbers, and the three places a side for rings won. The plate under
// it all is the element's own background.

import { svg } from "../dom.js";
import { EDGE, labels, lines, outline } from "./geometry.js";

const RING_RADIUS = 37;

// Labels are small and quiet, of one size on the screen however large the board.
const TEXT_SIZE = 14.5;

// How far the field reaches beyond the outermost points.
const OUTSIDE = 30;

/**
 * Where the rings that a side has won lie: White's at the lower left, Black's
 * at the upper right, as on the printed board.
 * @param {"w"|"b"} side
 * @param {number} index 0 to 2
 * @returns {{x: number, y: number}}
 */
export function traySpot(side, index) {
  const x = 484 - 86 * index;
  return side === "w" ? { x: -x, y: 484 } : { x, y: -484 };
}

/**
 * Draws the plate into a layer.
 * @param {SVGElement} layer
 */
export function drawPlate(layer) {
  const d = lines().map(([a, b]) => `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}`);
  layer.append(
    svg("polygon", { class: "plate-field", points: outline(OUTSIDE).map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }),
    svg("path", { class: "plate-lit", d: d.join(""), transform: "translate(1.4 1.6)" }),
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
      layer.append(svg("circle", { class: `tray tray-${side}`, cx: x, cy: y, r: RING_RADIUS + 2 }));
    }
  }
}

/**
 * Keeps the labels readable: their size in the drawing is the larger, the smaller
 * the board.
 * @param {SVGElement} drawing
 * @param {number} width of the board on the screen, in CSS pixels
 */
export function scaleLabels(drawing, width) {
  const unit = width / (2 * EDGE);
  const size = TEXT_SIZE / unit;
  drawing.style.setProperty("--label-size", `${size.toFixed(1)}px`);
}
