// An engine's output: depth, score, nodes, speed, and its lines, whose turns can be
// previewed and played. The list does not change while the pointer is on a line.

import { html, setText, show } from "../dom.js";
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

/**
 * The output of one engine.
 * @param {string} name
 * @param {{point: (turns: string[]|null, last?: number) => void, play: (turns: string[]) => void}} handlers
 * callbacks for pointing at and clicking a line
 */
export function engineLines(name, { point, play }) {
  const head = html("div", { className: "engine-head" });
  const list = html("ol", { className: "lines", "data-testid": "lines" });
  let held = false;
  let shown = [];

  const draw = () => {
    shown = grouped(lines.latest);
    while (list.childElementCount > shown.length) list.lastChild.remove();
    shown.forEach((line, i) => {
      const [score, turns, others] = (list.children[i] ?? list.appendChild(newRow(i))).children;
      const [, worth, share, first] = score.children;
      const pv = line.pv ?? [];
      setText(worth, scoreText(line.score));
      setText(share, chanceText(line.score));
      setText(first, `: ${pv.slice(0, 4).map(turnName).join("; ")}`);
      while (turns.childElementCount > pv.length) turns.lastChild.remove();
      pv.forEach((turn, k) => {
        const button = turns.children[k] ?? turns.appendChild(html("button", { className: "pv", tabIndex: -1, "data-pv": k }));
        setText(button, turn);
      });
      show(others, line.others.length);
      setText(others, othersText(line));
    });
  };

  // The line that an event's target is in, its turns, and the index of the turn pointed at.
  const placeOf = (target) => {
    const row = target.closest("li");
    const pv = target.closest(".pv");
    return { row, turns: shown[row?.dataset.line]?.pv ?? [], at: pv ? Number(pv.dataset.pv) : undefined };
  };

  const pointed = ({ target }) => {
    const { row, turns, at } = placeOf(target);
    if (!row) return;
    held = true;
    point(turns, at);
  };

  const release = () => {
    if (!held) return;
    held = false;
    point(null);
    if (lines.latest.length) draw();
  };

  const clicked = ({ target }) => {
    const { row, turns, at = 0 } = placeOf(target);
    if (!row) return;
    held = false;
    if (turns.length) play(turns.slice(0, at + 1));
  };

  // The arrow keys move within the list: up and down between lines, left and right in one.
  const walk = (event) => {
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
  };

  list.addEventListener("pointerover", pointed);
  list.addEventListener("focusin", pointed);
  list.addEventListener("pointerleave", release);
  list.addEventListener("focusout", ({ relatedTarget }) => list.contains(/** @type {Node} */ (relatedTarget)) || release());
  list.addEventListener("click", clicked);
  list.addEventListener("keydown", walk);

  const lines = {
    root: html("section", { "aria-label": name, "data-engine": name }, head, list),
    /** The latest lines, best first, with White's scores. */
    latest: [],
    /** Clears the output. */
    clear() {
      held = false;
      lines.latest = shown = [];
      list.replaceChildren();
    },
    /** Says why there are no lines. @param {string} text */
    say: (text) => head.replaceChildren(html("b", {}, name), html("span", {}, text)),
    /** Shows that the engine has stopped. */
    rest: () => head.append(html("span", { "data-testid": "rests" }, t("engine-done"))),
    /**
     * Shows lines, with White's scores.
     * @param {Object[]} all best first
    */
    show(all) {
      if (!all.length) return;
      lines.latest = all;
      const [best] = all;
      const total = all.reduce((most, line) => Math.max(most, line.nodes ?? 0), 0);
      const parts = [
        html("b", {}, name),
        html("span", { className: "score", "data-testid": "score", title: scoreWords(best.score) }, scoreText(best.score)),
        html("span", { className: "chance", "data-testid": "chance" }, chanceText(best.score)),
        html("span", { "data-testid": "depth" }, t("depth", { depth: `${best.depth ?? "?"}${best.seldepth ? `/${best.seldepth}` : ""}` })),
        html("span", { "data-testid": "nodes" }, t("nodes", { count: countText(total) })),
      ];
      if (best.nps) parts.push(html("span", { "data-testid": "speed" }, t("nodes-per-second", { count: countText(best.nps) })));
      head.replaceChildren(...parts);
      if (!held) draw();
    },
  };
  return lines;
}

// The turns of a line that differ from the first one only in what they remove.
function othersText({ others, pv }) {
  const move = `${moveOf(pv?.[0] ?? "")};`;
  const text = others.map((line) => `${turnName(line.pv[0].replace(move, ""))} ${scoreText(line.score)}`).join("; ");
  return others.length ? t("or-turns", { turns: text }) : "";
}

function newRow(index) {
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
