// Puzzles: positions with one right turn, to be found on the board. The set is a separate
// file with a puzzle per line, loaded when the part is opened.

import { byId } from "../../dom.js";
import { read, write } from "../../game/settings.js";
import { updatedRating, newRating } from "./glicko.js";
import { OWN, findMistakes, mistakesOf, puzzleOf } from "./mistakes.js";
import { puzzleRun } from "./solving.js";
import { changeText, ratingText } from "../rating/results.js";
import { Sheet, learnSection } from "../sheet/sheet.js";
import { loadFile, reasonOf } from "../../failures.js";
import { t } from "../../language.js";

/** In place of a theme: the puzzle of the day. */
const DAY = "day";
/** The theme of puzzles under the blitz rules. All other themes have standard puzzles only. */
const BLITZ = "blitz";

/** The themes, in the order of the list; their names are messages. */
const THEMES = ["make-row", "stop-row", "two-rows", "break-and-make", "right-ring", "win", "opponents-row", "threaten-row", BLITZ, DAY, OWN];

/**
 * @typedef {Object} State
 * @property {string} theme to choose from, "" for any
 * @property {string} date of the puzzle of the day
 * @property {string} said
 * @property {Progress} progress
 * @property {number|null} moved how much the last puzzle changed the rating
 * @property {{puzzle: Puzzle, open: boolean, state: string, side: "w"|"b", hinted: boolean}|null} run the puzzle on the board
 */

/**
 * The solved puzzle of a day as a text for a chat, with a link to it.
 * @param {string} date
 * @param {boolean} first whether it was solved at the first try, without help
 * @param {string} page the address of the page
 */
export function shareText(date, first, page) {
  return `${t("day-share", { date })} ${first ? "🟩" : "🟨"}\n${page}#puzzles=${date}`;
}

/**
 * What the panel shows.
 * @param {State} state
 * @param {string} [page] its address
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ theme, date, said, progress, moved, run }, page = "") {
  const { open = false, state = "", hinted = false } = run ?? {};
  const over = state === "solved" || state === "shown";
  const shares = open && state === "solved" && theme === DAY;
  /** @type {import("../sheet/sheet.js").Block["buttons"]} */
  const buttons = [
    open && state === "wrong" && ["puzzle-again", t("try-again"), true],
    ["puzzle-next", t("puzzle-next"), over && !shares],
    open && !over && !hinted && ["puzzle-hint", t("lesson-hint")],
    open && !over && ["puzzle-show", t("puzzle-show")],
    open && over && ["puzzle-analyze", t("analyze")],
    ["puzzles-close", t("close")],
  ];
  const themes = THEMES.map((one) => /** @type {[string, string]} */ ([one, t(one === BLITZ ? "rules-blitz" : `theme-${one}`)]));
  return [
    { title: run ? taskOf(run, theme, over) : "", id: "puzzle-task", instead: open },
    { text: said, id: "puzzle-said", tone: `puzzle-said ${state}` },
    shares ? { copy: shareText(date, progress.tried[run.puzzle.id] === 1, page), buttons, id: "puzzle-text", label: t("day-text") } : { buttons },
    { text: run ? ratingWords(progress, moved) : "", id: "puzzle-rating", tone: "puzzle-rating" },
    { group: "div", tone: "puzzle-choice", blocks: [{ choice: t("puzzle-theme"), options: [["", t("theme-mixed")], ...themes], value: theme, id: "puzzle-theme" }] },
    { text: t("puzzle-rules"), tone: "fine" },
  ];
}

// The task. Naming the theme before would give too much away.
/** @param {State["run"]} run @param {string} theme @param {boolean} over */
function taskOf({ puzzle, open, side }, theme, over) {
  if (!open) return t("puzzle-away");
  if (puzzle.theme === OWN) return puzzle.source ? t("puzzle-own-from", { side, game: puzzle.source }) : t("puzzle-own", { side });
  const what = puzzle.theme === "win" || (puzzle.mate && over) ? t("win-in", { count: puzzle.mate }) : t(`theme-${puzzle.theme}`);
  const hidden = theme === DAY ? t("theme-day") : t("puzzle-find");
  const told = over || (theme && theme !== DAY && theme !== BLITZ) || puzzle.theme === "win" ? what : hidden;
  const task = puzzle.rules === "blitz" ? `${t("rules-blitz")}. ${told}` : told;
  return over ? t("puzzle-task-rated", { side, task, rating: String(puzzle.rating) }) : t("puzzle-task", { side, task });
}

/** @param {Progress} progress @param {number|null} moved */
function ratingWords({ me, streak, best, tried }, moved) {
  const solved = Object.values(tried).filter(Boolean).length;
  const rating = ratingText(me) + (moved === null ? "" : ` (${changeText(moved)})`);
  return t("puzzle-rating", { rating, streak, best, solved, count: Object.keys(tried).length });
}

