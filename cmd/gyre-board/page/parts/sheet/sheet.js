// A panel as a function of its state: the panel describes what it shows as plain values, blocks, and
// this module draws them. Blocks that did not change keep their elements, and the focus stays.

import { byId, html, targetOf } from "../../dom.js";
import { parseBoard } from "../../../../../position/drawing/rules.js";
import { t } from "../../language.js";
import { miniature } from "../miniature.js";
import { copyText, send } from "../share.js";

/**
 * A button: what it does, its text, and whether it is the main one.
 * @typedef {[act: string, text: string, main?: boolean]} Button
 */

/**
 * @typedef {Object} Card
 * @property {string} value given to act
 * @property {string} fen the position of the picture
 * @property {string} text
 * @property {string} [mark] a word below the text, such as "Found"
 * @property {string} [tone] "good" or "bad"
 */

/**
 * A part of a sheet. One of the first properties says what it is.
 * @typedef {Object} Block
 * @property {string} [title] with buttons next to it, which are in view even on a phone
 * @property {string} [text]
 * @property {number} [bar] a progress from 0 to 1
 * @property {Card[]} [cards]
 * @property {Array<Button|false>} [buttons]
 * @property {string} [copy] a text to copy, with further buttons
 * @property {string} [input] the text of a field, which act gets with "input" when it changes
 * @property {string[][]} [table] the first row and the first column are heads
 * @property {Array<{name: string, text: string, on: boolean}>} [days]
 * @property {string} [id] for tests, and to keep the focus
 * @property {string} [label] for screen readers
 * @property {string} [tone] "good", "bad" or "fine"
 */

/** A section of the panel Learn, which draws its blocks. */
export class Sheet {
  #root;
  /** @type {Array<{key: string, element: HTMLElement}>} */
  #drawn = [];

  /**
   * @param {string} id
   * @param {string} label for screen readers
   * @param {(act: string, value: string) => void} act called when a button is pressed
  */
  constructor(id, label, act) {
    const root = (this.#root = html("section", { id, className: "sheet", "aria-label": label, "data-testid": id, hidden: true }));
    byId("panel-learn").prepend(root);
    root.addEventListener("click", (event) => {
      const button = targetOf(event, "[data-act]");
      if (button) act(button.dataset.act, button.dataset.value ?? "");
    });
    root.addEventListener("change", (event) => targetOf(event, "input") && act("input", /** @type {HTMLInputElement} */ (event.target).value));
  }

  /**
   * Shows blocks in place of those before.
   * @param {Array<Block|false|null|undefined|""|0>} blocks
  */
  show(blocks) {
    const before = this.#drawn;
    const focused = /** @type {HTMLElement} */ (this.#root.contains(document.activeElement) ? document.activeElement : null)?.dataset.testid;
    this.#drawn = /** @type {Block[]} */ (blocks.filter(Boolean)).map((block, i) => {
      const key = JSON.stringify(block);
      const old = before[i];
      if (old?.key === key) return old;
      const element = elementOf(block);
      if (old) old.element.replaceWith(element);
      else this.#root.append(element);
      return { key, element };
    });
    before.slice(this.#drawn.length).forEach(({ element }) => element.remove());
    if (!focused || this.#root.contains(document.activeElement)) return;
    const again = this.#root.querySelector(`[data-testid="${focused}"]`) ?? this.#root.querySelector("h2");
    /** @type {HTMLElement} */ (again)?.focus();
  }
}

/** @param {Block} block @returns {HTMLElement} */
function elementOf(block) {
  const { id, label, tone = "" } = block;
  const named = { "data-testid": id, "aria-label": label };
  if (block.title !== undefined) return html("div", { className: "sheet-head" }, html("h2", { tabIndex: -1, className: tone, ...named }, block.title), ...buttonsOf(block));
  if (block.text !== undefined) return html("p", { className: tone, ...named }, block.text);
  if (block.bar !== undefined) return html("progress", { className: "sheet-bar", max: 1, value: block.bar, ...named });
  if (block.cards) return html("ol", { className: "cards", ...named }, ...block.cards.map(cardOf));
  if (block.copy !== undefined) return copyBox(block.copy, buttonsOf(block), named);
  if (block.buttons) return html("div", { className: "buttons left" }, ...buttonsOf(block));
  if (block.input !== undefined) return html("label", {}, `${label} `, html("input", { value: block.input, maxLength: 40, autocomplete: "nickname", "data-testid": id }));
  if (block.table) return tableOf(block.table, named);
  return html("ol", { className: "days", ...named }, ...block.days.map(({ name, text, on }) => html("li", { className: on ? "on" : "" }, html("span", {}, name), html("b", {}, text))));
}

/** @param {Block} block */
function buttonsOf({ buttons = [] }) {
  return buttons.filter((button) => button !== false).map(([act, text, main]) => html("button", { className: main ? "main" : "", "data-act": act, "data-testid": act }, text));
}

// Not every browser can share; one that cannot copies.
/** @param {string} text @param {HTMLElement[]} more further buttons @param {Object<string, any>} named */
function copyBox(text, more, named) {
  const box = html("textarea", { readOnly: true, rows: Math.min(text.split("\n").length, 4), value: text, ...named });
  const done = html("p", { className: "fine", role: "status" });
  const copy = async () => void (done.textContent = t((await copyText(box)) ? "text-copied" : "text-copy-it"));
  const buttons = [
    navigator.share && html("button", { className: "main", "data-testid": "sheet-send", onclick: () => send({ text }, copy) }, t("share-send")),
    html("button", { className: navigator.share ? "" : "main", "data-testid": "sheet-copy", onclick: copy }, t("copy-text")),
  ];
  return html("div", { className: "sheet-copy" }, html("div", { className: "buttons left" }, ...buttons, ...more), done, box);
}

/** @param {Card} card */
function cardOf({ value, fen, text, mark, tone = "" }) {
  const words = html("span", {}, text, mark ? html("b", { className: tone }, mark) : null);
  return html("li", {}, html("button", { "data-act": "card", "data-value": value, "data-testid": `card-${value}` }, html("span", { className: "card-board" }, miniature(parseBoard(fen).points)), words));
}

/** @param {string[][]} table @param {Object<string, any>} named */
function tableOf(table, named) {
  const [head, ...rows] = table;
  const top = html("tr", {}, html("td"), ...head.slice(1).map((text) => html("th", { scope: "col" }, text)));
  const body = rows.map(([name, ...cells]) => html("tr", {}, html("th", { scope: "row" }, name), ...cells.map((text) => html("td", {}, text))));
  return html("table", { className: "sheet-table", ...named }, html("thead", {}, top), html("tbody", {}, ...body));
}
