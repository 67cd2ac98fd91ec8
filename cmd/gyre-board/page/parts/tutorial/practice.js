// A board of its own, over the page, on which one turn is entered in a position that belongs
// to no game. The rules say what can be done; what the turn is good for is for others to say.

import { Board } from "../../board/board.js";
import { Entry } from "../../board/entry.js";
import { Hand } from "../../board/hand.js";
import { hints } from "../../board/hints.js";
import { moves } from "../../game/settings.js";

/**
 * Fires "turn" (detail: its word) when a turn is whole and on the board, and "change" when
 * something else is to be done.
 */
export class Practice extends EventTarget {
  #rules;
  #hand;
  /** How many positions were asked for: what belongs to an earlier one is dropped. */
  #asked = 0;
  /** Whether the position is only to look at. */
  #still = true;

  /**
   * @param {HTMLElement} root where the board is drawn
   * @param {import("../../_types/page").Page} page
   */
  constructor(root, { rules }) {
    super();
    this.#rules = rules;
    this.board = new Board(root, { motion: moves });
    this.entry = new Entry(rules);
    const { board, entry } = this;
    entry.addEventListener("step", ({ detail }) => {
      this.#clear();
      board.motion.play([detail]);
    });
    entry.addEventListener("change", () => this.#draw());
    entry.addEventListener("turn", ({ detail }) => this.#entered(detail));
    board.points.addEventListener("press", ({ detail }) => this.#press(detail, false));
    root.addEventListener("keydown", (event) => this.#key(event));
    this.#hand = new Hand({ board, entry, still: () => this.#still, press: (point, touch) => this.#press(point, touch), redraw: () => this.#draw() });
  }

  /**
   * Shows a position, and waits for a turn. Of two asked for, the later is shown.
   * @param {import("../../_types/messages").Path} path
   */
  async begin(path) {
    const asked = ++this.#asked;
    this.end();
    const { views, next } = await this.#rules.game(path);
    if (asked !== this.#asked) return;
    const { board } = this;
    board.motion.hurry();
    await board.motion.idle;
    if (asked !== this.#asked) return;
    board.pieces.show(views[0].points, views[0].removed);
    board.marks.showLast([]);
    board.arrows.show("best", []);
    this.#still = false;
    await this.entry.begin(path, next);
  }

  /** Ends entering: the board is only to look at. */
  end() {
    this.#still = true;
    this.entry.end();
    this.#clear();
  }

  #press(point, touch) {
    this.board.motion.hurry();
    if (this.#still || !point) return;
    this.entry.press(point, touch);
    this.#draw();
  }

  async #entered(word) {
    const asked = this.#asked;
    this.end();
    await this.board.motion.idle;
    if (asked !== this.#asked) return;
    this.dispatchEvent(new CustomEvent("turn", { detail: word }));
  }

  #key(event) {
    const by = { n: 1, p: -1 }[event.key];
    if (by) this.board.points.cycle(this.entry.candidates, by);
  }

  // Pieces are left alone while they move.
  async #draw() {
    const { board, entry } = this;
    if (!entry.now) return this.#clear();
    await board.motion.idle;
    if (this.#still || !entry.now) return undefined;
    board.pieces.show(entry.now.view.points, entry.now.view.removed);
    board.points.describe(entry.now.view.points, hints(entry));
    board.arrows.show("best", entry.prefix.length || entry.picked ? [] : this.arrows);
    board.marks.showTargets(entry.targets.map((step) => step.to));
    const rings = entry.kind === "move" || entry.kind === "ring" ? entry.candidates : [];
    board.marks.showRings(entry.picked && entry.kind === "move" ? [entry.picked] : rings, entry.picked, entry.kind === "ring");
    const rows = { all: entry.now.steps, choices: entry.choices, shown: this.#hand.row ?? entry.shownRow, chosen: entry.chosen, handles: board.roomForHandles };
    board.marks.showRows(entry.kind === "row" ? rows : null);
    this.dispatchEvent(new Event("change"));
    return undefined;
  }

  /** Arrows that show what to do. @type {import("../../board/arrows.js").Arrow[]} */
  arrows = [];

  /** Shows the arrows anew. */
  point() {
    this.#draw();
  }

  #clear() {
    const { marks } = this.board;
    marks.showHover(null);
    marks.showTargets([]);
    marks.showRings([], null, false);
    marks.showRows(null);
    this.board.arrows.show("best", []);
  }
}
