// The turn being entered. A turn is a path of steps: place, move, pass, remove a row,
// remove a ring. The rules list the possible next steps; this module keeps the steps
// done and what is picked for the next one. A wrong press changes nothing, and each
// press of Esc takes back one thing.

import { t } from "../language.js";

/**
 * The outcome of a press on a point.
 * @typedef {"done"|"picked"|"released"|"narrowed"|"chosen"|"confirm"|"wrong"|"waiting"} Outcome
 */

/** @typedef {import("../../../../position/drawing/rules.js").PartialTurn} PartialTurn */

/**
 * Fires "step" (detail: the step), "change" whenever there is something to draw, and "turn"
 * (detail: the turn) when the turn is complete.
 * @template From
 */
export class MoveInput extends EventTarget {
  #next;
  /** @type {From|null} */
  #from = null;
  /** Steps done in this turn. @type {Object[]} */
  prefix = [];
  /** The turn after these steps, or null while none is entered. @type {PartialTurn|null} */
  now = null;
  /** The ring that is picked to move, or that waits to be confirmed. @type {string|null} */
  picked = null;
  /** The rows that can still be chosen, as steps. @type {Object[]} */
  choices = [];
  /** The index of the choice that is shown. */
  cursor = 0;
  /** Whether the shown row only needs to be confirmed. */
  chosen = false;

  /** @param {(from: From, prefix: Object[]) => PartialTurn|null} next returns null if the steps of prefix are not possible */
  constructor(next) {
    super();
    this.#next = next;
  }

  /** Whether a step can be entered now. */
  get open() {
    return this.now !== null && this.now.steps.length > 0;
  }

  /** The kind of the next step: "place", "move", "row", "ring", "pass" or "". */
  get kind() {
    return this.now?.steps[0]?.do ?? "";
  }

  /** The side whose turn it is. @returns {"w"|"b"} */
  get side() {
    return this.now?.view.side ?? "w";
  }

  /** The row that is shown as the one to remove, if any. */
  get shownRow() {
    return this.choices[this.cursor] ?? null;
  }

  /**
   * Begins a turn.
   * @param {From} from
   * @param {Object[]} [prefix] steps to begin with, if they are possible
  */
  begin(from, prefix = []) {
    this.#from = from;
    this.#enter(this.#next(from, prefix) ? prefix : []);
  }

  /** Ends the input. Nothing can be picked until the next begin. */
  end() {
    this.#from = null;
    this.prefix = [];
    this.#reset(null);
  }

  /**
   * The possible next steps that start at a point.
   * @param {string} point
  */
  stepsFrom(point) {
    return this.now ? this.now.steps.filter((step) => step.from === point) : [];
  }

  /** The moves of the picked ring, as steps. */
  get targets() {
    return this.picked && this.kind === "move" ? this.stepsFrom(this.picked) : [];
  }

  /** Points on which a press does something now. @returns {string[]} */
  get candidates() {
    if (!this.now) return [];
    if (this.targets.length) return this.targets.map((step) => step.to);
    const named = this.now.steps.map((step) => (step.do === "place" ? step.to : step.from));
    return [...new Set(named.filter(Boolean))];
  }

  /** All points on which a press does something; it may also pick another ring or narrow the rows. @returns {Set<string>} */
  get pressable() {
    const steps = this.now?.steps ?? [];
    return new Set([...steps.flatMap(({ do: kind, from, to, points }) => (kind === "place" ? to : kind === "row" ? points : from) ?? []), ...this.targets.map(({ to }) => to)]);
  }

  /**
   * Handles a press on a point.
   * @param {string|null} point null outside all points
   * @param {boolean} careful whether removing a ring needs a second press
   * @returns {Outcome}
  */
  press(point, careful) {
    if (!this.open) return "waiting";
    if (!point) return this.#release();
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
   * Shows the next or previous row of the choices.
   * @param {number} by 1 or -1
  */
  turnTo(by) {
    const { length } = this.choices;
    if (!length) return;
    // The first press shows the first row, which was only outlined before.
    const start = this.chosen ? this.cursor + by : by > 0 ? 0 : -1;
    this.cursor = (start + length) % length;
    this.chosen = true;
    this.#changed();
  }

  /** Removes the row or ring that waits to be confirmed. Returns false if none does. @returns {boolean} */
  confirm() {
    if (this.kind === "row" && this.shownRow) this.do(this.shownRow);
    else if (this.kind === "ring" && this.picked) this.do(this.stepsFrom(this.picked)[0]);
    else return false;
    return true;
  }

  /**
   * Does a step.
   * @param {Object} step one of the possible next steps
   * @param {boolean} [dropped] whether the user dragged the piece there
  */
  do(step, dropped = false) {
    this.dispatchEvent(new CustomEvent("step", { detail: { ...step, side: this.side, dropped } }));
    this.#enter([...this.prefix, step]);
  }

  /** Takes back one thing. @returns {boolean} whether there was one */
  back() {
    if (this.picked) {
      this.picked = null;
      this.#changed();
    } else if (this.kind === "row" && this.choices.length < this.now.steps.length) {
      this.#offer(this.now.steps);
      this.#changed();
    } else if (this.prefix.length) {
      this.#enter(this.prefix.slice(0, -1));
    } else {
      return false;
    }
    return true;
  }

  #pressMove(point) {
    const target = this.targets.find((step) => step.to === point);
    if (target) return this.#doFirst((step) => step === target);
    if (point === this.picked || !this.stepsFrom(point).length) return this.#release();
    this.picked = point;
    this.#changed();
    return "picked";
  }

