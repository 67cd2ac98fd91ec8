// A Worker that runs the board's program as a session, which answers the page, or as an
// engine, which answers a session. The first message gives the role, the port to answer on,
// and the program: its address, or the module that an earlier Worker compiled. A session
// asks the page to start engines in other Workers, with messages of the Worker itself, and
// reports the progress of the download with them.

// @ts-expect-error Go's file, added to the page by export.
import "./wasm_exec.js";
import { download, inflate } from "@gyre/engine/download.js";

/**
 * @typedef {Object} Start
 * @property {"session"|"engine"} role
 * @property {MessagePort} port
 * @property {string|WebAssembly.Module} program
 */

addEventListener("message", ({ data }) => ("lost" in data ? lose(data.lost) : run(data)));

/** @param {Start} start */
async function run({ role, port, program }) {
  try {
    const module = typeof program === "string" ? await load(program) : program;
    const scope = /** @type {any} */ (globalThis);
    scope.gyre = { port, startEngine: () => startEngine(module), processors: navigator.hardwareConcurrency || 1 };
    const go = new scope.Go();
    go.argv = ["gyre", role];
    await go.run(await WebAssembly.instantiate(module, go.importObject));
    port.postMessage(null);
  } catch (error) {
    port.postMessage({ failed: error.message });
  }
}

// Compiles the program while it is downloaded. The file is compressed, because not every
// server compresses.
async function load(address) {
  const bytes = download(address, (progress) => postMessage({ download: progress }));
  return WebAssembly.compileStreaming(new Response(await inflate(bytes), { headers: { "Content-Type": "application/wasm" } }));
}

/**
 * The ports to engines, by number.
 * @type {Map<number, MessagePort>}
 */
const engines = new Map();
let number = 0;

// The page starts the Workers, because in Firefox a Worker started by a Worker may hang.
function startEngine(module) {
  const { port1, port2 } = new MessageChannel();
  const engine = ++number;
  engines.set(engine, port1);
  postMessage({ start: engine, port: port2, program: module }, { transfer: [port2] });
  const terminate = () => {
    engines.delete(engine);
    postMessage({ end: engine });
  };
  return { port: port1, terminate };
}

// A failed Worker ends its engine.
function lose(engine) {
  engines.get(engine)?.dispatchEvent(new MessageEvent("message", { data: null }));
}
