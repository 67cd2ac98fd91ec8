// The games stored in the browser, in IndexedDB: as many as fit, each until it is
// deleted. Lists need only the head of a game, which is stored separately, so that a list
// of thousands loads no trees.

import { deleteDB, openDB } from "../idb/idb.js";
import { newId } from "./game.js";

const NAME = "gyre";
const HEADS = "heads";
const GAMES = "games";

/** A game as it is stored. @typedef {ReturnType<import("./game.js").Game["toJSON"]>} Stored */

/**
 * What lists show of a game. revision: how often it was stored; own: the side of the person here, or ""
 * if both or neither are persons.
 * @typedef {Pick<Stored, "id"|"title"|"titleNames"|"turns"|"changed"|"collection"|"name"|"labels"|"outcome"> & {revision: number, own: "w"|"b"|""}} Head
 */

let opening = null;

// After a failure, the next call tries again.
function database() {
  opening ??= openDatabase().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

/**
 * Opens the database. A new version begins with the given games, in one step.
 * @param {number} [version] the current one, unless given
 * @param {Stored[]} [games]
 */
function openDatabase(version, games = []) {
  return openDB(NAME, version, {
    upgrade(fresh, _from, _to, tx) {
      for (const name of [...fresh.objectStoreNames]) fresh.deleteObjectStore(name);
      const heads = fresh.createObjectStore(HEADS, { keyPath: "id" });
      heads.createIndex("order", ["collection", "changed"]);
      fresh.createObjectStore(GAMES, { keyPath: "id" });
      for (const game of games) putIn(tx, game, 1);
    },
    // Another tab repairs the database.
    blocking(_current, _blocked, event) {
      /** @type {IDBDatabase} */ (event.target).close();
      opening = null;
    },
    terminated() {
      opening = null;
    },
  });
}

function putIn(tx, value, revision) {
  const { id, title, titleNames, turns, changed, collection = "", name, labels, outcome, players: { w, b } } = value;
  const own = w.kind === b.kind ? "" : w.kind === "person" ? "w" : b.kind === "person" ? "b" : "";
  tx.objectStore(GAMES).put(value);
  tx.objectStore(HEADS).put({ id, title, titleNames, turns, changed, revision, collection, name, labels, outcome, own });
}

const within = (collection) => IDBKeyRange.bound([collection], [collection, []]);

/**
 * The newest heads of a collection, the last one first.
 * @param {string} collection "" for games in no collection
 * @param {number} count
 * @returns {Promise<{heads: Head[], all: number}>} with the total number
 */
export async function listGames(collection, count) {
  const index = (await database()).transaction(HEADS).store.index("order");
  const all = await index.count(within(collection));
  const heads = [];
  let cursor = await index.openCursor(within(collection), "prev");
  for (; cursor && heads.length < count; cursor = await cursor.continue()) heads.push(cursor.value);
  return { heads, all };
}

/**
 * The collections and the number of games in each.
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

// Reading more at once would block the page.
const BATCH = 200;

/**
 * The heads of all games, latest first.
 * @returns {Promise<Head[]>}
 */
export async function allHeads() {
  const { store } = (await database()).transaction(HEADS);
  const heads = [];
  let range;
  for (;;) {
    const batch = await store.getAll(range, BATCH);
    heads.push(...batch);
    if (batch.length < BATCH) return heads.sort((a, b) => b.changed - a.changed);
    range = IDBKeyRange.lowerBound(batch.at(-1).id, true);
  }
}

/**
 * The ids of all games. Games in collections come last.
 * @returns {Promise<string[]>}
 */
export async function listIds() {
  return (await database()).getAllKeysFromIndex(HEADS, "order");
}

/**
 * A stored game, or null.
 * @param {string} id
 * @returns {Promise<{value: Stored, revision: number}|null>}
 */
export async function loadGame(id) {
  const tx = (await database()).transaction([HEADS, GAMES]);
  const [head, value] = await Promise.all([tx.objectStore(HEADS).get(id), tx.objectStore(GAMES).get(id)]);
  return value ? { value, revision: head?.revision ?? 0 } : null;
}

/**
 * Several stored games; undefined for those not found.
 * @param {string[]} ids
 * @returns {Promise<Stored[]>}
 */
export async function loadGames(ids) {
  const { store } = (await database()).transaction(GAMES);
  return Promise.all(ids.map((id) => store.get(id)));
}

/**
 * Stores a game, unless another tab has stored a newer revision.
 * @param {Stored} value
 * @param {number} revision the known revision, 0 for a new game
 * @returns {Promise<number>} the new revision, or 0 if another tab was first
 */
export async function saveGame(value, revision) {
  const tx = (await database()).transaction([HEADS, GAMES], "readwrite");
  const head = await tx.objectStore(HEADS).get(value.id);
  // A game that was deleted meanwhile is stored again.
  if (head && head.revision !== revision) return 0;
  putIn(tx, value, revision + 1);
  await tx.done;
  return revision + 1;
}

/**
 * Stores a game that this tab has locked, without checking the revision: there is no
 * time for that when the page is left.
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
 * Stores new games, all or none. A game whose id is taken gets a new one.
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
 * Deletes games.
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
 * The ids of the games in a collection.
 * @param {string} collection
 * @returns {Promise<string[]>}
 */
export async function idsOf(collection) {
  return (await database()).getAllKeysFromIndex(HEADS, "order", within(collection));
}

/**
 * Replaces a damaged database by a new one with all games that can be read. If that fails, the old one
 * remains, unless nothing of it can be read.
 * @returns {Promise<{kept: number, lost: number}>} how many could be read, and how many not
 */
export async function repairDatabase() {
  const { games, lost, version } = await readableGames();
  await opening?.then((db) => db.close(), () => {});
  opening = null;
  if (games[0]) (await openDatabase(version + 1, games)).close();
  else await deleteDB(NAME);
  return { kept: games.length, lost };
}

async function readableGames() {
  const games = [];
  let lost = 0;
  const db = await openDB(NAME).catch(() => null);
  const stored = db?.objectStoreNames.contains(GAMES);
  for (const id of stored ? await db.getAllKeys(GAMES).catch(() => []) : []) {
    const value = await db.get(GAMES, id).catch(() => null);
    if (Array.isArray(value?.tree) && value.players?.w && value.players.b) games.push(value);
    else lost++;
  }
  db?.close();
  return { games, lost, version: db?.version };
}
