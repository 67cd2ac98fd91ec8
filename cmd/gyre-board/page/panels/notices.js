// Notices above the board: a lost connection, a failed engine, a game that cannot be
// opened or stored. They can have an action and be dismissed. Also the announcements for
// screen readers.

import { byId, html } from "../dom.js";
import { isDamage, reasonOf } from "../failures.js";
import { isStorageBlocked } from "../game/settings.js";
import { repairDatabase } from "../game/store.js";
import { t } from "../language.js";

/** A download is shown if it takes longer. */
const LONG_MS = 1000;

/** Shows and removes notices. */
export class Notices {
  #root = byId("notices");
  /** @type {Map<string, {notice: HTMLElement, text: string, act?: function}>} */
  #shown = new Map();

  /** @param {import("../_types/page").Page} page */
  constructor(page) {
    const { link, searches } = page;
    new ResizeObserver(() => document.body.style.setProperty("--notices-height", `${this.#root.offsetHeight}px`)).observe(this.#root);
    link.addEventListener("lost", ({ detail }) => this.show("connection", t("trying-again", { what: detail }), { mild: true, lasting: true }));
    link.addEventListener("open", () => this.remove("connection"));
    this.#showDownload(link);
    searches.addEventListener("restarted", ({ detail: { engine, reason } }) => {
      this.show(`engine ${engine}`, t("engine-restarted", { engine, reason }), { mild: true });
    });
    searches.addEventListener("failed", ({ detail: { engine, reason } }) => {
      const restart = async () => {
        try {
          await link.ask("restart", { engine });
          page.play.retry();
          page.analysis.restart();
        } catch (error) {
          this.show(`engine ${engine}`, t("engine-not-started", { engine, reason: reasonOf(error) }), { action: [t("try-again"), restart] });
        }
      };
      this.show(`engine ${engine}`, t("engine-stopped", { engine, reason }), { action: [t("restart-engine", { engine }), restart] });
    });
  }

  // Shows the progress of a download that takes long, and that it was interrupted.
  #showDownload(link) {
    const bar = html("progress", { "aria-label": t("download") });
    let shown = "";
    let timer = 0;
    const show = (text) => {
      if (text !== shown) this.show("download", text, { mild: true, lasting: true });
      shown = text;
      this.#shown.get("download")?.notice.append(bar);
    };
    link.addEventListener("progress", ({ detail: { received, size, interrupted } }) => {
      bar.max = size || 1;
      if (size) bar.value = received;
      else bar.removeAttribute("value");
      if (interrupted) show(t("download-interrupted"));
      else if (shown) show(t("downloading"));
      else timer ||= setTimeout(() => show(t("downloading")), LONG_MS);
    });
    link.addEventListener("open", () => {
      clearTimeout(timer);
      [shown, timer] = ["", 0];
      this.remove("download");
    });
  }

  /**
   * Shows a notice, replacing the one with the same key. The same text with the same action
   * stays in place, so that a click on it is not lost.
   * @param {string} key
   * @param {string} text
   * @param {Object} [options]
   * @param {[string, () => any, boolean?]} [options.action] the label and action of a button, and whether the notice stays
   * @param {boolean} [options.mild] whether it is not an error
   * @param {boolean} [options.lasting] whether the user cannot dismiss it
  */
  show(key, text, { action, mild, lasting } = {}) {
    const before = this.#shown.get(key);
    if (action && before?.text === text && before.act === action[1]) return;
    this.remove(key);
    const notice = html("div", { className: mild ? "notice mild" : "notice", "data-testid": "notice", "data-notice": key }, html("p", {}, text));
    if (action) notice.append(html("button", { "data-testid": "notice-action", onclick: () => (action[2] || this.remove(key), action[1]()) }, action[0]));
    if (!lasting) notice.append(html("button", { "data-testid": "notice-close", "aria-label": t("close"), onclick: () => this.remove(key) }, "×"));
    this.#shown.set(key, { notice, text, act: action?.[1] });
    this.#root.append(notice);
  }

  /**
   * Says that something was removed, and offers to restore it.
   * @param {string} text
   * @param {() => any} undo
  */
  offerUndo(text, undo) {
    this.show("undo", text, { mild: true, action: [t("undo"), undo] });
  }

  /**
   * Removes a notice.
   * @param {string} key
  */
  remove(key) {
    this.#shown.get(key)?.notice.remove();
    this.#shown.delete(key);
  }
}

/**
 * Shows notices about storing games, and removes those about another game.
 * @param {import("../_types/page").Page} page
 */
export function showGameNotices({ controller, autosave, parts, notices }) {
  // Notices about another game are outdated.
  controller.addEventListener("game", () => ["game", "taken", "undo", "copied", "line"].forEach((key) => notices.remove(key)));
  // A browser that blocks site data says so for every change of a game: say it once.
  if (isStorageBlocked()) {
    notices.show("storage", t("nothing-stored"), { mild: true });
    return;
  }
  const repair = async () => {
    try {
      const { kept, lost } = await repairDatabase();
      notices.show("repaired", [t("repaired", { count: kept }), lost && t("repaired-lost", { count: lost })].filter(Boolean).join(" "), { mild: true });
      controller.save();
    } catch {
      notices.show("keeping", t("not-repaired"), { action: [t("save-as-file"), saveAsFile, true] });
    }
  };
  const saveAsFile = async () => (await parts.get("games", saveAsFile))?.save();
  autosave.addEventListener("failed", ({ detail }) => {
    const text = t("game-not-stored", { reason: reasonOf(detail) });
    notices.show("keeping", text, { action: isDamage(detail) ? [t("repair"), repair] : [t("save-as-file"), saveAsFile, true] });
  });
  autosave.addEventListener("kept", () => notices.remove("keeping"));
  autosave.addEventListener("copied", () => notices.show("copied", t("continued-as-copy"), { mild: true }));
}

/** Texts closer together than this are read as one. */
const TOGETHER_MS = 60;

/** The page's single polite live region. A repeated text is read again. */
export class Announcer {
  #region = byId("announcer");
  #waiting = [];
  #timer = 0;

  /**
   * Reads out a text.
   * @param {string} text
  */
  say(text) {
    if (!text || this.#waiting.includes(text)) return;
    this.#waiting.push(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), TOGETHER_MS);
  }

  #read() {
    // Clearing it first makes a repeated text new.
    this.#region.replaceChildren();
    const text = this.#waiting.join(" ");
    this.#waiting = [];
    requestAnimationFrame(() => this.#region.append(text));
  }
}
