// Puzzle rush: as many puzzles as possible in three minutes, until the third mistake. Everybody gets the
// same ones on a day. A calendar in this browser counts the days in a row, and the result is a text to share.

import { byId } from "../../dom.js";
import { saveSettings, settings } from "../../game/settings.js";
import { clockText } from "../../game/play.js";
import { reasonOf } from "../../failures.js";
import { language, t } from "../../language.js";
import { DAY_MS, dateOf, loadPuzzles, readDate } from "../puzzles/puzzles.js";
import { puzzleRun, solutionText } from "../puzzles/solving.js";
import { randomOf, sumOf } from "../random.js";
import { Sheet, learnSection } from "../sheet/sheet.js";

/** @typedef {import("../puzzles/puzzles.js").Puzzle} Puzzle */

const TIME_MS = 3 * 60_000;
const STRIKES = 3;

/** The puzzles of a rush, from bands of equal size that become harder. Nobody solves more in three minutes. */
const BANDS = 60;

/** The most days that the calendar keeps, and those that it shows. */
const KEPT = 400;
const SHOWN = 14;

/** For the result to be seen before the next puzzle. */
const PAUSE_MS = 600;

const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });

/**
 * @typedef {Object} State
 * @property {"ready"|"running"|"over"} phase
 * @property {string} date of the puzzles, or "" for any
 * @property {string} today
 * @property {boolean[]} results whether each puzzle was solved
 * @property {number} ends when the time is up, in milliseconds since 1970
 * @property {Object<string, number>} days the puzzles solved on each day
 * @property {"w"|"b"} [side] to move
 * @property {string} [said]
 */

/** @param {Pick<State, "results">} state */
const strikesOf = ({ results }) => results.filter((solved) => !solved).length;
/** @param {Pick<State, "results">} state */
const solvedIn = ({ results }) => results.filter(Boolean).length;

/**
 * A rush that begins.
 * @param {State} state
 * @param {string} date
 * @param {number} now
 * @returns {State}
 */
export function begun(state, date, now) {
  return { ...state, phase: "running", date, results: [], ends: now + TIME_MS };
}

/**
 * The rush after an answer.
 * @param {State} state
 * @param {boolean} solved
 * @param {number} now
 * @returns {State}
 */
export function answered(state, solved, now) {
  if (state.phase !== "running" || now >= state.ends) return ended(state);
  const next = { ...state, results: [...state.results, solved] };
  return strikesOf(next) >= STRIKES || next.results.length >= BANDS ? ended(next) : next;
}

/**
 * The end of a rush. The first one of today's counts in the calendar.
 * @param {State} state
 * @returns {State}
 */
export function ended(state) {
  if (state.phase !== "running") return state;
  const { date, today, days } = state;
  const counts = date === today && !(date in days);
  const kept = Object.entries({ ...days, ...(counts && { [date]: solvedIn(state) }) }).sort().slice(-KEPT);
  return { ...state, phase: "over", days: Object.fromEntries(kept) };
}

/**
 * The days in a row until today, or until yesterday if today's rush is still to come.
 * @param {Object<string, number>} days
 * @param {string} today
 */
export function streakOf(days, today) {
  let at = Date.parse(today);
  if (!(today in days)) at -= DAY_MS;
  let count = 0;
  while (dateOf(at - count * DAY_MS) in days) count++;
  return count;
}

/**
 * The puzzles of a rush, easy ones first: one of each band of the rated standard puzzles.
 * @param {Puzzle[]} all
 * @param {string} seed the same puzzles for the same text
 */
export function seriesOf(all, seed) {
  const rated = all.filter(({ rules, rating }) => rules === "standard" && rating !== undefined).sort((a, b) => a.rating - b.rating || (a.id < b.id ? -1 : 1));
  const random = randomOf(sumOf(seed));
  const bands = Math.min(BANDS, rated.length);
  return Array.from({ length: bands }, (_, i) => {
    const [from, to] = [Math.floor((i * rated.length) / bands), Math.floor(((i + 1) * rated.length) / bands)];
    return rated[from + Math.floor(random() * (to - from))];
  });
}

/**
 * The result as a text for a chat, with a link to the same puzzles.
 * @param {State} state
 * @param {string} page the address of the page
 */
export function shareText(state, page) {
  const marks = state.results.map((solved) => (solved ? "🟩" : "🟥")).join("").match(/.{1,10}/gu) ?? [];
  return [t("rush-share", { date: state.date, count: solvedIn(state) }), ...marks, `${page}#rush=${state.date}`].join("\n");
}

