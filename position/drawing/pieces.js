// Rings and markers on the board, and the rings next to it. Pieces are kept by
// point. Showing a position changes only what differs, so that an animation that ends
// in that position leaves nothing to do.

import { place } from "./geometry.js";
import { RING_RADIUS, TRAY_SCALE, traySpot } from "./plate.js";
import { svg } from "./svg.js";

const MARKER_RADIUS = 27;

/**
 * @typedef {Object} Piece
 * @property {"ring"|"marker"} kind
 * @property {"w"|"b"} side
 * @property {SVGElement} element moved by its transform
 * @property {SVGElement} face the part that turns when a marker flips
 * @property {SVGElement} shadow the part that stays on the board
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
    // Rings are drawn above markers: a ring slides over them.
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
   * Flips a marker.
   * @param {Piece} piece
  */
  turn(piece) {
    piece.side = piece.side === "w" ? "b" : "w";
    piece.element.setAttribute("class", classOf(piece));
  }

  /**
   * Removes a piece.
   * @param {string} point
  */
  remove(point) {
    this.#at.get(point)?.element.remove();
    this.#at.delete(point);
  }

  /**
   * Moves the ring on a point to its owner's tray next to the board.
   * @param {string} point
   * @returns {Piece|undefined}
  */
  win(point) {
    const piece = this.#at.get(point);
    if (!piece) return undefined;
    this.#at.delete(point);
    const won = this.#won[piece.side];
    setTray(piece.element, traySpot(piece.side, won.length));
    won.push(piece);
    return piece;
  }

  #showWon(side, count) {
    const won = this.#won[side];
    while (won.length > count) won.pop().element.remove();
    while (won.length < count) {
      const piece = makePiece("ring", side);
      setTray(piece.element, traySpot(side, won.length));
      this.#layer.append(piece.element);
      won.push(piece);
    }
  }
}

/**
 * Makes a ring or marker that is not on the board, for hints.
 * @param {"ring"|"marker"} kind
 * @param {"w"|"b"} side
 * @returns {Piece}
 */
