// The controller: the game that is open, where one is in it, and what the server says
// about that line. Every change of the game goes through here, is stored, and is
// told to those who draw it.

import { claim, saveGame, saveTabState } from "./store.js";
import { address } from "./tree.js";

const SAVE_AFTER_MS = 150;

/**
 * Fires "game" when another game is open, "position" (detail: {from, entered})
 * when another position is shown and what there is to know about it is here,
 * "tree" when turns, labels or scores changed, "live" when the game went on or
 * was taken back, "playing" when play was stopped or goes on, and "error"
 * (detail: the error).
 */
export class Controller extends EventTarget {
  #rules;
  #asked = 0;
  #saving = 0;
  /** @type {import("./game.js").Game} */
  game = null;
  /** The nodes of the line that is shown, from the first turn to its end. */
  line = [];
  /** The server's answer for the line, or null until it is here. */
  reply = null;
  /** The steps that begin a turn at the shown position. */
  steps = null;
  /** Steps of a turn that was being entered when the page was left. */
  prefix = [];

  /** @param {import("../link/rules.js").Rules} rules */
  constructor(rules) {
    super();
    this.#rules = rules;
    addEventListener("pagehide", () => this.save());
  }

  /** The node that is shown. */
  get node() {
    return this.game.at;
  }

  /** The view of the shown position, or null while it is not known. */
  get view() {
    return this.reply?.views[this.node.ply] ?? null;
  }

  /** What the turn that led here did, or null at the start. */
  get lastTurn() {
    return this.node.ply > 0 ? (this.reply?.turns[this.node.ply - 1] ?? null) : null;
  }

  /** Whether the shown position is where the game is played on. */
  get atLive() {
    return this.game.at === this.game.live;
  }

  /**
   * Opens a game, unless the server refuses it: then what was open stays.
   * @param {import("./game.js").Game} game
   * @param {Object[]} [prefix] steps of a turn to go on with
   * @returns {Promise<boolean>} whether it is open
   */
  async open(game, prefix = []) {
    try {
      await this.#rules.game(game.path(game.at.leaf));
    } catch (error) {
      this.#fire("error", error);
      return false;
    }
    this.game = game;
    this.reply = null;
    this.prefix = prefix;
    claim(game.id);
    this.#fire("game");
    this.#fire("playing");
    await this.#show(null, false);
    this.#fire("live");
    this.save();
    return true;
  }

  /**
   * Shows another position of the game.
   * @param {import("./tree.js").TurnNode|null} node
   */
  async go(node) {
    if (!node || node === this.node) return;
    const from = this.node;
    this.prefix = [];
    this.game.at = node;
    node.prefer();
    await this.#show(from, false);
    this.#saveSoon();
  }

  /**
   * Plays a turn from a node and, if that node is shown, shows what it led to.
   * @param {import("./tree.js").TurnNode} node
   * @param {string} turn
   * @param {Object} [how]
   * @param {boolean} [how.entered] whether its steps are on the board already
   * @param {{w: number, b: number}|null} [how.clock] what is left on the clocks
   */
  async play(node, turn, { entered = false, clock = null } = {}) {
    const { game } = this;
    const goesOn = game.playing || node === game.live;
    const child = node.play(turn, goesOn);
    child.clock ??= clock ?? node.clock;
    if (goesOn) game.live = child;
    const follow = game.at === node;
    if (follow) {
      game.at = child;
      await this.#show(node, entered);
    } else {
      this.#fire("tree");
    }
    if (goesOn) this.#fire("live");
    this.save();
  }

  /** Goes back to where the person last had a choice, and plays on from there. */
  async takeBack() {
    const { game } = this;
    let node = game.live.parent;
    if (!node) return;
    const mine = (at) => game.players[game.sideAt(at.ply)].kind === "person";
    if (game.hasEngine) while (node.parent && !mine(node)) node = node.parent;
    await this.playFrom(node);
  }

  /** Whether there is a turn of the game to take back. */
  get canTakeBack() {
    return this.game.live.ply > 0 && !(this.game.players.w.kind === "engine" && this.game.players.b.kind === "engine");
  }

  /**
   * Makes a node the one where the game is played on.
   * @param {import("./tree.js").TurnNode} node
   */
  async playFrom(node) {
    const { game } = this;
    game.live = node;
    await this.go(node);
    this.setPlaying(true);
    this.#fire("live");
    this.changed();
  }

  /**
   * Stops play, or lets it go on.
   * @param {boolean} playing
   */
  setPlaying(playing) {
    if (this.game.playing === playing) return;
    this.game.playing = playing;
    this.#fire("playing");
    this.#saveSoon();
  }

  /** Tells that something about turns of the tree has changed. */
  changed() {
    this.#fire("tree");
    this.#saveSoon();
  }

  /**
   * Takes a node and what follows it out of the tree.
   * @param {import("./tree.js").TurnNode} node
   */
  async delete(node) {
    const { game } = this;
    const parent = node.parent;
    if (!parent) return;
    const [shown, live] = [game.at.comesAfter(node), game.live.comesAfter(node)];
    node.remove();
    if (live) game.live = parent;
    if (shown) await this.go(parent);
    if (live) this.#fire("live");
    this.changed();
  }

  /** Stores the game now. */
  save() {
    clearTimeout(this.#saving);
    if (!this.game) return;
    if (!saveGame(this.game)) this.#fire("error", new Error("The browser has no room left to keep this game."));
    this.keepPrefix(this.prefix);
  }

  /**
   * Remembers the steps of a turn that is being entered.
   * @param {Object[]} prefix
   */
  keepPrefix(prefix) {
    this.prefix = prefix;
    saveTabState({ game: this.game.id, at: address(this.node), prefix });
  }

  #saveSoon() {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  async #show(from, entered) {
    const asked = ++this.#asked;
    const { game, node } = this;
    const line = node.leaf.nodes;
    try {
      const reply = await this.#rules.game(game.path(node.leaf));
      const steps = node.leaf === node ? reply.next : await this.#rules.steps(game.path(node), []);
      if (asked !== this.#asked) return;
      Object.assign(this, { line, reply, steps });
    } catch (error) {
      if (asked === this.#asked) this.#fire("error", error);
      return;
    }
    this.#fire("tree");
    this.#fire("position", { from, entered });
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
