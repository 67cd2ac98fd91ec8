// The open game and the position shown of it. Every change of them goes through here into the
// state, is stored, and is announced to those that act on it.

import { reasonOf } from "../failures.js";
import { t } from "../language.js";
import { lockGame, holdsLock } from "./tablock.js";
import { saveDraft, saveTabState } from "./settings.js";
import { saveGame, saveLeaving } from "./store.js";
import { address } from "./tree.js";

const SAVE_AFTER_MS = 150;

/**
 * Fires "game" when another game is open, "position" (detail: {from, entered}) when
 * another position is shown and its data has arrived, "live" when the game continued or a turn
 * was taken back, and "playing" when play was paused or resumed.
 */
export class Controller extends EventTarget {
  #page;
  #state;
  #asked = 0;
  #saving = 0;
  #keeping = 0;

  /** @param {Pick<import("../_types/page").Page, "state"|"rules"|"autosave"|"notices">} page */
  constructor(page) {
    super();
    [this.#page, this.#state] = [page, page.state];
    addEventListener("pagehide", () => this.#leave());
    page.autosave.addEventListener("copied", () => this.#keepTab());
  }

  /**
   * Opens a game. If the server refuses it or another tab has it open, the current
   * game stays.
   * @param {import("./game.js").Game} game
   * @param {Object[]} [prefix] steps of a turn to continue
   * @returns {Promise<boolean>} whether the game is open
  */
  async open(game, prefix = []) {
    const { autosave, notices, rules } = this.#page;
    try {
      await rules.game(game.path(game.at.leaf));
    } catch (error) {
      this.#report(error);
      return false;
    }
    // Another tab may open the current game as soon as its lock is released.
    if (this.#state.game) this.save();
    await autosave.settled();
    if (!(await lockGame(game.id))) {
      notices.show("taken", t("open-elsewhere"), { mild: true, action: [t("open-copy"), () => this.open(game.copy())] });
      return false;
    }
    this.#state.change({ game, reply: null, liveView: null, prefix });
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
    const { game, node: from } = this.#state;
    if (!node || node === from) return;
    this.#state.change({ prefix: [] });
    game.at = node;
    node.prefer();
    await this.#show(from, false);
    this.#saveSoon();
  }

  /**
   * Plays a turn from a node. If that node is shown, shows the result.
   * @param {import("./tree.js").TurnNode} node
   * @param {string} turn
   * @param {{entered?: boolean, clock?: {w: number, b: number}|null}} [how] whether its steps are on the board already, and the time left on the clocks
  */
  async play(node, turn, { entered = false, clock = null } = {}) {
    const { game } = this.#state;
    const { at, live, left } = game;
    const goesOn = node === live;
    const known = node.children.length;
    const child = node.play(turn, goesOn);
    if (goesOn && game.playing) child.makeFirst();
    child.clock = (goesOn ? clock : null) ?? child.clock ?? node.clock;
    if (goesOn) [game.live, game.left] = [child, null];
    const follow = game.at === node;
    if (follow) {
      game.at = child;
      const legal = await this.#show(node, entered);
      if (!legal && node.children.length > known) {
        child.remove();
        Object.assign(game, { at, live, left });
        await this.#show(null, false);
      }
    } else {
      this.#touch();
    }
    if (goesOn) this.#fire("live");
    this.#saveSoon();
  }

  /**
   * Goes back to the person's last decision and plays on from there. After a
   * resignation, takes that back first.
  */
  async takeBack() {
    const { game } = this.#state;
    if (game.live.end?.why === "resignation") {
      game.live.end = null;
      return this.playFrom(game.live);
    }
    let node = game.live.parent;
    const mine = (at) => game.players[game.sideAt(at.ply)].kind === "person";
    if (game.hasEngine) while (node?.parent && !mine(node)) node = node.parent;
    return node && this.playFrom(node);
  }

  /**
   * Makes a node the live one, where the game continues.
   * @param {import("./tree.js").TurnNode} node
  */
  async playFrom(node) {
    const { game } = this.#state;
    game.left = game.leftAt(node);
    game.live = node;
    await this.go(node);
    game.playing = true;
    ["playing", "live"].forEach((name) => this.#fire(name));
    this.changed();
  }

  /**
   * Pauses or resumes play.
   * @param {boolean} playing
  */
  setPlaying(playing) {
    const { game } = this.#state;
    if (game.playing === playing) return;
    game.playing = playing;
    this.#fire("playing");
    this.#saveSoon();
  }

  /** Announces a change to turns of the tree. Does nothing before a game is open. */
  changed() {
    if (!this.#state.game) return;
    this.#touch();
    this.#saveSoon();
  }

  /**
   * Shows a node and makes another the live one.
   * @param {import("./tree.js").TurnNode} at
   * @param {import("./tree.js").TurnNode} live
  */
  async stand(at, live) {
    const { game } = this.#state;
    const moved = game.live !== live;
    game.live = live;
    await this.go(at);
    if (moved) this.#fire("live");
    this.changed();
  }

  /** Stores the game now. */
  save() {
    clearTimeout(this.#saving);
    this.#saving = 0;
    this.#page.autosave.keep(this.#state.game);
    this.#keepTab();
  }

  /** Stores the game now, and waits until it is stored or could not be. */
  async saveNow() {
    this.save();
    await this.#page.autosave.settled();
  }

  /** Remembers the steps of the turn being entered. @param {Object[]} prefix */
  keepPrefix(prefix) {
    if (prefix === this.#state.prefix) return;
    this.#state.change({ prefix });
    // The browser takes longer to store it than the page for the rest of a press.
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#keepTab(), SAVE_AFTER_MS);
  }

  #keepTab() {
    clearTimeout(this.#keeping);
    const { game, prefix } = this.#state;
    if (!game.passing) saveTabState({ game: game.id, at: address(game.at), prefix });
  }

  #leave() {
    const { game } = this.#state;
    if (!game) return;
    this.#keepTab();
    this.#page.autosave.leave(game);
  }

  // After the next frame: storing takes as long as drawing.
  #saveSoon() {
    this.#saving ||= setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  // Reports whether the line is legal.
  async #show(from, entered) {
    const asked = ++this.#asked;
    const { game, node } = this.#state;
    const line = node.leaf.nodes;
    try {
      const reply = await this.#page.rules.game(game.path(node.leaf));
      if (asked !== this.#asked) return true;
      this.#state.change({ line, reply });
    } catch (error) {
      if (asked === this.#asked) this.#report(error);
      return false;
    }
    this.#fire("position", { from, entered });
    return true;
  }

  #report(error) {
    this.#page.notices.show("game", reasonOf(error));
  }

  #fire(name, detail) {
    this.#touch();
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #touch() {
    this.#state.change({ version: this.#state.version + 1 });
  }
}

// Saving the open game. It is stored whenever it changes, one save at a time, and the
// tab keeps its own copy. A failed save is reported; the game stays in the tab, and the
// next change tries again.

/**
 * Fires "kept" when the game was stored, "failed" (detail: the error) when it could not
 * be, and "copied" when another tab had stored the game meanwhile, so that this tab's
 * version was stored as a copy.
 */
export class Autosave extends EventTarget {
  /** @type {Set<import("./game.js").Game>} */
  #waiting = new Set();
  /** @type {Promise<void>|null} */
  #storing = null;

  /**
   * Stores a game soon, if it has any content and is not temporary.
   * @param {import("./game.js").Game} game
  */
  keep(game) {
    if (game.passing) return;
    saveDraft(game.toJSON());
    if (!game.begun) return;
    this.#waiting.add(game);
    this.#storing ??= this.#store();
  }

  /** Waits until all games are stored, or could not be. */
  async settled() {
    await this.#storing;
  }

  /**
   * Stores a game when the page is left.
   * @param {import("./game.js").Game} game
  */
  leave(game) {
    if (game.passing) return;
    // With two values, the stored one could be later, and the draft's position would be lost.
    const value = game.toJSON();
    saveDraft(value);
    if (game.begun && holdsLock(game.id)) saveLeaving(value, game.revision).catch(() => {});
  }

  async #store() {
    for (const game of this.#waiting) {
      this.#waiting.delete(game);
      try {
        await this.#storeOne(game);
        this.dispatchEvent(new Event("kept"));
      } catch (error) {
        this.dispatchEvent(new CustomEvent("failed", { detail: error }));
      }
    }
    this.#storing = null;
  }

  async #storeOne(game) {
    const revision = await saveGame(game.toJSON(), game.revision);
    if (revision) {
      game.revision = revision;
      return;
    }
    const { id, tags } = game.copy();
    Object.assign(game, { id, tags, revision: 0 });
    await lockGame(id);
    game.revision = await saveGame(game.toJSON(), 0);
    saveDraft(game.toJSON());
    this.dispatchEvent(new Event("copied"));
  }
}
