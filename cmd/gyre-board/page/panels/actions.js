// The buttons of the game, the box for turns as text, and the page's keys.

import { parseTurn, stepsOf } from "../../../../position/drawing/geometry.js";
import { choicesText } from "../board/moveinput.js";
import { byId, keyOf, setAttribute, setText, show, targetOf } from "../dom.js";
import { other } from "../game/game.js";
import { saveSettings, settings } from "../game/settings.js";
import { promptText } from "../game/words.js";
import { t } from "../language.js";
import { dialogOpen } from "./dialogs.js";

/** How long Resign waits for a second tap. */
const ARMED_MS = 4000;

/**
 * Take back, replay, turn the board, pause, resign, and the box for turns.
 * @param {import("../_types/page").Page} page
 */
export function actionsOf({ state, controller, board, boardView, moveInput, notices, parts, play, say }) {
  // Whether the next press of Resign resigns.
  let armed = false;
  let disarming = 0;
  // The side of a person who plays an engine and should be at the bottom.
  const mySide = () => {
    const { w, b } = state.game?.players ?? { w: {}, b: {} };
    if (settings().mySide || w.kind === b.kind) return null;
    return w.kind === "person" ? "w" : "b";
  };
  const drawTurned = (turned) => {
    board.turn(turned);
    byId("turn-board").setAttribute("aria-pressed", String(turned));
  };
  const seat = () => drawTurned(mySide() ? mySide() === "b" : (settings().turned ?? false));
  const arm = (arms) => {
    clearTimeout(disarming);
    if (arms) disarming = setTimeout(() => arm(false), ARMED_MS);
    if (arms) say(t("resign-again"));
    armed = arms;
    const button = byId("resign");
    button.classList.toggle("armed", armed);
    setText(button.querySelector(".name"), t(armed ? "resign-again" : "resign"));
  };
  /** Rotates the board. Remembers it, unless the board rotates automatically. */
  const turnBoard = () => {
    const turned = !board.turned;
    if (mySide() === null) saveSettings({ turned });
    drawTurned(turned);
  };
  /** Takes the last turn back. */
  const takeBack = () => {
    if (moveInput.prefix.length) moveInput.back();
    else if (state.canTakeBack) {
      say(t("taken-back"));
      controller.takeBack();
    }
  };
  // On a phone, a second tap confirms.
  const resign = () => {
    const { game } = state;
    if (game.remote) return parts.open("remote", { do: "resign" });
    const touch = matchMedia("(pointer: coarse), (max-width: 620px)").matches;
    if (touch && !armed) return arm(true);
    arm(false);
    const { w } = game.players;
    const person = w.kind === "person" && game.hasEngine ? "w" : game.hasEngine ? "b" : state.liveView.side;
    controller.go(game.live);
    play.end(other(person), "resignation");
    // After a second tap, a notice would only cover the result.
    if (!touch) notices.offerUndo(t("has-resigned", { side: person }), () => controller.takeBack());
  };
  // Enters a turn from text step by step, as on the board. The first part can be typed and
  // the rest chosen on the board. Returns what is wrong with it.
  const enter = (text) => {
    const words = text.trim().split(";").filter((word) => word.trim());
    const read = parseTurn(text);
    if (!words.length || read.length < words.length) return t("not-a-turn", { text: words[read.length] ?? text });
    for (const wanted of read.flatMap(stepsOf)) {
      const { now } = moveInput;
      const step = now?.steps.find(wanted.matches);
      if (!step) return [t("not-possible-now", { text: wanted.text }), now && promptText(now.prompt, now.view.removed)].filter(Boolean).join(" ");
      moveInput.do(step);
    }
    byId("turn-box").value = "";
    return "";
  };
  const clicks = {
    "take-back": takeBack,
    replay: () => boardView.replay(),
    "play-on": () => (state.game.playing ? controller.setPlaying(false) : controller.playFrom(state.node)),
    "turn-board": turnBoard,
    resign,
  };
  for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
  byId("notation").addEventListener("submit", (event) => {
    event.preventDefault();
    byId("turn-error").textContent = enter(byId("turn-box").value);
  });
  byId("turn-box").addEventListener("input", () => (byId("turn-error").textContent = ""));
  addEventListener("settings", ({ detail }) => "mySide" in detail && seat());
  seat();
  controller.addEventListener("game", () => {
    byId("bar").inert = false; // before the first game there is nothing to do
    seat();
  });
  state.whenChanged(() => {
    const { game, view, node } = state;
    if (!game || !view) return;
    byId("bar").classList.toggle("over", state.over);
    byId("take-back").toggleAttribute("disabled", !state.canTakeBack);
    byId("replay").toggleAttribute("disabled", node.ply === 0);
    const pause = byId("play-on");
    setText(pause.querySelector(".name"), t(game.playing ? "pause" : "play-on"));
    // Only the index knows the name under which the file of icons is served.
    const icon = pause.querySelector("use");
    setAttribute(icon, "href", icon.getAttribute("href").replace(/#.*/, game.playing ? "#i-pause" : "#i-play"));
    setAttribute(pause, "title", t(game.playing ? "pause-game" : "play-on-here"));
    show(pause, !game.remote && (game.hasEngine || game.clock) && (game.playing || !(view.over || node.end)));
    show(byId("resign"), game.playing && game.hasPerson && game.live.ply > 0);
    byId("turn-box").toggleAttribute("disabled", !moveInput.open);
  });
  return { turnBoard, takeBack };
}

// The keys of the page. On the board, the arrow keys walk between points (board.js); all
// others are here, and the help sheet lists every key.

/**
 * Listens to the keyboard.
 * @param {import("../_types/page").Page} page
 */
export function listenToKeys({ parts, board, state, moveInput, boardView, turns, tabs, actions, analysis, threat, say, ownArrows }) {
  const cycle = (by) => {
    if (moveInput.kind === "row") {
      moveInput.turnTo(by);
      board.points.focus(moveInput.shownRow.points[0]);
      boardView.sayRow();
    } else if (moveInput.kind === "pass") {
      byId("choices").querySelector("button")?.focus();
    } else {
      board.points.cycle(moveInput.candidates, by);
    }
  };
  // During a turn these keys step through choices, otherwise through a review's mistakes.
  const next = (by) => {
    if (board.points.focused || !turns.goToMistake(by)) cycle(by);
  };
  const back = () => {
    if (state.asking) state.asking.answer(false);
    else if (!moveInput.back() && state.node.arrows.length) ownArrows.at(null);
  };
  // Inside an unfinished turn, stepping through the game would throw the turn away.
  const go = (where) => (moveInput.prefix.length || state.asking ? say(t("turn-unfinished")) : turns.go(where));
  const keys = {
    n: () => next(1),
    p: () => next(-1),
    m: () => say(choicesText(moveInput)),
    l: () => say(state.lastTurnText || t("no-turn-played")),
    r: () => boardView.replay(),
    u: () => actions.takeBack(),
    f: () => actions.turnBoard(),
    h: () => byId("hint").click(),
    a: () => {
      tabs.show("analysis");
      analysis.toggle();
    },
    t: () => {
      tabs.show("analysis");
      threat.toggle();
    },
    d: () => ownArrows.at(board.points.current),
    g: () => board.points.focus(),
    i: () => {
      tabs.show("turns");
      byId("turn-box").focus();
    },
    "?": () => parts.open("help"),
    Escape: back,
    Backspace: back,
    ",": () => go("back"),
    ".": () => go("forward"),
    ArrowLeft: () => go("back"),
    ArrowRight: () => go("forward"),
    ArrowUp: () => go("up"),
    ArrowDown: () => go("down"),
    Home: () => go("first"),
    End: () => go("last"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || dialogOpen()) return;
    if (targetOf(event, "textarea, select, input:not([type=checkbox])")) {
      if (event.key === "Escape") board.points.focus();
      return;
    }
    const key = keyOf(event);
    // Shift writes letters and signs; with other keys it belongs to the browser.
    if (event.shiftKey && key.length > 1) return;
    const action = keys[key];
    if (!action || !state.game) return;
    event.preventDefault();
    action();
  });
}
