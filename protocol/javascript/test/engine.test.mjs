// The engine in Node.js, with the program that build.mjs makes.

import "./built.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Engine, EngineError, EngineTerminatedError, START } from "../node.js";

const program = await WebAssembly.compile(gunzipSync(readFileSync(new URL("../gyre.wasm.gz", import.meta.url))));
const start = (/** @type {any} */ config = {}) => Engine.start({ program, ...config });

/** @type {Engine} */
let engine;
before(async () => (engine = await start()));
after(() => engine.quit());

test("the handshake names the engine and its options", () => {
  assert.match(engine.id.name, /^Gyre /);
  assert.equal(engine.options.get("rules")?.type, "combo");
  assert.deepEqual(engine.options.get("rules")?.choices, ["standard", "blitz"]);
  assert.equal(engine.options.get("hash")?.min, 1);
});

test("the program may be in a compressed file", async () => {
  const other = await Engine.start({ options: { Skill: 3 } });
  assert.equal((await other.position()).legalTurns.length, 85);
  await other.quit();
});

test("positions know the rules", async () => {
  const first = await engine.position();
  assert.deepEqual([first.fen, first.sideToMove, first.result, first.legalTurns.length], [START, "white", "none", 85]);
  const second = await engine.play(first, "f6", "g7");
  assert.deepEqual(second.place, { start: START, turns: ["f6", "g7"], rules: "standard" });
  assert.equal(second.fen, "4/7/8/9/10/4W4/5B4/9/8/7/4 w 0-0");
  assert.equal((await engine.play(second, "e4")).sideToMove, "black");
  assert.equal(await engine.result({ start: "4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 b 3-0" }), "white");
  assert.deepEqual(await engine.legalTurns({ start: "4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 b 3-0" }), []);
});

test("blitz rules end a game after one ring", async () => {
  const start = "4/7/8/9/10/9/10/9/1WWWW3/1BBBBB1/4 b 1-0";
  assert.equal(await engine.result({ start, rules: "blitz" }), "white");
  assert.equal(await engine.result({ start }), "none");
});

test("an illegal turn is an error and changes nothing", async () => {
  await engine.position({ turns: ["f6"] });
  await assert.rejects(engine.position({ turns: ["f6", "f6"] }), (error) => error instanceof EngineError && /turn 2: f6 is not vacant/.test(error.message));
  await assert.rejects(engine.position({ start: "nonsense" }), EngineError);
  assert.throws(() => engine.send("d\nquit"), TypeError);
  const { turn } = await engine.search({ depth: 1 }).best;
  assert.notEqual(turn, "f6");
});

test("options are checked", async () => {
  await assert.rejects(engine.setOption("Hash", 0), /out of range 1 to/);
  await assert.rejects(engine.setOption("Hush", 1), /the engine has none of this name/);
  await engine.setOption("clear hash");
});

test("a search reports its progress and its result", async () => {
  await engine.position({ turns: ["f6", "g7"] });
  const search = engine.search({ nodes: 3000 });
  const infos = [];
  for await (const info of search) infos.push(info);
  const best = await search.best;
  assert.ok(infos.length > 0);
  assert.deepEqual(best.lines, [infos.at(-1)]);
  assert.equal(best.turn, infos.at(-1)?.pv[0]);
});

test("several lines are ranked", async () => {
  await engine.setOption("MultiPV", 3);
  await engine.position({ turns: ["f6"] });
  const { lines } = await engine.search({ depth: 2 }).best;
  await engine.setOption("MultiPV", 1);
  assert.deepEqual(lines.map(({ multipv }) => multipv), [1, 2, 3]);
});

test("stop ends an infinite search", async () => {
  await engine.position();
  const search = engine.search();
  for await (const info of search) if (info.depth === 2) break; // leaving the loop stops
  assert.ok((await search.best).turn);
  const stopped = engine.search();
  stopped.stop(); // before it began
  assert.ok((await stopped.best).turn);
});

test("a finished game has no turn", async () => {
  await engine.position({ start: "4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 b 3-0" });
  assert.equal((await engine.search({ nodes: 10 }).best).turn, null);
});

