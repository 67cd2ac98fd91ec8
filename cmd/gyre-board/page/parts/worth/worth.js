// What a picked ring's targets are worth, while the analysis is on: on each the chances that
// moving there loses against the best turn, in per cent, by a short search of each.

import { place } from "../../board/geometry.js";
import { hints } from "../../board/moveinput.js";
import { byId, html, svg } from "../../dom.js";
import { optionsOf } from "../../panels/analysis.js";

/** Positions that the engine looks at for each target. */
const NODES = 6_000;

/** So many answers are kept. */
const KEPT = 60;

/** @typedef {import("../../_types/messages").TargetView[]} Targets */

/**
 * Makes it.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  byId("analysis-body").append(html("p", { className: "fine" }, "The points to which a picked ring can go tell what going there loses, in per cent of a point; × is all."));
  const worth = new Worth(page);
  return {
    /** Looks at the ring that is picked. */
    open: () => worth.look(),
  };
}

/** Asks about the ring that is picked, and shades its targets. */
export class Worth {
  #page;
  /** The engine, what it may use, the position and the ring that is picked in it, or "". */
  #key = "";
  /** @type {Map<string, Targets>} */
  #known = new Map();
  /** What ends the search and gives the engine back, while there is one. */
  #end = () => {};

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    page.moveInput.addEventListener("change", () => this.look());
    for (const name of ["position", "game", "tree"]) page.controller.addEventListener(name, () => this.look());
    // What is drawn anew is shaded anew.
    page.boardView.addEventListener("change", () => this.#shade());
  }

  // Rows that are taken first leave other targets: then there is no telling.
  get #now() {
    const { analysis, controller, moveInput } = this.#page;
    const { view } = controller;
    if (!analysis.on || !analysis.engines.length || !view || !moveInput.targets.length || moveInput.prefix.length) return "";
    const [engine] = analysis.engines;
    return JSON.stringify([engine, optionsOf(engine), view.rules, view.position, moveInput.picked]);
  }

  /** Asks about the ring that is picked, unless that is known, or the engine would be taken from a review or a hint. */
  look() {
    const now = this.#now;
    if (now === this.#key) return;
    this.#key = now;
    this.#end();
    if (!now) this.#plain();
    if (this.#known.has(now)) this.#shade();
    else if (now && !this.#page.analysis.isLent(this.#page.analysis.engines[0])) this.#ask(now);
  }

  #ask(key) {
    const { analysis, controller, moveInput, searches } = this.#page;
    const { game, node } = controller;
    const [engine] = analysis.engines;
    const giveBack = analysis.lend(engine);
    const fields = { engine, path: game.path(node), from: moveInput.picked, nodes: NODES, options: optionsOf(engine), game: game.id };
    const search = searches.begin("worth", fields, {
      worth: ({ targets }) => {
        this.#end();
        this.#keep(key, targets);
        this.#shade();
      },
      failed: () => this.#end(),
      quiet: true,
    });
    this.#end = () => {
      this.#end = () => {};
      search.stop();
      giveBack();
    };
  }

  #keep(key, targets) {
    this.#known.set(key, targets);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value);
  }

  // The dots again, where a ring stays picked.
  #plain() {
    const { board, moveInput } = this.#page;
    if (!moveInput.targets.length) return;
    board.marks.showTargets(moveInput.targets.map(({ to }) => to));
    board.points.describe(moveInput.now.view.points, hints(moveInput));
  }

  #shade() {
    const { board, moveInput, boardView } = this.#page;
    const targets = this.#key && this.#key === this.#now && !boardView.showing ? this.#known.get(this.#key) : null;
    if (!targets) return;
    shadeTargets(board.marks.targets, targets);
    const all = hints(moveInput);
    for (const target of targets) all.set(target.to, `${all.get(target.to)}, ${worthWords(target)}`);
    board.points.describe(moveInput.now.view.points, all);
  }
}

// How targets show what they are worth: by colour, and by the number.

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
