// The connection to the server: one WebSocket a tab. Requests are answered as
// promises; when the connection breaks it is made anew, with growing patience,
// and everything that was not answered yet is asked again, so that a restart of
// the server loses nothing.

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

/** What the server refused, and where in the request. */
export class Refusal extends Error {
  constructor({ message, where }) {
    super(where ? `${where}: ${message}` : message);
    this.where = where ?? "";
  }
}

/**
 * Fires "open" when connected (detail: the answer to hello), "lost" when the
 * connection broke, and the server's own events by their names (detail: the
 * message).
 */
export class Link extends EventTarget {
  #token = document.querySelector('meta[name="gyre-token"]')?.content ?? "";
  #socket = null;
  #number = 0;
  /** @type {Map<number, {message: string, resolve: function, reject: function}>} */
  #open = new Map();
  #wait = FIRST_WAIT_MS;
  #greeted = false;
  /** The answer to hello, once there was one. */
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
    socket.addEventListener("close", () => this.#closed(opened));
  }

  /**
   * Asks the server something. Asked while there is no connection, it waits.
   * @param {string} what
   * @param {Object} [fields]
   * @returns {Promise<Object>} fails with a Refusal
   */
  ask(what, fields = {}) {
    const id = ++this.#number;
    const message = JSON.stringify({ ...fields, id, do: what });
    return new Promise((resolve, reject) => {
      this.#open.set(id, { message, resolve, reject });
      if (this.#greeted) this.#socket.send(message);
    });
  }

  // The first question on every connection is hello; what waits follows it.
  async #greet() {
    const id = ++this.#number;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { message: "", resolve, reject }));
    this.#socket.send(JSON.stringify({ id, do: "hello" }));
    this.hello = await answer;
    this.#wait = FIRST_WAIT_MS;
    this.#greeted = true;
    for (const { message } of this.#open.values()) if (message) this.#socket.send(message);
    this.dispatchEvent(new CustomEvent("open", { detail: this.hello }));
  }

  #receive(message) {
    if (message.event) {
      this.dispatchEvent(new CustomEvent(message.event, { detail: message }));
      return;
    }
    const asked = this.#open.get(message.id);
    if (!asked) return;
    this.#open.delete(message.id);
    if (message.error) asked.reject(new Refusal(message.error));
    else asked.resolve(message.ok);
  }

  async #closed(opened) {
    for (const [id, { message }] of this.#open) if (!message) this.#open.delete(id);
    if (this.#greeted || this.#wait === FIRST_WAIT_MS) this.dispatchEvent(new Event("lost"));
    this.#greeted = false;
    await new Promise((resolve) => setTimeout(resolve, this.#wait));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
    // Refused before it opened: a new run of the server has a new token.
    if (!opened) await this.#fetchToken();
    this.connect();
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
