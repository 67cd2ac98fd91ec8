// The coach for games against an engine: hints on request and, if it is on, a question
// before a blunder is played. Hint gives hints, Guard asks, and Box shows their text.

import { parseTurn, stepsOf } from "../../../../../position/drawing/geometry.js";
import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { byId, html } from "../../dom.js";
import { isAgainstEngine, recordHelp } from "../../game/game.js";
import { moveName, moveOf, turnName } from "../../game/words.js";
import { dialogOpen } from "../../panels/dialogs.js";
import { chance } from "../../scores.js";
import { judge } from "../review/judge.js";
import { percent, t } from "../../language.js";
import { factsText } from "./facts.js";

/**
 * Creates the coach.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  const box = new Box(page.say, () => page.board.points.focus());
  const hint = new Hint(page, box);
  const guard = new Guard(page, box);
  return {
    /** Gives a hint, if one is possible. */
    open: () => hint.ask(),
    /** Decides whether an entered turn is played. @param {string} turn */
    mayPlay: (turn) => {
      hint.forget();
      return guard.mayPlay(turn);
    },
  };
}

// A hint in a game against an engine. The first request says where to look; the second
// shows the turn, with what the rules prove about it.

/** Nodes for the engine's search. */
const HINT_NODES = 150_000;

/** Shows one hint at a time, for the shown position. */
export class Hint {
  #page;
  #box;
  /** The number of the latest request; earlier ones are ignored. */
  #asked = 0;
  /** Ends the search, if there is one. */
  #end = () => {};
  /** The turn found for the shown position, or "". */
  #turn = "";
  /** Whether to show the turn, or only where to look. */
  #whole = false;

  /**
   * @param {import("../../_types/page").Page} page
   * @param {Box} box
  */
  constructor(page, box) {
    [this.#page, this.#box] = [page, box];
    for (const name of ["position", "game"]) page.controller.addEventListener(name, () => this.forget());
  }

  /** Whether a hint is possible: it is a person's turn against an engine. */
  get wanted() {
    const { state, moveInput } = this.#page;
    const { game } = state;
    return Boolean(game?.playing && game.hasEngine && state.atLive && moveInput.open);
  }

  /** Gives a hint, or the turn after one. */
  ask() {
    if (!this.wanted) return;
    if (this.#turn) {
      this.#whole = true;
      this.#report();
    } else {
      this.#search();
    }
  }

  #search() {
    const { state, analysis } = this.#page;
    const { game, node, view } = state;
    const asked = ++this.#asked;
    this.#end();
    recordHelp(this.#page, "hints");
    this.#box.show(t("hint-search"));
    const engine = game.players[view.side === "w" ? "b" : "w"].engine;
    // A separate game, so that the opponent's engine gains no knowledge from it.
    const fields = { engine, path: game.path(node), limits: { nodes: HINT_NODES }, multipv: 1, level: null, game: `hint ${game.id}` };
    const answered = (turn) => {
      if (asked !== this.#asked) return;
      this.#end();
      if (turn) this.#found(turn);
      else this.#box.show(t("engine-cannot-say"));
    };
    this.#end = analysis.borrow("think", fields, { best: ({ turn }) => answered(turn), failed: () => answered(""), quiet: true });
  }

  #found(turn) {
    this.#turn = turn;
    this.#whole = false;
    this.#report();
  }

  async #report() {
    const { state, moveInput, rules, board } = this.#page;
    const asked = this.#asked;
    const turn = this.#turn;
    if (!this.#whole) {
      const look = lookAt(turn, moveInput.prefix);
      if (look) {
        board.arrows.show("best", look.marks);
        this.#box.show(look.words, [{ id: "hint-turn", name: t("hint-show-turn"), act: () => this.ask(), main: true }]);
        return;
      }
    }
    const path = state.game.path(state.node);
    const { for: found } = await rules.why({ ...path, turns: [...path.turns, turn] }, turn).catch(() => ({ for: [] }));
    if (asked !== this.#asked) return;
    board.arrows.show("best", arrowsOf(turn));
    // The words of the turn name its rows.
    const facts = found.filter(({ kind }) => kind !== "takes-rows");
    const parts = [t("hint-turn", { turn: turnName(turn) }), factsText(facts), !lookAt(turn, moveInput.prefix) && t("hint-back")];
    this.#box.show(parts.filter(Boolean).join(" "));
  }

  /** Ends the hint that is shown or being searched for. */
  forget() {
    this.#asked++;
    this.#end();
    this.#turn = "";
    this.#box.hide();
  }
}

// The text and marks of a hint that does not show the turn yet.

/**
 * What to look at next on the way to a turn.
 * @param {string} turn
 * @param {import("../../../../../position/drawing/rules.js").Step[]} prefix the steps of the turn already done
 * @returns {{words: string, marks: import("../../../../../position/drawing/marks.js").Arrow[]}|null} null if
 *   those steps lead to another turn
 */
export function lookAt(turn, prefix) {
  const steps = parseTurn(turn).flatMap(stepsOf);
  if (!prefix.every((step, i) => steps[i]?.matches(step))) return null;
  const next = steps[prefix.length];
  if (!next) return null;
  const [from, to] = next.text.replace(/^x/, "").split("-");
  switch (next.do) {
    case "place":
      return { words: t("look-at-point", { point: from }), marks: [{ from, to: from }] };
    case "move":
      return { words: t("look-at-ring", { point: from }), marks: [{ from, to: from }] };
    case "row":
      return { words: t("look-at-row", { first: from, last: to }), marks: [{ from, to, row: true }] };
    case "ring":
      return { words: t("look-at-paying-ring", { point: from }), marks: [{ from, to: from }] };
    default:
      return { words: t("look-at-pass"), marks: [] };
  }
}

// Asks before a blunder is played. A turn never waits for a missing engine, and the player
// can skip the wait.

/** Nodes, as in a review. */
const GUARD_NODES = 30_000;

/** When to show that the coach is looking, so that the player can skip it. */
const NOTICE_AFTER_MS = 600;

/** @typedef {import("../../_types/messages").VerdictView} Verdict */

const nothing = () => {};

/** Asks about one turn at a time. */
export class Guard {
  #page;
  #box;
  #noticeAfter;
  /** Cancels the question that is open or being prepared: the turn is not played. */
  #leave = nothing;

