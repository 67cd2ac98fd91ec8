// The two bars above and below the board: who plays, whose turn it is, rings
// won, markers left, and the clock.

import { byId, html, setText } from "../dom.js";
import { clockText } from "../game/clock.js";
import { SIDES } from "../game/game.js";

const LOW_MS = 20000;

/** Draws both bars and keeps them right. */
export class Players {
  #controller;
  #play;
  #clocks;
  #entry;
  #bars = {};

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../game/play.js").Play} parts.play
   * @param {import("../game/clock.js").Clocks} parts.clocks
   * @param {import("../board/entry.js").Entry} parts.entry
   * @param {import("../game/table.js").Table} parts.table
   */
  constructor({ controller, play, clocks, entry, table }) {
    [this.#controller, this.#play, this.#clocks, this.#entry] = [controller, play, clocks, entry];
    for (const side of ["w", "b"]) {
      const who = html("span", { className: "who", "data-testid": `name-${side}` });
      const won = html("span", { className: "won", "data-testid": `won-${side}` });
      const clock = html("span", { className: "clock", role: "timer", "data-testid": `clock-${side}`, hidden: true });
      const root = byId(`player-${side}`);
      root.append(html("span", { className: `disc ${side}`, "aria-hidden": "true" }), who, won, clock);
      this.#bars[side] = { root, who, won, clock };
    }
    table.addEventListener("change", () => this.#draw());
    clocks.addEventListener("tick", () => this.#drawClocks());
  }

  #draw() {
    const { game } = this.#controller;
    // In the middle of a turn, what it has done so far counts.
    const view = this.#entry.now?.view ?? this.#controller.view;
    if (!game || !view) return;
    const need = game.rules === "blitz" ? 1 : 3;
    for (const side of ["w", "b"]) {
      const { root, who, won } = this.#bars[side];
      root.classList.toggle("to-move", !view.over && !this.#controller.node.end && view.side === side);
      const thinks = this.#play.thinking === side ? " · thinking…" : "";
      const name = game.nameOf(side);
      setText(who, name ? `${SIDES[side]}: ${name}${thinks}` : SIDES[side]);
      const rings = view.removed[side === "w" ? 0 : 1];
      setText(won, `${rings} of ${need} ${need === 1 ? "ring" : "rings"} won`);
    }
    setText(byId("pool"), String(view.pool));
    this.#drawClocks();
  }

  // Looking at an earlier turn shows what the clocks said then.
  #drawClocks() {
    const { game, node, atLive } = this.#controller;
    const left = (atLive || game?.playing ? this.#clocks.left : null) ?? node?.clock;
    for (const side of ["w", "b"]) {
      const { clock } = this.#bars[side];
      clock.hidden = !left;
      if (!left) continue;
      setText(clock, clockText(left[side]));
      clock.setAttribute("aria-label", `${SIDES[side]}'s clock ${clockText(left[side])}`);
      clock.classList.toggle("runs", this.#clocks.running === side);
      clock.classList.toggle("low", left[side] < LOW_MS && this.#clocks.running !== side);
    }
  }
}
