// Tests of the lines of engines and of what targets are worth: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../game/game.js";
import { loansOf } from "../panels/analysis.js";
import { grouped, settled } from "../panels/enginelines.js";
import { agreeing, shadeTargets, worthOf, worthWords } from "../parts/worth/worth.js";
import { stateWith } from "./state.mjs";

const line = (depth, ...pv) => ({ depth, pv, score: { cp: 0 } });

test("no turn is listed twice while a new depth arrives", () => {
  // The turn that was second is first at depth 6, and the old second line still stands.
  const lines = [line(6, "e4-e5"), line(5, "e4-e5"), line(5, "a2-a3")];
  assert.deepEqual(settled(lines).map(({ depth, pv }) => `${depth} ${pv[0]}`), ["6 e4-e5", "5 a2-a3"]);
  // It may also be that the old first line is not yet replaced.
  const other = [line(5, "e4-e5"), line(6, "e4-e5"), line(5, "a2-a3")];
  assert.deepEqual(settled(other).map(({ depth, pv }) => `${depth} ${pv[0]}`), ["6 e4-e5", "5 a2-a3"]);
});

test("lines that differ only in their removals are shown as one", () => {
  const lines = [line(6, "f5-h7;xc5-g5xb2"), line(6, "f5-h7;xc5-g5xb6"), line(6, "a2-a3"), line(6, "f5-h7;xc5-g5xf1")];
  const found = grouped(lines);
  assert.deepEqual(found.map(({ pv, others }) => [pv[0], others.length]), [["f5-h7;xc5-g5xb2", 2], ["a2-a3", 0]]);
});

test("a borrowed engine is lent until all who search with it have stopped", () => {
  const searching = new Set();
  const begin = (what, fields) => {
    searching.add(what);
    return { engine: fields.engine, stop: () => searching.delete(what) };
  };
  let changes = 0;
  const { isLent, borrow } = loansOf({ begin }, () => changes++);
  const [first, second] = /** @type {const} */ (["threat", "worth"]).map((what) => borrow(what, { engine: "one" }, {}));
  assert.deepEqual([[...searching], isLent("one"), isLent("two"), changes], [["threat", "worth"], true, false, 2]);
  first();
  first();
  assert.deepEqual([[...searching], isLent("one"), changes], [["worth"], true, 2]);
  second();
  assert.deepEqual([[...searching], isLent("one"), changes], [[], false, 3]);
});

// Elements of which it is kept what they are and hold.
const element = (name) => ({ name, attributes: {}, children: [], setAttribute(key, value) { this.attributes[key] = value; }, append(...more) { this.children.push(...more); } });
// The list of engine options, which nobody has opened.
const nothing = { addEventListener() {}, querySelectorAll: () => [], value: "" };
const document = { createElementNS: (_, name) => element(name), createElement: element, getElementById: () => nothing, addEventListener() {} };
Object.defineProperty(globalThis, "document", { value: document, configurable: true });
let stored = "null";
Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => stored, setItem() {} }, configurable: true });

const TARGETS = [{ to: "e5", turn: "e4-e5", lost: 0 }, { to: "e7", turn: "e4-e7", lost: 34.6 }];

// A page with a ring picked at e4, the engine on, which answers when the test says so.
function pageWith() {
  const view = { rules: "standard", position: "one w", side: "w", points: { e4: "W" } };
  const state = stateWith({ game: new Game(), view, analyzing: true });
  const moveInput = Object.assign(new EventTarget(), {
    kind: "move", picked: "e4", prefix: [], now: { view, steps: [] },
    stepsFrom: () => [],
    targets: [{ to: "e5" }, { to: "e7" }],
  });
  const lent = new Set();
  const orders = [];
  const drawn = [];
  const labels = [];
  const page = {
    state, moveInput,
    analysis: {
      lines: [],
      engines: ["one"],
      isLent: (engine) => lent.has(engine),
      borrow: (what, fields, listener) => {
        const order = { what, fields, listener, stopped: false };
        orders.push(order);
        lent.add(fields.engine);
        return () => {
          order.stopped = true;
          lent.delete(fields.engine);
        };
      },
    },
    board: {
      marks: { targets: { replaceChildren: (...all) => drawn.push(all.map(({ attributes, children }) => `${attributes["data-to"]} ${attributes.class} ${children[1].children[0]}`)) }, showTargets: (points) => drawn.push(points) },
      points: { describe: (_, hints) => labels.push(hints.get("e7")) },
    },
  };
  return { look: worthOf(/** @type {any} */ (page)), page, state, moveInput, lent, orders, drawn, labels };
}

// Answers all searches, and those that follow.
function finish(orders) {
  for (const order of orders) if (!order.stopped) order.listener.worth({ targets: TARGETS });
}

