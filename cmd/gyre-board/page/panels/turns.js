// The list of turns: two columns for White and Black, with notes, review labels and
// variations. It is one tab stop.

import { byId, fill, html, setAttribute, show, targetOf } from "../dom.js";
import { percent, percentText, t } from "../language.js";

/** The signs of the labels of a review. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * Shows the list and its buttons.
 * @param {import("../_types/page").Page} page
 */
export function turnsOf({ state, controller, notices }) {
  const list = byId("turns");
  const panel = list.parentElement;
  /** @type {Map<HTMLElement, import("../game/tree.js").TurnNode>} */
  const nodes = new Map();
  /** The button of each turn, and what it says. @type {WeakMap<import("../game/tree.js").TurnNode, {says: string, button: HTMLElement}>} */
  const buttons = new WeakMap();
  // Scrolls only the panel, never the page. Called after a layout, when measuring costs nothing.
  const laidOut = new ResizeObserver(() => {
    const current = list.querySelector('[aria-current="true"]');
    if (!current) return void (panel.scrollTop = 0);
    const [at, frame] = [current.getBoundingClientRect(), panel.getBoundingClientRect()];
    if (at.top < frame.top) panel.scrollTop += at.top - frame.top - 40;
    else if (at.bottom > frame.bottom) panel.scrollTop += at.bottom - frame.bottom + 40;
  });

  /**
   * Steps through the game.
   * @param {"first"|"back"|"forward"|"last"|"up"|"down"} where up and down go to
   *   the variations of this turn
  */
  const go = (where) => {
    const { node, game } = state;
    const beside = (by) => {
      const all = node.parent?.children ?? [];
      return all[(all.indexOf(node) + by + all.length) % all.length];
    };
    const targets = {
      first: () => game.root,
      back: () => node.parent,
      forward: () => node.next,
      last: () => node.leaf,
      up: () => beside(-1),
      down: () => beside(1),
    };
    return controller.go(targets[where]());
  };

  /**
   * Goes to the next or previous mistake of a review.
   * @param {number} by 1 or -1
   * @returns {boolean} whether there is one
  */
  const goToMistake = (by) => {
    const { game, node, line } = state;
    const mistakes = game.playing ? [] : line.filter(({ finding }) => finding?.label);
    const next = by > 0 ? mistakes.find(({ ply }) => ply > node.ply) : mistakes.findLast(({ ply }) => ply < node.ply);
    if (next) controller.go(next);
    return mistakes.length > 0;
  };

  // A deletion can be undone.
  const remove = async () => {
    const { game, node } = state;
    const { at, live, left } = game;
    const { parent } = node;
    if (!parent) return;
    const putBack = node.remove();
    await controller.stand(at.comesAfter(node) ? parent : at, live.comesAfter(node) ? parent : live);
    notices.offerUndo(t("turns-deleted", { number: node.ply }), async () => {
      putBack();
      await controller.stand(at, live);
      game.left = left;
    });
  };

  // A turn keeps its button as long as that says the same.
  const buttonOf = (node) => {
    const { game, node: shown } = state;
    const says = JSON.stringify([node.ply, node.finding]);
    const old = buttons.get(node);
    const button = old?.says === says ? old.button : labelled(node);
    buttons.set(node, { says, button });
    nodes.set(button, node);
    if (node === shown) setAttribute(button, "aria-current", "true");
    else button.removeAttribute("aria-current");
    setAttribute(button, "tabindex", "-1");
    // Turns after the live one were taken back; stepping forward reaches them.
    button.classList.toggle("ahead", game.playing && node !== game.live && node.comesAfter(game.live));
    return button;
  };

  const variation = (first) => {
    const box = html("div", { className: "variation", role: "group", "aria-label": t("variation-from", { number: first.ply }) });
    for (let at = first; at; at = at.children[0]) {
      box.append(buttonOf(at), ...comment(at));
      // Variations of the first turn have their own boxes.
      if (at !== first) box.append(...at.parent.children.slice(1).map(variation));
    }
    return box;
  };

  // The main line from the start in two columns; notes and variations span both.
  const mainLine = ({ root }) => {
    /** @type {HTMLElement[]} */
    const rows = comment(root);
    let column = 0;
    for (let at = root; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      const black = state.game.sideAt(at.ply) === "b";
      if (black && column === 0) rows.push(html("span", { className: "gap", "aria-hidden": "true" }, "…"));
      rows.push(buttonOf(main));
      column = black ? 0 : 1;
      const below = [...comment(main), ...others.map(variation)];
      if (below.length && column === 1) {
        rows.push(html("span", { className: "gap", "aria-hidden": "true" }, main.children.length ? "…" : ""));
        column = 0;
      }
      rows.push(...below);
    }
    if (!root.children.length) rows.push(html("p", { className: "comment" }, t("no-turn-yet")));
    return rows;
  };

  list.addEventListener("click", (event) => {
    const node = nodes.get(targetOf(event, "button"));
    if (node) controller.go(node);
  });
  for (const where of /** @type {const} */ (["first", "back", "forward", "last"])) byId(`go-${where}`).addEventListener("click", () => go(where));
  byId("promote").addEventListener("click", () => {
    state.node.promote();
    controller.changed();
  });
  byId("delete").addEventListener("click", remove);
  const note = byId("note");
  note.addEventListener("input", () => {
    if (!state.game) return;
    state.node.comment = note.value;
    controller.changed();
  });
  state.whenChanged(() => {
    const { node, game } = state;
    if (!game) return;
    const held = list.contains(document.activeElement);
    nodes.clear();
    fill(list, mainLine(game));
    const current = /** @type {HTMLElement} */ (list.querySelector('[aria-current="true"]'));
    const stop = current ?? list.querySelector("button");
    if (stop) stop.tabIndex = 0;
    laidOut.unobserve(panel);
    laidOut.observe(panel);
    if (held) current?.focus({ preventScroll: true });
    for (const id of ["go-first", "go-back"]) byId(id).toggleAttribute("disabled", !node.parent);
    for (const id of ["go-last", "go-forward"]) byId(id).toggleAttribute("disabled", !node.next);
    show(byId("line-actions"), !node.onMainLine);
    if (document.activeElement !== note) note.value = node.comment;
  }, () => state.version);
  return { go, goToMistake };
}

