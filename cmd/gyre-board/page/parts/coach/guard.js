// The coach that asks before a blunder is played. A turn never waits for an engine that is
// not there; and whoever does not want to wait need not.

import { dialogOpen } from "../../panels/dialogs.js";
import { chance } from "../../scores.js";
import { noteHelp, isContest } from "../../game/help.js";
import { judge } from "../review/judge.js";

/** Positions that the engine looks at before the turn, and as many after it. */
const NODES = 30_000;

/** When it is told that the coach is looking, so that nobody has to wait for it. */
const TOLD_AFTER_MS = 600;

/** @typedef {import("../../_types/messages").VerdictView} Verdict */

const nothing = () => {};

/** Asks about one turn at a time. */
export class Guard {
  #page;
  #box;
  #toldAfter;
  /** What ends the question that is open, or is being looked into: the turn is not to be played. */
  #leave = nothing;

  /**
   * @param {import("../../_types/page").Page} page
   * @param {import("./box.js").Box} box
   * @param {number} [toldAfter] milliseconds
   */
  constructor(page, box, toldAfter = TOLD_AFTER_MS) {
    [this.#page, this.#box, this.#toldAfter] = [page, box, toldAfter];
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
    const { controller, link } = this.#page;
    const { game } = controller;
    if (!isContest(game) || !game.playing || !controller.atLive) return true;
    noteHelp(controller, "the coach");
    if (!link.connected) return true;
    let left = false;
    const found = await this.#unlessSkipped(turn, this.#find(turn), (leave) => {
      this.#leave = () => leave((left = true) && null);
    });
    this.#leave = nothing;
    if (left || !found) return !left;
    return this.#ask(blunderText(turn, found.verdict, found.reasons));
  }

  // What comes of a promise; or null where the player does not want to wait for it, the
  // connection is lost, or something else has come onto the board.
  async #unlessSkipped(turn, found, leaving) {
    const { link } = this.#page;
    const ended = new AbortController();
    const skipped = new Promise((resolve) => {
      leaving(resolve);
      link.addEventListener("lost", () => resolve(null), { signal: ended.signal });
      const timer = setTimeout(() => {
        this.#box.show(`The coach looks at ${turn}…`, [{ id: "coach-skip", name: "Play it now", act: () => resolve(null) }]);
      }, this.#toldAfter);
      ended.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    const first = await Promise.race([found.promise, skipped]);
    ended.abort();
    found.stop();
    this.#box.hide();
    return first;
  }

  // Finds whether a turn is a blunder, and the reasons; null where it is none, or the engine
  // cannot tell.
  #find(turn) {
    const { analysis, controller, rules, searches } = this.#page;
    const { game, node, view } = controller;
    const { engine } = game.players[view.side === "w" ? "b" : "w"];
    const giveBack = analysis.lend(engine);
    const judged = judge(searches, engine, view, turn, NODES, game.id);
    const find = async () => {
      const verdict = await judged.verdict;
      if (verdict?.label !== "blunder") return null;
      const path = game.path(node);
      const why = await rules.why({ ...path, turns: [...path.turns, turn] }, verdict.best[0]).catch(() => null);
      return { verdict, reasons: why?.against ?? [] };
    };
    const stop = () => {
      judged.stop();
      giveBack();
    };
    return { promise: find(), stop };
  }

  #ask(text) {
    return new Promise((resolve) => {
      const answer = (plays) => {
        this.#leave = nothing;
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

  // A dialog over the board has Escape for itself.
  #key(event) {
    if (event.key !== "Escape" || this.#leave === nothing || dialogOpen()) return;
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