/** Loads the set. @returns {Promise<Puzzle[]>} */
export async function loadPuzzles() {
  const text = await loadFile(new URL("puzzles.jsonl", import.meta.url));
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/**
 * The puzzles to choose from.
 * @template {{rules: string, theme: string}} One
 * @param {One[]} all
 * @param {string} theme "" for any
 * @param {number} now the time in milliseconds since 1970
 */
export function puzzlesOf(all, theme, now) {
  const some = all.filter(({ rules }) => (rules === "blitz") === (theme === BLITZ));
  if (theme === DAY && some.length) return [some[daily(some.length, now)]];
  return theme && theme !== BLITZ ? some.filter((puzzle) => puzzle.theme === theme) : some;
}

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  const { analysis, controller, notices, rules, say, state, tabs } = page;
  const sheet = new Sheet(learnSection("puzzles", t("puzzles")), (/** @type {State} */ state) => sheetOf(state, `${location.origin}${location.pathname}`), {
    "puzzle-theme": (theme) => (sheet.change({ theme, date: dateOf(Date.now()) }), another()),
    "puzzle-again": () => solving.again(),
    "puzzle-next": () => (sheet.state.theme === DAY && sheet.change({ theme: "" }), next()),
    "puzzle-hint": () => solving.hint(),
    "puzzle-show": () => solving.show(),
    "puzzle-analyze": () => analyze(),
    "puzzles-close": () => close(),
  }, /** @type {State} */ ({ theme: "", date: "", said: "", progress: loadProgress(), moved: null, run: null }));
  /** @type {Puzzle[]} */
  let all = [];
  /** The mistakes in stored games, once searched for. @type {Promise<import("./mistakes.js").Mistake[]>|null} */
  let found = null;
  /** The game whose mistakes come first. @type {import("../../game/game.js").Game|null} */
  let ofGame = null;
  /** The progress that the browser could not store: it lasts for this visit. @type {Progress|null} */
  let unkept = null;

  /**
   * Shows the panel, with the current puzzle or another one.
   * @param {{theme?: string, game?: import("../../game/game.js").Game, link?: string}} [how] the theme to choose
   *   from, instead of the selected one, the game whose mistakes come first, and the day in a link
  */
  const open = async ({ theme, game, link } = {}) => {
    ofGame = game ?? null;
    tabs.learn("puzzles");
    const now = Date.now();
    const linked = link === undefined ? "" : readDate(link, now);
    if (link !== undefined) theme = DAY;
    if (link !== undefined && !linked) notices.show("link", t("day-link-damaged"));
    sheet.change(theme ? { theme, date: linked || dateOf(now) } : {});
    if (!all.length) await load();
    if (theme || (all.length && !solving.open)) await another();
    changed();
  };

  // Restores what was shown before, unless that cannot be opened now.
  const close = async () => {
    if (!(await solving.leave())) return;
    tabs.learn();
    if (ofGame) tabs.show("review");
  };

  // Puts another puzzle on the board.
  const next = async () => {
    const { theme, date } = sheet.state;
    const some = puzzlesOf(all, theme, Date.parse(date));
    const chosen = theme === OWN ? await own() : some.length ? chosenOf(some) : null;
    if (!chosen) return;
    sheet.state.moved = null;
    await solving.begin(chosen);
    byId("panel-learn").scrollTop = 0;
    say(sheet.root.querySelector("h2").textContent);
  };

  // Games may have been reviewed since the last visit.
  const another = () => {
    found = null;
    return next();
  };

  /** @template {{id: string, rating?: number}} One @param {One[]} some */
  const chosenOf = (some) => choose(some, sheet.state.progress, solving.puzzle?.id);

  // Resolves to the puzzle of a mistake, or null without one.
  const own = async () => {
    if (!solving.open) found = null;
    try {
      const first = ofGame ? mistakesOf(ofGame).filter(({ id }) => !(id in sheet.state.progress.tried)) : [];
      const puzzle = first.length ? await puzzleOf(chosenOf(first), rules) : null;
      if (puzzle) return puzzle;
      found ??= findMistakes((read, of) => sheet.change({ said: t("games-read-of", { number: read, count: of }) }));
      const mistakes = await found;
      while (mistakes.length) {
        const chosen = chosenOf(mistakes);
        const puzzle = await puzzleOf(chosen, rules);
        if (puzzle) return puzzle;
        mistakes.splice(mistakes.indexOf(chosen), 1);
      }
      report(t("puzzle-no-mistakes"));
    } catch (error) {
      report(t("puzzle-games-fail", { reason: reasonOf(error) }));
    }
    found = null;
    return null;
  };

  const report = (said) => {
    sheet.change({ said });
    say(said);
  };

  const load = async () => {
    sheet.change({ said: t("puzzles-loading") });
    try {
      all = await loadPuzzles();
      sheet.change({ said: "" });
    } catch (error) {
      sheet.change({ said: t("part-not-loaded", { part: t("part-puzzles"), reason: reasonOf(error) }) });
    }
  };

  const done = (solved) => {
    // Another tab may have solved puzzles meanwhile.
    const before = unkept ?? loadProgress();
    const progress = after(before, solving.puzzle, solved);
    sheet.state.progress = progress;
    if (progress === before) return;
    const rated = solving.puzzle.rating !== undefined;
    sheet.state.moved = rated ? Math.round(progress.me.rating) - Math.round(before.me.rating) : null;
    unkept = write("localStorage", KEY, progress) ? null : progress;
  };

  const changed = () => {
    const { puzzle, state, said, open, hinted } = solving;
    if (!puzzle) return;
    Object.assign(sheet.root.dataset, { puzzle: puzzle.id, state: open ? state : "away" });
    if (said && said !== sheet.state.said) say(said);
    sheet.change({ said, run: { puzzle, state, open, hinted, side: solving.side } });
  };

  // The first position of the puzzle shows why the solution is right.
  const analyze = () => {
    controller.go(state.game.root);
    tabs.show("analysis");
    if (!state.analyzing) analysis.toggle();
  };

  sheet.root.className = "puzzles";
  const solving = puzzleRun(page, { changed, done });

  return { open };
}

