// Tests of games: links, clocks, trees, scores, settings and engines that play: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lines } from "../../../../position/drawing/geometry.js";
import { Controller } from "../game/controller.js";
import { START, viewOf } from "../../../../position/drawing/rules.js";
import { Game, linkIn, readLink, readRoomLink } from "../game/game.js";
import { legalPart } from "../game/opening.js";
import { Clocks, Play, clockText } from "../game/play.js";
import { Refusal } from "../link/link.js";
import { compare } from "../parts/remote/bylink.js";
import { TurnNode, address, find, pack, unpack } from "../game/tree.js";
import { chance, forWhite, scoreText } from "../scores.js";
import { stateWith } from "./state.mjs";

test("a link can be parsed again", () => {
  assert.deepEqual(readLink("#rules=blitz&turns=f6,e4-e10;xb3-b7xb2&at=1"), {
    path: { rules: "blitz", start: "startpos", turns: ["f6", "e4-e10;xb3-b7xb2"] },
    at: 1,
    tags: [],
    game: "",
    resigned: "",
  });
  const { game, resigned } = readLink("#rules=standard&turns=f6&game=12-34&resigned=w");
  assert.deepEqual([game, resigned], ["12-34", "w"]);
  assert.deepEqual([readLink("#rules=standard&game=../x&resigned=x").game, readLink("#rules=standard&resigned=x").resigned], ["", ""]);
  const names = readLink("#rules=standard&white=Ann%20%26%20Bob&black=100%25");
  assert.deepEqual(names.tags, [["White", "Ann & Bob"], ["Black", "100%"]]);
  assert.deepEqual(readLink("#rules%3Dblitz%26turns%3Df6").path.turns, ["f6"]);
  assert.equal(readLink("#start=4/7_b_0-0").path.start, "4/7 b 0-0");
  assert.equal(readLink("#board"), null);
});

test("a link to a room has its id and perhaps the key of a seat", () => {
  assert.deepEqual(readRoomLink("#room=AB12&seat=C3"), { room: "AB12", key: "C3" });
  assert.deepEqual(readRoomLink("#room=AB12"), { room: "AB12", key: "" });
  for (const other of ["", "#room=", "#room=A/B", "#rules=blitz&room=A"]) assert.equal(readRoomLink(other), null);
});

test("a link continues a game, repeats it, is older, or is of another", () => {
  const own = { rules: "standard", start: "startpos", turns: ["f6", "e5"] };
  for (const [linked, want] of /** @type {const} */ ([
    [{ turns: ["f6", "e5"] }, "same"],
    [{ turns: ["f6", "e5", "e4"] }, "newer"],
    [{ turns: ["f6"] }, "older"],
    [{ turns: [] }, "older"],
    [{ turns: ["f6", "e4"] }, "other"],
    [{ turns: ["e5", "f6", "e4"] }, "other"],
    [{ rules: "blitz" }, "other"],
    [{ start: "4/7" }, "other"],
  ])) assert.equal(compare(own, /** @type {any} */ ({ ...own, ...linked })), want);
});

test("clocks show tenths in the last ten seconds", () => {
  assert.equal(clockText(9940), "9.9");
  assert.equal(clockText(61000), "1:01");
  assert.equal(clockText(3601000), "1:00:01");
});

test("a tree and its addresses survive packing", () => {
  const root = new TurnNode("", null);
  const first = root.play("f6", true).play("e5", true);
  first.comment = "hm";
  const other = root.children[0].play("g7", false).play("c3", false);
  const again = unpack(JSON.parse(JSON.stringify(pack(root))));
  assert.deepEqual(pack(again), pack(root));
  assert.equal(find(again, address(other)).turn, "c3");
  assert.equal(find(again, address(first)).comment, "hm");
});

test("a new main turn goes before its variations, and promoting moves one there", () => {
  const root = new TurnNode("", null);
  root.play("f6", true);
  const later = root.play("e5", true);
  assert.deepEqual(root.children.map(({ turn }) => turn), ["e5", "f6"]);
  root.children[1].promote();
  assert.deepEqual(root.children.map(({ turn }) => turn), ["f6", "e5"]);
  assert.ok(!later.onMainLine);
});

