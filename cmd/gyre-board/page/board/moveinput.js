// The turn that is being entered. A turn is a path of steps: place, move, pass,
// take a row, take a ring. The server says which steps can come next; what is
// kept here are the steps done and what has been picked for the next one. A
// wrong press changes nothing, and one press of Esc takes back one thing.

import { SIDES } from "../game/game.js";
import { plural } from "../scores.js";
import { span } from "./geometry.js";

/**
 * What a press on a point came to.
 * @typedef {"done"|"picked"|"narrowed"|"chosen"|"confirm"|"wrong"|"waiting"} Outcome
 */

/**
 * Fires "step" (detail: the step, before its answer is here), "change" whenever
 * something can be drawn anew, "turn" (detail: the word) when the turn is whole,
 * and "refused" (detail: the error) if the server refuses.
 */
export class MoveInput extends EventTarget {
  #rules;
  #path = null;
  #asked = 0;
  /** Steps done in this turn. @type {Object[]} */
  prefix = [];
  /** The server's answer for these steps, or null while there is none. */
  now = null;
  /** The ring that has been picked to move, or to be confirmed. @type {string|null} */
  picked = null;
  #rows = new RowChoice();

  /** @param {{steps: (path: Object, prefix: Object[]) => Promise<Object>}} rules */
  constructor(rules) {
    super();
    this.#rules = rules;
  }

  /** Whether steps can be entered now. */
  get open() {
    return this.now !== null && this.now.steps.length > 0;
  }

  /** What kind of step comes next: "place", "move", "row", "ring", "pass" or "". */
  get kind() {
    return this.now?.steps[0]?.do ?? "";
  }

  /** The side whose turn it is. @returns {"w"|"b"} */
  get side() {
    return this.now?.view.side ?? "w";
  }

  /** Rows that are left to choose from. @returns {Object[]} */
  get choices() {
    return this.#rows.left;
  }

  /** Which of the choices is shown. */
  get cursor() {
    return this.#rows.cursor;
  }

  /** Whether the shown row only waits to be confirmed. */
  get chosen() {
    return this.#rows.chosen;
  }

  /** The row that is shown as the one to take, if any. */
  get shownRow() {
    return this.#rows.shown;
  }

  /**
   * Begins a turn.
   * @param {Object} path where the game stands
   * @param {Object|null} steps the server's answer for no steps, if it is known
   * @param {Object[]} [prefix] steps to begin with
   */
  async begin(path, steps, prefix = []) {
    this.#path = path;
    this.prefix = prefix;
    this.#reset(prefix.length ? null : steps);
    if (!this.now) await this.#ask();
  }

  /** Ends entering; nothing can be picked until the next begin. */
  end() {
    this.#asked++;
    this.#path = null;
    this.prefix = [];
    this.#reset(null);
  }

  /**
   * Steps that begin or end at a point, among those that can come next.
   * @param {string} point
   */
  stepsFrom(point) {
    return this.now ? this.now.steps.filter((step) => step.from === point) : [];
  }

  /** Where the picked ring may go, as steps. */
  get targets() {
    return this.picked && this.kind === "move" ? this.stepsFrom(this.picked) : [];
  }

  /** Points that a press means something on now. @returns {string[]} */
  get candidates() {
    if (!this.now) return [];
    if (this.targets.length) return this.targets.map((step) => step.to);
    const named = this.now.steps.map((step) => (step.do === "place" ? step.to : step.from));
    return [...new Set(named.filter(Boolean))];
  }

  /**
   * A press on a point.
   * @param {string} point
   * @param {boolean} careful whether taking a ring wants a second press
   * @returns {Outcome}
   */
  press(point, careful) {
    if (!this.open) return "waiting";
    switch (this.kind) {
      case "place":
        return this.#doFirst((step) => step.to === point);
      case "move":
        return this.#pressMove(point);
      case "row":
        return this.#pressRow(point);
      case "ring":
        return this.#pressRing(point, careful);
      default:
        return "wrong";
    }
  }

