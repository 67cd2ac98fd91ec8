// Keeping the open game: it is stored whenever it changes, one time after the
// other, and this tab remembers it besides. What cannot be stored is told; the game
// stays in the tab, and the next change tries again.

import { claim, isClaimed } from "./claim.js";
import { saveDraft } from "./settings.js";
import { saveGame, saveLeaving } from "./store.js";

/**
 * Fires "kept" when the game was stored, "failed" (detail: the error) when that
 * could not be done, and "copied" when another tab has stored the game meanwhile
 * and this tab's was stored as another one.
 */
export class Keeper extends EventTarget {
  /** @type {Set<import("./game.js").Game>} */
  #waiting = new Set();
  #storing = false;

  /**
   * Stores a game, soon, if there is anything in it and it is to be kept.
   * @param {import("./game.js").Game} game
   */
  keep(game) {
    if (game.passing) return;
    saveDraft(game.toJSON());
    if (!game.begun) return;
    this.#waiting.add(game);
    if (!this.#storing) this.#store();
  }

  /**
   * Stores a game when the page is left.
   * @param {import("./game.js").Game} game
   */
  leave(game) {
    if (game.passing) return;
    saveDraft(game.toJSON());
    if (game.begun && isClaimed(game.id)) saveLeaving(game.toJSON(), game.revision).catch(() => {});
  }

  async #store() {
    this.#storing = true;
    for (const game of this.#waiting) {
      this.#waiting.delete(game);
      try {
        await this.#storeOne(game);
        this.dispatchEvent(new Event("kept"));
      } catch (error) {
        this.dispatchEvent(new CustomEvent("failed", { detail: error }));
      }
    }
    this.#storing = false;
  }

  async #storeOne(game) {
    const revision = await saveGame(game.toJSON(), game.revision);
    if (revision) {
      game.revision = revision;
      return;
    }
    const { id, tags } = game.copy();
    Object.assign(game, { id, tags, revision: 0 });
    await claim(id);
    game.revision = await saveGame(game.toJSON(), 0);
    saveDraft(game.toJSON());
    this.dispatchEvent(new Event("copied"));
  }
}
