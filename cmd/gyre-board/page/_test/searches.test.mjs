// Tests of the searches of engines: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turned } from "node:timers/promises";
import { Searches } from "../link/searches.js";

/** A connection that says what a test has it say. */
function connection() {
  const hear = new Map();
  const link = Object.assign(new EventTarget(), { connected: true, on: (what, heard) => hear.set(what, heard), ask: async () => {} });
  return { link, say: (what, event) => hear.get(what)(event) };
}

test("who has lost the engine to another search is told, and who has stopped hears nothing", () => {
  for (const [what, event] of [["think", "best"], ["review", "reviewed"]]) {
    const { link, say } = connection();
    const searches = new Searches(/** @type {any} */ (link));
    const notices = [];
    searches.addEventListener("failed", () => notices.push("failed"));
    const told = [];
    const listener = { best: () => told.push("best"), reviewed: () => told.push("reviewed"), failed: (why) => told.push(why) };
    const stopped = searches.begin(/** @type {any} */ (what), { engine: "Gyre" }, listener);
    stopped.stop();
    say(event, { search: stopped.number, stopped: true });
    assert.deepEqual(told, []);
    const taken = searches.begin(/** @type {any} */ (what), { engine: "Gyre" }, listener);
    say(event, { search: taken.number, stopped: true });
    say(event, { search: taken.number, stopped: false });
    assert.deepEqual([told, notices], [["Gyre was wanted for something else"], []]);
  }
});

test("an engine that cannot tell is no news to whoever wanted little, one that dies is", async () => {
  const { link, say } = connection();
  const searches = new Searches(/** @type {any} */ (link));
  const notices = [];
  searches.addEventListener("failed", ({ detail: { reason } }) => notices.push(reason));
  const told = [];
  const begin = (quiet) => searches.begin("worth", { engine: "Gyre" }, { quiet, failed: (why) => told.push(why) }).number;
  say("failed", { search: begin(true), reason: "no scores", lost: false });
  assert.deepEqual([told, notices], [["no scores"], []]);
  say("failed", { search: begin(false), reason: "no scores", lost: false });
  assert.deepEqual(notices, ["no scores"]);
  link.ask = async () => Promise.reject(new Error("gone"));
  link.connected = false;
  say("failed", { search: begin(true), reason: "died", lost: true });
  await turned();
  assert.deepEqual([told, notices], [["no scores", "no scores", "died"], ["no scores", "died"]]);
});
