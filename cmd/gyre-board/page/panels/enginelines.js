// What one engine thinks: depth, score, nodes, speed, and its lines, whose turns
// can be pointed at and played. While one is pointed at, the list holds still.

import { html, setText } from "../dom.js";
import { countText, scoreText, scoreWords } from "../scores.js";

// So many turns of a line are listed.
const LISTED = 8;

/** The block of one engine. */
export class EngineLines {
  #head = html("div", { className: "engine-head" });
  #list = html("ol", { className: "lines", "data-testid": "lines" });
  #told;
  #held = false;
  #latest = [];
  #shown = [];

  /**
   * @param {string} name
   * @param {{point: (turns: string[]|null, last?: number) => void, play: (turns: string[]) => void}} told
   * what happens when a line is pointed at or clicked
   */
  constructor(name, told) {
    this.name = name;
    this.#told = told;
    this.root = html("section", { "aria-label": name, "data-engine": name }, this.#head, this.#list);
    this.#list.addEventListener("pointerover", ({ target }) => this.#pointed(target));
    this.#list.addEventListener("focusin", ({ target }) => this.#pointed(target));
    this.#list.addEventListener("pointerleave", () => this.#release());
    this.#list.addEventListener("focusout", ({ relatedTarget }) => this.#list.contains(/** @type {Node} */ (relatedTarget)) || this.#release());
    this.#list.addEventListener("click", ({ target }) => this.#clicked(target));
    this.#list.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** Shows nothing. */
  clear() {
    this.#held = false;
    this.#latest = this.#shown = [];
    this.#list.replaceChildren();
  }

  /**
   * Says why there are no lines.
   * @param {string} text
   */
  say(text) {
    this.#head.replaceChildren(html("b", {}, this.name), html("span", {}, text));
  }

  /**
   * Shows lines, with White's scores.
   * @param {Object[]} lines the best first
   */
  show(lines) {
    if (!lines.length) return;
    this.#latest = lines;
    const [best] = lines;
    const total = lines.reduce((most, line) => Math.max(most, line.nodes ?? 0), 0);
    const parts = [
      html("b", {}, this.name),
      html("span", { className: "score", "data-testid": "score", title: scoreWords(best.score) }, scoreText(best.score)),
      html("span", { "data-testid": "depth" }, `depth ${best.depth ?? "?"}${best.seldepth ? `/${best.seldepth}` : ""}`),
      html("span", { "data-testid": "nodes" }, `${countText(total)} nodes`),
    ];
    if (best.nps) parts.push(html("span", { "data-testid": "speed" }, `${countText(best.nps)} a second`));
    this.#head.replaceChildren(...parts);
    if (!this.#held) this.#draw();
  }

  #draw() {
    this.#shown = this.#latest;
    while (this.#list.childElementCount > this.#shown.length) this.#list.lastChild.remove();
    this.#shown.forEach((line, i) => {
      const row = this.#list.children[i] ?? this.#list.appendChild(this.#row(i));
      const [score, turns] = row.children;
      setText(score, scoreText(line.score));
      score.setAttribute("aria-label", `Line ${i + 1}, ${scoreText(line.score)}: ${(line.pv ?? []).slice(0, 4).join(", ")}`);
      const pv = (line.pv ?? []).slice(0, LISTED);
      while (turns.childElementCount > pv.length) turns.lastChild.remove();
      pv.forEach((turn, k) => {
        const button = turns.children[k] ?? turns.appendChild(html("button", { className: "pv", tabIndex: -1, "data-pv": k }));
        setText(button, turn);
      });
    });
  }

  #row(index) {
    const score = html("button", { className: "line-score", "data-testid": "line-score" });
    return html("li", { "data-line": index }, score, html("span", { className: "line-turns" }));
  }

  #pointed(target) {
    const row = target.closest("li");
    if (!row) return;
    this.#held = true;
    const turns = this.#shown[row.dataset.line]?.pv ?? [];
    const pv = target.closest(".pv");
    this.#told.point(turns, pv ? Number(pv.dataset.pv) : undefined);
  }

  #release() {
    if (!this.#held) return;
    this.#held = false;
    this.#told.point(null);
    if (this.#latest.length) this.#draw();
  }

  #clicked(target) {
    const row = target.closest("li");
    if (!row) return;
    const turns = this.#shown[row.dataset.line]?.pv ?? [];
    const pv = target.closest(".pv");
    this.#held = false;
    if (turns.length) this.#told.play(turns.slice(0, pv ? Number(pv.dataset.pv) + 1 : 1));
  }

  // Within the list arrows walk: up and down between lines, left and right in one.
  #walk(event) {
    const row = event.target.closest("li");
    const cells = (of) => (of ? [...of.querySelectorAll("button")] : []);
    const at = cells(row).indexOf(event.target);
    const moves = {
      ArrowRight: () => cells(row)[at + 1],
      ArrowLeft: () => cells(row)[at - 1],
      ArrowDown: () => cells(row.nextElementSibling)[0],
      ArrowUp: () => cells(row.previousElementSibling)[0],
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]()?.focus();
  }
}
