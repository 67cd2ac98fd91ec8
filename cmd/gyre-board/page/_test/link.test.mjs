// Tests of the connection to the board and of searches: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { setImmediate as turned } from "node:timers/promises";
import { START, formatBoard, playTurn, stepsOfTurn, turnSteps, viewOf } from "../../../../position/drawing/rules.js";
import { t } from "../language.js";
import { Link, Refusal, Rules } from "../link/link.js";
import { Searches } from "../link/searches.js";

// Browsers have this event; Node.js has it from version 19 on.
globalThis.CustomEvent ??= class extends Event {
  constructor(name, { detail } = {}) {
    super(name);
    this.detail = detail;
  }
};

const greeting = { version: "1", engines: [], levels: [], limits: { message: 1000 } };

/** A board that answers hello, and keeps whatever else it is asked. */
class Fake {
  lost = "It is lost.";
  asked = [];
  opens = [];

  open(listener) {
    this.listener = listener;
    this.opens.shift()?.();
    queueMicrotask(() => listener.opened());
  }

  send(text) {
    const message = JSON.parse(text);
    if (message.do === "hello") this.reply(message.id, greeting);
    else this.asked.push(message);
  }

  reply(id, ok) {
    this.listener.message(JSON.stringify({ id, ok }));
  }

  /** Ends the connection, and waits for the next one. */
  close(end) {
    const open = new Promise((resolve) => this.opens.push(resolve));
    this.listener.closed(end);
    return open;
  }
}

async function connected() {
  const fake = new Fake();
  const link = new Link(fake);
  const open = new Promise((resolve) => link.addEventListener("open", resolve, { once: true }));
  link.connect();
  await open;
  return { fake, link };
}

test("unanswered requests are repeated on the next connection", async () => {
  const { fake, link } = await connected();
  const told = [];
  link.addEventListener("lost", ({ detail }) => told.push(detail));
  const answer = link.ask("read", { text: "f6" });
  const open = new Promise((resolve) => link.addEventListener("open", resolve, { once: true }));
  await fake.close({});
  await open;
  assert.deepEqual(fake.asked.map(({ text }) => text), ["f6", "f6"]);
  fake.reply(fake.asked[1].id, { games: [] });
  assert.deepEqual(await answer, { games: [] });
  assert.deepEqual(told, ["It is lost."]);
});

test("if a request was too long, only the longest is given up", async () => {
  const { fake, link } = await connected();
  const short = link.ask("read", { text: "f6" });
  const long = link.ask("read", { text: "e5".repeat(50) });
  const open = new Promise((resolve) => link.addEventListener("open", resolve, { once: true }));
  await Promise.all([fake.close({ tooBig: true }), assert.rejects(long, /too large for the board/)]);
  await open;
  assert.deepEqual(fake.asked.slice(2).map(({ text }) => text), ["f6"]);
  fake.reply(fake.asked[2].id, { games: [] });
  await short;
});

test("a message above the size limit is not sent", async () => {
  const { fake, link } = await connected();
  await assert.rejects(link.ask("read", { text: "ü".repeat(600) }), /larger than 0 KiB/);
  assert.deepEqual(fake.asked, []);
});

test("the page shows why the server refuses it", async () => {
  const { fake, link } = await connected();
  const told = [];
  link.addEventListener("lost", ({ detail }) => told.push(detail));
  await fake.close({ why: "Too many." });
  assert.deepEqual(told, ["Too many."]);
});

test("close codes of the server are recognized", async () => {
  const sockets = [];
  globalThis.document = { querySelector: () => null };
  globalThis.location = { protocol: "http:", host: "board" };
  globalThis.WebSocket = class extends EventTarget {
    constructor() {
      super();
      sockets.push(this);
    }
  };
  const { socketTransport } = await import("../link/transports.js");
  for (const [code, reason, end] of [
    [1009, "", { why: "", tooBig: true }],
    [1013, "boards-share", { why: t("too-many-boards-share"), tooBig: false }],
    [1013, "in words", { why: "", tooBig: false }],
    [1006, "x", { why: "", tooBig: false }],
  ]) {
    const closed = new Promise((resolve) => socketTransport().open({ opened() {}, message() {}, closed: resolve }));
    sockets.at(-1).dispatchEvent(Object.assign(new Event("close"), { code, reason }));
    assert.deepEqual(await closed, end);
  }
});

/** A connection that says what a test has it say. */
function connection() {
  const hear = new Map();
  const link = Object.assign(new EventTarget(), { connected: true, on: (what, heard) => hear.set(what, heard), ask: async () => {} });
  return { link, say: (what, event) => hear.get(what)(event) };
}