  // Releases the ring that is picked to move, if there is one.
  #release() {
    if (!this.picked || this.kind !== "move") return "wrong";
    this.picked = null;
    this.#changed();
    return "released";
  }

  // A middle marker does not identify a row, since two rows can share it: each press keeps the rows
  // through a marker, and the next one narrows them further. If none of them contains the marker, the
  // choice restarts from it: a press never cancels.
  #pressRow(point) {
    if (this.chosen && this.shownRow.points.includes(point)) {
      this.do(this.shownRow);
      return "done";
    }
    const through = (rows) => rows.filter((step) => step.points.includes(point));
    const left = through(this.choices);
    const rows = left.length ? left : through(this.now.steps);
    if (!rows.length) return "wrong";
    this.#offer(rows);
    this.#changed();
    return this.chosen ? "chosen" : "narrowed";
  }

  // Begins a choice of rows. A single row is chosen at once.
  #offer(rows) {
    [this.choices, this.cursor, this.chosen] = [rows, 0, rows.length === 1];
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
    this.#offer(this.kind === "row" ? steps.steps : []);
    this.#changed();
  }

  // Continues after some steps, which must be possible.
  #enter(prefix) {
    this.prefix = prefix;
    const now = this.#next(this.#from, prefix);
    this.#reset(now.complete ? null : now);
    if (now.complete) this.dispatchEvent(new CustomEvent("turn", { detail: now.complete }));
    // With a single ring left, choose it.
    else if (this.kind === "ring" && now.steps.length === 1) this.do(now.steps[0]);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

// Descriptions of the turn being entered, for each button and for the choices read out
// on request.

/**
 * What a press on each point would do, for points where it does something.
 * @param {MoveInput} moveInput
 * @returns {Map<string, string>}
 */
export function hints(moveInput) {
  const all = new Map();
  if (!moveInput.now) return all;
  const counts = new Map();
  for (const step of moveInput.now.steps) {
    if (step.do === "place") all.set(step.to, t("press-places"));
    if (step.do === "move") counts.set(step.from, (counts.get(step.from) ?? 0) + 1);
    if (step.do === "ring") all.set(step.from, t("press-takes-ring"));
    if (step.do === "row") for (const point of step.points) all.set(point, t("press-row"));
  }
  for (const [point, count] of counts) all.set(point, t("press-picks", { count }));
  if (moveInput.picked) all.set(moveInput.picked, moveInput.kind === "ring" ? t("press-confirms") : t("picked"));
  for (const step of moveInput.targets) all.set(step.to, t("press-moves", { count: step.flips?.length ?? 0 }));
  if (moveInput.chosen && moveInput.shownRow) {
    for (const point of moveInput.shownRow.points) all.set(point, t("press-takes-row"));
  }
  return all;
}

/**
 * The choices for the next step in a sentence, read out on request.
 * @param {MoveInput} moveInput
 */
export function choicesText(moveInput) {
  if (!moveInput.open) return t("nothing-to-choose");
  switch (moveInput.kind) {
    case "move":
      if (moveInput.picked) {
        const targets = moveInput.targets.map(({ to, flips = [] }) => (flips.length ? t("target-flips", { point: to, count: flips.length }) : to));
        return t("choices-targets", { point: moveInput.picked, targets: targets.join("; ") });
      }
      return t("choices-rings", { side: moveInput.side, points: moveInput.candidates.join(", ") });
    case "row":
      return `${moveInput.choices.map((step, i) => rowText(step, i, moveInput.choices.length)).join(" ")}`;
    case "ring":
      return t("choices-ring-for-row", { points: moveInput.candidates.join(", ") });
    case "pass":
      return t("choices-pass");
    default:
      return t("choices-place", { count: moveInput.candidates.length });
  }
}

/**
 * One of the rows that can be removed: "Row 2 of 3, e4 to e8."
 * @param {{row: [string, string]}} step
 * @param {number} index from 0
 * @param {number} count
 */
export function rowText(step, index, count) {
  return t("row-of-rows", { number: index + 1, count, first: step.row[0], last: step.row[1] });
}
