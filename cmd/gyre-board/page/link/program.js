// A Worker that runs the board's program as a session, which answers the page, or as an
// engine, which answers a session. The package @gyre/engine loads and runs the program; this
// file connects it. The first message gives the role, the port to answer on, and the program:
// its address, or the module that an earlier Worker compiled. A session asks the page to start
// engines in other Workers, with messages of the Worker itself, and reports the progress of the
// download with them.

// @ts-expect-error Go's file, added to the page by export.
import "./wasm_exec.js";
import { serve } from "@gyre/engine/runtime.js";

/**
 * @typedef {Object} Start
 * @property {"session"|"engine"} role
 * @property {MessagePort} port
 * @property {string|WebAssembly.Module} program
 */

addEventListener("message", ({ data }) => ("lost" in data ? engines.get(data.lost)?.end() : start(data)));

/** @param {Start} start */
function start({ role, port, program }) {
  const run = serve(role === "engine" ? (report) => port.postMessage(report) : (report) => relay(report, port));
  if (role === "engine") port.onmessage = ({ data }) => run(data);
  else /** @type {any} */ (globalThis).gyre = { port, startEngine, processors: navigator.hardwareConcurrency || 1 };
  run({ program, args: [role], files: {} });
}

/** The compiled program. @type {WebAssembly.Module} */
let module;

/**
 * Passes what happens to the session's program on to the page.
 * @param {import("@gyre/engine/runtime.js").Report} report
 * @param {MessagePort} port
 */
function relay(report, port) {
  if ("download" in report) postMessage(report);
  else if ("module" in report) ({ module } = report);
  else if ("exit" in report) port.postMessage(null);
  else if ("failed" in report) port.postMessage({ failed: report.failed });
}

/** An engine in another Worker, as the session's program uses it: a port of texts. */
class EnginePort {
  #port;
  /** @type {((event: {data: string|null}) => void)|null} null as data ends the engine's output */
  onmessage = null;

  /** @param {MessagePort} port */
  constructor(port) {
    this.#port = port;
    port.onmessage = ({ data }) => {
      if ("output" in data) this.onmessage?.({ data: data.output });
      else if ("exit" in data || "failed" in data) this.end();
    };
  }

  /** @param {string} input */
  postMessage(input) {
    this.#port.postMessage({ input });
  }

  end() {
    this.onmessage?.({ data: null });
  }
}

/**
 * The running engines, by number.
 * @type {Map<number, EnginePort>}
 */
const engines = new Map();
let number = 0;

// The page starts the Workers, because in Firefox a Worker started by a Worker may hang.
function startEngine() {
  const { port1, port2 } = new MessageChannel();
  const engine = ++number;
  const port = new EnginePort(port1);
  engines.set(engine, port);
  postMessage({ start: engine, port: port2, program: module }, { transfer: [port2] });
  const terminate = () => {
    engines.delete(engine);
    postMessage({ end: engine });
  };
  return { port, terminate };
}
