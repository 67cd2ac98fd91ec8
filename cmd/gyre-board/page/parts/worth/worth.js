// The value of a picked ring's targets, while the analysis is on: each shows the chances
// that moving there loses against the best turn, in percent, from searches too short for a label.

import { place } from "../../../../../position/drawing/geometry.js";
import { hints } from "../../board/moveinput.js";
import { byId, html, svg } from "../../dom.js";
import { moveOf } from "../../game/words.js";
import { optionsOf } from "../../panels/analysis.js";
import { chance, forWhite } from "../../scores.js";
import { percent, t } from "../../language.js";

/** Nodes for the search of each target: more, the longer the ring stays picked. */
const NODES = [6_000, 24_000, 96_000];

/** The number of cached answers. */
const KEPT = 60;

/** @typedef {import("../../_types/messages").TargetView[]} Targets */

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  byId("analysis-body").append(html("p", { className: "fine" }, t("worth-about")));
  return { open: worthOf(page) };
}

/**
 * Asks about the picked ring and shades its targets. Returns the function that checks the picked ring.
 * @param {import("../../_types/page").Page} page
 */
export function worthOf({ analysis, board, moveInput, state }) {
  /** The engine, its options, the position and the picked ring, or "". */
  let key = "";
  /** The values known, and after how many of the searches. @type {Map<string, {targets: Targets, searches: number}>} */
  const known = new Map();
  /** Ends the search, if there is one. */
  let end = () => {};

  // Removing rows first changes the targets: their values are unknown.
  const keyNow = () => {
    const { view } = state;
    if (!state.analyzing || !analysis.engines.length || !view || !moveInput.targets.length || moveInput.prefix.length) return "";
    const [engine] = analysis.engines;
    return JSON.stringify([engine, optionsOf(engine), view.rules, view.position, moveInput.picked]);
  };

  // Asks about the picked ring, unless the answer is cached or a review or hint uses the engine.
  const look = () => {
    const now = keyNow();
    if (now === key) return;
    key = now;
    end();
    if (!now) plain();
    if (known.has(now)) shade();
    if (now && !analysis.isLent(analysis.engines[0])) ask(now);
  };

  const ask = (of) => {
    const { game, node } = state;
    const [engine] = analysis.engines;
    const searches = known.get(of)?.searches ?? 0;
    const nodes = NODES[searches];
    if (!nodes) return;
    const fields = { engine, path: game.path(node), from: moveInput.picked, nodes, options: optionsOf(engine), game: game.id };
    end = analysis.borrow("worth", fields, {
      worth: ({ targets }) => {
        end();
        known.set(of, { targets, searches: searches + 1 });
        if (known.size > KEPT) known.delete(known.keys().next().value);
        shade();
        ask(of);
      },
      failed: () => end(),
      quiet: true,
    });
  };

  // Restores the dots while a ring stays picked.
  const plain = () => {
    if (!moveInput.targets.length) return;
    board.marks.showTargets(moveInput.targets.map(({ to }) => to));
    board.points.describe(moveInput.now.view.points, hints(moveInput));
  };

  const shade = () => {
    const found = key && key === keyNow() && !state.showing ? known.get(key) : null;
    if (!found) return;
    const targets = agreeing(found.targets, analysis.lines, state.view.side);
    const short = found.searches < NODES.length;
    shadeTargets(board.marks.targets, targets, short);
    const all = hints(moveInput);
    for (const target of targets) all.set(target.to, [all.get(target.to), worthWords(target), short && t("worth-short")].filter(Boolean).join(", "));
    board.points.describe(moveInput.now.view.points, all);
  };

  state.whenChanged(look);
  // Redrawn targets are shaded again, and so are all if the engine's lines change.
  state.whenChanged(shade);
  return look;
}

/**
 * Targets whose values agree with the engine's lines, which took more nodes: a turn of a line loses
 * what the line loses against the first one, and every other turn at least what the last line loses.
 * @param {Targets} targets
 * @param {Array<{score: import("../../scores.js").Score, pv: string[]}>} lines with White's scores, best first
 * @param {"w"|"b"} side the side to move
 * @returns {Targets}
 */
export function agreeing(targets, lines, side) {
  const chances = (/** @type {{score: import("../../scores.js").Score}} */ { score }) => 100 * chance(forWhite(score, side));
  /** @type {Map<string, number>} */
  const losses = new Map();
  let most = 0;
  for (const line of lines) {
    most = Math.max(most, chances(lines[0]) - chances(line));
    const move = moveOf(line.pv[0] ?? "");
    if (!losses.has(move)) losses.set(move, most);
  }
  return targets.map((target) => {
    const lost = losses.get(moveOf(target.turn)) ?? Math.max(target.lost, most);
    return { ...target, lost };
  });
}

// Showing the value of targets: by color and by number.

/** @typedef {import("../../_types/messages").TargetView} Target */

/** A loss of this percentage, or a larger one, has the last color. */
const MOST_COLORED = 20;

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
 * @param {boolean} short whether longer searches may still change them
 */
export function shadeTargets(layer, targets, short) {
  layer.replaceChildren(...targets.map((target) => draw(target, short)));
}

function draw({ to, lost }, short) {
  const { x, y } = place(to);
  const disc = svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: RADIUS });
  // Three digits do not fit.
  const number = svg("text", { x: x.toFixed(1), y: y.toFixed(1) }, lost < 99.5 ? String(Math.round(lost)) : "×");
  const drawing = svg("g", { class: short ? "worth short" : "worth", "data-to": to }, disc, number);
  drawing.style?.setProperty("--lost", String(Math.min(lost / MOST_COLORED, 1)));
  return drawing;
}
