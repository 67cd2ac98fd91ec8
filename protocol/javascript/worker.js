// The Worker of the engine in a browser.

// @ts-expect-error Go's file, added when the package is built.
import "./wasm_exec.js";
import { serve } from "./runtime.js";

const take = serve((report) => postMessage(report));
addEventListener("message", ({ data }) => take(data));
