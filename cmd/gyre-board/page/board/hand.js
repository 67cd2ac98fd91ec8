// The hand over the board: what pointing, pressing and dragging mean for the turn
// that is being entered.

import { U, handleSpot, nearest, place } from "./geometry.js";
import { hints } from "./hints.js";
import { HANDLE_REACH } from "./marks.js";
import { setSpot } from "./pieces.js";

// Points are nearer to each other on a phone than a finger is wide. A tap beside all that
// can be pressed means the nearest of it, if it is not far.
const FINGER_REACH = 0.85 * U;

/** Joins the pointer to the turn that is being entered. */
export class Hand {
  #board;
  #entry;
  #still;
  #press;
  #redraw;
  #dragged = null;
  /** The row whose handle is pointed at, or null. */
  row = null;

  /**
   * @param {Object} parts
   * @param {import("./board.js").Board} parts.board
   * @param {import("./entry.js").Entry} parts.entry
   * @param {() => boolean} parts.still whether the board is only to look at now
   * @param {(point: string|null, touch: boolean) => void} parts.press what a press on a point does
   * @param {() => void} parts.redraw called when another row is pointed at
   */
  constructor({ board, entry, still, press, redraw }) {
    [this.#board, this.#entry, this.#still, this.#press, this.#redraw] = [board, entry, still, press, redraw];
    const on = (name, act) => board.pointer.addEventListener(name, ({ detail }) => act(detail));
    on("hover", (spot) => {
      this.#pointAt(this.#handleAt(spot));
      this.#hover(spot.point);
    });
    on("leave", () => {
      this.#pointAt(null);
      this.#hover(null);
    });
    on("press", (spot) => this.#pressed(spot));
    on("dragstart", ({ point }) => this.#lift(point));
    on("drag", (spot) => this.#drag(spot));
    on("drop", ({ from, point, touch }) => this.#drop(from, point, touch));
    board.points.addEventListener("focus", ({ detail }) => this.#hover(detail));
  }

  #pressed(spot) {
    const handle = this.#handleAt(spot);
    this.row = null;
    if (handle && !this.#still()) this.#entry.do(handle);
    else this.#press(spot.touch ? this.#meant(spot) : spot.point, spot.touch);
  }

  #meant({ point, x, y }) {
    const choices = hints(this.#entry);
    return choices.has(point) ? point : nearest(x, y, FINGER_REACH, choices.keys()) ?? point;
  }

  #lift(point) {
    if (this.#still() || this.#entry.kind !== "move" || !this.#entry.stepsFrom(point).length) return;
    this.#entry.press(point, false);
    this.#dragged = this.#board.pieces.get(point);
  }

  #drag(spot) {
    if (!this.#dragged) return;
    setSpot(this.#dragged.element, spot);
    this.#hover(spot.point);
  }

  #drop(from, point, touch) {
    // A press that trembled is a press.
    if (!this.#dragged && from === point) this.#press(point, touch);
    if (!this.#dragged) return;
    setSpot(this.#dragged.element, place(from));
    this.#dragged = null;
    const step = this.#entry.targets.find(({ to }) => to === point);
    if (step) this.#entry.do(step, true);
  }

  #handleAt({ x, y }) {
    if (this.#entry.kind !== "row" || !this.#board.roomForHandles) return null;
    const near = ({ points }) => Math.hypot(handleSpot(points).x - x, handleSpot(points).y - y) < HANDLE_REACH;
    return this.#entry.choices.find(near) ?? null;
  }

  #pointAt(row) {
    if (row === this.row) return;
    this.row = row;
    if (!this.#still()) this.#redraw();
  }

  // Pointing at a target shows what moving there would do.
  #hover(point) {
    const entry = this.#entry;
    if (this.#still()) return;
    const can = point && entry.open && hints(entry).has(point);
    this.#board.root.classList.toggle("can-press", Boolean(can || this.row));
    let step = null;
    if (point && entry.kind === "place") step = entry.now.steps.find(({ to }) => to === point);
    else if (point) step = entry.targets.find(({ to }) => to === point);
    this.#board.marks.showHover(step ?? null, entry.side);
  }
}
