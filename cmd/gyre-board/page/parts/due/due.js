// The moments that come back: positions in which the player lost much and then missed the better turn,
// too. They return after 1, 3 and 7 days. A badge on the tab Learn counts those that are due.

import { deleteDB, openDB } from "../../idb/idb.js";
import { byId, html, setText, show } from "../../dom.js";
import { t } from "../../language.js";

/** After how many days a missed moment returns, each time that it is found. */
const DAYS = [1, 3, 7];

/**
 * A position to try again.
 * @typedef {Object} Moment
 * @property {string} id
 * @property {string} fen
 * @property {"standard"|"blitz"} rules
 * @property {string} played the turn that lost much
 * @property {string} best
 * @property {number} number of the turn in its game
 * @property {number} lost in percent
 * @property {string} source the game
 */

/**
 * A moment that returns.
 * @typedef {Moment & {step: number, due: number}} Returning step: how often it was found; due:
 *   milliseconds since 1970
 */

/**
 * The beginning of the day some days after a time, here.
 * @param {number} now milliseconds since 1970
 * @param {number} days
 */
export function dayAfter(now, days) {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

/**
 * The moment after a try, or null if it does not return.
 * @param {Moment|Returning} moment
 * @param {boolean} found
 * @param {number} now
 * @returns {Returning|null}
 */
export function after(moment, found, now) {
  const { step = -1, due = 0 } = /** @type {Partial<Returning>} */ (moment);
  if (!found) return { ...moment, step: 0, due: dayAfter(now, DAYS[0]) };
  // Found before it is due, it has not been forgotten in between.
  if (step >= 0 && now < due) return /** @type {Returning} */ (moment);
  return step >= 0 && step + 1 < DAYS.length ? { ...moment, step: step + 1, due: dayAfter(now, DAYS[step + 1]) } : null;
}

/**
 * The moments that are due, longest first.
 * @template {{due: number}} One
 * @param {One[]} all
 * @param {number} now
 */
export function dueOf(all, now) {
  return all.filter(({ due }) => due <= now).sort((a, b) => a.due - b.due);
}

// A database of its own, so that pages of earlier versions can still open that of the games.
const NAME = "gyre-moments";
const STORE = "moments";

/**
 * The moments that return, in IndexedDB. If the browser stores nothing, they last for this visit.
 * @param {() => void} changed called when others may be due
 * @param {() => Promise<import("../../idb/idb.js").IDBPDatabase>} [open]
 */
export function momentsKept(changed, open = openStore) {
  /** @type {Map<string, Returning>} */
  let all = new Map();
  /** Changes that the browser could not store. @type {Map<string, Returning|null>} */
  const unkept = new Map();

  const set = (id, moment) => void (moment ? all.set(id, moment) : all.delete(id));

  // Resolves to null if the browser stores nothing.
  const withStore = async (act) => {
    let db = null;
    try {
      db = await open();
      return await act(db);
    } catch {
      return null;
    } finally {
      db?.close();
    }
  };

  const read = async () => {
    const stored = await withStore((db) => db.getAll(STORE));
    if (stored) all = new Map(stored.map((moment) => [moment.id, moment]));
    unkept.forEach((moment, id) => set(id, moment));
    changed();
  };

  let reading = read();
  return {
    /** @returns {Returning[]} */
    get all() {
      return [...all.values()];
    },
    /** Reads the stored ones again: another tab may have changed them. */
    refresh: () => (reading = read()),
    /**
     * Keeps what became of a moment.
     * @param {string} id
     * @param {Returning|null} moment null if it does not return
    */
    async keep(id, moment) {
      await reading;
      set(id, moment);
      changed();
      const kept = await withStore((db) => (moment ? db.put(STORE, moment) : db.delete(STORE, id)).then(() => true));
      if (!kept) unkept.set(id, moment);
    },
  };
}

async function openStore() {
  const open = () => openDB(NAME, 1, { upgrade: (fresh) => void fresh.createObjectStore(STORE, { keyPath: "id" }) });
  // A damaged database only costs the schedule.
  return open().catch((error) => {
    if (error.name === "SecurityError") throw error;
    return deleteDB(NAME).then(open);
  });
}

/** Draws the badge whenever the number of due moments may have changed. */
export function begin() {
  const badge = html("span", { className: "badge", "data-testid": "due", hidden: true }, html("span", { "aria-hidden": "true" }), html("span", { className: "unseen" }));
  byId("tab-learn").append(badge);
  const draw = () => {
    const count = dueOf(moments.all, Date.now()).length;
    show(byId("learn-moments"), moments.all.length);
    show(badge, count);
    if (!count) return;
    setText(badge.firstElementChild, String(count));
    setText(badge.lastElementChild, t("due-count", { count }));
  };
  const moments = momentsKept(draw);
  document.addEventListener("visibilitychange", () => document.hidden || moments.refresh());
  return { open: draw, moments };
}
