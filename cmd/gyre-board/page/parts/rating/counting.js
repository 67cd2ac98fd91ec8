// Which games count for the rating of a person: whole ones against a level that has a
// rating, without help.

import { addResults, forgetResult } from "./results.js";
import { helpOf, isContest, noteHelp } from "../../game/help.js";
import { winnerOf } from "../../game/play.js";

/** The option by which an engine plays at a level's rating. */
const ELO_OPTION = "uci_elo";

/**
 * Follows the open game, and counts it when it ends. Fires "change" when there may be another
 * result, or another reason against one.
 */
export class Counting extends EventTarget {
  #page;
  #kept;
  /** The game that is open, where it stood last, and whether it goes on. */
  #seen = { game: null, live: null, running: false };
  /** The game that counts, but ended only because somebody resigned, if any. */
  #resigned = null;
  /** Results are stored one after the other. */
  #storing = Promise.resolve();
  /** Whether engines keep to a level's rating, as far as they were asked. @type {Map<string, boolean>} */
  #rated = new Map();

  /**
   * @param {import("../../_types/page").Page} page
   * @param {{addResults: typeof addResults, forgetResult: typeof forgetResult}} [kept] where results go
   */
  constructor(page, kept = { addResults, forgetResult }) {
    super();
    [this.#page, this.#kept] = [page, kept];
    const { controller, play } = page;
    controller.addEventListener("live", () => this.#went());
    controller.addEventListener("playing", () => this.#paused());
    controller.addEventListener("tree", () => this.#looked());
    for (const name of ["thinking", "ended"]) play.addEventListener(name, () => this.#look());
  }

  /**
   * Follows a game from where it stood: it may have gone on since.
   * @param {import("../../game/game.js").Game} game
   * @param {import("../../game/tree.js").TurnNode} live
   */
  follow(game, live) {
    if (game === this.#seen.game || game !== this.#page.controller.game) return;
    this.#seen = { game, live: game.live, running: game.playing || live !== game.live };
    if (!game.live.comesAfter(live)) noteHelp(this.#page.controller, "take-backs");
    this.#looked();
    this.#look();
  }

  /**
   * Why a game does not count, in words; "" if it does.
   * @param {import("../../game/game.js").Game} game
   * @returns {Promise<string>}
   */
  async whyNot(game) {
    const { engine, level } = opponentOf(game);
    const help = helpOf(game);
    if (help.length) return `it had ${help.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
    if (game.rules !== "standard") return "the levels are rated by the standard rules";
    if (game.start !== "startpos") return "it did not begin with an empty board";
    if (!this.#eloOf(game)) return `${level || "full strength"} has no rating`;
    const keeps = await this.#keepsToRatings(engine);
    if (keeps === undefined) return `${engine} cannot be asked now whether it keeps to the ratings of levels`;
    return keeps ? "" : `${engine} does not keep to the ratings of levels`;
  }

  #eloOf(game) {
    return this.#page.link.hello?.levels.find(({ name }) => name === opponentOf(game).level)?.elo ?? 0;
  }

  // Undefined where the engine cannot tell.
  async #keepsToRatings(engine) {
    if (!this.#rated.has(engine)) {
      const answer = await this.#page.searches.describe(engine).catch(() => null);
      if (!answer) return undefined;
      this.#rated.set(engine, Boolean(answer.options?.some(({ name }) => name.toLowerCase() === ELO_OPTION)));
    }
    return this.#rated.get(engine);
  }

  // A game goes on turn by turn; where it goes on from elsewhere, something was taken back.
  #went() {
    const { controller } = this.#page;
    const { game } = controller;
    if (game !== this.#seen.game) {
      this.#seen = { game, live: game.live, running: game.playing };
      return;
    }
    const { live } = this.#seen;
    this.#seen.live = game.live;
    this.#seen.running ||= game.playing;
    if (game.live === live) this.#goesOn(game);
    else if (game.live.parent !== live) noteHelp(controller, "take-backs");
    else if (!game.playing && !game.live.end) noteHelp(controller, "pauses");
    this.#looked();
    // At the end the engine may be gone.
    if (isContest(game)) this.#keepsToRatings(opponentOf(game).engine);
  }

  // Who resigned may take that back.
  #goesOn(game) {
    if (this.#resigned !== game || game.live.end) return;
    this.#resigned = null;
    this.#store(() => this.#kept.forgetResult(game.id));
  }

  #paused() {
    const { controller, play } = this.#page;
    const { game } = controller;
    if (game === this.#seen.game && this.#seen.running && !game.playing && !play.over) noteHelp(controller, "pauses");
  }

  // Who looks at what an engine or a table says of the game has help.
  #looked() {
    const { controller, analysis } = this.#page;
    if (!this.#seen.running || controller.game !== this.#seen.game) return;
    if (analysis.on) noteHelp(controller, "the analysis");
    if (document.getElementById("explorer")?.checkVisibility?.()) noteHelp(controller, "the openings");
  }

  #look() {
    const { controller, play } = this.#page;
    const { game } = controller;
    if (game !== this.#seen.game || !this.#seen.running || !play.view || !play.over) return;
    this.#seen.running = false;
    if (isContest(game)) this.#count(game, play.view.removed);
  }

  async #count(game, removed) {
    if (!(await this.whyNot(game))) {
      const opponent = game.nameOf(personOf(game) === "w" ? "b" : "w");
      const result = { game: game.id, at: Date.now(), opponent, elo: this.#eloOf(game), score: scoreOf(game, removed) };
      this.#resigned = game.live.end?.why === "resignation" ? game : null;
      await this.#store(() => this.#kept.addResults([result]));
    }
    this.dispatchEvent(new Event("change"));
  }

  async #store(act) {
    this.#storing = this.#storing.then(act).catch((error) => {
      this.#page.notices.show("rating", `The browser cannot keep the result for your rating now (${error.message}).`);
    });
    await this.#storing;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * The side of the person in a game against an engine.
 * @param {import("../../game/game.js").Game} game
 * @returns {"w"|"b"}
 */
export function personOf({ players }) {
  return players.w.kind === "person" ? "w" : "b";
}

function opponentOf(game) {
  return game.players[personOf(game) === "w" ? "b" : "w"];
}

/**
 * The person's points in a game that is over.
 * @param {import("../../game/game.js").Game} game
 * @param {[number, number]} removed rings that White and Black have taken off
 * @returns {0|0.5|1}
 */
export function scoreOf(game, removed) {
  const winner = winnerOf(game.live.end, removed);
  if (winner !== "w" && winner !== "b") return 0.5;
  return winner === personOf(game) ? 1 : 0;
}
