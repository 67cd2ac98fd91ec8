// The tutorial: small boards with one task each. The rules decide what is possible and what
// a turn has done. Progress is stored.

import { Board } from "../../board/board.js";
import { turnSteps } from "../../../../../position/drawing/rules.js";
import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { MoveInput } from "../../board/moveinput.js";
import { boardInput } from "../../board/pointer.js";
import { html, keyOf } from "../../dom.js";
import { animates, saveSettings, settings } from "../../game/settings.js";
import { promptText } from "../../game/words.js";
import { Sheet, dialogFor } from "../sheet/sheet.js";
import { loadFile } from "../../failures.js";
import { t } from "../../language.js";

/**
 * @typedef {Object} Lesson
 * @property {string} id its texts are the message task-ID: the title, .say (the task), .hint, .done,
 *   and .again, shown when a turn did not do it
 * @property {"place"|"move"|"flip"|"row"|"rows"|"stop"|"win"} goal
 * @property {string[]} [accept] the accepted turns, if the rules cannot decide
 * @property {string} start
 * @property {string} turn a turn that does it
 */

/** Windows with room for the list of lessons next to the board. */
const ROOM_FOR_INDEX = matchMedia("(min-aspect-ratio: 11/10) and (min-height: 560px)");

/** How many markers must flip. */
const FLIPS = 2;

/** How many rows must be removed. */
const ROWS = 2;

/** @type {Object<Lesson["goal"], (acts: import("../../link/link.js").Played["acts"], view: import("../../link/link.js").View) => boolean>} */
const GOALS = {
  place: (acts) => acts.some((act) => act.do === "place"),
  move: (acts) => acts.some((act) => act.do === "move"),
  flip: (acts) => acts.some(({ flips }) => flips?.length >= FLIPS),
  row: (acts) => acts.some((act) => act.do === "row"),
  rows: (acts) => acts.filter((act) => act.do === "row").length >= ROWS,
  win: (_, view) => view.winner === "w",
};

/**
 * @typedef {Object} State
 * @property {Lesson[]} lessons
 * @property {number} at the index of the shown one
 * @property {number} done how many are done, counted from the first
 * @property {string} step what comes next in a turn that has begun
 * @property {string} told about the turn, or the hint
 * @property {""|"reached"|"missed"} outcome of the turn
 */

/**
 * What is shown next to the board.
 * @param {State} state
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ lessons, at, done, step, told, outcome }) {
  const { id } = lessons[at];
  return [
    { fold: t("lesson-of", { number: at + 1, count: lessons.length }), tone: "lesson-index", id: "lesson-index", blocks: [
      { group: "ol", tone: "lessons", label: t("lessons.aria-label"), id: "lessons", blocks: lessons.map((one, i) => {
        const text = t("lesson-number", { number: i + 1, title: t(`task-${one.id}`) });
        return { group: "li", tone: i < done ? "done" : "", blocks: [{ buttons: [["lesson", text, false, { value: String(i), current: i === at }]] }] };
      }) },
    ] },
    { title: t(`task-${id}`), id: "tutorial-title" },
    { text: t(`task-${id}.say`) },
    { text: step, tone: "fine" },
    { text: told, role: "status", tone: "lesson-told", id: "lesson-told" },
    { buttons: [
      outcome === "reached" && ["lesson-next", t(at + 1 < lessons.length ? "lesson-next" : "new-start"), true],
      !outcome && ["lesson-hint", t("lesson-hint")],
      outcome && ["lesson-again", t("try-again"), outcome === "missed"],
      ["close", t("close")],
    ] },
  ];
}

/**
 * Loads the lessons and creates the dialog.
 * @param {import("../../_types/page").Page} page
 */
