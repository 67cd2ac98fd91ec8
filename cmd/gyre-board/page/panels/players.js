// The two players, side by side: who plays, whose turn it is, rings won, and the
// clock; and the markers left.

import { byId, html, setText } from "../dom.js";
import { clockText } from "../game/clock.js";
import { SIDES } from "../game/game.js";
import { plural } from "../scores.js";

const LOW_MS = 20000;

/** Draws both players and keeps them right. */
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
      const won = html("span", { className: "pips", "data-testid": `won-${side}` });
      const clock = html("span", { className: "clock", role: "timer", "data-testid": `clock-${side}`, hidden: true });
      const root = byId(`player-${side}`);
      setText(who, SIDES[side]);
      const thinks = html("span", { className: "thinks", hidden: true }, "thinking…");
      root.append(html("span", { className: `disc ${side}`, "aria-hidden": "true" }), who, html("span", { className: "won" }, won, thinks), clock);
      this.#bars[side] = { root, who, won, thinks, clock };
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
      const { root, who, won, thinks } = this.#bars[side];
      root.classList.toggle("to-move", !view.over && !this.#controller.node.end && view.side === side);
      drawName(who, SIDES[side], game.nameOf(side));
      const rings = view.removed[side === "w" ? 0 : 1];
      drawRings(won, rings, need);
      thinks.hidden = this.#play.thinking !== side;
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

// Beside a name the disc tells the side; on a phone an engine's level is enough.
function drawName(root, side, name) {
  const text = name ? `${side}: ${name}` : side;
  if (root.textContent === text) return;
  const [engine, level] = name.split(", ");
  const short = level ? [html("span", { className: "engine-name" }, `${engine}, `), level] : [name];
  root.replaceChildren(...(name ? [html("span", { className: "unseen" }, `${side}: `), ...short] : [side]));
}

/**
 * Draws the rings that a side has won, and the places of those it still needs.
 * @param {HTMLElement} root
 * @param {number} rings
 * @param {number} need how many win
 */
export function drawRings(root, rings, need) {
  const text = `${rings} of ${plural(need, "ring")} won`;
  if (root.textContent === text) return;
  const pips = Array.from({ length: need }, (_, i) => html("span", { className: i < rings ? "pip got" : "pip", "aria-hidden": "true" }));
  root.replaceChildren(...pips, html("span", { className: "unseen" }, text));
  root.title = text;
}
