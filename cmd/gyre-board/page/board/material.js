// What the board is made of: the light falls from above on the left. Rings are round
// all over, so their outer half is bright above and their inner half below; markers
// are flat discs with a rim. All pieces share these gradients and shadows.

import { svg } from "../dom.js";

/** Bright to dark, along the light. @type {Array<[string, Array<[number, string]>]>} */
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

/** A shadow is dark in the middle of a band and soft to both sides. @type {Array<[string, Array<[number, number]>]>} */
const SHADOWS = [
  ["ring-shadow", [[0.5, 0], [0.62, 0.34], [0.84, 0.34], [1, 0]]],
  ["marker-shadow", [[0.6, 0.42], [0.85, 0.3], [1, 0]]],
];

/**
 * Makes the gradients that the style names, once for a page.
 * @returns {SVGElement}
 */
export function material() {
  const slopes = SLOPES.map(([id, stops]) => svg("linearGradient", { id: `m-${id}`, x1: 0.15, y1: 0.05, x2: 0.85, y2: 0.95 },
    ...stops.map(([offset, colour]) => svg("stop", { offset, "stop-color": colour }))));
  const shadows = SHADOWS.map(([id, stops]) => svg("radialGradient", { id: `m-${id}` },
    ...stops.map(([offset, opacity]) => svg("stop", { offset, "stop-color": "#0b0f14", "stop-opacity": opacity }))));
  return svg("defs", {}, ...slopes, ...shadows);
}
