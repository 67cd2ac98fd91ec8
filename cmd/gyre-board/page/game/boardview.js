// The board's view of the game. It shows the controller's position and how it came
// about, lets the player enter a turn, and draws all hints.

import { BoardInput } from "../board/pointer.js";
import { rowText } from "../board/moveinput.js";
import { nearest, place } from "../../../../position/drawing/geometry.js";
import { t } from "../language.js";
import { settings } from "./settings.js";
import { promptText } from "./words.js";

/** Fires "wrong" for a press that means nothing. */
export class BoardView extends EventTarget {
  #page;
  #drawn = 0;
  #boardInput;
  #previewing = null;
  /** A press that waits until the turn being shown is on the board. */
  #pending = null;
  /** The choice of a row or a ring that the focus has followed. */
  #followed = "";
  /** Decides whether an entered turn is played. @type {(turn: string) => boolean|Promise<boolean>} */
  mayPlay = () => true;

  /** @param {import("../_types/page").Page} page */
  constructor(page) {
    super();
    this.#page = page;
    const { state, controller, board, moveInput } = page;
    controller.addEventListener("game", () => this.#opened());
    controller.addEventListener("position", ({ detail }) => this.#shown(detail.from, detail.entered));
    controller.addEventListener("playing", () => this.#offer());
    for (const name of ["game", "position", "playing"]) controller.addEventListener(name, () => state.asking?.answer(false));
    moveInput.addEventListener("step", ({ detail }) => this.#stepped(detail));
    moveInput.addEventListener("change", () => this.#inputChanged());
    moveInput.addEventListener("turn", ({ detail }) => this.#entered(detail));
    // By the keyboard, a second Enter confirms a turn.
    board.points.addEventListener("press", ({ detail }) => (state.asking ? state.asking.answer(true) : this.press(detail, false)));
    this.#boardInput = new BoardInput({
      board,
      moveInput,
      still: () => state.showing || this.#previewing !== null,
      press: (point, touch) => this.press(point, touch),
      redraw: () => this.#drawHints(),
    });
  }

  /**
   * Handles a press on a point.
   * @param {string|null} point
   * @param {boolean} touch
   * @returns {import("../board/moveinput.js").Outcome}
  */
  press(point, touch) {
    this.#page.board.motion.skip();
    // Without a game yet, it waits for the first one.
    const waits = this.#page.state.showing || !this.#page.state.game;
    this.#pending = waits && point ? { point, touch } : null;
    if (waits) return "waiting";
    const outcome = this.#page.moveInput.press(point, touch);
    if (!point) return outcome;
    if (outcome === "confirm") this.#page.say(t("confirm-ring", { point }));
    // The prompt is read out first, once all changes are made.
    if (outcome === "picked") queueMicrotask(() => this.#page.say(t("picked-point", { point, count: this.#page.moveInput.targets.length })));
    if (outcome === "chosen" || outcome === "narrowed") this.sayRow();
    if (outcome === "wrong") this.#page.say(promptText(this.#page.moveInput.now.prompt, this.#page.moveInput.now.view.removed));
    if (outcome === "wrong" || this.#page.state.lookingBack) this.dispatchEvent(new Event("wrong"));
    return outcome;
  }

  /** Gives the board the focus, and there the row or the ring to choose. */
  focusBoard() {
    this.#page.board.points.focus();
    this.#followed = "";
    this.#followChoice();
  }

  /** Reads out the shown row. */
  sayRow() {
    const { choices, cursor, shownRow } = this.#page.moveInput;
    if (shownRow) this.#page.say(rowText(shownRow, cursor, choices.length));
  }

  /** Animates the last turn again. */
  replay() {
    const { node } = this.#page.state;
    if (node.parent && this.#page.state.lastTurn) this.#playLast();
  }

  /**
   * Previews the position after a line of turns, or shows the current position again.
   * @param {string[]|null} turns
  */
  async preview(turns) {
    const asked = (this.#previewing = turns);
    if (!turns) return this.#draw();
    const { game, node } = this.#page.state;
    const path = game.path(node);
    const reply = await this.#page.rules.game({ ...path, turns: [...path.turns, ...turns] }).catch(() => null);
    if (!reply || this.#previewing !== asked) return;
    this.#drawn++;
    this.#page.state.change({ showing: false });
    this.#page.board.motion.skip();
    await this.#page.board.motion.idle;
    if (this.#previewing !== asked) return;
    this.#page.board.marks.clearHints();
    const view = reply.views.at(-1);
    this.#page.board.pieces.show(view.points, view.removed);
    this.#page.board.marks.showLast(reply.turns.at(-1).acts);
  }

  #opened() {
    this.#page.moveInput.end();
    this.#page.board.motion.skip();
    this.#page.board.showTrays(this.#page.state.game.rules === "blitz" ? 1 : 3);
  }

  // The steps of an entered turn are on the board already; other turns are animated.
  #shown(from, entered) {
    const { node, lastTurn } = this.#page.state;
    this.#previewing = null;
    if (entered) this.#draw(false);
    else if (from && node.parent === from && lastTurn) this.#playLast();
    else this.#draw();
    // Where the player looks back, and after a turn was taken back, other words say so.
    const takenBack = this.#page.state.game.playing && from && node.ply < from.ply;
    if (lastTurn && from && !takenBack && !this.#page.state.lookingBack) this.#page.say(this.#page.state.lastTurnText);
    this.#offer();
  }

  async #playLast() {
    const { board, state: { node, reply, lastTurn } } = this.#page;
    board.motion.skip();
    const drawn = ++this.#drawn;
    this.#page.state.change({ showing: true });
    board.marks.clearHints();
    await board.motion.idle;
    if (drawn !== this.#drawn) return;
    const before = reply.views[node.ply - 1];
    board.pieces.show(before.points, before.removed);
    board.marks.showLast([]);
    await board.motion.play(lastTurn.acts);
    if (drawn === this.#drawn) this.#draw();
  }

  // Draws the shown position, at once or after the current animation. The pieces are
  // left alone until no animation changes them.
  async #draw(atOnce = true) {
    const drawn = ++this.#drawn;
    if (atOnce) this.#page.board.motion.skip();
    await this.#page.board.motion.idle;
    if (drawn !== this.#drawn) return;
    const { view, lastTurn, game, node } = this.#page.state;
    const moveInput = this.#page.moveInput;
    this.#page.state.change({ showing: false });
    const shown = moveInput.prefix.length && moveInput.now ? moveInput.now.view : view;
    if (shown) this.#page.board.pieces.show(shown.points, shown.removed);
    const finding = game.playing ? null : node.finding;
    this.#page.board.marks.showLast(moveInput.prefix.length ? [] : (lastTurn?.acts ?? []), finding ? finding.label || "fine" : null);
    this.#drawHints();
    const pending = this.#pending;
    this.#pending = null;
    // A press during the animation may only have meant to skip it.
    if (pending && moveInput.pressable.has(pending.point)) this.press(pending.point, pending.touch);
  }

  #offer() {
    const { view, prefix, mayEnter } = this.#page.state;
    if (!mayEnter) this.#page.moveInput.end();
    else this.#page.moveInput.begin(view, prefix);
  }

  #stepped(step) {
    this.#page.board.marks.showLast([]);
    this.#page.board.marks.clearHints();
    this.#page.board.motion.play([step]);
  }

  #inputChanged() {
    const { board, controller, moveInput, state } = this.#page;
    // A step that was taken back is not animated to its end; the turn before it is.
    const back = moveInput.prefix.length < state.prefix.length;
    if (moveInput.open) controller.keepPrefix(moveInput.prefix);
    this.#followChoice();
    if (!state.showing && !this.#previewing) {
      if (!moveInput.now) board.marks.clearHints();
      else this.#draw(back);
    }
    // Arrows belong to the position before the turn being entered.
    board.root.classList.toggle("in-turn", moveInput.prefix.length > 0);
    state.change();
  }

  // With the keyboard, the focus goes on to the row that can be removed, or to the nearest ring.
  #followChoice() {
    const { kind, open, prefix, shownRow, chosen, candidates } = this.#page.moveInput;
    const choice = open && (kind === "row" || kind === "ring") ? `${kind} ${prefix.length}` : "";
    if (choice === this.#followed) return;
    this.#followed = choice;
    const { points } = this.#page.board;
    if (!choice || !points.focused) return;
    if (kind === "row") {
      // Of several rows, n and p choose one.
      if (!chosen) return;
      points.focus(shownRow.points[0]);
      this.#page.say(t("row-enter", { first: shownRow.row[0], last: shownRow.row[1] }));
    } else {
      points.focus(nearestOf(points.current, candidates));
    }
  }

  async #entered(turn) {
    const { state, moveInput, controller, play } = this.#page;
    const { node, atLive } = state;
    state.change({ prefix: [] });
    moveInput.end();
    const may = !this.#asksFirst || (await this.#confirmed(turn)) ? this.mayPlay(turn) : false;
    state.change({ entered: turn });
    const plays = may === true || (await may);
    state.change({ entered: "" });
    if (node !== state.node) return;
    if (!plays || !state.mayEnter) {
      this.#offer();
      return this.#draw();
    }
    const clock = atLive ? play.clockAfterTurn() : node.clock;
    await controller.play(node, turn, { entered: true, clock });
  }

  // Whether an entered turn must be confirmed.
  get #asksFirst() {
    const { game } = this.#page.state;
    const { confirm } = settings();
    return game.playing && (confirm === "always" || (confirm === "people" && !game.hasEngine));
  }

  // Asks whether to play a turn. Resolves to false if another position is shown meanwhile.
  #confirmed(turn) {
    return new Promise((resolve) => {
      const answer = (plays) => {
        this.#page.state.change({ asking: null });
        resolve(plays);
      };
      this.#page.state.change({ asking: { turn, answer } });
      this.#page.say(t("ask-confirm"));
    });
  }

  #drawHints() {
    this.#boardInput.drawHints((this.#page.moveInput.now?.view ?? this.#page.state.view)?.points ?? {});
  }
}

// The nearest of some points to a point.
function nearestOf(point, among) {
  const { x, y } = place(point);
  return nearest(x, y, Infinity, among) ?? point;
}
