// The threat: what the other side would do if it were his turn.

import { arrowsOf } from "../board/arrows.js";
import { byId, setText } from "../dom.js";
import { SIDES, other } from "../game/game.js";
import { forWhite, scoreText } from "../scores.js";
import { optionsOf } from "./engineoptions.js";

const THINK_MS = 800;

/** The button and what it shows. */
export class Threat {
  #controller;
  #searches;
  #board;
  #analysis;
  #say;
  #search = null;
  #giveBack = () => {};

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../link/searches.js").Searches} parts.searches
   * @param {import("../board/board.js").Board} parts.board
   * @param {import("./analysis.js").Analysis} parts.analysis
   * @param {(text: string) => void} parts.say
   */
  constructor({ controller, searches, board, analysis, say }) {
    [this.#controller, this.#searches, this.#board, this.#analysis, this.#say] = [controller, searches, board, analysis, say];
    byId("threat").addEventListener("click", () => this.toggle());
    controller.addEventListener("position", () => this.hide());
    controller.addEventListener("game", () => this.hide());
  }

  /** Shows the threat, or hides it. */
  toggle() {
    if (byId("threat").getAttribute("aria-pressed") === "true") return this.hide();
    if (!this.#analysis.on) this.#analysis.toggle();
    const { game, node, view } = this.#controller;
    if (!view) return undefined;
    byId("threat").setAttribute("aria-pressed", "true");
    showThreat("Looking for the threat…");
    const [engine] = this.#analysis.engines;
    this.#giveBack = this.#analysis.lend(engine);
    let score = null;
    const fields = { engine, path: game.path(node), limits: { movetime: THINK_MS }, multipv: 1, options: optionsOf(engine), level: null, game: game.id };
    this.#search = this.#searches.begin("threat", fields, {
      info: (lines) => (score = lines[0]?.score ?? score),
      best: ({ turn }) => this.#found(turn, score, other(view.side)),
      failed: (reason) => this.#tell(reason),
    });
    return undefined;
  }

  /** Hides the threat. */
  hide() {
    byId("threat").setAttribute("aria-pressed", "false");
    this.#search?.stop();
    this.#release();
    this.#board.arrows.show("threat", []);
    showThreat("");
  }

  #found(turn, score, side) {
    if (!turn) return this.#tell("There is no threat.");
    this.#board.arrows.show("threat", arrowsOf(turn));
    const worth = score ? `, ${scoreText(forWhite(score, side))}` : "";
    return this.#tell(`${SIDES[side]} threatens ${turn}${worth}.`);
  }

  #tell(text) {
    showThreat(text);
    this.#say(text);
    this.#release();
  }

  #release() {
    this.#search = null;
    this.#giveBack();
  }
}

// A threat in words, under the lines; empty to hide it.
function showThreat(text) {
  const line = byId("threat-text");
  line.hidden = !text;
  setText(line, text);
}
