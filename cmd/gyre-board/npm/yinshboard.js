// The board of Gyre's page for other pages: the class YinshBoard and the web component
// <yinsh-board>. Importing this module defines the component.

import { Board } from "../page/board/board.js";
import { MoveInput, hints } from "../page/board/moveinput.js";
import { boardInput } from "../page/board/pointer.js";
import { START, formatBoard, nextSteps, parseBoard, playTurn } from "../../../position/drawing/rules.js";
import style from "./style.css";

export { START, formatBoard, parseBoard, playTurn } from "../../../position/drawing/rules.js";

/**
 * @typedef {Object} State all that a board shows
 * @property {string} position the position, in three words
 * @property {string[]} legalTurns the turns that can be entered; empty for none
 * @property {"legal"|"free"|"none"} input what the user can do: enter legal turns, move any
 *   piece, or nothing
 * @property {string|null} lastTurn the turn that led to the position, to be marked
 * @property {"white"|"black"} orientation the side at the bottom
 * @property {Drawn[]} arrows
 * @property {boolean} animate whether turns move; also off if the system asks for less motion
 * @property {1|3} rings rings that win: 3, or 1 in blitz
 *
 * @typedef {Object} Drawn an arrow or a circle
 * @property {string} [turn] draws the arrows of a turn, or:
 * @property {string} [from] the point at its start
 * @property {string} [to] the point at its end; equal to from for a circle
 * @property {string} [label] one or two letters
 * @property {"best"|"line"|"threat"|"own"} [kind] its color: green, blue, red, orange (default)
 */

/** @type {State} */
const DEFAULT_STATE = {
  position: START,
  legalTurns: [],
  input: "legal",
  lastTurn: null,
  orientation: "white",
  arrows: [],
  animate: true,
  rings: 3,
};

/**
 * A board in an element of a page. It draws one state, and reports what the user does with
 * events of type CustomEvent:
 *
 *   "turn"   {turn}      the user entered a legal turn; the board shows the position after it
 *   "press"  {point}     the user pressed a point
 *   "move"   {from, to}  with input "free": the user dragged a piece; to is null off the board
 *   "change"             the turn being entered changed
 */
export class YinshBoard extends EventTarget {
  #state = DEFAULT_STATE;
  #board;
  #position = parseBoard(START);
  #moveInput;
  #boardInput;
  #status;
  /** @type {string|null} */
  #dragged = null;

