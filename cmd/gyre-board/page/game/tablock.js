// One tab per game: a tab locks a game before opening it, and no other tab opens the
// game until the lock is released.

let held = "";
let release = () => {};

/** @type {Promise<LockManager|null>|null} */
let known = null;

// The browser's locks, or null without any: they exist only on secure origins, including
// loopback, and not where site data is blocked.
function locks() {
  known ??= workingLocks();
  return known;
}

// Even naming the locks may throw an error.
async function workingLocks() {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return null;
  }
}

/**
 * Locks a game for this tab, until it locks another or closes. If another tab has the
 * lock, this tab keeps its current one.
 * @param {string} id
 * @param {number} patience milliseconds to wait for another tab to release the lock
 * @returns {Promise<boolean>} false if another tab has it open
 */
export async function lockGame(id, patience = 0) {
  if (id === held) return true;
  const manager = await locks();
  // Without locks two tabs can open the same game, and the store keeps the changes of both.
  if (!manager) return true;
  return new Promise((resolve) => {
    const options = patience ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
    const got = (lock) => {
      if (!lock) return resolve(false);
      return new Promise((done) => {
        release();
        held = id;
        release = () => done(undefined);
        resolve(true);
      });
    };
    manager.request(lockOf(id), options, got).catch(() => resolve(false));
  });
}

/** Tabs ask each other for games. @type {BroadcastChannel|null} */
let asking = null;
const HANDOVER_PATIENCE_MS = 5000;

/**
 * Locks a game for this tab, and asks the tab that has it open to hand it over.
 * @param {string} id
 * @returns {Promise<boolean>} false if another tab keeps it
 */
export async function takeOverGame(id) {
  if (holdsLock(id)) return true;
  channel()?.postMessage(id);
  return lockGame(id, HANDOVER_PATIENCE_MS);
}

/**
 * Listens for other tabs that ask for a game.
 * @param {(id: string) => void} act
 */
export function whenAsked(act) {
  channel()?.addEventListener("message", ({ data }) => act(data));
}

// Null without channels, or where site data is blocked: then no tab can ask.
function channel() {
  try {
    asking ??= new BroadcastChannel("gyre.games");
  } catch {
    asking = null;
  }
  return asking;
}

/**
 * Whether this tab holds the lock of a game.
 * @param {string} id
 */
export function holdsLock(id) {
  return id === held;
}

/** The games that any tab has open. */
export async function lockedGames() {
  const manager = await locks();
  const all = manager ? (await manager.query()).held : [];
  return new Set(all.map(({ name }) => name.slice(lockOf("").length)));
}

/**
 * Runs a function while holding the lock of a game.
 * @param {string} id
 * @param {() => Promise<void>} act
 * @returns {Promise<boolean>} false if another tab has the lock, and act was not called
 */
export async function withLock(id, act) {
  const manager = await locks();
  const done = async (lock) => {
    if (lock) await act();
    return Boolean(lock);
  };
  return holdsLock(id) || !manager ? done(true) : manager.request(lockOf(id), { ifAvailable: true }, done);
}

function lockOf(id) {
  return `gyre.game.${id}`;
}