test("scores are White's, and their words follow the protocol", () => {
  assert.deepEqual(forWhite({ cp: 30 }, "b"), { cp: -30 });
  assert.deepEqual(forWhite({ mate: 3 }, "b"), { mate: -3 });
  assert.equal(scoreText({ cp: 35 }), "+0.35");
  assert.equal(scoreText({ mate: -4 }), "−#4");
  assert.equal(Math.round(chance({ cp: 100 }) * 100), 73);
});

test("settings last for the visit if the browser stores nothing", async () => {
  const kept = { "gyre.settings": JSON.stringify({ sound: false, lines: "3" }) };
  let full = true;
  const storage = { getItem: (key) => kept[key] ?? null, setItem: (key, value) => { if (full) throw new Error("full"); kept[key] = value; } };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  globalThis.dispatchEvent = () => true;
  const { saveSettings, settings } = await import("../game/settings.js");
  saveSettings({ sound: true });
  assert.deepEqual(settings(), { sound: true, lines: "3" });
  full = false;
  saveSettings({ coach: true });
  assert.deepEqual(JSON.parse(kept["gyre.settings"]), { sound: true, lines: "3", coach: true });
  kept["gyre.settings"] = JSON.stringify({ sound: false });
  assert.deepEqual(settings(), { sound: false });
});

/** A game at its start, and the engine that is asked for a turn in it. */
function table(players, over = false) {
  const node = { ply: 0, clock: null, end: null, score: null };
  const game = { id: "1", live: node, players, playing: true, moveTime: 2000, path: () => ({}), left: null, clock: null };
  const played = [];
  const setPlaying = (playing) => (game.playing = playing);
  const state = stateWith({ game });
  const controller = Object.assign(new EventTarget(), { played, setPlaying, changed() {}, play: async (_, turn) => played.push(turn) });
  const rules = { game: async () => ({ views: [{ side: "b", over, removed: [3, 0] }] }) };
  const searches = { begin: (_, fields, heard) => Object.assign(searches, { heard }) && { engine: fields.engine, stop() {} } };
  const clocks = Object.assign(new EventTarget(), { left: null, running: null, set() {}, run() {}, stop() {} });
  const play = new Play(/** @type {any} */ ({ state, controller, rules, searches, clocks, board: { motion: { idle: Promise.resolve() } } }));
  controller.dispatchEvent(new Event("live"));
  return { state, game, node, played, searches, play };
}

const [person, engine] = [{ kind: "person" }, { kind: "engine", engine: "Gyre" }];
const meanwhile = () => new Promise((resolve) => setImmediate(resolve));

test("turns between engines take at least the pace; turns against a person take no extra time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(performance, "now", () => 0);
  const watched = table({ w: engine, b: engine });
  watched.play.pace = 3000;
  await meanwhile();
  watched.searches.heard.best({ turn: "f6" });
  t.mock.timers.tick(2000);
  await meanwhile();
  assert.deepEqual(watched.played, []);
  t.mock.timers.tick(1000);
  await meanwhile();
  assert.deepEqual(watched.played, ["f6"]);
  const own = table({ w: person, b: engine });
  await meanwhile();
  own.searches.heard.best({ turn: "f6" });
  await meanwhile();
  assert.deepEqual(own.played, ["f6"]);
});

test("a game that is over on the board or off it is not being played once it is said to be over", async () => {
  for (const [over, end] of /** @type {[boolean, (play: Play) => void][]} */ ([[true, () => {}], [false, (play) => play.end("w", "resignation")]])) {
    const { state, game, play } = table({ w: person, b: person }, over);
    const heard = [];
    for (const name of ["thinking", "ended"]) play.addEventListener(name, () => state.over && heard.push(game.playing));
    await meanwhile();
    end(play);
    assert.deepEqual([heard, game.playing], [[false], false]);
  }
});

