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

/**
 * The tabs and their panels.
 * @param {Pick<import("../_types/page").Page, "state">} page
 */
export function tabsOf({ state }) {
  // A part can add a tab.
  const all = () => /** @type {HTMLElement[]} */ ([...byId("tabs").children]);
  const offered = () => all().filter(({ hidden }) => !hidden);

  // First-time visitors see the rules.
  const remembered = () => {
    const { tab = "learn" } = settings();
    return offered().some(({ dataset }) => dataset.tab === tab) ? tab : "turns";
  };

  const select = (name) => {
    state.change({ tab: name });
    for (const tab of all()) {
      const selected = tab.dataset.tab === name;
      setAttribute(tab, "aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      const below = tab.dataset.tab === "turns" && ROOMY.matches && WITH_TURNS.includes(name);
      show(byId(`panel-${tab.dataset.tab}`), selected || below);
    }
  };

  /**
   * Shows a panel and remembers it, unless the panel is temporary.
   * @param {string|undefined} name an existing panel
  */
  const showTab = (name) => {
    if (!name) return;
    select(name);
    if (name !== "end" && name !== "match") saveSettings({ tab: name });
  };

  select(remembered());
  byId("tabs").addEventListener("click", (event) => showTab(targetOf(event, "[data-tab]")?.dataset.tab));
  byId("tabs").addEventListener("keydown", (event) => {
    const there = offered();
    const here = there.indexOf(/** @type {HTMLElement} */ (event.target));
    const count = there.length;
    const to = { Home: 0, End: count - 1 }[event.key] ?? (KEYS[event.key] ? (here + KEYS[event.key] + count) % count : -1);
    if (here < 0 || to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    showTab(there[to].dataset.tab);
    there[to].focus();
  });
  ROOMY.addEventListener("change", () => select(state.tab));
  // On a phone, the panel covers what is above the board until toggled back.
  byId("tall").addEventListener("click", () => {
    const tall = document.documentElement.toggleAttribute("data-tall");
    byId("tall").setAttribute("aria-pressed", String(tall));
  });
  return {
    show: showTab,
    /**
     * Shows one of the sections of the panel Learn, or makes it show the rules.
     * @param {string} [section] the id of the section
    */
    learn(section) {
      if (section) showTab("learn");
      byId("panel-learn").scrollTop = 0;
      for (const child of byId("panel-learn").children) {
        /** @type {HTMLElement} */ (child).hidden = section ? child.id !== section : !LEARN.includes(child.id);
      }
    },
    /**
     * Shows a panel in place of another, if that one is shown.
     * @param {string} shown
     * @param {string} name
    */
    replace(shown, name) {
      if (state.tab === shown) showTab(name);
    },
    /**
     * Shows or removes a tab.
     * @param {"end"|"learn"|"match"} name
     * @param {boolean} there
    */
    offer(name, there) {
      show(byId(`tab-${name}`), there);
      if (!there && state.tab === name) select(remembered());
    },
  };
}
