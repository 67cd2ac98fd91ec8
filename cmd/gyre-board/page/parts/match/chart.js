// The Elo difference during a match: a line over the pairs, with a band for its error.

import { html, svg } from "../../dom.js";

const HEIGHT = 100;

/** The chart does not extend beyond this, whatever the first pairs say. */
const MOST = 1200;

/**
 * @typedef {import("../../_types/messages").EloPoint} EloPoint
 *
 * The bounds of a chart.
 * @typedef {Object} Span
 * @property {number} from in pairs
 * @property {number} to
 * @property {number} low in Elo
 * @property {number} high
 */

/**
 * The bounds of a chart: zero, and all bands except those of the first tenth of the pairs,
 * which swing far.
 * @param {EloPoint[]} course at least two points
 * @returns {Span}
 */
export function spanOf(course) {
  const settled = course.slice(Math.floor(course.length / 10));
  const low = Math.min(0, ...settled.map(({ elo, error }) => elo - error));
  const high = Math.max(0, ...settled.map(({ elo, error }) => elo + error));
  const round = (value, up) => (up ? Math.ceil : Math.floor)(Math.max(-MOST, Math.min(MOST, value)) / 50) * 50;
  return { from: course[0].pairs, to: course.at(-1).pairs, low: round(low, false), high: round(high, true) };
}

/**
 * The chart of a match, or null if there are too few points.
 * @param {EloPoint[]} course
 * @returns {HTMLElement|null}
 */
export function eloChart(course) {
  if (course.length < 2) return null;
  const span = spanOf(course);
  const { from, to, low, high } = span;
  const x = ({ pairs }) => (100 * (pairs - from)) / (to - from);
  const y = (elo) => (HEIGHT * (high - Math.max(low, Math.min(high, elo)))) / (high - low);
  const points = (list) => list.map(([at, value]) => `${at.toFixed(2)} ${y(value).toFixed(2)}`).join("L");
  const upper = course.map((point) => [x(point), point.elo + point.error]);
  const lower = course.map((point) => [x(point), point.elo - point.error]).reverse();
  const drawing = svg("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "elo-band", d: `M${points([...upper, ...lower])}Z` }),
    svg("path", { class: "elo-zero", d: `M0 ${y(0)}H100` }),
    svg("path", { class: "elo-line", d: `M${points(course.map((point) => [x(point), point.elo]))}` }));
  const zero = html("span", { className: "elo-at-zero" }, "0");
  zero.style.top = `${y(0)}%`;
  const axis = html("div", { className: "elo-axis", "aria-hidden": "true" },
    high > 0 && html("span", {}, `+${high}`), low < 0 && high > 0 && zero, low < 0 && html("span", { className: "elo-low" }, `−${-low}`));
  const { elo, error } = course.at(-1);
  const words = `Elo over the pairs, from the pair ${from} to the pair ${to}: at last ${elo.toFixed(0)} ± ${error.toFixed(0)}`;
  return html("figure", { className: "elo-chart", role: "img", "aria-label": words, "data-testid": "match-chart" }, axis, html("div", { className: "elo-plot" }, drawing));
}
