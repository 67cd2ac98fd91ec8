// The dialogs: the browser's own <dialog>, which keeps the focus inside and gives
// it back; that of the user's settings, colours and animations; and the rules in
// short, beside the board.

import { byId, setText, targetOf } from "../dom.js";
import { SIDES } from "../game/game.js";
import { saveSettings, settings } from "../game/settings.js";

/**
 * Opens a dialog over the page.
 * @param {"new-dialog"|"games-dialog"|"settings-dialog"|"help-dialog"|"image-dialog"|"editor-dialog"|"rating-dialog"} id
 */
export function openDialog(id) {
  const dialog = byId(id);
  if (dialog.open) return;
  dialog.showModal();
  // The browser scrolls to what it gives the focus, which may be the last button.
  dialog.scrollTop = 0;
}

/** Whether a dialog is open. */
export function dialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** Lets the close buttons of every dialog, and a click beside one, close it. */
export function prepareDialogs() {
  document.addEventListener("click", (event) => {
    const dialog = targetOf(event, "dialog");
    if (!(dialog instanceof HTMLDialogElement)) return;
    const box = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const beside = x < box.left || x > box.right || y < box.top || y > box.bottom;
    if (targetOf(event, "[data-close]") || (event.target === dialog && beside)) dialog.close();
  });
}

/** The dialog of settings. */
export class Settings {
  #still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor() {
    const { theme = "", motion = "", sound = "", coach = "", board: plate = "" } = settings();
    byId("settings").addEventListener("click", () => openDialog("settings-dialog"));
    byId("theme").value = theme;
    byId("theme").addEventListener("change", () => {
      const { value } = byId("theme");
      saveSettings({ theme: value });
      if (value) document.documentElement.dataset.theme = value;
      else delete document.documentElement.dataset.theme;
    });
    byId("board-theme").value = plate;
    byId("board-theme").addEventListener("change", () => {
      const { value } = byId("board-theme");
      saveSettings({ board: value });
      document.documentElement.dataset.board = value;
    });
    byId("motion").value = motion;
    byId("motion").addEventListener("change", () => saveSettings({ motion: byId("motion").value }));
    byId("sound").value = sound;
    byId("sound").addEventListener("change", () => saveSettings({ sound: byId("sound").value }));
    byId("coach-asks").value = coach;
    byId("coach-asks").addEventListener("change", () => saveSettings({ coach: byId("coach-asks").value }));
  }

  /** Whether turns are shown in motion. */
  get motion() {
    const chosen = byId("motion").value;
    return chosen ? chosen === "on" : !this.#still.matches;
  }
}

/** Keeps the rules in short, and their name in the head of the page, true for the open game. */
export class RulesInShort {
  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   */
  constructor({ controller }) {
    controller.addEventListener("game", () => {
      const { rules, players } = controller.game;
      document.documentElement.dataset.rules = rules;
      setText(byId("variant"), rules === "blitz" ? ": blitz" : "");
      const persons = ["w", "b"].filter((side) => players[side].kind === "person");
      const you = ["Two engines play, you watch.", `You are ${SIDES[persons[0]]}.`, "You move both sides, in turn."];
      setText(byId("how-side"), you[persons.length]);
    });
  }
}
