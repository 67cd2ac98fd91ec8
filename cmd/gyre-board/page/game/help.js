// The help that a person had in a game against an engine. It stands in a tag of the game, so
// that its files tell of it, too.

const TAG = "Help";

// The help of having the game before, to go back to.
const COPY = "a copy";

/**
 * What a game was helped with, in a few words each; empty for none.
 * @param {Pick<import("./game.js").Game, "tags">} game
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
 * The tags of a game with one more thing that it was helped with.
 * @param {Array<[string, string]>} tags
 * @param {string} what
 * @returns {Array<[string, string]>}
 */
function withHelp(tags, what) {
  const known = helpOf({ tags });
  return [...tags.filter(([name]) => name !== TAG), [TAG, [...known, what].join(", ")]];
}

/**
 * The tags that a copy of a game has. A game that is played on in two counts once.
 * @param {import("./game.js").Game} game
 */
export function asCopy(game) {
  const played = game.playing && isContest(game);
  return played && !helpOf(game).includes(COPY) ? withHelp(game.tags, COPY) : game.tags;
}

/**
 * Notes help in the open game, where that is between a person and an engine.
 * @param {import("./controller.js").Controller} controller
 * @param {"hints"|"take-backs"|"pauses"|"the analysis"|"the openings"|"the coach"} what
 */
export function noteHelp(controller, what) {
  const { game } = controller;
  if (!isContest(game) || helpOf(game).includes(what)) return;
  game.tags = withHelp(game.tags, what);
  controller.changed();
}
