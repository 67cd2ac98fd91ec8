// The connection to the server: one WebSocket a tab. Requests are answered as
// promises; when the connection breaks it is made anew, with growing patience,
// and everything that was not answered yet is asked again, so that a restart of
// the server loses nothing. What the server would never take is not sent.

/** @typedef {import("../_types/messages").Requests} Requests */
/** @typedef {import("../_types/messages").Events} Events */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

// The codes with which the server closes a connection that it will not have.
const TOO_BIG = 1009;
const TRY_LATER = 1013;

/** What the server refused, and where in the request. */
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
 * connection broke (detail: why the server will not have it, or "").
 */
export class Link extends EventTarget {
  #token = document.querySelector('meta[name="gyre-token"]')?.getAttribute("content") ?? "";
  /** @type {WebSocket|null} */
  #socket = null;
  #number = 0;
  /** @type {Map<number, Asked>} */
  #open = new Map();
  #wait = FIRST_WAIT_MS;
  #greeted = false;
  /** The answer to hello, once there was one. @type {import("../_types/messages").Greeting|null} */
  hello = null;

  /** Whether requests are being answered. */
  get connected() {
    return this.#greeted;
  }

  /** Connects, and keeps connected for as long as the page lives. */
  connect() {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
    const socket = new WebSocket(address, ["gyre", `token.${this.#token}`]);
    this.#socket = socket;
    let opened = false;
    socket.addEventListener("open", () => {
      opened = true;
      this.#greet();
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code, reason }) => this.#closed(opened, code, reason));
  }

  /**
   * Asks the server something. Asked while there is no connection, it waits.
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
   * Listens to an event of the server.
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(event: Events[Name]) => void} listener
   */
  on(name, listener) {
    this.addEventListener(`server ${name}`, ({ detail }) => listener(detail));
  }

  // The first question on every connection is hello; what waits follows it.
  async #greet() {
    const id = ++this.#number;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { message: "", resolve, reject }));
    this.#socket.send(JSON.stringify({ id, do: "hello" }));
    this.hello = await answer;
    this.#wait = FIRST_WAIT_MS;
    this.#greeted = true;
    for (const [waiting, { message }] of [...this.#open]) if (message) this.#send(waiting);
    this.dispatchEvent(new CustomEvent("open", { detail: this.hello }));
  }

  // The server ends a connection on which something too long comes, and would do so
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
    this.#socket.send(message);
  }

  #receive(message) {
    if (message.event) {
      this.dispatchEvent(new CustomEvent(`server ${message.event}`, { detail: message }));
      return;
    }
    const asked = this.#open.get(message.id);
    if (!asked) return;
    this.#open.delete(message.id);
    if (message.error) asked.reject(new Refusal(message.error));
    else asked.resolve(message.ok);
  }

  async #closed(opened, code, reason) {
    for (const [id, { message }] of this.#open) if (!message) this.#open.delete(id);
    if (code === TOO_BIG) this.#giveUpLongest();
    const why = code === TRY_LATER ? reason : "";
    if (this.#greeted || this.#wait === FIRST_WAIT_MS || why) this.dispatchEvent(new CustomEvent("lost", { detail: why }));
    this.#greeted = false;
    await new Promise((resolve) => setTimeout(resolve, this.#wait));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
    // Refused before it opened: a new run of the server has a new token.
    if (!opened) await this.#fetchToken();
    this.connect();
  }

  // Whatever its limit was, the longest request has been too long.
  #giveUpLongest() {
    const [id, longest] = [...this.#open].reduce((most, asked) => (asked[1].message.length > most[1].message.length ? asked : most), [0, { message: "", reject: (_) => {} }]);
    this.#open.delete(id);
    longest.reject(new Refusal({ message: "that is more than the server takes at once" }));
  }

  async #fetchToken() {
    try {
      const answer = await fetch("/token", { cache: "no-store" });
      if (answer.ok) this.#token = (await answer.text()).trim();
    } catch {
      // The server is not there yet.
    }
  }
}
