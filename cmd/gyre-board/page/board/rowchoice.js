// The choice of the row to take off, where there are several. The middle marker
// does not name a row, since two can share it: presses narrow the choice down.

import { span } from "./geometry.js";

/** The rows that can be taken, and what is left of them to choose from. */
export class RowChoice {
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
export function withoutTaken(steps) {
  if (!steps.taking) return steps;
  const points = { ...steps.view.points };
  const row = span(steps.taking[0], steps.taking[1]).filter((point) => points[point]);
  for (const point of row) delete points[point];
  return { ...steps, view: { ...steps.view, points, pool: steps.view.pool + row.length } };
}
