// Tests of the coach that asks before a blunder: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turned } from "node:timers/promises";
import { Game } from "../game/game.js";
import { Guard, blunderText } from "../parts/coach/guard.js";
import { helpOf } from "../game/help.js";

// The page, whose dialogs are closed unless the test says otherwise.
const keyboard = Object.assign(new EventTarget(), { dialog: null, querySelector: () => keyboard.dialog });
Object.defineProperty(globalThis, "document", { value: keyboard, configurable: true });

const BLUNDER = { label: "blunder", best: ["e4-e8"], before: { cp: 100 }, after: { cp: -100 } };

// A page on which a person plays an engine that judges a turn when the test says so.
function pageWith({ toldAfter = 3_600_000 } = {}) {
  const game = new Game({ players: { w: { kind: "person" }, b: { kind: "engine", engine: "one", level: "Club" } } });
  const controller = Object.assign(new EventTarget(), { game, node: game.root, atLive: true, view: { side: "w", rules: "standard", position: "p" }, changed() {} });
  const lent = new Set();
  const box = {
    asks: false,
    said: [],
    show: (text, buttons) => Object.assign(box, { asks: true, buttons }) && box.said.push(text),
    hide: () => (box.asks = false),
    focus() {},
  };
  const page = {
    controller,
    link: Object.assign(new EventTarget(), { connected: true }),
    analysis: { lend: (engine) => (lent.add(engine), () => lent.delete(engine)) },
    searches: { begin: (what, fields, listener) => (Object.assign(page, { fields, listener }), { stop() {} }) },
    rules: { why: async ({ turns }, better) => ({ against: [`${turns} is not ${better}.`], for: [] }) },
    board: { points: { focus() {} } },
  };
  const judged = async (verdict) => {
    page.listener.review({ turn: verdict });
    page.listener.reviewed({});
    await turned();
  };
  return { guard: new Guard(/** @type {any} */ (page), /** @type {any} */ (box), toldAfter), page, game, controller, box, lent, judged };
}

test("a blunder is asked about, with the reasons that are proven", async () => {
  for (const [button, plays] of /** @type {const} */ ([[0, false], [1, true]])) {
    const { guard, page, game, box, lent, judged } = pageWith();
    const may = guard.mayPlay("a2-a3");
    assert.deepEqual([[...lent], page.fields.path.turns], [["one"], ["a2-a3"]]);
    await judged(BLUNDER);
    assert.deepEqual(box.said, ["a2-a3 gives away 46 %: your chances fall from 73 % to 27 %. a2-a3 is not e4-e8. Play it all the same?"]);
    box.buttons[button].act();
    assert.deepEqual([await may, box.asks, [...lent], helpOf(game)], [plays, false, [], ["the coach"]]);
  }
});

test("what is no blunder is played, and so is a turn that no engine can tell of", async () => {
  for (const end of [(all) => all.judged({ ...BLUNDER, label: "mistake" }), ({ page }) => page.listener.failed("dead")]) {
    const all = pageWith();
    const may = all.guard.mayPlay("a2-a3");
    await end(all);
    assert.deepEqual([await may, all.box.said, [...all.lent]], [true, [], []], String(end));
  }
});

test("nobody waits for an engine that is not there, or who does not want to", async () => {
  const away = pageWith();
  away.page.link.connected = false;
  assert.deepEqual([await away.guard.mayPlay("a2-a3"), away.page.listener, helpOf(away.game)], [true, undefined, ["the coach"]]);
  const lost = pageWith();
  const may = lost.guard.mayPlay("a2-a3");
  lost.page.link.dispatchEvent(new Event("lost"));
  assert.deepEqual([await may, [...lost.lent], lost.box.said], [true, [], []]);
  for (const judged of [false, true]) {
    const slow = pageWith({ toldAfter: 1 });
    slow.page.rules.why = () => new Promise(() => {});
    const waiting = slow.guard.mayPlay("a2-a3");
    if (judged) await slow.judged(BLUNDER);
    while (!slow.box.asks) await turned();
    assert.deepEqual([slow.box.said, slow.box.buttons.length], [["The coach looks at a2-a3…"], 1]);
    slow.box.buttons[0].act();
    assert.deepEqual([await waiting, slow.box.asks, [...slow.lent]], [true, false, []]);
  }
});

test("another game, a step back or a pause ends the question, and Escape takes the turn back", async () => {
  const ends = ["game", "position", "live", "playing"].map((name) => ({ controller }) => controller.dispatchEvent(new Event(name)));
  ends.push(() => keyboard.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key: "Escape" })));
  for (const end of ends) {
    const all = pageWith();
    const may = all.guard.mayPlay("a2-a3");
    await all.judged(BLUNDER);
    assert.ok(all.box.asks);
    end(all);
    assert.deepEqual([await may, all.box.asks], [false, false]);
  }
  const { guard, page, controller, box, lent, judged } = pageWith();
  const may = guard.mayPlay("a2-a3");
  controller.dispatchEvent(new Event("live"));
  assert.equal(await may, false);
  await judged(BLUNDER);
  assert.deepEqual([box.said, page.fields.engine, [...lent]], [[], "one", []]);
});

test("Escape takes back a turn that is looked at, and is left to a dialog that is open", async () => {
  const escape = () => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key: "Escape" });
    keyboard.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const { guard, box, judged } = pageWith();
  const may = guard.mayPlay("a2-a3");
  assert.ok(escape());
  assert.deepEqual([await may, escape()], [false, false]);
  const second = guard.mayPlay("a2-a3");
  await judged(BLUNDER);
  keyboard.dialog = {};
  assert.deepEqual([escape(), box.asks], [false, true]);
  keyboard.dialog = null;
  assert.deepEqual([escape(), await second], [true, false]);
});

test("nobody is asked in a study, between people, or while another position is shown", async () => {
  for (const change of [({ game }) => (game.playing = false), ({ controller }) => (controller.atLive = false), ({ game }) => (game.players = { w: { kind: "person" }, b: { kind: "person" } }), ({ game }) => (game.passing = true)]) {
    const all = pageWith();
    change(all);
    assert.deepEqual([await all.guard.mayPlay("a2-a3"), all.page.listener, helpOf(all.game)], [true, undefined, []], String(change));
  }
});

test("a lost win is told by its chances", () => {
  assert.equal(blunderText("f6", { before: { mate: 3 }, after: { mate: -1 } }, []), "f6 gives away 100 %: your chances fall from 100 % to 0 %. Play it all the same?");
});
