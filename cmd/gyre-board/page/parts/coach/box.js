// Where the coach speaks: below the line that says what to do, so that the board stays
// where it is.

import { byId, html } from "../../dom.js";

/** The coach's words, and buttons that answer them. */
export class Box {
  #say;
  #leave;
  #text = html("p", { id: "coach-said", "data-testid": "coach-said" });
  #buttons = html("div", { className: "buttons left" });
  #root = html("section", { id: "coach-box", className: "coach-box", "aria-label": "Coach", "data-testid": "coach-box", hidden: true }, this.#text, this.#buttons);

  /**
   * @param {(text: string) => void} say
   * @param {() => void} leave gives the focus to the board
   */
  constructor(say, leave) {
    [this.#say, this.#leave] = [say, leave];
    byId("strip").after(this.#root);
  }

  /**
   * Shows words, reads them out, and offers what can be done.
   * @param {string} text
   * @param {Array<{id: string, name: string, act: () => void, main?: boolean}>} [buttons]
   */
  show(text, buttons = []) {
    const made = buttons.map(({ id, name, act, main }) => html("button", { id, className: main ? "main" : "", "data-testid": id, onclick: act }, name));
    this.#text.textContent = text;
    this.#replaceButtons(made);
    this.#buttons.hidden = !made.length;
    // A question has two answers.
    this.#root.classList.toggle("asks", made.length > 1);
    this.#root.hidden = false;
    this.#say(text);
  }

  /** Gives the first button the focus. */
  focus() {
    this.#buttons.querySelector("button")?.focus();
  }

  /** Shows nothing. */
  hide() {
    this.#root.hidden = true;
    this.#text.textContent = "";
    this.#replaceButtons([]);
  }

  // Whoever had a button that goes finds himself in the next one, or on the board.
  #replaceButtons(made) {
    const focused = this.#buttons.contains(document.activeElement);
    this.#buttons.replaceChildren(...made);
    if (focused && made.length) this.focus();
    else if (focused) this.#leave();
  }
}
