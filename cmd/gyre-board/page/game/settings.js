// What is stored in addition to games: the user's settings, shared by all tabs, and
// which game this tab has open, so that a reload continues it even if the browser
// stores no games.

const SETTINGS = "gyre.settings";
const TAB = "gyre.tab";
const DRAFT = "gyre.draft";

/** Changes of this visit that could not be stored. @type {Object<string, any>} */
let unkept = {};

/**
 * The user's settings.
 * @returns {Object<string, any>}
 */
export function settings() {
  return { ...read("localStorage", SETTINGS), ...unkept };
}

/**
 * Changes settings and fires a "settings" event on the window (detail: the changes).
 * @param {Object<string, any>} changes
 */
export function saveSettings(changes) {
  const all = { ...settings(), ...changes };
  unkept = write("localStorage", SETTINGS, all) ? {} : { ...unkept, ...changes };
  dispatchEvent(new CustomEvent("settings", { detail: changes }));
}

/** Whether turns are animated. @returns {boolean} */
export function animates() {
  const { motion } = settings();
  return motion ? motion === "on" : !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * What this tab had open before a reload.
 * @returns {{game?: string, at?: number[], prefix?: import("../../../../position/drawing/rules.js").Step[]}}
 */
export function tabState() {
  return read("sessionStorage", TAB) ?? {};
}

/**
 * Remembers what this tab has open.
 * @param {{game: string, at: number[], prefix: import("../../../../position/drawing/rules.js").Step[]}} state
 */
export function saveTabState(state) {
  write("sessionStorage", TAB, state);
}

/**
 * The game that this tab had open, as of its last change, or null.
 * @returns {import("./store.js").Stored|null}
 */
export function draft() {
  return read("sessionStorage", DRAFT);
}

/**
 * Remembers the game that this tab has open.
 * @param {import("./store.js").Stored} value
 */
export function saveDraft(value) {
  // An outdated draft would be taken for the game.
  if (!write("sessionStorage", DRAFT, value)) write("sessionStorage", DRAFT, null);
}

/** Whether the browser blocks site data: then nothing can be stored. @returns {boolean} */
export function isStorageBlocked() {
  try {
    return !localStorage;
  } catch {
    return true;
  }
}

// Even naming a storage throws an error where site data is blocked.
/** A stored value, or null. @param {"localStorage"|"sessionStorage"} storage */
export function read(storage, key) {
  try {
    return JSON.parse(globalThis[storage].getItem(key));
  } catch {
    return null;
  }
}

/** Stores a value, or returns false. @param {"localStorage"|"sessionStorage"} storage */
export function write(storage, key, value) {
  try {
    globalThis[storage].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
