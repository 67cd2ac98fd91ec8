// What an engine says of a turn that is not the solution's.

import { chance } from "../../scores.js";

const NODES = 20000;

/** Asks an engine about one turn at a time. */
export class Judging {
  #page;
  #search = null;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
  }

  /**
   * Asks about the turn that led to the position shown.
   * @param {import("../../game/game.js").Game} game
   * @param {string} turn
   * @param {(verdict: import("../../_types/messages").VerdictView|null) => void} told null
   * where the engine fails
   */
  begin(game, turn, told) {
    const { analysis, controller, searches } = this.#page;
    const engine = analysis.engines[0];
    // The review judges one turn: all before it are in its start.
    const path = { rules: game.rules, start: controller.reply.views[controller.node.ply - 1].position, turns: [turn] };
    this.stop();
    analysis.busy.add(engine);
    analysis.restart();
    this.#search = searches.begin("review", { engine, path, nodes: NODES, game: game.id }, {
      review: (event) => told(event.turn),
      reviewed: () => this.stop(),
      failed: () => {
        this.stop();
        told(null);
      },
    });
  }

  /** Ends asking. */
  stop() {
    if (!this.#search) return;
    const { analysis } = this.#page;
    this.#search.stop();
    analysis.busy.delete(this.#search.engine);
    this.#search = null;
    analysis.restart();
  }
}

/**
 * What a wrong turn throws away, in words.
 * @param {string} turn
 * @param {import("../../_types/messages").VerdictView|null} verdict
 * @param {import("./progress.js").Puzzle} puzzle
 */
export function lossWords(turn, verdict, { mate }) {
  const { before, after } = verdict ?? {};
  if (!before || !after) return `${turn} is not it.`;
  const [was, is] = [before, after].map((score) => Math.round(100 * chance(score)));
  if (is === 100 && mate) return `${turn} wins too, but not as soon.`;
  if ("mate" in after && after.mate < 0) return `${turn} loses: the other side then wins in ${-after.mate}.`;
  if (was - is < 1) return `${turn} is not it, though a short search thinks well of it.`;
  return `${turn} throws ${was - is} % away: the chances fall from ${was} % to ${is} %.`;
}
