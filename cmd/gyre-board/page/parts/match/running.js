// A match that is being played. Each game is kept before its result counts, so that a match
// that was stopped, or whose tab was closed, goes on where it was.

import { borrow } from "../../game/claim.js";
import { loadGame, saveGame } from "../../game/store.js";
import { freeName } from "../games/importing.js";
import { gameOf, keepMatch, matches, titleOf } from "./kept.js";

/**
 * Fires "change" as it goes on, and "end" (detail: the match, and why, or "") when it stops.
 */
export class Running extends EventTarget {
  #searches;
  #stop = () => {};
  /** @type {import("./kept.js").Match|null} */
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
   * @param {import("./kept.js").Match} match
   * @param {import("../../_types/messages").Standing} standing
   */
  async play(match, standing) {
    if (this.match) return;
    Object.assign(this, { match, standing, game: match.results.length + 1, turns: 0 });
    let [why, stopped] = ["", false];
    this.#stop = () => (stopped = true);
    try {
      this.#tell();
      const free = await borrow(`match-${match.id}`, async () => {
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
