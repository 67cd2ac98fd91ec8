// A panel as a function of its state: the panel describes what it shows as plain values, blocks, and
// this module draws them. Blocks that did not change keep their elements, and the focus stays.

import { byId, fill, html, setText, targetOf } from "../../dom.js";
import { parseBoard } from "../../../../../position/drawing/rules.js";
import { reasonOf } from "../../failures.js";
import { t } from "../../language.js";
import { bandChart } from "../chart.js";
import { miniature } from "../miniature.js";
import { copyText, send } from "../share.js";

/**
 * Plain text, or texts in a row of which some have a class, and words for screen readers and pointers
 * if the text is a sign.
 * @typedef {string | Array<string | [text: string, tone: string, spoken?: string]>} Words
 */

/**
 * A button: what it does, its text, whether it is the main one, and more.
 * @typedef {[act: string, text: Words, main?: boolean, more?: {value?: string, disabled?: boolean, current?: boolean, title?: string, label?: string}]} Button
 */

/** @typedef {{value: string, fen: string, text: string, mark?: string, tone?: string}} Card with a word below the text, such as "Found" */

/**
 * A part of a sheet. One of the first properties says what it is.
 * @typedef {Object} Block
 * @property {string} [title] with buttons next to it, which are in view even on a phone
 * @property {boolean} [instead] whether the sheet's words take the place of the turn's on a phone
 * @property {"div"|"ul"|"ol"|"li"} [group] an element around blocks
 * @property {string} [fold] a line that opens to blocks
 * @property {Words} [text]
 * @property {number} [bar] a progress from 0 to 1
 * @property {Array<Button|false|null|undefined>} [buttons] alone, or of a title, a text, a bar or a copy
 * @property {Card[]} [cards]
 * @property {string} [image] its address
 * @property {string} [copy] a text to copy, with further buttons
 * @property {string} [input] the name of a field for a text
 * @property {string} [choice] the name of a list with options
 * @property {string} [check] a box that gives this value to act, with a text
 * @property {Words[][]} [table] the first row and the first column are heads; with a legend
 * @property {Parameters<typeof bandChart>} [chart]
 * @property {Array<{name: string, text: string, on: boolean}>} [days]
 *
 * @property {Maybe[]} [blocks]
 * @property {string|boolean} [value] of a field, which its id names when act gets another one
 * @property {Array<[value: string, text: string]>} [options]
 * @property {boolean} [disabled]
 * @property {string} [legend]
 * @property {boolean} [open] whether a fold is open at first
 * @property {string} [id] for tests, and to keep the focus
 * @property {string} [label] for screen readers
 * @property {string} [role]
 * @property {string} [tone] "good", "bad", "fine" or another class
 *
 * @typedef {Block|false|null|undefined|""|0} Maybe a block, if there is one
 */

/** A section of the panel Learn for blocks. @param {string} id @param {string} label for screen readers */
export function learnSection(id, label) {
  const root = html("section", { id, className: "sheet", "aria-label": label, "data-testid": id, hidden: true });
  byId("panel-learn").prepend(root);
  return root;
}

/** A dialog for blocks. @param {string} id @param {string} label for screen readers */
export function dialogFor(id, label) {
  const root = html("dialog", { id, "aria-label": label, "data-testid": id });
  document.body.append(root);
  return root;
}

/** A data URL for an SVG image. @param {string} svg */
export function addressOf(svg) {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/**
 * A panel: an element that shows a state, which changes in one place.
 * @template State
 */
export class Sheet {
  root;
  #sheetOf;

  /**
   * @param {HTMLElement} root which has nothing else in it
   * @param {(state: State) => Maybe[]} sheetOf what is shown of a state
   * @param {Object<string, (value: string) => any>} acts what the buttons and fields do
   * @param {State} state at first
  */
  constructor(root, sheetOf, acts, state) {
    [this.root, this.#sheetOf, this.state] = [root, sheetOf, state];
    root.addEventListener("click", (event) => {
      const { act, value = "" } = targetOf(event, "button[data-act]")?.dataset ?? {};
      if (act) acts[act](value);
    });
    root.addEventListener("change", (event) => {
      const { dataset: { act, value }, value: text } = /** @type {HTMLInputElement} */ (event.target);
      if (act) acts[act](value ?? text);
    });
  }

  /**
   * Changes the state and shows it.
   * @param {Partial<State>} [changes]
  */
  change(changes) {
    this.state = { ...this.state, ...changes };
    const { root } = this;
    const focused = /** @type {HTMLElement} */ (root.contains(document.activeElement) ? document.activeElement : null)?.dataset;
    const blocks = this.#sheetOf(this.state);
    draw(root, blocks);
    root.classList.toggle("instead", blocks.some((block) => block && block.instead));
    if (!focused?.testid || root.contains(document.activeElement)) return;
    const alike = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(`[data-testid="${focused.testid}"]`)]);
    const again = alike.find(({ dataset }) => dataset.value === focused.value) ?? alike[0] ?? root.querySelector("h2");
    again?.focus();
  }
}

