// The store of before: games in localStorage, which store.js takes over. It is
// read as long as it holds any.

const GAMES = "gyre.games";
const GAME = "gyre.game.";

// Ends were called otherwise.
const WHYS = { time: "time forfeit", resigned: "resignation" };

/**
 * The games of the old store. What cannot be read stays where it is.
 * @returns {import("./store.js").Stored[]}
 */
export function oldGames() {
  const found = [];
  const changed = changes();
  for (const key of keys()) {
    try {
      const value = JSON.parse(localStorage.getItem(key), (name, text) => (name === "why" ? (WHYS[text] ?? text) : text));
      if (Array.isArray(value?.tree) && value.id) found.push({ ...value, changed: changed.get(value.id) ?? value.created ?? 0, collection: "" });
    } catch {
      // Damaged.
    }
  }
  return found.filter(({ tree, start }) => tree.length > 1 || tree[0].others || tree[0].comment || start !== "startpos");
}

/** Takes the games out of the old store, but for those that cannot be read. */
export function forgetOldGames() {
  for (const key of keys()) {
    try {
      JSON.parse(localStorage.getItem(key));
      localStorage.removeItem(key);
    } catch {
      // Damaged: somebody may still want to see it.
    }
  }
  localStorage.removeItem(GAMES);
}

function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(GAME));
  } catch {
    return [];
  }
}

function changes() {
  try {
    return new Map(JSON.parse(localStorage.getItem(GAMES)).map(({ id, changed }) => [id, changed]));
  } catch {
    return new Map();
  }
}
