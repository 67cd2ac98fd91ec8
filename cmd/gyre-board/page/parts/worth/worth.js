// The value of a picked ring's targets, while the analysis is on: each shows the chances
// that moving there loses against the best turn, in percent, from short searches.

import { place } from "../../../../../position/drawing/geometry.js";
import { hints } from "../../board/moveinput.js";
import { byId, html, svg } from "../../dom.js";
import { optionsOf } from "../../panels/analysis.js";
import { percent, t } from "../../language.js";

/** Nodes for the search of each target. */
const NODES = 6_000;

/** The number of cached answers. */
const KEPT = 60;

/** @typedef {import("../../_types/messages").TargetView[]} Targets */

/**
 * Creates the part.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  byId("analysis-body").append(html("p", { className: "fine" }, t("worth-about")));
  const worth = new Worth(page);
  return {
    /** Checks the picked ring. */
    open: () => worth.look(),
  };
}

/** Asks about the picked ring and shades its targets. */
export class Worth {
  #page;
  /** The engine, its options, the position and the picked ring, or "". */
  #key = "";
  /** @type {Map<string, Targets>} */
  #known = new Map();
  /** Ends the search and returns the engine, while there is one. */
  #end = () => {};

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    page.moveInput.addEventListener("change", () => this.look());
    for (const name of ["position", "game", "tree"]) page.controller.addEventListener(name, () => this.look());
    // Redrawn targets are shaded again.
    page.boardView.addEventListener("change", () => this.#shade());
  }

  // Removing rows first changes the targets: their values are unknown.
  get #now() {
    const { analysis, controller, moveInput } = this.#page;
    const { view } = controller;
    if (!analysis.on || !analysis.engines.length || !view || !moveInput.targets.length || moveInput.prefix.length) return "";
    const [engine] = analysis.engines;
    return JSON.stringify([engine, optionsOf(engine), view.rules, view.position, moveInput.picked]);
  }

  /** Asks about the picked ring, unless the answer is cached or a review or hint uses the engine. */
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

  // Restores the dots while a ring stays picked.
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

// Showing the value of targets: by color and by number.

/** @typedef {import("../../_types/messages").TargetView} Target */

/** Two digits fit. */
const RADIUS = 31;

/**
 * The cost of moving to a target, in words.
 * @param {{lost: number}} target
 */
export function worthWords({ lost }) {
  return lost < 0.5 ? t("worth-nothing") : t("worth-loses", { share: percent(lost / 100) });
}

/**
 * Draws the values instead of the dots.
 * @param {SVGElement} layer
 * @param {Target[]} targets
 */
export function shadeTargets(layer, targets) {
  layer.replaceChildren(...targets.map(draw));
}

function draw({ to, lost, label }) {
  const { x, y } = place(to);
  const disc = svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: RADIUS });
  // Three digits do not fit.
  const number = svg("text", { x: x.toFixed(1), y: y.toFixed(1) }, lost < 99.5 ? String(Math.round(lost)) : "×");
  return svg("g", { class: `worth ${label || "fine"}`, "data-to": to }, disc, number);
}