  /**
   * Shows the next row of the choices, or the one before.
   * @param {number} by
   */
  turnTo(by) {
    if (this.#rows.turnTo(by)) this.#changed();
  }

  /** Takes the row or ring that waits to be confirmed. @returns {boolean} */
  confirm() {
    if (this.kind === "row" && this.shownRow) this.do(this.shownRow);
    else if (this.kind === "ring" && this.picked) this.do(this.stepsFrom(this.picked)[0]);
    else return false;
    return true;
  }

  /**
   * Does a step.
   * @param {Object} step one of those that can come next
   * @param {boolean} [dropped] whether the user moved the piece there himself
   */
  async do(step, dropped = false) {
    this.dispatchEvent(new CustomEvent("step", { detail: { ...step, side: this.side, dropped } }));
    this.prefix = [...this.prefix, step];
    this.#reset(null);
    await this.#ask();
  }

  /** Takes back one thing. @returns {boolean} whether there was one */
  back() {
    if (this.picked) {
      this.picked = null;
      this.#changed();
    } else if (this.kind === "row" && this.choices.length < this.now.steps.length) {
      this.#rows.offer(this.now.steps);
      this.#changed();
    } else if (this.prefix.length) {
      this.prefix = this.prefix.slice(0, -1);
      this.#reset(null);
      this.#ask();
    } else {
      return false;
    }
    return true;
  }

  #pressMove(point) {
    const target = this.targets.find((step) => step.to === point);
    if (target) return this.#doFirst((step) => step === target);
    if (!this.stepsFrom(point).length) return "wrong";
    this.picked = point;
    this.#changed();
    return "picked";
  }

