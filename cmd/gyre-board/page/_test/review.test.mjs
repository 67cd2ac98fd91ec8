// Tests of reviews, of one game and of several, and of playing a mistake again: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turned } from "node:timers/promises";
import { Game } from "../game/game.js";
import { Refusal } from "../link/link.js";
import { mistakesOf, puzzleOf, worst } from "../parts/puzzles/mistakes.js";
import { retryOf, accuraciesOf, lessonsOf, sheetOf as panelOf, turningPoints } from "../parts/review/review.js";
import { applyVerdict } from "../parts/review/judge.js";
import { applyReview } from "../parts/reviews/queue.js";
import { listedOf, sheetOf, tally } from "../parts/reviews/reviews.js";
import { stateWith } from "./state.mjs";

test("turning points are mistakes after which the other side is ahead", () => {
  const scores = [30, 80, 90, -200, -210, -300, 50, 45];
  const labels = ["", "", "blunder", "", "inaccuracy", "mistake", "mistake"];
  const nodes = [{ score: { cp: scores[0] } }];
  labels.forEach((label, i) => nodes.push({ ply: i + 1, parent: nodes[i], score: { cp: scores[i + 1] }, finding: { label, lost: 10 * i } }));
  assert.deepEqual(turningPoints(nodes.slice(1)).map(({ ply }) => ply), [3, 6]);
});

test("a review goes through the mistakes of the person here, and through inaccuracies if there are none", () => {
  const line = ["inaccuracy", "blunder", "", "mistake", "mistake"].map((label, i) => ({ ply: i + 1, finding: { label } }));
  /** @type {Array<[string, string, number, number[]]>} */
  const cases = [["person", "engine", 5, [5]], ["engine", "person", 5, [2, 4]], ["person", "person", 5, [2, 4, 5]], ["person", "remote", 3, [1]], ["engine", "engine", 5, [2, 4, 5]]];
  for (const [w, b, turns, plies] of cases) {
    const game = new Game({ players: { w: { kind: /** @type {any} */ (w) }, b: { kind: /** @type {any} */ (b) } } });
    assert.deepEqual(lessonsOf(game, /** @type {any} */ (line.slice(0, turns))).map(({ ply }) => ply), plies, `${w} ${b}`);
  }
});

test("the line of a review names the person first, and an engine by its level", () => {
  const sides = /** @type {any} */ ({ w: { accuracy: 96.12 }, b: { accuracy: 60.6 } });
  const game = new Game({ players: { w: { kind: "engine", engine: "Gyre", level: "Strong" }, b: { kind: "person" } } });
  assert.equal(accuraciesOf(game, sides), "Accuracy: You 60.6%, Strong 96.1%");
  assert.equal(accuraciesOf(new Game(), sides), "Accuracy: White 96.1%, Black 60.6%");
});

const summary = (turns, accuracy, blunders = 0) => ({ turns, accuracy, meanLost: 1, inaccuracies: 0, mistakes: 1, blunders, missedRows: 0 });

test("reviews are summed by player, each game weighted by its turns", () => {
  const games = [
    { names: { w: "Ann", b: "Bob" }, review: { w: summary(30, 90, 1), b: summary(30, 60, 2) } },
    { names: { w: "Bob", b: "Ann" }, review: { w: summary(10, 100), b: summary(10, 50, 3) } },
    { names: { w: "Bob", b: "Cid" }, review: { w: summary(10, 100), b: summary(0, 0) } },
    { names: { w: "Dan", b: "Dan" }, review: { w: summary(20, 80), b: summary(20, 60) } },
  ];
  assert.deepEqual(tally(games).map(({ name, games: count, turns, accuracy, blunders, mistakes }) => [name, count, turns, accuracy, blunders, mistakes]), [
    ["Bob", 3, 50, 76, 2, 3],
    ["Ann", 2, 40, 80, 4, 2],
    ["Dan", 1, 40, 70, 0, 2],
  ]);
});

test("the dialog for several games is a function of its state", () => {
  const game = (id, review = null) => ({ id, title: id, turns: 30, names: { w: "Ann", b: "Bob" }, review });
  const games = [game("one"), game("two", { w: summary(30, 90), b: summary(30, 60) }), game("three")];
  const state = { collections: [["", "My games (3)"]], collection: "", nodes: "100000", games, chosen: ["one"], shown: 2, said: "", running: false, now: null, share: 1 };
  const blocks = (changes = {}) => /** @type {any[]} */ (sheetOf(/** @type {any} */ ({ ...state, ...changes })).filter(Boolean));
  const named = (id, changes) => blocks(changes).find((block) => block.id === id);
  const last = (changes) => blocks(changes).at(-1).buttons.filter(Boolean).map(([act]) => act);
  const results = (changes) => named("reviews-list", changes).blocks.filter(Boolean).map(({ blocks: [check, result] }) => [check.value, result && result.buttons[0][1]]);
  assert.deepEqual(results().slice(0, 2), [[true, ""], [false, "90% : 60%"]]);
  assert.equal(results().length, 3, "a button for the rest");
  assert.deepEqual(results({ running: true, now: { id: "one", share: 0.5 } })[0], [true, "50%"]);
  assert.deepEqual([last(), last({ running: true }), last({ games: games.slice(0, 1) })], [["reviews-puzzles", "reviews-start", "close"], ["reviews-puzzles", "close"], ["reviews-start", "close"]]);
  assert.deepEqual([named("reviews-bar"), named("reviews-bar", { running: true }).bar], [undefined, 1]);
  assert.deepEqual(named("reviews-summary").blocks[0].table.slice(1).map(([name]) => name), ["Ann", "Bob"]);
  assert.deepEqual(named("reviews-summary", { games: [] }).blocks, [false]);
});

