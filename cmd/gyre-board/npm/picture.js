// A picture of a position as SVG text, for servers and for pages without scripts.

import { Drawing } from "../../../position/drawing/drawing.js";
import { EDGE } from "../../../position/drawing/geometry.js";
import { parseBoard, playTurn } from "../../../position/drawing/rules.js";
import { withElements } from "../../../position/drawing/svg.js";
import style from "./style.css";

/**
 * @typedef {Object} Picture
 * @property {string} position in three words
 * @property {number} [size] width and height in pixels (default 480)
 * @property {string|null} [lastTurn] the turn that led to the position, to be marked
 * @property {import("./yinshboard.js").Drawn[]} [arrows]
 * @property {1|3} [rings] rings that win: 3 (default), or 1 in blitz
 * @property {""|"wood"|"slate"} [theme]
 * @property {boolean} [dark] whether the page around it is dark
 * @property {string} [name] for the ids of this picture: letters, digits, hyphens and underscores
 */

/**
 * Returns a picture of a position. Its ids depend on what it shows, with a number if this program
 * has drawn the same picture before, so that several pictures fit into one page. Calls with the
 * same name return the same text. Throws an error if the position or the name is malformed.
 * @param {Picture} picture
 * @returns {string}
 */
export function boardSVG({ position, size = 480, lastTurn = null, arrows = [], rings = 3, theme = "", dark = false, name = "" }) {
  if (!/^[\w-]*$/.test(name)) throw new Error(`name ${JSON.stringify(name)}: use letters, digits, hyphens and underscores`);
  const board = parseBoard(position);
  return withElements((kind) => new SVGText(kind), () => {
    const drawing = new Drawing();
    drawing.showTrays(rings);
    drawing.pieces.show(board.points, board.removed);
    drawing.marks.showLast(lastTurn ? playTurn(board, lastTurn).acts : []);
    drawing.arrows.showAll(arrows);
    const sheet = new SVGText("style");
    sheet.append(resolved(theme, dark));
    const ground = new SVGText("rect", { class: "ground", x: -EDGE, y: -EDGE, width: 2 * EDGE, height: 2 * EDGE, rx: 41 });
    const root = /** @type {any} */ (drawing.element);
    for (const [attribute, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: size, height: size })) root.setAttribute(attribute, String(value));
    root.prepend(sheet, ground);
    return ownNames(root, sheet, name ? `gyre-${name}` : unused(`g${hashOf(String(root))}`));
  });
}

/**
 * Returns a picture as text, with names of its own. In a page, ids and style sheets belong to the
 * whole page: a picture would otherwise take its gradients from another, perhaps hidden one.
 * @param {SVGText} root
 * @param {SVGText} sheet
 * @param {string} name
 */
function ownNames(root, sheet, name) {
  root.setAttribute("class", name);
  // Each rule applies below this picture only. The selectors of the style sheet have no commas
  // in parentheses.
  const rules = String(sheet.children[0]).replace(/([^{}]+)(\{[^{}]*\})/g, (_, selectors, rule) => selectors.split(",").map((/** @type {string} */ selector) => `.${name} ${selector.trim()}`).join(",") + rule);
  sheet.replaceChildren(rules);
  return String(root).replace(/(url\(#| id=")m-/g, `$1${name}-`);
}

/** How often each picture was drawn, as far as remembered. @type {Map<string, number>} */
const drawn = new Map();

/**
 * Returns the name of a picture, with a number if the picture was drawn before.
 * @param {string} name
 */
function unused(name) {
  if (drawn.size > 10_000) drawn.clear(); // a page has fewer pictures
  const before = drawn.get(name) ?? 0;
  drawn.set(name, before + 1);
  return before ? `${name}-${before}` : name;
}

/**
 * FNV-1a, 64 bits.
 * @param {string} text
 */
function hashOf(text) {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return hash.toString(36);
}

// The style sheet with the values of a theme, because not every viewer knows variables.
function resolved(theme, dark) {
  /** @type {Record<string, string>} */
  const values = { "--label-size": "30px" };
  const blocks = [...style.matchAll(/:host(?:\(\[theme="(\w+)"\]\))? \{([^}]*)\}/g)].filter(([, name = ""]) => name === "" || name === theme);
  for (const [, , block] of blocks) for (const [, name, value] of block.matchAll(/(--[\w-]+): ([^;]*);/g)) values[name] = value;
  const rules = style.replace(/:host[^{]*\{[^}]*\}/g, "").replace(/^\.(board|point|status|turned|swatch)[^{}]*\{[^}]*\}/gm, "").replace(/\/\*[^]*?\*\//g, "");
  const text = `${rules}.ground{fill:var(--plate-flat)}`
    .replace(/var\((--[\w-]+)(?:, [^)]*)?\)/g, (_, name) => values[name] ?? "none")
    .replace(/light-dark\(([^,]*), ([^)]*)\)/g, dark ? "$2" : "$1");
  return text.replace(/\s*\n\s*/g, "");
}

/** An SVG element that can be written as text: what the board's modules need of the DOM. */
class SVGText {
  /** @type {(SVGText|string)[]} */
  children = [];
  /** @type {SVGText|null} */
  parent = null;
  style = { transform: "" };

  /**
   * @param {string} name
   * @param {Record<string, string|number>} [attributes]
   */
  constructor(name, attributes = {}) {
    this.name = name;
    /** @type {Map<string, string>} */
    this.attributes = new Map(Object.entries(attributes).map(([key, value]) => [key, String(value)]));
  }

  setAttribute(/** @type {string} */ name, /** @type {string} */ value) {
    this.attributes.set(name, value);
  }

  append(/** @type {(SVGText|string)[]} */ ...children) {
    this.children.push(...children);
  }

  prepend(/** @type {(SVGText|string)[]} */ ...children) {
    this.children.unshift(...children);
  }

  replaceChildren(/** @type {(SVGText|string)[]} */ ...children) {
    this.children = children;
  }

  toString() {
    const attributes = [...this.attributes];
    if (this.style.transform) attributes.push(["style", `transform:${this.style.transform}`]);
    const text = attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
    const content = this.children.map((child) => (typeof child === "string" ? escaped(child) : String(child))).join("");
    return content ? `<${this.name}${text}>${content}</${this.name}>` : `<${this.name}${text}/>`;
  }
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