  #pressRow(point) {
    const outcome = this.#rows.press(point, this.now.steps);
    if (outcome === "done") this.do(this.shownRow);
    else if (outcome !== "wrong") this.#changed();
    return outcome;
  }

  #pressRing(point, careful) {
    if (!this.stepsFrom(point).length) return "wrong";
    if (careful && this.picked !== point) {
      this.picked = point;
      this.#changed();
      return "confirm";
    }
    return this.#doFirst((step) => step.from === point);
  }

  #doFirst(which) {
    const step = this.now.steps.find(which);
    if (!step) return "wrong";
    this.do(step);
    return "done";
  }

  #reset(steps) {
    this.now = steps;
    this.picked = null;
    this.#rows.offer(this.kind === "row" ? steps.steps : []);
    this.#changed();
  }

  async #ask() {
    const asked = ++this.#asked;
    let steps;
    try {
      steps = await this.#rules.steps(this.#path, this.prefix);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.dispatchEvent(new CustomEvent("refused", { detail: error }));
      if (this.prefix.length) this.begin(this.#path, null);
      return;
    }
    if (asked !== this.#asked) return;
    if (steps.complete) {
      this.dispatchEvent(new CustomEvent("turn", { detail: steps.complete }));
      return;
    }
    this.#reset(withoutTaken(steps));
    // The only ring left is no choice.
    if (this.kind === "ring" && steps.steps.length === 1) this.do(steps.steps[0]);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

// The choice of the row to take off, where there are several. The middle marker
// does not name a row, since two can share it: presses narrow the choice down.

/** The rows that can be taken, and what is left of them to choose from. */
class RowChoice {
  /** Rows that are left, as steps. @type {Object[]} */
  left = [];
  /** Which of them is shown. */
  cursor = 0;
  /** Whether the shown row only waits to be confirmed. */
  chosen = false;

  /** The row that is shown as the one to take, if any. */
  get shown() {
    return this.left[this.cursor] ?? null;
  }

  /**
   * Begins a choice. A single row is chosen already.
   * @param {Object[]} rows
   */
  offer(rows) {
    this.left = rows;
    this.cursor = 0;
    this.chosen = rows.length === 1;
  }

  /**
   * Shows the next row, or the one before.
   * @param {number} by 1 or -1
   * @returns {boolean} whether there are rows
   */
  turnTo(by) {
    if (!this.left.length) return false;
    // The first press shows the first row, which until then is only outlined.
    const start = this.chosen ? this.cursor + by : by > 0 ? 0 : -1;
    this.cursor = (start + this.left.length) % this.left.length;
    this.chosen = true;
    return true;
  }

  /**
   * A press on a marker keeps the rows through it, and the next one narrows
   * further. When none of those left goes through it, the choice starts anew from
   * this marker: a press never cancels.
   * @param {string} point
   * @param {Object[]} all the rows that can be taken
   * @returns {"done"|"chosen"|"narrowed"|"wrong"} done: the chosen row is confirmed
   */
  press(point, all) {
    if (this.chosen && this.shown.points.includes(point)) return "done";
    const through = (rows) => rows.filter((step) => step.points.includes(point));
    let left = through(this.left);
    if (!left.length) left = through(all);
    if (!left.length) return "wrong";
    this.offer(left);
    return this.chosen ? "chosen" : "narrowed";
  }
}

/**
 * The server's answer with a row off the board whose ring is still to be chosen:
 * for the eye it is off, though for the rules it goes together with its ring.
 * @param {import("../_types/messages").Steps} steps
 */
function withoutTaken(steps) {
  if (!steps.taking) return steps;
  const points = { ...steps.view.points };
  const row = span(steps.taking[0], steps.taking[1]).filter((point) => points[point]);
  for (const point of row) delete points[point];
  return { ...steps, view: { ...steps.view, points, pool: steps.view.pool + row.length } };
}

// What the board says in words about the turn being entered: on each button, and
// when the user asks.

/**
 * What a press on each point would do, for those where it does something.
 * @param {MoveInput} moveInput
 * @returns {Map<string, string>}
 */
export function hints(moveInput) {
  const all = new Map();
  if (!moveInput.now) return all;
  const counts = new Map();
  for (const step of moveInput.now.steps) {
    if (step.do === "place") all.set(step.to, "place your ring here");
    if (step.do === "move") counts.set(step.from, (counts.get(step.from) ?? 0) + 1);
    if (step.do === "ring") all.set(step.from, "take this ring off");
    if (step.do === "row") for (const point of step.points) all.set(point, "in a row of yours");
  }
  for (const [point, count] of counts) all.set(point, `can move, ${plural(count, "target")}`);
  if (moveInput.picked) all.set(moveInput.picked, moveInput.kind === "ring" ? "press again to take it off" : "picked");
  for (const step of moveInput.targets) all.set(step.to, flipsText(step));
  if (moveInput.chosen && moveInput.shownRow) {
    for (const point of moveInput.shownRow.points) all.set(point, "in the row shown, press to take it");
  }
  return all;
}

/**
 * The choices of the next step in a sentence, as read out on request.
 * @param {MoveInput} moveInput
 * @returns {string}
 */
export function choicesText(moveInput) {
  if (!moveInput.open) return "There is nothing to choose now.";
  switch (moveInput.kind) {
    case "move":
      if (moveInput.picked) {
        return `From ${moveInput.picked}: ${moveInput.targets.map((step) => `${step.to}${step.flips?.length ? `, flips ${step.flips.length}` : ""}`).join("; ")}.`;
      }
      return `${SIDES[moveInput.side]} rings that can move: ${moveInput.candidates.join(", ")}.`;
    case "row":
      return `${moveInput.choices.map((step, i) => rowText(step, i, moveInput.choices.length)).join(" ")}`;
    case "ring":
      return `Rings to take off: ${moveInput.candidates.join(", ")}.`;
    case "pass":
      return "No ring can move: press Pass.";
    default:
      return `${plural(moveInput.candidates.length, "vacant point")} for a ring.`;
  }
}

/**
 * A row among those that can be taken: "Row 2 of 3, e4 to e8."
 * @param {{row: [string, string]}} step
 * @param {number} index from 0
 * @param {number} count
 */
export function rowText(step, index, count) {
  return `Row ${index + 1} of ${count}, ${step.row[0]} to ${step.row[1]}.`;
}

function flipsText(step) {
  const count = step.flips?.length ?? 0;
  return count ? `move here, flips ${plural(count, "marker")}` : "move here";
}
