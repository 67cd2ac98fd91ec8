// Which tab has which game open: a game is claimed before it is opened, and no
// other tab opens it until it is let go.

let held = "";
let letGo = () => {};

/**
 * Claims a game for this tab until it claims another or goes. When another tab
 * has it, this one keeps what it had.
 * @param {string} id
 * @param {number} patience milliseconds to wait for another tab to let it go
 * @returns {Promise<boolean>} false if another tab has it open
 */
export async function lockGame(id, patience = 0) {
  if (id === held) return true;
  // Locks exist only on secure addresses, loopback among them; elsewhere two tabs
  // may have the same game open, and the store keeps what either of them does.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const options = patience ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
    const got = (lock) => {
      if (!lock) return resolve(false);
      return new Promise((release) => {
        letGo();
        held = id;
        letGo = () => release(undefined);
        resolve(true);
      });
    };
    navigator.locks.request(lockOf(id), options, got).catch(() => resolve(false));
  });
}

/**
 * Whether this tab alone can have a game open.
 * @param {string} id
 */
export function holdsLock(id) {
  return id === held;
}

/**
 * The games that any tab has open.
 * @returns {Promise<Set<string>>}
 */
export async function lockedGames() {
  const all = navigator.locks ? (await navigator.locks.query()).held : [];
  return new Set(all.map(({ name }) => name.slice(lockOf("").length)));
}

/**
 * Does something with a game that no other tab has open meanwhile.
 * @param {string} id
 * @param {() => Promise<void>} act
 * @returns {Promise<boolean>} false if another tab has it open, and nothing was done
 */
export async function withLock(id, act) {
  const free = holdsLock(id) || !navigator.locks;
  const done = async (lock) => {
    if (lock) await act();
    return Boolean(lock);
  };
  return free ? done(true) : navigator.locks.request(lockOf(id), { ifAvailable: true }, done);
}

function lockOf(id) {
  return `gyre.game.${id}`;
}
