// What the browser keeps: games, settings, and which game a tab has open. Games
// are shared by all tabs of this address, but each tab plays its own: a game
// that another tab has open is copied before it is touched.

const GAMES = "gyre.games";
const GAME = "gyre.game.";
const SETTINGS = "gyre.settings";
const TAB = "gyre.tab";
const KEPT_GAMES = 60;

/**
 * @typedef {Object} Entry
 * @property {string} id
 * @property {string} title
 * @property {number} turns
 * @property {number} changed milliseconds since 1970
 */

/**
 * The list of stored games, the latest first.
 * @returns {Entry[]}
 */
export function listGames() {
  return read(localStorage, GAMES) ?? [];
}

/**
 * Stores a game and makes it the latest.
 * @param {import("./game.js").Game} game
 * @returns {boolean} false if the browser keeps nothing, or has no room left
 */
export function saveGame(game) {
  const value = game.toJSON();
  const entry = { id: game.id, title: value.title, turns: value.turns, changed: Date.now() };
  const games = [entry, ...listGames().filter(({ id }) => id !== game.id)];
  for (const { id } of games.splice(KEPT_GAMES)) remove(localStorage, GAME + id);
  return write(localStorage, GAME + game.id, value) && write(localStorage, GAMES, games);
}

/**
 * The stored value of a game, or null.
 * @param {string} id
 * @returns {Object|null}
 */
export function loadGame(id) {
  return read(localStorage, GAME + id);
}

/**
 * Forgets a game.
 * @param {string} id
 */
export function deleteGame(id) {
  remove(localStorage, GAME + id);
  write(localStorage, GAMES, listGames().filter((entry) => entry.id !== id));
}

/** What this tab had open before it was loaded again: {game, prefix}. */
export function tabState() {
  return read(sessionStorage, TAB) ?? {};
}

/**
 * Remembers what this tab has open.
 * @param {{game: string, at: number[], prefix: Object[]}} state
 */
export function saveTabState(state) {
  write(sessionStorage, TAB, state);
}

/** The user's settings. */
export function settings() {
  return read(localStorage, SETTINGS) ?? {};
}

/**
 * Changes some settings.
 * @param {Object} changes
 */
export function saveSettings(changes) {
  write(localStorage, SETTINGS, { ...settings(), ...changes });
}

let letGo = null;

/**
 * Claims a game for this tab until it claims another or goes.
 * @param {string} id
 * @param {number} patience milliseconds to wait for another tab to let it go
 * @returns {Promise<boolean>} false if another tab has it open
 */
export async function claim(id, patience = 0) {
  letGo?.();
  letGo = null;
  // Locks exist only on secure addresses, loopback among them; elsewhere two
  // tabs may share a game, and the last one to save wins.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const options = patience ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
    const held = (lock) => {
      if (!lock) return resolve(false);
      return new Promise((release) => {
        letGo = release;
        resolve(true);
      });
    };
    navigator.locks.request(`gyre.game.${id}`, options, held).catch(() => resolve(false));
  });
}

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function remove(storage, key) {
  try {
    storage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to remove.
  }
}