// The stored progress: the rating, the streak of solved puzzles, and which puzzles were
// tried.

const KEY = "gyre.puzzles";
// The deviation of puzzle ratings, which come from some tens of tries.
const PUZZLE_DEVIATION = 100;

/**
 * A puzzle of the set, or from a mistake in a stored game.
 * @typedef {Object} Puzzle
 * @property {string} id
 * @property {string} fen
 * @property {"standard"|"blitz"} rules
 * @property {string} theme
 * @property {number} [rating] absent for stored games
 * @property {string[]} solution
 * @property {number} [mate]
 * @property {string} [played] the turn that was the mistake
 * @property {string} [source] the game, if it came from a file with others
 */

/**
 * @typedef {Object} Progress
 * @property {import("./glicko.js").Rating} me
 * @property {number} streak puzzles solved in a row
 * @property {number} best the longest streak
 * @property {Object<string, 0|1>} tried whether a puzzle was solved when it was first tried
 */

/** The stored progress. @returns {Progress} */
function loadProgress() {
  const fresh = { me: newRating(), streak: 0, best: 0, tried: {} };
  const kept = read("localStorage", KEY);
  const whole = Object.values(kept?.me ?? {}).length === 3 && Object.values(kept.me).every(Number.isFinite);
  return whole ? { ...fresh, ...kept } : fresh;
}

/**
 * The progress after a puzzle. A repeated puzzle changes nothing; one without a rating does
 * not change the player's.
 * @param {Progress} progress
 * @param {Puzzle} puzzle
 * @param {boolean} solved at the first try, without help
 * @returns {Progress}
 */
export function after(progress, { id, rating }, solved) {
  if (id in progress.tried) return progress;
  const streak = solved ? progress.streak + 1 : 0;
  return {
    me: rating === undefined ? progress.me : updatedRating(progress.me, [{ rating, deviation: PUZZLE_DEVIATION, score: solved ? 1 : 0 }]),
    streak,
    best: Math.max(progress.best, streak),
    tried: { ...progress.tried, [id]: solved ? 1 : 0 },
  };
}

/**
 * Chooses the next puzzle: one of the untried ones nearest to the player's rating. If all
 * were tried, one of the failed ones, or else any.
 * @template {Pick<Puzzle, "id"|"rating">} One
 * @param {One[]} all at least one
 * @param {Progress} progress
 * @param {string} [not] the id of a puzzle to avoid
 * @param {() => number} [chance] returns a number from 0 to below 1
 */
export function choose(all, { me, tried }, not = "", chance = Math.random) {
  const others = all.length > 1 ? all.filter(({ id }) => id !== not) : all;
  const fresh = others.filter(({ id }) => !(id in tried));
  const failed = others.filter(({ id }) => tried[id] === 0);
  const from = fresh.length ? fresh : failed.length ? failed : others;
  const far = ({ rating = me.rating }) => Math.abs(rating - me.rating);
  const near = [...from].sort((a, b) => far(a) - far(b)).slice(0, 12);
  return near[Math.floor(chance() * near.length)];
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The date of a time in UTC. @param {number} now milliseconds since 1970 */
export const dateOf = (now) => new Date(now).toISOString().slice(0, 10);

/**
 * Reads the date in a link.
 * @param {string} text
 * @param {number} now
 * @returns {string} "" if it is none, or is still to come
 */
export function readDate(text, now) {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // The day of the sender may have begun before that of a wrong clock here.
  return day <= now + DAY_MS && dateOf(day) === text ? text : "";
}

/** The golden ratio, for steps that spread days over the set. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The index of the puzzle of the day: the same for everybody on a date in UTC. Each puzzle
 * comes once before the first one returns.
 * @param {number} count the number of puzzles, at least 1
 * @param {number} now the time in milliseconds since 1970
 */
export function daily(count, now) {
  let step = Math.max(1, Math.round(count * GOLDEN));
  while (divisor(step, count) > 1) step++;
  return (Math.floor(now / DAY_MS) * step) % count;
}

function divisor(a, b) {
  return b ? divisor(b, a % b) : a;
}