test("a search that lost its engine to another is notified; a stopped one is not", () => {
  for (const [what, event] of [["think", "best"], ["review", "reviewed"]]) {
    const { link, say } = connection();
    const searches = new Searches(/** @type {any} */ (link));
    const notices = [];
    searches.addEventListener("failed", () => notices.push("failed"));
    const told = [];
    const listener = { best: () => told.push("best"), reviewed: () => told.push("reviewed"), failed: (why) => told.push(why) };
    const begin = () => searches.begin(/** @type {any} */ (what), { engine: "Gyre" }, listener);
    begin().stop();
    say(event, { search: 1, stopped: true });
    assert.deepEqual(told, []);
    begin();
    say(event, { search: 2, stopped: true });
    say(event, { search: 2, stopped: false });
    assert.deepEqual([told, notices], [["Gyre is needed elsewhere"], []]);
  }
});

test("quiet searches report dead engines, but not failed searches", async () => {
  const { link, say } = connection();
  const searches = new Searches(/** @type {any} */ (link));
  const notices = [];
  searches.addEventListener("failed", ({ detail: { reason } }) => notices.push(reason));
  const told = [];
  const begin = (quiet) => searches.begin("worth", { engine: "Gyre" }, { quiet, failed: (why) => told.push(why) });
  begin(true);
  say("failed", { search: 1, reason: "no scores", lost: false });
  assert.deepEqual([told, notices], [["no scores"], []]);
  begin(false);
  say("failed", { search: 2, reason: "no scores", lost: false });
  assert.deepEqual(notices, ["no scores"]);
  link.ask = async () => Promise.reject(new Error("gone"));
  link.connected = false;
  begin(true);
  say("failed", { search: 3, reason: "died", lost: true });
  await turned();
  assert.deepEqual([told, notices], [["no scores", "no scores", "died"], ["no scores", "died"]]);
});

/** Rules whose program answers as the server does, and what is said to it and by it. */
function checked() {
  const said = { bytes: 0, asked: [], ends: new Map() };
  const ask = (what, { path, after, ply }) => {
    const id = said.asked.push(path.turns);
    const answer = async () => {
      said.bytes += JSON.stringify({ path, after, ply, id, do: what }).length + JSON.stringify({ id, ok: {} }).length;
      if (after && !said.ends.has(after)) throw new Refusal({ message: "not known", code: "forgotten" });
      const [rules, start] = after ? said.ends.get(after) : [path.rules, path.start === "startpos" ? START : path.start];
      said.ends.set(id, [rules, path.turns.reduce((position, turn) => {
        assert.equal(turnSteps(viewOf(position, rules), rules, stepsOfTurn(turn))?.complete, turn);
        return formatBoard(playTurn(viewOf(position, rules), turn).board);
      }, start)]);
      return {};
    };
    return Object.assign(answer(), { id });
  };
  return { rules: new Rules(/** @type {any} */ ({ ask })), said };
}

const path = (...turns) => ({ rules: /** @type {const} */ ("standard"), start: "startpos", turns });
const longGames = readFileSync(new URL("../../../../position/testdata/games.txt", import.meta.url), "utf8").split("\n")
  .filter((line) => line.startsWith("standard")).map((line) => line.split("|").at(-1).split(" ")).filter((turns) => turns.length >= 80);

test("a finished turn costs one message with what is new, late in a game as early", async () => {
  assert.ok(longGames.length, "no long game");
  for (const game of longGames) {
    const { rules, said } = checked();
    const bytes = [];
    for (let ply = 0; ply <= 80; ply++) {
      const { views, turns } = await rules.game(path(...game.slice(0, ply)));
      assert.deepEqual([views.length, turns.length, said.asked.length, said.asked.at(-1).length], [ply + 1, ply, ply + 1, Math.min(ply, 1)]);
      bytes.push(said.bytes);
    }
    assert.ok(bytes[80] < 2.1 * bytes[40], `${bytes[40]} bytes for 40 turns, ${bytes[80]} for 80`);
  }
});

test("what the program has confirmed is not asked for again, and variations ask for their own turns", async () => {
  const { rules, said } = checked();
  const whole = await rules.game(path("f6", "e5", "g7"));
  assert.deepEqual(await rules.game(path("f6", "e5")), { views: whole.views.slice(0, 3), turns: whole.turns.slice(0, 2) });
  assert.deepEqual(whole.turns.map(({ side, acts }) => [side, acts[0].to]), [["w", "f6"], ["b", "e5"], ["w", "g7"]]);
  await rules.game(path("f6", "a2", "a3"));
  assert.deepEqual(said.asked, [["f6", "e5", "g7"], ["a2", "a3"]]);
  // A position that was reached is no confirmed start of a game.
  await rules.game({ rules: "standard", start: whole.views[1].position, turns: [] });
  assert.equal(said.asked.length, 3);
});

test("a program that has forgotten the game, as after a restart, is told its position", async () => {
  const { rules, said } = checked();
  await rules.game(path("f6"));
  said.ends.clear();
  assert.equal((await rules.game(path("f6", "e5"))).views.length, 3);
  assert.deepEqual(said.asked, [["f6"], ["e5"], ["e5"]]);
  await rules.game(path("f6", "e5", "g7"));
  assert.equal(said.asked.length, 4);
});
