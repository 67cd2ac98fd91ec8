// Mouse, pen and touch on the board, reported by meaning: a press on a point, a
// dragged ring, a pointed-at row handle, an arrow drawn with the right button. A press
// belongs to the nearest point within half a step.

import { EDGE, U, handleSpot, nearest, place } from "../../../../position/drawing/geometry.js";
import { HANDLE_REACH } from "../../../../position/drawing/marks.js";
import { hints } from "./moveinput.js";
import { setSpot } from "../../../../position/drawing/pieces.js";

// A press becomes a drag after this many CSS pixels; a finger is less steady.
const DRAG_BEGINS = { mouse: 3, pen: 3, touch: 10 };

// A tap this soon after another, and this near, in CSS pixels, only repeats it.
const AGAIN_MS = 300;
const AGAIN_NEAR = 20;

/**
 * Fires, with these details:
 * "press" {point, touch, again}, "hover" {point, x, y}, "leave",
 * "dragstart" {point}, "drag" {x, y, point}, "drop" {point, from, touch, cancelled},
 * "arrow" {from, to}, and "input" for every press.
 * Coordinates are in units of the drawing.
 */
export class Pointer extends EventTarget {
  #root;
  #when;
  #down = null;
  #right = null;
  /** The last tap: where and when. */
  #tapped = { x: 0, y: 0, at: -Infinity };
  /** Whether the board is rotated. */
  turned = false;

  /**
   * @param {HTMLElement} root the element that covers the drawing
   * @param {(event: Event) => number} [when] the time of an event in milliseconds
  */
  constructor(root, when = (event) => event.timeStamp) {
    super();
    [this.#root, this.#when] = [root, when];
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
      return undefined;
    }
    // A second finger belongs to a gesture.
    if (!event.isPrimary) return this.#cancel();
    if (event.button !== 0) return undefined;
    this.#down = { point, x: event.clientX, y: event.clientY, spot: { x, y }, touch: event.pointerType === "touch", dragging: false };
    this.#root.setPointerCapture(event.pointerId);
    return undefined;
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
    else this.#fire("press", { point, x, y, touch: down.touch, again: down.touch && this.#again(event) });
  }

  // Whether a tap only repeats the last one.
  #again(event) {
    const { x, y, at } = this.#tapped;
    this.#tapped = { x: event.clientX, y: event.clientY, at: this.#when(event) };
    return this.#tapped.at - at < AGAIN_MS && Math.hypot(event.clientX - x, event.clientY - y) < AGAIN_NEAR;
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

// What pointing, pressing and dragging mean for the turn being entered.

// On a phone, points are closer together than a finger is wide. A tap off every point
// that can be pressed selects the nearest one within this reach.
const FINGER_REACH = 0.85 * U;

/**
 * Connects the pointer to the turn being entered.
 * @param {Object} parts
 * @param {import("./board.js").Board} parts.board
 * @param {import("./moveinput.js").MoveInput} parts.moveInput
 * @param {() => boolean} parts.still whether the board accepts no input now
 * @param {(point: string|null, touch: boolean) => import("./moveinput.js").Outcome|void} parts.press what a press on a point does
 * @param {() => void} parts.redraw called when the pointer is on the handle of another row
 */
export function boardInput({ board, moveInput, still, press, redraw }) {
  const { marks, pieces, pointer, points } = board;
  /** The ring that is dragged, or null. */
  let dragged = null;
  /** Whether the last press did a step. A quick second tap there must not do the next one; it may only pick a ring. */
  let did = false;
  /** The row whose handle the pointer is on, or null. */
  let row = null;

  const pressed = (spot) => {
    const handle = handleAt(spot);
    row = null;
    if (spot.again && did && moveInput.kind !== "move") return;
    if (handle && !still()) {
      moveInput.do(handle);
      did = true;
    } else did = press(spot.touch ? meant(spot) : spot.point, spot.touch) === "done";
  };

  const meant = ({ point, x, y }) => {
    const choices = moveInput.pressable;
    return choices.has(point) ? point : nearest(x, y, FINGER_REACH, choices) ?? point;
  };

  const lift = (point) => {
    if (still() || moveInput.kind !== "move" || !moveInput.stepsFrom(point).length) return;
    if (moveInput.picked !== point) moveInput.press(point, false);
    dragged = pieces.get(point);
  };

  const drag = (spot) => {
    if (!dragged) return;
    setSpot(dragged.element, spot);
    hover(spot.point);
  };

  const drop = (from, point, touch) => {
    // A drag that ends where it began is a press.
    if (!dragged && from === point) press(point, touch);
    if (!dragged) return;
    setSpot(dragged.element, place(from));
    dragged = null;
    const step = moveInput.targets.find(({ to }) => to === point);
    if (step) moveInput.do(step, true);
  };

  const handleAt = ({ x, y }) => {
    if (moveInput.kind !== "row" || !board.roomForHandles) return null;
    const near = ({ points }) => Math.hypot(handleSpot(points).x - x, handleSpot(points).y - y) < HANDLE_REACH;
    return moveInput.choices.find(near) ?? null;
  };

  const pointAt = (other) => {
    if (other === row) return;
    row = other;
    if (!still()) redraw();
  };

  // Pointing at a target previews the move.
  const hover = (point) => {
    if (still()) return;
    const can = point && moveInput.open && moveInput.pressable.has(point);
    board.root.classList.toggle("can-press", Boolean(can || row));
    let step = null;
    if (point && moveInput.kind === "place") step = moveInput.now.steps.find(({ to }) => to === point);
    else if (point) step = moveInput.targets.find(({ to }) => to === point);
    marks.showHover(step ?? null, moveInput.side);
  };

  const on = (name, act) => pointer.addEventListener(name, ({ detail }) => act(detail));
  on("hover", (spot) => {
    pointAt(handleAt(spot));
    hover(spot.point);
  });
  on("leave", () => {
    pointAt(null);
    hover(null);
  });
  on("press", pressed);
  on("dragstart", ({ point }) => lift(point));
  on("drag", drag);
  on("drop", ({ from, point, touch }) => drop(from, point, touch));
  points.addEventListener("focus", ({ detail }) => hover(detail));
  moveInput.addEventListener("step", () => (did = false)); // with a button, if pressed does not say otherwise
  return {
    /**
     * Shows what can be entered next: targets, rings and rows on the board, and the descriptions
     * of the points.
     * @param {Object<string, string>} shown the pieces by point, for the descriptions
    */
    drawHints(shown) {
      points.describe(shown, hints(moveInput));
      marks.showHover(null);
      marks.showTargets(moveInput.targets.map((step) => step.to));
      const rings = moveInput.kind === "move" || moveInput.kind === "ring" ? moveInput.candidates : [];
      const moves = moveInput.picked && moveInput.kind === "move" ? [moveInput.picked] : rings;
      marks.showRings(moves, moveInput.picked, moveInput.kind === "ring");
      const rows = { all: moveInput.now?.steps, choices: moveInput.choices, shown: row ?? moveInput.shownRow, chosen: moveInput.chosen, handles: board.roomForHandles };
      marks.showRows(moveInput.kind === "row" ? rows : null);
    },
  };
}
