// Builds what the package contains in addition to its source: the engine as WebAssembly, Go's
// runtime for it, types and licenses. It needs Go and `npm ci`. `npm pack` runs it.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname;
if (!existsSync(join(here, "node_modules"))) {
  console.error('node_modules is missing: run "npm ci" first');
  process.exit(1);
}
const repository = join(here, "../..");
const run = (/** @type {string} */ program, /** @type {string[]} */ args, env = {}) =>
  execFileSync(program, args, { cwd: repository, env: { ...process.env, ...env }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

const folder = mkdtempSync(join(tmpdir(), "gyre-npm-"));
try {
  const wasm = join(folder, "gyre.wasm");
  run("go", ["build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "./cmd/gyre"], { GOOS: "js", GOARCH: "wasm" });
  writeFileSync(join(here, "gyre.wasm.gz"), gzipSync(readFileSync(wasm), { level: 9 }));
} finally {
  rmSync(folder, { recursive: true });
}
copyFileSync(join(repository, "LICENSE"), join(here, "LICENSE"));
writeFileSync(join(here, "THIRD-PARTY.md"), run(".ci/notices", ["engine"]));
// Go's runtime has no types, so it comes after them.
for (const old of ["types", "wasm_exec.js"]) rmSync(join(here, old), { recursive: true, force: true });
execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "-p", here], { stdio: "inherit" });
copyFileSync(join(run("go", ["env", "GOROOT"]).trim(), "lib/wasm/wasm_exec.js"), join(here, "wasm_exec.js"));
