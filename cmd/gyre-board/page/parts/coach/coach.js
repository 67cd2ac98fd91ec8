// The coach for games against an engine: hints on request and, if it is on, a question
// before a blunder is played.

import { parseTurn, stepsOf } from "../../../../../position/drawing/geometry.js";
import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { byId, html } from "../../dom.js";
import { isAgainstEngine, other, recordHelp } from "../../game/game.js";
import { moveName, moveOf, turnName } from "../../game/words.js";
import { dialogOpen } from "../../panels/dialogs.js";
import { chance } from "../../scores.js";
import { judgeOf } from "../review/judge.js";
import { percent, t } from "../../language.js";
import { factsText } from "./facts.js";

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  const box = boxOf(page);
  const hint = hintOf(page, box);
  const guard = guardOf(page, box);
  return {
    /** Gives a hint, if one is possible. */
    open: hint.ask,
    /** Decides whether an entered turn is played. @param {string} turn */
    mayPlay: (turn) => {
      hint.forget();
      return guard.mayPlay(turn);
    },
  };
}

/** @typedef {ReturnType<typeof boxOf>} Box */

// A hint in a game against an engine. The first request says where to look; the second
// shows the turn, with what the rules prove about it.

/** Nodes for the engine's search. */
const HINT_NODES = 150_000;

/**
 * Shows one hint at a time, for the shown position.
 * @param {import("../../_types/page").Page} page
 * @param {Box} box
 */
