// A picture of the board that stands alone: the page's own drawing, with the style that
// it has on the page now written into it.

import { html, svg } from "../../dom.js";
import { EDGE } from "../../board/geometry.js";
import { Marks } from "../../board/marks.js";
import { material } from "../../board/material.js";
import { Pieces } from "../../board/pieces.js";
import { drawPlate, drawTrays, scaleLabels } from "../../board/plate.js";

// What of an element's style the picture keeps, as attributes.
const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline",
];

/** What the browser takes an attribute to be that is not there. */
const USUAL = { "fill-opacity": "1", "stroke-opacity": "1", opacity: "1", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", stroke: "none" };

/** A board beside the page, drawn to be a picture. */
export class Drawing {
  #root = html("div", { className: "board image-board", "aria-hidden": "true" });
  #plate = svg("g");
  #layers = [svg("g"), svg("g"), svg("g")];
  #svg;
  #pieces;
  #marks;

  /**
   * @param {{rules: string, coordinates: boolean, width: number, turned: boolean}} how
   */
  constructor({ rules, coordinates, width, turned }) {
    const [under, pieces, over] = this.#layers;
    const turning = svg("g", { class: "turning" }, this.#plate, under, pieces, over);
    this.#svg = svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}` }, material(), turning);
    this.#root.append(this.#svg);
    this.#root.classList.toggle("turned", turned);
    document.body.append(this.#root);
    drawPlate(this.#plate);
    const trays = svg("g");
    this.#plate.append(trays);
    drawTrays(trays, rules === "blitz" ? 1 : 3);
    if (!coordinates) for (const label of this.#plate.querySelectorAll("text")) label.remove();
    scaleLabels(/** @type {any} */ (this.#svg), Math.max(width, 480));
    this.#pieces = new Pieces(pieces);
    this.#marks = new Marks(under, over);
  }

  /**
   * Shows a position.
   * @param {import("../../_types/messages").View} view
   * @param {import("../../_types/messages").Act[]} acts of the turn that led there; none to show nothing of it
   */
  show(view, acts) {
    this.#pieces.show(view.points, view.removed);
    this.#marks.showLast(acts);
  }

  /**
   * The picture as a file of SVG.
   * @param {{plate?: boolean, pieces?: boolean, about?: string}} [what] whether with the board, and with what stands on it
   * @returns {Promise<string>}
   */
  async text({ plate = true, pieces = true, about = "A board of YINSH" } = {}) {
    const copy = /** @type {SVGElement} */ (this.#svg.cloneNode(true));
    const live = this.#svg.querySelectorAll(":scope > g *, :scope > g");
    for (const [i, element] of [...copy.querySelectorAll(":scope > g *, :scope > g")].entries()) dress(element, live[i]);
    const [turning] = copy.querySelectorAll(":scope > g");
    if (!plate) turning.children[0].remove();
    if (!pieces) [...turning.children].slice(1).forEach((layer) => layer.remove());
    for (const hidden of copy.querySelectorAll("[data-hidden]")) hidden.remove();
    if (plate) turning.before(...(await background(getComputedStyle(this.#root))));
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.prepend(svg("title", {}, about));
    return new XMLSerializer().serializeToString(copy);
  }

  /** Takes the board away. */
  remove() {
    this.#root.remove();
  }
}

// Gives an element of the copy the style that the one on the page has.
function dress(element, live) {
  const style = getComputedStyle(live);
  if (style.display === "none") element.setAttribute("data-hidden", "");
  for (const name of KEPT) {
    const value = style.getPropertyValue(name).replace(/url\(["']?[^#"']*#([^"')]+)["']?\)/, "url(#$1)");
    if (value && value !== USUAL[name]) element.setAttribute(name, value);
    else element.removeAttribute(name);
  }
  const { transform, rotate } = style;
  const turns = [transform !== "none" && transform, rotate !== "none" && `rotate(${Number.parseFloat(rotate)}${around(style, live)})`].filter(Boolean);
  if (turns.length) element.setAttribute("transform", turns.reverse().length > 1 ? `${turns[1]} ${turns[0]}` : turns[0]);
  else element.removeAttribute("transform");
  element.removeAttribute("style");
  element.removeAttribute("class");
}

// What turns round itself does so about its middle.
function around(style, live) {
  if (style.transformBox !== "fill-box") return "";
  const { x, y, width, height } = live.getBBox();
  return ` ${x + width / 2} ${y + height / 2}`;
}

// The plate under the board: the background that its element has on the page.
async function background({ backgroundImage, backgroundColor }) {
  const box = { x: -EDGE, y: -EDGE, width: 2 * EDGE, height: 2 * EDGE };
  const parts = [svg("rect", { ...box, fill: backgroundColor })];
  const slope = /linear-gradient\(([\d.]+)deg, (.*)\)$/.exec(backgroundImage);
  if (slope) parts.push(gradient(Number(slope[1]), slope[2]), svg("rect", { ...box, fill: "url(#plate)" }));
  const image = /url\("([^"]+)"\)/.exec(backgroundImage);
  if (image) parts.push(svg("image", { ...box, preserveAspectRatio: "xMidYMid slice", href: addressOf(await (await fetch(image[1])).text()) }));
  return parts;
}

function gradient(degrees, stops) {
  const angle = (degrees * Math.PI) / 180;
  const reach = EDGE * (Math.abs(Math.sin(angle)) + Math.abs(Math.cos(angle)));
  const [x, y] = [Math.sin(angle) * reach, -Math.cos(angle) * reach];
  const all = stops.split(/,(?![^(]*\))/).map((stop) => /^\s*(.*?)(?:\s+([\d.]+)%)?$/.exec(stop));
  return svg("linearGradient", { id: "plate", gradientUnits: "userSpaceOnUse", x1: -x, y1: -y, x2: x, y2: y },
    ...all.map(([, colour, at], i) => svg("stop", { offset: at ? Number(at) / 100 : i / (all.length - 1), "stop-color": colour })));
}

/**
 * A picture in SVG as an address.
 * @param {string} text
 */
export function addressOf(text) {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

/**
 * Draws a picture in SVG.
 * @param {CanvasRenderingContext2D} canvas
 * @param {string} text
 */
export async function paint(canvas, text) {
  const { width, height } = canvas.canvas;
  const image = new Image(width, height);
  image.src = addressOf(text.replace("<svg ", `<svg width="${width}" height="${height}" `));
  await image.decode();
  canvas.drawImage(image, 0, 0, width, height);
}
