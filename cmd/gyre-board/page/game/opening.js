// Which game a tab opens with: the one its link holds, the one it had before it
// was loaded again, the last one that no other tab has open, or a first game; and
// files and texts that are dropped or pasted on it.

import { Game, readLink } from "./game.js";
import { lockGame } from "./tablock.js";
import { draft, tabState } from "./settings.js";
import { listGames, loadGame } from "./store.js";
import { find } from "./tree.js";
import { targetOf } from "../dom.js";

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
  const game = id ? await lastOf(id, at) : null;
  if (game) {
    if (await lockGame(id, loadedAgain() ? RELOAD_PATIENCE_MS : COPY_PATIENCE_MS)) return controller.open(game, prefix ?? []);
    // This tab is a copy of one that is still there: it gets a copy of the game.
    return controller.open(game.copy());
  }
  return openLatest(controller);
}

// The game as this tab had it, or as it was stored, whichever is later. Where the
// browser keeps nothing there is what this tab had.
async function lastOf(id, at) {
  const own = draft();
  const mine = own?.id === id ? own : null;
  const stored = await loadGame(id).catch(() => null);
  const revision = stored?.revision ?? 0;
  const drawn = mine && Game.readable(mine, revision);
  if (drawn && (!stored || mine.changed >= (stored.value.changed ?? 0))) return drawn;
  const game = stored && Game.readable(stored.value, revision);
  if (game) game.at = find(game.root, at);
  return game ?? drawn;
}

// The latest game that no other tab has open.
async function openLatest(controller) {
  const { heads } = await listGames("", 0, 1).catch(() => ({ heads: [] }));
  const stored = heads.length ? await loadGame(heads[0].id) : null;
  const game = stored && Game.readable(stored.value, stored.revision);
  return Boolean(game) && (await lockGame(game.id)) && controller.open(game);
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

/**
 * Opens what is dropped or pasted on the page.
 * @param {import("../parts.js").Parts} parts
 */
export function openDropped(parts) {
  /** @param {(games: import("../parts.js").Part<"games">) => void} act */
  const withGames = async (act) => {
    const games = await parts.get("games", () => withGames(act));
    if (games) act(games);
  };
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    if (files.length) withGames((games) => games.readFiles(files));
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && !targetOf(event, "input, textarea")) withGames((games) => games.read(text));
  });
}
