// Transports for Link: to the server, one WebSocket per tab, or to the program in Workers of this page.

import { limitText, t } from "../language.js";

/** @typedef {import("./link.js").Transport} Transport */

// Close codes of a server that refuses the connection.
const TOO_BIG = 1009;
const TRY_LATER = 1013;

/** A WebSocket to the server that sent the page. @returns {Transport} */
export function socketTransport() {
  let token = document.querySelector('meta[name="gyre-token"]')?.getAttribute("content") ?? "";
  let refused = false;
  /** @type {WebSocket|null} */
  let socket = null;

  const fetchToken = async () => {
    try {
      const answer = await fetch("/token", { cache: "no-store" });
      if (answer.ok) token = (await answer.text()).trim();
    } catch {
      // The server is not running yet.
    }
  };

  return {
    lost: t("lost-server"),
    async open(listener) {
      // The last attempt was refused: a restarted server has a new token.
      if (refused) await fetchToken();
      refused = true;
      const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
      socket = new WebSocket(address, ["gyre", `token.${token}`]);
      socket.addEventListener("open", () => {
        refused = false;
        listener.opened();
      });
      socket.addEventListener("message", ({ data }) => listener.message(data));
      socket.addEventListener("close", ({ code, reason }) => {
        listener.closed({ why: code === TRY_LATER ? limitText(reason) : "", tooBig: code === TOO_BIG });
      });
    },
    send: (message) => socket.send(message),
  };
}

// Without a server, the program runs in Workers of this page: one for the rules, and one for each
// engine that it asks for.

/** The address of the board's program in the exported page; otherwise "". */
export const program = document.querySelector('meta[name="gyre-program"]')?.getAttribute("content") ?? "";

/** The Worker that answers the page. It is restarted after it ended. @returns {Transport} */
export function workerTransport() {
  /** @type {MessagePort|null} */
  let port = null;
  return {
    lost: t("lost-program"),
    open(listener) {
      const worker = newWorker();
      /** The engines' Workers, which the program requests by number. @type {Map<number, Worker>} */
      const engines = new Map();
      const { port1, port2 } = new MessageChannel();
      let ended = false;
      const end = (why) => {
        if (ended) return;
        ended = true;
        for (const running of [worker, ...engines.values()]) running.terminate();
        port1.close();
        listener.closed({ why: why && t("program-fails", { why }) });
      };
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        end(event.message ?? t("worker-missing"));
      });
      port1.onmessage = ({ data }) => {
        if (typeof data === "string") listener.message(data);
        else end(data?.failed ?? "");
      };
      worker.addEventListener("message", ({ data }) => {
        if (data.download) listener.progress(data.download);
        if ("start" in data) engines.set(data.start, startEngine(worker, data));
        if ("end" in data) {
          engines.get(data.end)?.terminate();
          engines.delete(data.end);
        }
      });
      worker.postMessage({ role: "session", port: port2, program: new URL(program, location.href).href }, [port2]);
      port = port1;
      // The port queues messages until the program listens.
      queueMicrotask(() => listener.opened());
    },
    send: (message) => port.postMessage(message),
  };
}

function newWorker() {
  return new Worker(new URL("program.js", import.meta.url), { type: "module" });
}

/**
 * Starts the Worker of an engine. If it fails, the session's Worker hears of it.
 * @param {Worker} session
 * @param {{start: number, port: MessagePort, program: WebAssembly.Module}} order
 */
function startEngine(session, { start, port, program }) {
  const worker = newWorker();
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    session.postMessage({ lost: start });
  });
  worker.postMessage({ role: "engine", port, program }, [port]);
  return worker;
}
