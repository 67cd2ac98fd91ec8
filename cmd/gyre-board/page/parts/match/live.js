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
  /** Whether the running game must be opened. */
  #wanted = false;
  /** When its last turn was shown. */
  #moved = 0;
  #followed = Promise.resolve();

  /**
   * @param {import("../../_types/page").Page} page
   * @param {import("./matches.js").MatchRunner} running
  */
  constructor(page, running) {
    [this.#page, this.#running] = [page, running];
    running.addEventListener("change", () => this.#follow());
    running.addEventListener("end", () => (this.#followed = this.#followed.then(() => this.#end())));
  }

  /** Whether the board shows the running game, or the last one while it was running. */
  get shown() {
    return this.#game !== null && this.#page.controller.game === this.#game;
  }

  /** Shows the running game and those after it. */
  watch() {
    if (this.shown) this.#page.controller.go(this.#game.live);
    this.#wanted = true;
    this.#follow();
  }

  #follow() {
    const { match, game } = this.#running;
    if (match && game.number) this.#followed = this.#followed.then(() => this.#show(match, game));
  }

  async #show(match, { number, turns }) {
    const { board, controller } = this.#page;
    const id = `${gameId(match, number)}-live`;
    // A match that was stopped begins its last game again.
    const same = this.#game?.id === id && this.#game.live.turns.every((turn, i) => i >= turns.length || turn === turns[i]);
    const stays = !same && performance.now() < this.#moved + END_STAYS_MS;
    if (!this.#wanted && (!this.shown || stays)) return;
    if (!same) this.#game = gameFor(match, number, id);
    if (!this.shown && !(await controller.open(this.#game))) return;
    this.#wanted = false;
    // While a turn was animated, others were played, and only the last one is animated.
    await board.motion.idle;
    const game = this.#game;
    const rest = turns.slice(game.live.ply);
    if (!this.shown || !rest.length) return;
    const follows = game.at === game.live;
    for (const turn of rest.slice(0, -1)) game.live = game.live.play(turn, true);
    if (follows) game.at = game.live;
    await controller.play(game.live, rest.at(-1));
    this.#moved = performance.now();
  }

  #end() {
    if (this.shown) this.#page.controller.setPlaying(false);
    this.#game = null;
    this.#wanted = false;
  }
}

// A game whose turns come from the match. It is not stored before it ends.
function gameFor({ players, rules }, number, id) {
  const names = players.map(nameOf);
  if (sidesOf(number)[0] === "b") names.reverse();
  const game = new Game({ rules, players: { w: { kind: "remote" }, b: { kind: "remote" } }, tags: [["White", names[0]], ["Black", names[1]]] });
  return Object.assign(game, { id, passing: true });
}
