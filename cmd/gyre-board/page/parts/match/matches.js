// The stored matches: their conditions and results so far. Their games are in the library
// like others, in collections of their own.

import { Game, newId } from "../../game/game.js";
import { read } from "../../game/settings.js";
import { loadGame, saveGame } from "../../game/store.js";
import { withLock } from "../../game/tablock.js";
import { pointsText } from "../../scores.js";
import { bandChart, scaleOf } from "../chart.js";
import { freeName } from "../games/gamelist.js";
import { reasonOf } from "../../failures.js";
import { t } from "../../language.js";

/** The key in localStorage. */
export const KEY = "gyre.matches";

/**
 * @typedef {Object} Contestant
 * @property {string} engine
 * @property {string} level
 *
 * @typedef {Object} Match
 * @property {string} id
 * @property {number} created milliseconds since 1970
 * @property {[Contestant, Contestant]} players
 * @property {"standard"|"blitz"} rules
 * @property {{nodes?: number, movetime?: number}} limits per turn
 * @property {number} games in total
 * @property {number} seed for the openings
 * @property {string} results w, d or l for the first player, per game played
 * @property {string} collection of its games
 */

/** All matches, latest first. @returns {Match[]} */
export function matches() {
  const list = read("localStorage", KEY);
  return Array.isArray(list) ? list.filter((match) => match?.players?.length === 2 && typeof match.results === "string") : [];
}

/**
 * Stores a match, replacing its earlier state. Throws the browser's error if storage is full or off.
 * @param {Match} match
 */
export function keepMatch(match) {
  const others = matches().filter(({ id }) => id !== match.id);
  store([match, ...others].sort((a, b) => b.created - a.created));
}

/**
 * Deletes a match. Its games stay.
 * @param {string} id
 */
export function forgetMatch(id) {
  store(matches().filter((match) => match.id !== id));
}

function store(list) {
  localStorage.setItem(KEY, JSON.stringify(list));
}

/**
 * Creates a match that has not begun.
 * @param {Pick<Match, "players"|"rules"|"limits"|"games">} what
 * @returns {Match}
 */
export function newMatch(what) {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  return { ...what, id: newId(), created: Date.now(), seed, results: "", collection: "" };
}

/** The name of a player. @param {Contestant} player */
export function nameOf({ engine, level }) {
  return level ? `${engine}, ${level}` : engine;
}

/** The title of a match. @param {Match} match */
export function titleOf({ players, rules }) {
  return `${nameOf(players[0])} – ${nameOf(players[1])}${rules === "blitz" ? ", blitz" : ""}`;
}

/** The time per turn in words. @param {Match["limits"]} limits */
export function limitText({ nodes, movetime }) {
  return nodes ? t("limit-positions", { count: nodes }) : t("limit-seconds", { count: movetime / 1000 });
}

/**
 * The points of both players, from the first player's results.
 * @param {string} results
 */
export function pointsOf(results) {
  const first = [...results].reduce((sum, letter) => sum + ({ w: 1, d: 0.5 }[letter] ?? 0), 0);
  return [first, results.length - first];
}

/** The score in words. @param {string} results */
export function scoreText(results) {
  return pointsOf(results).map(pointsText).join(" : ");
}

/** The id of a game of a match. @param {Pick<Match, "id">} match @param {number} number from 1 */
export function gameId({ id }, number) {
  return `${id}-${number}`;
}

/**
 * A game of a match, as a game of the library.
 * @param {Match} match
 * @param {import("../../_types/messages").PlayedEvent} played
 */
export function gameOf(match, { game: number, white, path, opening }) {
  /** @type {Array<[string, string]>} */
  const tags = [["Event", t("match-of", { match: titleOf(match) })], ["Round", String(number)]];
  const game = Game.fromRead({ path, tags }, match.collection);
  game.id = gameId(match, number);
  const [first, second] = match.players.map(({ engine, level }) => ({ kind: /** @type {const} */ ("engine"), engine, level: level || undefined }));
  game.players = white === 0 ? { w: first, b: second } : { w: second, b: first };
  game.root.comment = t("match-note", { limit: limitText(match.limits), count: opening });
  return game;
}

/** The sides in a game of a match, the first player's first. @param {number} number from 1 */
export function sidesOf(number) {
  return number % 2 ? ["w", "b"] : ["b", "w"];
}

/** The chart of a match does not extend beyond this Elo, whatever the first pairs say. */
const MOST_ELO = 1200;

/** @typedef {import("../../_types/messages").EloPoint} EloPoint */

/**
 * The scale of the chart of a match: zero, and all bands except those of the first tenth of
 * the pairs, which swing far.
 * @param {EloPoint[]} course at least two points
 */
