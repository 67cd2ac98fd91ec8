// The list of turns: two columns for White and Black, with notes, review labels and
// variations. It is one tab stop.

import { byId, fill, html, setAttribute, show, targetOf } from "../dom.js";
import { percent, percentText, t } from "../language.js";

const LABELS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Draws the list and its buttons. */
export class Turns {
  #page;
  /** @type {Map<HTMLElement, import("../game/tree.js").TurnNode>} */
  #nodes = new Map();
  /** The button of each turn, and what it says. @type {WeakMap<import("../game/tree.js").TurnNode, {says: string, button: HTMLElement}>} */
  #buttons = new WeakMap();
  // Called after a layout, when measuring costs nothing.
  #laidOut = new ResizeObserver(() => this.#reveal());

  /** @param {import("../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    const { state, controller } = page;
    state.whenChanged(() => this.#draw(), () => state.version);
    byId("turns").addEventListener("click", (event) => {
      const node = this.#nodes.get(targetOf(event, "button"));
      if (node) controller.go(node);
    });
    for (const where of /** @type {const} */ (["first", "back", "forward", "last"])) byId(`go-${where}`).addEventListener("click", () => this.go(where));
    byId("promote").addEventListener("click", () => {
      state.node.promote();
      controller.changed();
    });
    byId("delete").addEventListener("click", () => this.#delete(state.node));
    byId("note").addEventListener("input", () => {
      if (!state.game) return;
      state.node.comment = byId("note").value;
      controller.changed();
    });
  }

  /**
   * Steps through the game.
   * @param {"first"|"back"|"forward"|"last"|"up"|"down"} where up and down go to
   *   the variations of this turn
  */
  go(where) {
    const { node, game } = this.#page.state;
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
    return this.#page.controller.go(targets[where]());
  }

  /**
   * Goes to the next or previous mistake of a review.
   * @param {number} by 1 or -1
   * @returns {boolean} whether there is one
  */
  goToMistake(by) {
    const { game, node, line } = this.#page.state;
    const mistakes = game.playing ? [] : line.filter(({ finding }) => finding?.label);
    const next = by > 0 ? mistakes.find(({ ply }) => ply > node.ply) : mistakes.findLast(({ ply }) => ply < node.ply);
    if (next) this.#page.controller.go(next);
    return mistakes.length > 0;
  }

  // A deletion can be undone.
  async #delete(node) {
    const { state: { game }, controller } = this.#page;
    const { at, live, left } = game;
    const { parent } = node;
    if (!parent) return;
    const putBack = node.remove();
    await controller.stand(at.comesAfter(node) ? parent : at, live.comesAfter(node) ? parent : live);
    controller.offerUndo(t("turns-deleted", { number: node.ply }), async () => {
      putBack();
      await controller.stand(at, live);
      game.left = left;
    });
  }

  #draw() {
    const { node, game } = this.#page.state;
    if (!game) return;
    const list = byId("turns");
    const held = list.contains(document.activeElement);
    this.#nodes.clear();
    const rows = [];
    if (game.root.comment) rows.push(html("p", { className: "comment" }, game.root.comment));
    this.#addLine(game.root, rows);
    if (!game.root.children.length) rows.push(html("p", { className: "comment" }, t("no-turn-yet")));
    fill(list, rows);
    const current = /** @type {HTMLElement} */ (list.querySelector('[aria-current="true"]'));
    const stop = current ?? list.querySelector("button");
    if (stop) stop.tabIndex = 0;
    this.#laidOut.unobserve(list.parentElement);
    this.#laidOut.observe(list.parentElement);
    if (held) current?.focus({ preventScroll: true });
    for (const id of ["go-first", "go-back"]) byId(id).toggleAttribute("disabled", !node.parent);
    for (const id of ["go-last", "go-forward"]) byId(id).toggleAttribute("disabled", !node.next);
    show(byId("line-actions"), !node.onMainLine);
    const note = byId("note");
    if (document.activeElement !== note) note.value = node.comment;
  }

  // Scrolls only the panel, never the page.
  #reveal() {
    const current = byId("turns").querySelector('[aria-current="true"]');
    const panel = byId("turns").parentElement;
    if (!current) return void (panel.scrollTop = 0);
    const [at, frame] = [current.getBoundingClientRect(), panel.getBoundingClientRect()];
    if (at.top < frame.top) panel.scrollTop += at.top - frame.top - 40;
    else if (at.bottom > frame.bottom) panel.scrollTop += at.bottom - frame.bottom + 40;
  }

  // The main line from a node in two columns; notes and variations span both.
  #addLine(from, rows) {
    let column = 0;
    for (let at = from; at.children.length; at = at.children[0]) {
      const main = at.children[0];
      const black = this.#page.state.game.sideAt(at.ply) === "b";
      if (black && column === 0) rows.push(html("span", { className: "gap", "aria-hidden": "true" }, "…"));
      rows.push(this.#button(main));
      column = black ? 0 : 1;
      const below = [];
      if (main.comment) below.push(html("p", { className: "comment" }, main.comment));
      for (const other of at.children.slice(1)) below.push(this.#variation(other));
      if (below.length && column === 1) {
        rows.push(html("span", { className: "gap", "aria-hidden": "true" }, main.children.length ? "…" : ""));
        column = 0;
      }
      rows.push(...below);
    }
  }

  #variation(first) {
    const box = html("div", { className: "variation", role: "group", "aria-label": t("variation-from", { number: first.ply }) });
    for (let at = first; at; at = at.children[0]) {
      box.append(this.#button(at));
      if (at.comment) box.append(html("p", { className: "comment" }, at.comment));
      // Variations of the first turn have their own boxes.
      const others = at === first ? [] : at.parent.children.slice(1);
      for (const other of others) box.append(this.#variation(other));
    }
    return box;
  }

  // A turn keeps its button as long as that says the same.
  #button(node) {
    const { game, node: shown } = this.#page.state;
    const says = JSON.stringify([node.ply, node.finding]);
    const old = this.#buttons.get(node);
    const button = old?.says === says ? old.button : labelled(node);
    this.#buttons.set(node, { says, button });
    this.#nodes.set(button, node);
    if (node === shown) setAttribute(button, "aria-current", "true");
    else button.removeAttribute("aria-current");
    setAttribute(button, "tabindex", "-1");
    // Turns after the live one were taken back; stepping forward reaches them.
    button.classList.toggle("ahead", game.playing && node !== game.live && node.comesAfter(game.live));
    return button;
  }
}

function labelled({ ply, turn, finding }) {
  const button = html("button", { className: "turn-button", "data-turn": ply }, html("span", { className: "number" }, `${ply}.`), html("span", { className: "turn" }, turn));
  const label = LABELS[finding?.label];
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
