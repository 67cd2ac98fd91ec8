// Which game a tab opens with: the one in its link, the one it had before a reload,
// the latest one that no other tab has open, or a new game. Also opens files and texts
// dropped or pasted on the page.

import { Game, readLink, readRoomLink } from "./game.js";
import { lockGame } from "./tablock.js";
import { draft, tabState } from "./settings.js";
import { listGames, loadGame } from "./store.js";
import { find } from "./tree.js";
import { targetOf } from "../dom.js";
import { reasonOf } from "../failures.js";
import { t } from "../language.js";

// How long to wait for another page to release this tab's game. After a reload, the
// tab's old page is sure to release it. If the tab is a duplicate, the other tab may not.
const RELOAD_PATIENCE_MS = 10_000;
const COPY_PATIENCE_MS = 600;

/**
 * Opens the first game.
 * @param {import("../_types/page").Page} page
 * @param {boolean} [linkOnly] whether to open only a link
 */
export async function openFirst(page, linkOnly = false) {
  const { controller, newGame, notices, tabs, parts, rules } = page;
  const fragment = location.hash;
  if (readRoomLink(fragment) || readLink(fragment)?.game) {
    history.replaceState(null, "", location.pathname);
    const remote = await parts.get("remote", () => openFirst(page, linkOnly));
    if ((await remote?.follow(fragment)) || linkOnly) return;
  }
  // Links to parts: the rest of the link is theirs.
  const [, part, link] = /^#(rush|challenge|puzzles)=(.*)$/.exec(fragment) ?? [];
  if (part) {
    history.replaceState(null, "", location.pathname);
    if (!linkOnly && !(await openOwn(controller))) await controller.open(newGame.first());
    return parts.open(/** @type {"rush"|"challenge"|"puzzles"} */ (part), { link });
  }
  const read = fromLink();
  const linked = read && (await legalPart(rules, read));
  if (linked && (await controller.open(linked.game))) {
    if (linked.wrong) notices.show("game", reasonOf(linked.wrong));
    // After a link to a game, its turns are more useful than the rules.
    if (linked.game.root.children.length) tabs.replace("learn", "turns");
    return;
  }
  const damaged = !linked && fragment.includes("=") && location.hash === fragment;
  if (damaged) history.replaceState(null, "", location.pathname);
  if (linkOnly) {
    if (damaged) notices.show("game", t("link-damaged"));
    return;
  }
  if (!(await openOwn(controller))) await controller.open(newGame.first());
  // An error in a link is reported over the game that is open then.
  if (linked) await controller.open(linked.game);
  else if (damaged) notices.show("game", t("link-damaged"));
}

/**
 * The game of a link; if a turn of it is wrong, the turns before that, and the error.
 * @param {Pick<import("../link/link.js").Rules, "game">} rules
 * @param {ReturnType<typeof readLink>} link
 */
export async function legalPart(rules, { path, tags, at }) {
  const error = await rules.game(path).then(() => null, (wrong) => wrong);
  const [, turn] = /^turn (\d+)/.exec(error?.where) ?? [];
  const legal = turn ? { ...path, turns: path.turns.slice(0, Number(turn) - 1) } : path;
  const game = Game.fromRead({ path: legal, tags });
  game.at = game.live.nodes[Math.min(at, game.live.ply) - 1] ?? game.root;
  return { game, wrong: turn ? error : null };
}

// Opens the game that this tab had. Reports whether there was one.
async function openOwn(controller) {
  const { game: id, at, prefix } = tabState();
  const game = id ? await lastOf(id, at) : null;
  if (game) {
    if (await lockGame(id, loadedAgain() ? RELOAD_PATIENCE_MS : COPY_PATIENCE_MS)) return controller.open(game, prefix ?? []);
    // This tab duplicates one that is still open: give it a copy of the game.
    return controller.open(game.copy());
  }
  return openLatest(controller);
}

/**
 * The tab's own version of a game or the stored one, whichever is later. If the browser stores
 * nothing, or had no time to, the tab's own.
 * @param {string} id
 * @param {number[]} [at] the address of the position to show in a stored game
 * @returns {Promise<Game|null>} null if there is no such game
 */
export async function lastOf(id, at = []) {
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
  const { heads } = await listGames("", 1).catch(() => ({ heads: [] }));
  const stored = heads.length ? await loadGame(heads[0].id).catch(() => null) : null;
  const game = stored && Game.readable(stored.value, stored.revision);
  return Boolean(game) && (await lockGame(game.id)) && controller.open(game);
}

function loadedAgain() {
  return /** @type {PerformanceNavigationTiming} */ (performance.getEntriesByType("navigation")[0])?.type === "reload";
}

// Removes the link from the address, so that a reload continues the game as it is
// then. In a frame of another site (?embed), a reload shows the link again.
function fromLink() {
  const read = readLink(location.hash);
  if (!read) return null;
  if (document.documentElement.dataset.embed === undefined) history.replaceState(null, "", location.pathname);
  return read;
}

/**
 * Opens files and texts dropped or pasted on the page.
 * @param {import("../_types/page").Page} page
 */
export function openDropped({ parts }) {
  /** @param {(games: import("../parts.js").Part<"games">) => void} act */
  const withGames = async (act) => {
    const games = await parts.get("games", () => withGames(act));
    if (games) act(games);
  };
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    const text = event.dataTransfer.getData("text");
    if (files.length) withGames((games) => games.readFiles(files));
    else if (text) withGames((games) => games.read(text));
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && !targetOf(event, "input, textarea")) withGames((games) => games.read(text));
  });
}
