// The history of a rating as a line, with a band of twice its deviation.

import { html, svg } from "../../dom.js";
import { newRating } from "../puzzles/glicko.js";

const WIDTH = 300;
const HEIGHT = 100;

/**
 * Draws the chart.
 * @param {import("./results.js").Rated[]} history at least one
 * @returns {HTMLElement}
 */
export function ratingChart(history) {
  const all = [newRating(), ...history.map(({ me }) => me)];
  const lows = all.map(({ rating, deviation }) => rating - 2 * deviation);
  const highs = all.map(({ rating, deviation }) => rating + 2 * deviation);
  const [least, most] = [Math.floor(Math.min(...lows) / 100) * 100, Math.ceil(Math.max(...highs) / 100) * 100];
  const x = (i) => ((WIDTH * i) / (all.length - 1)).toFixed(1);
  const y = (rating) => (HEIGHT * (1 - (rating - least) / Math.max(1, most - least))).toFixed(1);
  const along = (ratings) => ratings.map((rating, i) => `${x(i)},${y(rating)}`);
  const band = [...along(highs), ...along(lows).reverse()].join(" ");
  const line = along(all.map(({ rating }) => rating)).join(" ");
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("polygon", { class: "rating-band", points: band }),
    svg("polyline", { class: "rating-line", points: line }));
  const words = `The rating by games, ${history.length} so far: at first ${Math.round(all[0].rating)}, now ${Math.round(all.at(-1).rating)}`;
  return html("div", { className: "rating-chart", role: "img", "aria-label": words },
    html("div", { className: "rating-axis", "aria-hidden": "true" }, html("span", {}, scaleText(most)), html("span", {}, scaleText(least))), drawing);
}

function scaleText(rating) {
  return String(rating).replace("-", "−");
}
