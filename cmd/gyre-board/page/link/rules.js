// The rules of the game are the server's: these are the questions about them.
// Answers depend on nothing but the question, so the last ones are kept.

const KEPT = 80;

/** The server as the one who knows the rules. */
export class Rules {
  #link;
  /** @type {Map<string, Promise<Object>>} */
  #known = new Map();

  /** @param {import("./socket.js").Link} link */
  constructor(link) {
    this.#link = link;
  }

  /**
   * All positions of a line, its turns in words, and what can be done next.
   * @param {{rules: string, start: string, turns: string[]}} path
   */
  game(path) {
    return this.#ask("game", { path });
  }

  /**
   * What can be done next in a turn.
   * @param {Object} path where the turn begins
   * @param {Object[]} prefix the steps done
   */
  steps(path, prefix) {
    return this.#ask("steps", { path, prefix });
  }

  /**
   * Reads a position, turns, records or Boardspace's SGF.
   * @param {string} text
   */
  read(text) {
    return this.#link.ask("read", { text });
  }

  /**
   * Writes a game as a record.
   * @param {Object} path
   * @param {Array<[string, string]>} tags
   * @param {Object<string, string>} comments by ply
   */
  write(path, tags, comments) {
    return this.#link.ask("write", { path, tags, comments });
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
