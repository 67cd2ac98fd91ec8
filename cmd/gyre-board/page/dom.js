// Creating elements, and changing them in place.

import { localize } from "./language.js";

export { svg } from "../../../position/drawing/svg.js";

/**
 * Creates an HTML element. Properties that start with "on" are listeners, names with
 * a dash are attributes, and all others are properties of the element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Object<string, any>} [properties]
 * @param {...(Node|string|null|false)} children
 */
export function html(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  for (const child of children) if (child !== null && child !== false && child !== undefined) element.append(child);
  return element;
}

/**
 * Gives an element its children. Those that stay are not touched, nor laid out again.
 * @param {Element} root
 * @param {Element[]} children
 */
export function fill(root, children) {
  for (const child of [...root.children]) if (!children.includes(child)) child.remove();
  children.forEach((child, i) => root.children[i] === child || root.insertBefore(child, root.children[i]));
}

/**
 * Parses HTML and fills in its messages. The text must be the page's own, never from elsewhere.
 * @param {string} text
 */
export function markup(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  localize(template.content);
  return template.content;
}

/**
 * The element with an id, which must exist.
 * @template {string} Id
 * @param {Id} id
 * @returns {import("./_types/page").ElementsById[Id]}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element;
}

/**
 * The target of an event, or the nearest ancestor that matches a selector, if there
 * is one.
 * @param {Event} event
 * @param {string} [selector]
 * @returns {HTMLElement|null}
 */
export function targetOf(event, selector) {
  const target = /** @type {HTMLElement} */ (event.target);
  return selector ? target.closest?.(selector) ?? null : target;
}

/** Keys of other alphabets, by their place on the keyboard. */
const BY_PLACE = { Comma: ",", Period: "." };

/**
 * The key of an event: a Latin letter in lower case, whatever the keyboard's layout and Caps Lock;
 * a digit also on keyboards that have digits with Shift only.
 * @param {Pick<KeyboardEvent, "key"|"code"|"shiftKey">} event
 * @returns {string}
 */
export function keyOf({ key, code = "", shiftKey }) {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  if (key.length > 1) return key;
  if (/^Digit\d$/.test(code) && !shiftKey) return code.slice(-1);
  if (key <= "~") return key;
  return /^Key[A-Z]$/.test(code) ? code.slice(-1).toLowerCase() : BY_PLACE[code] ?? key;
}

/**
 * Sets an attribute only if it differs: even the same value costs the browser time.
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Shows or hides an element: to hide it again would cost time, too. */
export function show(element, shown) {
  element.toggleAttribute("hidden", !shown);
}

/**
 * Sets a text only if it differs: screen readers and layout react even to the same one.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
