// The words of the page. All of them are messages in files of Project Fluent
// (https://projectfluent.org), one folder for each language:
//
//   language/en/page.ftl   what the page needs at first
//   language/en/parts.ftl  what only the parts in parts/ need: loaded with the first of them
//
// To add a message, add it to the English file, below the comment of its group, and use it:
//
//   t("take-back")                          in a module
//   t("markers-left", { count })            with arguments; numbers are formatted
//   t("scores-are-whites", { half: percent(0.5) })
//   t("rules-you-are", { side })            side, "w" or "b", chooses words; messages can also
//                                           use $sideName, which is White or Black
//   t("hint.title")                         an attribute of a message
//   <b data-l10n="take-back"></b>           in HTML: the message is the content, and its
//                                           attributes (.title, .aria-label, ...) are set
//
// Ids are written out, or are template strings with a fixed beginning (`side-${side}`), so that
// _test/language.test.mjs finds missing and unused messages. It also finds strings that are
// not messages. Markup in messages is limited to <b>, <i> and <kbd>, for data-l10n and rich.
//
// To add a language, add a folder with both files, and its code to data-languages in index.html.
// early.js chooses the language and starts to load its first file.

import { FluentBundle, FluentNumber, FluentResource } from "./fluent/fluent.js";

const root = globalThis.document?.documentElement;

/** The language of the page, a code such as "en". */
export const language = root?.lang ?? "en";

/** The languages that the page has, by code. @type {string[]} */
export const languages = root?.dataset.languages.split(" ") ?? ["en"];

// Without isolation: all languages are written from left to right.
const bundle = new FluentBundle(language, { useIsolating: false });
bundle.addResource(new FluentResource(await globalThis.firstMessages));

/** @type {Promise<void>|null} */
let more = null;

/**
 * Loads the messages of the parts, once.
 * @param {(address: string) => Promise<string>} load returns the text of a file
 */
export function loadMore(load) {
  const first = root.dataset.messages;
  more ??= load(new URL(first.replace(/en\/page\.ftl$/, `${language}/parts.ftl`), document.baseURI).href).then((text) => void bundle.addResource(new FluentResource(text)));
  more.catch(() => (more = null));
  return more;
}

/** Texts by id and arguments: formatting one takes long. @type {Map<string, string>} */
const known = new Map();

/**
 * A message in the page's language.
 * @param {string} id the message's id, or id.attribute
 * @param {Record<string, any>} [args] texts, numbers and percentages by name
 */
export function t(id, args) {
  const key = args ? id + JSON.stringify(args) : id;
  if (known.has(key)) return known.get(key);
  const [name, attribute] = id.split(".");
  const message = bundle.getMessage(name);
  const pattern = attribute ? message?.attributes[attribute] : message?.value;
  if (!pattern) {
    console.error(`there is no message ${id} in ${language}`);
    return id;
  }
  const errors = [];
  const named = args?.side ? { ...args, sideName: sideName(args.side) } : args;
  const text = bundle.formatPattern(pattern, named, errors);
  for (const error of errors) console.error(`message ${id}:`, error);
  if (known.size > 999) known.clear();
  known.set(key, text);
  return text;
}

/**
 * Whether there is a message.
 * @param {string} id
 */
export function has(id) {
  return bundle.hasMessage(id);
}

/**
 * The name of a side.
 * @param {string} side "w" or "b"
 */
export function sideName(side) {
  return side === "b" ? t("black") : t("white");
}

/**
 * A message with markup. Arguments are plain text.
 * @param {string} id
 * @param {Record<string, any>} [args]
 */
export function rich(id, args = {}) {
  const escaped = Object.entries(args).map(([name, value]) => [name, typeof value === "string" ? value.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`) : value]);
  const template = document.createElement("template");
  template.innerHTML = t(id, Object.fromEntries(escaped));
  return template.content;
}

/**
 * An argument for a message that is shown as a percentage.
 * @param {number} share from 0 to 1
 */
export function percent(share) {
  return new FluentNumber(share, { style: "percent", maximumFractionDigits: 0 });
}

/**
 * A share as a percentage.
 * @param {number} share from 0 to 1
 */
export function percentText(share) {
  return numberText(share, { style: "percent", maximumFractionDigits: 0 });
}

/**
 * A number as text.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function numberText(value, options) {
  return new Intl.NumberFormat(language, options).format(value);
}

/**
 * Texts as one, such as "a, b and c".
 * @param {string[]} texts
 */
export function listText(texts) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(texts);
}

/**
 * Fills all elements below a root that have the attribute data-l10n with their messages.
 * @param {ParentNode} within
 */
export function localize(within) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll("[data-l10n]"))) {
    const id = element.dataset.l10n;
    const message = bundle.getMessage(id);
    if (!message || message.value) element.replaceChildren(rich(id));
    for (const name of Object.keys(message?.attributes ?? {})) element.setAttribute(name, t(`${id}.${name}`));
  }
}

/**
 * What is wrong with a text, such as a position: part of a sentence.
 * @param {import("./_types/messages").Fault} fault
 */
export function faultText({ code, values = {} }) {
  return t(`wrong-${code}`, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value])));
}

/**
 * The limit that the server names, or "".
 * @param {string} [code]
 */
export function limitText(code) {
  return code && has(`too-many-${code}`) ? t(`too-many-${code}`) : "";
}

/**
 * Why the program cannot do something: in the page's language, if there is a message for it.
 * @param {{message: string, code?: string, fault?: import("./_types/messages").Fault}} why
 */
export function whyText({ message, code, fault }) {
  if (!fault || !has(`wrong-${fault.code}`)) return limitText(code) || message;
  const { detail } = fault.values ?? {};
  return faultText(fault) + (detail ? ` (${detail})` : "");
}

/**
 * The place of a fault: a line, a turn or a part of a log, or "" if the fault says enough.
 * @param {string} [where]
 */
export function placeText(where = "") {
  const places = [];
  for (const part of where.split(", ")) {
    const [, kind, number] = /^(packet|line|turn|notification) (\d+)$/.exec(part) ?? [];
    if (kind === "notification") places.push(t("place-packet", { packet: Number(places.pop()), number: Number(number) }));
    else if (kind) places.push(kind === "packet" ? number : t(`place-${kind}`, { number: Number(number) }));
  }
  return places.join(", ");
}