const verdict = (ply, side, turn, lost) => ({
  ply, side, turn, lost, best: ["k8"], before: { cp: 50 }, after: { cp: -10 * ply }, accuracy: 50, label: lost > 25 ? "blunder" : "", missedRow: false,
});

test("a review is saved only in its own game", () => {
  const game = Game.fromRead({ path: { rules: "standard", start: "startpos", turns: ["f6", "e5"] } });
  const found = { turns: ["f6", "e5"], verdicts: [undefined, verdict(1, "w", "f6", 30), verdict(2, "b", "e5", 0)], review: { w: summary(1, 20), b: summary(1, 100) } };
  assert.ok(applyReview(game, /** @type {any} */ (found)));
  const [first, second] = game.mainLeaf.nodes;
  assert.equal(first.finding.label, "blunder");
  assert.deepEqual([game.root.score, first.score, second.score], [{ cp: 50 }, { cp: -50 }, { cp: 20 }]);
  assert.equal(listedOf(game).review.w.accuracy, 20);
  for (const turns of [["f6"], ["f6", "e6"], ["f6", "e5", "g5"]]) {
    const other = Game.fromRead({ path: { rules: "standard", start: "startpos", turns } });
    assert.ok(!applyReview(other, /** @type {any} */ (found)), turns.join());
    assert.equal(listedOf(other).review, null);
  }
});

test("the worst mistakes of people come first, from any file", () => {
  const game = (collection, lost, kind = "person") => {
    const made = Game.fromRead({ path: { rules: "standard", start: "startpos", turns: ["f6", "e5"] } }, collection);
    made.players.w = { kind: /** @type {any} */ (kind) };
    made.mainLeaf.nodes[0].finding = { label: "mistake", lost, accuracy: 0, missedRow: false, best: "g7" };
    return made;
  };
  const found = [game("", 25), game("a file", 40), game("", 90, "engine"), game("", 30)].flatMap(mistakesOf);
  assert.deepEqual(worst(found).map(({ node }) => node.finding.lost), [40, 30, 25]);
  assert.equal(worst(Array.from({ length: 500 }, () => found[0])).length, 200);
});

test("a mistake becomes a puzzle, unless the rules reject its game", async () => {
  const game = Game.fromRead({ path: { rules: "standard", start: "startpos", turns: ["f6", "e5"] } });
  game.mainLeaf.finding = { label: "blunder", lost: 50, accuracy: 0, missedRow: false, best: "g7" };
  const [mistake] = mistakesOf(game);
  const asked = [];
  const rules = (answer) => /** @type {any} */ ({ game: async ({ turns }) => asked.push(turns) && answer() });
  const puzzle = await puzzleOf(mistake, rules(() => ({ views: [{ position: "start" }, { position: "after f6" }] })));
  assert.deepEqual(puzzle, { id: `own-${game.id}-2`, fen: "after f6", rules: "standard", theme: "own", solution: ["g7"], played: "e5", source: "" });
  assert.deepEqual([asked, mistake.id], [[["f6"]], puzzle.id]);
  assert.equal(await puzzleOf(mistake, rules(() => { throw new Refusal({ message: "no such turn" }); })), null);
  await assert.rejects(puzzleOf(mistake, rules(() => { throw new Error("lost"); })), /lost/);
});

// An element that shows nothing.
const element = () => ({ addEventListener() {}, setAttribute() {}, append() {}, replaceChildren() {} });
Object.defineProperty(globalThis, "document", { value: { createElement: element }, configurable: true });

test("a turn is judged once a check confirms what it lost", () => {
  const node = new Game().root.play("f6", true);
  const found = { ...verdict(1, "w", "f6", 20), label: "", doubtful: true };
  applyVerdict(node, /** @type {any} */ (found));
  assert.deepEqual([node.finding, node.parent.score], [null, { cp: 50 }]);
  applyVerdict(node, /** @type {any} */ ({ ...found, label: "mistake", doubtful: false }));
  assert.equal(node.finding.label, "mistake");
});

