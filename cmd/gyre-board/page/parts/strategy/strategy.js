// The strategy lessons: a text and some exercises each. The exercises are puzzles and are
// solved like them. Progress is stored.

import { byId } from "../../dom.js";
import { saveSettings, settings } from "../../game/settings.js";
import { loadFile } from "../../failures.js";
import { t } from "../../language.js";
import { puzzleRun } from "../puzzles/solving.js";
import { Sheet, learnSection } from "../sheet/sheet.js";

/**
 * @typedef {Object} Lesson
 * @property {string} id its texts are the message strategy-ID: the title, and .say
 * @property {import("../puzzles/puzzles.js").Puzzle[]} exercises
 */

/**
 * @typedef {Object} State
 * @property {Lesson[]} lessons
 * @property {number} lesson the one on the board
 * @property {number} exercise the one on the board
 * @property {string[]} solved the ids of the solved exercises
 * @property {{open: boolean, state: string, said: string, side: "w"|"b", hinted: boolean}|null} run
 */

/** @param {Lesson} lesson @param {string[]} solved */
const isDone = ({ exercises }, solved) => exercises.every(({ id }) => solved.includes(id));

/**
 * What the panel shows.
 * @param {State} state
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ lessons, lesson, exercise, solved, run: { open, state, said, side, hinted } }) {
  const { id, exercises } = lessons[lesson];
  const over = state === "solved" || state === "shown";
  return [
    { title: t(`strategy-${id}`), id: "strategy-title", instead: open && state === "yours" },
    { text: t(`strategy-${id}.say`), tone: "strategy-say" },
    { text: open ? t("strategy-task", { side, number: exercise + 1, count: exercises.length }) : t("puzzle-away"), id: "strategy-task", tone: "strategy-task" },
    { text: said, id: "strategy-said", tone: "strategy-said" },
    { buttons: [
      open && state === "wrong" && ["strategy-again", t("try-again"), true],
      over && ["strategy-next", t("lesson-next"), true],
      open && !over && !hinted && ["strategy-hint", t("lesson-hint")],
      open && !over && ["strategy-show", t("puzzle-show")],
      ["strategy-close", t("strategy-close")],
    ] },
    { group: "ol", tone: "strategy-list", label: t("lessons.aria-label"), blocks: lessons.map((one, i) => {
      const title = t(`strategy-${one.id}`);
      const more = { value: String(i), title, label: t("lesson-number", { number: i + 1, title }), current: i === lesson };
      return { group: "li", tone: isDone(one, solved) ? "done" : "", blocks: [{ buttons: [["lesson", String(i + 1), false, more]] }] };
    }) },
  ];
}

/**
 * Loads the lessons and creates the panel.
 * @param {import("../../_types/page").Page} page
 */
export async function begin(page) {
  /** @type {Lesson[]} */
  const lessons = JSON.parse(await loadFile(new URL("strategy.json", import.meta.url)));
  const { say, tabs } = page;
  const sheet = new Sheet(learnSection("strategy", t("strategy")), sheetOf, {
    "strategy-again": () => solving.again(),
    "strategy-hint": () => solving.hint(),
    "strategy-show": () => solving.show(),
    "strategy-next": () => next(),
    "strategy-close": () => close(),
    lesson: (number) => show(Number(number), 0),
  }, /** @type {State} */ ({ lessons, lesson: 0, exercise: 0, solved: settings().exercises ?? [], run: null }));

  /** Opens the first lesson that is not done, or the one that is open. */
  const open = async () => {
    tabs.learn("strategy");
    if (solving.open) return;
    const { lessons } = sheet.state;
    const solved = settings().exercises ?? []; // another tab may have solved some
    await show(Math.max(lessons.findIndex((lesson) => !isDone(lesson, solved)), 0), 0);
  };

  const close = async () => {
    if (await solving.leave()) tabs.learn();
  };

  const next = () => {
    const { lessons, lesson, exercise } = sheet.state;
    if (exercise + 1 < lessons[lesson].exercises.length) return show(lesson, exercise + 1);
    return lesson + 1 < lessons.length ? show(lesson + 1, 0) : close();
  };

  const show = async (lesson, exercise) => {
    Object.assign(sheet.state, { lesson, exercise });
    await solving.begin(sheet.state.lessons[lesson].exercises[exercise]);
    byId("panel-learn").scrollTop = 0;
    say([...sheet.root.children].slice(0, 3).map(({ textContent }) => textContent).join(" "));
  };

  const changed = () => {
    const { puzzle, state, said, open, side, hinted } = solving;
    const { run } = sheet.state;
    const solved = settings().exercises ?? [];
    const all = state === "solved" && !solved.includes(puzzle.id) ? [...solved, puzzle.id] : solved;
    if (all !== solved) saveSettings({ exercises: all });
    Object.assign(sheet.root.dataset, { exercise: puzzle.id, state: open ? state : "away" });
    sheet.change({ solved: all, run: { open, state, said, side, hinted } });
    if (said && said !== run?.said) say(said);
  };

  sheet.root.className = "strategy";
  const solving = puzzleRun(page, { changed });

  return { open };
}
