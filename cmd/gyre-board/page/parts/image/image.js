// Images of the shown position as SVG or PNG, and of the shown line as an animated GIF.

import { Drawing } from "../../../../../position/drawing/drawing.js";
import { EDGE } from "../../../../../position/drawing/geometry.js";
import { byId, html, markup, setText, svg } from "../../dom.js";
import { openDialog } from "../../panels/dialogs.js";
import { attempt, download } from "../games/gamelist.js";
import { GIFEncoder, applyPalette, quantize } from "./gifenc/gifenc.js";
import { loadFile } from "../../failures.js";
import { numberText, t } from "../../language.js";

const DIALOG = `
<dialog id="image-dialog" aria-labelledby="image-title" data-testid="image-dialog">
  <h2 id="image-title" data-l10n="image-title"></h2>
  <img id="image-preview" data-l10n="image-preview" data-testid="image-preview">
  <div class="row">
    <label class="check"><input id="image-coordinates" type="checkbox" checked> <span data-l10n="image-coordinates"></span></label>
    <label class="check"><input id="image-last" type="checkbox" checked> <span data-l10n="image-last"></span></label>
    <label><span data-l10n="image-size"></span> <select id="image-size" data-testid="image-size"><option value="480"><option value="800" selected><option value="1200"><option value="2000"></select></label>
    <label><span data-l10n="image-delay"></span> <select id="image-delay" data-testid="image-delay"><option value="400"><option value="1000" selected><option value="2000"></select></label>
  </div>
  <div id="image-progress" class="review-progress" hidden>
    <progress id="image-bar" max="1" value="0" data-l10n="image-progress"></progress>
    <button id="image-stop" data-testid="image-stop" data-l10n="cancel"></button>
  </div>
  <p id="image-said" class="fine" role="status" data-testid="image-said"></p>
  <div class="buttons">
    <button id="image-svg" data-testid="image-svg" data-l10n="save-svg"></button>
    <button id="image-png" data-testid="image-png" data-l10n="save-png"></button>
    <button id="image-gif" data-testid="image-gif" data-l10n="save-gif"></button>
    <button type="button" data-close data-l10n="close"></button>
  </div>
</dialog>`;

// The id of the status line.
const SAID = "image-said";

/** A GIF contains the pixels of every turn; more pixels make it very large. */
const LARGEST_GIF = 800;

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  document.body.append(markup(DIALOG));
  for (const option of /** @type {NodeListOf<HTMLOptionElement>} */ (document.querySelectorAll("#image-size option"))) option.text = t("pixels", { count: option.value });
  for (const option of /** @type {NodeListOf<HTMLOptionElement>} */ (document.querySelectorAll("#image-delay option"))) option.text = t("seconds", { count: Number(option.value) / 1000 });
  const { board, state } = page;
  let stopped = true;
  let asked = 0;

  const open = () => {
    setText(byId("image-said"), "");
    openDialog("image-dialog");
    attempt(SAID, preview);
  };

  const chosenSize = () => Number(/** @type {HTMLSelectElement} */ (byId("image-size")).value);

  const checked = (id) => /** @type {HTMLInputElement} */ (byId(id)).checked;

  const drawingOf = (width) => boardImage({ rules: state.game.rules, coordinates: checked("image-coordinates"), width, turned: board.turned });

  // The shown position.
  const still = async () => {
    const { view, lastTurn } = state;
    const drawing = drawingOf(chosenSize());
    drawing.show(view, checked("image-last") && lastTurn ? lastTurn.acts : []);
    try {
      return await drawing.text({ about: `YINSH, ${view.rules}: ${view.position}` });
    } finally {
      drawing.remove();
    }
  };

  const preview = async () => {
    const drawn = ++asked;
    const text = await still();
    if (drawn === asked) /** @type {HTMLImageElement} */ (byId("image-preview")).src = addressOf(text);
  };

  const png = async () => {
    const canvas = canvasOf(chosenSize());
    await paint(canvas, await still());
    save(new Blob(await indexedPNG(pixelsOf(canvas))), "png", "image/png");
  };

  const gif = async () => {
    const { reply } = state;
    if (!reply || !stopped) return;
    stopped = false;
    const size = Math.min(chosenSize(), LARGEST_GIF);
    const drawing = drawingOf(size);
    const button = /** @type {HTMLButtonElement} */ (byId("image-gif"));
    const bar = /** @type {HTMLProgressElement} */ (byId("image-bar"));
    bar.value = 0;
    byId("image-progress").hidden = false;
    button.disabled = true;
    setText(byId("image-said"), "");
    try {
      const bytes = await animate(drawing, reply, {
        size,
        delay: Number(/** @type {HTMLSelectElement} */ (byId("image-delay")).value),
        last: checked("image-last"),
        onProgress: (share) => (bar.value = share),
        stopped: () => stopped,
      });
      if (bytes) save(bytes, "gif", "image/gif");
      else setText(byId("image-said"), t("image-canceled"));
    } finally {
      stopped = true;
      drawing.remove();
      byId("image-progress").hidden = true;
      button.disabled = false;
    }
  };

  const save = (content, kind, type) => {
    const blob = new Blob([content], { type });
    const large = blob.size >= 1e6;
    const size = numberText(blob.size / (large ? 1e6 : 1e3), { style: "unit", unit: large ? "megabyte" : "kilobyte", maximumFractionDigits: large ? 1 : 0 });
    setText(byId("image-said"), t("image-saved", { name: download(`${state.game.fileName}.${kind}`, [blob]), size }));
  };

  for (const id of ["image-coordinates", "image-last", "image-size"]) byId(id).addEventListener("change", () => attempt(SAID, preview));
  byId("image-svg").addEventListener("click", () => attempt(SAID, async () => save(await still(), "svg", "image/svg+xml")));
  byId("image-png").addEventListener("click", () => attempt(SAID, png));
  byId("image-gif").addEventListener("click", () => attempt(SAID, gif));
  byId("image-stop").addEventListener("click", () => (stopped = true));
  byId("image-dialog").addEventListener("close", () => (stopped = true));

  return { open };
}

