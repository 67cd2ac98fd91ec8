// The dialogs: the browser's own <dialog>, which keeps the focus inside and gives it back;
// and the rules in short, beside the board.

import { byId, setText, targetOf } from "../dom.js";
import { SIDES } from "../game/game.js";

/**
 * Opens a dialog over the page.
 * @param {"new-dialog"|"games-dialog"|"settings-dialog"|"help-dialog"|"image-dialog"|"editor-dialog"|"rating-dialog"|"reviews-dialog"|"match-dialog"} id
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
