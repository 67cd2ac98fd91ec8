// The tabs beside the board: one panel is shown, and it scrolls by itself, so that
// the board stays where it is.

import { byId, targetOf } from "../dom.js";
import { saveSettings, settings } from "../game/settings.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

/** The row of tabs and their panels. Fires "shown" (detail: the name) when a panel is. */
export class Tabs extends EventTarget {
  /** @type {HTMLElement[]} */
  #tabs = [...byId("tabs").children].map((tab) => /** @type {HTMLElement} */ (tab));

  // Who is here for the first time finds the rules.
  constructor() {
    super();
    const { tab = "rules" } = settings();
    const known = this.#tabs.some(({ dataset }) => dataset.tab === tab);
    this.#select(known ? tab : "turns");
    byId("tabs").addEventListener("click", (event) => this.show(targetOf(event, "[data-tab]")?.dataset.tab));
    byId("tabs").addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Shows a panel, and remembers it.
   * @param {string|undefined} name "rules", "turns", "analysis" or "review"
   */
  show(name) {
    if (!name) return;
    this.#select(name);
    saveSettings({ tab: name });
  }

  #select(name) {
    for (const tab of this.#tabs) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      byId(`panel-${tab.dataset.tab}`).hidden = !chosen;
    }
    this.dispatchEvent(new CustomEvent("shown", { detail: name }));
  }

  #key(event) {
    const here = this.#tabs.indexOf(event.target);
    const count = this.#tabs.length;
    const to = { Home: 0, End: count - 1 }[event.key] ?? (KEYS[event.key] ? (here + KEYS[event.key] + count) % count : -1);
    if (here < 0 || to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.show(this.#tabs[to].dataset.tab);
    this.#tabs[to].focus();
  }
}