// A standalone image of the board: the page's own drawing, with the computed style written
// into it.

// The style properties that the image keeps, as attributes.
const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline",
];

/** The defaults of absent attributes. */
const USUAL = { "fill-opacity": "1", "stroke-opacity": "1", opacity: "1", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", stroke: "none" };

/**
 * A hidden board that is drawn as an image.
 * @param {{rules: string, coordinates: boolean, width: number, turned: boolean}} how
 */
function boardImage({ rules, coordinates, width, turned }) {
  const drawing = new Drawing();
  const { element } = drawing;
  const root = html("div", { className: "board image-board", "aria-hidden": "true" }, element);
  root.classList.toggle("turned", turned);
  document.body.append(root);
  drawing.showTrays(rules === "blitz" ? 1 : 3);
  if (!coordinates) for (const label of element.querySelectorAll(".plate-label")) label.remove();
  drawing.fit(Math.max(width, 480));
  return {
    /** Removes the board. */
    remove: () => root.remove(),
    /**
     * Shows a position.
     * @param {import("../../../../../position/drawing/rules.js").View} view
     * @param {import("../../../../../position/drawing/rules.js").Step[]} acts the turn that led there; empty to show nothing of it
    */
    show(view, acts) {
      drawing.pieces.show(view.points, view.removed);
      drawing.marks.showLast(acts);
    },
    /**
     * The image as SVG text.
     * @param {{plate?: boolean, pieces?: boolean, about?: string}} [what] whether to include the plate and the pieces
     * @returns {Promise<string>}
    */
    async text({ plate = true, pieces = true, about = "YINSH" } = {}) {
      const copy = /** @type {SVGElement} */ (element.cloneNode(true));
      const live = element.querySelectorAll(":scope > g *, :scope > g");
      for (const [i, part] of [...copy.querySelectorAll(":scope > g *, :scope > g")].entries()) dress(part, live[i]);
      const [turning] = copy.querySelectorAll(":scope > g");
      if (!plate) turning.children[0].remove();
      if (!pieces) [...turning.children].slice(1).forEach((layer) => layer.remove());
      for (const hidden of copy.querySelectorAll("[data-hidden]")) hidden.remove();
      if (plate) turning.before(...(await background(getComputedStyle(root))));
      copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      copy.prepend(svg("title", {}, about));
      return new XMLSerializer().serializeToString(copy);
    },
  };
}

// Copies the style of an element on the page to its copy.
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

// An element that rotates does so around its center.
function around(style, live) {
  if (style.transformBox !== "fill-box") return "";
  const { x, y, width, height } = live.getBBox();
  return ` ${x + width / 2} ${y + height / 2}`;
}

// The plate below the board: the element's background on the page.
async function background({ backgroundImage, backgroundColor }) {
  const box = { x: -EDGE, y: -EDGE, width: 2 * EDGE, height: 2 * EDGE };
  const parts = [svg("rect", { ...box, fill: backgroundColor })];
  const slope = /linear-gradient\(([\d.]+)deg, (.*)\)$/.exec(backgroundImage);
  if (slope) parts.push(gradient(Number(slope[1]), slope[2]), svg("rect", { ...box, fill: "url(#plate)" }));
  const image = /url\("([^"]+)"\)/.exec(backgroundImage);
  if (image) parts.push(svg("image", { ...box, preserveAspectRatio: "xMidYMid slice", href: addressOf(await loadFile(image[1])) }));
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
 * A data URL for an SVG image.
 * @param {string} text
 */
function addressOf(text) {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

/**
 * Draws an SVG image on a canvas.
 * @param {CanvasRenderingContext2D} canvas
 * @param {string} text
 */
async function paint(canvas, text) {
  const { width, height } = canvas.canvas;
  const image = new Image(width, height);
  image.src = addressOf(text.replace("<svg ", `<svg width="${width}" height="${height}" `));
  await image.decode();
  canvas.drawImage(image, 0, 0, width, height);
}

/**
 * The pixels of a canvas. Browsers limit its size.
 * @param {CanvasRenderingContext2D} canvas
 */
function pixelsOf(canvas) {
  try {
    return canvas.getImageData(0, 0, canvas.canvas.width, canvas.canvas.height);
  } catch {
    throw new Error(t("image-too-large"));
  }
}

// A PNG with a palette of 256 colors. Browsers write every pixel with its own color, and
// dither gradients: such files are four times as large, and look the same.

/**
 * @param {ImageData} image
 * @returns {Promise<Uint8Array<ArrayBuffer>[]>} the parts of the file
 */
async function indexedPNG({ width, height, data }) {
  const palette = quantize(data, 256);
  const index = applyPalette(data, palette);
  // Each row begins with its filter: none.
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(index.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const zipped = new Response(new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate")));
  const header = new DataView(new ArrayBuffer(13));
  [width, height].forEach((size, i) => header.setUint32(4 * i, size));
  [8, 3].forEach((value, i) => header.setUint8(8 + i, value)); // 8 bits, with a palette
  return [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("PLTE", Uint8Array.from(palette.flatMap((color) => color.slice(0, 3)))),
    chunk("IDAT", new Uint8Array(await zipped.arrayBuffer())),
    chunk("IEND", new Uint8Array()),
  ];
}

// A chunk of a PNG: its length, name, content and checksum.
function chunk(name, content) {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set([...name].map((letter) => letter.charCodeAt(0)), 4);
  bytes.set(content, 8);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(4, -4)));
  return bytes;
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

// A game as an animated GIF, with a frame per position. A frame contains only what
// changed, which keeps the file small.

/** The color of unchanged pixels. */
const STAYS = 255;

const LAST_STAYS_MS = 3000;

/**
 * @param {ReturnType<typeof boardImage>} drawing
 * @param {import("../../link/link.js").Line} game the line
 * @param {Object} how
 * @param {number} how.size the image's size in pixels
 * @param {number} how.delay milliseconds per frame
 * @param {boolean} how.last whether to mark the last turn
 * @param {(share: number) => void} how.onProgress called with the progress
 * @param {() => boolean} how.stopped
 * @returns {Promise<Uint8Array<ArrayBuffer>|null>} the file, or null if stopped
 */
async function animate(drawing, game, { size, delay, last, onProgress, stopped }) {
  const [plate, canvas] = [canvasOf(size), canvasOf(size)];
  await paint(plate, await drawing.text({ pieces: false }));
  const file = GIFEncoder();
  const { views, turns } = game;
  const draw = async (ply) => {
    drawing.show(views[ply], last && ply > 0 ? turns[ply - 1].acts : []);
    canvas.drawImage(plate.canvas, 0, 0);
    await paint(canvas, await drawing.text({ plate: false }));
    // A pixel as one number.
    return new Uint32Array(canvas.getImageData(0, 0, size, size).data.buffer);
  };
  // The middle of the game contains all colors.
  const palette = quantize(new Uint8ClampedArray((await draw(views.length >> 1)).buffer), STAYS);
  while (palette.length <= STAYS) palette.push([0, 0, 0]);
  const colours = palette.slice(0, STAYS);
  let before = null;
  for (let ply = 0; ply < views.length; ply++) {
    if (stopped()) return null;
    const pixels = await draw(ply);
    const changed = before ? pixels.filter((pixel, i) => pixel !== before[i]) : pixels;
    const index = applyPalette(new Uint8ClampedArray(changed.buffer), colours);
    let next = 0;
    const frame = before ? Uint8Array.from(pixels, (pixel, i) => (pixel === before[i] ? STAYS : index[next++])) : index;
    file.writeFrame(frame, size, size, {
      palette: before ? undefined : palette, transparent: Boolean(before), transparentIndex: STAYS, dispose: 1, delay: ply === views.length - 1 ? LAST_STAYS_MS : delay,
    });
    before = pixels;
    onProgress((ply + 1) / views.length);
    // Let the page handle events.
    await new Promise((resolve) => setTimeout(resolve));
  }
  file.finish();
  return file.bytes();
}

function canvasOf(size) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [size, size];
  return canvas.getContext("2d", { willReadFrequently: true });
}
