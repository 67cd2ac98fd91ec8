// The panel at the end of a game: the result, the rings of both, the graph of the
// score, and what one may want to do next.

import { byId, html, setText } from "../dom.js";
import { Game, SIDES } from "../game/game.js";
import { winnerOf } from "../game/play.js";
import { plural } from "../scores.js";
import { drawRings } from "./players.js";
import { endWords } from "./prompt.js";

/** Shows its tab while the game is over, and itself when that happens. */
export class Ending {
  #controller;
  #play;
  #tabs;
  #levels = [];
  /** The game that was looked at last, and whether it was over. */
  #seen = { game: null, over: false };
  #rings = { w: html("span", { className: "won" }), b: html("span", { className: "won" }) };

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../game/play.js").Play} parts.play
   * @param {import("../game/table.js").Table} parts.table
   * @param {import("./tabs.js").Tabs} parts.tabs
   * @param {() => void} parts.review has the game reviewed
   */
  constructor({ controller, play, table, tabs, review }) {
    [this.#controller, this.#play, this.#tabs] = [controller, play, tabs];
    for (const side of ["w", "b"]) {
      byId("end-rings").append(html("p", { className: side }, html("span", { className: `disc ${side}`, "aria-hidden": "true" }), html("span", { className: "who" }), this.#rings[side]));
    }
    table.addEventListener("change", () => this.#draw());
    play.addEventListener("thinking", () => this.#draw());
    byId("end-review").addEventListener("click", () => {
      tabs.show("review");
      review();
    });
    byId("end-rematch").addEventListener("click", () => this.#begin((players) => players));
    byId("end-other").addEventListener("click", () => this.#begin(({ w, b }) => ({ w: b, b: w })));
    byId("end-level").addEventListener("click", () => this.#begin((players) => this.#harder(players)));
  }

  /**
   * Tells which levels there are.
   * @param {Array<{name: string}>} levels weakest first
   */
  offer(levels) {
    this.#levels = levels;
    this.#draw();
  }

  #begin(change) {
    const { rules, players, clock, moveTime, start } = this.#controller.game;
    this.#controller.open(new Game({ rules, players: change(players), clock, moveTime, start }));
  }

  // The level after that of a player, if he is an engine and has one.
  #nextLevel({ kind, level }) {
    const at = this.#levels.findIndex(({ name }) => name === level);
    return kind === "engine" && at >= 0 ? this.#levels[at + 1]?.name : undefined;
  }

  #harder(players) {
    const raised = (player) => ({ ...player, level: this.#nextLevel(player) ?? player.level });
    return { w: raised(players.w), b: raised(players.b) };
  }

  #draw() {
    const { game } = this.#controller;
    const { view } = this.#play;
    if (!game || !view) return;
    const over = this.#play.over;
    const ended = over && this.#seen.game === game && !this.#seen.over;
    this.#seen = { game, over };
    this.#tabs.offer("end", over);
    if (!over) return;
    if (ended && !game.passing) this.#tabs.show("end");
    setText(byId("end-result"), resultWords(game.live.end, view.removed));
    setText(byId("end-facts"), factsOf(game, view));
    const winner = winnerOf(game.live.end, view.removed);
    byId("end-disc").className = winner && `disc ${winner}`;
    for (const side of /** @type {const} */ (["w", "b"])) {
      this.#rings[side].parentElement.classList.toggle("winner", side === winner);
      setText(this.#rings[side].previousElementSibling, game.nameOf(side) || SIDES[side]);
      drawRings(this.#rings[side], view.removed[side === "w" ? 0 : 1], game.rules === "blitz" ? 1 : 3);
    }
    this.#drawActions(game);
  }

  #drawActions({ players, hasEngine }) {
    const { w, b } = players;
    const next = w.kind !== b.kind ? this.#nextLevel(w.kind === "engine" ? w : b) : undefined;
    byId("end-level").hidden = !next;
    setText(byId("end-level"), `Next level: ${next}`);
    byId("end-other").hidden = !hasEngine;
    setText(byId("end-other"), w.kind === b.kind ? "Other sides" : "Other side");
  }
}

// How long the game was, and by which rules.
function factsOf({ live, rules }, { pool }) {
  return `${plural(live.ply, "turn")} · ${plural(pool, "marker")} left · ${rules} rules`;
}

// Who has won, in words: by the end that the board does not show, or by the rings.
function resultWords(end, [white, black]) {
  if (end) return endWords(end);
  if (white === black) return `A draw, ${white} to ${black}.`;
  return `${white > black ? SIDES.w : SIDES.b} wins, ${Math.max(white, black)} to ${Math.min(white, black)}.`;
}
