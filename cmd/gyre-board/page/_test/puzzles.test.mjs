// Tests of what the puzzles reckon: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { sameAnswer } from "../parts/puzzles/answers.js";
import { rated, unrated } from "../parts/puzzles/glicko.js";
import { lossWords } from "../parts/puzzles/judging.js";
import { after, choose } from "../parts/puzzles/progress.js";

test("the rating of Glickman's example comes out as in his paper", () => {
  const { rating, deviation, volatility } = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ]);
  // He rounds on the way.
  assert.ok(Math.abs(rating - 1464.06) < 0.02, `${rating}`);
  assert.ok(Math.abs(deviation - 151.52) < 0.01, `${deviation}`);
  assert.ok(Math.abs(volatility - 0.05999) < 0.00001, `${volatility}`);
});

test("a surprise makes the volatility grow, and what is expected does not", () => {
  const player = { rating: 1000, deviation: 50, volatility: 0.06 };
  const surprise = rated(player, Array.from({ length: 10 }, () => ({ rating: 1800, deviation: 50, score: 1 })));
  const expected = rated(player, [{ rating: 400, deviation: 50, score: 1 }]);
  assert.ok(surprise.volatility > 0.06 && surprise.rating > 1140, JSON.stringify(surprise));
  assert.ok(expected.volatility <= 0.06 && expected.rating > 1000 && expected.rating < 1002, JSON.stringify(expected));
});

test("who solves all puzzles of a rating goes beyond it, and who fails falls below", () => {
  const run = (score) => {
    let me = unrated();
    for (let i = 0; i < 30; i++) me = rated(me, [{ rating: 1500, deviation: 100, score }]);
    return me;
  };
  assert.ok(run(1).rating > 1700 && run(0).rating < 900);
  assert.ok(run(1).deviation < 350);
});

test("the same answer is the same move and the same rows, in any order", () => {
  for (const [a, b, loose, strict] of [
    ["e4-e8", "e4-e8", true, true],
    ["e4-e8", "e4-e7", false, false],
    ["e4-e8", "e4-e8;xb3-b7xb2", false, false],
    ["e4-e8;xb3-b7xb2", "e4-e8;xb3-b7xc1", true, false],
    ["e4-e8;xb3-b7xb2", "e4-e8;xb2-b6xb2", false, false],
    ["e4-e8;xb3-b7xb2;xc1-c5xd1", "e4-e8;xc1-c5xd1;xb3-b7xb2", true, true],
    ["e4-e8;xb3-b7xb2;xc1-c5xd1", "e4-e8;xc1-c5xb2;xb3-b7xd1", true, true],
    ["xb3-b7xb2;e4-e8", "e4-e8;xb3-b7xb2", false, false],
    ["xb3-b7xb2;e4-e8", "xb3-b7xb5;e4-e8", true, false],
    ["xb3-b7xb2", "xb3-b7xb5", true, false],
  ]) {
    assert.equal(sameAnswer(a, b, false), loose, `${a} and ${b}, whatever the rings`);
    assert.equal(sameAnswer(a, b, true), strict, `${a} and ${b}, with the rings`);
  }
});

const puzzle = (id, rating) => ({ id, rating, fen: "", rules: /** @type {const} */ ("standard"), theme: "make-row", solution: [] });

test("a puzzle counts once: for the rating, the streak and what was tried", () => {
  const fresh = { me: unrated(), streak: 0, best: 0, tried: {} };
  const one = after(fresh, puzzle("a", 1000), true);
  assert.ok(one.me.rating > 1000 && one.streak === 1 && one.best === 1 && one.tried.a === 1);
  assert.equal(after(one, puzzle("a", 1000), false), one);
  const two = after(one, puzzle("b", 1000), false);
  assert.ok(two.me.rating < one.me.rating && two.streak === 0 && two.best === 1 && two.tried.b === 0);
  assert.deepEqual(fresh.tried, {});
  const own = after(one, { ...puzzle("c", 0), rating: undefined }, true);
  assert.ok(own.me === one.me && own.streak === 2 && own.tried.c === 1);
});

test("the next puzzle is a fresh one of one's strength, and failed ones come again", () => {
  const all = Array.from({ length: 100 }, (_, i) => puzzle(`p${i}`, 20 * i));
  const progress = { me: { ...unrated(), rating: 1000 }, streak: 0, best: 0, tried: {} };
  for (const at of [0, 0.5, 0.999]) {
    const { rating } = choose(all, progress, "p50", () => at);
    assert.ok(rating !== 1000 && Math.abs(rating - 1000) <= 120, `${rating}`);
  }
  const tried = Object.fromEntries(all.map(({ id }) => [id, id === "p99" ? 0 : 1]));
  assert.equal(choose(all, { ...progress, tried }).id, "p99");
  assert.notEqual(choose(all, { ...progress, tried }, "p99").id, "p99");
  assert.equal(choose([all[0]], progress, "p0").id, "p0");
});

test("what a wrong turn throws away is told by the chances before and after it", () => {
  const words = (before, after, mate) => lossWords("e4-e8", { before, after }, { ...puzzle("a", 1000), mate });
  assert.equal(words({ cp: 100 }, { cp: -100 }), "e4-e8 throws 46 % away: the chances fall from 73 % to 27 %.");
  assert.equal(words({ mate: 2 }, { mate: 4 }, 2), "e4-e8 wins too, but not as soon.");
  assert.equal(words({ mate: 2 }, { mate: -1 }, 2), "e4-e8 loses: the other side then wins in 1.");
  assert.equal(words({ cp: 10 }, { cp: 10 }), "e4-e8 is not it, though a short search thinks well of it.");
  assert.equal(lossWords("e4-e8", null, puzzle("a", 1000)), "e4-e8 is not it.");
});
