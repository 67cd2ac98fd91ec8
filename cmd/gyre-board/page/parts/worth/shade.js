// How targets show what they are worth: by colour, and by the number.

import { place } from "../../board/geometry.js";
import { svg } from "../../dom.js";

/** @typedef {import("../../_types/messages").TargetView} Target */

/** A number of two digits fits. */
const RADIUS = 31;

/**
 * What going to a target loses, in words.
 * @param {{lost: number}} target
 */
export function worthWords({ lost }) {
  return lost < 0.5 ? "loses nothing" : `loses ${Math.round(lost)} per cent`;
}

/**
 * Draws targets in place of the dots.
 * @param {SVGElement} layer
 * @param {Target[]} targets
 */
export function shadeTargets(layer, targets) {
  layer.replaceChildren(...targets.map(draw));
}

function draw({ to, lost, label }) {
  const { x, y } = place(to);
  const disc = svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: RADIUS });
  // For three digits there is no room.
  const number = svg("text", { x: x.toFixed(1), y: y.toFixed(1) }, lost < 99.5 ? String(Math.round(lost)) : "×");
  return svg("g", { class: `worth ${label || "fine"}`, "data-to": to }, disc, number);
}
