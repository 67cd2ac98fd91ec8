// Images of the shown position as SVG or PNG, and of the shown line as an animated GIF.

import { Drawing } from "../../../../../position/drawing/drawing.js";
import { EDGE } from "../../../../../position/drawing/geometry.js";
import { html, svg } from "../../dom.js";
import { openDialog } from "../../panels/dialogs.js";
import { download } from "../games/gamelist.js";
import { Sheet, addressOf, attempt, dialogFor } from "../sheet/sheet.js";
import { GIFEncoder, applyPalette, quantize } from "./gifenc/gifenc.js";
import { loadFile } from "../../failures.js";
import { numberText, t } from "../../language.js";

/** A GIF contains the pixels of every turn; more pixels make it very large. */
const LARGEST_GIF = 800;

/**
 * @typedef {Object} State
 * @property {boolean} coordinates whether the picture has them
 * @property {boolean} last whether it marks the last turn
 * @property {string} size in pixels
 * @property {string} delay of a turn in the GIF, in milliseconds
 * @property {string} preview the address of the picture
 * @property {number} [share] of the GIF that is done, while one is made
 * @property {string} said
 */

/**
 * What the dialog shows.
 * @param {State} state
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ coordinates, last, size, delay, preview, share, said }) {
  return [
    { title: t("image-title") },
    { image: preview, tone: "image-preview", id: "image-preview", label: t("image-preview.alt") },
    { group: "div", tone: "row", blocks: [
      { check: "coordinates", text: t("image-coordinates"), value: coordinates, id: "image-coordinates" },
      { check: "last", text: t("image-last"), value: last, id: "image-last" },
      { choice: t("image-size"), options: ["480", "800", "1200", "2000"].map((count) => [count, t("pixels", { count })]), value: size, id: "image-size" },
      { choice: t("image-delay"), options: [400, 1000, 2000].map((ms) => [String(ms), t("seconds", { count: ms / 1000 })]), value: delay, id: "image-delay" },
    ] },
    share !== undefined && { bar: share, id: "image-bar", label: t("image-progress.aria-label"), buttons: [["image-stop", t("cancel")]] },
    { text: said, role: "status", tone: "fine", id: "image-said" },
    { buttons: [["image-svg", t("save-svg")], ["image-png", t("save-png")], ["image-gif", t("save-gif"), false, { disabled: share !== undefined }], ["close", t("close")]], tone: "right" },
  ];
}

/** @param {import("../../_types/page").Page} page */
export function begin({ board, state }) {
  const dialog = dialogFor("image-dialog", t("image-title"));
  const sheet = new Sheet(dialog, sheetOf, {
    "image-coordinates": () => preview({ coordinates: !sheet.state.coordinates }),
    "image-last": () => preview({ last: !sheet.state.last }),
    "image-size": (size) => preview({ size }),
    "image-delay": (delay) => sheet.change({ delay }),
    "image-svg": () => attempt(sheet, async () => save(await still(), "svg", "image/svg+xml")),
    "image-png": () => attempt(sheet, png),
    "image-gif": () => attempt(sheet, gif),
    "image-stop": () => stop(),
    close: () => dialog.close(),
  }, /** @type {State} */ ({ coordinates: true, last: true, size: "800", delay: "1000", preview: "", said: "" }));
  let stopped = false;
  let asked = 0;

  const open = () => {
    preview({ said: "" });
    openDialog("image-dialog");
  };

  const stop = () => (stopped = true);

  const drawingOf = (width) => boardImage({ rules: state.game.rules, coordinates: sheet.state.coordinates, width, turned: board.turned });

  // The shown position.
  const still = async () => {
    const { view, lastTurn } = state;
    const drawing = drawingOf(Number(sheet.state.size));
    drawing.show(view, sheet.state.last && lastTurn ? lastTurn.acts : []);
    try {
      return await drawing.text({ about: `YINSH, ${view.rules}: ${view.position}` });
    } finally {
      drawing.remove();
    }
  };

  /** @param {Partial<State>} changes */
  const preview = (changes) => attempt(sheet, async () => {
    sheet.change(changes);
    const drawn = ++asked;
    const text = await still();
    if (drawn === asked) sheet.change({ preview: addressOf(text) });
  });

  const png = async () => {
    const canvas = canvasOf(Number(sheet.state.size));
    await paint(canvas, await still());
    save(new Blob(await indexedPNG(pixelsOf(canvas))), "png", "image/png");
  };

  const gif = async () => {
    const { reply } = state;
    if (!reply) return;
    stopped = false;
    const size = Math.min(Number(sheet.state.size), LARGEST_GIF);
    const drawing = drawingOf(size);
    sheet.change({ share: 0, said: "" });
    try {
      const { delay, last } = sheet.state;
      const bytes = await animate(drawing, reply, { size, delay: Number(delay), last, onProgress: (share) => sheet.change({ share }), stopped: () => stopped });
      if (bytes) save(bytes, "gif", "image/gif");
      else sheet.change({ said: t("image-canceled") });
    } finally {
      drawing.remove();
      sheet.change({ share: undefined });
    }
  };

  const save = (content, kind, type) => {
    const blob = new Blob([content], { type });
    const large = blob.size >= 1e6;
    const size = numberText(blob.size / (large ? 1e6 : 1e3), { style: "unit", unit: large ? "megabyte" : "kilobyte", maximumFractionDigits: large ? 1 : 0 });
    sheet.change({ said: t("image-saved", { name: download(`${state.game.fileName}.${kind}`, [blob]), size }) });
  };

  dialog.addEventListener("close", stop);
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
