// The board on the page: plate, pieces, marks, arrows, buttons and pointer in
// their layers. It draws what it is told and reports what the user does; it
// knows nothing of games.

import { svg } from "../dom.js";
import { EDGE, U } from "./geometry.js";
import { Arrows } from "./arrows.js";
import { material } from "./material.js";
import { Marks } from "./marks.js";
import { Motion } from "./motion.js";
import { Pieces } from "./pieces.js";
import { drawPlate, drawTrays, scaleLabels } from "./plate.js";
import { Pointer } from "./pointer.js";
import { Points } from "./points.js";

// Below so many CSS pixels between points a finger cannot hit a handle.
const HANDLES_FROM = 36;

/** The board and its layers. */
export class Board {
  #drawing;
  #trays;
  #traysFor = 0;
  #width = 0;

  /**
   * @param {HTMLElement} root an empty element, kept square by its style
   * @param {Object} how
   * @param {() => boolean} how.motion whether turns are shown in motion
   * @param {(act: Object) => void} [how.heard] called with each act that is shown
   */
  constructor(root, { motion, heard = () => {} }) {
    const layer = () => svg("g");
    const plate = layer();
    this.#trays = layer();
    const [under, pieces, over, arrows] = [layer(), layer(), layer(), layer()];
    const view = `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`;
    const turning = svg("g", { class: "turning" }, plate, this.#trays, under, pieces, over, arrows);
    this.#drawing = svg("svg", { viewBox: view, "aria-hidden": "true", focusable: "false" }, material(), turning);
    root.append(this.#drawing);
    drawPlate(plate);
    this.root = root;
    this.pieces = new Pieces(pieces);
    this.motion = new Motion(this.pieces, motion, heard);
    this.marks = new Marks(under, over);
    this.arrows = new Arrows(arrows);
    this.points = new Points(root);
    this.pointer = new Pointer(root);
    this.showTrays(3);
    new ResizeObserver(() => this.#resized()).observe(root);
    this.#resized();
  }

  /** Whether there is room for the handles of rows. */
  get roomForHandles() {
    return (this.#width * U) / (2 * EDGE) >= HANDLES_FROM;
  }

  /**
   * Sets how many rings win, which is how many places there are for them.
   * @param {number} count
   */
  showTrays(count) {
    if (count === this.#traysFor) return;
    this.#traysFor = count;
    drawTrays(this.#trays, count);
  }

  /** Whether the board is turned round: Black's side is below. */
  get turned() {
    return this.root.classList.contains("turned");
  }

  /**
   * Turns the board round, or back. The light stays where it is.
   * @param {boolean} turned
   */
  turn(turned) {
    this.root.classList.toggle("turned", turned);
    this.points.turn(turned);
    this.pointer.turned = turned;
  }

  #resized() {
    this.#width = this.root.clientWidth || 600;
    scaleLabels(this.#drawing, this.#width);
  }
}
