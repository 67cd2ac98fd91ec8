// Offers after a game, in the tab Result: to turn on the sounds, and to install the board if the
// browser allows it. Each is made once.

import { byId, html } from "../../dom.js";
import { saveSettings, settings } from "../../game/settings.js";
import { t } from "../../language.js";

/**
 * The browser's own offer to install the page.
 * @typedef {Event & {prompt: () => Promise<void>}} InstallEvent
 */

/** @param {import("../../_types/page").Page} page */
export function begin({ controller }) {
  const root = html("div", { className: "offers", "data-testid": "offers" });
  byId("end-level").after(root);
  controller.addEventListener("game", () => root.replaceChildren());
  return { open: (found) => offer(root, found) };
}

/**
 * @param {HTMLElement} root
 * @param {{install: InstallEvent|null}} found
 */
function offer(root, { install }) {
  const { offered = [], sound } = settings();
  const made = [];
  /** @param {string} name @param {string} text @param {string} label @param {() => void} act */
  const add = (name, text, label, act) => {
    if (offered.includes(name)) return;
    made.push(name);
    const line = html("p", {}, html("span", {}, text), html("button", {
      "data-testid": `offer-${name}`,
      onclick: () => {
        line.remove();
        act();
      },
    }, label));
    root.append(line);
  };
  if (!sound) add("sound", t("offer-sound"), t("offer-sound-yes"), () => saveSettings({ sound: "on" }));
  if (install) add("install", t("offer-install"), t("offer-install-yes"), () => install.prompt());
  if (made.length) saveSettings({ offered: [...offered, ...made] });
}
