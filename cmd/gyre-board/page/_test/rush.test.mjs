// Tests of the puzzle rush: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dateOf, readDate } from "../parts/puzzles/puzzles.js";
import { answered, begun, ended, seriesOf, shareText, sheetOf, streakOf } from "../parts/rush/rush.js";

const set = readFileSync(new URL("../../../../bench/puzzles/puzzles.jsonl", import.meta.url), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const rated = set.filter(({ rules, rating }) => rules === "standard" && rating !== undefined);
const today = "2026-11-27";
const noon = Date.parse(`${today}T12:00Z`);
const fresh = /** @type {import("../parts/rush/rush.js").State} */ ({ phase: "ready", date: "", today, results: [], ends: 0, days: {} });

/** A rush with these answers, one a second. */
const play = (answers, state = fresh, date = today) => answers.reduce((now, solved, i) => answered(now, solved, noon + 1000 * i), begun(state, date, noon));

test("a rush ends with the third mistake, with the time, or with its puzzles", () => {
  const many = Array.from({ length: 60 }, () => true);
  for (const [answers, phase, solved] of [
    [[true, false, true, false], "running", 2],
    [[true, false, true, false, true, false], "over", 3],
    [[true, false, false, false, true], "over", 1],
    [many.slice(1), "running", 59],
    [many, "over", 60],
  ]) {
    const state = play(answers);
    assert.deepEqual([state.phase, state.results.filter(Boolean).length], [phase, solved]);
  }
  const late = answered(begun(fresh, today, noon), true, noon + 180_000);
  assert.deepEqual([late.phase, late.results.length], ["over", 0]);
  assert.equal(answered(begun(fresh, today, noon), true, noon + 179_999).results.length, 1);
});

test("the first rush of today counts in the calendar, and no other", () => {
  const first = play([true, false, false, false]);
  assert.deepEqual(first.days, { [today]: 1 });
  assert.deepEqual(play([true, true, false, false, false], first).days, { [today]: 1 });
  for (const date of ["", "2026-11-26"]) assert.deepEqual(play([false, false, false], fresh, date).days, {});
  assert.equal(ended(fresh), fresh);
  const long = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [dateOf(noon - (i + 1) * 86_400_000), i]));
  const { days } = play([false, false, false], { ...fresh, days: long });
  assert.deepEqual([Object.keys(days).length, days[today]], [400, 0]);
});

test("days in a row are counted until today, or yesterday", () => {
  for (const [dates, want] of [
    [[], 0],
    [["2026-11-27"], 1],
    [["2026-11-26"], 1],
    [["2026-11-25"], 0],
    [["2026-11-27", "2026-11-26", "2026-11-24"], 2],
    [["2026-11-27", "2026-11-26", "2026-11-25"], 3],
  ]) assert.equal(streakOf(Object.fromEntries(dates.map((date) => [date, 0])), today), want, dates.join());
  assert.equal(streakOf({ "2024-02-28": 1, "2024-02-29": 1, "2024-03-01": 1 }, "2024-03-01"), 3);
});

test("all rated standard puzzles take part, each rush becomes harder, and a day has one series", () => {
  assert.equal(rated.length, 1299);
  const seen = new Set();
  for (let day = 0; day < 400; day++) {
    const series = seriesOf(set, dateOf(noon + day * 86_400_000));
    assert.equal(new Set(series.map(({ id }) => id)).size, 60);
    series.forEach(({ rating }, i) => assert.ok(i === 0 || rating >= series[i - 1].rating));
    for (const { id } of series) seen.add(id);
  }
  assert.ok(rated.every(({ id }) => seen.has(id)), `${seen.size} of ${rated.length}`);
  const ids = (seed) => seriesOf([...set].reverse(), seed).map(({ id }) => id).join();
  assert.equal(ids(today), seriesOf(set, today).map(({ id }) => id).join());
  assert.notEqual(ids(today), ids("2026-11-28"));
  assert.deepEqual(seriesOf(set.slice(0, 1), today).length, 1);
});

test("the date of a link is a day that has begun somewhere", () => {
  for (const text of ["", "2026-11-27 ", "2026-13-01", "2026-02-30", "20261127", "2026-11-29", "9999-01-01", "2026-11-27&x=1"]) assert.equal(readDate(text, noon), "", text);
  for (const text of ["2026-11-27", "2026-11-28", "2024-02-29"]) assert.equal(readDate(text, noon), text);
});

test("the text to share has the result, a mark for each puzzle, and a link", () => {
  const state = play([...Array.from({ length: 11 }, () => true), false]);
  assert.equal(shareText(state, "https://club.example/board/"), `YINSH puzzle rush, ${today}: 11 solved\n${"🟩".repeat(10)}\n🟩🟥\nhttps://club.example/board/#rush=${today}`);
});

test("the panel is a function of its state", () => {
  const ids = (state, now = noon) => sheetOf(state, now, "").filter(Boolean).map(({ id, buttons }) => id ?? buttons?.filter(Boolean).map(([act]) => act).join("+") ?? "").join(" ");
  assert.equal(ids({ ...fresh, date: today }), "rush-title daily+practice  rush-streak rush-days");
  assert.equal(ids({ ...play([true]), side: "w" }), "rush-clock rush-said");
  assert.equal(ids(play([false, false, false])), "rush-title rush-text rush-streak rush-days");
  assert.equal(ids(play([false, false, false], fresh, "")), "rush-title practice rush-streak rush-days");
  const clock = (now) => sheetOf(play([true, false]), now, "").find((block) => block && block.id === "rush-clock").title;
  assert.deepEqual([clock(noon), clock(noon + 61_500), clock(noon + 200_000)], ["3:00 · 1 solved ✗", "1:59 · 1 solved ✗", "0.0 · 1 solved ✗"]);
});
