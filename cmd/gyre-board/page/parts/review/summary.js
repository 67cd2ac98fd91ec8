// What a review comes to: a table of both sides, and the turns on which the game turned.

import { html } from "../../dom.js";
import { SIDES } from "../../game/game.js";
import { chance, chanceText } from "../../scores.js";

/** How many turning points are listed at most. */
const MOST = 4;

/**
 * The table of both sides.
 * @param {Object<string, import("../../_types/messages").Summary>} sides by side
 */
export function summaryTable({ w, b }) {
  // Without accuracy there are no turns, or the review is of an earlier version.
  const percent = ({ accuracy }, value) => (accuracy ? `${value.toFixed(1)} %` : "–");
  /** @type {Array<[string, string|number, string|number]>} */
  const rows = [
    ["Accuracy", percent(w, w.accuracy), percent(b, b.accuracy)],
    ["Lost by a turn", percent(w, w.meanLost ?? 0), percent(b, b.meanLost ?? 0)],
    ["Blunders ??", w.blunders, b.blunders],
    ["Mistakes ?", w.mistakes, b.mistakes],
    ["Inaccuracies ?!", w.inaccuracies, b.inaccuracies],
    ["Rows missed", w.missedRows, b.missedRows],
  ];
  const head = html("thead", {}, html("tr", {}, html("td"), html("th", { scope: "col" }, "White"), html("th", { scope: "col" }, "Black")));
  const body = rows.map(([what, white, black]) => html("tr", {}, html("th", { scope: "row" }, what), html("td", {}, String(white)), html("td", {}, String(black))));
  return html("table", { className: "summary", "data-testid": "summary" }, head, html("tbody", {}, ...body));
}

/**
 * The turns on which the game turned: mistakes and blunders after which the other side was
 * the more likely to win. Those that lost most, in the order of the game.
 * @param {import("../../game/tree.js").TurnNode[]} line
 */
export function turningPoints(line) {
  const turned = line.filter(({ finding, score, parent }) => {
    if (!["mistake", "blunder"].includes(finding?.label) || !score || !parent.score) return false;
    return chance(parent.score) >= 0.5 !== chance(score) >= 0.5;
  });
  const most = [...turned].sort((a, b) => b.finding.lost - a.finding.lost).slice(0, MOST);
  return turned.filter((node) => most.includes(node));
}

/**
 * The list of turning points.
 * @param {import("../../game/tree.js").TurnNode[]} line
 * @param {(node: import("../../game/tree.js").TurnNode) => void} go
 */
export function turningList(line, go) {
  const items = turningPoints(line).map((node) => {
    const [before, after] = [chanceText(node.parent.score), chanceText(node.score)];
    const text = `${node.ply}. ${node.turn}: ${SIDES.w} ${before} → ${after}`;
    return html("li", {}, html("button", { "data-testid": "turning-point", onclick: () => go(node) }, html("span", { className: `lost ${node.finding.label}`, "aria-hidden": "true" }), text));
  });
  if (!items.length) return null;
  return html("section", { "aria-labelledby": "turning-title" }, html("h3", { id: "turning-title" }, "Where the game turned"), html("ol", { className: "turning" }, ...items));
}