export async function begin(page) {
  const { rules } = page;
  const lessons = JSON.parse(await loadFile(new URL("lessons.json", import.meta.url)));
  const dialog = dialogFor("tutorial-dialog", t("learn-by-playing"));
  /** How often a lesson was shown; answers for an earlier showing are dropped. */
  let latest = 0;
  const sheet = new Sheet(html("div", { className: "lesson" }), sheetOf, {
    lesson: (number) => show(Number(number)),
    "lesson-next": () => next(),
    "lesson-hint": () => hint(),
    "lesson-again": () => show(sheet.state.at),
    close: () => dialog.close(),
  }, /** @type {State} */ ({ lessons, at: 0, done: settings().tutorial ?? 0, step: "", told: "", outcome: "" }));

  /** Opens the dialog at the first lesson that is not done. */
  const open = async () => {
    const { done, lessons } = sheet.state;
    dialog.showModal();
    dialog.querySelector("details").open = ROOM_FOR_INDEX.matches;
    await show(done < lessons.length ? done : 0);
  };

  const lesson = () => sheet.state.lessons[sheet.state.at];

  const path = () => ({ rules: /** @type {const} */ ("standard"), start: lesson().start, turns: [] });

  const change = (changes) => {
    sheet.change(changes);
    sheet.root.dataset.outcome = sheet.state.outcome;
  };

  const show = async (at) => {
    const asked = ++latest;
    change({ at, step: "", told: "", outcome: "" });
    if (!ROOM_FOR_INDEX.matches) dialog.querySelector("details").open = false;
    await practice.begin(path());
    if (asked === latest) practice.board.points.focus();
  };

  const hint = () => {
    change({ told: t(`task-${lesson().id}.hint`) });
    practice.point(arrowsOf(lesson().turn));
  };

  // During a turn, the rules say what comes next.
  const prompt = () => {
    const { prefix, now } = practice.moveInput;
    change({ step: prefix.length && now ? promptText(now.prompt, now.view.removed) : "" });
  };

  const entered = async (word) => {
    const asked = latest;
    const { at, lessons, done } = sheet.state;
    const { id, goal, accept } = lesson();
    const { turns, views } = await rules.game({ ...path(), turns: [word] });
    if (asked !== latest) return;
    const reached = goal === "stop" ? accept.includes(word) : GOALS[goal](turns[0].acts, views[1]);
    if (reached) saveSettings({ tutorial: Math.max(done, at + 1) });
    const last = at + 1 === lessons.length;
    const told = reached ? [t(`task-${id}.done`), last && t("lessons-done")].filter(Boolean).join(" ") : t(`task-${id}.again`);
    change({ step: "", told, outcome: reached ? "reached" : "missed", done: reached ? Math.max(done, at + 1) : done });
    /** @type {HTMLElement} */ (dialog.querySelector(`[data-act=lesson-${reached ? "next" : "again"}]`)).focus();
  };

  const next = () => {
    const { at, lessons } = sheet.state;
    if (at + 1 < lessons.length) show(at + 1);
    else dialog.close();
  };

  sheet.change();
  const board = html("div", { id: "tutorial-board", className: "board", role: "group", "aria-label": t("tutorial-board.aria-label") });
  dialog.className = "tutorial";
  dialog.append(board, sheet.root);
  const practice = practiceOn(board, rules, entered, prompt);
  // Esc first takes a step back.
  dialog.addEventListener("cancel", (event) => {
    if (practice.moveInput.open && practice.moveInput.back()) event.preventDefault();
  });

  return { open };
}

// A board over the page for entering one turn in a position outside any game. The rules say
// what is possible; the caller judges the turn.

/**
 * @param {HTMLElement} root the container for the board
 * @param {import("../../link/link.js").Rules} rules
 * @param {(turn: string) => void} entered called when a turn is complete and on the board
 * @param {() => void} changed called when the next step changes
 */
function practiceOn(root, rules, entered, changed) {
  const board = new Board(root, { motion: animates });
  const moveInput = new MoveInput((/** @type {import("../../link/link.js").View} */ view, prefix) => turnSteps(view, view.rules, prefix));
  // How many positions were requested; answers for earlier ones are dropped.
  let latest = 0;
  // Whether the board accepts no input.
  let still = true;
  /** Arrows that show the task. @type {import("../../../../../position/drawing/marks.js").Arrow[]} */
  let arrows = [];

  const clear = () => {
    board.marks.clearHints();
    board.arrows.show("best", []);
  };
  const end = () => {
    still = true;
    moveInput.end();
    clear();
  };

  // Leave pieces alone while they move.
  const draw = async () => {
    if (!moveInput.now) return clear();
    await board.motion.idle;
    if (still || !moveInput.now) return undefined;
    const { view } = moveInput.now;
    board.pieces.show(view.points, view.removed);
    board.arrows.show("best", moveInput.prefix.length || moveInput.picked ? [] : arrows);
    input.drawHints(view.points);
    return changed();
  };

  const press = (point, touch) => {
    board.motion.skip();
    if (still || !point) return;
    moveInput.press(point, touch);
    draw();
  };

  const input = boardInput({ board, moveInput, still: () => still, press, redraw: draw });
  moveInput.addEventListener("step", ({ detail }) => {
    clear();
    board.motion.play([detail]);
  });
  moveInput.addEventListener("change", draw);
  moveInput.addEventListener("turn", async ({ detail }) => {
    const asked = latest;
    end();
    await board.motion.idle;
    if (asked === latest) entered(detail);
  });
  board.points.addEventListener("press", ({ detail }) => press(detail, false));
  root.addEventListener("keydown", (event) => {
    const by = { n: 1, p: -1 }[keyOf(event)];
    if (by) board.points.cycle(moveInput.candidates, by);
  });
  return {
    board, moveInput,
    /**
     * Shows a position and waits for a turn. A later call wins.
     * @param {import("../../_types/messages").Path} path
    */
    async begin(path) {
      const asked = ++latest;
      arrows = [];
      end();
      const { views } = await rules.game(path);
      if (asked !== latest) return;
      board.motion.skip();
      await board.motion.idle;
      if (asked !== latest) return;
      board.pieces.show(views[0].points, views[0].removed);
      board.marks.showLast([]);
      board.arrows.show("best", []);
      still = false;
      moveInput.begin(views[0]);
    },
    /** Shows arrows before the turn. @param {import("../../../../../position/drawing/marks.js").Arrow[]} some */
    point(some) {
      arrows = some;
      draw();
    },
  };
}
