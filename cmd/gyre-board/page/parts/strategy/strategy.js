// The strategy lessons: a text and some exercises each. The exercises are puzzles and are
// solved like them. Progress is stored.

import { byId, html, markup, setText } from "../../dom.js";
import { saveSettings, settings } from "../../game/settings.js";
import { loadFile } from "../../failures.js";
import { t } from "../../language.js";
import { PuzzleRun } from "../puzzles/solving.js";

/**
 * @typedef {Object} Lesson
 * @property {string} id its texts are the message strategy-ID: the title, and .say
 * @property {import("../puzzles/puzzles.js").Puzzle[]} exercises
 */

const PANEL = `
<section id="strategy" class="strategy" aria-labelledby="strategy-title" data-testid="strategy" hidden>
  <h2 id="strategy-title" data-testid="strategy-title"></h2>
  <p id="strategy-say"></p>
  <p id="strategy-task" class="strategy-task" data-testid="strategy-task"></p>
  <p id="strategy-said" class="strategy-said" data-testid="strategy-said"></p>
  <div class="buttons left">
    <button id="strategy-again" class="main" data-testid="strategy-again" data-l10n="try-again"></button>
    <button id="strategy-next" class="main" data-testid="strategy-next" data-l10n="lesson-next"></button>
    <button id="strategy-hint" data-testid="strategy-hint" data-l10n="lesson-hint"></button>
    <button id="strategy-show" data-testid="strategy-show" data-l10n="puzzle-show"></button>
    <button id="strategy-close" data-testid="strategy-close" data-l10n="strategy-close"></button>
  </div>
  <ol id="strategy-list" class="strategy-list" data-l10n="lessons"></ol>
</section>`;

/** The panel, shown instead of the rules. */
class Strategy {
  #page;
  #solving;
  /** @type {Lesson[]} */
  #lessons;
  /** The lesson and the exercise on the board. */
  #at = { lesson: 0, exercise: 0 };

  /**
   * @param {import("../../_types/page").Page} page
   * @param {Lesson[]} lessons
  */
  constructor(page, lessons) {
    [this.#page, this.#lessons] = [page, lessons];
    this.#solving = new PuzzleRun(page);
    byId("panel-learn").prepend(markup(PANEL));
    byId("strategy-list").append(...lessons.map(({ id }, i) => {
      const title = t(`strategy-${id}`);
      return html("li", {}, html("button", { type: "button", title, "aria-label": t("lesson-number", { number: i + 1, title }), onclick: () => this.#show(i, 0) }, String(i + 1)));
    }));
    byId("strategy-again").addEventListener("click", () => this.#solving.again());
    byId("strategy-hint").addEventListener("click", () => this.#solving.hint());
    byId("strategy-show").addEventListener("click", () => this.#solving.show());
    byId("strategy-next").addEventListener("click", () => this.#next());
    byId("strategy-close").addEventListener("click", () => this.#close());
    this.#solving.addEventListener("change", () => this.#draw());
  }

  /** Opens the first lesson that is not done, or the one that is open. */
  async open() {
    this.#page.tabs.show("learn");
    this.#page.tabs.learn("strategy");
    if (this.#solving.open) return;
    const first = this.#lessons.findIndex((lesson) => !this.#isDone(lesson));
    await this.#show(Math.max(first, 0), 0);
  }

  async #close() {
    if (await this.#solving.leave()) this.#page.tabs.learn();
  }

  #next() {
    const { lesson, exercise } = this.#at;
    if (exercise + 1 < this.#lessons[lesson].exercises.length) return this.#show(lesson, exercise + 1);
    return lesson + 1 < this.#lessons.length ? this.#show(lesson + 1, 0) : this.#close();
  }

  async #show(lesson, exercise) {
    const { analysis } = this.#page;
    // The engine would show the answer.
    if (analysis.on) analysis.toggle();
    this.#at = { lesson, exercise };
    await this.#solving.begin(this.#lessons[lesson].exercises[exercise]);
    byId("panel-learn").scrollTop = 0;
    this.#page.say([byId("strategy-title"), byId("strategy-say"), byId("strategy-task")].map(({ textContent }) => textContent).join(" "));
  }

  #isDone({ exercises }) {
    const solved = settings().exercises ?? [];
    return exercises.every(({ id }) => solved.includes(id));
  }

  #draw() {
    const { puzzle, state, said, open, side } = this.#solving;
    const { lesson, exercise } = this.#at;
    const { id, exercises } = this.#lessons[lesson];
    const solved = settings().exercises ?? [];
    if (state === "solved" && !solved.includes(puzzle.id)) saveSettings({ exercises: [...solved, puzzle.id] });
    const over = state === "solved" || state === "shown";
    Object.assign(byId("strategy").dataset, { exercise: puzzle.id, state: open ? state : "away" });
    setText(byId("strategy-title"), t(`strategy-${id}`));
    setText(byId("strategy-say"), t(`strategy-${id}.say`));
    setText(byId("strategy-task"), open ? t("strategy-task", { side, number: exercise + 1, count: exercises.length }) : t("puzzle-away"));
    if (said !== byId("strategy-said").textContent) {
      setText(byId("strategy-said"), said);
      if (said) this.#page.say(said);
    }
    byId("strategy-said").dataset.state = state;
    byId("strategy-again").hidden = !open || state !== "wrong";
    byId("strategy-next").hidden = !over;
    byId("strategy-hint").hidden = !open || over || this.#solving.hinted;
    byId("strategy-show").hidden = !open || over;
    [...byId("strategy-list").querySelectorAll("button")].forEach((button, i) => {
      button.classList.toggle("done", this.#isDone(this.#lessons[i]));
      if (i === lesson) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  }
}

/**
 * Loads the lessons and creates the panel.
 * @param {import("../../_types/page").Page} page
 */
export async function begin(page) {
  const text = await loadFile(new URL("strategy.json", import.meta.url));
  const strategy = new Strategy(page, JSON.parse(text));
  return { open: () => strategy.open() };
}
