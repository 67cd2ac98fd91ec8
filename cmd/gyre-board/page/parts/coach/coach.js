// The coach, for games against an engine: hints when they are asked for, and where it is
// wanted a question before a blunder is played.
//
//   box.js    where it speaks
//   hint.js   a hint, in two steps
//   words.js  what a hint says
//   guard.js  the question

import { Box } from "./box.js";
import { Guard } from "./guard.js";
import { Hint } from "./hint.js";

/**
 * Makes the coach.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  const box = new Box(page.say, () => page.board.points.focus());
  const hint = new Hint(page, box);
  const guard = new Guard(page, box);
  return {
    /** Gives a hint, where somebody can use one. */
    open: () => hint.ask(),
    /** Whether a turn that was entered is to be played. @param {string} turn */
    mayPlay: (turn) => {
      hint.forget();
      return guard.mayPlay(turn);
    },
  };
}