test("an abort rejects the search and keeps the engine usable", async () => {
  await engine.position();
  const control = new AbortController();
  const search = engine.search({}, { signal: control.signal });
  const seen = assert.rejects(async () => {
    for await (const _ of search) control.abort(new Error("enough"));
  }, /enough/);
  await assert.rejects(search.best, /enough/);
  await seen;
  await assert.rejects(engine.search({}, { signal: AbortSignal.abort() }).best, { name: "AbortError" });
  await engine.ready();
});

test("each of 1,000 searches settles once, with stops and aborts at random", async () => {
  const random = randomNumbers(7);
  let settled = 0;
  const ends = { best: 0, aborted: 0 };
  await engine.position();
  for (let i = 0; i < 1000; i += 10) {
    const searches = Array.from({ length: 10 }, () => {
      const control = new AbortController();
      const search = engine.search({ nodes: 1 + (random() % 400) }, { signal: control.signal });
      search.best.then(() => ends.best++, () => ends.aborted++).then(() => settled++);
      const act = [() => {}, () => search.stop(), () => control.abort(), () => queueMicrotask(() => control.abort())][random() % 4];
      if (random() % 2) act();
      else setImmediate(act);
      return search;
    });
    await Promise.allSettled(searches.map(({ best }) => best));
  }
  await engine.ready();
  assert.equal(settled, 1000);
  assert.ok(ends.best > 100 && ends.aborted > 100, JSON.stringify(ends));
});

test("analyses answer queries, errors and warnings", async () => {
  const queries = [
    { turns: ["f6"], maxNodes: 500 },
    { turns: ["f6", "f6"] },
    { turns: ["f6", "g7"], analyzeTurns: [0, 1, 1], maxNodes: 300, maxVisits: 5 },
  ];
  const answers = [];
  for await (const answer of engine.analyse(queries)) answers.push(answer);
  const of = (/** @type {any} */ query) => answers.filter((answer) => answer.query === query);
  assert.equal(of(queries[0])[0].fen, "4/7/8/9/10/4W4/10/9/8/7/4 b 0-0");
  assert.match(of(queries[1])[0].error ?? "", /not vacant/);
  assert.deepEqual(of(queries[2]).map(({ turnNumber }) => turnNumber).sort(), [0, 1]);
  assert.deepEqual(of(queries[2])[0].warnings, ["maxVisits: unknown; did you mean maxNodes?"]);
});

test("a query that cannot be sent gets an error, and the others continue", async () => {
  const cyclic = { turns: /** @type {any[]} */ ([]) };
  cyclic.turns.push(cyclic);
  const odd = /** @type {any[]} */ ([{ maxNodes: 5n }, cyclic, { analyzeTurns: 5 }, { analyzeTurns: [] }, { maxNodes: NaN, multiPV: "x" }, null]);
  const good = { maxNodes: 100 };
  const errors = new Map();
  for await (const answer of engine.analyse([...odd, good])) errors.set(answer.query, answer.error);
  for (const query of odd) assert.equal(typeof errors.get(query), "string", String(query));
  assert.ok(errors.has(good) && errors.get(good) === undefined);
});

test("an analysis reads queries only as it needs them, and can be left", async () => {
  let read = 0;
  const endless = (function* () {
    for (;;) yield { turns: ["f6"], maxNodes: 1 + (read++ % 50) };
  })();
  let answered = 0;
  for await (const _ of engine.analyse(endless)) if (++answered === 200) break;
  assert.ok(read <= 200 + 64 + 1, `${read} queries read`);
  await assert.rejects(async () => {
    const control = new AbortController();
    for await (const _ of engine.analyse([{ maxNodes: 10 }, { maxTimeMs: 1e9 }], { signal: control.signal })) control.abort(new Error("left"));
  }, /left/);
});

test("analyses run during a search", async () => {
  await engine.position();
  const search = engine.search();
  for await (const answer of engine.analyse([{ maxNodes: 100 }])) assert.ok(answer.root);
  search.stop();
  assert.ok((await search.best).turn);
});

test("weights come from memory", async () => {
  const weights = readFileSync(new URL("../../../search/evaluation/gyre.weights", import.meta.url));
  const other = await start({ evalFile: weights });
  assert.ok((await other.search({ depth: 1 }).best).turn);
  await other.quit();
  await assert.rejects(start({ evalFile: weights.subarray(0, 1000) }), (error) => error instanceof EngineError && /EvalFile/.test(error.message));
});

