// The board on the page: the drawing, with buttons and pointer over it. It reports what the user
// does. It knows nothing about games.

import { html, setAttribute, targetOf } from "../dom.js";
import { Drawing } from "../../../../position/drawing/drawing.js";
import { EDGE, U, neighbor, place, points } from "../../../../position/drawing/geometry.js";
import { Motion } from "../../../../position/drawing/pieces.js";
import { Pointer } from "./pointer.js";
import { t } from "../language.js";

// Below this many CSS pixels between points, a finger cannot hit a handle.
const HANDLES_FROM = 36;

/** The board and its layers. */
export class Board {
  #drawing = new Drawing();
  #width = 0;

  /**
   * @param {HTMLElement} root an empty element, kept square by its style
   * @param {Object} how
   * @param {() => boolean} how.motion whether to animate turns
   * @param {(act: Object) => void} [how.heard] called with each act as it is shown
  */
  constructor(root, { motion, heard = () => {} }) {
    const { element } = this.#drawing;
    for (const [name, value] of [["aria-hidden", "true"], ["focusable", "false"]]) element.setAttribute(name, value);
    root.append(element);
    this.root = root;
    this.pieces = this.#drawing.pieces;
    this.marks = this.#drawing.marks;
    this.arrows = this.#drawing.arrows;
    this.motion = new Motion(this.pieces, motion, heard);
    this.points = new Points(root);
    this.pointer = new Pointer(root);
    new ResizeObserver(() => this.#resized()).observe(root);
    this.#resized();
  }

  /** Whether the handles of rows fit. */
  get roomForHandles() {
    return (this.#width * U) / (2 * EDGE) >= HANDLES_FROM;
  }

  /**
   * Sets how many rings win, and so how many trays each side has.
   * @param {number} count
  */
  showTrays(count) {
    this.#drawing.showTrays(count);
  }

  /** Whether the board is rotated, with Black's side at the bottom. */
  get turned() {
    return this.root.classList.contains("turned");
  }

  /**
   * Rotates the board, or rotates it back. The light stays where it is.
   * @param {boolean} turned
  */
  turn(turned) {
    this.root.classList.toggle("turned", turned);
    this.points.turn(turned);
    this.pointer.turned = turned;
  }

  #resized() {
    this.#width = this.root.clientWidth || 600;
    this.#drawing.fit(this.#width);
  }
}

// The 85 buttons over the drawing, for the keyboard and screen readers. They are
// one tab stop; the arrow keys walk along the lines of the board. The mouse does
// not use them: a click belongs to the nearest point.

// What the arrow keys do, as (column, number). Up and down follow the letter, left
// and right the number. With Shift, all four follow the third direction.
const WALK = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
};
const WALK_SHIFTED = {
  ArrowUp: [1, 1],
  ArrowRight: [1, 1],
  ArrowDown: [-1, -1],
  ArrowLeft: [-1, -1],
};

/** The messages of the pieces, by letter, and of none. */
const PIECES = { "": "point-vacant", W: "point-white-ring", B: "point-black-ring", w: "point-white-marker", b: "point-black-marker" };

/** Fires "press" (detail: the point) and "focus" (detail: the point). */
class Points extends EventTarget {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  #stop = "f6";
  #turned = false;

  /** @param {HTMLElement} root the element over the drawing */
  constructor(root) {
    super();
    for (const point of points) {
      const button = html("button", { className: "point", type: "button", tabIndex: -1, "data-point": point, "aria-label": point });
      this.#buttons.set(point, button);
      root.append(button);
    }
    this.turn(false);
    this.#buttons.get(this.#stop).tabIndex = 0;
    root.addEventListener("click", (event) => {
      const { point } = targetOf(event).dataset;
      if (point) this.dispatchEvent(new CustomEvent("press", { detail: point }));
    });
    root.addEventListener("keydown", (event) => this.#walk(event));
    root.addEventListener("focusin", (event) => {
      const { point } = targetOf(event).dataset;
      if (!point) return;
      this.#setStop(point);
      // After a tap or click, nothing but the pointer shows what a turn would do.
      if (targetOf(event).matches(":focus-visible")) this.dispatchEvent(new CustomEvent("focus", { detail: point }));
    });
  }

  /**
   * Places the buttons over the board, rotated or not.
   * @param {boolean} turned
  */
  turn(turned) {
    this.#turned = turned;
    for (const [point, button] of this.#buttons) {
      const { x, y } = place(point);
      const from = turned ? -1 : 1;
      button.style.left = `${((from * x + EDGE - U / 2) / (2 * EDGE)) * 100}%`;
      button.style.top = `${((from * y + EDGE - U / 2) / (2 * EDGE)) * 100}%`;
    }
  }

  /** The point that has the focus, or would get it on Tab. */
  get current() {
    return this.#stop;
  }

  /** Whether the focus is on the board. */
  get focused() {
    return this.#buttons.get(this.#stop) === document.activeElement;
  }

  /**
   * Gives a point the focus.
   * @param {string} point
  */
  focus(point = this.#stop) {
    this.#buttons.get(point)?.focus();
  }

  /**
   * Describes the piece on each point and what a press there would do.
   * @param {Object<string, string>} pieces letters by point
   * @param {Map<string, string>} hints what a press would do, by point
  */
  describe(pieces, hints) {
    for (const [point, button] of this.#buttons) {
      setAttribute(button, "aria-label", [point, t(PIECES[pieces[point] ?? ""]), hints.get(point)].filter(Boolean).join(", "));
      button.classList.toggle("can", hints.has(point));
    }
  }

  /**
   * Moves the focus from the current point to the next or previous of some points.
   * @param {string[]} among
   * @param {number} by 1 or -1
  */
  cycle(among, by) {
    if (!among.length) return;
    const order = points.filter((point) => among.includes(point));
    const here = order.indexOf(this.#stop);
    if (here >= 0) return this.focus(order[(here + by + order.length) % order.length]);
    const index = points.indexOf(this.#stop);
    const next = by > 0
      ? order.find((point) => points.indexOf(point) > index)
      : order.findLast((point) => points.indexOf(point) < index);
    this.focus(next ?? (by > 0 ? order[0] : order[order.length - 1]));
  }

  #setStop(point) {
    this.#buttons.get(this.#stop).tabIndex = -1;
    this.#stop = point;
    this.#buttons.get(point).tabIndex = 0;
  }

  #walk(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = (event.shiftKey ? WALK_SHIFTED : WALK)[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.#turned ? -1 : 1;
    const next = neighbor(this.#stop, from * step[0], from * step[1]);
    if (next) this.focus(next);
  }
}