/**
 * Runs a function, and shows a failure in a panel that has a text for that.
 * @param {Pick<Sheet<{said: string}>, "change">} sheet
 * @param {() => any} act
 */
export async function attempt(sheet, act) {
  try {
    await act();
  } catch (error) {
    sheet.change({ said: t("not-now", { reason: reasonOf(error) }) });
  }
}

// These change in place: a new element would lose a click that has begun, the place in a list, the words
// of a live region, or what a person has opened.
const LIVE = ["instead", "title", "fold", "text", "bar", "image", "copy", "value", "disabled", "blocks"];

/** What an element shows. @type {WeakMap<Element, Array<ReturnType<typeof make> & {key: string, all: string}>>} */
const drawn = new WeakMap();

/** @param {HTMLElement} root @param {Maybe[]} blocks */
function draw(root, blocks) {
  const before = [...(drawn.get(root) ?? [])];
  const after = /** @type {Block[]} */ (blocks.filter(Boolean)).map((block) => {
    const key = JSON.stringify(Object.entries(block).map(([name, value]) => [name, LIVE.includes(name) || value]));
    const all = JSON.stringify(block);
    const at = before.findIndex((one) => one.key === key);
    const made = at < 0 ? { ...make(block), key, all: "" } : before.splice(at, 1)[0];
    if (made.all !== all) made.set?.(block);
    made.all = all;
    return made;
  });
  fill(root, after.map(({ element }) => element));
  drawn.set(root, after);
}

/** What shows a block, and what changes it in place. @param {Block} block @returns {{element: HTMLElement, set?: (block: Block) => void}} */
function make(block) {
  const { id, label, role, open, tone = "" } = block;
  const named = { "data-testid": id, "aria-label": label, role };
  const buttons = (block.buttons ?? []).filter(Boolean).map(buttonOf);
  if (block.title !== undefined) {
    const head = html("h2", { tabIndex: -1, className: tone, ...named });
    return { element: buttons.length ? html("div", { className: "sheet-head" }, head, ...buttons) : head, set: ({ title }) => setText(head, title) };
  }
  if (block.group) {
    // A region may scroll.
    const element = html(block.group, { className: tone, tabIndex: role === "region" ? 0 : undefined, ...named });
    return { element, set: ({ blocks }) => draw(element, blocks) };
  }
  if (block.fold !== undefined) {
    const [line, inner] = [html("summary"), html("div")];
    return { element: html("details", { className: tone, open, ...named }, line, inner), set: ({ fold, blocks }) => (setText(line, fold), draw(inner, blocks)) };
  }
  if (block.check !== undefined) {
    const [box, words] = [html("input", { type: "checkbox", "data-act": id, "data-value": block.check, "data-testid": id }), html("span")];
    return { element: html("label", { className: "check" }, box, words), set: ({ text, value, disabled }) => (setWords(words, text), Object.assign(box, { checked: value, disabled })) };
  }
  if (block.text !== undefined) {
    const words = html("span");
    const element = html("p", { className: tone, ...named }, ...(buttons.length ? [words, " ", ...buttons] : []));
    return { element, set: ({ text }) => setWords(buttons.length ? words : element, text) };
  }
  if (block.bar !== undefined) {
    const bar = html("progress", { className: "sheet-bar", max: 1, ...named });
    return { element: buttons.length ? html("div", { className: "review-progress" }, bar, ...buttons) : bar, set: (now) => (bar.value = now.bar) };
  }
  if (block.choice !== undefined || block.input !== undefined) {
    const field = block.choice !== undefined
      ? html("select", { "data-act": id, "data-testid": id }, ...block.options.map(([value, text]) => html("option", { value }, text)))
      : html("input", { maxLength: 40, autocomplete: "nickname", placeholder: block.input, "aria-label": block.input, "data-act": id, "data-testid": id });
    return { element: html("label", {}, block.choice && `${block.choice} `, field), set: ({ value, disabled = false }) => Object.assign(field, { value, disabled }) };
  }
  if (block.cards) return { element: html("ol", { className: "cards", ...named }, ...block.cards.map(cardOf)) };
  if (block.image !== undefined) {
    const element = html("img", { className: tone, alt: label, ...named });
    return { element, set: ({ image }) => (element.src = image) };
  }
  if (block.copy !== undefined) return copyBox(buttons, named);
  if (block.table) return { element: tableOf(block, { className: tone || "sheet-table", ...named }) };
  if (block.chart) return { element: bandChart(...block.chart) };
  if (block.days) return { element: html("ol", { className: "days", ...named }, ...block.days.map(({ name, text, on }) => html("li", { className: on ? "on" : "" }, html("span", {}, name), html("b", {}, text)))) };
  return { element: html("div", { className: `buttons ${block.tone ?? "left"}` }, ...buttons) };
}

