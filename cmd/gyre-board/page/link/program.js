// A Worker that runs the board's program in one of its roles: the session, which answers
// the page, or an engine, which answers a session. Its first message tells which, with the
// port to answer at, and the program: its address, or what an earlier Worker has made of it.
// A session asks the page, by messages of the Worker itself, to start engines in others.

// @ts-expect-error It is Go's, and comes to the page when that is exported.
import "./wasm_exec.js";

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

// The file is zipped, as not every server zips what it sends; one that does may have sent
// it so that the browser has unzipped it already.
async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  const [first, body] = response.body.tee();
  const reader = first.getReader();
  const { value } = await reader.read();
  reader.cancel();
  const zipped = value?.[0] === 0x1f && value?.[1] === 0x8b;
  const plain = zipped ? body.pipeThrough(new DecompressionStream("gzip")) : body;
  return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
}

/**
 * The ports to engines, by number.
 * @type {Map<number, MessagePort>}
 */
const engines = new Map();
let number = 0;

// The page starts the Workers: in Firefox a Worker that starts another may hang for ever.
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

// An engine whose Worker has failed says nothing more, as one that has ended.
function lose(engine) {
  engines.get(engine)?.dispatchEvent(new MessageEvent("message", { data: null }));
}