export function hintOf(page, box) {
  const { analysis, board, controller, moveInput, rules, state } = page;
  /** The number of the latest request; earlier ones are ignored. */
  let latest = 0;
  /** Ends the search, if there is one. */
  let end = () => {};
  /** The turn found for the shown position, or "". */
  let found = "";

  /** Gives a hint, or the turn after one, if it is a person's turn against an engine. */
  const ask = () => {
    const { game } = state;
    if (!game?.playing || !game.hasEngine || !state.atLive || !moveInput.open) return;
    if (found) showTurn();
    else search();
  };

  const search = () => {
    const { game, node, view } = state;
    const asked = ++latest;
    end();
    recordHelp(page, "hints");
    box.show(t("hint-search"));
    // A separate game, so that the opponent's engine gains no knowledge from it.
    const fields = { engine: game.players[other(view.side)].engine, path: game.path(node), limits: { nodes: HINT_NODES }, multipv: 1, level: null, game: `hint ${game.id}` };
    const answered = (turn) => {
      if (asked !== latest) return;
      end();
      found = turn;
      if (turn) showLook();
      else box.show(t("engine-cannot-say"));
    };
    end = analysis.borrow("think", fields, { best: ({ turn }) => answered(turn), failed: () => answered(""), quiet: true });
  };

  const showLook = () => {
    const look = lookAt(found, moveInput.prefix);
    if (!look) return showTurn();
    board.arrows.show("best", look.marks);
    return box.show(look.words, [{ id: "hint-turn", name: t("hint-show-turn"), act: ask, main: true }]);
  };

  const showTurn = async () => {
    const asked = latest;
    const turn = found;
    const path = state.game.path(state.node);
    const { for: all } = await rules.why({ ...path, turns: [...path.turns, turn] }, turn).catch(() => ({ for: [] }));
    if (asked !== latest) return;
    board.arrows.show("best", arrowsOf(turn));
    // The words of the turn name its rows.
    const facts = all.filter(({ kind }) => kind !== "takes-rows");
    const parts = [t("hint-turn", { turn: turnName(turn) }), factsText(facts), !lookAt(turn, moveInput.prefix) && t("hint-back")];
    box.show(parts.filter(Boolean).join(" "));
  };

  /** Ends the hint that is shown or being searched for. */
  const forget = () => {
    latest++;
    end();
    found = "";
    box.hide();
  };

  for (const name of ["position", "game"]) controller.addEventListener(name, forget);
  return { ask, forget };
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

/**
 * Asks about one turn at a time.
 * @param {import("../../_types/page").Page} page
 * @param {Box} box
 * @param {number} [noticeAfter] milliseconds
 */
export function guardOf(page, box, noticeAfter = NOTICE_AFTER_MS) {
  const { board: { arrows, points }, controller, link, rules, state } = page;
  const { judge, stop } = judgeOf(page.analysis);
  /** Cancels the question that is open or being prepared: the turn is not played. */
  let leave = nothing;

  /**
   * Decides whether an entered turn is played. Asks if it is a blunder in a game against an
   * engine.
   * @param {string} turn
   * @returns {Promise<boolean>}
  */
  const mayPlay = async (turn) => {
    const { game } = state;
    if (!isAgainstEngine(game) || !game.playing || !state.atLive) return true;
    recordHelp(page, "the coach");
    if (!link.connected) return true;
    let left = false;
    const found = await unlessSkipped(turn, find(turn), (skip) => {
      leave = () => skip((left = true) && null);
    });
    leave = nothing;
    if (left || !found) return !left;
    return ask(turn, found);
  };

  // Resolves to a promise's value; or null if the player skips it, the connection is lost,
  // or something else comes onto the board.
  const unlessSkipped = async (turn, promise, leaving) => {
    const ended = new AbortController();
    const skipped = new Promise((resolve) => {
      leaving(resolve);
      link.addEventListener("lost", () => resolve(null), { signal: ended.signal });
      const timer = setTimeout(() => {
        box.show(t("coach-looks", { turn: moveName(turn) }), [{ id: "coach-skip", name: t("coach-skip"), act: () => resolve(null) }]);
      }, noticeAfter);
      ended.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    const first = await Promise.race([promise, skipped]);
    ended.abort();
    stop();
    box.hide();
    return first;
  };

  // Judges a turn. Resolves to the reasons if it is a blunder; null if not, or if the
  // engine fails.
  const find = async (turn) => {
    const { game, node, view } = state;
    const verdict = await judge(game.players[other(view.side)].engine, view, turn, GUARD_NODES, { game: game.id });
    if (verdict?.label !== "blunder") return null;
    const path = game.path(node);
    const why = await rules.why({ ...path, turns: [...path.turns, turn] }, verdict.best[0]).catch(() => null);
    return { verdict, reasons: why?.against ?? [] };
  };

  // The turn is a red arrow, and the engine's answer to it a blue one.
  const ask = (turn, { verdict, reasons }) => new Promise((resolve) => {
    const answer = (plays) => {
      leave = nothing;
      for (const kind of /** @type {const} */ (["threat", "line"])) arrows.show(kind, []);
      box.hide();
      points.focus();
      resolve(plays);
    };
    leave = () => answer(false);
    arrows.show("threat", arrowsOf(turn));
    arrows.show("line", verdict.reply ? arrowsOf(verdict.reply) : []);
    box.show(blunderText(turn, verdict, reasons), [
      { id: "coach-back", name: t("take-back"), act: () => answer(false), main: true },
      { id: "coach-play", name: t("coach-play"), act: () => answer(true) },
    ]);
    box.focus();
  });

  for (const name of ["game", "position", "live", "playing"]) controller.addEventListener(name, () => leave());
  document.addEventListener("keydown", (event) => {
    // An open dialog handles Escape itself.
    if (event.key !== "Escape" || leave === nothing || dialogOpen()) return;
    event.preventDefault();
    leave();
  }, { capture: true });
  return { mayPlay };
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

/**
 * The coach's text, with buttons for answers.
 * @param {import("../../_types/page").Page} page
 */
function boxOf({ board, say }) {
  const words = html("p", { id: "coach-said", "data-testid": "coach-said" });
  const row = html("div", { className: "buttons left" });
  const root = html("section", { id: "coach-box", className: "card coach-card", "aria-label": t("coach"), "data-testid": "coach-box", hidden: true }, words, row);
  byId("prompt").parentElement.append(root);

  /** Focuses the first button. */
  const focus = () => row.querySelector("button")?.focus();

  // If the focused button goes, focus the next one, or the board.
  const fill = (text, made) => {
    const focused = row.contains(document.activeElement);
    words.textContent = text;
    row.replaceChildren(...made);
    if (focused && made.length) focus();
    else if (focused) board.points.focus();
  };

  return {
    focus,
    /**
     * Shows a text, reads it out, and offers actions.
     * @param {string} text
     * @param {Array<{id: string, name: string, act: () => void, main?: boolean}>} [buttons]
    */
    show(text, buttons = []) {
      fill(text, buttons.map(({ id, name, act, main }) => html("button", { id, className: main ? "main" : "", "data-testid": id, onclick: act }, name)));
      row.hidden = !buttons.length;
      root.hidden = false;
      say(text);
    },
    /** Clears the box. */
    hide() {
      root.hidden = true;
      fill("", []);
    },
  };
}
