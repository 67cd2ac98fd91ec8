// Puzzles: positions with one right turn, to be found on the board. The set is a separate
// file with a puzzle per line, loaded when the part is opened.

import { byId, html, markup, setText } from "../../dom.js";
import { updatedRating, newRating } from "./glicko.js";
import { OWN, findMistakes, mistakesOf, puzzleOf } from "./mistakes.js";
import { PuzzleRun } from "./solving.js";
import { ratingText } from "../rating/results.js";
import { loadFile, reasonOf } from "../../failures.js";
import { t } from "../../language.js";

/** In place of a theme: the puzzle of the day. */
const DAY = "day";
/** The theme of puzzles under the blitz rules. All other themes have standard puzzles only. */
const BLITZ = "blitz";

/** The themes, in the order of the list; their names are messages. */
const THEMES = ["make-row", "stop-row", "two-rows", "break-and-make", "right-ring", "win", "opponents-row", "threaten-row", BLITZ, DAY, OWN];

const PANEL = `
<section id="puzzles" aria-labelledby="puzzle-task" data-testid="puzzles" hidden>
  <h2 id="puzzle-task" data-testid="puzzle-task"></h2>
  <p id="puzzle-said" class="puzzle-said" data-testid="puzzle-said"></p>
  <div class="buttons left">
    <button id="puzzle-again" class="main" data-testid="puzzle-again" data-l10n="try-again"></button>
    <button id="puzzle-next" data-testid="puzzle-next" data-l10n="puzzle-next"></button>
    <button id="puzzle-hint" data-testid="puzzle-hint" data-l10n="lesson-hint"></button>
    <button id="puzzle-show" data-testid="puzzle-show" data-l10n="puzzle-show"></button>
    <button id="puzzle-analyze" data-testid="puzzle-analyze" data-l10n="analyze"></button>
    <button id="puzzles-close" data-testid="puzzles-close" data-l10n="close"></button>
  </div>
  <p id="puzzle-rating" class="puzzle-rating" data-testid="puzzle-rating"></p>
  <div class="puzzle-choice"><label><span data-l10n="puzzle-theme"></span> <select id="puzzle-theme" data-testid="puzzle-theme"><option value="" data-l10n="theme-mixed"></select></label></div>
  <p class="fine" data-l10n="puzzle-rules"></p>
</section>`;

