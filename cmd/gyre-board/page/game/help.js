// The help that a person had in a game against an engine. It stands in a tag of the game, so
// that its files tell of it, too.

const TAG = "Help";

/**
 * What a game was helped with, in a few words each; empty for none.
 * @param {import("./game.js").Game} game
 * @returns {string[]}
 */
export function helpOf({ tags }) {
  return tags.find(([name]) => name === TAG)?.[1].split(", ") ?? [];
}

/**
 * Whether a game is one of a person against an engine.
 * @param {import("./game.js").Game} game
 */
export function isContest({ passing, players: { w, b } }) {
  return !passing && w.kind !== b.kind;
}

/**
 * Notes help in the open game, where that is between a person and an engine.
 * @param {import("./controller.js").Controller} controller
 * @param {"hints"|"take-backs"|"pauses"|"the analysis"|"the openings"|"the coach"} what
 */
export function noteHelp(controller, what) {
  const { game } = controller;
  const known = helpOf(game);
  if (!isContest(game) || known.includes(what)) return;
  /** @type {[string, string]} */
  const tag = [TAG, [...known, what].join(", ")];
  game.tags = [...game.tags.filter(([name]) => name !== TAG), tag];
  controller.changed();
}
