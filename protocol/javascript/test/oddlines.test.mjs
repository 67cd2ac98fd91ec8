// The table of odd lines, which the clients in Go and Python read, too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Engine, EngineError } from "../engine.js";

const table = JSON.parse(readFileSync(new URL("../../testdata/odd-lines.json", import.meta.url), "utf8"));

const bytesOf = (line) => Buffer.from(`${typeof line === "string" ? line : line.text.padEnd(line.bytes, "y")}\n`, "latin1");
const printable = (text) => text.replace(/[^ -~]/g, "?");

/** Starts the client of an engine that answers the greeting and go with lines of the table. */
async function start(greeting, search = []) {
  const warnings = [];
  const newWorker = (report) => {
    const decoder = new TextDecoder();
    const say = (lines) => {
      const bytes = Buffer.concat(lines.map(bytesOf));
      for (let at = 0; at < bytes.length; at += 1 << 16) report({ output: decoder.decode(bytes.subarray(at, at + (1 << 16)), { stream: true }) });
    };
    const answers = { ugi: greeting, isready: ["readyok"], go: search };
    const send = ({ input = "" }) => setTimeout(() => say(answers[input.trim().split(" ")[0]] ?? []));
    return { send, terminate() {} };
  };
  const config = { onWarning: (message) => warnings.push(message) };
  class Opened extends Engine {
    // The table's engines have no options to set.
    async setOption() {}
  }
  return { engine: await Engine.open.call(Opened, newWorker, config), warnings };
}

for (const row of table.handshakes) {
  test(`handshake: ${row.name}`, async () => {
    const { engine, warnings } = await start([...row.lines, row.end ?? "ugiok"]);
    assert.deepEqual({ name: printable(engine.id.name), author: printable(engine.id.author) }, { name: "", author: "", ...row.id });
    const options = [...engine.options.values()].map(({ choices, name, ...rest }) => ({ name: printable(name), ...rest, ...(choices.length && { var: choices }) }));
    assert.deepEqual(options, row.options);
    assert.equal(warnings.length > 0, row.warns ?? false, String(warnings));
  });
}

for (const row of table.searches) {
  test(`search: ${row.name}`, async () => {
    const last = bytesOf(row.lines.at(-1)).toString("latin1").replace(/^[\u00ef\u00bb\u00bf \t]+/, "");
    const { engine, warnings } = await start(["ugiok"], last.startsWith("bestmove") ? row.lines : [...row.lines, "bestmove a2"]);
    const search = engine.search({ depth: 1 });
    const infos = [];
    const reading = (async () => {
      for await (const { score, multipv, pv, ...rest } of search) {
        infos.push({ ...rest, ...score, ...(multipv > 1 && { multipv }), ...(pv.length && { pv }) });
      }
    })();
    if (row.malformed || row.complaint) {
      await assert.rejects(search.best, (error) => error instanceof EngineError && (!row.complaint || error.message === row.complaint));
      await reading.catch(() => {});
    } else {
      const { turn, ponder } = await search.best;
      await reading;
      assert.deepEqual({ turn, ponder }, { turn: row.turn, ponder: row.ponder ?? null });
      assert.equal(warnings.length > 0, row.warns ?? false, String(warnings));
    }
    assert.deepEqual(infos, row.infos);
  });
}
