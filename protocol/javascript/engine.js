// The engine as an object with promises. It runs in a Worker, so the page or the server stays
// responsive. browser.js and node.js say how to start the Worker.

import { EngineError, START, errorOf, goCommand, optionCommand, parseInfo, parseOption, positionCommand, split, turnOf } from "./wire.js";

export { EngineError, START, chanceOf } from "./wire.js";

/** @typedef {import("./wire.js").Limits} Limits */
/** @typedef {import("./wire.js").Place} Place */
/** @typedef {import("./wire.js").Info} Info */
/** @typedef {import("./wire.js").Score} Score */
/** @typedef {import("./wire.js").Option} Option */
/** @typedef {import("./runtime.js").Order} Order */
/** @typedef {import("./runtime.js").Report} Report */
/** @typedef {import("./download.js").Progress} Progress */

/**
 * @typedef {Object} StartOptions
 * @property {number} [hash] memory of the table, in MiB (default 16)
 * @property {Record<string, string|number|boolean>} [options] other options of the engine, by name
 * @property {Uint8Array} [evalFile] evaluation weights instead of the built-in ones
 * @property {string|URL|Uint8Array|WebAssembly.Module} [program] the engine's program, or its
 *   address (default: gyre.wasm.gz next to this module)
 * @property {string|URL} [worker] the address of worker.js (default: next to this module)
 * @property {(progress: Progress) => void} [onDownload] called while the program is downloaded
 * @property {(line: string) => void} [onLine] called with each line from the engine
 * @property {(message: string) => void} [onWarning] called with what is skipped because it cannot
 *   be read (default: console.warn)
 * @property {AbortSignal} [signal] ends the start, and later the engine
 *
 * @typedef {Object} Position
 * @property {string} fen the position, in three words
 * @property {"white"|"black"} sideToMove
 * @property {"none"|"white"|"black"|"draw"} result the winner; "none" during the game
 * @property {string[]} legalTurns in alphabetical order
 * @property {Required<Place>} place the start and the turns that lead to the position
 *
 * @typedef {Object} Best the end of a search
 * @property {string|null} turn the turn to play; null if the game is over
 * @property {string|null} ponder the expected reply, with the option Ponder
 * @property {Info[]} lines the last info of each line with a score, best first
 *
 * @typedef {Object} Query positions of a game to analyze
 * @property {string} [start] the first position, in three words (default: the start of a game)
 * @property {"standard"|"blitz"} [rules]
 * @property {string[]} [turns] played from start
 * @property {number[]} [analyzeTurns] positions to analyze, by turns played (default: the last)
 * @property {number} [maxNodes] positions to visit (default 100,000 without maxTimeMs)
 * @property {number} [maxTimeMs]
 * @property {number} [multiPV] lines to report
 * @property {number} [priority] higher ones start first
 * @property {number} [reportDuringSearchEvery] seconds between reports during the search
 *
 * @typedef {Object} Answer the analysis of a position, for the side to move, or an error
 * @property {Query} query
 * @property {string[]} warnings about unknown fields
 * @property {number} [turnNumber] how many turns were played
 * @property {boolean} [isDuringSearch] whether this is a report during the search
 * @property {string} [fen]
 * @property {"w"|"b"} [sideToMove]
 * @property {Score & {chance: number, nodes: number, depth: number, proven: boolean}} [root]
 * @property {(Score & {turn: string, chance: number, pv: string[]})[]} [lines] best first
 * @property {number} [timeMs]
 * @property {string} [error] why there is no analysis
 * @property {string} [field] the invalid field
 */

/** The engine has ended, or could not start. */
export class EngineTerminatedError extends EngineError {
  name = "EngineTerminatedError";
}

/**
 * A Worker, in a browser or in Node.js.
 * @typedef {Object} WorkerHandle
 * @property {(order: Order) => void} send
 * @property {() => void} terminate
 * @typedef {(onReport: (report: Report) => void, onFailure: (why: string) => void) => WorkerHandle} NewWorker
 */

const DEFAULT_HASH = 16;
const WEIGHTS_PATH = "/weights";
/**
 * Time for the engine to end after quit: ticks, and the milliseconds of each. At most one tick comes
 * while this program is stopped or the machine sleeps.
 */
