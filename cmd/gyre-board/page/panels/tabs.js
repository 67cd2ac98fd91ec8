// The tabs beside the board: one panel is shown, and it scrolls by itself, so that
// the board stays where it is. Where there is room, the turns stand below what an engine
// says of them.

import { byId, targetOf } from "../dom.js";
import { saveSettings, settings } from "../game/settings.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

const ROOMY = matchMedia("(min-aspect-ratio: 11/10) and (min-height: 680px)");

/** Panels with which the turns are shown. */
const WITH_TURNS = ["end", "analysis", "review"];

/** The row of tabs and their panels. Fires "shown" (detail: the name) when a panel is. */
export class Tabs extends EventTarget {
  /** @type {HTMLElement[]} */
  #tabs = [...byId("tabs").children].map((tab) => /** @type {HTMLElement} */ (tab));
  #shown = "";

  constructor() {
    super();
    this.#select(this.#remembered);
    byId("tabs").addEventListener("click", (event) => this.show(targetOf(event, "[data-tab]")?.dataset.tab));
    byId("tabs").addEventListener("keydown", (event) => this.#key(event));
    ROOMY.addEventListener("change", () => this.#select(this.#shown));
    byId("tall").addEventListener("click", () => this.#makeTall());
  }

  // On a phone the panel takes the place of what is above the board, until it is asked not to.
  #makeTall() {
    const tall = document.documentElement.toggleAttribute("data-tall");
    byId("tall").setAttribute("aria-pressed", String(tall));
  }

  /**
   * Shows a panel, and remembers it, unless it comes and goes.
   * @param {string|undefined} name of one that there is
   */
  show(name) {
    if (!name) return;
    this.#select(name);
    if (name !== "end") saveSettings({ tab: name });
  }

  /**
   * Offers a panel that is not always there, or takes it away.
   * @param {"end"} name
   * @param {boolean} there
   */
  offer(name, there) {
    byId(`tab-${name}`).hidden = !there;
    if (!there && this.#shown === name) this.#select(this.#remembered);
  }

  // Who is here for the first time finds the rules.
  get #remembered() {
    const { tab = "learn" } = settings();
    return this.#there.some(({ dataset }) => dataset.tab === tab) ? tab : "turns";
  }

  get #there() {
    return this.#tabs.filter(({ hidden }) => !hidden);
  }

  #select(name) {
    this.#shown = name;
    for (const tab of this.#tabs) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      const beside = tab.dataset.tab === "turns" && ROOMY.matches && WITH_TURNS.includes(name);
      byId(`panel-${tab.dataset.tab}`).hidden = !chosen && !beside;
    }
    this.dispatchEvent(new CustomEvent("shown", { detail: name }));
  }

  #key(event) {
    const there = this.#there;
    const here = there.indexOf(event.target);
    const count = there.length;
    const to = { Home: 0, End: count - 1 }[event.key] ?? (KEYS[event.key] ? (here + KEYS[event.key] + count) % count : -1);
    if (here < 0 || to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.show(there[to].dataset.tab);
    there[to].focus();
  }
}
