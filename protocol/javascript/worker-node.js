// The Worker of the engine in Node.js.

import { parentPort } from "node:worker_threads";
// @ts-expect-error Go's file, added when the package is built.
import "./wasm_exec.js";
import { serve } from "./runtime.js";

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
port.on("message", serve((report) => port.postMessage(report)));