const QUIT_TICKS = 20, QUIT_TICK = 250;
/** The longest line that is read, in characters; the rest is skipped. */
const LONGEST_LINE = 1 << 20;
/** What engines write if there is no turn. */
const NO_TURN = ["none", "(none)", "0000", "null"];
/** Queries sent ahead, so that a long list of queries needs little memory. */
const QUERIES_AHEAD = 64;

/**
 * A running program of the engine, as lines of text.
 */
class Program {
  #worker;
  #rest = "";
  #ended = false;
  /** Resolves when the program has ended. @type {Promise<void>} */
  closed;

  /**
   * @param {NewWorker} newWorker
   * @param {Omit<Extract<Order, {program: any}>, "input">} start
   * @param {{line: (line: string) => void, ended: (why: string) => void, module?: (module: WebAssembly.Module) => void, download?: (progress: Progress) => void}} listener
   */
  constructor(newWorker, start, listener) {
    let closed = () => {};
    this.closed = new Promise((resolve) => (closed = resolve));
    const end = (/** @type {string} */ why) => {
      if (this.#ended) return;
      this.#ended = true;
      this.#worker.terminate();
      listener.ended(why);
      closed();
    };
    this.end = end;
    this.#worker = newWorker((report) => {
      if (this.#ended) return;
      if ("output" in report) this.#receive(report.output, listener.line);
      else if ("download" in report) listener.download?.(report.download);
      else if ("module" in report) listener.module?.(report.module);
      else if (report.failed !== undefined) end(`the engine did not start: ${report.failed}`);
      else end(report.exit ? `the engine exited with status ${report.exit}` : "the engine has ended");
    }, end);
    this.#worker.send(start);
  }

  /** @param {string} line */
  send(line) {
    if (!this.#ended) this.#worker.send({ input: `${line}\n` });
  }

  /**
   * @param {string} output
   * @param {(line: string) => void} listener
   */
  #receive(output, listener) {
    const lines = (this.#rest + output).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
    for (const line of lines) listener(line.slice(0, LONGEST_LINE).replace(/^\ufeff/, "").trimEnd());
  }
}

/**
 * Values that arrive one by one. One consumer iterates over them.
 * @template Value
 */
class Stream {
  /** @type {Value[]} */
  #values = [];
  /** @type {{error: any}|"open"|"closed"} */
  #state = "open";
  #wake = () => {};

