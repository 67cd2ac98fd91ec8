// Which game a tab opens with: the one its link holds, the one it had before it
// was loaded again, the last one that no other tab has open, or a first game.

import { readLink } from "./address.js";
import { Game } from "./game.js";
import { claim, listGames, loadGame, tabState } from "./store.js";
import { find } from "./tree.js";

// How long to wait until another page has let go of this tab's game: the tab's own
// page before it was loaded again is sure to; where the tab is a copy of another,
// that one is not.
const RELOAD_PATIENCE_MS = 10_000;
const COPY_PATIENCE_MS = 600;

/**
 * Opens a game.
 * @param {Object} parts
 * @param {import("./controller.js").Controller} parts.controller
 * @param {{first: () => Game}} parts.newGame
 * @param {boolean} [parts.linkOnly] whether to open nothing but a link
 */
export async function openFirst({ controller, newGame, linkOnly = false }) {
  const linked = fromLink();
  if ((linked && (await controller.open(linked))) || linkOnly) return;
  if (!(await openOwn(controller))) await controller.open(newGame.first());
  // What is wrong with a link is told over the game that there is now.
  if (linked) await controller.open(linked);
}

// Opens a game that the browser has kept. Tells whether there was one.
async function openOwn(controller) {
  const { game: id, at, prefix } = tabState();
  const before = id && loadGame(id);
  if (before) {
    const game = Game.from(before);
    if (await claim(id, loadedAgain() ? RELOAD_PATIENCE_MS : COPY_PATIENCE_MS)) {
      game.at = find(game.root, at);
      return controller.open(game, prefix ?? []);
    }
    // This tab is a copy of one that is still there: it gets a copy of the game.
    return controller.open(copyOf(game));
  }
  const last = listGames()[0];
  const value = last && loadGame(last.id);
  return Boolean(value) && (await claim(last.id)) && controller.open(Game.from(value));
}

function loadedAgain() {
  return /** @type {PerformanceNavigationTiming} */ (performance.getEntriesByType("navigation")[0])?.type === "reload";
}

// The link is taken out of the address, so that loading the page again goes on
// with the game as it is then.
function fromLink() {
  const read = readLink(location.hash);
  if (!read) return null;
  history.replaceState(null, "", location.pathname);
  const game = Game.fromRead({ path: read.path });
  game.at = game.live.nodes[read.at - 1] ?? game.root;
  return game;
}

function copyOf(game) {
  const { id } = new Game();
  return Object.assign(game, { id });
}