export function eloScale(course) {
  const settled = course.slice(Math.floor(course.length / 10)).map(({ pairs, elo, error }) => ({ x: pairs, value: elo, error }));
  const { low, high } = scaleOf(settled, 50);
  return { low: Math.max(-MOST_ELO, Math.min(0, low)), high: Math.min(MOST_ELO, Math.max(0, high)) };
}

/**
 * The chart of a match, or null if there are too few points.
 * @param {EloPoint[]} course
 * @returns {HTMLElement|null}
 */
export function eloChart(course) {
  if (course.length < 2) return null;
  const { elo, error, pairs } = course.at(-1);
  const words = t("match-chart", { first: course[0].pairs, last: pairs, elo: Math.round(elo), error: Math.round(error) });
  return bandChart(course.map((point) => ({ x: point.pairs, value: point.elo, error: point.error })), { ...eloScale(course), words, signed: true });
}

// A running match. Each game is stored before its result counts, so that a match that was
// stopped, or whose tab was closed, can resume.

/** Fires "change" on progress, and "end" (detail: the match, and the reason or "") when it stops. */
export class MatchRunner extends EventTarget {
  #page;
  /** Stops the match. The current game will restart from its beginning. */
  stop = () => {};
  /** @type {Match|null} */
  match = null;
  /** The game that is being played, or was played last: its number, from 1, and its turns so far. @type {{number: number, turns: string[]}} */
  game = { number: 0, turns: [] };
  /** The standing after its games. @type {import("../../_types/messages").Standing|null} */
  standing = null;

  /** @param {Pick<import("../../_types/page").Page, "searches"|"link">} page */
  constructor(page) {
    super();
    this.#page = page;
  }

  /**
   * Plays the rest of a match, unless another tab is playing it.
   * @param {Match} match
   * @param {import("../../_types/messages").Standing} standing
  */
  async play(match, standing) {
    if (this.match) return;
    Object.assign(this, { match, standing, game: { number: 0, turns: [] } });
    let [why, stopped] = ["", false];
    this.stop = () => (stopped = true);
    try {
      this.#report();
      const free = await withLock(`match-${match.id}`, async () => {
        this.#catchUp(match);
        match.collection ||= await freeName(t("match-of", { match: titleOf(match) }));
        keepMatch(match);
        if (!stopped) why = await this.#run(match);
      });
      if (!free) why = t("match-elsewhere");
    } catch (error) {
      why = reasonOf(error);
    }
    this.match = null;
    this.dispatchEvent(new CustomEvent("end", { detail: { match, why } }));
  }

  // Another tab may have continued the match since it was read here.
  #catchUp(match) {
    const kept = matches().find(({ id }) => id === match.id);
    if (!kept || kept.results.length <= match.results.length) return;
    Object.assign(match, kept);
    this.standing = null;
  }

  // Returns the reason if it ended early, or "".
  #run(match) {
    const { players, rules, limits, games, seed, results } = match;
    // After a lost connection, only the rest is requested again.
    const fields = { players: players.map(({ engine, level }) => ({ engine, level: level || null })), rules, limits, games, seed, results, stores: true };
    let keeping = Promise.resolve();
    return new Promise((resolve) => {
      const end = (why) => keeping.then(() => resolve(why));
      const fail = (error) => {
        search.stop();
        resolve(t("match-not-stored", { reason: reasonOf(error) }));
      };
      const search = this.#page.searches.begin("match", fields, {
        turn: ({ game: number, turns, added }) => {
          this.game = { number, turns: [...this.game.turns.slice(0, turns - added.length), ...added] };
          this.#report();
        },
        played: (event) => {
          fields.results = event.results;
          this.game = { number: event.game, turns: event.path.turns };
          this.#report();
          keeping = keeping.then(() => this.#played(match, event)).catch(fail);
        },
        matched: () => end(""),
        failed: (why) => end(why),
      });
      this.stop = () => {
        search.stop();
        end("");
      };
    });
  }

  async #played(match, event) {
    if (event.results.length > match.results.length) {
      const game = gameOf(match, event);
      // A game that was stored but not counted before the tab was closed was replayed.
      const before = await loadGame(game.id);
      await saveGame(game.toJSON(), before?.revision ?? 0);
      match.results = event.results;
      keepMatch(match);
      this.standing = event.standing;
      this.#report();
    }
    // The server waits when it is a few games ahead. After a lost connection, it no longer knows this search.
    this.#page.link.ask("stored", { search: event.search, games: match.results.length }).catch(() => {});
  }

  #report() {
    this.dispatchEvent(new Event("change"));
  }
}
