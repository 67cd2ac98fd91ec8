// The rules of the game are not the page's: these are the questions about them.
// Answers depend on nothing but the question, so the last ones are kept.

const KEPT = 80;

/** The board as the one who knows the rules. */
export class Rules {
  #link;
  /** @type {Map<string, Promise<any>>} */
  #known = new Map();

  /** @param {import("./link.js").Link} link */
  constructor(link) {
    this.#link = link;
  }

  /**
   * All positions of a line, its turns in words, and what can be done next.
   * @param {import("../_types/messages").Path} path
   * @returns {Promise<import("../_types/messages").Game>}
   */
  game(path) {
    return this.#ask("game", { path });
  }

  /**
   * What can be done next in a turn.
   * @param {import("../_types/messages").Path} path where the turn begins
   * @param {import("../_types/messages").Step[]} prefix the steps done
   * @returns {Promise<import("../_types/messages").Steps>}
   */
  steps(path, prefix) {
    return this.#ask("steps", { path, prefix });
  }

  /**
   * What can be said of the last turn of a line, in sentences that the rules prove.
   * @param {import("../_types/messages").Path} path
   * @param {string} better a turn that is worth more, in its place
   */
  why(path, better) {
    return this.#ask("why", { path, better });
  }

  /**
   * Reads a position, turns, records, Boardspace's SGF or a log of BoardGameArena.
   * @param {string} text
   * @param {number} [line] the number of its first line, for errors
   */
  read(text, line = 1) {
    return this.#link.ask("read", { text, line });
  }

  /**
   * Writes a game as a record, or in another format.
   * @param {import("../_types/messages").TextGame} game
   * @param {"sgf"} [format]
   */
  write(game, format) {
    return this.#link.ask("write", { ...game, format });
  }

  #ask(what, fields) {
    const key = JSON.stringify([what, fields]);
    const known = this.#known.get(key);
    if (known) {
      // Asked for again it is the newest.
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const answer = this.#link.ask(what, fields);
    this.#known.set(key, answer);
    answer.catch(() => this.#known.delete(key));
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value);
    return answer;
  }
}