/** @param {Button} button */
function buttonOf([act, text, main, { value, disabled, current, title, label } = {}]) {
  return html("button", { type: "button", className: main ? "main" : "", disabled, title, "aria-label": label, "aria-current": current ? "step" : undefined, "data-act": act, "data-value": value, "data-testid": act }, ...nodesOf(text));
}

/** @param {Words} words @returns {Array<Node|string>} */
function nodesOf(words) {
  if (typeof words === "string") return [words];
  return words.map((part) => {
    if (typeof part === "string") return part;
    const [text, className, spoken] = part;
    if (!spoken) return html("span", { className }, text);
    return html("span", { className, title: spoken }, html("span", { "aria-hidden": "true" }, text), html("span", { className: "unseen" }, spoken));
  });
}

/** @param {HTMLElement} element @param {Words} words */
function setWords(element, words) {
  if (typeof words === "string") setText(element, words);
  else element.replaceChildren(...nodesOf(words));
}

// Not every browser can share; one that cannot copies.
/** @param {HTMLElement[]} more further buttons @param {Object<string, any>} named @returns {ReturnType<typeof make>} */
function copyBox(more, named) {
  const box = html("textarea", { readOnly: true, ...named });
  const done = html("p", { className: "fine", role: "status" });
  const copy = async () => void (done.textContent = t((await copyText(box)) ? "text-copied" : "text-copy-it"));
  const buttons = [
    navigator.share && html("button", { className: "main", "data-testid": "sheet-send", onclick: () => send(box.value, copy) }, t("share-send")),
    html("button", { className: navigator.share ? "" : "main", "data-testid": "sheet-copy", onclick: copy }, t("copy-text")),
  ];
  const element = html("div", { className: "sheet-copy" }, html("div", { className: "buttons left" }, ...buttons, ...more), done, box);
  const set = ({ copy: text }) => {
    Object.assign(box, { value: text, rows: Math.min(text.split("\n").length, 4) });
    setText(done, "");
  };
  return { element, set };
}

/** @param {Card} card */
function cardOf({ value, fen, text, mark, tone = "" }) {
  const words = html("span", {}, text, mark ? html("b", { className: tone }, mark) : null);
  return html("li", {}, html("button", { "data-act": "card", "data-value": value, "data-testid": `card-${value}` }, html("span", { className: "card-board" }, miniature(parseBoard(fen).points)), words));
}

/** @param {Block} block @param {Object<string, any>} named */
function tableOf({ table: [head, ...rows], legend }, named) {
  const top = html("tr", {}, ...head.map((words) => (words === "" ? html("td") : html("th", { scope: "col" }, ...nodesOf(words)))));
  const body = rows.map(([name, ...cells]) => html("tr", {}, html("th", { scope: "row" }, ...nodesOf(name)), ...cells.map((words) => html("td", {}, ...nodesOf(words)))));
  return html("table", named, legend ? html("caption", {}, legend) : null, html("thead", {}, top), html("tbody", {}, ...body));
}