test("the engine's last score is kept from White's view, unless a deeper one exists", async () => {
  const { node, searches } = table({ w: person, b: engine });
  await meanwhile();
  searches.heard.info({ lines: [{ score: { cp: 30 }, depth: 5, bound: "" }] });
  searches.heard.info({ lines: [{ score: { cp: 90 }, depth: 6, bound: "lower" }] });
  searches.heard.best({ turn: "f6" });
  assert.deepEqual(node.score, { cp: -30, depth: 5 });
  searches.heard.info({ lines: [{ score: { cp: 10 }, depth: 4, bound: "" }] });
  searches.heard.best({ turn: "f6" });
  assert.deepEqual(node.score, { cp: -30, depth: 5 });
});

test("an engine without scores can play", async () => {
  const { node, played, searches } = table({ w: person, b: engine });
  await meanwhile();
  searches.heard.info({ lines: [{ score: null, depth: 5, bound: "" }] });
  searches.heard.best({ turn: "f6" });
  await meanwhile();
  assert.deepEqual([node.score, played], [null, ["f6"]]);
});

test("a clock does not run while the computer sleeps", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const pass = (ms) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  const sleep = (ms) => (now += ms);
  const clocks = new Clocks();
  const flags = [];
  clocks.addEventListener("flag", ({ detail }) => flags.push(detail));
  clocks.set({ w: 60_000, b: 60_000 });
  clocks.run("w");
  for (let i = 0; i < 10; i++) pass(100);
  sleep(3_600_000);
  assert.deepEqual(clocks.left, { w: 59_000, b: 60_000 });
  pass(100);
  pass(100);
  assert.deepEqual([clocks.left, flags], [{ w: 58_900, b: 60_000 }, []]);
  clocks.run("b");
  sleep(9_000); // a busy computer
  assert.deepEqual(clocks.left, { w: 58_900, b: 51_000 });
  for (let i = 0; i < 520 && flags.length === 0; i++) pass(100);
  assert.deepEqual(flags, ["b"]);
});

test("a name in a link has no character that nobody sees", () => {
  for (const [what, name, want] of JSON.parse(readFileSync(new URL("../../../../position/plaintext/testdata/invisible.json", import.meta.url), "utf8"))) {
    assert.deepEqual(readLink(`#rules=standard&white=${encodeURIComponent(name)}`).tags, [["White", want]], what);
  }
});

test("what a browser forbids where it blocks site data keeps nothing from working", async (t) => {
  const forbidden = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  for (const name of ["BroadcastChannel", "localStorage", "sessionStorage", "indexedDB", "caches"]) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { configurable: true, get: forbidden });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  const { navigator } = globalThis;
  const bare = new Proxy({}, { get: forbidden });
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: bare });
  t.after(() => Object.defineProperty(globalThis, "navigator", { configurable: true, value: navigator }));
  const lock = await import("../game/tablock.js?blocked");
  lock.whenAsked(() => {});
  assert.equal(await lock.lockGame("1-2"), true);
  assert.equal(await lock.takeOverGame("3-4"), true);
  assert.deepEqual(await lock.lockedGames(), new Set());
  assert.equal(await lock.withLock("5-6", async () => {}), true);
  const settings = await import("../game/settings.js?blocked");
  assert.equal(settings.isStorageBlocked(), true);
  assert.deepEqual([settings.settings(), settings.tabState(), settings.draft()], [{}, {}, null]);
  settings.saveDraft(null);
  const { matches, keepMatch } = await import("../parts/match/matches.js?blocked");
  assert.deepEqual(matches(), []);
  assert.throws(() => keepMatch({ id: "m" }), { name: "SecurityError" });
});

