// What all dialogs have in common: the browser's own <dialog>, which keeps the
// focus inside and gives it back.

import { byId } from "../dom.js";

/**
 * Opens a dialog over the page.
 * @param {string} id
 */
export function openDialog(id) {
  const dialog = byId(id);
  if (!dialog.open) dialog.showModal();
}

/** Whether a dialog is open. */
export function dialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** Lets the close buttons of all dialogs, and a click beside one, close it. */
export function prepareDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      const box = dialog.getBoundingClientRect();
      const { clientX: x, clientY: y, target } = event;
      const beside = x < box.left || x > box.right || y < box.top || y > box.bottom;
      if (target.closest("[data-close]") || (target === dialog && beside)) dialog.close();
    });
  }
}
