// Tests of the searches of engines: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
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
