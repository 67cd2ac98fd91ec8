// The connection to the program that knows the rules and runs the engines: a server, or
// Workers of this page. Requests return promises. A lost connection is restored, with
// increasing delays, and unanswered requests are repeated, so a restart of the server loses
// nothing. Messages above the program's size limit are not sent.

import { START, formatBoard, playTurn, viewOf } from "../../../../position/drawing/rules.js";
import { placeText, t, whyText } from "../language.js";

/** @typedef {import("../_types/messages").Requests} Requests */
/** @typedef {import("../_types/messages").Events} Events */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

/**
 * Carries messages, complete and in order.
 * @typedef {Object} Transport
 * @property {(listener: TransportListener) => void} open connects; called again only after closed
 * @property {(message: string) => void} send while it is open
 * @property {string} lost the message to show while disconnected
 *
 * @typedef {Object} TransportListener
 * @property {() => void} opened
 * @property {(message: string) => void} message
 * @property {(download: Download) => void} [progress] called while the program is downloaded
 * @property {(end: Ending) => void} closed called once per open: the connection ended or failed
 *
 * @typedef {Object} Download
 * @property {number} received in bytes
 * @property {number} size in bytes, 0 if unknown
 * @property {boolean} interrupted whether it waits to be resumed
 *
 * @typedef {Object} Ending
 * @property {string} [why] why the program refused
 * @property {boolean} [tooBig] whether a message was too long
 */

/** A refused request, with the position of the error in it. */
export class Refusal extends Error {
  /** @param {{message: string, where?: string, code?: string, fault?: import("../_types/messages").Fault}} error */
  constructor(error) {
    const { where, code, fault } = error;
    const place = fault ? placeText(where) : where;
    const reason = whyText(error);
    super(place ? t("fault-at", { place, reason }) : reason);
    this.where = where ?? "";
    /** What is wrong, in a word, or "". */
    this.code = code ?? "";
  }
}

/**
 * A request without an answer yet.
 * @typedef {Object} Asked
 * @property {string} message the message as sent; empty for hello, which is not repeated
 * @property {(ok: any) => void} resolve
 * @property {(error: Error) => void} reject
 */

/**
 * Fires "open" when connected (detail: the answer to hello), and "lost" when the
 * connection broke (detail: the message to show), and "progress" (detail: the Download)
 * while the program is downloaded.
 */
export class Link extends EventTarget {
  /** @type {Transport} */
  #transport;
  #number = 0;
  /** @type {Map<number, Asked>} */
  #open = new Map();
  #wait = FIRST_WAIT_MS;
  /** Whether the connection is open and answers. */
  connected = false;
  /** The answer to the last hello, or null. @type {import("../_types/messages").Greeting|null} */
  hello = null;

  /** @param {Transport} transport */
  constructor(transport) {
    super();
    this.#transport = transport;
  }

