// The settings dialog. A change applies at once and is stored for all tabs and visits.

import { makePiece, setSpot } from "../../../../../position/drawing/pieces.js";
import { byId, html, markup, svg } from "../../dom.js";
import { languages, t } from "../../language.js";
import { saveSettings, settings } from "../../game/settings.js";
import { openDialog } from "../../panels/dialogs.js";

const DIALOG = `
<dialog id="settings-dialog" aria-labelledby="settings-title" data-testid="settings-dialog">
  <h2 id="settings-title" data-l10n="settings-title"></h2>
  <form id="settings-form"></form>
  <div class="buttons"><button type="button" class="main" data-close data-l10n="done"></button></div>
</dialog>`;

/** A setting's name, its title, and its values with their labels. What changes the play comes before the looks. */
const CHOICES = /** @type {Array<[string, string, Array<[string, string]>]>} */ ([
  ["language", t("setting-language"), [["", t("setting-auto")], ...languages.map((code) => [code, languageName(code)])]],
  ["coach", t("setting-coach"), [["", t("setting-off")], ["on", t("coach-on")]]],
  ["confirm", t("setting-confirm"), [["", t("setting-off")], ["people", t("confirm-people")], ["always", t("confirm-always")]]],
  ["mySide", t("setting-side"), [["", t("side-bottom")], ["white", t("side-white-bottom")]]],
  ["sound", t("setting-sound"), [["", t("setting-off")], ["on", t("sound-on")]]],
  ["board", t("setting-board"), [["", t("board-blue")], ["wood", t("board-wood")], ["slate", t("board-slate")]]],
  ["theme", t("setting-theme"), [["", t("setting-auto")], ["light", t("theme-light")], ["dark", t("theme-dark")]]],
  ["motion", t("setting-motion"), [["", t("setting-auto")], ["on", t("motion-on")], ["off", t("motion-off")]]],
]);

// A language in its own words, with a capital, as on a button.
function languageName(code) {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code);
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** Creates the dialog. */
export function begin() {
  document.body.append(markup(DIALOG));
  const form = byId("settings-form");
  const kept = settings();
  form.append(...CHOICES.map(([name, title, values]) => {
    const options = values.map(([value, text]) => {
      const input = html("input", { type: "radio", name, value, checked: (kept[name] ?? "") === value });
      return html("label", {}, input, html("span", { lang: name === "language" && value ? value : undefined }, name === "board" && swatch(value), text));
    });
    return html("fieldset", { className: `choose-${name}` }, html("legend", {}, title), html("div", { className: "options" }, ...options));
  }));
  form.addEventListener("change", ({ target }) => {
    const { name, value } = /** @type {HTMLInputElement} */ (target);
    saveSettings({ [name]: value });
    if (name === "board" || name === "theme") show(name, value);
    // The game stays as it is; a page in two languages would not.
    if (name === "language") location.reload();
  });
  return { open: () => openDialog("settings-dialog") };
}

// The style sheets depend on attributes of the page, which early.js sets on load.
function show(name, value) {
  if (value) document.documentElement.dataset[name] = value;
  else delete document.documentElement.dataset[name];
}

// A sample of a board.
function swatch(board) {
  const root = html("span", { className: "swatch", "data-board": board, "aria-hidden": "true" });
  const drawing = svg("svg", { viewBox: "-140 -70 280 140" }, svg("path", { class: "plate-lines", d: "M-260 50L173 -200M-260 150L173 -100M-260 -50L173 200M-260 -150L173 100M-173 -100L173 100M-173 100L173 -100M0 -200L173 -100M0 200L173 100M-87 -200V200M87 -200V200M0 -200V200" }));
  for (const [kind, side, x] of /** @type {const} */ ([["ring", "w", -87], ["marker", "b", 0], ["ring", "b", 87]])) {
    const piece = makePiece(kind, side);
    setSpot(piece.element, { x, y: x / -Math.sqrt(3) });
    drawing.append(piece.element);
  }
  root.append(drawing);
  return root;
}
