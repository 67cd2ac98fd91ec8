// The tutorial: small boards with one task each. The rules decide what is possible and what
// a turn has done. Progress is stored.

import { Board } from "../../board/board.js";
import { turnSteps } from "../../../../../position/drawing/rules.js";
import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { MoveInput, hints } from "../../board/moveinput.js";
import { BoardInput } from "../../board/pointer.js";
import { byId, html, keyOf, markup, setText } from "../../dom.js";
import { animates, saveSettings, settings } from "../../game/settings.js";
import { promptText } from "../../game/words.js";
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

const DIALOG = `
<dialog id="tutorial-dialog" class="tutorial" aria-labelledby="tutorial-title" data-testid="tutorial">
  <div id="tutorial-board" class="board" role="group" data-l10n="tutorial-board"></div>
  <div class="lesson">
    <details id="lesson-index" class="lesson-index"><summary id="lesson-at" data-testid="lesson-at"></summary><ol id="lessons" class="lessons" data-l10n="lessons"></ol></details>
    <h2 id="tutorial-title" tabindex="-1"></h2>
    <p id="lesson-say"></p>
    <p id="lesson-step" class="fine"></p>
    <p id="lesson-told" class="lesson-told" role="status" data-testid="lesson-told"></p>
    <div class="buttons left">
      <button type="button" id="lesson-next" class="main" data-testid="lesson-next" data-l10n="lesson-next"></button>
      <button type="button" id="lesson-hint" data-testid="lesson-hint" data-l10n="lesson-hint"></button>
      <button type="button" id="lesson-again" data-l10n="try-again"></button>
      <button type="button" data-close data-l10n="close"></button>
    </div>
  </div>
</dialog>`;

/**
 * Loads the lessons and creates the dialog.
 * @param {import("../../_types/page").Page} page
 */
export async function begin(page) {
  const text = await loadFile(new URL("lessons.json", import.meta.url));
  const lessons = JSON.parse(text);
  document.body.append(markup(DIALOG));
  const tutorial = new Tutorial(page, lessons);
  return { open: () => tutorial.open() };
}

/** The dialog. */
class Tutorial {
  #page;
  /** @type {Lesson[]} */
  #lessons;
  #practice;
  #at = 0;
  /** How often a lesson was shown; answers for an earlier showing are dropped. */
  #asked = 0;
  /** How many lessons are done, counted from the first. */
  #done = settings().tutorial ?? 0;

