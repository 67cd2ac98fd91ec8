// What the board says in words about the turn being entered: on each button, and
// when the user asks.

import { SIDES } from "../game/game.js";
import { plural } from "../scores.js";

/**
 * What a press on each point would do, for those where it does something.
 * @param {import("./entry.js").Entry} entry
 * @returns {Map<string, string>}
 */
export function hints(entry) {
  const all = new Map();
  if (!entry.now) return all;
  const counts = new Map();
  for (const step of entry.now.steps) {
    if (step.do === "place") all.set(step.to, "place your ring here");
    if (step.do === "move") counts.set(step.from, (counts.get(step.from) ?? 0) + 1);
    if (step.do === "ring") all.set(step.from, "take this ring off");
    if (step.do === "row") for (const point of step.points) all.set(point, "in a row of yours");
  }
  for (const [point, count] of counts) all.set(point, `can move, ${plural(count, "target")}`);
  if (entry.picked) all.set(entry.picked, entry.kind === "ring" ? "press again to take it off" : "picked");
  for (const step of entry.targets) all.set(step.to, flipsText(step));
  if (entry.chosen && entry.shownRow) {
    for (const point of entry.shownRow.points) all.set(point, "in the row shown, press to take it");
  }
  return all;
}

/**
 * The choices of the next step in a sentence, as read out on request.
 * @param {import("./entry.js").Entry} entry
 * @returns {string}
 */
export function choicesText(entry) {
  if (!entry.open) return "There is nothing to choose now.";
  switch (entry.kind) {
    case "move":
      if (entry.picked) {
        return `From ${entry.picked}: ${entry.targets.map((step) => `${step.to}${step.flips?.length ? `, flips ${step.flips.length}` : ""}`).join("; ")}.`;
      }
      return `${SIDES[entry.side]} rings that can move: ${entry.candidates.join(", ")}.`;
    case "row":
      return `${entry.choices.map((step, i) => rowText(step, i, entry.choices.length)).join(" ")}`;
    case "ring":
      return `Rings to take off: ${entry.candidates.join(", ")}.`;
    case "pass":
      return "No ring can move: press Pass.";
    default:
      return `${plural(entry.candidates.length, "vacant point")} for a ring.`;
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
