// Tests of the words for what fails in a browser. node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { LoadError, isDamage, loadFile, reasonOf } from "../failures.js";
import { t as message } from "../language.js";
import { Refusal } from "../link/link.js";

const RAW = "Failed to execute 'open' on 'IDBFactory'";

/** Defines a global for the time of a test. */
function define(t, name, descriptor) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { configurable: true, ...descriptor });
  t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
}

const forbidden = () => {
  throw new DOMException(RAW, "SecurityError");
};

/** Each error of the browser: the message for it, and the one where site data is blocked. */
const ERRORS = [
  ["QuotaExceededError", "storage-full", "storage-full"],
  ["SecurityError", "storage-blocked", "storage-blocked"],
  ["InvalidStateError", "storage-damaged", "storage-blocked"],
  ["UnknownError", "storage-damaged", "storage-blocked"],
  ["NotFoundError", "storage-damaged", "storage-blocked"],
  ["VersionError", "storage-damaged", "storage-blocked"],
  ["DataError", "storage-damaged", "storage-blocked"],
  ["AbortError", "storage-damaged", "storage-blocked"],
  ["NotAllowedError", "not-allowed", "not-allowed"],
];

test("errors of the browser are said in the language of the page", (t) => {
  for (const blocked of [false, true]) {
    define(t, "localStorage", blocked ? { get: forbidden } : { value: {} });
    for (const [name, open, closed] of ERRORS) {
      const error = new DOMException(RAW, name);
      assert.equal(reasonOf(error), message(blocked ? closed : open), `${name}, blocked: ${blocked}`);
      assert.equal(isDamage(error), open === "storage-damaged", name);
    }
    // What the page does not know is shown as it is, for whoever reports it, within a message.
    for (const error of [new TypeError(RAW), new SyntaxError(RAW), new DOMException(RAW, "TimeoutError")]) {
      assert.equal(reasonOf(error), message("error-other", { error: `${error.name}: ${RAW}` }));
    }
    for (const error of [new Error("in words"), new LoadError("in words"), new Refusal({ message: "in words" })]) assert.equal(reasonOf(error), "in words");
  }
});

test("a file that does not come is said in words", async (t) => {
  const answer = (status, type = "text/javascript", text = async () => "text") => async () => ({ status, statusText: "S", ok: status === 200, headers: new Headers({ "Content-Type": type }), text });
  const fails = async () => {
    throw new TypeError("Failed to fetch");
  };
  for (const [name, fetch, want, forGood] of [
    ["a.js", fails, message("no-connection"), false],
    ["a.js", answer(200, "text/javascript", fails), message("no-connection"), false],
    ["a.js", answer(404), message("other-version"), true],
    ["a.json", answer(500), message("bad-answer", { status: "500 S" }), false],
    ["a.js", answer(200, "text/plain; charset=utf-8"), message("bad-type", { file: "a.js", type: "text/plain" }), true],
  ]) {
    define(t, "fetch", { value: fetch });
    const error = await loadFile(new URL(name, "https://example.org/")).then(assert.fail, (wrong) => wrong);
    assert.deepEqual([error instanceof LoadError, reasonOf(error), error.forGood], [true, want, forGood], name);
  }
  define(t, "fetch", { value: answer(200, "text/plain") });
  assert.equal(await loadFile("https://example.org/a.txt"), "text");
});

test("no module says an error by its own text, or fetches a file of the page itself", () => {
  const page = new URL("../", import.meta.url);
  const names = readdirSync(page, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
  for (const name of names.filter((name) => /\.js$/.test(name) && !/^(_|fluent\/|idb\/|parts\/image\/gifenc\/|parts\/remote\/uqr\/|failures\.js|early\.js)/.test(name))) {
    const text = readFileSync(new URL(name, page), "utf8");
    const said = [...text.matchAll(/\b(error|wrong|reason|detail)\.message\b|\bfetch\(new URL/g)].map(([found]) => found);
    // parts.js tells the errors of imports apart.
    assert.deepEqual(said, name === "parts.js" ? ["error.message"] : [], name);
  }
});