test("values of targets agree with the engine's lines", () => {
  const targets = [["e5", 0], ["e6", 30], ["e7", 2], ["e8", 1]].map(([to, lost]) => ({ to: String(to), turn: `e4-${to}`, lost: Number(lost) }));
  const values = (lines, side) => agreeing(targets, lines, side).map(({ lost }) => Math.round(lost));
  // Line 1 goes to e6, and line 2 to e7; both are worth less for Black the higher White's score is.
  for (const [side, sign] of /** @type {const} */ ([["w", 1], ["b", -1]])) {
    const lines = [{ score: { cp: 20 * sign }, pv: ["e4-e6", "a2-a3"] }, { score: { cp: -20 * sign }, pv: ["e4-e7;xb3-b7xb2"] }];
    assert.deepEqual(values(lines, side), [10, 0, 10, 10], side);
  }
  assert.deepEqual(values([], "w"), [0, 30, 2, 1]);
});

test("the targets of a ring are shaded once their values arrive, and after each redraw", () => {
  const { look, page, state, lent, orders, drawn, labels } = pageWith();
  look();
  look();
  assert.deepEqual([orders.length, orders[0].what, orders[0].fields.from, [...lent], drawn], [1, "worth", "e4", ["one"], []]);
  orders[0].listener.worth({ targets: TARGETS });
  // A short search is an estimate, and says so.
  const short = ["e5 worth short 0", "e7 worth short 35"];
  const shaded = ["e5 worth 0", "e7 worth 35"];
  assert.deepEqual([drawn, [...lent]], [[short], ["one"]]);
  assert.match(labels[0], /loses 35%, after a short search$/);
  // While the ring stays picked, more nodes follow.
  finish(orders);
  assert.deepEqual(orders.map(({ fields }) => fields.nodes), [6000, 24000, 96000]);
  state.change();
  assert.deepEqual([drawn, [...lent]], [[short, short, shaded, shaded], []]);
  assert.match(labels.at(-1), /loses 35%$/);
  state.change();
  assert.equal(orders.length, 3);
  // Turned off, the dots come back.
  state.change({ analyzing: false });
  assert.deepEqual(drawn.at(-1), ["e5", "e7"]);
  state.change();
  assert.deepEqual([drawn.length, orders.length], [6, 3]);
  state.change({ analyzing: true });
  assert.deepEqual([drawn.at(-1), orders.length], [shaded, 3]);
  // Line 1 goes to e7, and line 2 loses 12%.
  page.analysis.lines = [{ score: { cp: 0 }, pv: ["e4-e7"] }, { score: { cp: -50 }, pv: ["f6-f7"] }];
  state.change();
  assert.deepEqual(drawn.at(-1), ["e5 worth 12", "e7 worth 0"]);
});

test("values of targets are cached by ring, engine and limits", () => {
  const { look, page, state, orders } = pageWith();
  const count = () => (state.change(), orders.length);
  look();
  finish(orders);
  assert.equal(count(), 3);
  page.analysis.engines = ["two"];
  assert.equal(count(), 4);
  finish(orders);
  stored = JSON.stringify({ engineOptions: { two: { hash: 64 } } });
  assert.equal(count(), 7);
  stored = "null";
  assert.equal(count(), 7);
});

test("no values are requested if the engine is off or busy, in the middle of a turn, or without a ring", () => {
  for (const change of [({ lent }) => lent.add("one"), ({ state }) => (state.analyzing = false), ({ page }) => (page.analysis.engines = []), ({ moveInput }) => (moveInput.prefix = [{ do: "row" }]), ({ moveInput }) => (moveInput.targets = []), ({ state }) => (state.reply = null)]) {
    const all = pageWith();
    change(all);
    all.look();
    assert.equal(all.orders.length, 0, String(change));
  }
});

test("another ring, a turn or a failure cancels the request and releases the engine", () => {
  for (const [end, orders] of /** @type {const} */ ([
    [({ moveInput, state }) => (moveInput.picked = "f6") && state.change(), 2],
    [({ state }) => state.change({ reply: null }), 1],
    [({ orders: [order] }) => order.listener.failed("dead"), 1],
  ])) {
    const all = pageWith();
    all.look();
    end(all);
    assert.deepEqual([all.orders.length, all.orders[0].stopped, all.lent.size, all.drawn.flat().some((text) => String(text).includes("worth"))], [orders, true, orders - 1, false], String(end));
  }
});

test("a target shows its loss in words, and as a sign if there is room", () => {
  const drawn = [];
  shadeTargets(/** @type {any} */ ({ replaceChildren: (...all) => drawn.push(...all.map(({ children }) => children[1].children[0])) }), [0, 9.6, 99.4, 100].map((lost) => ({ to: "e5", turn: "e4-e5", lost })), false);
  assert.deepEqual(drawn, ["0", "10", "99", "×"]);
  assert.deepEqual([0, 0.4, 0.5, 34.6, 100].map((lost) => worthWords({ lost })), ["loses nothing", "loses nothing", "loses 1%", "loses 35%", "loses 100%"]);
});
