// The games that the browser keeps, in IndexedDB: as many as there is room for,
// and none goes unless it is deleted. What lists need of a game, its head, is
// stored apart, so that a list of thousands loads no trees.

import { openDB } from "../idb/idb.js";
import { newId } from "./game.js";

const HEADS = "heads";
const GAMES = "games";

/**
 * @typedef {Object} Head
 * @property {string} id
 * @property {string} title
 * @property {number} turns
 * @property {number} changed milliseconds since 1970
 * @property {number} revision counts how often it was stored
 * @property {string} collection the file it came from with others, or ""
 */

/**
 * @typedef {Object} Stored a game as it is kept
 * @property {string} id
 * @property {"standard"|"blitz"} rules
 * @property {string} start
 * @property {{w: import("./game.js").Player, b: import("./game.js").Player}} players
 * @property {{base: number, inc: number}|null} clock
 * @property {number} moveTime
 * @property {Array<[string, string]>} tags
 * @property {string} result of a record that was read
 * @property {number} created
 * @property {number} changed
 * @property {boolean} playing
 * @property {{w: number, b: number}|null} left
 * @property {string} collection
 * @property {string} title
 * @property {number} turns
 * @property {import("../_types/messages").Node[]} tree
 * @property {number[]} at
 * @property {number[]} live
 */

let opening = null;