/**
 * What the panel shows.
 * @param {State} state
 * @param {number} now
 * @param {string} page the address of the page
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf(state, now, page) {
  const { phase, date, today, days, results, ends, side, said } = state;
  const strikes = "✗".repeat(strikesOf(state));
  const streak = streakOf(days, today);
  const shown = Array.from({ length: SHOWN }, (_, i) => dateOf(Date.parse(today) - (SHOWN - 1 - i) * DAY_MS));
  const calendar = shown.map((day) => ({ name: String(Number(day.slice(-2))), text: day in days ? String(days[day]) : "·", on: day in days }));
  const name = !date ? t("rush") : date === today ? t("rush-today") : t("rush-of-date", { date: DAY.format(Date.parse(date)) });
  const solved = `${t("rush-solved", { count: solvedIn(state) })} ${strikes}`.trim();
  if (phase === "running") {
    const task = side && t("puzzle-task", { side, task: t("puzzle-find") });
    return [
      { title: `${clockText(Math.max(0, ends - now))} · ${solved}`, buttons: [["stop", t("rush-stop")]], id: "rush-clock", tone: "large", instead: true },
      { text: said || task || "", id: "rush-said", tone: said ? (results.at(-1) ? "good" : "bad") : "" },
    ];
  }
  /** @type {Array<import("../sheet/sheet.js").Button|false>} */
  const buttons = [phase === "ready" && ["daily", t(date === today ? "rush-begin" : "rush-begin-date"), true], ["practice", t("rush-practice")]];
  const shares = phase === "over" && date;
  return [
    { title: phase === "over" ? `${name}: ${solved}` : name, buttons: [["close", t("close")]], id: "rush-title", instead: true },
    shares ? { copy: shareText(state, page), buttons, id: "rush-text", label: t("rush-text") } : { buttons },
    said && { text: said, id: "rush-fault", tone: "bad" },
    phase === "ready" && { text: t("rush-how") },
    { text: t("rush-streak", { count: streak }), id: "rush-streak" },
    { days: calendar, id: "rush-days", label: t("rush-calendar") },
  ];
}

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  const { board, notices, say, tabs } = page;
  const sheet = new Sheet(learnSection("rush", t("rush")), (/** @type {State} */ state) => sheetOf(state, Date.now(), `${location.origin}${location.pathname}`), {
    daily: () => start(sheet.state.date),
    practice: () => start(""),
    stop: () => end(),
    close: () => close(),
  }, { phase: "ready", date: "", today: "", results: [], ends: 0, days: {} });
  /** @type {Puzzle[]} */
  let series = [];
  let timer = 0;

  /** @param {{link?: string}} [how] with the date in a link */
  const open = ({ link } = {}) => {
    const now = Date.now();
    const today = dateOf(now);
    const date = link === undefined ? today : readDate(link, now);
    tabs.learn("rush");
    if (sheet.state.phase === "running") return;
    if (!date) notices.show("link", t("rush-link-damaged"));
    sheet.change({ phase: "ready", date: date || today, today, results: [], days: settings().rush ?? {}, said: "" });
  };

  const start = async (date) => {
    try {
      series = seriesOf(await loadPuzzles(), date || String(Math.random()));
    } catch (error) {
      return sheet.change({ said: t("part-not-loaded", { part: t("part-puzzles"), reason: reasonOf(error) }) });
    }
    sheet.change({ ...begun(sheet.state, date, Date.now()), said: "" });
    clearInterval(timer);
    timer = setInterval(() => (Date.now() >= sheet.state.ends ? end() : sheet.change({})), 250);
    return next();
  };

  const next = () => {
    sheet.change({ said: "" });
    return solving.begin(series[sheet.state.results.length]);
  };

  const judged = async (solved) => {
    const { puzzle, game } = solving;
    sheet.change({ ...answered(sheet.state, solved, Date.now()), said: solved ? t("puzzle-right") : solutionText(puzzle) });
    say(sheet.state.said);
    if (sheet.state.phase === "over") return end();
    await board.motion.idle;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return sheet.state.phase === "running" && solving.game === game ? next() : undefined;
  };

  // Another game on the board ends the rush.
  const changed = () => {
    if (sheet.state.phase !== "running") return;
    if (!solving.open) return end();
    const { puzzle, side } = solving;
    byId("rush").dataset.puzzle = puzzle.id;
    sheet.change({ side });
  };

  const end = () => {
    clearInterval(timer);
    sheet.change({ ...ended(sheet.state), said: "" });
    saveSettings({ rush: sheet.state.days });
    say(t("rush-solved", { count: solvedIn(sheet.state) }));
  };

  const close = async () => {
    await solving.leave();
    tabs.learn();
  };

  const solving = puzzleRun(page, { changed, done: judged, quick: true });

  return { open };
}
