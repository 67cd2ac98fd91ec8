// What the page tells on its own: notices above the board, when the connection is
// lost, an engine has failed, a game cannot be opened or kept, which can be acted
// on and put away; and what screen readers read out.

import { byId, html } from "../dom.js";

/** Shows and removes notices. */
export class Notices {
  #root = byId("notices");
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();

  /**
   * @param {Object} parts
   * @param {import("../link/link.js").Link} parts.link
   * @param {import("../link/searches.js").Searches} parts.searches
   * @param {(engine: string) => void} parts.restarted called when an engine works again
   */
  constructor({ link, searches, restarted }) {
    link.addEventListener("lost", ({ detail }) => this.show("connection", `${detail} Trying again…`, { mild: true, lasting: true }));
    link.addEventListener("open", () => this.remove("connection"));
    searches.addEventListener("restarted", ({ detail: { engine, reason } }) => {
      this.show(`engine ${engine}`, `${engine} had stopped (${reason}) and was started again.`, { mild: true });
    });
    searches.addEventListener("failed", ({ detail: { engine, reason } }) => {
      const restart = async () => {
        this.remove(`engine ${engine}`);
        try {
          await searches.restart(engine);
          restarted(engine);
        } catch (error) {
          this.show(`engine ${engine}`, `${engine} cannot be started: ${error.message}`, { action: ["Try again", restart] });
        }
      };
      this.show(`engine ${engine}`, `${engine} has stopped: ${reason}`, { action: [`Restart ${engine}`, restart] });
    });
  }

  /**
   * Shows a notice instead of the one with the same key.
   * @param {string} key
   * @param {string} text
   * @param {Object} [options]
   * @param {[string, function]} [options.action] a button and what it does
   * @param {boolean} [options.mild] whether it is no error
   * @param {boolean} [options.lasting] whether it goes only by itself
   */
  show(key, text, { action, mild, lasting } = {}) {
    this.remove(key);
    const notice = html("div", { className: mild ? "notice mild" : "notice", "data-testid": "notice", "data-notice": key }, html("p", {}, text));
    if (action) notice.append(html("button", { "data-testid": "notice-action", onclick: action[1] }, action[0]));
    if (!lasting) notice.append(html("button", { "data-testid": "notice-close", onclick: () => this.remove(key) }, "Close"));
    this.#shown.set(key, notice);
    this.#root.append(notice);
  }

  /**
   * Puts a notice away.
   * @param {string} key
   */
  remove(key) {
    this.#shown.get(key)?.remove();
    this.#shown.delete(key);
  }
}

/**
 * Tells what happens to games: what cannot be opened or kept, and what went.
 * @param {Object} parts
 * @param {import("../game/controller.js").Controller} parts.controller
 * @param {import("../game/controller.js").Autosave} parts.autosave
 * @param {import("../parts.js").Parts} parts.parts
 * @param {Notices} parts.notices
 */
export function showGameNotices({ controller, autosave, parts, notices }) {
  controller.addEventListener("error", ({ detail }) => notices.show("game", detail.message));
  // What was said of another game is no news any more.
  controller.addEventListener("game", () => ["game", "taken", "undo", "copied", "line"].forEach((key) => notices.remove(key)));
  controller.addEventListener("taken", ({ detail: game }) => {
    const copy = () => {
      notices.remove("taken");
      controller.open(game.copy());
    };
    notices.show("taken", "This game is open in another tab.", { mild: true, action: ["Open a copy", copy] });
  });
  controller.addEventListener("undoable", ({ detail: { text, undo } }) => {
    const back = () => {
      notices.remove("undo");
      undo();
    };
    notices.show("undo", text, { mild: true, action: ["Undo", back] });
  });
  const saveAsFile = async () => (await parts.get("games", saveAsFile))?.save();
  autosave.addEventListener("failed", ({ detail }) => {
    const text = `The browser cannot keep this game now (${detail.message}). It is safe as long as this tab is open.`;
    notices.show("keeping", text, { action: ["Save it as a file", saveAsFile] });
  });
  autosave.addEventListener("kept", () => notices.remove("keeping"));
  autosave.addEventListener("copied", () => notices.show("copied", "Another tab has changed this game: here it goes on as a copy.", { mild: true }));
}

/** How close together texts come that are read as one. */
const TOGETHER_MS = 60;

/** The page's one polite live region. The same text twice is read twice. */
export class Announcer {
  #region = byId("announcer");
  #waiting = [];
  #timer = 0;

  /**
   * Reads a text out.
   * @param {string} text
   */
  say(text) {
    if (!text || this.#waiting.includes(text)) return;
    this.#waiting.push(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), TOGETHER_MS);
  }

  #read() {
    // Emptied first, a text that comes again is new.
    this.#region.replaceChildren();
    const text = this.#waiting.join(" ");
    this.#waiting = [];
    requestAnimationFrame(() => this.#region.append(text));
  }
}
