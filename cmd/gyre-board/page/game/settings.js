// What is kept beside games: the user's settings, for all tabs; and of this tab,
// which game it has open and how that stands, so that loading the page again goes
// on with it even where the browser keeps no games.

const SETTINGS = "gyre.settings";
const TAB = "gyre.tab";
const DRAFT = "gyre.draft";

/** What was changed in this visit and could not be kept. @type {Object<string, any>} */
let unkept = {};

/**
 * The user's settings.
 * @returns {Object<string, any>}
 */
export function settings() {
  return { ...read(localStorage, SETTINGS), ...unkept };
}

/**
 * Changes some settings, and tells the page by a "settings" event on the window (detail:
 * the changes).
 * @param {Object<string, any>} changes
 */
export function saveSettings(changes) {
  const all = { ...settings(), ...changes };
  unkept = write(localStorage, SETTINGS, all) ? {} : { ...unkept, ...changes };
  dispatchEvent(new CustomEvent("settings", { detail: changes }));
}

/** Whether turns are shown in motion. @returns {boolean} */
export function animates() {
  const { motion } = settings();
  return motion ? motion === "on" : !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * What this tab had open before it was loaded again.
 * @returns {{game?: string, at?: number[], prefix?: import("../_types/messages").Step[]}}
 */
export function tabState() {
  return read(sessionStorage, TAB) ?? {};
}

/**
 * Remembers what this tab has open.
 * @param {{game: string, at: number[], prefix: import("../_types/messages").Step[]}} state
 */
export function saveTabState(state) {
  write(sessionStorage, TAB, state);
}

/**
 * The game that this tab had open, as it was when it last changed, or null.
 * @returns {import("./store.js").Stored|null}
 */
export function draft() {
  return read(sessionStorage, DRAFT);
}

/**
 * Remembers the game that this tab has open.
 * @param {import("./store.js").Stored} value
 */
export function saveDraft(value) {
  // An old one would pass for the game.
  if (!write(sessionStorage, DRAFT, value)) write(sessionStorage, DRAFT, null);
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