export function makePiece(kind, side) {
  // Color is never the only sign: white pieces have an inner circle, black ones are
  // hatched.
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
 * Positions an element of the drawing.
 * @param {SVGElement} element
 * @param {{x: number, y: number}} spot
 */
export function setSpot(element, spot) {
  element.style.transform = translate(spot);
}

// Rings in trays are smaller.
function setTray(element, spot) {
  element.style.transform = `${translate(spot)} scale(${TRAY_SCALE})`;
}

/**
 * The transform that moves the origin to a spot.
 * @param {{x: number, y: number}} spot
 * @returns {string}
 */
function translate({ x, y }) {
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

// Animating a turn, step by step: the ring slides, the markers flip in the order of
// the path, a row glows and vanishes, the ring moves to its tray. Pieces change at once
// and the animation plays on top, so skipping to its end at any moment leaves the right
// picture.

const PLACE_MS = 260;
const SLIDE_MS = 280;
const FLIP_MS = 240;
const FLIP_APART_MS = 65;
const GLOW_MS = 420;
const FADE_MS = 240;
const TO_TRAY_MS = 380;
const BETWEEN_MS = 160;

// A placed piece drops onto the board; a sliding one is lifted a little.
const FALL = [{ transform: "scale(1.5)", opacity: 0 }, { transform: "scale(1.18)", opacity: 1, offset: 0.5 }, { transform: "scale(1)" }];
const LIFT = [{ transform: "scale(1)" }, { transform: "scale(1.08)", offset: 0.3 }, { transform: "scale(1.08)", offset: 0.7 }, { transform: "scale(1)" }];

/** Animates acts on the pieces, one after the other. */
export class Motion {
  #pieces;
  #allowed;
  #heard;
  /** @type {Set<Animation>} */
  #running = new Set();
  #hurried = false;
  #queue = Promise.resolve();
  #waiting = 0;

  /**
   * @param {Pieces} pieces
   * @param {() => boolean} allowed whether the user allows animation
   * @param {(act: Object) => void} heard called when an act begins
  */
  constructor(pieces, allowed, heard) {
    [this.#pieces, this.#allowed, this.#heard] = [pieces, allowed, heard];
  }

  /** Whether an animation is running. */
  get busy() {
    return this.#waiting > 0;
  }

  /** Resolves when everything requested has been shown. */
  get idle() {
    return this.#queue;
  }

  /**
   * Shows acts after those still being shown.
   * @param {Array<Object>} acts
   * @returns {Promise<void>} resolves when they are done
  */
  play(acts) {
    this.#waiting++;
    this.#queue = this.#queue
      .then(() => this.#playAll(acts))
      .catch((error) => console.error(error))
      .finally(() => {
        this.#waiting--;
        if (this.#waiting === 0) this.#hurried = false;
      });
    return this.#queue;
  }

  /** Skips to the end of everything being shown. */
  skip() {
    if (!this.busy) return;
    this.#hurried = true;
    for (const animation of [...this.#running]) animation.finish();
  }

  async #playAll(acts) {
    for (const [i, act] of acts.entries()) {
      if (i > 0) await this.#pause(BETWEEN_MS);
      await this.#act(act);
    }
  }

  async #act(act) {
    if (!this.#hurried) this.#heard(act);
    switch (act.do) {
      case "place": {
        const piece = this.#pieces.put(act.to, "ring", act.side);
        const falls = this.#run(piece.face, FALL, PLACE_MS, { easing: "ease-in" });
        return Promise.all([falls, this.#run(piece.shadow, [{ opacity: 0 }, { opacity: 1 }], PLACE_MS)]);
      }
      case "move":
        return this.#move(act);
      case "row":
        return this.#row(act);
      case "ring":
        return this.#ring(act);
      default:
        return this.#pause(SLIDE_MS);
    }
  }

  async #move({ from, to, flips, side, dropped }) {
    const ring = this.#pieces.move(from, to);
    if (!ring) return;
    this.#pieces.put(from, "marker", side);
    const path = [{ transform: translate(place(from)) }, { transform: translate(place(to)) }];
    if (!dropped) await Promise.all([this.#run(ring.element, path, SLIDE_MS, { easing: "ease-in-out" }), this.#run(ring.face, LIFT, SLIDE_MS)]);
    const [a, b] = [place(from), place(to)];
    const along = Math.atan2(b.y - a.y, b.x - a.x);
    await Promise.all((flips ?? []).map((point, i) => this.#flip(point, along, i * FLIP_APART_MS)));
  }

  // A disc turns over along the ring's path: it rises on its edge, shows its other
  // side, and falls back.
  async #flip(point, along, delay) {
    const piece = this.#pieces.get(point);
    if (!piece) return;
    const pose = (width, up) => ({ transform: `translateY(${-up}px) rotate(${along}rad) scaleX(${width}) rotate(${-along}rad)` });
    const [flat, edge] = [pose(1, 0), pose(0.1, 16)];
    await this.#run(piece.face, [flat, edge], FLIP_MS / 2, { delay, fill: "backwards", easing: "cubic-bezier(0.4, 0, 0.9, 0.6)" });
    this.#pieces.turn(piece);
    await this.#run(piece.face, [edge, flat], FLIP_MS / 2, { easing: "cubic-bezier(0.1, 0.4, 0.6, 1)" });
  }

  async #row({ points }) {
    const found = points.map((point) => this.#pieces.get(point)).filter(Boolean);
    const filter = "drop-shadow(0 0 14px #ffb02e) brightness(1.25)";
    await Promise.all(found.map((piece) => this.#run(piece.face, [{ filter: "none" }, { filter }], GLOW_MS, { easing: "ease-out" })));
    const fade = [{ transform: "scale(1)", opacity: 1, filter }, { transform: "scale(0.4)", opacity: 0, filter }];
    await Promise.all(found.flatMap(({ face, shadow }) => [this.#run(face, fade, FADE_MS), this.#run(shadow, [{ opacity: 1 }, { opacity: 0 }], FADE_MS)]));
    for (const point of points) this.#pieces.remove(point);
  }

  async #ring({ from }) {
    const ring = this.#pieces.win(from);
    if (!ring) return;
    const path = [{ transform: `${translate(place(from))} scale(1)` }, { transform: ring.element.style.transform }];
    await this.#run(ring.element, path, TO_TRAY_MS, { easing: "ease-in-out" });
  }

  #pause(ms) {
    return this.#run(document.body, [], ms);
  }

  // Plays keyframes and resolves at their end: at once if animation is off or is being
  // skipped.
  async #run(element, keyframes, duration, options = {}) {
    if (this.#hurried || !this.#allowed()) return;
    const animation = element.animate(keyframes, { duration, ...options });
    this.#running.add(animation);
    try {
      await animation.finished;
    } catch {
      // The animation was canceled: its piece is gone.
    } finally {
      this.#running.delete(animation);
    }
  }
}