  /**
   * @param {Element|ShadowRoot} root an empty element or shadow root
   * @param {Partial<State>} [state]
   */
  constructor(root, state = {}) {
    super();
    const element = document.createElement("div");
    element.className = "board";
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", "YINSH board");
    this.#status = document.createElement("div");
    this.#status.className = "status";
    this.#status.setAttribute("role", "status");
    adoptStyle(root);
    root.append(element, this.#status);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.#board = new Board(element, { motion: () => this.#state.animate && !calm.matches });
    this.#moveInput = new MoveInput(({ board, legalTurns }, prefix) => nextSteps(board, legalTurns, prefix));
    this.#boardInput = boardInput({
      board: this.#board,
      moveInput: this.#moveInput,
      still: () => this.#board.motion.busy,
      press: (point, touch) => point && this.#press(point, touch),
      redraw: () => this.#drawHints(),
    });
    this.#listen(element);
    this.set(state);
  }

  /** What the board shows. @returns {Readonly<State>} */
  get state() {
    return this.#state;
  }

  /** Whether a part of a turn has been entered. */
  get entering() {
    return this.#moveInput.prefix.length > 0;
  }

  /**
   * Changes what the board shows, at once. A turn being entered is dropped if the position, the
   * legal turns or the input change. Throws an error and changes nothing if the position is
   * malformed.
   * @param {Partial<State>} changes
   */
  set(changes) {
    const position = changes.position === undefined ? this.#position : parseBoard(changes.position);
    this.#state = { ...this.#state, ...changes };
    this.#position = position;
    this.#board.motion.skip();
    this.#board.motion.idle.then(() => this.#draw());
    if ("position" in changes || "legalTurns" in changes || "input" in changes) this.#offer();
    this.#draw();
  }

  /**
   * Animates a turn from the shown position. The turn need not be among the legal turns.
   * @param {string} turn
   * @returns {Promise<void>} resolves when the board shows the position after it
   */
  async play(turn) {
    this.#moveInput.end();
    const { acts, board } = playTurn(this.#position, turn);
    this.#board.marks.showLast([]);
    this.#board.marks.clearHints();
    this.#position = board;
    this.#state = { ...this.#state, position: formatBoard(board), lastTurn: turn, legalTurns: [], arrows: [] };
    this.#drawArrows();
    await this.#board.motion.play(acts);
    this.#draw();
  }

  /** Takes back the last part of the turn being entered, and reports whether there was one. */
  back() {
    return this.#moveInput.back();
  }

  /** @param {HTMLElement} element */
  #listen(element) {
    const { points, pointer } = this.#board;
    points.addEventListener("press", (/** @type {any} */ { detail }) => this.#press(detail, false));
    element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.back()) event.stopPropagation();
    });
    this.#moveInput.addEventListener("step", (/** @type {any} */ { detail }) => {
      this.#board.marks.showLast([]);
      this.#board.marks.clearHints();
      this.#board.motion.play([detail]).then(() => this.#draw());
    });
    this.#moveInput.addEventListener("change", () => {
      if (!this.#board.motion.busy) this.#draw();
      this.dispatchEvent(new CustomEvent("change"));
    });
    this.#moveInput.addEventListener("turn", (/** @type {any} */ { detail }) => this.#entered(detail));
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ act) => pointer.addEventListener(name, (/** @type {any} */ { detail }) => this.#state.input === "free" && act(detail));
    on("dragstart", ({ point }) => (this.#dragged = this.#position.points[point] ? point : null));
    on("drag", ({ x, y }) => {
      const piece = this.#dragged && this.#board.pieces.get(this.#dragged);
      if (piece) piece.element.style.transform = `translate(${x}px, ${y}px)`;
    });
    on("drop", ({ point, cancelled }) => {
      const from = this.#dragged;
      this.#dragged = null;
      if (!from) return;
      this.#draw();
      if (cancelled) return; // by the system, for example because a second finger zooms
      this.dispatchEvent(new CustomEvent("move", { detail: { from, to: point } }));
    });
  }

  /**
   * @param {string} point
   * @param {boolean} touch
   */
  #press(point, touch) {
    this.#board.motion.skip();
    this.dispatchEvent(new CustomEvent("press", { detail: { point } }));
    if (this.#state.input !== "legal" || this.#board.motion.busy) return;
    const outcome = this.#moveInput.press(point, touch);
    if (outcome === "picked") this.#say(`${point}: ${this.#moveInput.targets.length}`);
    else if (outcome === "confirm" || outcome === "chosen") this.#say(hints(this.#moveInput).get(point) ?? "");
  }

  /** @param {string} turn */
  #entered(turn) {
    const { board } = playTurn(this.#position, turn);
    this.#moveInput.end();
    this.#position = board;
    this.#state = { ...this.#state, position: formatBoard(board), lastTurn: turn, legalTurns: [], arrows: [] };
    this.#drawArrows();
    this.#say(turn);
    this.#draw();
    this.dispatchEvent(new CustomEvent("turn", { detail: { turn } }));
  }

  #offer() {
    const { legalTurns, input } = this.#state;
    if (input !== "legal" || !legalTurns.length) this.#moveInput.end();
    else this.#moveInput.begin({ board: this.#position, legalTurns });
  }

  // Draws the state. While a turn moves, the pieces are left alone; it is drawn at the end.
  #draw() {
    const board = this.#board;
    board.turn(this.#state.orientation === "black");
    board.root.classList.toggle("read-only", this.#state.input === "none");
    board.showTrays(this.#state.rings);
    this.#drawArrows();
    if (board.motion.busy) return;
    const shown = this.entering && this.#moveInput.now ? this.#moveInput.now.view : this.#position;
    board.pieces.show(shown.points, shown.removed);
    const { lastTurn } = this.#state;
    board.marks.showLast(lastTurn && !this.entering ? actsToMark(lastTurn) : []);
    this.#drawHints();
  }

  #drawArrows() {
    this.#board.arrows.showAll(this.#state.arrows);
  }

  #drawHints() {
    this.#boardInput.drawHints((this.#moveInput.now?.view ?? this.#position).points);
  }

  /** @param {string} text */
  #say(text) {
    this.#status.textContent = text;
  }
}

