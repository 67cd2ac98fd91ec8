// The running game of a match on the board. It follows the turns, and then the next game, unless
// the user opens another game meanwhile.

import { Game } from "../../game/game.js";
import { gameId, nameOf, sidesOf } from "./matches.js";

/** How long the end of a game stays on the board. */
const END_STAYS_MS = 3000;

/** Shows the games of a running match on the board. */
export class LiveGame {
  #page;
  #running;
  /** The game on the board, or the last one that was. @type {Game|null} */
  #game = null;
  /** Its turns so far, of which the board may not show the last ones yet. @type {string[]} */
  #turns = [];
  /** The running game. @type {{id: string, match: import("./matches.js").Match, number: number, turns: string[]}|null} */
  #newest = null;
  /** Whether the running game must be opened. */
  #wanted = false;
  /** Whether all games are played. */
  #over = false;
  #stay = 0;
  #followed = Promise.resolve();

  /**
   * @param {import("../../_types/page").Page} page
   * @param {import("./matches.js").MatchRunner} running
  */
  constructor(page, running) {
    [this.#page, this.#running] = [page, running];
    running.addEventListener("change", () => this.#follow());
    running.addEventListener("end", ({ detail: { match } }) => {
      this.#over = this.#newest?.match === match && match.results.length >= match.games;
      this.#soon(() => (this.#over ? this.#show() : this.#end()));
    });
  }

  /** Whether the board shows the running game, or the last one while it was running. */
  get shown() {
    return this.#game !== null && this.#page.state.game === this.#game;
  }

  /** Shows the running game and those after it. */
  watch() {
    if (this.shown) this.#page.controller.go(this.#game.live);
    this.#wanted = true;
    this.#follow();
  }

  #follow() {
    const { match, game } = this.#running;
    if (!match || !game.number) return;
    this.#over = false;
    this.#newest = { ...game, match, id: `${gameId(match, game.number)}-live` };
    if (this.#isNewest) this.#turns = game.turns;
    this.#soon(() => this.#show());
  }

  #soon(act) {
    this.#followed = this.#followed.then(act);
  }

  // A match that was stopped begins its last game again.
  get #isNewest() {
    const { id, turns } = this.#newest;
    return this.#game?.id === id && this.#game.live.turns.every((turn, i) => i >= turns.length || turn === turns[i]);
  }

  // Shows what is new. While a turn was animated, many others may have been played: only the last one
  // is animated, and games that are over by now are left out. The end of a shown game stays a while.
  async #show() {
    const { board, controller } = this.#page;
    if (!this.#wanted && !this.shown) return this.#over && this.#end();
    if (!this.#isNewest && !this.#wanted && this.#turns.length <= this.#game.live.ply) {
      return (this.#stay ||= setTimeout(() => this.#next(), END_STAYS_MS));
    }
    if (this.#wanted && !this.#isNewest) {
      this.#game = gameFor(this.#newest);
      this.#turns = this.#newest.turns;
    }
    if (!this.shown && !(await controller.open(this.#game))) return undefined;
    this.#wanted = false;
    await board.motion.idle;
    const game = this.#game;
    const rest = this.#turns.slice(game.live.ply);
    if (!this.shown) return undefined;
    if (rest.length) {
      const follows = game.at === game.live;
      for (const turn of rest.slice(0, -1)) game.live = game.live.play(turn, true);
      if (follows) game.at = game.live;
      await controller.play(game.live, rest.at(-1));
    }
    return this.#over && this.#soon(() => (this.#isNewest ? this.#end() : this.#show()));
  }

  #next() {
    this.#stay = 0;
    this.#wanted = this.shown;
    this.#soon(() => this.#show());
  }

  #end() {
    if (this.shown) this.#page.controller.setPlaying(false);
    this.#game = this.#newest = null;
    this.#wanted = false;
  }
}

// A game whose turns come from the match. It is not stored before it ends.
function gameFor({ match: { players, rules }, number, id }) {
  const names = players.map(nameOf);
  if (sidesOf(number)[0] === "b") names.reverse();
  const game = new Game({ rules, players: { w: { kind: "remote" }, b: { kind: "remote" } }, tags: [["White", names[0]], ["Black", names[1]]] });
  return Object.assign(game, { id, passing: true });
}
