// Everything drawn on the board in addition to the pieces: what the last turn did,
// where a ring can go, what would flip, and which rows and rings can be removed.
// Marks have a dark outline, because orange alone is hard to see on cream.

import { U, handleSpot, parseTurn, place, span } from "./geometry.js";
import { makePiece, setSpot } from "./pieces.js";
import { svg } from "./svg.js";

const CAPSULE = 76;

/** The marks of one board. */
export class Marks {
  /**
   * @param {SVGElement} under a layer below the pieces
   * @param {SVGElement} over a layer above them
  */
  constructor(under, over) {
    this.lastUnder = group(under);
    this.targets = group(under);
    this.lastOver = group(over);
    this.rows = group(over);
    this.rings = group(over);
    this.hover = group(over);
  }

  /**
   * Shows what the last turn did: a tinted path, outlines of what it removed, and a dot
   * with the verdict of a review.
   * @param {Array<Object>} acts empty to show nothing
   * @param {string|null} [verdict] "fine", "inaccuracy", "mistake" or "blunder"
  */
  showLast(acts, verdict) {
    this.lastUnder.replaceChildren();
    this.lastOver.replaceChildren();
    for (const act of acts) {
      if (act.do === "place") this.lastUnder.append(disc(act.to, "last-spot", 47));
      if (act.do === "move") {
        this.lastUnder.append(beam(act.from, act.to, "last-path"), disc(act.to, "last-spot", 47));
      }
      if (act.do === "row") this.lastOver.append(...capsule(act.points, "last-row"));
      if (act.do === "ring") this.lastOver.append(disc(act.from, "last-ring", 37));
    }
    const at = acts.find(({ to }) => to);
    if (at && verdict) this.lastOver.append(svg("g", { class: "verdict" }, disc(at.to, verdict, 15)));
  }

  /**
   * Shows dots on the points that a ring can move to.
   * @param {string[]} points
  */
  showTargets(points) {
    this.targets.replaceChildren(...points.map((point) => disc(point, "target", 13)));
  }

  /**
   * Shows what a move would do: the ring at its target, and rims on what it flips.
   * @param {{to: string, flips?: string[]}|null} step
   * @param {"w"|"b"} [side]
  */
  showHover(step, side) {
    this.hover.replaceChildren();
    if (!step) return;
    const ghost = makePiece("ring", side).element;
    ghost.classList.add("ghost");
    setSpot(ghost, place(step.to));
    this.hover.append(ghost);
    for (const point of step.flips ?? []) {
      this.hover.append(disc(point, "flip-under", 30), disc(point, "flip", 30));
    }
  }

  /** Removes the marks of what can be entered next. */
  clearHints() {
    for (const layer of [this.hover, this.targets, this.rings, this.rows]) layer.replaceChildren();
  }

  /**
   * Shows the rings that can be picked, and the one that is picked or waits to be
   * confirmed.
   * @param {string[]} points
   * @param {string|null} picked
   * @param {boolean} taking whether a ring is being removed
  */
  showRings(points, picked, taking) {
    this.rings.replaceChildren();
    for (const point of points) {
      const kind = point === picked ? "halo-picked" : taking ? "halo-take" : "halo";
      this.rings.append(disc(point, `halo-under ${kind}-under`, 47), disc(point, kind, 47));
    }
  }

  /**
   * Shows the rows that can be removed: a pale outline around every run, a handle for
   * every window still to choose from, and the current window filled.
   * @param {{all: Object[], choices: Object[], shown: Object|null, chosen: boolean, handles: boolean}|null} state
  */
  showRows(state) {
    this.rows.replaceChildren();
    if (!state) return;
    for (const run of runs(state.all.map((step) => step.points))) {
      this.rows.append(...capsule(run, "run"));
    }
    if (state.shown) this.rows.append(...capsule(state.shown.points, state.chosen ? "row-chosen" : "row-shown"));
    if (!state.handles) return;
    for (const step of state.choices) {
      const { x, y } = handleSpot(step.points);
      const handle = svg("g", { class: step === state.shown ? "handle handle-on" : "handle" });
      handle.append(svg("circle", { cx: x, cy: y, r: 17, class: "handle-under" }), svg("circle", { cx: x, cy: y, r: 13, class: "handle-body" }));
      this.rows.append(handle);
    }
  }
}

