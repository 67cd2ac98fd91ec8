// Runs the engine's program, which Go has compiled to WebAssembly, inside a Worker. Standard
// input and output are messages, and its files are in memory. The Worker imports Go's file
// wasm_exec.js, which defines globalThis.Go.

import { download, inflate } from "./download.js";

/**
 * Messages to the Worker: first the program, then its input.
 * @typedef {{program: string|Uint8Array|WebAssembly.Module, args: string[], files: Record<string, Uint8Array>} | {input: string}} Order
 */

/**
 * Messages from the Worker.
 * @typedef {{output: string} | {module: WebAssembly.Module} | {download: import("./download.js").Progress} | {failed: string} | {exit: number, failed?: undefined}} Report
 */

const STDIN = 0;
const STDERR = 2;
const FIRST_FILE = 3;

/**
 * The part of Node's fs that Go's programs call: the standard streams, and files to read.
 */
class Files {
  constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  #files;
  #post;
  /** Open files, by descriptor. @type {Map<number, {bytes: Uint8Array, at: number}>} */
  #open = new Map();
  #next = FIRST_FILE;
  /** @type {Uint8Array[]} */
  #input = [];
  /** @type {(() => void)|null} */
  #waiting = null;
  #decoder = new TextDecoder();

  /**
   * @param {Record<string, Uint8Array>} files by path
   * @param {(report: Report) => void} post
   */
  constructor(files, post) {
    this.#files = files;
    this.#post = post;
    // Go calls what it does not find here, too.
    for (const name of ["chmod", "chown", "fchmod", "fchown", "ftruncate", "lchown", "link", "mkdir", "readdir", "readlink", "rename", "rmdir", "symlink", "truncate", "unlink", "utimes"]) {
      this[name] = (/** @type {any[]} */ ...args) => args.at(-1)(failure("ENOSYS"));
    }
    this.stat = this.lstat = (/** @type {string} */ path, /** @type {any} */ done) => {
      const bytes = this.#files[path];
      if (bytes) done(null, statOf(bytes.length));
      else done(failure("ENOENT"));
    };
  }

  /** @param {Uint8Array} bytes */
  feed(bytes) {
    this.#input.push(bytes);
    this.#waiting?.();
  }

  // Called for panics, when the program can no longer wait.
  writeSync(fd, bytes) {
    if (fd === STDERR) console.error(new TextDecoder().decode(bytes));
    else this.#post({ output: this.#decoder.decode(bytes, { stream: true }) });
    return bytes.length;
  }

  write(fd, bytes, offset, length, _position, done) {
    done(null, this.writeSync(fd, bytes.subarray(offset, offset + length)));
  }

  read(fd, buffer, offset, length, position, done) {
    if (fd !== STDIN) return this.#readFile(fd, buffer.subarray(offset, offset + length), position, done);
    const take = () => {
      this.#waiting = null;
      const chunk = this.#input[0].subarray(0, length);
      buffer.set(chunk, offset);
      if (chunk.length === this.#input[0].length) this.#input.shift();
      else this.#input[0] = this.#input[0].subarray(chunk.length);
      done(null, chunk.length);
    };
    if (this.#input.length) take();
    else this.#waiting = take;
  }

  #readFile(fd, buffer, position, done) {
    const file = this.#open.get(fd);
    if (!file) return done(failure("EBADF"));
    const at = position ?? file.at;
    const chunk = file.bytes.subarray(at, at + buffer.length);
    buffer.set(chunk);
    if (position === null) file.at += chunk.length;
    done(null, chunk.length);
  }

  open(path, _flags, _mode, done) {
    const bytes = this.#files[path];
    if (!bytes) return done(failure("ENOENT"));
    this.#open.set(this.#next, { bytes, at: 0 });
    done(null, this.#next++);
  }

  fstat(fd, done) {
    const file = this.#open.get(fd);
    done(null, file ? statOf(file.bytes.length) : { ...statOf(0), mode: 0o10000 });
  }

  fsync(_fd, done) {
    done(null);
  }

  close(fd, done) {
    this.#open.delete(fd);
    done(null);
  }
}

/** @param {string} code */
function failure(code) {
  return Object.assign(new Error(code), { code });
}

/** @param {number} size of a file to read */
function statOf(size) {
  const mode = 0o100444;
  return { dev: 0, ino: 0, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => false };
}

/**
 * Serves a Worker: returns the function that takes its messages.
 * @param {(report: Report) => void} post
 * @returns {(order: Order) => void}
 */
export function serve(post) {
  const encoder = new TextEncoder();
  /** @type {Files|undefined} */
  let files;
  return (order) => {
    if ("input" in order) {
      files?.feed(encoder.encode(order.input));
      return;
    }
    files = new Files(order.files, post);
    run(order, files, post).then(
      (exit) => post({ exit }),
      (error) => post({ failed: error.message }),
    );
  };
}

/**
 * @param {Extract<Order, {program: any}>} order
 * @param {Files} files
 * @param {(report: Report) => void} post
 * @returns {Promise<number>} the exit status
 */
async function run({ program, args }, files, post) {
  const scope = /** @type {any} */ (globalThis);
  scope.fs = files; // Go's programs look for it when they start
  const module = await compile(program, post);
  post({ module });
  const go = new scope.Go();
  go.argv = ["gyre", ...args];
  let status = 0;
  go.exit = (/** @type {number} */ code) => (status = code);
  await go.run(await WebAssembly.instantiate(module, go.importObject));
  return status;
}

/**
 * @param {string|Uint8Array|WebAssembly.Module} program
 * @param {(report: Report) => void} post
 */
async function compile(program, post) {
  if (program instanceof WebAssembly.Module) return program;
  const bytes = typeof program === "string" ? download(program, (progress) => post({ download: progress })) : /** @type {any} */ (new Response(/** @type {any} */ (program)).body);
  try {
    return await WebAssembly.compileStreaming(new Response(await inflate(bytes), { headers: { "Content-Type": "application/wasm" } }));
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(typeof program === "string" && !message.startsWith(program) ? `${program}: ${message}` : message);
  }
}
