// The empty board: the field, the lines, the labels of columns and numbers, and the
// trays for rings won. The plate below them is the element's own background.

import { EDGE, labels, lines, outline } from "./geometry.js";
import { svg } from "./svg.js";

export const RING_RADIUS = 37;

// Labels are small and have one size on the screen, however large the board is.
const TEXT_SIZE = 14.5;

// How far the field extends beyond the outermost points.
const OUTSIDE = 30;

/** The size of rings in their trays, as a share of that of rings on the board. */
export const TRAY_SCALE = 0.8;

// The first tray is in the corner of the plate.
const TRAY_CORNER = 466;
const TRAYS_APART = 76;

/**
 * Where the rings that a side has won are drawn: White's at the lower left, Black's at
 * the upper right, as on the printed board.
 * @param {"w"|"b"} side
 * @param {number} index 0 to 2
 * @returns {{x: number, y: number}}
 */
export function traySpot(side, index) {
  const x = TRAY_CORNER - TRAYS_APART * index;
  return side === "w" ? { x: -x, y: TRAY_CORNER } : { x, y: -TRAY_CORNER };
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
 * Draws the trays for rings won: as many as win the game.
 * @param {SVGElement} layer
 * @param {number} count 3, or 1 in blitz
 */
export function drawTrays(layer, count) {
  layer.replaceChildren();
  for (const side of /** @type {const} */ (["w", "b"])) {
    for (let i = 0; i < count; i++) {
      const { x, y } = traySpot(side, i);
      layer.append(svg("circle", { class: `tray tray-${side}`, cx: x, cy: y, r: TRAY_SCALE * RING_RADIUS }));
    }
  }
}

/**
 * Keeps the labels readable: the smaller the board, the larger their size in the
 * drawing.
 * @param {SVGElement} drawing
 * @param {number} width of the board on the screen, in CSS pixels
 */
export function scaleLabels(drawing, width) {
  const unit = width / (2 * EDGE);
  const size = TEXT_SIZE / unit;
  drawing.style.setProperty("--label-size", `${size.toFixed(1)}px`);
}

// What the board is made of. The light falls from the upper left. Rings are round, so
// their outer half is bright above and their inner half below; markers are flat discs
// with a rim. All pieces share these gradients and shadows.

/** Gradients from bright to dark, along the light. @type {Array<[string, Array<[number, string]>]>} */
const SLOPES = [
  ["white-outer", [[0, "#ffffff"], [0.45, "#f4f0e4"], [0.8, "#cfc8b6"], [1, "#a69e8b"]]],
  ["white-inner", [[0, "#b3ab98"], [0.35, "#d8d2c2"], [0.75, "#fbf9f2"], [1, "#ffffff"]]],
  ["black-outer", [[0, "#6a747e"], [0.3, "#333a42"], [0.7, "#15191d"], [1, "#050607"]]],
  ["black-inner", [[0, "#040506"], [0.4, "#14181c"], [0.8, "#3b434b"], [1, "#596570"]]],
  ["white-rim", [[0, "#ffffff"], [0.5, "#e6e0d0"], [1, "#9b937f"]]],
  ["white-face", [[0, "#f1ecdf"], [1, "#fffdf7"]]],
  ["black-rim", [[0, "#77828c"], [0.5, "#2a3036"], [1, "#000000"]]],
  ["black-face", [[0, "#15191d"], [1, "#2b3239"]]],
];

/** A shadow is dark in the middle of a band and soft on both sides. @type {Array<[string, Array<[number, number]>]>} */
const SHADOWS = [
  ["ring-shadow", [[0.5, 0], [0.62, 0.34], [0.84, 0.34], [1, 0]]],
  ["marker-shadow", [[0.6, 0.42], [0.85, 0.3], [1, 0]]],
];

/**
 * Makes the gradients that the style sheets name, once per page.
 * @returns {SVGElement}
 */
export function material() {
  const slopes = SLOPES.map(([id, stops]) => svg("linearGradient", { id: `m-${id}`, x1: 0.15, y1: 0.05, x2: 0.85, y2: 0.95 },
    ...stops.map(([offset, colour]) => svg("stop", { offset, "stop-color": colour }))));
  const shadows = SHADOWS.map(([id, stops]) => svg("radialGradient", { id: `m-${id}` },
    ...stops.map(([offset, opacity]) => svg("stop", { offset, "stop-color": "#0b0f14", "stop-opacity": opacity }))));
  return svg("defs", {}, ...slopes, ...shadows);
}
