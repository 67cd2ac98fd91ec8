// Tests of solving a puzzle while other things happen to the board: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as passed } from "node:timers/promises";
import { Controller } from "../game/controller.js";
import { Game } from "../game/game.js";
import { Solving } from "../parts/puzzles/solving.js";

// What the page's own modules want of a browser.
const browser = { addEventListener() {}, navigator: {}, sessionStorage: { getItem: () => null, setItem() {} } };
for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true });

const rules = {
  game: async ({ turns }) => ({ views: [...turns, ""].map(() => ({ over: false, position: "", rules: "standard" })), turns: [], next: {} }),
  steps: async () => ({}),
};

const puzzle = (id) => ({ id, rating: 1000, fen: "4/7/8/9/10/9/10/9/8/7/4 w 0-0", rules: /** @type {const} */ ("standard"), theme: "make-row", solution: ["e4-e8;xb3-b7xb2", "a2-a3", "b2-b3"] });
/** The solution's first turn, but for the ring that pays. */
const WITH_ANOTHER_RING = "e4-e8;xb3-b7xc1";

// A page with a puzzle on it, where what is shown on the board ends when the test says so.
async function solvingOne() {
  const controller = new Controller(/** @type {any} */ (rules), /** @type {any} */ (Object.assign(new EventTarget(), { keep() {}, leave() {} })));
  let shown;
  const board = { motion: { idle: new Promise((resolve) => (shown = resolve)), busy: true }, arrows: { show() {} }, points: { focus() {} } };
  const lent = new Set();
  const analysis = { engines: ["one"], lend: (engine) => (lent.add(engine), () => lent.delete(engine)) };
  const searches = { begin: () => ({ engine: "one", stop() {} }) };
  const solving = new Solving(/** @type {any} */ ({ controller, board, analysis, searches }));
  await solving.begin(puzzle("first"));
  const end = async () => {
    shown();
    // What would wrongly go on does so within a timer of no time.
    await passed(20);
  };
  return { controller, solving, lent, end };
}

test("a game that is opened before the reply to a puzzle stays as it is", async () => {
  const { controller, solving, end } = await solvingOne();
  await controller.play(controller.node, WITH_ANOTHER_RING);
  assert.equal(solving.state, "reply");
  const own = new Game();
  await controller.open(own);
  await end();
  assert.equal(own.at, own.root);
});

test("the next puzzle is not solved by what was under way in the one before", async () => {
  for (const turn of [WITH_ANOTHER_RING, "e4-e8;xb3-b7xb2"]) {
    const { controller, solving, end } = await solvingOne();
    await controller.play(controller.node, turn);
    await solving.begin(puzzle("second"));
    await end();
    assert.deepEqual([solving.state, controller.game.root.children.length], ["yours", 0], turn);
  }
});

test("a hint and a solution asked for while another game comes are not shown on it", async () => {
  for (const ask of [(solving) => solving.hint(), (solving) => solving.show()]) {
    const { controller, solving, end } = await solvingOne();
    await controller.play(controller.node, "e4-e7");
    solving.state = "wrong";
    const asked = ask(solving);
    const own = new Game();
    await controller.open(own);
    await end();
    await asked;
    assert.deepEqual([own.at, solving.hinted], [own.root, false]);
  }
});

test("the engine that judges a turn is free again when another game is opened", async () => {
  const { controller, lent } = await solvingOne();
  await controller.play(controller.node, "e4-e7");
  assert.deepEqual([...lent], ["one"]);
  await controller.open(new Game());
  assert.deepEqual([...lent], []);
});

test("nothing is told of a tree that is not there yet", () => {
  const controller = new Controller(/** @type {any} */ (rules), /** @type {any} */ (new EventTarget()));
  let told = 0;
  controller.addEventListener("tree", () => told++);
  controller.changed();
  assert.deepEqual([told, controller.node], [0, undefined]);
});
