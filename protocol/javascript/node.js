// The engine for Node.js.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Engine as Base } from "./engine.js";

export * from "./engine.js";

/** The engine, in a worker thread. */
export class Engine extends Base {
  /**
   * Starts the engine. Rejects with an EngineTerminatedError if it cannot start.
   * @param {import("./engine.js").StartOptions} [config]
   * @returns {Promise<Engine>}
   */
  static async start(config = {}) {
    let program = config.program ?? new URL("./gyre.wasm.gz", import.meta.url);
    if (program instanceof URL && program.protocol === "file:") program = await readFile(program);
    return Base.open.call(this, (onReport, onFailure) => {
      const worker = new Worker(config.worker ?? new URL("./worker-node.js", import.meta.url));
      worker.on("message", onReport);
      worker.on("error", (error) => onFailure(error.message));
      worker.on("exit", () => onFailure("the engine has ended"));
      return { send: (order) => worker.postMessage(order), terminate: () => void worker.terminate() };
    }, { ...config, program });
  }
}
