// Engine searches. Each has a number, so that late messages of a stopped search are
// dropped. A search restarts by itself after the connection was lost, and once after its
// engine died.

import { loadFile, reasonOf } from "../failures.js";
import { loadMore, t, whyText } from "../language.js";

/**
 * @typedef {Object} Search
 * @property {string} engine
 * @property {() => void} stop stops the search; its listener gets no further calls
 */

/**
 * The callbacks of a search. All are optional.
 * @typedef {Object} Listener
 * @property {(event: import("../_types/messages").InfoEvent) => void} [info] called with the engine's lines, best first
 * @property {(best: import("../_types/messages").BestEvent) => void} [best]
 * @property {(reason: string) => void} [failed] called with the reason
 * @property {boolean} [quiet] whether to report only dead engines, not failed searches
 * @property {(event: import("../_types/messages").ReviewEvent) => void} [review] a reviewed turn
 * @property {(event: import("../_types/messages").ReviewedEvent) => void} [reviewed] the summary of a review
 * @property {(event: import("../_types/messages").WorthEvent) => void} [worth] what the targets of a ring are worth
 * @property {(event: import("../_types/messages").TurnEvent) => void} [turn] the progress of a game of a match
 * @property {(event: import("../_types/messages").PlayedEvent) => void} [played] a finished game of a match
 * @property {(event: import("../_types/messages").MatchedEvent) => void} [matched] called when all games are played
 */

/**
 * @typedef {Object} Running
 * @property {"think"|"threat"|"review"|"match"|"worth"} what
 * @property {any} fields the fields of the request, without the number
 * @property {Listener} listener
 * @property {boolean} again whether its engine was already restarted for it
 * @property {number} number
 */

/**
 * Fires "failed" (detail: {engine, reason}) when an engine died or hangs, and "restarted"
 * (detail: {engine, reason}) when one that had died works again.
 */
export class Searches extends EventTarget {
  #link;
  #number = 0;
  /** @type {Map<number, Running>} */
  #running = new Map();

  /** @param {import("./link.js").Link} link */
  constructor(link) {
    super();
    this.#link = link;
    link.addEventListener("open", () => this.#again());
    for (const name of /** @type {const} */ (["info", "review", "turn", "played"])) {
      link.on(name, (/** @type {any} */ event) => this.#running.get(event.search)?.listener[name]?.(event));
    }
    for (const name of /** @type {const} */ (["best", "reviewed", "worth", "matched"])) {
      link.on(name, (/** @type {any} */ event) => (event.stopped ? this.#taken(event.search) : this.#end(event.search)?.[name]?.(event)));
    }
    link.on("failed", async ({ search, reason, lost, ...why }) => {
      // The words for it are among those of the parts.
      if (why.fault) await loadMore(loadFile).catch(() => {});
      this.#failed(search, whyText({ ...why, message: reason }), lost);
    });
  }

  /**
   * Starts a search.
   * @param {"think"|"threat"|"review"|"match"|"worth"} what
   * @param {any} fields the fields of the request, without the number; a restart uses their
   *   current values
   * @param {Listener} listener
   * @returns {Search}
  */
  begin(what, fields, listener) {
    /** @type {Running} */
    const running = { what, fields, listener, again: false, number: 0 };
    this.#send(running);
    return { engine: fields.engine, stop: () => this.#stop(running) };
  }

  // A search that cannot be sent now is sent on reconnection, with all other running ones.
  #send(running) {
    running.number = ++this.#number;
    this.#running.set(running.number, running);
    if (!this.#link.connected) return;
    const { number } = running;
    this.#link.ask(running.what, { ...running.fields, search: number }).catch((error) => {
      if (this.#running.has(number)) this.#failed(number, reasonOf(error), false);
    });
  }

  #again() {
    const all = [...this.#running.values()];
    this.#running.clear();
    for (const running of all) this.#send(running);
  }

  #stop(running) {
    if (!this.#running.delete(running.number)) return;
    if (this.#link.connected) this.#link.ask("stop", { search: running.number }).catch(() => {});
  }

  // Searches stopped by the page are gone already: another request took this one's engine.
  #taken(number) {
    const running = this.#running.get(number);
    this.#end(number)?.failed?.(t("engine-taken", { engine: running.fields.engine }));
  }

  #end(number) {
    const listener = this.#running.get(number)?.listener;
    this.#running.delete(number);
    return listener;
  }

  async #failed(number, reason, lost) {
    const running = this.#running.get(number);
    this.#running.delete(number);
    if (!running) return;
    const { engine } = running.fields;
    if (lost && !running.again) {
      running.again = true;
      // It may be stopped until it is sent again.
      this.#running.set(number, running);
      const works = await this.#link.ask("restart", { engine }).then(() => true, () => false);
      if (!this.#running.delete(number)) return;
      if (works) {
        this.#send(running);
        this.dispatchEvent(new CustomEvent("restarted", { detail: { engine, reason } }));
        return;
      }
    }
    running.listener.failed?.(reason);
    // Engines that serve a single search are not restarted by the user.
    const news = lost || !running.listener.quiet;
    if (engine && news && !running.fields.apart) this.dispatchEvent(new CustomEvent("failed", { detail: { engine, reason } }));
  }
}
