// A chart of values with errors: a line in a band, and the scale at its left. Matches draw
// their Elo with it, and the player's rating its history. The score graph of a game is
// panels/graph.js.

import { html, svg } from "../dom.js";

const HEIGHT = 100;

/**
 * @typedef {Object} Point
 * @property {number} x
 * @property {number} value
 * @property {number} error half the height of the band at this point
 */

/**
 * The lowest and the highest value of a scale: all bands, rounded outward to a unit.
 * @param {Point[]} points at least one
 * @param {number} unit
 */
export function scaleOf(points, unit) {
  const low = Math.min(...points.map(({ value, error }) => value - error));
  const high = Math.max(...points.map(({ value, error }) => value + error));
  return { low: Math.floor(low / unit) * unit, high: Math.ceil(high / unit) * unit };
}

/**
 * Draws a chart. Bands are cut off at the ends of the scale.
 * @param {Point[]} points at least two, by x
 * @param {Object} how
 * @param {number} how.low the ends of the scale
 * @param {number} how.high
 * @param {string} how.words the chart in words
 * @param {boolean} [how.signed] whether values are differences: they have signs, and zero has a line
 */
export function bandChart(points, { low, high, words, signed = false }) {
  const [from, to] = [points[0].x, points[points.length - 1].x];
  const y = (value) => (HEIGHT * (high - Math.max(low, Math.min(high, value)))) / Math.max(1, high - low);
  const path = (list) => list.map(([x, value]) => `${((100 * (x - from)) / (to - from)).toFixed(2)} ${y(value).toFixed(2)}`).join("L");
  const upper = points.map(({ x, value, error }) => [x, value + error]);
  const lower = points.map(({ x, value, error }) => [x, value - error]).reverse();
  const drawing = svg("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "chart-band", d: `M${path([...upper, ...lower])}Z` }),
    ...(signed ? [svg("path", { class: "chart-zero", d: `M0 ${y(0)}H100` })] : []),
    svg("path", { class: "chart-line", d: `M${path(points.map(({ x, value }) => [x, value]))}` }));
  const number = (value) => `${value < 0 ? "−" : signed && value > 0 ? "+" : ""}${Math.abs(value)}`;
  const zero = html("span", { className: "chart-at-zero" }, "0");
  zero.style.top = `${y(0)}%`;
  const labels = [
    !(signed && high === 0) && html("span", {}, number(high)),
    signed && low < 0 && high > 0 && zero,
    !(signed && low === 0) && html("span", { className: "chart-low" }, number(low)),
  ];
  return html("figure", { className: "chart", role: "img", "aria-label": words, "data-testid": "chart" },
    html("div", { className: "chart-axis", "aria-hidden": "true" }, ...labels), html("div", { className: "chart-plot" }, drawing));
}
