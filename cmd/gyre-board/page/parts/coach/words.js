// What a hint says and marks before it tells the turn: the first thing to look at.

import { parts, stepsOf } from "../../board/notation.js";

/**
 * What to look at next on the way to a turn.
 * @param {string} turn
 * @param {import("../../_types/messages").Step[]} prefix the steps of the turn that were done
 * @returns {{words: string, marks: import("../../board/arrows.js").Arrow[]}|null} null where
 *   those steps lead to another turn
 */
export function lookAt(turn, prefix) {
  const steps = parts(turn).flatMap(stepsOf);
  if (!prefix.every((step, i) => steps[i]?.matches(step))) return null;
  const next = steps[prefix.length];
  if (!next) return null;
  const [from, to] = next.text.replace(/^x/, "").split("-");
  switch (next.do) {
    case "place":
      return { words: `Look at ${from}.`, marks: [{ from, to: from }] };
    case "move":
      return { words: `Look at the ring on ${from}.`, marks: [{ from, to: from }] };
    case "row":
      return { words: `Look at the row ${from} to ${to}.`, marks: [{ from, to, row: true }] };
    case "ring":
      return { words: `Look at the ring on ${from}: it can pay for the row.`, marks: [{ from, to: from }] };
    default:
      return { words: "No ring can move.", marks: [] };
  }
}
