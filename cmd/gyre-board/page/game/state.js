// The state of the page: one object, which change() alone changes. The panels are functions of it:
// whatever changes in it, each panel is drawn again, once, after all of the changes are made.

import { turnText } from "./words.js";

/** What is open, what is shown of it, and what happens now. */
export class State {
  /** The open game, with its turns, the shown one and the live one. @type {import("./game.js").Game|null} */
  game = null;
  /** The nodes of the shown line, from the first turn to its end. @type {import("./tree.js").TurnNode[]} */
  line = [];
  /** The positions of the line and what its turns did, or null until they are known. @type {import("../link/link.js").Line|null} */
  reply = null;
  /** The steps of the turn being entered, or of one that was being entered when the page was left. @type {Object[]} */
  prefix = [];
  /** The view of the live position, or null until it is known. @type {import("../link/link.js").View|null} */
  liveView = null;
  /** The side whose engine is thinking about its turn, or null. @type {"w"|"b"|null} */
  thinking = null;
  /** The engine that failed to play its turn, or "". */
  failed = "";
  /** Whether a turn is being animated. */
  showing = false;
  /** The entered turn that waits to be confirmed, and what to call with the answer; or null. @type {{turn: string, answer: (plays: boolean) => void}|null} */
  asking = null;
  /** The entered turn, until it is played or refused; or "". */
  entered = "";
  /** Whether engines analyze the shown position. */
  analyzing = false;
  /** The tab whose panel is shown. */
  tab = "";
  /** Counts what changes in the game: its turns, labels and who plays, and the shown position. */
  version = 0;
  /** @type {Array<() => void>} */
  #draws = [];
  #waits = false;

  /**
   * Changes the state, or announces a score of a position.
   * @param {Partial<State>} [changes]
  */
  change(changes) {
    Object.assign(this, changes);
    if (this.#waits) return;
    this.#waits = true;
    queueMicrotask(() => (this.#waits = false));
    // Each by itself, so that an error in one panel does not stop the others.
    this.#draws.forEach((draw) => queueMicrotask(draw));
  }

  /**
   * Draws a panel after each change.
   * @param {() => void} draw
   * @param {() => any} [of] what the panel depends on, if that is not everything
  */
  whenChanged(draw, of = () => ({})) {
    let drawn;
    this.#draws.push(() => drawn !== (drawn = of()) && draw());
  }

  /** The shown node, or undefined without a game. */
  get node() {
    return this.game?.at;
  }

  /** The view of the shown position, or null. */
  get view() {
    return this.reply?.views[this.node.ply] ?? null;
  }

  /** What the turn that led here did, or null at the start. */
  get lastTurn() {
    return this.node.ply > 0 ? (this.reply?.turns[this.node.ply - 1] ?? null) : null;
  }

  /** What the turn that led here did, a sentence, or "" at the start. */
  get lastTurnText() {
    return this.lastTurn ? turnText(this.lastTurn, this.view) : "";
  }

  /** Whether the shown position is where the game continues. */
  get atLive() {
    return this.game.at === this.game.live;
  }

  /** Whether a game is being played and another position of it is shown. */
  get lookingBack() {
    return this.game.playing && !this.atLive;
  }

  /** Whether a turn can be entered in the shown position. */
  get mayEnter() {
    const { game, view, node } = this;
    if (!view || view.over || node.end || this.lookingBack) return false;
    return !game.playing || game.players[view.side].kind === "person";
  }

  /** Whether the game has a turn to take back. */
  get canTakeBack() {
    return this.game.live.ply > 0 && !this.game.remote && this.game.hasPerson;
  }

  /** Whether the game is over, on the board or off it. */
  get over() {
    return Boolean(this.liveView?.over || this.game.live.end);
  }
}
