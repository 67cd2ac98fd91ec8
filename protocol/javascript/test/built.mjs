// Ends a program that needs what build.mjs makes, if that is missing. Imported first.

import { existsSync } from "node:fs";

if (!existsSync(new URL("../gyre.wasm.gz", import.meta.url))) {
  console.error('gyre.wasm.gz is missing: run "node build.mjs" first');
  process.exit(1);
}