/** The panel, shown instead of the rules. */
class Puzzles {
  #page;
  #solving;
  #progress = loadProgress();
  /** @type {Puzzle[]} */
  #all = [];
  /** The mistakes in stored games, once searched for. @type {Promise<import("./mistakes.js").Mistake[]>|null} */
  #mistakes = null;
  /** The game whose mistakes come first. @type {import("../../game/game.js").Game|null} */
  #first = null;
  /** The rating change of the last puzzle, or null. */
  #moved = null;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    this.#solving = new PuzzleRun(page);
    byId("panel-learn").prepend(markup(PANEL));
    byId("puzzle-theme").append(...THEMES.map((value) => html("option", { value }, t(value === BLITZ ? "rules-blitz" : `theme-${value}`))));
    byId("puzzle-theme").addEventListener("change", () => this.#another());
    byId("puzzles-close").addEventListener("click", () => this.close());
    byId("puzzle-again").addEventListener("click", () => this.#solving.again());
    byId("puzzle-next").addEventListener("click", () => {
      if (byId("puzzle-theme").value === DAY) byId("puzzle-theme").value = "";
      this.next();
    });
    byId("puzzle-hint").addEventListener("click", () => this.#solving.hint());
    byId("puzzle-show").addEventListener("click", () => this.#solving.show());
    byId("puzzle-analyze").addEventListener("click", () => {
      // Its first position shows why the solution is right.
      page.controller.go(page.controller.game.root);
      page.tabs.show("analysis");
      if (!page.analysis.on) page.analysis.toggle();
    });
    this.#solving.addEventListener("done", ({ detail }) => this.#done(detail));
    this.#solving.addEventListener("change", () => this.#draw());
  }

  /**
   * Shows the panel, with the current puzzle or another one.
   * @param {string} [theme] the theme to choose from, instead of the selected one
   * @param {import("../../game/game.js").Game} [first] the game whose mistakes come first
  */
  async open(theme, first) {
    this.#first = first ?? null;
    this.#page.tabs.learn("puzzles");
    if (!this.#all.length) await this.#load();
    if (theme) byId("puzzle-theme").value = theme;
    if (theme || (this.#all.length && !this.#solving.open)) await this.#another();
    this.#draw();
  }

  /** Restores what was shown before, unless that cannot be opened now. */
  async close() {
    if (!(await this.#solving.leave())) return;
    this.#page.tabs.learn();
    if (this.#first) this.#page.tabs.show("review");
  }

  /** Puts another puzzle on the board. */
  async next() {
    const theme = byId("puzzle-theme").value;
    const some = puzzlesOf(this.#all, theme, Date.now());
    const chosen = theme === OWN ? await this.#own() : some.length ? this.#choose(some) : null;
    if (!chosen) return;
    this.#moved = null;
    await this.#solving.begin(chosen);
    byId("panel-learn").scrollTop = 0;
    this.#page.say(byId("puzzle-task").textContent);
  }

  // Games may have been reviewed since the last visit.
  #another() {
    this.#mistakes = null;
    return this.next();
  }

  /**
   * @template {{id: string, rating?: number}} One
   * @param {One[]} some
  */
  #choose(some) {
    return choose(some, this.#progress, this.#solving.puzzle?.id);
  }

  // Resolves to the puzzle of a mistake, or null without one.
  async #own() {
    if (!this.#solving.open) this.#mistakes = null;
    try {
      const first = this.#first ? mistakesOf(this.#first).filter(({ id }) => !(id in this.#progress.tried)) : [];
      const puzzle = first.length ? await puzzleOf(this.#choose(first), this.#page.rules) : null;
      if (puzzle) return puzzle;
      this.#mistakes ??= findMistakes((read, of) => setText(byId("puzzle-said"), t("games-read-of", { number: read, count: of })));
      const mistakes = await this.#mistakes;
      while (mistakes.length) {
        const chosen = this.#choose(mistakes);
        const puzzle = await puzzleOf(chosen, this.#page.rules);
        if (puzzle) return puzzle;
        mistakes.splice(mistakes.indexOf(chosen), 1);
      }
      this.#report(t("puzzle-no-mistakes"));
    } catch (error) {
      this.#report(t("puzzle-games-fail", { reason: reasonOf(error) }));
    }
    this.#mistakes = null;
    return null;
  }

  #report(text) {
    setText(byId("puzzle-said"), text);
    this.#page.say(text);
  }

  async #load() {
    setText(byId("puzzle-said"), t("puzzles-loading"));
    try {
      this.#all = await loadPuzzles();
      setText(byId("puzzle-said"), "");
    } catch (error) {
      setText(byId("puzzle-said"), t("part-not-loaded", { part: t("part-puzzles"), reason: reasonOf(error) }));
    }
  }

  #done(solved) {
    // Another tab may have solved puzzles meanwhile.
    const before = loadProgress();
    this.#progress = after(before, this.#solving.puzzle, solved);
    if (this.#progress === before) return;
    const rated = this.#solving.puzzle.rating !== undefined;
    this.#moved = rated ? Math.round(this.#progress.me.rating) - Math.round(before.me.rating) : null;
    saveProgress(this.#progress);
  }

  #draw() {
    const { puzzle, state, said, open } = this.#solving;
    if (!puzzle) return;
    const over = state === "solved" || state === "shown";
    byId("puzzles").dataset.puzzle = puzzle.id;
    byId("puzzles").dataset.state = open ? state : "away";
    setText(byId("puzzle-task"), open ? this.#task(over) : t("puzzle-away"));
    if (said !== byId("puzzle-said").textContent) {
      setText(byId("puzzle-said"), said);
      if (said) this.#page.say(said);
    }
    byId("puzzle-said").dataset.state = state;
    byId("puzzle-again").hidden = !open || state !== "wrong";
    byId("puzzle-hint").hidden = !open || over || this.#solving.hinted;
    byId("puzzle-show").hidden = !open || over;
    byId("puzzle-analyze").hidden = !open || !over;
    byId("puzzle-next").classList.toggle("main", over);
    setText(byId("puzzle-rating"), this.#ratingWords());
  }

  // The task. Naming the theme before would give too much away.
  #task(over) {
    const { puzzle, side } = this.#solving;
    if (puzzle.theme === OWN) return puzzle.source ? t("puzzle-own-from", { side, game: puzzle.source }) : t("puzzle-own", { side });
    const what = puzzle.theme === "win" || (puzzle.mate && over) ? t("win-in", { count: puzzle.mate }) : t(`theme-${puzzle.theme}`);
    const theme = byId("puzzle-theme").value;
    const hidden = theme === DAY ? t("theme-day") : t("puzzle-find");
    const told = over || (theme && theme !== DAY && theme !== BLITZ) || puzzle.theme === "win" ? what : hidden;
    const task = puzzle.rules === "blitz" ? `${t("rules-blitz")}. ${told}` : told;
    return over ? t("puzzle-task-rated", { side, task, rating: String(puzzle.rating) }) : t("puzzle-task", { side, task });
  }

  #ratingWords() {
    const { me, streak, best, tried } = this.#progress;
    const change = this.#moved === null ? "" : `(${this.#moved < 0 ? "−" : "+"}${Math.abs(this.#moved)})`;
    const solved = Object.values(tried).filter(Boolean).length;
    const rating = [ratingText(me), change].filter(Boolean).join(" ");
    return t("puzzle-rating", { rating, streak, best, solved, count: Object.keys(tried).length });
  }
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
 * @returns {One[]}
 */
export function puzzlesOf(all, theme, now) {
  const some = all.filter(({ rules }) => (rules === "blitz") === (theme === BLITZ));
  if (theme === DAY && some.length) return [some[daily(some.length, now)]];
  return theme && theme !== BLITZ ? some.filter((puzzle) => puzzle.theme === theme) : some;
}

/**
 * Creates the panel.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  const puzzles = new Puzzles(page);
  return {
    /** @param {{theme?: string, game?: import("../../game/game.js").Game}} [how] */
    open: (how) => puzzles.open(how?.theme, how?.game),
  };
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
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    const whole = Object.values(kept?.me ?? {}).length === 3 && Object.values(kept.me).every(Number.isFinite);
    return whole ? { ...fresh, ...kept } : fresh;
  } catch {
    return fresh;
  }
}

/**
 * Stores the progress.
 * @param {Progress} progress
 */
function saveProgress(progress) {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // Storage is full or off: the progress lasts for this visit.
  }
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
 * @returns {One}
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

const DAY_MS = 24 * 60 * 60 * 1000;
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
