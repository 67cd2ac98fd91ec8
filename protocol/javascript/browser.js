// The engine for browsers and bundlers.

import { Engine as Base } from "./engine.js";

export * from "./engine.js";

/** The engine, in a Worker of the page. */
export class Engine extends Base {
  /**
   * Starts the engine. Rejects with an EngineTerminatedError if it cannot start.
   * @param {import("./engine.js").StartOptions} [config]
   * @returns {Promise<Engine>}
   */
  static start(config = {}) {
    const program = config.program ?? new URL("./gyre.wasm.gz", import.meta.url);
    return Base.open.call(this, (onReport, onFailure) => {
      // Bundlers look for exactly these words to find the Worker.
      const worker = config.worker ? new Worker(config.worker, { type: "module" }) : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      worker.addEventListener("message", ({ data }) => onReport(data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        onFailure(event.message ?? "the engine's Worker cannot be loaded");
      });
      return { send: (order) => worker.postMessage(order), terminate: () => worker.terminate() };
    }, { ...config, program: typeof program === "string" ? new URL(program, location.href) : program });
  }
}