/** The class of an element with a board that has no shadow root: the style is for what is in it only. */
const CLASS = "yinsh-board";

/** The style sheets of each document with a board, by their text. @type {WeakMap<Document, Map<string, CSSStyleSheet>>} */
const sheets = new WeakMap();

/**
 * Gives the tree of an element the board's style, once. A constructed style sheet is not subject
 * to a Content Security Policy, as the text of a style element is.
 * @param {Element|ShadowRoot} element
 */
function adoptStyle(element) {
  const root = /** @type {Document|ShadowRoot} */ (element.getRootNode());
  const document = element.ownerDocument;
  let text = style;
  if ("classList" in element) {
    element.classList.add(CLASS);
    text = `.${CLASS} { ${style.replace(/:host(?:\((.*?)\))?/g, ":where(&$1)")} }`;
  }
  const made = sheets.get(document) ?? new Map();
  sheets.set(document, made);
  let sheet = made.get(text);
  if (!sheet) {
    sheet = new (/** @type {any} */ (document.defaultView ?? globalThis).CSSStyleSheet)();
    sheet.replaceSync(text);
    made.set(text, sheet);
  }
  const adopts = root.adoptedStyleSheets ? root : document; // the element may not be in the page yet
  if (!adopts.adoptedStyleSheets.includes(sheet)) adopts.adoptedStyleSheets = [...adopts.adoptedStyleSheets, sheet];
}

/** @param {string} turn */
function actsToMark(turn) {
  return playTurn(parseBoard(START), turn).acts;
}

/** The class of elements; on a server, where there are none, the module can still be imported. */
const ElementBase = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * The component <yinsh-board>. Attributes: position, orientation, last-turn, theme (wood or
 * slate) and read-only. Everything else is in the property `board`, a YinshBoard. Its events
 * are fired on the element, too; they bubble.
 */
export class YinshBoardElement extends ElementBase {
  static observedAttributes = ["position", "orientation", "last-turn", "read-only"];
  /** @type {YinshBoard|null} */
  #board = null;

  /** The board. @returns {YinshBoard} */
  get board() {
    if (!this.#board) {
      const state = Object.assign({}, ...YinshBoardElement.observedAttributes.filter((name) => this.hasAttribute(name)).map((name) => this.#stateOf(name)));
      this.#board = new YinshBoard(this.attachShadow({ mode: "open", delegatesFocus: true }), state);
      for (const name of ["turn", "press", "move", "change"]) {
        this.#board.addEventListener(name, (event) => this.dispatchEvent(new CustomEvent(name, { detail: /** @type {CustomEvent} */ (event).detail, bubbles: true, composed: true })));
      }
    }
    return this.#board;
  }

  connectedCallback() {
    void this.board;
  }

  attributeChangedCallback(/** @type {string} */ name, /** @type {string|null} */ before, /** @type {string|null} */ value) {
    if (before !== value) this.#board?.set(this.#stateOf(name));
  }

  /**
   * The part of the state that an attribute stands for.
   * @param {string} name
   * @returns {Partial<State>}
   */
  #stateOf(name) {
    const value = this.getAttribute(name);
    switch (name) {
      case "position":
        return { position: value || START };
      case "orientation":
        return { orientation: value === "black" ? "black" : "white" };
      case "last-turn":
        return { lastTurn: value || null };
      default:
        return { input: value === null ? "legal" : "none" };
    }
  }
}

if (globalThis.customElements && !customElements.get("yinsh-board")) customElements.define("yinsh-board", YinshBoardElement);
