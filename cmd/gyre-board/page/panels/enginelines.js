// An engine's output: depth, score, nodes, speed, and its lines, whose turns can be
// previewed and played. The list does not change while the pointer is on a line.

import { html, setText } from "../dom.js";
import { moveOf, turnName } from "../game/words.js";
import { t } from "../language.js";
import { chanceText, countText, scoreText, scoreWords } from "../scores.js";

/**
 * Lines with distinct first turns. While a new depth arrives, a turn that moved up is also
 * at its old place, with the data of the last depth.
 * @param {import("../_types/messages").InfoLine[]} lines best first
 */
export function settled(lines) {
  const known = lines.filter(({ score }) => score);
  const deepest = (turn) => Math.max(...known.filter(({ pv }) => pv[0] === turn).map(({ depth }) => depth));
  const seen = new Set();
  return known.filter(({ pv, depth }) => {
    if (!pv[0]) return true;
    const fresh = !seen.has(pv[0]) && depth === deepest(pv[0]);
    if (fresh) seen.add(pv[0]);
    return fresh;
  });
}

/**
 * Groups lines whose first turns make the same move but remove different rows or rings.
 * @template {{pv: string[]}} Any
 * @param {Any[]} lines
 * @returns {Array<Any & {others: Any[]}>}
 */
export function grouped(lines) {
  const groups = new Map();
  for (const line of lines) {
    const move = line.pv[0] ? moveOf(line.pv[0]) : line;
    if (groups.has(move)) groups.get(move).others.push(line);
    else groups.set(move, { ...line, others: [] });
  }
  return [...groups.values()];
}

/** The output of one engine. */
export class EngineLines {
  #head = html("div", { className: "engine-head" });
  #list = html("ol", { className: "lines", "data-testid": "lines" });
  #handlers;
  #held = false;
  /** The latest lines, best first, with White's scores. */
  latest = [];
  #shown = [];

  /**
   * @param {string} name
   * @param {{point: (turns: string[]|null, last?: number) => void, play: (turns: string[]) => void}} handlers
   * callbacks for pointing at and clicking a line
  */
  constructor(name, handlers) {
    this.name = name;
    this.#handlers = handlers;
    this.root = html("section", { "aria-label": name, "data-engine": name }, this.#head, this.#list);
    this.#list.addEventListener("pointerover", ({ target }) => this.#pointed(target));
    this.#list.addEventListener("focusin", ({ target }) => this.#pointed(target));
    this.#list.addEventListener("pointerleave", () => this.#release());
    this.#list.addEventListener("focusout", ({ relatedTarget }) => this.#list.contains(/** @type {Node} */ (relatedTarget)) || this.#release());
    this.#list.addEventListener("click", ({ target }) => this.#clicked(target));
    this.#list.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** Clears the output. */
  clear() {
    this.#held = false;
    this.latest = this.#shown = [];
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
   * @param {Object[]} lines best first
  */
  show(lines) {
    if (!lines.length) return;
    this.latest = lines;
    const [best] = lines;
    const total = lines.reduce((most, line) => Math.max(most, line.nodes ?? 0), 0);
    const parts = [
      html("b", {}, this.name),
      html("span", { className: "score", "data-testid": "score", title: scoreWords(best.score) }, scoreText(best.score)),
      html("span", { className: "chance", "data-testid": "chance" }, chanceText(best.score)),
      html("span", { "data-testid": "depth" }, t("depth", { depth: `${best.depth ?? "?"}${best.seldepth ? `/${best.seldepth}` : ""}` })),
      html("span", { "data-testid": "nodes" }, t("nodes", { count: countText(total) })),
    ];
    if (best.nps) parts.push(html("span", { "data-testid": "speed" }, t("nodes-per-second", { count: countText(best.nps) })));
    this.#head.replaceChildren(...parts);
    if (!this.#held) this.#draw();
  }

  /** Shows that the engine has stopped. */
  rest() {
    this.#head.append(html("span", { "data-testid": "rests" }, t("engine-done")));
  }

  #draw() {
    this.#shown = grouped(this.latest);
    while (this.#list.childElementCount > this.#shown.length) this.#list.lastChild.remove();
    this.#shown.forEach((line, i) => {
      const row = this.#list.children[i] ?? this.#list.appendChild(this.#row(i));
      const [score, turns, others] = row.children;
      const [, worth, share, first] = score.children;
      setText(worth, scoreText(line.score));
      setText(share, chanceText(line.score));
      setText(first, `: ${(line.pv ?? []).slice(0, 4).map(turnName).join("; ")}`);
      const pv = line.pv ?? [];
      while (turns.childElementCount > pv.length) turns.lastChild.remove();
      pv.forEach((turn, k) => {
        const button = turns.children[k] ?? turns.appendChild(html("button", { className: "pv", tabIndex: -1, "data-pv": k }));
        setText(button, turn);
      });
      this.#drawOthers(others, line);
    });
  }

  #drawOthers(root, { others, pv }) {
    root.hidden = !others.length;
    const move = `${moveOf(pv?.[0] ?? "")};`;
    const text = others.map((line) => `${turnName(line.pv[0].replace(move, ""))} ${scoreText(line.score)}`).join("; ");
    setText(root, others.length ? t("or-turns", { turns: text }) : "");
  }

  #row(index) {
    const score = html("button", { className: "line-score", "data-testid": "line-score" },
      html("span", { className: "unseen" }, `${t("line-number", { number: index + 1 })}, `), html("b", {}), " ", html("small", {}), html("span", { className: "unseen" }));
    const row = html("li", { "data-line": index }, score, html("span", { className: "line-turns" }), html("span", { className: "line-others", "data-testid": "line-others", hidden: true }));
    const more = html("button", { className: "line-more", "data-testid": "line-more", tabIndex: -1, "aria-label": t("whole-line"), "aria-expanded": "false" }, "…");
    more.addEventListener("click", (event) => {
      event.stopPropagation();
      more.setAttribute("aria-expanded", String(row.classList.toggle("open")));
    });
    row.append(more);
    return row;
  }

  #pointed(target) {
    const row = target.closest("li");
    if (!row) return;
    this.#held = true;
    const turns = this.#shown[row.dataset.line]?.pv ?? [];
    const pv = target.closest(".pv");
    this.#handlers.point(turns, pv ? Number(pv.dataset.pv) : undefined);
  }

  #release() {
    if (!this.#held) return;
    this.#held = false;
    this.#handlers.point(null);
    if (this.latest.length) this.#draw();
  }

  #clicked(target) {
    const row = target.closest("li");
    if (!row) return;
    const turns = this.#shown[row.dataset.line]?.pv ?? [];
    const pv = target.closest(".pv");
    this.#held = false;
    if (turns.length) this.#handlers.play(turns.slice(0, pv ? Number(pv.dataset.pv) + 1 : 1));
  }

  // The arrow keys move within the list: up and down between lines, left and right in one.
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
