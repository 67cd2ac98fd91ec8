// The package as others use it: the tarball of `npm pack`, installed into empty projects, in
// Node.js, and in browsers with Vite, with esbuild and without a bundler.

import "./built.mjs";
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browsers, visit } from "./browsers.mjs";

const here = join(import.meta.dirname, "..");
const modules = join(here, "node_modules");
const folder = mkdtempSync(join(tmpdir(), "gyre-npm-"));
const installed = join(folder, "node_modules/@gyre/engine");
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

const run = (/** @type {string} */ program, /** @type {string[]} */ args, cwd = folder) => execFileSync(program, args, { cwd, encoding: "utf8" });
const tool = (/** @type {string} */ path, /** @type {string[]} */ ...args) => run(process.execPath, [join(modules, path), ...args]);

before(() => {
  writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], here));
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--offline", join(folder, packed.filename)]);
});

test("the tarball has the program, types and licenses, and no tests", () => {
  const files = readdirSync(installed);
  for (const name of ["browser.js", "node.js", "worker.js", "wasm_exec.js", "gyre.wasm.gz", "types", "LICENSE", "THIRD-PARTY.md", "README.md"]) assert.ok(files.includes(name), name);
  for (const name of ["test", "build.mjs", "node_modules"]) assert.ok(!files.includes(name), name);
});

test("what needs a build or npm's packages says so", () => {
  const copy = join(folder, "unbuilt");
  cpSync(here, copy, { recursive: true, filter: (from) => !/node_modules|gyre\.wasm\.gz/.test(from) });
  for (const [file, missing] of [["test/measure.mjs", "gyre.wasm.gz"], ["test/engine.test.mjs", "gyre.wasm.gz"], ["test/package.test.mjs", "gyre.wasm.gz"], ["build.mjs", "node_modules"]]) {
    const { status, stderr } = spawnSync(process.execPath, [join(copy, file)], { encoding: "utf8" });
    assert.equal(status, 1, file);
    assert.match(stderr, new RegExp(`^${missing} is missing: run ".*" first$`, "m"), file);
    assert.doesNotMatch(stderr, /^ +at /m, file);
  }
});

const examples = [...readFileSync(join(here, "README.md"), "utf8").matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);

test("README.md has examples", () => assert.equal(examples.length, 3));

for (const [index, code] of examples.entries()) {
  test(`example ${index + 1} of README.md runs in Node.js and has the types that it uses`, () => {
    writeFileSync(join(folder, "example.mjs"), code);
    assert.notEqual(run(process.execPath, ["example.mjs"]), "");
    writeFileSync(join(folder, "example.mts"), code);
    tool("typescript/bin/tsc", "--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--lib", "es2023,dom,esnext.disposable", "--types", "", "example.mts");
  });
}

// The page plays a little and sends what it saw to the server.
const page = (/** @type {string} */ engine, /** @type {string} */ config) => `
import { Engine } from "${engine}";
try {
  const downloads = [];
  const engine = await Engine.start({ ...${config}, onDownload: ({ received }) => downloads.push(received) });
  const position = await engine.play({}, "f6");
  const { turn } = await engine.search({ nodes: 500 }).best;
  const stopped = engine.search();
  setTimeout(() => engine.stop());
  await stopped.best;
  const answers = [];
  for await (const answer of engine.analyse([{ turns: ["f6"], maxNodes: 100 }])) answers.push(answer.fen);
  await engine.quit();
  report({ fen: position.fen, legal: position.legalTurns.includes(turn), answers, downloaded: downloads.length > 0 });
} catch (error) {
  report({ failed: String(error) });
}
function report(seen) {
  return fetch("/report", { method: "POST", body: JSON.stringify(seen) });
}
`;
const html = (/** @type {string} */ script) => `<!doctype html><meta charset="utf-8"><title>test</title><script type="module" src="${script}"></script>`;

/** Builds a site per way of loading the package. @type {Record<string, () => string>} */
const sites = {
  "a module script": () => {
    const site = join(folder, "plain");
    mkdirSync(site);
    cpSync(installed, join(site, "engine"), { recursive: true });
    writeFileSync(join(site, "main.js"), page("/engine/browser.js", "{}"));
    writeFileSync(join(site, "index.html"), html("main.js"));
    return site;
  },
  esbuild: () => {
    const site = join(folder, "esbuild");
    mkdirSync(site);
    cpSync(installed, join(site, "engine"), { recursive: true });
    writeFileSync(join(folder, "esbuild-main.js"), page("@gyre/engine", '{ worker: "/engine/worker.js", program: "/engine/gyre.wasm.gz" }'));
    run(join(modules, "esbuild/bin/esbuild"), ["esbuild-main.js", "--bundle", "--format=esm", "--minify", `--outfile=${join(site, "main.js")}`]);
    writeFileSync(join(site, "index.html"), html("main.js"));
    return site;
  },
  Vite: () => {
    writeFileSync(join(folder, "vite-main.js"), page("@gyre/engine", "{}"));
    writeFileSync(join(folder, "index.html"), html("/vite-main.js"));
    tool("vite/bin/vite.js", "build", "--logLevel", "error", "--outDir", "vite");
    return join(folder, "vite");
  },
};

for (const [name, build] of Object.entries(sites)) {
  test(`a page made with ${name} plays in Chromium and Firefox`, async (t) => {
    const site = build();
    for (const browser of browsers(t)) {
      const seen = await visit(site, browser);
      const fen = "4/7/8/9/10/4W4/10/9/8/7/4 b 0-0";
      assert.deepEqual(seen, { fen, legal: true, answers: [fen], downloaded: true }, browser.name);
    }
  });
}