test("the end of the engine rejects open calls", async () => {
  const other = await start();
  const search = other.search();
  const waiting = other.position();
  other.terminate();
  await assert.rejects(search.best, EngineTerminatedError);
  await assert.rejects(waiting, EngineTerminatedError);
  await assert.rejects(other.ready(), EngineTerminatedError);
  await other.quit();
  await assert.rejects(start({ signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("a file that is not the program is named as such", async () => {
  const text = (/** @type {string} */ of) => new TextEncoder().encode(of);
  for (const [program, says] of /** @type {[Uint8Array<ArrayBuffer>, RegExp][]} */ ([
    [text("<!DOCTYPE html><title>Start</title>"), /not the engine's program, gyre.wasm.gz: it begins with "<!DOCTYPE html>/],
    [text('{"error": 404}'), /it begins with "{/],
    [new Uint8Array([1, 2, 3]), /it begins with/],
    [new Uint8Array(), /it is empty/],
    [readFileSync(new URL("../gyre.wasm.gz", import.meta.url)).subarray(0, 100_000), /the engine did not start/],
  ])) {
    await assert.rejects(start({ program }), (error) => error instanceof EngineTerminatedError && says.test(error.message), String(says));
  }
});

test("quit lets a search answer first", async () => {
  const other = await start();
  const search = other.search();
  for await (const info of search) if (info.depth === 1) break;
  await other.quit();
  assert.ok((await search.best).turn);
});

test("quit counts ticks until it ends an engine that stays", async (t) => {
  let tick = () => {};
  t.mock.method(globalThis, "setInterval", (/** @type {() => void} */ act) => void (tick = act));
  let ended = false;
  const answers = { ugi: "option name Hash type spin default 1\nugiok\n", isready: "readyok\n" };
  const stays = await Engine.open.call(Engine, (report) => ({
    send: ({ input = "" }) => queueMicrotask(() => report({ output: answers[input.trim()] ?? "" })),
    terminate: () => (ended = true),
  }), {});
  const quitting = stays.quit();
  for (let ticks = 1; ticks <= 20; ticks++) {
    assert.ok(!ended, `it is ended after ${ticks - 1} ticks`);
    tick();
  }
  assert.ok(ended);
  await quitting;
});

const specification = ["PROTOCOL.md", "position/RULES.md"].map((page) => readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8")).join("\n");
const sessions = [...specification.matchAll(/^```session\n(.*)\n([^]*?)^```$/gm)].map(([, title, text]) => ({ title, lines: text.trimEnd().split("\n") }));

// The sessions have invented scores and times. The rest is the same, word for word.
const comparable = (/** @type {string} */ line) =>
  line.startsWith("bestmove") && !line.endsWith("none") ? "bestmove" : line.replace(/^id name .*/, "id name").replace(/\b(time|nps) \d+/g, "$1");
const isProgress = (/** @type {string} */ line) => /^info (?!string)/.test(line);

test("PROTOCOL.md and the rules have sessions", () => assert.ok(sessions.length > 15));

for (const { title, lines } of sessions) {
  test(`session: ${title}`, async () => {
    /** @type {string[]} */
    const heard = [];
    let wake = () => {};
    const other = await start({
      hash: 64,
      onLine: (/** @type {string} */ line) => {
        if (!isProgress(line)) heard.push(comparable(line));
        wake();
      },
    });
    heard.length = 0;
    for (const line of lines) {
      const text = line.slice(2);
      if (line.startsWith("> ")) {
        other.send(text);
      } else if (isProgress(text)) {
        continue;
      } else if (text.startsWith("option ")) {
        const name = (/** @type {string|undefined} */ line) => /^option name .* type \w+/.exec(line ?? "")?.[0];
        assert.equal(name(await next()), name(text)); // bounds depend on the system
      } else {
        assert.equal(await next(), comparable(text));
      }
    }
    await other.quit();
    async function next() {
      while (!heard.length) await new Promise((resolve) => (wake = () => resolve(undefined)));
      return heard.shift();
    }
  });
}

/** @param {number} seed */
function randomNumbers(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 8;
  };
}