// The note on a turn, if there is one.
function comment({ comment: text }) {
  return text ? [html("p", { className: "comment" }, text)] : [];
}

function labelled({ ply, turn, finding }) {
  const button = html("button", { className: "turn-button", "data-turn": ply }, html("span", { className: "number" }, `${ply}.`), html("span", { className: "turn" }, turn));
  const label = SIGNS[finding?.label];
  if (label) button.append(html("span", { className: `label ${finding.label}`, title: t(`label-${finding.label}`) }, label, html("span", { className: "unseen" }, t(`label-${finding.label}`))));
  if (finding) button.append(lostOf(finding));
  if (finding?.missedRow) button.append(html("span", { className: "label", title: t("row-missed-title") }, t("row-missed")));
  return button;
}

// A turn's loss: a colored dot and percent.
function lostOf({ lost, label }) {
  const share = Math.round(lost) / 100;
  const title = t("turn-lost", { share: percent(share) });
  return html("span", { className: `lost ${label}`, "data-testid": "lost", title }, html("span", { "aria-hidden": "true" }, share ? `−${percentText(share)}` : ""), html("span", { className: "unseen" }, title));
}

/**
 * Arrows that the user draws with the right button or the keyboard. They belong to their
 * position. Drawing an arrow again removes it.
 * @param {import("../_types/page").Page} page
 */
export function ownArrows({ state, controller, board, say }) {
  let begun = null;
  const draw = () => board.arrows.show("own", state.node.arrows);
  const toggle = (from, to) => {
    const { node } = state;
    if (!node) return;
    const others = node.arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
    const added = others.length === node.arrows.length;
    node.arrows = added ? [...others, { from, to }] : others;
    say(added ? t("arrow-drawn", { from, to }) : t("arrow-removed", { from, to }));
    draw();
    controller.changed();
  };
  board.pointer.addEventListener("arrow", ({ detail }) => toggle(detail.from, detail.to));
  controller.addEventListener("position", draw);
  return {
    /**
     * Starts an arrow at a point or ends the one started. Without a point, removes all
     * arrows.
     * @param {string|null} point
    */
    at(point) {
      if (!point) {
        state.node.arrows = [];
        draw();
        controller.changed();
      } else if (begun) {
        toggle(begun, point);
      } else {
        say(t("arrow-from", { point }));
      }
      begun = point && !begun ? point : null;
    },
  };
}
