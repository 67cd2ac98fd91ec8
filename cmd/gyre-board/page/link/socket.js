// The board as a server: one WebSocket a tab.

// The codes with which the server closes a connection that it will not have.
const TOO_BIG = 1009;
const TRY_LATER = 1013;

/**
 * The WebSocket to the server that has sent the page.
 * @implements {Transport}
 * @typedef {import("./link.js").Transport} Transport
 * @typedef {import("./link.js").TransportListener} TransportListener
 */
export class Socket {
  #token = document.querySelector('meta[name="gyre-token"]')?.getAttribute("content") ?? "";
  #refused = false;
  /** @type {WebSocket|null} */
  #socket = null;

  lost = "The connection to the board's server is lost.";

  /** @param {TransportListener} listener */
  async open(listener) {
    // Refused before it opened: a new run of the server has a new token.
    if (this.#refused) await this.#fetchToken();
    this.#refused = true;
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
    const socket = new WebSocket(address, ["gyre", `token.${this.#token}`]);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#refused = false;
      listener.opened();
    });
    socket.addEventListener("message", ({ data }) => listener.message(data));
    socket.addEventListener("close", ({ code, reason }) => {
      listener.closed({ why: code === TRY_LATER ? reason : "", tooBig: code === TOO_BIG });
    });
  }

  /** @param {string} message */
  send(message) {
    this.#socket.send(message);
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