/**
 * The runs that windows of five form. Windows of one line that overlap or touch
 * are one run.
 * @param {string[][]} windows
 * @returns {string[][]}
 */
export function runs(windows) {
  const all = [];
  for (const points of windows) {
    const joined = all.find((run) => run.filter((point) => points.includes(point)).length > 1);
    if (joined) joined.push(...points.filter((point) => !joined.includes(point)));
    else all.push([...points]);
  }
  return all.map((run) => {
    // Along a line, either the column or the number gives the order.
    const key = (point) => place(point).column * 20 + place(point).number;
    const sorted = run.sort((a, b) => key(a) - key(b));
    return span(sorted[0], sorted[sorted.length - 1]);
  });
}

function group(layer) {
  const element = svg("g");
  layer.append(element);
  return element;
}

function disc(point, name, radius) {
  const { x, y } = place(point);
  return svg("circle", { class: name, cx: x.toFixed(1), cy: y.toFixed(1), r: radius });
}

function beam(from, to, name) {
  const a = place(from);
  const b = place(to);
  return svg("line", { class: name, x1: a.x, y1: a.y, x2: b.x, y2: b.y });
}

// A capsule around points of a line: a dark outline under a colored one.
function capsule(points, name) {
  const a = place(points[0]);
  const b = place(points[points.length - 1]);
  const length = Math.hypot(b.x - a.x, b.y - a.y) + CAPSULE;
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  const shape = {
    x: -CAPSULE / 2,
    y: -CAPSULE / 2,
    width: length,
    height: CAPSULE,
    rx: CAPSULE / 2,
    transform: `translate(${a.x.toFixed(1)} ${a.y.toFixed(1)}) rotate(${angle.toFixed(2)})`,
  };
  return [svg("rect", { ...shape, class: `${name} capsule-under` }), svg("rect", { ...shape, class: `${name} capsule` })];
}

/** How close to a handle a click must be. */
export const HANDLE_REACH = 0.24 * U;

// Arrows over the board: the best turn, further lines, the threat, and the user's
// own. Each kind has its own layer, so that one can change without the others. A dark
// outline keeps them visible on every color.

const KINDS = /** @type {const} */ (["line", "best", "threat", "own"]);

/**
 * @typedef {Object} Arrow
 * @property {string} from
 * @property {string} to equal to from for a circle around a point
 * @property {string} [label] a short text at its middle
 * @property {boolean} [row] whether it is the stroke along a removed row
 */

/** The arrows of a board. */
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
   * Replaces the arrows of a kind.
   * @param {"line"|"best"|"threat"|"own"} kind
   * @param {Arrow[]} arrows
  */
  show(kind, arrows) {
    this.#layers.get(kind).replaceChildren(...arrows.flatMap((arrow) => draw(arrow)));
  }

  /**
   * Replaces all arrows. Each is a turn, or has two ends.
   * @param {Array<Partial<Arrow> & {turn?: string, kind?: "line"|"best"|"threat"|"own"}>} arrows
  */
  showAll(arrows) {
    for (const kind of KINDS) {
      const some = arrows.filter((arrow) => (arrow.kind ?? "own") === kind);
      this.show(kind, some.flatMap(({ turn, from = "", to = "", label }) => (turn ? arrowsOf(turn, label) : [{ from, to, label }])));
    }
  }
}

/**
 * The arrows that show a turn: one for its move, a circle for a placed ring, and a
 * stroke along each removed row.
 * @param {string} turn
 * @param {string} [label]
 * @returns {Arrow[]}
 */
export function arrowsOf(turn, label) {
  const all = [];
  for (const part of parseTurn(turn)) {
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
  // Between two points, so that the label covers no marker. On a short arrow it would hide the head:
  // draw it in the ring instead.
  const along = length < 150 ? 0 : (Math.ceil(length / U / 2 - 0.01) - 0.5) * U;
  return withLabel(shape, a.x + ux * along, a.y + uy * along, arrow.label);
}

function circle(at, name) {
  return svg("circle", { class: name, cx: at.x, cy: at.y, r: 40 });
}

function withLabel(shape, x, y, label) {
  if (!label) return shape;
  return [...shape, svg("circle", { class: "arrow-tag", cx: x, cy: y, r: 19 }), svg("text", { class: "arrow-label", x, y }, label)];
}