  /**
   * @param {import("../../_types/page").Page} page
   * @param {Box} box
   * @param {number} [noticeAfter] milliseconds
  */
  constructor(page, box, noticeAfter = NOTICE_AFTER_MS) {
    [this.#page, this.#box, this.#noticeAfter] = [page, box, noticeAfter];
    for (const name of ["game", "position", "live", "playing"]) page.controller.addEventListener(name, () => this.#leave());
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  /**
   * Decides whether an entered turn is played. Asks if it is a blunder in a game against an
   * engine.
   * @param {string} turn
   * @returns {Promise<boolean>}
  */
  async mayPlay(turn) {
    const { state, link } = this.#page;
    const { game } = state;
    if (!isAgainstEngine(game) || !game.playing || !state.atLive) return true;
    recordHelp(this.#page, "the coach");
    if (!link.connected) return true;
    let left = false;
    const found = await this.#unlessSkipped(turn, this.#find(turn), (leave) => {
      this.#leave = () => leave((left = true) && null);
    });
    this.#leave = nothing;
    if (left || !found) return !left;
    return this.#ask(turn, found);
  }

  // Resolves to a promise's value; or null if the player skips it, the connection is lost,
  // or something else comes onto the board.
  async #unlessSkipped(turn, found, leaving) {
    const { link } = this.#page;
    const ended = new AbortController();
    const skipped = new Promise((resolve) => {
      leaving(resolve);
      link.addEventListener("lost", () => resolve(null), { signal: ended.signal });
      const timer = setTimeout(() => {
        this.#box.show(t("coach-looks", { turn: moveName(turn) }), [{ id: "coach-skip", name: t("coach-skip"), act: () => resolve(null) }]);
      }, this.#noticeAfter);
      ended.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    const first = await Promise.race([found.promise, skipped]);
    ended.abort();
    found.stop();
    this.#box.hide();
    return first;
  }

  // Judges a turn. Resolves to the reasons if it is a blunder; null if not, or if the
  // engine fails.
  #find(turn) {
    const { analysis, state, rules } = this.#page;
    const { game, node, view } = state;
    const { engine } = game.players[view.side === "w" ? "b" : "w"];
    const judged = judge(analysis, engine, view, turn, GUARD_NODES, { game: game.id });
    const find = async () => {
      const verdict = await judged.verdict;
      if (verdict?.label !== "blunder") return null;
      const path = game.path(node);
      const why = await rules.why({ ...path, turns: [...path.turns, turn] }, verdict.best[0]).catch(() => null);
      return { verdict, reasons: why?.against ?? [] };
    };
    return { promise: find(), stop: judged.stop };
  }

  // The turn is a red arrow, and the engine's answer to it a blue one.
  #ask(turn, { verdict, reasons }) {
    const { arrows } = this.#page.board;
    return new Promise((resolve) => {
      const answer = (plays) => {
        this.#leave = nothing;
        for (const kind of /** @type {const} */ (["threat", "line"])) arrows.show(kind, []);
        this.#box.hide();
        this.#page.board.points.focus();
        resolve(plays);
      };
      this.#leave = () => answer(false);
      arrows.show("threat", arrowsOf(turn));
      arrows.show("line", verdict.reply ? arrowsOf(verdict.reply) : []);
      this.#box.show(blunderText(turn, verdict, reasons), [
        { id: "coach-back", name: t("take-back"), act: () => answer(false), main: true },
        { id: "coach-play", name: t("coach-play"), act: () => answer(true) },
      ]);
      this.#box.focus();
    });
  }

