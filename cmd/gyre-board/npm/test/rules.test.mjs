import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { formatBoard, nextSteps, parseBoard, playTurn, stepsOfTurn } from "../../../../position/drawing/rules.js";
import { randomGame } from "./games.mjs";

const START = "4/7/8/9/10/9/10/9/8/7/4 w 0-0";
const games = [1, 2, 3].map((seed) => () => randomGame(seed));

test("turns lead to the positions of the engine's rules, and each can be entered step by step", () => {
  let removals = 0;
  for (const game of games) {
    const plies = game();
    for (const [i, { fen, legal, turn }] of plies.entries()) {
      const board = parseBoard(fen);
      assert.equal(formatBoard(board), fen);
      if (!turn) continue;
      if (turn.includes("x")) removals++;
      if (plies[i + 1]) assert.equal(formatBoard(playTurn(board, turn).board), plies[i + 1].fen, `${fen} ${turn}`);
      for (const word of legal.filter((_, n) => n % 7 === i % 7)) {
        const steps = stepsOfTurn(word);
        for (let done = 0; done < steps.length; done++) {
          const next = nextSteps(board, legal, steps.slice(0, done));
          const { do: kind, from, to, row } = steps[done];
          assert.ok(next.steps.some((step) => step.do === kind && step.from === from && step.to === to && String(step.row) === String(row)), `${word}, step ${done}`);
        }
        assert.equal(nextSteps(board, legal, steps).complete, word);
      }
    }
  }
  assert.ok(removals > 5, `${removals} turns with removals`);
});

test("the turns of the rules' page lead to its positions", () => {
  const page = readFileSync(new URL("../../../../position/RULES.md", import.meta.url), "utf8");
  let board = parseBoard(START);
  let shown = 0;
  for (const line of page.split("\n")) {
    const [, start] = /^> position fen (\S+ \S+ \S+)/.exec(line) ?? [];
    if (start) board = parseBoard(start);
    const [, turns = ""] = /^> (?:.* )?moves (.*)/.exec(line) ?? [];
    for (const turn of turns.split(" ").filter(Boolean)) board = playTurn(board, turn).board;
    const [, fen] = /^< response (\S+\/\S+ .*)/.exec(line) ?? [];
    if (!fen) continue;
    assert.equal(formatBoard(board), fen);
    shown++;
  }
  assert.ok(shown >= 4, `${shown} positions`);
});

test("malformed positions are errors that name the word", () => {
  for (const [text, want] of [
    ["", /1 columns instead of 11/],
    ["4/7/8/9/10/9/10/9/8/7 w 0-0", /10 columns instead of 11/],
    ["5/7/8/9/10/9/10/9/8/7/4 w 0-0", /column a has 5 points instead of 4/],
    ["4/7/8/9/10/Q8/10/9/8/7/4 w 0-0", /column f has an unknown piece "Q"/],
    ["4/7/8/9/10/9/10/9/8/7/4 x 0-0", /the side to move is w or b, not "x"/],
    ["4/7/8/9/10/9/10/9/8/7/4 w 4-0", /the score "4-0"/],
    [`${START} extra`, /more than three words/],
  ]) assert.throws(() => parseBoard(text), want, text);
});
