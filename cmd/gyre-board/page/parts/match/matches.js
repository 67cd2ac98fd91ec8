// The matches that the browser keeps: what each is of, and the results by now. Its games
// are games of the library like others, in a collection of their own.

import { Game, SIDES, newId } from "../../game/game.js";
import { loadGame, saveGame } from "../../game/store.js";
import { withLock } from "../../game/tablock.js";
import { pointsText } from "../../scores.js";
import { freeName } from "../games/gamelist.js";

/** Where they are in the browser's storage. */
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
 * @property {{nodes?: number, movetime?: number}} limits for each turn
 * @property {number} games in all
 * @property {number} seed of the openings
 * @property {string} results w, d or l of the first player for each game that was played
 * @property {string} collection that the games are in
 */

/** All matches, the latest first. @returns {Match[]} */
export function matches() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(list) ? list.filter((match) => match?.players?.length === 2 && typeof match.results === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Keeps a match, in the place of what is known of it. The error is the browser's, which
 * keeps no more.
 * @param {Match} match
 */
export function keepMatch(match) {
  const others = matches().filter(({ id }) => id !== match.id);
  write([match, ...others].sort((a, b) => b.created - a.created));
}

/**
 * Forgets a match; its games stay.
 * @param {string} id
 */
export function forgetMatch(id) {
  write(matches().filter((match) => match.id !== id));
}

function write(list) {
  localStorage.setItem(KEY, JSON.stringify(list));
}

/**
 * A match that has not begun.
 * @param {Pick<Match, "players"|"rules"|"limits"|"games">} what
 * @returns {Match}
 */
export function newMatch(what) {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  return { ...what, id: newId(), created: Date.now(), seed, results: "", collection: "" };
}

/** What a player is called. @param {Contestant} player */
export function nameOf({ engine, level }) {
  return level ? `${engine}, ${level}` : engine;
}

/** What a match is called. @param {Match} match */
export function titleOf({ players, rules }) {
  return `${nameOf(players[0])} – ${nameOf(players[1])}${rules === "blitz" ? ", blitz" : ""}`;
}

/** How long a player has for a turn, in words. @param {Match["limits"]} limits */
export function limitText({ nodes, movetime }) {
  return nodes ? `${nodes.toLocaleString("en")} positions a turn` : `${movetime / 1000} s a turn`;
}

/**
 * The score of both, by the results of the first.
 * @param {string} results
 */
export function scoreText(results) {
  const first = [...results].reduce((sum, letter) => sum + ({ w: 1, d: 0.5 }[letter] ?? 0), 0);
  return `${pointsText(first)} : ${pointsText(results.length - first)}`;
}

/** The id of a game of a match. @param {Pick<Match, "id">} match @param {number} number from 1 */
export function gameId({ id }, number) {
  return `${id}-${number}`;
}

/**
 * A game of a match, for the library.
 * @param {Match} match
 * @param {import("../../_types/messages").PlayedEvent} played
 * @returns {Game}
 */
export function gameOf(match, { game: number, white, path, opening }) {
  /** @type {Array<[string, string]>} */
  const tags = [["Event", `Match ${titleOf(match)}`], ["Round", String(number)]];
  const game = Game.fromRead({ path, tags }, match.collection);
  game.id = gameId(match, number);
  const [first, second] = match.players.map(({ engine, level }) => ({ kind: /** @type {const} */ ("engine"), engine, level: level || undefined }));
  game.players = white === 0 ? { w: first, b: second } : { w: second, b: first };
  game.root.comment = `${limitText(match.limits)}; the first ${opening} turns are the opening.`;
  return game;
}

/** The sides of a game of a match, the first player's first. @param {number} number from 1 */
export function sidesOf(number) {
  return number % 2 ? [SIDES.w, SIDES.b] : [SIDES.b, SIDES.w];
}

// A match that is being played. Each game is kept before its result counts, so that a match
// that was stopped, or whose tab was closed, goes on where it was.

/**
 * Fires "change" as it goes on, and "end" (detail: the match, and why, or "") when it stops.
 */
export class MatchRunner extends EventTarget {
  #searches;
  #stop = () => {};
  /** @type {Match|null} */
  match = null;
  /** The game that is being played, from 1, and how many turns it has. */
  game = 0;
  turns = 0;
  /** Where the match stands. @type {import("../../_types/messages").Standing|null} */
  standing = null;

  /** @param {import("../../link/searches.js").Searches} searches */
  constructor(searches) {
    super();
    this.#searches = searches;
  }

  /** Stops the match. The game that is being played will be begun anew. */
  stop() {
    this.#stop();
  }

  /**
   * Plays what is left of a match, unless another tab does.
   * @param {Match} match
   * @param {import("../../_types/messages").Standing} standing
   */
  async play(match, standing) {
    if (this.match) return;
    Object.assign(this, { match, standing, game: match.results.length + 1, turns: 0 });
    let [why, stopped] = ["", false];
    this.#stop = () => (stopped = true);
    try {
      this.#tell();
      const free = await withLock(`match-${match.id}`, async () => {
        this.#catchUp(match);
        match.collection ||= await freeName(`Match ${titleOf(match)}`);
        keepMatch(match);
        if (!stopped) why = await this.#run(match);
      });
      if (!free) why = "another tab plays it";
    } catch (error) {
      why = error.message;
    }
    this.match = null;
    this.dispatchEvent(new CustomEvent("end", { detail: { match, why } }));
  }

  // Another tab may have played on since the match was read here.
  #catchUp(match) {
    const kept = matches().find(({ id }) => id === match.id);
    if (!kept || kept.results.length <= match.results.length) return;
    Object.assign(match, kept);
    Object.assign(this, { standing: null, game: match.results.length + 1 });
  }

  // Returns why it ended too early, or "".
  #run(match) {
    const { players, rules, limits, games, seed, results } = match;
    // What is asked again after the connection was lost is what is left then.
    const fields = { players: players.map(({ engine, level }) => ({ engine, level: level || null })), rules, limits, games, seed, results };
    let keeping = Promise.resolve();
    return new Promise((resolve) => {
      const end = (why) => keeping.then(() => resolve(why));
      const fail = (error) => {
        search.stop();
        resolve(`the game cannot be kept: ${error.message}`);
      };
      const search = this.#searches.begin("match", fields, {
        turn: ({ game, turns }) => {
          Object.assign(this, { game, turns });
          this.#tell();
        },
        played: (event) => {
          fields.results = event.results;
          keeping = keeping.then(() => this.#played(match, event)).catch(fail);
        },
        matched: () => end(""),
        failed: (why) => end(why),
      });
      this.#stop = () => {
        search.stop();
        end("");
      };
    });
  }

  async #played(match, event) {
    if (event.results.length <= match.results.length) return;
    const game = gameOf(match, event);
    // One that was kept, but did not count before the tab was closed, was played anew.
    const before = await loadGame(game.id);
    await saveGame(game.toJSON(), before?.revision ?? 0);
    match.results = event.results;
    keepMatch(match);
    Object.assign(this, { standing: event.standing, game: event.game + 1, turns: 0 });
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