  // An open dialog handles Escape itself.
  #key(event) {
    if (event.key !== "Escape" || this.#leave === nothing || dialogOpen()) return;
    event.preventDefault();
    this.#leave();
  }
}

/** More reasons would hide the answer and the buttons on a phone. */
const MOST_REASONS = 2;

/**
 * The text about a blunder.
 * @param {string} turn
 * @param {Pick<Verdict, "before"|"after"|"reply">} verdict scores of the side that plays it
 * @param {import("../../_types/messages").Fact[]} reasons
 */
export function blunderText(turn, { before, after, reply }, reasons) {
  const loss = t("coach-blunder", { turn: moveName(turn), before: percent(chance(before)), after: percent(chance(after)) });
  const answer = reply && !reasons.some((reason) => reason.turn === reply) ? t("coach-reply", { turn: moveName(reply) }) : "";
  // What one move of the opponent does is one reason.
  const apart = reasons.filter(({ turn }, i) => !turn || i === reasons.findIndex((other) => moveOf(other.turn ?? "") === moveOf(turn)));
  return [loss, factsText(apart.slice(0, MOST_REASONS)), answer, t("coach-asks")].filter(Boolean).join(" ");
}

// Where the coach's text shows: in a card below the prompt, which stays.

/** The coach's text, with buttons for answers. It has no state besides being hidden. */
class Box {
  #say;
  #leave;
  #text = html("p", { id: "coach-said", "data-testid": "coach-said" });
  #buttons = html("div", { className: "buttons left" });
  #root = html("section", { id: "coach-box", className: "card coach-card", "aria-label": t("coach"), "data-testid": "coach-box", hidden: true }, this.#text, this.#buttons);

  /**
   * @param {(text: string) => void} say
   * @param {() => void} leave moves the focus to the board
  */
  constructor(say, leave) {
    [this.#say, this.#leave] = [say, leave];
    byId("prompt").parentElement.append(this.#root);
  }

  /**
   * Shows a text, reads it out, and offers actions.
   * @param {string} text
   * @param {Array<{id: string, name: string, act: () => void, main?: boolean}>} [buttons]
  */
  show(text, buttons = []) {
    const made = buttons.map(({ id, name, act, main }) => html("button", { id, className: main ? "main" : "", "data-testid": id, onclick: act }, name));
    this.#text.textContent = text;
    this.#replaceButtons(made);
    this.#buttons.hidden = !made.length;
    this.#root.hidden = false;
    this.#say(text);
  }

  /** Focuses the first button. */
  focus() {
    this.#buttons.querySelector("button")?.focus();
  }

  /** Clears the box. */
  hide() {
    this.#root.hidden = true;
    this.#text.textContent = "";
    this.#replaceButtons([]);
  }

  // If the focused button goes, focus the next one, or the board.
  #replaceButtons(made) {
    const focused = this.#buttons.contains(document.activeElement);
    this.#buttons.replaceChildren(...made);
    if (focused && made.length) this.focus();
    else if (focused) this.#leave();
  }
}
