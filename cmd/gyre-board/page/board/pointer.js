// Mouse, pen and touch on the board, told as what they mean: a press on a point,
// a ring dragged, a handle of a row pointed at, an arrow drawn with the right
// button. A press belongs to the nearest point within half a step.

import { EDGE, nearest } from "./geometry.js";

// A press becomes a drag after so many CSS pixels; a finger is less steady.
const DRAG_BEGINS = { mouse: 3, pen: 3, touch: 10 };

/**
 * Fires, with what the detail is:
 * "press" {point, touch}, "hover" {point, x, y}, "leave",
 * "dragstart" {point}, "drag" {x, y, point}, "drop" {point, from, touch, cancelled},
 * "arrow" {from, to}, "input" for any press at all.
 * Places are in units of the drawing.
 */
export class Pointer extends EventTarget {
  #root;
  #down = null;
  #right = null;
  /** Whether the board is turned round. */
  turned = false;

  /** @param {HTMLElement} root the element that covers the drawing */
  constructor(root) {
    super();
    this.#root = root;
    root.addEventListener("pointerdown", (event) => this.#pressed(event));
    root.addEventListener("pointermove", (event) => this.#moved(event));
    root.addEventListener("pointerup", (event) => this.#released(event));
    root.addEventListener("pointercancel", () => this.#cancel());
    root.addEventListener("pointerleave", () => this.#fire("leave"));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #pressed(event) {
    const { x, y } = this.#spot(event);
    const point = nearest(x, y);
    this.#fire("input");
    if (event.button === 2) {
      this.#right = point;
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    this.#down = { point, x: event.clientX, y: event.clientY, spot: { x, y }, touch: event.pointerType === "touch", dragging: false };
    this.#root.setPointerCapture(event.pointerId);
  }

  #moved(event) {
    const { x, y } = this.#spot(event);
    const down = this.#down;
    if (!down) {
      if (event.pointerType !== "touch") this.#fire("hover", { x, y, point: nearest(x, y) });
      return;
    }
    const begins = DRAG_BEGINS[event.pointerType] ?? DRAG_BEGINS.mouse;
    if (!down.dragging && down.point && Math.hypot(event.clientX - down.x, event.clientY - down.y) > begins) {
      down.dragging = true;
      this.#fire("dragstart", { point: down.point });
    }
    if (down.dragging) this.#fire("drag", { x, y, point: nearest(x, y) });
  }

  #released(event) {
    const { x, y } = this.#spot(event);
    const point = nearest(x, y);
    if (event.button === 2) {
      if (this.#right && point) this.#fire("arrow", { from: this.#right, to: point });
      this.#right = null;
      return;
    }
    const down = this.#down;
    this.#down = null;
    if (!down) return;
    if (down.dragging) this.#fire("drop", { point, from: down.point, touch: down.touch });
    else this.#fire("press", { point, x, y, touch: down.touch });
  }

  #cancel() {
    if (this.#down?.dragging) this.#fire("drop", { point: null, from: this.#down.point, cancelled: true });
    this.#down = null;
    this.#right = null;
  }

  #spot(event) {
    const box = this.#root.getBoundingClientRect();
    const from = this.turned ? -1 : 1;
    return {
      x: from * (((event.clientX - box.left) / box.width) * 2 * EDGE - EDGE),
      y: from * (((event.clientY - box.top) / box.height) * 2 * EDGE - EDGE),
    };
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
