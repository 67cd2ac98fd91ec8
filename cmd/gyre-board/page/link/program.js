// A Worker that runs the board's program in one of its roles: the session, which answers
// the page, or an engine, which answers a session. Its first message tells which, with the
// port to answer at, and the program: its address, or what an earlier Worker has made of it.

// @ts-expect-error It is Go's, and comes to the page when that is exported.
import "./wasm_exec.js";

/**
 * @typedef {Object} Start
 * @property {"session"|"engine"} role
 * @property {MessagePort} port
 * @property {string|WebAssembly.Module} program
 */

addEventListener("message", ({ data }) => run(data), { once: true });

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

function startEngine(module) {
  const worker = new Worker(import.meta.url, { type: "module" });
  const { port1, port2 } = new MessageChannel();
  // One that cannot even begin has ended.
  worker.addEventListener("error", () => port2.postMessage(null));
  worker.postMessage({ role: "engine", port: port2, program: module }, [port2]);
  return { port: port1, terminate: () => worker.terminate() };
}
