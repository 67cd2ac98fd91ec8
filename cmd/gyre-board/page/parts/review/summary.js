// What a review comes to: a table of both sides, and the turns on which the game turned.

import { html } from "../../dom.js";
import { SIDES } from "../../game/game.js";
import { chance, chanceText } from "../../scores.js";

/** How many turning points are listed at most. */
const MOST = 4;

/** What the table tells of a side: its name in short and in full, and the value. */
const COLUMNS = /** @type {const} */ ([
  ["Accuracy", "", "accuracy"],
  ["Lost", "Chances lost by a turn", "meanLost"],
  ["??", "Blunders", "blunders"],
  ["?", "Mistakes", "mistakes"],
  ["?!", "Inaccuracies", "inaccuracies"],
  ["Missed", "Rows missed", "missedRows"],
]);

/**
 * The table of both sides: one line each, so that there is room for it on a phone.
 * @param {Object<string, import("../../_types/messages").Summary>} sides by side
 */
export function summaryTable(sides) {
  const heads = COLUMNS.map(([short, full]) => html("th", { scope: "col", title: full }, ...(full ? [html("span", { "aria-hidden": "true" }, short), html("span", { className: "unseen" }, full)] : [short])));
  const rows = Object.entries(SIDES).map(([side, name]) => {
    const cells = COLUMNS.map(([, , key]) => html("td", { className: key }, valueOf(sides[side], key)));
    return html("tr", {}, html("th", { scope: "row" }, html("span", { className: `disc ${side}`, "aria-hidden": "true" }), name), ...cells);
  });
  const head = html("thead", {}, html("tr", {}, html("td"), ...heads));
  // Where nothing can be pointed at, titles tell nobody what signs mean.
  const legend = html("caption", { className: "summary-legend" }, COLUMNS.slice(1).map(([short, full]) => `${short}${/\w/.test(short) ? ":" : ""} ${full.toLowerCase()}`).join(" · "));
  return html("table", { className: "summary", "data-testid": "summary" }, legend, head, html("tbody", {}, ...rows));
}

// Without accuracy there are no turns, or the review is of an earlier version.
function valueOf(side, key) {
  if (key !== "accuracy" && key !== "meanLost") return String(side[key]);
  return side.accuracy ? `${(side[key] ?? 0).toFixed(1)} %` : "–";
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
 * The list of turning points, with its title; nothing where there are none.
 * @param {import("../../game/tree.js").TurnNode[]} line
 * @param {(ply: number) => "w"|"b"} sideAt the side to move after a number of turns
 * @param {(node: import("../../game/tree.js").TurnNode) => void} go
 * @returns {HTMLElement[]}
 */
export function turningList(line, sideAt, go) {
  const items = turningPoints(line).map((node) => {
    const [before, after] = [chanceText(node.parent.score), chanceText(node.score)];
    const text = `${node.ply}. ${SIDES[sideAt(node.ply - 1)]} ${node.turn}: ${before} → ${after} for ${SIDES.w}`;
    return html("li", {}, html("button", { "data-testid": "turning-point", onclick: () => go(node) }, html("span", { className: `lost ${node.finding.label}`, "aria-hidden": "true" }), text));
  });
  return items.length ? [html("h3", { id: "turning-title" }, "Where the game turned"), html("ol", { className: "turning", "aria-labelledby": "turning-title" }, ...items)] : [];
}