test("a turn tried instead of a mistake is compared with the review's in searches of one depth, and says what they found", async () => {
  /** @type {Array<[number, string, string, string]>} */
  const cases = [[0, "", "found", "Good."], [6, "inaccuracy", "missed", "Better."], [20, "blunder", "missed", "Not clearly better."]];
  for (const [lost, label, over, begins] of cases) {
    const game = new Game();
    // The review thought more of the position than the shorter searches now do.
    game.root.score = { cp: 200 };
    const mistake = game.root.play("f6", true);
    mistake.finding = { label: "mistake", lost: 12, accuracy: 50, missedRow: false, best: "g7" };
    const other = game.root.play("e5", false);
    const state = stateWith({ game, view: { rules: "standard", position: "one" } });
    const controller = Object.assign(new EventTarget(), { async go() {}, changed() {} });
    let asked;
    const borrowed = new Set();
    const borrow = (_, fields, listener) => ((asked = { fields, listener }), borrowed.add(fields.engine), () => borrowed.delete(fields.engine));
    const page = { state, controller, analysis: { engines: ["one"], borrow }, boardView: { preview() {} }, board: { arrows: { show() {} }, points: { focus() {} } }, say() {} };
    const retry = retryOf(/** @type {any} */ (page), () => {});
    await retry.begin(mistake);
    game.at = other;
    controller.dispatchEvent(new Event("position"));
    assert.deepEqual([...borrowed], ["one"]);
    asked.listener.review({ turn: { ...verdict(1, "w", "e5", lost), after: { cp: 50 }, best: ["g7"], label } });
    asked.listener.reviewed({});
    await turned();
    assert.deepEqual([other.finding.label, other.finding.lost, retry.report.over, borrowed.size], [label, lost, over, 0]);
    assert.ok(retry.report.text.startsWith(begins), retry.report.text);
    assert.equal(asked.fields.better, "g7");
  }
});

test("leaving a mistake before its position is shown requests nothing", async () => {
  const game = new Game();
  const mistake = game.root.play("f6", true);
  mistake.finding = { label: "mistake", lost: 10, accuracy: 50, missedRow: false, best: "e5" };
  let shown;
  const controller = Object.assign(new EventTarget(), { go: () => new Promise((resolve) => (shown = resolve)) });
  const said = [];
  const page = { state: stateWith({ game }), controller, board: { arrows: { show() {} }, points: { focus: () => said.push("focus") } }, say: (text) => said.push(text) };
  const retry = retryOf(/** @type {any} */ (page), () => {});
  const first = retry.begin(mistake);
  retry.end();
  shown();
  await first;
  assert.deepEqual(said, []);
  const second = retry.begin(mistake);
  shown();
  await second;
  assert.deepEqual(said, ["Find a better turn for White than f6.", "focus"]);
});

test("the panel is a function of its state", () => {
  const state = /** @type {import("../parts/review/review.js").State} */ ({ locked: false, later: "", nodes: "100000", summary: null, accuracy: "", turning: [], puzzles: false, card: null, next: null, retry: null });
  /** The buttons in all blocks, with a star if they are the main one, and a cross if they are disabled. @returns {string[]} */
  const buttons = (blocks) => blocks.filter(Boolean).flatMap((block) => [...(block.buttons ?? []).filter(Boolean).map(([act, , main, more]) => `${act}${main ? "*" : ""}${more?.disabled ? "×" : ""}`), ...buttons(block.blocks ?? [])]);
  const sides = { w: summary(30, 90), b: summary(30, 60) };
  const card = { words: "1. a2", better: true, line: true, why: [] };
  const next = { ply: 3, left: 2 };
  /** @type {Array<[Partial<import("../parts/review/review.js").State>, string[]]>} */
  const cases = [
    [{}, ["review*", "reviews"]],
    [{ locked: true }, ["review*×", "reviews"]],
    [{ share: 0.5 }, ["review-stop"]],
    [{ summary: sides, puzzles: true, turning: [{ ply: 1, text: "1. a2", label: "blunder" }] }, ["turning-point", "review", "reviews", "review-puzzles"]],
    [{ summary: sides, next }, ["next-mistake*", "review", "reviews"]],
    [{ summary: sides, next, card }, ["show-better", "retry", "next-mistake*", "review", "reviews", "better-line"]],
    [{ summary: sides, next: { ply: 1, left: 0 }, card }, ["show-better", "retry*", "next-mistake", "review", "reviews", "better-line"]],
    [{ summary: sides, next, card: { ...card, better: false, line: false } }, ["next-mistake*", "review", "reviews"]],
    [{ summary: sides, next, card, retry: { text: "Find a better turn.", over: "" } }, ["next-mistake", "review", "reviews"]],
    [{ summary: sides, card, retry: { text: "Better.", over: "missed" } }, ["retry*", "retry-done", "review", "reviews"]],
    [{ summary: sides, card, next, retry: { text: "Good.", over: "found" } }, ["retry", "retry-done", "next-mistake*", "review", "reviews"]],
    [{ summary: sides, card, retry: { text: "Good.", over: "found" } }, ["retry", "retry-done*", "review", "reviews"]],
  ];
  for (const [changes, wanted] of cases) assert.deepEqual(buttons(panelOf({ ...state, ...changes })), wanted, JSON.stringify(changes));
});