  /** @param {Value} value */
  push(value) {
    if (this.#state !== "open") return;
    this.#values.push(value);
    this.#wake();
  }

  close() {
    if (this.#state === "open") this.#state = "closed";
    this.#wake();
  }

  /** @param {any} error */
  fail(error) {
    if (this.#state === "open") this.#state = { error };
    this.#wake();
  }

  /** @returns {Promise<IteratorResult<Value, undefined>>} */
  async next() {
    for (;;) {
      if (this.#values.length) return { value: /** @type {Value} */ (this.#values.shift()), done: false };
      if (this.#state === "closed") return { value: undefined, done: true };
      if (this.#state !== "open") {
        const { error } = this.#state;
        this.#state = "closed";
        throw error;
      }
      await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
  }
}

/**
 * A search. Iterate over it for its progress, or await `best` for its result:
 *
 *     for await (const info of search) console.log(info.depth, info.pv);
 *     const { turn } = await search.best;
 *
 * Leaving the loop early stops the search.
 */
export class Search {
  /** @type {Stream<Info>} */
  #infos = new Stream();
  /** @type {Map<number, Info>} */
  #lines = new Map();
  /** @type {string|null} */
  #error = null;
  #send;
  #warn;
  /** @type {"waiting"|"running"|"ended"} */
  #state = "waiting";
  #stopped = false;
  /** @type {(best: Best) => void} */
  #resolve = () => {};
  /** @type {(error: any) => void} */
  #reject = () => {};
  /** @type {AbortSignal|undefined} */
  #signal;
  #abort = () => this.stop();

  /**
   * The result. It rejects if the engine rejects the search or ends, and with the signal's
   * reason after an abort.
   * @type {Promise<Best>}
   */
  best;

  /**
   * @param {(line: string) => void} send
   * @param {(message: string) => void} warn called once: an engine may repeat itself with every line
   * @param {AbortSignal} [signal]
   */
  constructor(send, warn, signal) {
    this.#send = send;
    this.#warn = (/** @type {string} */ message) => {
      this.#warn = () => {};
      warn(message);
    };
    this.#signal = signal;
    this.best = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.best.catch(() => {}); // the caller may use only the progress
    signal?.addEventListener("abort", this.#abort);
  }

  /** Ends the search. It answers with its best turn so far. */
  stop() {
    if (this.#state === "running" && !this.#stopped) this.#send("stop");
    this.#stopped = true;
  }

  /** The opponent played the expected turn: the clock of a pondering search runs from now on. */
  ponderHit() {
    if (this.#state === "running") this.#send("ponderhit");
  }

  /** Reports whether the search must not begin, and settles it then. @internal */
  abandoned() {
    if (!this.#signal?.aborted) return false;
    this.fail(this.#signal.reason);
    return true;
  }

  /** @internal */
  began() {
    this.#state = "running";
    if (this.#stopped) this.#send("stop");
  }

  /**
   * Takes a line of the engine and reports whether it was the last. @internal
   * @param {string} line
   */
  receive(line) {
    const words = split(line.slice(0, 1000));
    if (words[0] === "bestmove") {
      this.#finish(words);
      return true;
    }
    const info = parseInfo(line, this.#warn);
    if (info?.score) this.#lines.set(info.multipv, info);
    if (info) this.#infos.push(info);
    else this.#error ??= errorOf(line);
    return false;
  }

  /** @param {string[]} words */
  #finish([, word, then, reply]) {
    if (this.#signal?.aborted) return this.fail(this.#signal.reason);
    if (this.#error !== null) return this.fail(new EngineError(this.#error));
    const turn = turnOf(word);
    if (!turn && !NO_TURN.includes((word ?? "").toLowerCase())) {
      return this.fail(new EngineError(word === undefined ? "bestmove without a turn" : `bestmove ${JSON.stringify(word.slice(0, 40))}: not a turn`));
    }
    const ponder = turn && then === "ponder" ? turnOf(reply) : null;
    if (reply && then === "ponder" && !ponder) this.#warn(`the expected reply ${JSON.stringify(reply.slice(0, 40))} is skipped: not a turn`);
    this.#end();
    this.#infos.close();
    const lines = [...this.#lines].sort(([a], [b]) => a - b).map(([, info]) => info);
    this.#resolve({ turn, ponder, lines });
  }

  /** @internal @param {any} error */
  fail(error) {
    this.#end();
    this.#infos.fail(error);
    this.#reject(error);
  }

  #end() {
    this.#state = "ended";
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  /** @returns {AsyncIterator<Info, undefined>} */
  [Symbol.asyncIterator]() {
    return {
      next: () => this.#infos.next(),
      return: async () => {
        this.stop();
        await this.best.catch(() => {});
        return { value: undefined, done: true };
      },
    };
  }
}

/**
 * Commands and the lines that answer them.
 * @typedef {Object} Exchange
 * @property {(line: string) => boolean} receive takes a line and reports whether it was the last
 * @property {(error: Error) => void} fail
 */

/**
 * The engine. Calls run one after the other: a call during a search waits until the search has
 * ended. Use a second engine to query rules during a long search.
 */
export class Engine {
  #newWorker;
  #config;
  #program;
  /** @type {WebAssembly.Module|undefined} */
  #module;
  /** @type {Error|null} */
  #ended = null;
  /** @type {Exchange|null} */
  #exchange = null;
  /** Settles when the calls so far have ended. @type {Promise<any>} */
  #tail = Promise.resolve();
  /** @type {Search|null} */
  #search = null;
  /** @type {Analysis|null} */
  #analysis = null;
  #rules = "standard";
  #hash = DEFAULT_HASH;

  /** The engine's name and author. */
  id = { name: "", author: "" };
  /** The engine's options, by name in lower case. @type {Map<string, Option>} */
  options = new Map();

  /**
   * @internal Use Engine.start.
   * @param {NewWorker} newWorker
   * @param {StartOptions} config
   */
  constructor(newWorker, config) {
    this.#newWorker = newWorker;
    this.#config = config;
    /** @type {Record<string, Uint8Array>} */
    const files = config.evalFile ? { [WEIGHTS_PATH]: config.evalFile } : {};
    this.#program = new Program(newWorker, { program: programOf(config), args: [], files }, {
      line: (line) => this.#receive(line),
      ended: (why) => this.#end(new EngineTerminatedError(why)),
      module: (module) => (this.#module = module),
      download: config.onDownload,
    });
    const abort = () => this.#terminate(config.signal?.reason);
    config.signal?.addEventListener("abort", abort, { once: true });
    this.#program.closed.then(() => config.signal?.removeEventListener("abort", abort));
  }

  /**
   * @internal
   * @param {NewWorker} newWorker
   * @param {StartOptions} config
   * @returns {Promise<Engine>}
   */
  static async open(newWorker, config) {
    config.signal?.throwIfAborted();
    const engine = new this(newWorker, config);
    try {
      await engine.#greet();
      /** @type {NonNullable<StartOptions["options"]>} */
      const options = { Hash: config.hash ?? DEFAULT_HASH, ...config.options };
      if (config.evalFile) options.EvalFile = WEIGHTS_PATH;
      for (const [name, value] of Object.entries(options)) await engine.setOption(name, value);
    } catch (error) {
      engine.terminate();
      throw error;
    }
    return engine;
  }

  async #greet() {
    const lines = await this.#ask(["ugi"], "ugiok");
    for (const line of lines) {
      const [word, kind, ...text] = split(line);
      if (word === "id" && (kind === "name" || kind === "author") && text.length) this.id[kind] = text.join(" ");
      if (word === "option") this.#list(line);
    }
  }

  /**
   * Adds the option of a line. The first of two with the same name counts.
   * @param {string} line
   */
  #list(line) {
    try {
      const option = parseOption(line, (message) => this.#warn(message));
      const name = option.name.toLowerCase();
      if (this.options.has(name)) this.#warn(`option ${option.name} is skipped: listed twice`);
      else this.options.set(name, option);
    } catch (error) {
      this.#warn(`skipped: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {string} message */
  #warn(message) {
    if (this.#config.onWarning) this.#config.onWarning(message);
    else console.warn(message);
  }

  /**
   * Sets an option. Rejects with an EngineError if the engine does not accept the value.
   * @param {string} name in upper or lower case
   * @param {string|number|boolean} [value] missing for a button
   */
  async setOption(name, value) {
    const option = this.options.get(name.toLowerCase());
    if (!option) throw new EngineError(`option ${name}: the engine has none of this name`);
    if (option.name.toLowerCase() === "rules") {
      await this.#call(async () => this.#setRules(String(value)));
      return;
    }
    await this.#ask([optionCommand(option, value)]);
    if (option.name.toLowerCase() === "hash") this.#hash = Number(value);
  }

  /** Announces another game: clears tables and histories. */
  async newGame() {
    await this.#ask(["uginewgame"]);
  }

  /** Waits until the engine has executed all earlier calls. */
  async ready() {
    await this.#ask([]);
  }

  /**
   * Sets up a position for the next search and returns what the rules say about it. Rejects with
   * an EngineError if it is impossible or a turn is illegal; the position then stays.
   * @param {Place} [place]
   * @returns {Promise<Position>}
   */
  async position(place = {}) {
    const { start, turns = [], rules = "standard" } = place;
    const command = positionCommand(place);
    return this.#call(async () => {
      await this.#setRules(rules);
      const lines = await this.#exchangeNow([command, "query fen", "query result", "query moves"]);
      const responses = lines.map(split).filter(([word]) => word === "response").map(([, ...text]) => text.join(" "));
      if (responses.length !== 3) throw new EngineError(`the engine gave ${responses.length} responses to three queries`);
      const [fen, result, moves] = responses;
      return {
        fen,
        sideToMove: fen.split(" ")[1] === "w" ? "white" : "black",
        result: /** @type {Position["result"]} */ ({ p1win: "white", p2win: "black" }[result] ?? result),
        legalTurns: moves ? moves.split(" ") : [],
        place: { start: start ?? START, turns: [...turns], rules },
      };
    });
  }

  /**
   * Plays turns from a position and returns the position after them.
   * @param {Place|Position} from
   * @param {...string} turns
   * @returns {Promise<Position>}
   */
  async play(from, ...turns) {
    const place = "place" in from ? from.place : from;
    return this.position({ ...place, turns: [...(place.turns ?? []), ...turns] });
  }

  /** @param {Place} [place] */
  async legalTurns(place) {
    return (await this.position(place)).legalTurns;
  }

  /** @param {Place} [place] */
  async result(place) {
    return (await this.position(place)).result;
  }

  /**
   * Searches the current position.
   * @param {Limits} [limits]
   * @param {{signal?: AbortSignal}} [control] an abort stops the search and rejects `best`
   * @returns {Search}
   */
  search(limits = {}, { signal } = {}) {
    const command = goCommand(limits);
    const search = new Search((line) => this.#program.send(line), (message) => this.#warn(message), signal);
    this.#call(() => {
      if (this.#ended) return search.fail(this.#ended);
      if (search.abandoned()) return undefined;
      return new Promise((resolve) => {
        this.#search = search;
        const over = () => {
          this.#search = null;
          resolve(undefined);
        };
        this.#exchange = {
          receive: (line) => {
            if (!search.receive(line)) return false;
            over();
            return true;
          },
          fail: (error) => {
            search.fail(error);
            over();
          },
        };
        this.#program.send(command);
        search.began();
      });
    });
    return search;
  }

  /** Stops the running search, if there is one. */
  stop() {
    this.#search?.stop();
  }

  /**
   * Analyzes many positions with a second program, which starts when it is first needed. Answers
   * come as soon as they are ready. Leaving the loop early cancels the rest. Analyses may run
   * at the same time as a search.
   * @param {Iterable<Query>|AsyncIterable<Query>} queries
   * @param {{signal?: AbortSignal}} [control]
   * @returns {AsyncGenerator<Answer, void, undefined>}
   */
  async *analyse(queries, { signal } = {}) {
    signal?.throwIfAborted();
    if (this.#ended) throw this.#ended;
    this.#analysis ??= new Analysis(this.#newWorker, {
      program: this.#module ?? programOf(this.#config),
      args: ["analyse", "-threads", "1", "-hash", String(this.#hash)],
      files: {},
    }, () => (this.#analysis = null));
    yield* this.#analysis.answers(queries, signal);
  }

  /**
   * Sends a line of the protocol. Its answers go to onLine. Do not mix it with other calls.
   * @param {string} line
   */
  send(line) {
    if (/[\r\n]/.test(line)) throw new TypeError(`${JSON.stringify(line)}: must be one line`);
    this.#program.send(line);
  }

  /** Ends the engine. A running search answers first. */
  async quit() {
    this.#analysis?.terminate();
    if (this.#ended) return;
    this.#program.send("quit");
    let ticks = 0;
    const timer = setInterval(() => ++ticks === QUIT_TICKS && this.terminate(), QUIT_TICK);
    await this.#program.closed;
    clearInterval(timer);
  }

  /** Ends the engine at once. Open calls reject. */
  terminate() {
    this.#terminate(new EngineTerminatedError("the engine was terminated"));
  }

  /** @param {any} reason */
  #terminate(reason) {
    this.#analysis?.terminate();
    this.#end(reason);
    this.#program.end("");
  }

  async [Symbol.asyncDispose]() {
    await this.quit();
  }

  /** @param {any} reason */
  #end(reason) {
    if (this.#ended) return;
    this.#ended = reason;
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.fail(reason);
  }

  /** @param {string} line */
  #receive(line) {
    this.#config.onLine?.(line);
    if (this.#exchange?.receive(line)) this.#exchange = null;
  }

  /**
   * Runs a call after all earlier ones.
   * @template Result
   * @param {() => Result|Promise<Result>} run
   * @returns {Promise<Result>}
   */
  #call(run) {
    const result = this.#tail.then(run);
    this.#tail = result.catch(() => {});
    return result;
  }

  /**
   * Sends commands with immediate answers and returns the lines up to the last.
   * @param {string[]} commands
   * @param {string} [last]
   * @returns {Promise<string[]>}
   */
  #ask(commands, last) {
    return this.#call(() => this.#exchangeNow(commands, last));
  }

  /**
   * @param {string[]} commands
   * @param {string} [last] the last line; without it, isready follows the commands
   * @returns {Promise<string[]>}
   */
  #exchangeNow(commands, last) {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      /** @type {string[]} */
      const lines = [];
      this.#exchange = {
        receive: (line) => {
          if (split(line.slice(0, 100))[0] !== (last ?? "readyok")) {
            lines.push(line);
            return false;
          }
          const error = lines.map(errorOf).find((text) => text !== null);
          if (error) reject(new EngineError(error));
          else resolve(lines);
          return true;
        },
        fail: reject,
      };
      for (const command of last ? commands : [...commands, "isready"]) this.#program.send(command);
    });
  }

  /** @param {string} rules */
  async #setRules(rules) {
    if (rules === this.#rules) return;
    const option = this.options.get("rules");
    if (!option) throw new EngineError(`rules ${rules}: the engine plays only standard rules`);
    await this.#exchangeNow([optionCommand(option, rules)]);
    this.#rules = rules;
  }
}

/** @param {StartOptions} config */
function programOf({ program }) {
  return program instanceof URL ? program.href : /** @type {any} */ (program);
}

/**
 * Parses a line of answers. What is no answer, such as a message for people, belongs to no query.
 * @param {string} line
 */
function answerOf(line) {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}

/**
 * An open query.
 * @typedef {Object} Open
 * @property {Query} query
 * @property {number} left positions to answer
 * @property {string[]} warnings
 * @property {(answer: Answer, last: boolean) => void} answered
 * @property {(error: Error) => void} failed
 */

/** The program for analyses: JSON lines instead of the protocol. */
class Analysis {
  #program;
  #count = 0;
  /** @type {Map<string, Open>} */
  #open = new Map();
  /** @type {Error|null} */
  #ended = null;

  /**
   * @param {NewWorker} newWorker
   * @param {any} start
   * @param {() => void} ended
   */
  constructor(newWorker, start, ended) {
    this.#program = new Program(newWorker, start, {
      line: (line) => this.#receive(answerOf(line)),
      ended: (why) => {
        ended();
        this.#ended = new EngineTerminatedError(why);
        for (const { failed } of this.#open.values()) failed(this.#ended);
        this.#open.clear();
      },
    });
  }

  terminate() {
    this.#program.end("the engine was terminated");
  }

  /**
   * @param {Iterable<Query>|AsyncIterable<Query>} queries
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Answer, void, undefined>}
   */
  async *answers(queries, signal) {
    /** @type {Stream<Answer>} */
    const stream = new Stream();
    /** @type {Set<string>} */
    const sent = new Set();
    let room = () => {};
    let exhausted = false;
    const abort = () => stream.fail(signal?.reason);
    signal?.addEventListener("abort", abort);
    let cancelled = false;
    const settled = (/** @type {string} */ id) => {
      sent.delete(id);
      room();
      if (exhausted && !sent.size) stream.close();
    };
    const pump = async () => {
      for await (const query of queries) {
        while (sent.size >= QUERIES_AHEAD && !cancelled) await new Promise((resolve) => (room = () => resolve(undefined)));
        if (cancelled) return;
        const id = String(++this.#count);
        sent.add(id);
        this.#ask(id, query, (answer, last) => {
          stream.push(answer);
          if (last) settled(id);
        }, (error) => stream.fail(error));
      }
      exhausted = true;
      if (!sent.size) stream.close();
    };
    pump().catch((error) => stream.fail(error));
    try {
      for (let next = await stream.next(); !next.done; next = await stream.next()) yield next.value;
    } finally {
      cancelled = true;
      room();
      signal?.removeEventListener("abort", abort);
      for (const id of sent) this.#cancel(id);
    }
  }

  /**
   * @param {string} id
   * @param {Query} query
   * @param {Open["answered"]} answered
   * @param {Open["failed"]} failed
   */
  #ask(id, query, answered, failed) {
    if (this.#ended) return failed(this.#ended);
    let left, line;
    try {
      left = query.analyzeTurns ? new Set(query.analyzeTurns).size : 1;
      line = JSON.stringify({ ...query, id });
    } catch (error) { // the other queries continue
      return answered({ query, error: String(error), warnings: [] }, true);
    }
    this.#open.set(id, { query, left: Math.max(left, 1), warnings: [], answered, failed });
    this.#program.send(line);
  }

  /** @param {string} id */
  #cancel(id) {
    this.#open.delete(id);
    this.#program.send(JSON.stringify({ id, action: "terminate", terminateId: id }));
  }

  /** @param {any} fields */
  #receive({ id, ...fields }) {
    const open = this.#open.get(id);
    if (!open) return;
    if ("warning" in fields) {
      open.warnings.push(`${fields.field}: ${fields.warning}`);
      return;
    }
    if (!fields.isDuringSearch) open.left--;
    const last = "error" in fields || open.left === 0;
    if (last) this.#open.delete(id);
    open.answered({ ...fields, query: open.query, warnings: open.warnings }, last);
  }
}
