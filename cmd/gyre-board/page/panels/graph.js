// The graph of the scores of a game: White's chances from the bottom, a column per turn,
// an axis in percent, a mark on each mistake, and bars from the top for what each turn
// lost. Pointing at a turn describes it and a click goes there. For the keyboard it is a
// slider.

import { html, setText, show, svg } from "../dom.js";
import { moveName } from "../game/words.js";
import { percent, percentText, t } from "../language.js";
import { chance, scoreText } from "../scores.js";

const HEIGHT = 100;

/**
 * Draws the graph when there are scores, but not during a game.
 * @param {HTMLElement} root
 * @param {import("../_types/page").Page} page
 */
export function showGraph(root, { state, controller }) {
  const plot = html("div", { className: "graph-plot" });
  const tip = html("div", { className: "graph-tip", "data-testid": "graph-tip", hidden: true });
  const axis = [1, 0.5, 0].map((share) => html("span", {}, percentText(share)));
  root.append(html("div", { className: "graph-axis", "aria-hidden": "true" }, ...axis), plot);
  root.tabIndex = 0;
  root.setAttribute("role", "slider");
  root.setAttribute("aria-label", t("graph-label"));
  const shown = () => [state.game.root, ...state.line];
  const goTo = (ply) => controller.go(shown()[ply]);
  const plyAt = (event) => {
    const box = plot.getBoundingClientRect();
    const count = shown().length;
    return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - box.left) / box.width) * count)));
  };
  plot.addEventListener("click", (event) => goTo(plyAt(event)));
  plot.addEventListener("pointermove", (event) => {
    const [ply, nodes] = [plyAt(event), shown()];
    setText(tip, wordsOf(nodes[ply]));
    tip.hidden = false;
    tip.classList.toggle("to-left", ply > nodes.length / 2);
    tip.style.setProperty("--at", share(ply, nodes.length));
  });
  plot.addEventListener("pointerleave", () => (tip.hidden = true));
  root.addEventListener("keydown", (event) => {
    const { node, line } = state;
    const ply = { ArrowLeft: node.ply - 1, ArrowRight: node.ply + 1, Home: 0, End: line.length }[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(Math.max(0, Math.min(ply, line.length)));
  });
  // During a game, scores are shown only if analysis is on.
  const draw = () => {
    const { node } = state;
    const nodes = shown();
    const wanted = nodes.some(({ score }) => score) && (state.analyzing || !state.game.playing);
    show(root, wanted);
    if (!wanted) return;
    const drawing = svg("svg", { viewBox: `0 0 ${nodes.length} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("path", { class: "graph-white", d: area(nodes) }),
      svg("path", { class: "graph-middle", d: `M0 ${HEIGHT / 2}H${nodes.length}` }),
      svg("path", { class: "graph-lost", d: nodes.map(lostBar).join("") }),
      svg("path", { class: "graph-here", d: `M${node.ply + 0.5} 0V${HEIGHT}` }));
    plot.replaceChildren(drawing, ...nodes.flatMap(markOf), tip);
    root.setAttribute("aria-valuemin", "0");
    root.setAttribute("aria-valuemax", String(nodes.length - 1));
    root.setAttribute("aria-valuenow", String(node.ply));
    root.setAttribute("aria-valuetext", wordsOf(node));
  };
  let scheduled = 0;
  state.whenChanged(() => {
    if (state.game) scheduled ||= requestAnimationFrame(() => (scheduled = 0, draw()));
  });
}

function share(ply, count) {
  return `${((ply + 0.5) / count) * 100}%`;
}

// A mark on a turn that lost something.
function markOf({ finding, score }, ply, nodes) {
  if (!finding?.label) return [];
  const mark = html("span", { className: `graph-mark ${finding.label}`, "data-testid": "graph-mark" });
  mark.style.left = share(ply, nodes.length);
  mark.style.top = `${100 - (score ? chance(score) : 0.5) * 100}%`;
  return [mark];
}

// A bar from the top, as long as the turn's loss.
function lostBar({ finding }, ply) {
  return finding?.lost ? `M${ply + 0.2} 0h0.6v${finding.lost}h-0.6z` : "";
}

function wordsOf(node) {
  const { ply, score, finding } = node;
  const turn = ply ? t("graph-turn", { number: ply, turn: moveName(node.turn) }) : t("graph-start");
  const worth = score ? t("graph-chances", { share: percent(chance(score)), score: scoreText(score) }) : t("graph-no-score");
  const parts = [worth, finding?.label && t(`label-${finding.label}`), finding?.lost && t("graph-lost", { share: percent(finding.lost / 100) })];
  return `${turn}: ${parts.filter(Boolean).join(", ")}`;
}

// White's area. A turn without a score continues the previous one.
function area(nodes) {
  let part = 0.5;
  const tops = nodes.map(({ score }) => {
    if (score) part = chance(score);
    return (1 - part) * HEIGHT;
  });
  const steps = tops.map((top, i) => `L${i} ${top.toFixed(1)}L${i + 1} ${top.toFixed(1)}`);
  return `M0 ${HEIGHT}${steps.join("")}L${nodes.length} ${HEIGHT}Z`;
}
