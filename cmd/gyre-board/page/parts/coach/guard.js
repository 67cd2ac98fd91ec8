// The coach that asks before a blunder is played. It looks for a moment only: where the
// engine does not answer, the turn is played.

import { chance } from "../../scores.js";
import { noteHelp, isContest } from "../rating/help.js";
import { judge } from "../review/judge.js";

/** Positions that the engine looks at before the turn, and as many after it. */
const NODES = 30_000;

/** How long the engine may take. */
const PATIENCE_MS = 4000;

/** @typedef {import("../../_types/messages").VerdictView} Verdict */

/** Asks about one turn at a time. */
export class Guard {
  #page;
  #box;
  #patience;
  /** What ends the question that is open: the turn is not to be played. */
  #leave = () => {};

  /**
   * @param {import("../../_types/page").Page} page
   * @param {import("./box.js").Box} box
   * @param {number} [patience] milliseconds
   */
  constructor(page, box, patience = PATIENCE_MS) {
    [this.#page, this.#box, this.#patience] = [page, box, patience];
    for (const name of ["game", "position", "live", "playing"]) page.controller.addEventListener(name, () => this.#leave());
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  /**
   * Whether a turn that was entered is to be played. It is asked about if it is a blunder in
   * a game against an engine.
   * @param {string} turn
   * @returns {Promise<boolean>}
   */
  async mayPlay(turn) {
    const { controller } = this.#page;
    const { game } = controller;
    if (!isContest(game) || !game.playing || !controller.atLive) return true;
    noteHelp(controller, "the coach");
    let left = false;
    const gone = new Promise((resolve) => {
      this.#leave = () => resolve((left = true) && null);
    });
    const verdict = await this.#judged(turn, gone);
    if (left || verdict?.label !== "blunder") return !left;
    const path = game.path(controller.node);
    const why = this.#page.rules.why({ ...path, turns: [...path.turns, turn] }, verdict.best[0]).catch(() => null);
    const reasons = await this.#inTime(Promise.race([why, gone]));
    return !left && this.#ask(blunderText(turn, verdict, reasons?.against ?? []));
  }

  // What the engine finds, or null where it does not in time.
  async #judged(turn, gone) {
    const { analysis, controller, searches } = this.#page;
    const { game, view } = controller;
    const { engine } = game.players[view.side === "w" ? "b" : "w"];
    const giveBack = analysis.lend(engine);
    const judged = judge(searches, engine, view, turn, NODES, game.id);
    try {
      return await this.#inTime(Promise.race([judged.verdict, gone]));
    } finally {
      judged.stop();
      giveBack();
    }
  }

  /**
   * @template Any
   * @param {Promise<Any>} promised
   * @returns {Promise<Any|null>}
   */
  #inTime(promised) {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(() => resolve(null), this.#patience)));
    return Promise.race([promised, late]).finally(() => clearTimeout(timer));
  }

  #ask(text) {
    return new Promise((resolve) => {
      const answer = (plays) => {
        this.#leave = () => {};
        this.#box.hide();
        this.#page.board.points.focus();
        resolve(plays);
      };
      this.#leave = () => answer(false);
      this.#box.show(text, [
        { id: "coach-back", name: "Take it back", act: () => answer(false), main: true },
        { id: "coach-play", name: "Play it all the same", act: () => answer(true) },
      ]);
      this.#box.focus();
    });
  }

  #key(event) {
    if (event.key !== "Escape" || !this.#box.asks) return;
    event.preventDefault();
    this.#leave();
  }
}

/**
 * What is said of a blunder.
 * @param {string} turn
 * @param {Pick<Verdict, "before"|"after">} verdict scores of the side that plays it
 * @param {string[]} reasons sentences
 */
export function blunderText(turn, { before, after }, reasons) {
  const [was, is] = [before, after].map((score) => Math.round(100 * chance(score)));
  return [`${turn} gives away ${was - is} %: your chances fall from ${was} % to ${is} %.`, ...reasons, "Play it all the same?"].join(" ");
}
