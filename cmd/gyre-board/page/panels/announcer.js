// What screen readers read out. Texts that come close together are read as one,
// and the same text twice is read twice.

import { byId } from "../dom.js";

const TOGETHER_MS = 60;

/** The page's one polite live region. */
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