  /** Connects, and reconnects as long as the page lives. */
  connect() {
    this.#transport.open({
      opened: () => this.#greet(),
      message: (text) => this.#receive(JSON.parse(text)),
      progress: (download) => this.dispatchEvent(new CustomEvent("progress", { detail: download })),
      closed: (end) => this.#closed(end),
    });
  }

  /**
   * Sends a request. Without a connection, it waits for one.
   * @template {keyof Requests} What
   * @param {What} what
   * @param {Requests[What]["question"]} fields
   * @returns {Promise<Requests[What]["answer"]> & {id: number}} rejects with a Refusal
  */
  ask(what, fields) {
    const id = ++this.#number;
    const message = JSON.stringify({ ...fields, id, do: what });
    const answer = new Promise((resolve, reject) => {
      this.#open.set(id, { message, resolve, reject });
      if (this.connected) this.#send(id);
    });
    return Object.assign(answer, { id });
  }

  /**
   * Listens for an event.
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(event: Events[Name]) => void} listener
  */
  on(name, listener) {
    this.addEventListener(`board ${name}`, ({ detail }) => listener(detail));
  }

  // The first request on every connection is hello; waiting requests follow it.
  async #greet() {
    const id = ++this.#number;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { message: "", resolve, reject }));
    this.#transport.send(JSON.stringify({ id, do: "hello" }));
    this.hello = await answer;
    this.#wait = FIRST_WAIT_MS;
    this.connected = true;
    for (const [waiting, { message }] of [...this.#open]) if (message) this.#send(waiting);
    this.dispatchEvent(new CustomEvent("open", { detail: this.hello }));
  }

  // The server closes the connection when a message is too long, and would do so again for
  // each repetition.
  #send(id) {
    const { message, reject } = this.#open.get(id);
    const most = this.hello.limits.message;
    // A character takes one to three bytes.
    if (3 * message.length > most && new Blob([message]).size > most) {
      this.#open.delete(id);
      reject(new Refusal({ message: t("too-large-of", { most: Math.floor(most / 1024) }) }));
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
    if (this.connected || this.#wait === FIRST_WAIT_MS || why) {
      this.dispatchEvent(new CustomEvent("lost", { detail: why || this.#transport.lost }));
    }
    this.connected = false;
    await new Promise((resolve) => setTimeout(resolve, this.#wait));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
    this.connect();
  }

  // Whatever the limit is, the longest request exceeded it.
  #giveUpLongest() {
    const [id, longest] = [...this.#open].reduce((most, asked) => (asked[1].message.length > most[1].message.length ? asked : most), [0, { message: "", reject: (_) => {} }]);
    this.#open.delete(id);
    longest.reject(new Refusal({ message: t("too-large") }));
  }
}

// Questions about the rules. The page knows where turns lead (position/drawing/rules.js), and the
// program checks every finished turn. It gets only what is new: the turns of a line after the
// last position that it has confirmed.

/** Recent answers and positions that are kept. A game has fewer positions. */
const KEPT_ANSWERS = 80;
const KEPT_POSITIONS = 2000;

/** @typedef {import("../../../../position/drawing/rules.js").View} View */

/**
 * A line of turns.
 * @typedef {Object} Line
 * @property {View[]} views before the first turn, then after each
 * @property {Played[]} turns
 *
 * @typedef {Object} Played what a turn did
 * @property {"w"|"b"} side
 * @property {import("../../../../position/drawing/rules.js").Step[]} acts
 */

/** Asks about the rules. */
export class Rules {
  #link;
  /** Answers by question. @type {Map<string, Promise<any>>} */
  #answers = new Map();
  /** Confirmed positions by rules and start, or by rules, position and turn. @type {Map<string, {view: View, played?: Played}>} */
  #positions = new Map();
  /** The ids of the questions that ended with a position, by rules and position. @type {Map<string, number>} */
  #ends = new Map();

  /** @param {Link} link */
  constructor(link) {
    this.#link = link;
  }

  /**
   * All positions of a line, and what its turns do.
   * @param {import("../_types/messages").Path} path
   * @returns {Promise<Line>} rejects with a Refusal if a turn is illegal
  */
  async game({ rules, start, turns }) {
    const line = this.#confirmed(rules, start, turns);
    const from = line.turns.length;
    const rest = turns.slice(from);
    if (line.views.length && !rest.length) return line;
    const id = await this.#check(rules, line.views.at(-1)?.position ?? start, rest, from);
    if (!line.views.length) line.views.push(this.#keep(`${rules} ${start}`, { view: viewOf(start === "startpos" ? START : start, rules) }).view);
    for (const turn of rest) {
      const last = line.views.at(-1);
      const { acts, board } = playTurn(last, turn);
      const { view, played } = this.#keep(`${rules} ${last.position} ${turn}`, { view: viewOf(formatBoard(board), rules), played: { side: last.side, acts } });
      line.views.push(view);
      line.turns.push(played);
    }
    remember(this.#ends, `${rules} ${line.views.at(-1).position}`, id, KEPT_ANSWERS);
    return line;
  }

  // Asks the program to check turns after a position, and returns the id of the question. If the
  // program has just confirmed that position, it gets the id of that question instead.
  async #check(rules, start, turns, ply) {
    const after = recent(this.#ends, `${rules} ${start}`);
    if (after) {
      const question = this.#ask("game", { path: { turns }, after, ply });
      // It forgets what other connections have asked, and what is long ago.
      const known = await question.then(() => true, (error) => error.code !== "forgotten" && Promise.reject(error));
      if (known) return question.id;
    }
    const question = this.#ask("game", { path: { rules, start, turns }, ply });
    await question;
    return question.id;
  }

  // The part of a line that the program has confirmed.
  #confirmed(rules, start, turns) {
    /** @type {Line} */
    const line = { views: [], turns: [] };
    const first = recent(this.#positions, `${rules} ${start}`);
    if (!first) return line;
    line.views.push(first.view);
    for (const turn of turns) {
      const reached = recent(this.#positions, `${rules} ${line.views.at(-1).position} ${turn}`);
      if (!reached) break;
      line.views.push(reached.view);
      line.turns.push(reached.played);
    }
    return line;
  }

  #keep(key, reached) {
    remember(this.#positions, key, reached, KEPT_POSITIONS);
    return reached;
  }

  /**
   * What the rules prove about the last turn of a line and about a better one.
   * @param {import("../_types/messages").Path} path
   * @param {string} better a better turn in its place
  */
  why(path, better) {
    return this.#ask("why", { path, better });
  }

  #ask(what, fields) {
    const key = JSON.stringify([what, fields]);
    const known = recent(this.#answers, key);
    if (known) return known;
    const answer = this.#link.ask(what, fields);
    remember(this.#answers, key, answer, KEPT_ANSWERS);
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }
}

// A value of a cache, which becomes its most recent one.
function recent(cache, key) {
  const known = cache.get(key);
  if (known === undefined) return undefined;
  cache.delete(key);
  cache.set(key, known);
  return known;
}

// Adds a value to a cache, which forgets the value that was used least recently.
function remember(cache, key, value, most) {
  cache.set(key, value);
  if (cache.size > most) cache.delete(cache.keys().next().value);
}
