// A Worker that runs the board's program as a session, which answers the page, or as an
// engine, which answers a session. The first message gives the role, the port to answer on,
// and the program: its address, or the module that an earlier Worker compiled. A session
// asks the page to start engines in other Workers, with messages of the Worker itself, and
// reports the progress of the download with them.

// @ts-expect-error Go's file, added to the page by export.
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

// Compiles the program while it is downloaded. The file is compressed, because not every
// server compresses. A server that does may make the browser decompress it first.
async function load(address) {
  const [first, body] = new Download(address).stream().tee();
  const reader = first.getReader();
  const { value } = await reader.read();
  reader.cancel();
  const zipped = value?.[0] === 0x1f && value?.[1] === 0x8b;
  const plain = zipped ? body.pipeThrough(new DecompressionStream("gzip")) : body;
  return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
}

// The delays before an interrupted download is resumed.
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

/**
 * A download that resumes where it was interrupted. Its progress goes to the page, by
 * messages of the Worker itself.
 */
class Download {
  #address;
  /** @type {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>|null} */
  #reader = null;
  #received = 0;
  /** The size of the file, 0 if unknown. */
  #size = 0;
  /** Bytes of this response that an earlier one has brought already. */
  #skip = 0;
  #resumable = false;
  #wait = FIRST_RETRY_MS;

  /** @param {string} address of a file that never changes */
  constructor(address) {
    this.#address = address;
  }

  /** @returns {ReadableStream<Uint8Array<ArrayBuffer>>} */
  stream() {
    return new ReadableStream({ pull: (controller) => this.#pull(controller) });
  }

  async #pull(controller) {
    for (;;) {
      const chunk = await this.#read();
      if (chunk === "end") return controller.close();
      if (chunk === "interrupted") {
        postMessage({ download: { received: this.#received, size: this.#size, interrupted: true } });
        await new Promise((resolve) => setTimeout(resolve, this.#wait));
        this.#wait = Math.min(2 * this.#wait, LONGEST_RETRY_MS);
        continue;
      }
      const fresh = chunk.subarray(Math.min(this.#skip, chunk.length));
      this.#skip -= chunk.length - fresh.length;
      if (!fresh.length) continue;
      this.#wait = FIRST_RETRY_MS;
      this.#received += fresh.length;
      postMessage({ download: { received: this.#received, size: this.#size, interrupted: false } });
      return controller.enqueue(fresh);
    }
  }

  /** @returns {Promise<Uint8Array<ArrayBuffer>|"end"|"interrupted">} */
  async #read() {
    try {
      this.#reader ??= await this.#connect();
      const { value, done } = await this.#reader.read();
      if (!done) return value;
      if (this.#received >= this.#size) return "end";
      this.#reader = null;
      return "interrupted";
    } catch (error) {
      this.#reader = null;
      if (error instanceof Refused) throw error;
      return "interrupted";
    }
  }

  async #connect() {
    const resume = this.#resumable && this.#received > 0;
    const response = await fetch(this.#address, resume ? { headers: { Range: `bytes=${this.#received}-` } } : {});
    if (!response.ok) throw new Refused(`${this.#address}: ${response.status} ${response.statusText}`);
    const partial = response.status === 206;
    this.#skip = partial ? 0 : this.#received;
    if (!partial) {
      // Ranges and sizes are of what is sent: they fit what arrives if nothing decodes it.
      this.#resumable = !response.headers.has("Content-Encoding");
      this.#size = this.#resumable ? Number(response.headers.get("Content-Length")) : 0;
    }
    return response.body.getReader();
  }
}

/** An answer of the server that it would give again. */
class Refused extends Error {}

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
