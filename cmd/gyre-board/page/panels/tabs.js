// The tabs next to the board. One panel shows and scrolls by itself, so that the board
// does not move. If there is room, the turns show below the engine's lines.

import { byId, setAttribute, show, targetOf } from "../dom.js";
import { saveSettings, settings } from "../game/settings.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

const ROOMY = matchMedia("(min-aspect-ratio: 11/10) and (min-height: 680px)");

/** Panels that the turns show below. */
const WITH_TURNS = ["analysis", "review"];

/** The sections of the panel Learn without a part. */
const LEARN = ["learn", "how"];

/** The tabs and their panels. Fires "shown" when a panel is shown. */
export class Tabs extends EventTarget {
  #shown = "";

  constructor() {
    super();
    this.#select(this.#remembered);
    byId("tabs").addEventListener("click", (event) => this.show(targetOf(event, "[data-tab]")?.dataset.tab));
    byId("tabs").addEventListener("keydown", (event) => this.#key(event));
    ROOMY.addEventListener("change", () => this.#select(this.#shown));
    byId("tall").addEventListener("click", () => this.#makeTall());
  }

  // On a phone, the panel covers what is above the board until toggled back.
  #makeTall() {
    const tall = document.documentElement.toggleAttribute("data-tall");
    byId("tall").setAttribute("aria-pressed", String(tall));
  }

  /**
   * Shows a panel and remembers it, unless the panel is temporary.
   * @param {string|undefined} name an existing panel
  */
  show(name) {
    if (!name) return;
    this.#select(name);
    if (name !== "end" && name !== "match") saveSettings({ tab: name });
  }

  /**
   * Shows one of the sections of the panel Learn, or makes it show the rules.
   * @param {string} [section] the id of the section
  */
  learn(section) {
    if (section) this.show("learn");
    byId("panel-learn").scrollTop = 0;
    for (const child of byId("panel-learn").children) {
      /** @type {HTMLElement} */ (child).hidden = section ? child.id !== section : !LEARN.includes(child.id);
    }
  }

  /**
   * Shows a panel in place of another, if that one is shown.
   * @param {string} shown
   * @param {string} name
  */
  replace(shown, name) {
    if (this.#shown === shown) this.show(name);
  }

  /**
   * Shows or removes a tab.
   * @param {"end"|"learn"|"match"} name
   * @param {boolean} there
  */
  offer(name, there) {
    show(byId(`tab-${name}`), there);
    if (!there && this.#shown === name) this.#select(this.#remembered);
  }

  // First-time visitors see the rules.
  get #remembered() {
    const { tab = "learn" } = settings();
    return this.#there.some(({ dataset }) => dataset.tab === tab) ? tab : "turns";
  }

  get #tabs() {
    return /** @type {HTMLElement[]} */ ([...byId("tabs").children]);
  }

  get #there() {
    return this.#tabs.filter(({ hidden }) => !hidden);
  }

  #select(name) {
    this.#shown = name;
    for (const tab of this.#tabs) {
      const selected = tab.dataset.tab === name;
      setAttribute(tab, "aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      const below = tab.dataset.tab === "turns" && ROOMY.matches && WITH_TURNS.includes(name);
      show(byId(`panel-${tab.dataset.tab}`), selected || below);
    }
    this.dispatchEvent(new Event("shown"));
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
