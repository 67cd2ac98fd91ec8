// Reviewing several games, one at a time, with a separate engine, so that play on the board
// continues. Each review is stored when it is done. The remaining games are stored, too, so
// that a stopped queue can resume later.

import { read, write } from "../../game/settings.js";
import { withLock } from "../../game/tablock.js";
import { Game } from "../../game/game.js";
import { loadGame, saveGame } from "../../game/store.js";
import { applyVerdict } from "../review/judge.js";
import { reasonOf } from "../../failures.js";
import { t } from "../../language.js";

const KEY = "gyre.reviews";

/** Stop after this many failures in a row. */
const MOST_FAILURES = 3;

/**
 * The remaining work.
 * @typedef {Object} Work
 * @property {string} collection of the games
 * @property {number} nodes per position
 * @property {string[]} ids of the games
 */

/** The work of a stopped queue, or null. @returns {Work|null} */
export function pendingWork() {
  const work = read("localStorage", KEY);
  return Array.isArray(work?.ids) && work.ids.length ? work : null;
}

/**
 * A queue of games to review.
 * @param {import("../../_types/page").Page} page
 * @param {Object} how
 * @param {() => void} how.changed called on progress
 * @param {(id: string, review: Object) => void} how.done called when a game is reviewed
 * @param {() => void} how.ended called when it stops
 */
export function queueOf({ analysis, controller, link, searches, state }, { changed, done, ended }) {
  let stop = () => {};
  /** The previous run, which may still be ending. @type {Promise<any>} */
  let last = Promise.resolve();

  const queue = {
    /** @type {Work|null} */
    work: null,
    /** The game under review and its progress, 0 to 1. @type {{id: string, share: number}|null} */
    now: null,
    /** The initial number of games. */
    all: 0,
    /** The games that could not be reviewed, with the reasons. @type {Array<{id: string, why: string}>} */
    failures: [],
    /** Why no game was reviewed, or "". */
    why: "",

    /** The total progress, 0 to 1. */
    get share() {
      if (!queue.work || !queue.all) return 1;
      return (queue.all - queue.work.ids.length + (queue.now?.share ?? 0)) / queue.all;
    },

    /** Stops. The current game's review will restart. */
    stop() {
      queue.work = null;
      stop();
    },

    /**
     * Reviews games until all are done or it is stopped. Does nothing if another tab is reviewing.
     * @param {Work} wanted
    */
    async run({ collection, nodes, ids }) {
      if (queue.work) return;
      const work = { collection, nodes, ids: [...ids] };
      Object.assign(queue, { work, all: ids.length, failures: [], why: "" });
      await last;
      const running = withLock("reviews", () => reviewAll(work));
      last = running.catch(() => {});
      const free = await running.catch((error) => ((queue.why = reasonOf(error)), true));
      if (queue.work && queue.work !== work) return; // another run has begun
      if (!free) queue.why = t("reviews-elsewhere");
      Object.assign(queue, { work: null, now: null });
      ended();
    },
  };

  const reviewAll = async (work) => {
    await engineThere();
    let row = 0; // consecutive games at which the engine failed
    while (queue.work === work && work.ids.length && row < MOST_FAILURES) {
      write("localStorage", KEY, work);
      const [id] = work.ids;
      go(id, 0);
      const { review, why, failed = false } = await reviewOne(id, work).catch((error) => ({ review: null, why: reasonOf(error), failed: true }));
      if (queue.work !== work) break;
      row = failed ? row + 1 : 0;
      if (why) queue.failures.push({ id, why });
      work.ids.shift();
      if (review) done(id, review);
    }
    write("localStorage", KEY, work);
  };

  // The engines are known after the first answer.
  const engineThere = async () => {
    if (link.hello) return;
    await new Promise((resolve) => {
      stop = () => resolve(null);
      link.addEventListener("open", resolve, { once: true });
    });
  };

  const go = (id, share) => {
    queue.now = { id, share };
    changed();
  };

  /**
   * Reviews a game and stores the findings. Throws the engine's errors.
   * @returns {Promise<{review: Object|null, why: string, failed?: boolean}>} the summary by
   *   side, or why there is none
  */
  const reviewOne = async (id, work) => {
    const open = state.game?.id === id ? state.game : null;
    const stored = open ? null : await loadGame(id);
    const game = open ?? (stored && Game.readable(stored.value));
    if (!game) return { review: null, why: t(stored ? "game-damaged" : "game-gone") };
    if (open?.playing || game.isLocked) return { review: null, why: t("game-being-played") };
    const path = game.path(game.mainLeaf);
    if (!path.turns.length) return { review: null, why: t("game-without-turns") };
    const verdicts = [];
    if (queue.work !== work) return { review: null, why: "" };
    const review = await new Promise((resolve, reject) => {
      const fields = { engine: analysis.engines[0], apart: true, path, nodes: work.nodes, game: id };
      const search = searches.begin("review", fields, {
        review: ({ share, turn }) => {
          verdicts[turn.ply] = turn;
          go(id, share);
        },
        reviewed: ({ summary }) => resolve(summary),
        failed: (why) => reject(new Error(why)),
      });
      stop = () => {
        search.stop();
        resolve(null);
      };
    });
    if (!review) return { review, why: "" };
    const why = await keep(id, { turns: path.turns, verdicts, review });
    return { review: why ? null : review, why };
  };

  // Stores the findings with the game, wherever it is now. Returns the reason if it cannot.
  const keep = async (id, found) => {
    if (state.game?.id === id) {
      if (!applyReview(state.game, found)) return t("game-changed");
      controller.changed();
      return "";
    }
    let why = "";
    const free = await withLock(id, async () => {
      const stored = await loadGame(id);
      const game = stored && Game.readable(stored.value);
      if (!game) why = t("game-gone");
      else if (!applyReview(game, found)) why = t("game-changed");
      // Its place in lists does not change.
      else if (!(await saveGame({ ...game.toJSON(), changed: stored.value.changed }, stored.revision))) why = t("game-changed");
    });
    return free ? why : t("game-open-elsewhere");
  };

  return queue;
}

/**
 * Stores findings in a game, unless its main line has changed.
 * @param {Game} game
 * @param {{turns: string[], verdicts: import("../../_types/messages").VerdictView[], review: Object}} found
 * @returns {boolean} whether they were stored
 */
export function applyReview(game, { turns, verdicts, review }) {
  const { mainLeaf } = game;
  const { nodes } = mainLeaf;
  if (nodes.length !== turns.length || nodes.some(({ turn }, i) => turn !== turns[i])) return false;
  for (const verdict of verdicts) if (verdict) applyVerdict(nodes[verdict.ply - 1], verdict);
  mainLeaf.review = review;
  return true;
}
