// The connection to the board, which knows the rules and has the engines: a server,
// or Workers of this page. Requests are answered as promises; when the connection
// breaks it is made anew, with growing patience, and everything that was not answered
// yet is asked again, so that a restart of the server loses nothing. What the board
// would never take is not sent.

/** @typedef {import("../_types/messages").Requests} Requests */
/** @typedef {import("../_types/messages").Events} Events */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

/**
 * How messages come and go. What is sent arrives whole and in its order.
 * @typedef {Object} Transport
 * @property {(listener: TransportListener) => void} open connects, or tries to; again
 *   only after it was closed
 * @property {(message: string) => void} send while it is open
 * @property {string} lost what is told when it breaks, as long as it is not there
 *
 * @typedef {Object} TransportListener
 * @property {() => void} opened
 * @property {(message: string) => void} message
 * @property {(end: Ending) => void} closed once after each open: it broke, or did not come about
 *
 * @typedef {Object} Ending
 * @property {string} [why] why the board will not have it
 * @property {boolean} [tooBig] whether what was sent was too long
 */

/** What the board refused, and where in the request. */
export class Refusal extends Error {
  /** @param {{message: string, where?: string}} error */
  constructor({ message, where }) {
    super(where ? `${where}: ${message}` : message);
    this.where = where ?? "";
  }
}

/**
 * @typedef {Object} Asked a request that has no answer yet
 * @property {string} message as it is sent; empty for hello, which is not asked again
 * @property {(ok: any) => void} resolve
 * @property {(error: Error) => void} reject
 */

/**
 * Fires "open" when connected (detail: the answer to hello), and "lost" when the
 * connection broke (detail: what to tell of it).
 */
export class Link extends EventTarget {
  /** @type {Transport} */
  #transport;
  #number = 0;
  /** @type {Map<number, Asked>} */
  #open = new Map();
  #wait = FIRST_WAIT_MS;
  #greeted = false;
  /** The answer to hello, once there was one. @type {import("../_types/messages").Greeting|null} */
  hello = null;

  /** @param {Transport} transport */
  constructor(transport) {
    super();
    this.#transport = transport;
  }

  /** Whether requests are being answered. */
  get connected() {
    return this.#greeted;
  }

  /** Connects, and keeps connected for as long as the page lives. */
  connect() {
    this.#transport.open({
      opened: () => this.#greet(),
      message: (text) => this.#receive(JSON.parse(text)),
      closed: (end) => this.#closed(end),
    });
  }

  /**
   * Asks the board something. Asked while there is no connection, it waits.
   * @template {keyof Requests} What
   * @param {What} what
   * @param {Requests[What]["question"]} fields
   * @returns {Promise<Requests[What]["answer"]>} fails with a Refusal
   */
  ask(what, fields) {
    const id = ++this.#number;
    const message = JSON.stringify({ ...fields, id, do: what });
    return new Promise((resolve, reject) => {
      this.#open.set(id, { message, resolve, reject });
      if (this.#greeted) this.#send(id);
    });
  }

  /**
   * Listens to an event of the board.
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(event: Events[Name]) => void} listener
   */
  on(name, listener) {
    this.addEventListener(`board ${name}`, ({ detail }) => listener(detail));
  }

  // The first question on every connection is hello; what waits follows it.
  async #greet() {
    const id = ++this.#number;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { message: "", resolve, reject }));
    this.#transport.send(JSON.stringify({ id, do: "hello" }));
    this.hello = await answer;
    this.#wait = FIRST_WAIT_MS;
    this.#greeted = true;
    for (const [waiting, { message }] of [...this.#open]) if (message) this.#send(waiting);
    this.dispatchEvent(new CustomEvent("open", { detail: this.hello }));
  }

  // A server ends a connection on which something too long comes, and would do so
  // again whenever it is asked again.
  #send(id) {
    const { message, reject } = this.#open.get(id);
    const most = this.hello.limits.message;
    // A character has one byte at least and three at most.
    if (3 * message.length > most && new Blob([message]).size > most) {
      this.#open.delete(id);
      reject(new Refusal({ message: `that is more than the ${Math.floor(most / 1024)} KiB that can be taken at once` }));
      return;
    }
    this.#transport.send(message);
  }

  #receive(message) {
    if (message.event) {
      this.dispatchEvent(new CustomEvent(`board ${message.event}`, { detail: message }));
      return;
    }
    const asked = this.#open.get(message.id);
    if (!asked) return;
    this.#open.delete(message.id);
    if (message.error) asked.reject(new Refusal(message.error));
    else asked.resolve(message.ok);
  }

  async #closed({ why = "", tooBig = false }) {
    for (const [id, { message }] of this.#open) if (!message) this.#open.delete(id);
    if (tooBig) this.#giveUpLongest();
    if (this.#greeted || this.#wait === FIRST_WAIT_MS || why) {
      this.dispatchEvent(new CustomEvent("lost", { detail: why || this.#transport.lost }));
    }
    this.#greeted = false;
    await new Promise((resolve) => setTimeout(resolve, this.#wait));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
    this.connect();
  }

  // Whatever its limit was, the longest request has been too long.
  #giveUpLongest() {
    const [id, longest] = [...this.#open].reduce((most, asked) => (asked[1].message.length > most[1].message.length ? asked : most), [0, { message: "", reject: (_) => {} }]);
    this.#open.delete(id);
    longest.reject(new Refusal({ message: "that is more than the board takes at once" }));
  }
}

// The rules of the game are not the page's: these are the questions about them.
// Answers depend on nothing but the question, so the last ones are kept.

const KEPT = 80;

/** The board as the one who knows the rules. */
export class Rules {
  #link;
  /** @type {Map<string, Promise<any>>} */
  #known = new Map();

  /** @param {Link} link */
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
