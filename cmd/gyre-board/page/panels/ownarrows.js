// Arrows that the user draws, with the right button or the keyboard. They belong
// to the position they were drawn on; the same arrow again takes it away.

/** The user's arrows. */
export class OwnArrows {
  #controller;
  #board;
  #say;
  #begun = null;

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../board/board.js").Board} parts.board
   * @param {(text: string) => void} parts.say
   */
  constructor({ controller, board, say }) {
    [this.#controller, this.#board, this.#say] = [controller, board, say];
    board.pointer.addEventListener("arrow", ({ detail }) => this.#toggle(detail.from, detail.to));
    controller.addEventListener("position", () => this.#draw());
  }

  /**
   * Begins an arrow at a point, or ends the one begun there; without a point all
   * arrows go.
   * @param {string|null} point
   */
  at(point) {
    if (!point) {
      this.#controller.node.arrows = [];
      this.#begun = null;
      this.#draw();
      this.#controller.changed();
    } else if (this.#begun) {
      this.#toggle(this.#begun, point);
      this.#begun = null;
    } else {
      this.#begun = point;
      this.#say(`Arrow from ${point}: go to its end and press d again.`);
    }
  }

  #toggle(from, to) {
    const { node } = this.#controller;
    const others = node.arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
    const added = others.length === node.arrows.length;
    node.arrows = added ? [...others, { from, to }] : others;
    this.#say(`Arrow ${from} to ${to} ${added ? "drawn" : "removed"}.`);
    this.#draw();
    this.#controller.changed();
  }

  #draw() {
    this.#board.arrows.show("own", this.#controller.node.arrows);
  }
}
