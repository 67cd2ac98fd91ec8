// Downloads a program, and resumes where the download was interrupted.

/**
 * @typedef {Object} Progress
 * @property {number} received in bytes
 * @property {number} size in bytes, 0 if unknown
 * @property {boolean} interrupted whether the download waits to be resumed
 */

// The delays before an interrupted download is resumed.
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Returns the bytes of a file that never changes. It waits and resumes after an interruption,
 * and fails if the server refuses the file.
 * @param {string} address
 * @param {(progress: Progress) => void} report called with each chunk
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
 */
export function download(address, report) {
  const bytes = new Download(address, report);
  return new ReadableStream({ pull: (controller) => bytes.pull(controller) });
}

/**
 * Decompresses a program in WebAssembly, if it is a gzip file. A server that sends the file as
 * compressed content may make the browser decompress it first. Fails for other files: servers and
 * tools of development often answer with a page instead of a file that they do not have.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} bytes
 * @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>}
 */
export async function inflate(bytes) {
  const [first, body] = bytes.tee();
  const reader = first.getReader();
  const { value = new Uint8Array() } = await reader.read();
  reader.cancel();
  if (value[0] === 0x1f && value[1] === 0x8b) return body.pipeThrough(new DecompressionStream("gzip"));
  if (value[0] === 0 && value[1] === 0x61) return body;
  const begin = new TextDecoder("latin1").decode(value.subarray(0, 20)).replace(/[^ -~]/g, "?");
  throw new Error(`this is not the engine's program, gyre.wasm.gz: it ${begin ? `begins with ${JSON.stringify(begin)}` : "is empty"}`);
}

class Download {
  #address;
  #report;
  /** @type {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>|null} */
  #reader = null;
  #received = 0;
  /** The size of the file, 0 if unknown. */
  #size = 0;
  /** Bytes of this response that an earlier one has brought already. */
  #skip = 0;
  #resumable = false;
  #wait = FIRST_RETRY_MS;

  /**
   * @param {string} address
   * @param {(progress: Progress) => void} report
   */
  constructor(address, report) {
    this.#address = address;
    this.#report = report;
  }

  /** @param {ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>} controller */
  async pull(controller) {
    for (;;) {
      const chunk = await this.#read();
      if (chunk === "end") return controller.close();
      if (chunk === "interrupted") {
        this.#report({ received: this.#received, size: this.#size, interrupted: true });
        await new Promise((resolve) => setTimeout(resolve, this.#wait));
        this.#wait = Math.min(2 * this.#wait, LONGEST_RETRY_MS);
        continue;
      }
      const fresh = chunk.subarray(Math.min(this.#skip, chunk.length));
      this.#skip -= chunk.length - fresh.length;
      if (!fresh.length) continue;
      this.#wait = FIRST_RETRY_MS;
      this.#received += fresh.length;
      this.#report({ received: this.#received, size: this.#size, interrupted: false });
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
    return /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader();
  }
}

/** An answer of the server that it would give again. */
class Refused extends Error {}
