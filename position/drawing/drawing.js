// The drawing of a board: plate, trays, marks, pieces and arrows in layers.

import { EDGE } from "./geometry.js";
import { Arrows, Marks } from "./marks.js";
import { Pieces } from "./pieces.js";
import { drawPlate, drawTrays, material, scaleLabels } from "./plate.js";
import { svg } from "./svg.js";

/** A drawing of a board. The style sheet is board.css. */
export class Drawing {
  #trays = svg("g");
  #traysFor = 0;

  constructor() {
    const layer = () => svg("g");
    const [plate, under, pieces, over, arrows] = [layer(), layer(), layer(), layer(), layer()];
    drawPlate(plate);
    plate.append(this.#trays);
    this.pieces = new Pieces(pieces);
    this.marks = new Marks(under, over);
    this.arrows = new Arrows(arrows);
    this.element = svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}` },
      material(), svg("g", { class: "turning" }, plate, under, pieces, over, arrows));
    this.showTrays(3);
  }

  /**
   * Sets how many rings win, and so how many trays each side has.
   * @param {number} count
  */
  showTrays(count) {
    if (count === this.#traysFor) return;
    this.#traysFor = count;
    drawTrays(this.#trays, count);
  }

  /**
   * Keeps the labels readable.
   * @param {number} width of the board on the screen, in CSS pixels
  */
  fit(width) {
    scaleLabels(this.element, width);
  }
}