test("links that other programs have damaged are read as far as they can be", () => {
  const want = readLink("#rules=standard&turns=f6,e5").path;
  for (const end of [".", ")", "%20", "),", "%29.", "\u00bb", "%3E"]) assert.deepEqual(readLink(`#rules=standard&turns=f6,e5${end}`).path, want, end);
  assert.deepEqual(readLink("#rules%3Dstandard%26turns%3Df6%2Ce5.").path, want);
  assert.deepEqual(readLink("#rules=standard&amp;turns=f6,e5").path, want);
  assert.deepEqual(readLink("#rules=standard&white=Ann%20Jr.").tags, [["White", "Ann Jr."]]);
  assert.equal(readLink("#rules=standard&turns=f6&game=12-34.").game, "12-34");
  for (const link of ["#room=abcdef&seat=ghijkl", "#room%3Dabcdef%26seat%3Dghijkl", "#room=abcdef&seat=ghijkl.", "#room=abcdef&amp;seat=ghijkl)", "room=abcdef&seat=ghijkl%20"]) {
    assert.deepEqual(readRoomLink(link), { room: "abcdef", key: "ghijkl" }, link);
  }
  for (const link of ["#room=", "#room=a b", "#room=abc&seat=x-y", "#hello"]) assert.equal(readRoomLink(link), null, link);
  assert.equal(linkIn(" <http://127.0.0.1:8080/?white=A#rules=standard&turns=f6> "), "#rules=standard&turns=f6>");
  assert.equal(linkIn("https://example.org/board/#room=abc&seat=def"), "#room=abc&seat=def");
  for (const text of ["f6 e5 g6", "1. f6 # a comment", "see https://example.org/#top", "https://a.example/#rules=standard\nhttps://a.example/#rules=blitz"]) assert.equal(linkIn(text), "", text);
});

test("of a line with an illegal turn, the turns before it are found with one question", async () => {
  const turns = Array.from({ length: 9 }, (_, i) => `t${i}`);
  const path = { rules: "standard", start: "startpos", turns };
  for (const [where, legal] of [["", 9], ["start", 9], ["rules", 9], ...turns.map((_, i) => [`turn ${i + 1}`, i])]) {
    let asked = 0;
    const rules = { game: async () => {
      asked++;
      if (where) throw new Refusal({ message: "illegal", where });
    } };
    const { game, wrong } = await legalPart(/** @type {any} */ (rules), /** @type {any} */ ({ path, tags: [], at: 9 }));
    assert.deepEqual([game.live.ply, game.at, wrong?.where ?? ""], [legal, game.live, Number(legal) < 9 ? where : ""], String(where));
    assert.equal(asked, 1);
  }
});

test("a turn that the program refuses does not stay in the game", async () => {
  globalThis.addEventListener ??= () => {};
  const rules = { game: async ({ turns }) => {
    if (turns.includes("f7")) throw new Refusal({ message: "illegal", where: "turn 2" });
    return { views: [...turns, ""].map((_, i) => viewOf(START.replace("w", "wb"[i % 2]), "standard")), turns: turns.map(() => ({ side: "w", acts: [] })) };
  } };
  const state = stateWith({ game: new Game() });
  const errors = [];
  const notices = { show: (_, text) => errors.push(text) };
  const controller = new Controller(/** @type {any} */ ({ state, rules, notices, autosave: Object.assign(new EventTarget(), { keep() {} }) }));
  await controller.play(state.game.root, "f6");
  const first = state.game.live;
  await controller.play(first, "f7", { entered: true });
  assert.deepEqual([state.game.live === first, state.node === first, first.children, errors], [true, true, [], ["turn 2: illegal"]]);
  await controller.play(first, "f8", { entered: true });
  assert.deepEqual([state.game.live.turns, state.view.side], [["f6", "f8"], "w"]);
});

test("a press stores nothing in the tab; the steps of a turn are stored later, once", (t) => {
  globalThis.addEventListener ??= () => {};
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stored = [];
  const before = Object.getOwnPropertyDescriptor(globalThis, "sessionStorage");
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, value: { setItem: (key, text) => stored.push(JSON.parse(text).prefix) } });
  t.after(() => (before ? Object.defineProperty(globalThis, "sessionStorage", before) : delete globalThis.sessionStorage));
  const state = stateWith({ game: new Game() });
  const controller = new Controller(/** @type {any} */ ({ state, autosave: Object.assign(new EventTarget(), { keep() {} }) }));
  const [one, two] = [[{ do: "move" }], [{ do: "move" }, { do: "row" }]];
  for (const prefix of [one, one, two]) controller.keepPrefix(prefix);
  assert.deepEqual(stored, []);
  t.mock.timers.runAll();
  assert.deepEqual(stored, [two]);
  controller.keepPrefix(two);
  t.mock.timers.runAll();
  assert.deepEqual(stored, [two]);
});
