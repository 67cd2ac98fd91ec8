// The graph of the score over the game: White's chances from the bottom up, a
// column a turn. A click goes to that turn; for the keyboard it is a slider.

import { byId, html, svg } from "../dom.js";
import { chance, scoreText } from "../scores.js";

const HEIGHT = 100;

/** Draws the graph once there are scores to draw, and not in a game. */
export class Graph {
  #controller;
  #analysis;
  #root = byId("graph");
  #scheduled = false;

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("./analysis.js").Analysis} parts.analysis
   */
  constructor({ controller, analysis }) {
    [this.#controller, this.#analysis] = [controller, analysis];
    for (const name of ["tree", "position", "score", "playing"]) controller.addEventListener(name, () => this.#soon());
    this.#root.tabIndex = 0;
    this.#root.setAttribute("role", "slider");
    this.#root.setAttribute("aria-label", "Score over the game");
    this.#root.addEventListener("click", (event) => {
      const box = this.#root.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      this.#goTo(Math.floor(share * (this.#controller.line.length + 1)));
    });
    this.#root.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    const { node, line } = this.#controller;
    const ply = { ArrowLeft: node.ply - 1, ArrowRight: node.ply + 1, Home: 0, End: line.length }[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#goTo(ply);
  }

  #goTo(ply) {
    const { game, line } = this.#controller;
    const within = Math.max(0, Math.min(ply, line.length));
    this.#controller.go(within === 0 ? game.root : line[within - 1]);
  }

  #soon() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#draw();
    });
  }

  // No score is shown in a game unless analysis was asked for.
  #draw() {
    const { game, line, node } = this.#controller;
    if (!game) return;
    const nodes = [game.root, ...line];
    const known = nodes.some(({ score }) => score);
    const wanted = known && (this.#analysis.on || !game.playing);
    this.#root.hidden = !wanted;
    if (!wanted) return;
    const drawing = svg("svg", { viewBox: `0 0 ${nodes.length} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    drawing.append(svg("path", { class: "graph-white", d: area(nodes) }));
    drawing.append(svg("path", { class: "graph-middle", d: `M0 ${HEIGHT / 2}H${nodes.length}` }));
    nodes.forEach(({ finding }, i) => {
      if (finding?.label === "blunder") drawing.append(svg("path", { class: "graph-blunder", d: `M${i + 0.5} 0V10M${i + 0.5} ${HEIGHT - 10}V${HEIGHT}` }));
    });
    drawing.append(svg("path", { class: "graph-here", d: `M${node.ply + 0.5} 0V${HEIGHT}` }));
    this.#root.replaceChildren(drawing);
    const text = node.score ? scoreText(node.score) : "no score";
    this.#root.setAttribute("aria-valuemin", "0");
    this.#root.setAttribute("aria-valuemax", String(line.length));
    this.#root.setAttribute("aria-valuenow", String(node.ply));
    this.#root.setAttribute("aria-valuetext", `Turn ${node.ply}, ${text}`);
  }
}

// White's part of the graph. A turn without a score continues the one before.
function area(nodes) {
  let share = 0.5;
  const tops = nodes.map(({ score }) => {
    if (score) share = chance(score);
    return (1 - share) * HEIGHT;
  });
  const steps = tops.map((top, i) => `L${i} ${top.toFixed(1)}L${i + 1} ${top.toFixed(1)}`);
  return `M0 ${HEIGHT}${steps.join("")}L${nodes.length} ${HEIGHT}Z`;
}

/**
 * A table with a row for each thing counted and a column for each side.
 * @param {Array<[string, string|number, string|number]>} rows
 * @returns {HTMLElement}
 */
export function sidesTable(rows) {
  const head = html("thead", {}, html("tr", {}, html("td"), html("th", { scope: "col" }, "White"), html("th", { scope: "col" }, "Black")));
  const body = rows.map(([what, white, black]) => html("tr", {}, html("th", { scope: "row" }, what), html("td", {}, String(white)), html("td", {}, String(black))));
  return html("table", { className: "summary" }, head, html("tbody", {}, ...body));
}
