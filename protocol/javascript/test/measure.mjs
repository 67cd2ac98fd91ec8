// Measures the package against the native engine, alternately: medians of five runs of the time
// from the start to the first bestmove, and of nodes a second. It needs what build.mjs makes.

import "./built.mjs";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { browsers, visit } from "./browsers.mjs";

const RUNS = 5;
const NODES = 400_000;
const HASH = 16;
const PLACE = { turns: "f6 g7 e4 d5 h8 c3 i9 j8 e7 g4 f6-f8 g7-i7 e7-e9 d5-d7".split(" ") };

const here = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "gyre-measure-"));
const native = join(folder, "gyre");
execFileSync("go", ["build", "-trimpath", "-o", native, "./cmd/gyre"], { cwd: join(here, "../..") });
for (const file of readdirSync(here)) if (/\.(js|gz)$/.test(file)) cpSync(join(here, file), join(folder, file));

/** The same steps in Node.js and in a page. @param {string} module */
const steps = (module) => `
const begin = performance.now();
const { Engine } = await import("${module}");
const engine = await Engine.start({ hash: ${HASH} });
await engine.search({ depth: 1 }).best;
const first = performance.now() - begin;
await engine.position(${JSON.stringify(PLACE)});
const searching = performance.now();
const { lines } = await engine.search({ nodes: ${NODES} }).best;
const speed = lines[0].nodes / (performance.now() - searching);
await engine.quit();
const result = JSON.stringify({ first, speed });
`;
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
writeFileSync(join(folder, "measured.mjs"), `${steps("./node.js")}console.log(result);`);
writeFileSync(join(folder, "index.html"), `<!doctype html><title>measured</title><script type="module">${steps("/browser.js")}fetch("/report", { method: "POST", body: result });</script>`);

async function measureNative() {
  const begin = performance.now();
  const engine = spawn(native, [], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(engine.stdout)[Symbol.asyncIterator]();
  let nodes = 0;
  const search = async (/** @type {string} */ commands) => {
    engine.stdin.write(commands);
    for (let line = ""; !line.startsWith("bestmove"); line = (await lines.next()).value) nodes = Number(/ nodes (\d+)/.exec(line)?.[1] ?? nodes);
  };
  await search(`ugi\nsetoption name Hash value ${HASH}\nposition startpos\ngo depth 1\n`);
  const first = performance.now() - begin;
  const searching = performance.now();
  await search(`position startpos moves ${PLACE.turns.join(" ")}\ngo nodes ${NODES}\n`);
  const speed = nodes / (performance.now() - searching);
  engine.stdin.end("quit\n");
  return { first, speed };
}

/** @type {Record<string, () => Promise<{first: number, speed: number}>>} */
const subjects = {
  native: measureNative,
  "Node.js": async () => JSON.parse(execFileSync(process.execPath, ["measured.mjs"], { cwd: folder, encoding: "utf8" })),
};
for (const browser of browsers({ diagnostic: console.log })) subjects[browser.name] = () => visit(folder, browser);

/** @type {Record<string, {first: number, speed: number}[]>} */
const results = {};
try {
  for (let run = 0; run < RUNS; run++) {
    for (const [name, measure] of Object.entries(subjects)) (results[name] ??= []).push(await measure());
  }
} finally {
  rmSync(folder, { recursive: true });
}
const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1];
console.log("| | first bestmove | nodes a second | of native |\n|---|---|---|---|");
const reference = median(results.native.map(({ speed }) => speed));
for (const [name, runs] of Object.entries(results)) {
  const speed = median(runs.map(({ speed }) => speed));
  console.log(`| ${name} | ${Math.round(median(runs.map(({ first }) => first)))} ms | ${(1000 * Math.round(speed)).toLocaleString("en")} | ${Math.round((100 * speed) / reference)}% |`);
}
