// The board's view of the game. It shows the controller's position and how it came
// about, lets the player enter a turn, and draws all hints.

import { boardInput } from "../board/pointer.js";
import { rowText } from "../board/moveinput.js";
import { nearest, place } from "../../../../position/drawing/geometry.js";
import { byId, targetOf } from "../dom.js";
import { t } from "../language.js";
import { settings } from "./settings.js";
import { promptText } from "./words.js";

/**
 * Shows the game on the board and listens to the user there.
 * @param {import("../_types/page").Page} page
 */
export function boardViewOf({ board, controller, moveInput, play, rules, say, state }) {
  const { marks, motion, pieces, points } = board;
  /** The number of the latest drawing. */
  let latest = 0;
  /** The turns whose outcome is previewed, or null. @type {string[]|null} */
  let previewing = null;
  /** A press that waits until the turn being shown is on the board. */
  let pending = null;
  /** The choice of a row or a ring that the focus has followed. */
  let followed = "";

  /**
   * Handles a press on a point.
   * @param {string|null} point
   * @param {boolean} touch
   * @returns {import("../board/moveinput.js").Outcome}
  */
  const press = (point, touch) => {
    motion.skip();
    // Without a game yet, it waits for the first one.
    const waits = state.showing || !state.game;
    pending = waits && point ? { point, touch } : null;
    if (waits) return "waiting";
    const outcome = moveInput.press(point, touch);
    if (!point) return outcome;
    if (outcome === "confirm") say(t("confirm-ring", { point }));
    // The prompt is read out first, once all changes are made.
    if (outcome === "picked") queueMicrotask(() => say(t("picked-point", { point, count: moveInput.targets.length })));
    if (outcome === "chosen" || outcome === "narrowed") sayRow();
    if (outcome === "wrong") say(promptText(moveInput.now.prompt, moveInput.now.view.removed));
    if (outcome === "wrong" || state.lookingBack) answerWrong();
    return outcome;
  };

  // A meaningless press is answered where the prompt is.
  const answerWrong = () => {
    byId("prompt").classList.remove("asks");
    void byId("prompt").offsetWidth;
    byId("prompt").classList.add("asks");
  };

  /** Gives the board the focus, and there the row or the ring to choose. */
  const focusBoard = () => {
    points.focus();
    followed = "";
    followChoice();
  };

  /** Reads out the shown row. */
  const sayRow = () => {
    const { choices, cursor, shownRow } = moveInput;
    if (shownRow) say(rowText(shownRow, cursor, choices.length));
  };

  /** Animates the last turn again. */
  const replay = () => {
    const { node } = state;
    if (node.parent && state.lastTurn) playLast();
  };

  /**
   * Previews the position after a line of turns, or shows the current position again.
   * @param {string[]|null} turns
  */
  const preview = async (turns) => {
    previewing = turns;
    if (!turns) return draw();
    const { game, node } = state;
    const path = game.path(node);
    const reply = await rules.game({ ...path, turns: [...path.turns, ...turns] }).catch(() => null);
    if (!reply || previewing !== turns) return;
    latest++;
    state.change({ showing: false });
    motion.skip();
    await motion.idle;
    if (previewing !== turns) return;
    marks.clearHints();
    const view = reply.views.at(-1);
    pieces.show(view.points, view.removed);
    marks.showLast(reply.turns.at(-1).acts);
  };

  const opened = () => {
    moveInput.end();
    motion.skip();
    board.showTrays(state.game.rules === "blitz" ? 1 : 3);
  };

  // The steps of an entered turn are on the board already; other turns are animated.
  const shown = (from, entered) => {
    const { node, lastTurn } = state;
    previewing = null;
    if (entered) draw(false);
    else if (from && node.parent === from && lastTurn) playLast();
    else draw();
    // Where the player looks back, and after a turn was taken back, other words say so.
    const takenBack = state.game.playing && from && node.ply < from.ply;
    if (lastTurn && from && !takenBack && !state.lookingBack) say(state.lastTurnText);
    offer();
  };

  const playLast = async () => {
    const { node, reply, lastTurn } = state;
    motion.skip();
    const drawn = ++latest;
    state.change({ showing: true });
    marks.clearHints();
    await motion.idle;
    if (drawn !== latest) return;
    const before = reply.views[node.ply - 1];
    pieces.show(before.points, before.removed);
    marks.showLast([]);
    await motion.play(lastTurn.acts);
    if (drawn === latest) draw();
  };

  // Draws the shown position, at once or after the current animation. The pieces are
  // left alone until no animation changes them.
  const draw = async (atOnce = true) => {
    const drawn = ++latest;
    if (atOnce) motion.skip();
    await motion.idle;
    if (drawn !== latest) return;
    const { view, lastTurn, game, node } = state;
    state.change({ showing: false });
    const entered = moveInput.prefix.length && moveInput.now ? moveInput.now.view : view;
    if (entered) pieces.show(entered.points, entered.removed);
    const finding = game.playing ? null : node.finding;
    marks.showLast(moveInput.prefix.length ? [] : (lastTurn?.acts ?? []), finding ? finding.label || "fine" : null);
    drawHints();
    const pressed = pending;
    pending = null;
    // A press during the animation may only have meant to skip it.
    if (pressed && moveInput.pressable.has(pressed.point)) press(pressed.point, pressed.touch);
  };

  const offer = () => {
    const { view, prefix, mayEnter } = state;
    if (!mayEnter) moveInput.end();
    else moveInput.begin(view, prefix);
  };

  const inputChanged = () => {
    // A step that was taken back is not animated to its end; the turn before it is.
    const back = moveInput.prefix.length < state.prefix.length;
    if (moveInput.open) controller.keepPrefix(moveInput.prefix);
    followChoice();
    if (!state.showing && !previewing) {
      if (!moveInput.now) marks.clearHints();
      else draw(back);
    }
    // Arrows belong to the position before the turn being entered.
    board.root.classList.toggle("in-turn", moveInput.prefix.length > 0);
    state.change();
  };

  // With the keyboard, the focus moves to the row that can be removed, or to the nearest ring.
  const followChoice = () => {
    const { kind, open, prefix, shownRow, chosen, candidates } = moveInput;
    const choice = open && (kind === "row" || kind === "ring") ? `${kind} ${prefix.length}` : "";
    if (choice === followed) return;
    followed = choice;
    if (!choice || !points.focused) return;
    if (kind === "row") {
      // Of several rows, n and p choose one.
      if (!chosen) return;
      points.focus(shownRow.points[0]);
      say(t("row-enter", { first: shownRow.row[0], last: shownRow.row[1] }));
    } else {
      points.focus(nearestOf(points.current, candidates));
    }
  };

  const enter = async (turn) => {
    const { node, atLive } = state;
    state.change({ prefix: [] });
    moveInput.end();
    const may = !asksFirst() || (await confirmed(turn)) ? boardView.mayPlay(turn) : false;
    state.change({ entered: turn });
    const plays = may === true || (await may);
    state.change({ entered: "" });
    if (node !== state.node) return;
    if (!plays || !state.mayEnter) {
      offer();
      return draw();
    }
    const clock = atLive ? play.clockAfterTurn() : node.clock;
    await controller.play(node, turn, { entered: true, clock });
  };

  // Whether an entered turn must be confirmed.
  const asksFirst = () => {
    const { game } = state;
    const { confirm } = settings();
    return game.playing && (confirm === "always" || (confirm === "people" && !game.hasEngine));
  };

  // Asks whether to play a turn. Resolves to false if another position is shown meanwhile.
  const confirmed = (turn) => new Promise((resolve) => {
    const answer = (plays) => {
      state.change({ asking: null });
      resolve(plays);
    };
    state.change({ asking: { turn, answer } });
    say(t("ask-confirm"));
  });

  const still = () => state.showing || previewing !== null;
  const drawHints = () => input.drawHints((moveInput.now?.view ?? state.view)?.points ?? {});
  const input = boardInput({ board, moveInput, still, press, redraw: drawHints });

  controller.addEventListener("game", opened);
  controller.addEventListener("position", ({ detail }) => shown(detail.from, detail.entered));
  controller.addEventListener("playing", offer);
  for (const name of ["game", "position", "playing"]) controller.addEventListener(name, () => state.asking?.answer(false));
  // A click next to the board and the panels releases a picked ring.
  document.addEventListener("click", (event) => {
    if (targetOf(event)?.isConnected && !targetOf(event, ".board, aside, dialog, button, a, label")) moveInput.press(null, false);
  });
  moveInput.addEventListener("step", ({ detail }) => {
    marks.showLast([]);
    marks.clearHints();
    motion.play([detail]);
  });
  moveInput.addEventListener("change", inputChanged);
  moveInput.addEventListener("turn", ({ detail }) => enter(detail));
  // By the keyboard, a second Enter confirms a turn.
  points.addEventListener("press", ({ detail }) => (state.asking ? state.asking.answer(true) : press(detail, false)));
  const boardView = {
    press, focusBoard, sayRow, replay, preview,
    /** Decides whether an entered turn is played. @type {(turn: string) => boolean|Promise<boolean>} */
    mayPlay: () => true,
  };
  return boardView;
}

// The nearest of some points to a point.
function nearestOf(point, among) {
  const { x, y } = place(point);
  return nearest(x, y, Infinity, among) ?? point;
}
