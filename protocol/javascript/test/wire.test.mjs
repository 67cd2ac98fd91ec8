import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError, START, chanceOf, errorOf, goCommand, optionCommand, parseInfo, parseOption, positionCommand } from "../wire.js";

test("goCommand", () => {
  for (const [limits, want] of [
    [{}, "go"],
    [{ nodes: 1000 }, "go nodes 1000"],
    [{ moveTime: 99.6, depth: 3 }, "go depth 3 movetime 100"],
    [{ whiteTime: -5, blackTime: 1000, whiteIncrement: 10, blackIncrement: 20, movesToGo: 4 }, "go p1time -5 p2time 1000 p1inc 10 p2inc 20 movestogo 4"],
    [{ nodes: 1e21, whiteTime: -1e22 }, "go nodes 1000000000000000000000 p1time -10000000000000000000000"],
    [{ ponder: true, mate: 2, searchTurns: ["f6", "g7"] }, "go ponder mate 2 searchmoves f6 g7"],
  ]) assert.equal(goCommand(limits), want);
  assert.throws(() => goCommand({ movetime: 100 }), /movetime: unknown limit; use one of nodes, depth, moveTime/);
  assert.throws(() => goCommand({ nodes: "many" }), /nodes: many is not a number/);
  for (const value of [Infinity, NaN]) assert.throws(() => goCommand({ whiteTime: value }), TypeError);
  assert.throws(() => goCommand({ searchTurns: ["f6 quit"] }), /must be one word/);
});

test("positionCommand", () => {
  assert.equal(positionCommand({}), `position fen ${START}`);
  assert.equal(positionCommand({ turns: ["f6", "g7"] }), `position fen ${START} moves f6 g7`);
  assert.throws(() => positionCommand({ start: "a\nquit" }), /must be one line/);
});

test("optionCommand", () => {
  assert.equal(optionCommand({ name: "Hash", type: "spin" }, 64), "setoption name Hash value 64");
  assert.equal(optionCommand({ name: "Clear Hash", type: "button" }), "setoption name Clear Hash");
  assert.equal(optionCommand({ name: "EvalFile", type: "string" }, ""), "setoption name EvalFile value <empty>");
  assert.throws(() => optionCommand({ name: "Hash", type: "spin" }), EngineError);
  assert.throws(() => optionCommand({ name: "Clear Hash", type: "button" }, 1), EngineError);
});

test("parseInfo", () => {
  assert.deepEqual(parseInfo("info depth 3 seldepth 5 multipv 2 score cp -20 lowerbound wdl 340 400 260 nodes 300 nps 5 hashfull 1 time 7 new 1 pv a2 a3"), {
    multipv: 2, depth: 3, seldepth: 5, score: { cp: -20, bound: "lower" }, wdl: [340, 400, 260], nodes: 300, nps: 5, hashfull: 1, time: 7, pv: ["a2", "a3"],
  });
  assert.deepEqual(parseInfo("info score mate -4"), { multipv: 1, score: { mate: -4 }, pv: [] });
  assert.equal(parseInfo("info string depth 3"), null);
  assert.equal(parseInfo("bestmove a2"), null);
});

test("parseOption", () => {
  assert.deepEqual(parseOption("option name Clear Hash type button"), { name: "Clear Hash", type: "button", default: "", choices: [] });
  assert.deepEqual(parseOption("option name Hash type spin default 64 min 1 max 65536"), { name: "Hash", type: "spin", default: "64", min: 1, max: 65536, choices: [] });
  assert.deepEqual(parseOption("option name Rules type combo default standard var standard var blitz").choices, ["standard", "blitz"]);
  assert.equal(parseOption("option name EvalFile type string default <empty>").default, "");
  assert.throws(() => parseOption("option name Hash"), EngineError);
});

test("errorOf and chanceOf", () => {
  assert.equal(errorOf('info string error go: "two": no'), 'go: "two": no');
  assert.equal(errorOf("info string errors"), null);
  assert.equal(chanceOf({ cp: 0 }), 0.5);
  assert.equal(chanceOf({ cp: 100 }).toFixed(2), "0.73");
  assert.equal(chanceOf({ mate: -2 }), 0);
  assert.equal(chanceOf({ mate: 1 }), 1);
});
