// Notices: a lost connection, a failed engine, a game that cannot be
// opened or stored. They can have an action and be dismissed. Also the announcements for
// screen readers.

import { byId, html } from "../dom.js";
import { isDamage, reasonOf } from "../failures.js";
import { isStorageBlocked } from "../game/settings.js";
import { repairDatabase } from "../game/store.js";
import { t } from "../language.js";

/** A download is shown if it takes longer. */
const LONG_MS = 1000;

/**
 * Shows and removes notices.
 * @param {import("../_types/page").Page} page
 */
export function noticesOf(page) {
  const { link, searches } = page;
  const root = byId("notices");
  /** @type {Map<string, {notice: HTMLElement, text: string, act?: function}>} */
  const shown = new Map();

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
  const show = (key, text, { action, mild, lasting } = {}) => {
    const before = shown.get(key);
    if (action && before?.text === text && before.act === action[1]) return;
    remove(key);
    const notice = html("div", { className: mild ? "notice mild" : "notice", "data-testid": "notice", "data-notice": key }, html("p", {}, text));
    if (action) notice.append(html("button", { "data-testid": "notice-action", onclick: () => (action[2] || remove(key), action[1]()) }, action[0]));
    if (!lasting) notice.append(html("button", { "data-testid": "notice-close", "aria-label": t("close"), onclick: () => remove(key) }, "×"));
    shown.set(key, { notice, text, act: action?.[1] });
    root.append(notice);
  };

  /** Removes a notice. @param {string} key */
  const remove = (key) => {
    shown.get(key)?.notice.remove();
    shown.delete(key);
  };

  /**
   * Says that something was removed, and offers to restore it.
   * @param {string} text
   * @param {() => any} undo
   * @param {(reason: string) => string} [failed] what to say if that fails, before it is offered again
  */
  const offerUndo = (text, undo, failed) => {
    const attempt = async () => {
      try {
        await undo();
      } catch (error) {
        if (!failed) throw error;
        offerUndo(failed(reasonOf(error)), undo, failed);
      }
    };
    show("undo", text, { mild: true, action: [t("undo"), attempt] });
  };

  new ResizeObserver(() => document.body.style.setProperty("--notices-height", `${root.offsetHeight}px`)).observe(root);

  // Shows the progress of a download that takes long, and that it was interrupted.
  const bar = html("progress", { "aria-label": t("download") });
  let download = "";
  let timer = 0;
  const showDownload = (text) => {
    if (text !== download) show("download", text, { mild: true, lasting: true });
    download = text;
    shown.get("download")?.notice.append(bar);
  };
  link.addEventListener("progress", ({ detail: { received, size, interrupted } }) => {
    bar.max = size || 1;
    if (size) bar.value = received;
    else bar.removeAttribute("value");
    if (interrupted) showDownload(t("download-interrupted"));
    else if (download) showDownload(t("downloading"));
    else timer ||= setTimeout(() => showDownload(t("downloading")), LONG_MS);
  });

  link.addEventListener("lost", ({ detail }) => show("connection", t("trying-again", { what: detail }), { mild: true, lasting: true }));
  link.addEventListener("open", () => {
    clearTimeout(timer);
    [download, timer] = ["", 0];
    for (const key of ["connection", "download"]) remove(key);
  });
  searches.addEventListener("restarted", ({ detail: { engine, reason } }) => {
    show(`engine ${engine}`, t("engine-restarted", { engine, reason }), { mild: true });
  });
  searches.addEventListener("failed", ({ detail: { engine, reason } }) => {
    const restart = async () => {
      try {
        await link.ask("restart", { engine });
        page.play.update();
        page.analysis.restart();
      } catch (error) {
        show(`engine ${engine}`, t("engine-not-started", { engine, reason: reasonOf(error) }), { action: [t("try-again"), restart] });
      }
    };
    show(`engine ${engine}`, t("engine-stopped", { engine, reason }), { action: [t("restart-engine", { engine }), restart] });
  });
  return { show, remove, offerUndo };
}

/**
 * Shows notices about storing games, and removes those about another game.
 * @param {import("../_types/page").Page} page
 */
export function showGameNotices({ controller, autosave, parts, notices }) {
  // Notices about another game are outdated.
  controller.addEventListener("game", () => ["game", "taken", "undo", "copied", "line", "resign"].forEach((key) => notices.remove(key)));
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

/**
 * The page's single polite live region. Returns the function that reads out a text, a repeated one again.
 * @returns {(text: string) => void}
 */
export function announcer() {
  const region = byId("announcer");
  let waiting = [];
  let timer = 0;
  const read = () => {
    // Clearing it first makes a repeated text new.
    region.replaceChildren();
    const text = waiting.join(" ");
    waiting = [];
    requestAnimationFrame(() => region.append(text));
  };
  return (text) => {
    if (!text || waiting.includes(text)) return;
    waiting.push(text);
    clearTimeout(timer);
    timer = setTimeout(read, TOGETHER_MS);
  };
}
