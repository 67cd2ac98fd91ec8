// Arrows over the board: the best turn, further lines, the threat, and those
// that the user draws. Each kind has its own layer, so that one changes without
// the others. A dark outline keeps them visible on every colour.

import { svg } from "../dom.js";
import { parts } from "./notation.js";
import { place } from "./geometry.js";

const KINDS = ["line", "best", "threat", "own"];

/**
 * @typedef {Object} Arrow
 * @property {string} from
 * @property {string} to the same as from for a circle on one point
 * @property {string} [label] a short text at its middle
 * @property {boolean} [row] whether it is the stroke along a row that is taken off
 */

/** The arrows of one board. */
export class Arrows {
  #layers = new Map();

  /** @param {SVGElement} layer */
  constructor(layer) {
    for (const kind of KINDS) {
      const group = svg("g", { class: `arrows arrows-${kind}` });
      layer.append(group);
      this.#layers.set(kind, group);
    }
  }

  /**
   * Shows arrows of a kind instead of those of the kind before.
   * @param {"line"|"best"|"threat"|"own"} kind
   * @param {Arrow[]} arrows
   */
  show(kind, arrows) {
    this.#layers.get(kind).replaceChildren(...arrows.flatMap((arrow) => draw(arrow)));
  }
}

/**
 * The arrows that show a turn: one for its move, a circle for a ring placed,
 * and a stroke along each row it takes off.
 * @param {string} turn
 * @param {string} [label]
 * @returns {Arrow[]}
 */
export function arrowsOf(turn, label) {
  const all = [];
  for (const part of parts(turn)) {
    if (part.do === "place") all.push({ from: part.to, to: part.to, label });
    if (part.do === "move") all.push({ from: part.from, to: part.to, label });
    if (part.do === "take") {
      all.push({ from: part.row[0], to: part.row[1], row: true });
      if (part.ring) all.push({ from: part.ring, to: part.ring });
    }
  }
  return all;
}

function draw(arrow) {
  const a = place(arrow.from);
  const b = place(arrow.to);
  if (!a || !b) return [];
  if (a === b) return withLabel([circle(a, "arrow-under"), circle(a, "arrow-line")], a.x, a.y, arrow.label);
  if (arrow.row) {
    const d = `M${a.x} ${a.y}L${b.x} ${b.y}`;
    return [svg("path", { class: "arrow-under arrow-row", d }), svg("path", { class: "arrow-line arrow-row", d })];
  }
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const at = (along, across) => `${(a.x + ux * along - uy * across).toFixed(1)} ${(a.y + uy * along + ux * across).toFixed(1)}`;
  const tip = length - 8;
  const neck = tip - 32;
  const d = `M${at(32, -4)}L${at(neck, -5)}L${at(neck - 5, -18)}L${at(tip, 0)}L${at(neck - 5, 18)}L${at(neck, 5)}L${at(32, 4)}Z`;
  const shape = [svg("path", { class: "arrow-shape", d })];
  // On a short arrow the tag would hide the head: there it lies in the ring.
  const along = length < 150 ? 0 : length * 0.5;
  return withLabel(shape, a.x + ux * along, a.y + uy * along, arrow.label);
}

function circle(at, name) {
  return svg("circle", { class: name, cx: at.x, cy: at.y, r: 40 });
}

function withLabel(shape, x, y, label) {
  if (!label) return shape;
  return [...shape, svg("circle", { class: "arrow-tag", cx: x, cy: y, r: 19 }), svg("text", { class: "arrow-label", x, y }, label)];
}
