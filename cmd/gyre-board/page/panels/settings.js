// The user's settings: colours and animations.

import { byId } from "../dom.js";
import { saveSettings, settings } from "../game/store.js";
import { openDialog } from "./dialogs.js";

/** The dialog of settings. */
export class Settings {
  #still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor() {
    const { theme = "", motion = "" } = settings();
    byId("settings").addEventListener("click", () => openDialog("settings-dialog"));
    byId("theme").value = theme;
    byId("theme").addEventListener("change", ({ target }) => {
      saveSettings({ theme: target.value });
      if (target.value) document.documentElement.dataset.theme = target.value;
      else delete document.documentElement.dataset.theme;
    });
    byId("motion").value = motion;
    byId("motion").addEventListener("change", ({ target }) => saveSettings({ motion: target.value }));
  }

  /** Whether turns are shown in motion. */
  get motion() {
    const chosen = byId("motion").value;
    return chosen ? chosen === "on" : !this.#still.matches;
  }
}
