// The help dialog: the rules in short, the mouse, the keys, and turns as text.

import { byId, html, markup } from "../../dom.js";
import { openDialog } from "../../panels/dialogs.js";
import { t } from "../../language.js";

/** The keys of a row in the table, and the message that says what they do. */
const KEYS = [
  [["↑", "↓"], "up-down"],
  [["←", "→"], "left-right"],
  [["Shift", "↑"], "shift"],
  [["Enter"], "enter"],
  [["n", "p"], "n-p"],
  [["Esc", "Backspace"], "escape"],
  [["m", "l"], "m-l"],
  [[",", "."], "comma"],
  [["Home", "End"], "home"],
  [["g", "i"], "g-i"],
  [["u", "r"], "u-r"],
  [["h"], "h"],
  [["f"], "f"],
  [["a", "t"], "a-t"],
  [["d"], "d"],
  [["?"], "help"],
];

const SHEET = `
<dialog id="help-dialog" aria-labelledby="help-title" data-testid="help-dialog">
  <h2 id="help-title" tabindex="-1" autofocus data-l10n="help"></h2>
  <div id="help-how"></div>
  <h3 data-l10n="help-mouse-title"></h3>
  <p data-l10n="help-mouse"></p>
  <h3 data-l10n="help-keys-title"></h3>
  <table class="keys"><tbody id="help-keys"></tbody></table>
  <h3 data-l10n="help-text-title"></h3>
  <p data-l10n="help-text"></p>
  <div class="buttons"><button type="button" class="main" data-close data-l10n="close"></button></div>
</dialog>`;

/** @param {import("../../_types/page").Page} page */
export function begin({ parts }) {
  document.body.append(markup(SHEET));
  for (const [keys, id] of KEYS) {
    const names = [...keys].flatMap((key) => [" ", html("kbd", {}, key)]).slice(1);
    byId("help-keys").append(html("tr", {}, html("th", { scope: "row" }, ...names), html("td", {}, t(`key-${id}`))));
  }
  byId("help-how").append(byId("how").querySelector("ol").cloneNode(true));
  parts.open("pictures");
  return { open: () => openDialog("help-dialog") };
}
