// Rings and markers on the board, and the rings beside it. Pieces are kept by
// point, and showing a position changes only what differs, so that an animation
// that ends in that position leaves nothing to do.

import { svg } from "../dom.js";
import { place } from "./geometry.js";
import { traySpot } from "./plate.js";

const RING_RADIUS = 37;
const MARKER_RADIUS = 27;

/**
 * @typedef {Object} Piece
 * @property {"ring"|"marker"} kind
 * @property {"w"|"b"} side
 * @property {SVGElement} element moved by its transform
 * @property {SVGElement} face what turns when a marker is flipped
 * @property {SVGElement} shadow what stays on the board
 */

/** All pieces of the drawing. */
export class Pieces {
  /** @type {Map<string, Piece>} */
  #at = new Map();
  /** @type {Object<string, Piece[]>} */
  #won = { w: [], b: [] };
  #layer;

  /** @param {SVGElement} layer */
  constructor(layer) {
    this.#layer = layer;
  }

  /**
   * Shows a position.
   * @param {Object<string, string>} points letters by point: W, B rings; w, b markers
   * @param {[number, number]} removed rings won by White and by Black
   */
  show(points, removed) {
    for (const [point, piece] of this.#at) {
      const letter = points[point];
      if (letter && isSame(piece, letter)) continue;
      if (letter && piece.kind === "marker" && kindOf(letter) === "marker") this.turn(piece);
      else this.remove(point);
    }
    for (const [point, letter] of Object.entries(points)) {
      if (!this.#at.has(point)) this.put(point, kindOf(letter), letter.toLowerCase() === "w" ? "w" : "b");
    }
    this.#showWon("w", removed[0]);
    this.#showWon("b", removed[1]);
  }

  /**
   * @param {string} point
   * @returns {Piece|undefined}
   */
  get(point) {
    return this.#at.get(point);
  }

  /**
   * Puts a new piece on a point.
   * @param {string} point
   * @param {"ring"|"marker"} kind
   * @param {"w"|"b"} side
   * @returns {Piece}
   */
  put(point, kind, side) {
    const piece = makePiece(kind, side);
    setSpot(piece.element, place(point));
    // Rings lie over markers: a ring that slides passes above them.
    if (kind === "ring") this.#layer.append(piece.element);
    else this.#layer.prepend(piece.element);
    this.#at.set(point, piece);
    return piece;
  }

  /**
   * Moves a ring to another point at once.
   * @param {string} from
   * @param {string} to
   * @returns {Piece|undefined}
   */
  move(from, to) {
    const piece = this.#at.get(from);
    if (!piece) return undefined;
    this.#at.delete(from);
    this.#at.set(to, piece);
    setSpot(piece.element, place(to));
    return piece;
  }

  /**
   * Turns a marker over to its other side.
   * @param {Piece} piece
   */
  turn(piece) {
    piece.side = piece.side === "w" ? "b" : "w";
    piece.element.setAttribute("class", classOf(piece));
  }

  /**
   * Takes a piece off.
   * @param {string} point
   */
  remove(point) {
    this.#at.get(point)?.element.remove();
    this.#at.delete(point);
  }

  /**
   * Lays the ring of a point beside the board, where its owner's rings lie.
   * @param {string} point
   * @returns {Piece|undefined}
   */
  win(point) {
    const piece = this.#at.get(point);
    if (!piece) return undefined;
    this.#at.delete(point);
    const won = this.#won[piece.side];
    setSpot(piece.element, traySpot(piece.side, won.length));
    won.push(piece);
    return piece;
  }

  #showWon(side, count) {
    const won = this.#won[side];
    while (won.length > count) won.pop().element.remove();
    while (won.length < count) {
      const piece = makePiece("ring", side);
      setSpot(piece.element, traySpot(side, won.length));
      this.#layer.append(piece.element);
      won.push(piece);
    }
  }
}

/**
 * A ring or marker that is not on the board, for hints.
 * @param {"ring"|"marker"} kind
 * @param {"w"|"b"} side
 * @returns {Piece}
 */
export function makePiece(kind, side) {
  // Colour is never the only sign: white pieces have an inner circle, black
  // ones are hatched.
  const face = svg("g", { class: "face" });
  const shadow = svg("circle", { class: `${kind}-shadow`, r: kind === "ring" ? RING_RADIUS + 17 : MARKER_RADIUS + 9 });
  if (kind === "ring") {
    face.append(
      svg("circle", { class: "ring-under", r: RING_RADIUS }),
      svg("circle", { class: "ring-outer", r: RING_RADIUS + 3.5 }),
      svg("circle", { class: "ring-inner", r: RING_RADIUS - 3.5 }),
      svg("circle", { class: "ring-sign", r: RING_RADIUS }),
    );
  } else {
    face.append(
      svg("circle", { class: "marker-rim", r: MARKER_RADIUS }),
      svg("circle", { class: "marker-face", r: MARKER_RADIUS - 5 }),
      svg("circle", { class: "marker-dot", r: MARKER_RADIUS / 2 - 1 }),
      svg("path", { class: "marker-hatch", d: "M-15 5L5-15M-15 15L15-15M-5 15L15-5" }),
    );
  }
  const piece = { kind, side, element: svg("g", {}, shadow, face), face, shadow };
  piece.element.setAttribute("class", classOf(piece));
  return piece;
}

/**
 * Sets where an element of the drawing stands.
 * @param {SVGElement} element
 * @param {{x: number, y: number}} spot
 */
export function setSpot(element, spot) {
  element.style.transform = translate(spot);
}

/**
 * The transform that moves the origin to a spot.
 * @param {{x: number, y: number}} spot
 * @returns {string}
 */
export function translate({ x, y }) {
  return `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
}

function classOf(piece) {
  return `piece ${piece.kind} ${piece.side === "w" ? "white" : "black"}`;
}

function kindOf(letter) {
  return letter === letter.toUpperCase() ? "ring" : "marker";
}

function isSame(piece, letter) {
  return piece.kind === kindOf(letter) && piece.side === letter.toLowerCase();
}
