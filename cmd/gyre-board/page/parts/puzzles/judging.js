// What an engine says of a turn that is not the solution's.

import { chance } from "../../scores.js";
import { judge } from "../review/judge.js";

const NODES = 20000;

/** Asks an engine about one turn at a time. */
export class Judging {
  #page;
  #giveBack = () => {};
  /** @type {ReturnType<typeof judge>|null} */
  #judged = null;

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
  async begin(game, turn, told) {
    const { analysis, controller, searches } = this.#page;
    this.stop();
    const [engine] = analysis.engines;
    this.#giveBack = analysis.lend(engine);
    const judged = judge(searches, engine, controller.reply.views[controller.node.ply - 1], turn, NODES, game.id);
    this.#judged = judged;
    const verdict = await judged.verdict;
    if (judged !== this.#judged) return;
    this.stop();
    told(verdict);
  }

  /** Ends asking. */
  stop() {
    if (!this.#judged) return;
    this.#judged.stop();
    this.#judged = null;
    this.#giveBack();
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
