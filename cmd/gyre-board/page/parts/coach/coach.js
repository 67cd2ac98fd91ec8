// The coach, for games against an engine: hints when they are asked for.
//
//   box.js    where it speaks
//   hint.js   a hint, in two steps
//   words.js  what a hint says

import { Box } from "./box.js";
import { Hint } from "./hint.js";

/**
 * Makes the coach.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  const hint = new Hint(page, new Box(page.say));
  return {
    /** Gives a hint, where somebody can use one. */
    open: () => hint.ask(),
  };
}