  constructor(page, lessons) {
    [this.#page, this.#lessons] = [page, lessons];
    this.#practice = new Practice(byId("tutorial-board"), page);
    this.#practice.addEventListener("turn", ({ detail }) => this.#entered(detail));
    this.#practice.addEventListener("change", () => this.#prompt());
    byId("lesson-next").addEventListener("click", () => this.#next());
    byId("lesson-again").addEventListener("click", () => this.#show(this.#at));
    byId("lesson-hint").addEventListener("click", () => this.#hint());
    byId("lessons").append(...lessons.map(({ id }, i) => html("li", {}, html("button", { type: "button", onclick: () => this.#show(i) }, t("lesson-number", { number: i + 1, title: t(`task-${id}`) })))));
    // Esc first takes a step back.
    byId("tutorial-dialog").addEventListener("cancel", (event) => {
      if (this.#practice.moveInput.open && this.#practice.moveInput.back()) event.preventDefault();
    });
  }

  /** Opens the dialog at the first lesson that is not done. */
  async open() {
    /** @type {HTMLDialogElement} */ (byId("tutorial-dialog")).showModal();
    byId("lesson-index").toggleAttribute("open", ROOM_FOR_INDEX.matches);
    await this.#show(this.#done < this.#lessons.length ? this.#done : 0);
  }

  get #lesson() {
    return this.#lessons[this.#at];
  }

  get #path() {
    return { rules: /** @type {const} */ ("standard"), start: this.#lesson.start, turns: [] };
  }

  async #show(at) {
    const asked = ++this.#asked;
    this.#at = at;
    const { id } = this.#lesson;
    setText(byId("tutorial-title"), t(`task-${id}`));
    setText(byId("lesson-at"), t("lesson-of", { number: at + 1, count: this.#lessons.length }));
    if (!ROOM_FOR_INDEX.matches) byId("lesson-index").removeAttribute("open");
    setText(byId("lesson-say"), t(`task-${id}.say`));
    setText(byId("lesson-step"), "");
    this.#report("", "");
    this.#practice.arrows = [];
    await this.#practice.begin(this.#path);
    if (asked !== this.#asked) return;
    this.#draw();
    this.#practice.board.points.focus();
  }

  #hint() {
    this.#report(t(`task-${this.#lesson.id}.hint`), "");
    this.#practice.arrows = arrowsOf(this.#lesson.turn);
    this.#practice.point();
  }

  // During a turn, the rules say what comes next.
  #prompt() {
    const { moveInput } = this.#practice;
    const { prefix, now } = moveInput;
    setText(byId("lesson-step"), prefix.length && now ? promptText(now.prompt, now.view.removed) : "");
  }

  async #entered(word) {
    const asked = this.#asked;
    const { id, goal, accept } = this.#lesson;
    const { turns, views } = await this.#page.rules.game({ ...this.#path, turns: [word] });
    if (asked !== this.#asked) return;
    const reached = goal === "stop" ? accept.includes(word) : GOALS[goal](turns[0].acts, views[1]);
    setText(byId("lesson-step"), "");
    if (reached) {
      this.#done = Math.max(this.#done, this.#at + 1);
      saveSettings({ tutorial: this.#done });
    }
    const last = this.#at === this.#lessons.length - 1;
    const done = [t(`task-${id}.done`), last && t("lessons-done")].filter(Boolean).join(" ");
    this.#report(reached ? done : t(`task-${id}.again`), reached ? "reached" : "missed");
    this.#draw();
    (reached ? byId("lesson-next") : byId("lesson-again")).focus();
  }

  #next() {
    if (this.#at + 1 < this.#lessons.length) this.#show(this.#at + 1);
    else /** @type {HTMLDialogElement} */ (byId("tutorial-dialog")).close();
  }

  #report(text, outcome) {
    setText(byId("lesson-told"), text);
    byId("lesson-told").dataset.outcome = outcome;
  }

  #draw() {
    const { outcome } = byId("lesson-told").dataset;
    byId("lesson-next").hidden = outcome !== "reached";
    setText(byId("lesson-next"), t(this.#at + 1 < this.#lessons.length ? "lesson-next" : "new-start"));
    byId("lesson-hint").hidden = outcome !== "";
    byId("lesson-again").hidden = outcome === "";
    byId("lesson-again").classList.toggle("main", outcome === "missed");
    [...byId("lessons").querySelectorAll("button")].forEach((button, i) => {
      button.classList.toggle("done", i < this.#done);
      if (i === this.#at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  }
}

// A board over the page for entering one turn in a position outside any game. The rules say
// what is possible; the caller judges the turn.

/**
 * Fires "turn" (detail: the turn) when a turn is complete and on the board, and "change"
 * when the next step changes.
 */
class Practice extends EventTarget {
  #rules;
  #boardInput;
  /** How many positions were requested; answers for earlier ones are dropped. */
  #asked = 0;
  /** Whether the board accepts no input. */
  #still = true;

  /**
   * @param {HTMLElement} root the container for the board
   * @param {import("../../_types/page").Page} page
  */
  constructor(root, { rules }) {
    super();
    this.#rules = rules;
    this.board = new Board(root, { motion: animates });
    this.moveInput = new MoveInput((/** @type {import("../../link/link.js").View} */ view, prefix) => turnSteps(view, view.rules, prefix));
    const { board, moveInput } = this;
    moveInput.addEventListener("step", ({ detail }) => {
      this.#clear();
      board.motion.play([detail]);
    });
    moveInput.addEventListener("change", () => this.#draw());
    moveInput.addEventListener("turn", ({ detail }) => this.#entered(detail));
    board.points.addEventListener("press", ({ detail }) => this.#press(detail, false));
    root.addEventListener("keydown", (event) => this.#key(event));
    this.#boardInput = new BoardInput({ board, moveInput, still: () => this.#still, press: (point, touch) => this.#press(point, touch), redraw: () => this.#draw() });
  }

  /**
   * Shows a position and waits for a turn. A later call wins.
   * @param {import("../../_types/messages").Path} path
  */
  async begin(path) {
    const asked = ++this.#asked;
    this.end();
    const { views } = await this.#rules.game(path);
    if (asked !== this.#asked) return;
    const { board } = this;
    board.motion.skip();
    await board.motion.idle;
    if (asked !== this.#asked) return;
    board.pieces.show(views[0].points, views[0].removed);
    board.marks.showLast([]);
    board.arrows.show("best", []);
    this.#still = false;
    this.moveInput.begin(views[0]);
  }

  /** Ends the input. */
  end() {
    this.#still = true;
    this.moveInput.end();
    this.#clear();
  }

  #press(point, touch) {
    this.board.motion.skip();
    if (this.#still || !point) return;
    this.moveInput.press(point, touch);
    this.#draw();
  }

  async #entered(word) {
    const asked = this.#asked;
    this.end();
    await this.board.motion.idle;
    if (asked !== this.#asked) return;
    this.dispatchEvent(new CustomEvent("turn", { detail: word }));
  }

  #key(event) {
    const by = { n: 1, p: -1 }[keyOf(event)];
    if (by) this.board.points.cycle(this.moveInput.candidates, by);
  }

  // Leave pieces alone while they move.
  async #draw() {
    const { board, moveInput } = this;
    if (!moveInput.now) return this.#clear();
    await board.motion.idle;
    if (this.#still || !moveInput.now) return undefined;
    board.pieces.show(moveInput.now.view.points, moveInput.now.view.removed);
    board.points.describe(moveInput.now.view.points, hints(moveInput));
    board.arrows.show("best", moveInput.prefix.length || moveInput.picked ? [] : this.arrows);
    board.marks.showTargets(moveInput.targets.map((step) => step.to));
    const rings = moveInput.kind === "move" || moveInput.kind === "ring" ? moveInput.candidates : [];
    board.marks.showRings(moveInput.picked && moveInput.kind === "move" ? [moveInput.picked] : rings, moveInput.picked, moveInput.kind === "ring");
    const rows = { all: moveInput.now.steps, choices: moveInput.choices, shown: this.#boardInput.row ?? moveInput.shownRow, chosen: moveInput.chosen, handles: board.roomForHandles };
    board.marks.showRows(moveInput.kind === "row" ? rows : null);
    this.dispatchEvent(new Event("change"));
    return undefined;
  }

  /** Arrows that show the task. @type {import("../../../../../position/drawing/marks.js").Arrow[]} */
  arrows = [];

  /** Redraws the arrows. */
  point() {
    this.#draw();
  }

  #clear() {
    const { marks } = this.board;
    marks.showHover(null);
    marks.showTargets([]);
    marks.showRings([], null, false);
    marks.showRows(null);
    this.board.arrows.show("best", []);
  }
}