// What fails is tried again by the next one who asks.
function database() {
  opening ??= openDatabase().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

async function openDatabase() {
  const db = await openDB("gyre", 1, {
    upgrade(fresh) {
      const heads = fresh.createObjectStore(HEADS, { keyPath: "id" });
      heads.createIndex("order", ["collection", "changed"]);
      fresh.createObjectStore(GAMES, { keyPath: "id" });
    },
    terminated() {
      opening = null;
    },
  });
  await migrateOldGames(db);
  return db;
}

// Games that an earlier version of the page kept elsewhere. They go from there once
// they are here.
async function migrateOldGames(db) {
  const games = oldGames();
  if (!games.length) return;
  const tx = db.transaction([HEADS, GAMES], "readwrite");
  for (const value of games) if (!(await tx.objectStore(HEADS).get(value.id))) putIn(tx, value, 1);
  await tx.done;
  forgetOldGames();
}

function putIn(tx, value, revision) {
  const { id, title, turns, changed, collection = "" } = value;
  tx.objectStore(GAMES).put(value);
  tx.objectStore(HEADS).put({ id, title, turns, changed, revision, collection });
}

const within = (collection) => IDBKeyRange.bound([collection], [collection, []]);

/**
 * Some heads of a collection, the latest first.
 * @param {string} collection "" for games that are in none
 * @param {number} from how many to leave out
 * @param {number} count
 * @returns {Promise<{heads: Head[], all: number}>} and how many there are
 */
export async function listGames(collection, from, count) {
  const index = (await database()).transaction(HEADS).store.index("order");
  const all = await index.count(within(collection));
  const heads = [];
  let cursor = await index.openCursor(within(collection), "prev");
  if (cursor && from) cursor = await cursor.advance(from);
  for (; cursor && heads.length < count; cursor = await cursor.continue()) heads.push(cursor.value);
  return { heads, all };
}

/**
 * The collections and how many games each has.
 * @returns {Promise<Array<{name: string, count: number}>>}
 */
export async function listCollections() {
  const index = (await database()).transaction(HEADS).store.index("order");
  const found = [];
  let cursor = await index.openKeyCursor(IDBKeyRange.lowerBound(["", []]));
  while (cursor) {
    const name = cursor.key[0];
    found.push({ name, count: await index.count(within(name)) });
    cursor = await index.openKeyCursor(IDBKeyRange.lowerBound([name, []]));
  }
  return found;
}

/**
 * The ids of all games, those in collections after the others.
 * @returns {Promise<string[]>}
 */
export async function listIds() {
  return (await database()).getAllKeysFromIndex(HEADS, "order");
}

/**
 * A game as it was stored, or null.
 * @param {string} id
 * @returns {Promise<{value: Stored, revision: number}|null>}
 */
export async function loadGame(id) {
  const tx = (await database()).transaction([HEADS, GAMES]);
  const [head, value] = await Promise.all([tx.objectStore(HEADS).get(id), tx.objectStore(GAMES).get(id)]);
  return value ? { value, revision: head?.revision ?? 0 } : null;
}

/**
 * Several games as they were stored; undefined for those that are not kept.
 * @param {string[]} ids
 * @returns {Promise<Stored[]>}
 */
export async function loadGames(ids) {
  const { store } = (await database()).transaction(GAMES);
  return Promise.all(ids.map((id) => store.get(id)));
}

/**
 * Stores a game, unless it was stored by another tab since this one has known it.
 * @param {Stored} value
 * @param {number} revision the one known, 0 for a new game
 * @returns {Promise<number>} the new revision, or 0 if another tab was first
 */
export async function saveGame(value, revision) {
  const tx = (await database()).transaction([HEADS, GAMES], "readwrite");
  const head = await tx.objectStore(HEADS).get(value.id);
  // One that was deleted meanwhile is stored again.
  if (head && head.revision !== revision) return 0;
  putIn(tx, value, revision + 1);
  await tx.done;
  return revision + 1;
}

/**
 * Stores a game that no other tab can have open, at once: there is no time to
 * look when the page is left.
 * @param {Stored} value
 * @param {number} revision
 */
export async function saveLeaving(value, revision) {
  const tx = (await database()).transaction([HEADS, GAMES], "readwrite");
  putIn(tx, value, revision + 1);
  tx.commit();
  await tx.done;
}

/**
 * Stores new games together, all or none; one whose id another game has by now gets a
 * fresh one.
 * @param {Stored[]} values
 */
export async function addGames(values) {
  const tx = (await database()).transaction([HEADS, GAMES], "readwrite");
  for (const value of values) {
    const taken = await tx.objectStore(HEADS).getKey(value.id);
    putIn(tx, taken ? { ...value, id: newId() } : value, 1);
  }
  await tx.done;
}

/**
 * Forgets games.
 * @param {string[]} ids
 */
export async function deleteGames(ids) {
  const tx = (await database()).transaction([HEADS, GAMES], "readwrite");
  for (const id of ids) {
    tx.objectStore(HEADS).delete(id);
    tx.objectStore(GAMES).delete(id);
  }
  await tx.done;
}

/**
 * The ids of the games of a collection.
 * @param {string} collection
 * @returns {Promise<string[]>}
 */
export async function idsOf(collection) {
  return (await database()).getAllKeysFromIndex(HEADS, "order", within(collection));
}

// The store of before: games in localStorage, which store.js takes over. It is
// read as long as it holds any.

const OLD_LIST = "gyre.games";
const OLD_GAME = "gyre.game.";

// Ends were called otherwise.
const WHYS = { time: "time forfeit", resigned: "resignation" };

/**
 * The games of the old store. What cannot be read stays where it is.
 * @returns {Stored[]}
 */
function oldGames() {
  const found = [];
  const changed = oldChanges();
  for (const key of oldKeys()) {
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
function forgetOldGames() {
  for (const key of oldKeys()) {
    try {
      JSON.parse(localStorage.getItem(key));
      localStorage.removeItem(key);
    } catch {
      // Damaged: somebody may still want to see it.
    }
  }
  localStorage.removeItem(OLD_LIST);
}

function oldKeys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(OLD_GAME));
  } catch {
    return [];
  }
}

function oldChanges() {
  try {
    return new Map(JSON.parse(localStorage.getItem(OLD_LIST)).map(({ id, changed }) => [id, changed]));
  } catch {
    return new Map();
  }
}
