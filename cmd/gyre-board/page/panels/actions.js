// The buttons of the game, the box for turns as text, and the page's keys.

import { parseTurn, stepsOf } from "../../../../position/drawing/geometry.js";
import { choicesText } from "../board/moveinput.js";
import { byId, keyOf, setAttribute, setText, show, targetOf } from "../dom.js";
import { other } from "../game/game.js";
import { whenChanged } from "../game/changes.js";
import { saveSettings, settings } from "../game/settings.js";
import { promptText } from "../game/words.js";
import { t } from "../language.js";
import { dialogOpen } from "./dialogs.js";

/** How long Resign waits for a second tap. */
const ARMED_MS = 4000;

/** Take back, replay, turn the board, pause, resign, and the box for turns. */
export class Actions {
  #page;
  /** Whether the next press of Resign resigns. */
  #armed = false;
  #disarming = 0;

  /** @param {import("../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    byId("take-back").addEventListener("click", () => this.takeBack());
    byId("replay").addEventListener("click", () => page.boardView.replay());
    byId("play-on").addEventListener("click", () => this.#pauseOrGoOn());
    byId("turn-board").addEventListener("click", () => this.turnBoard());
    addEventListener("settings", ({ detail }) => "mySide" in detail && this.#seat());
    this.#seat();
    page.controller.addEventListener("game", () => {
      byId("bar").inert = false; // before the first game there is nothing to do
      this.#seat();
    });
    byId("resign").addEventListener("click", () => this.#resign());
    byId("notation").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#enter(byId("turn-box").value);
    });
    byId("turn-box").addEventListener("input", () => (byId("turn-error").textContent = ""));
    whenChanged(page, () => this.#draw());
  }

  /** Rotates the board. Remembers it, unless the board rotates automatically. */
  turnBoard() {
    const turned = !this.#page.board.turned;
    if (this.#mySide === null) saveSettings({ turned });
    this.#drawTurned(turned);
  }

  // The side of a person who plays an engine and should be at the bottom.
  get #mySide() {
    const { w, b } = this.#page.controller.game?.players ?? { w: {}, b: {} };
    if (settings().mySide || w.kind === b.kind) return null;
    return w.kind === "person" ? "w" : "b";
  }

  #seat() {
    const mine = this.#mySide;
    this.#drawTurned(mine ? mine === "b" : (settings().turned ?? false));
  }

  #drawTurned(turned) {
    this.#page.board.turn(turned);
    byId("turn-board").setAttribute("aria-pressed", String(turned));
  }

  /** Takes the last turn back. */
  takeBack() {
    if (this.#page.moveInput.prefix.length) this.#page.moveInput.back();
    else if (this.#page.controller.canTakeBack) {
      this.#page.say(t("taken-back"));
      this.#page.controller.takeBack();
    }
  }

  #pauseOrGoOn() {
    if (this.#page.controller.game.playing) this.#page.controller.setPlaying(false);
    else this.#page.controller.playFrom(this.#page.controller.node);
  }

  // On a phone, a second tap confirms.
  #resign() {
    const { game } = this.#page.controller;
    if (game.remote) return this.#page.parts.open("remote", { do: "resign" });
    const touch = matchMedia("(pointer: coarse), (max-width: 620px)").matches;
    if (touch && !this.#armed) return this.#arm(true);
    this.#arm(false);
    const { w } = game.players;
    const person = w.kind === "person" && game.hasEngine ? "w" : game.hasEngine ? "b" : this.#page.play.view.side;
    this.#page.controller.go(game.live);
    this.#page.play.end(other(person), "resignation");
    // After a second tap, a notice would only cover the result.
    if (!touch) this.#page.controller.offerUndo(t("has-resigned", { side: person }), () => this.#page.controller.takeBack());
  }

  #arm(armed) {
    clearTimeout(this.#disarming);
    if (armed) this.#disarming = setTimeout(() => this.#arm(false), ARMED_MS);
    if (armed) this.#page.say(t("resign-again"));
    this.#armed = armed;
    const button = byId("resign");
    button.classList.toggle("armed", armed);
    setText(button.querySelector(".name"), t(armed ? "resign-again" : "resign"));
  }

  #draw() {
    const { game, view, node } = this.#page.controller;
    if (!game || !view) return;
    const over = view.over || Boolean(node.end);
    byId("bar").classList.toggle("over", this.#page.play.over);
    byId("take-back").toggleAttribute("disabled", !this.#page.controller.canTakeBack);
    byId("replay").toggleAttribute("disabled", node.ply === 0);
    const pause = byId("play-on");
    setText(pause.querySelector(".name"), t(game.playing ? "pause" : "play-on"));
    // Only the index knows the name under which the file of icons is served.
    const icon = pause.querySelector("use");
    setAttribute(icon, "href", icon.getAttribute("href").replace(/#.*/, game.playing ? "#i-pause" : "#i-play"));
    setAttribute(pause, "title", t(game.playing ? "pause-game" : "play-on-here"));
    show(pause, !game.remote && (game.hasEngine || game.clock) && (game.playing || !over));
    show(byId("resign"), game.playing && game.hasPerson && game.live.ply > 0);
    byId("turn-box").toggleAttribute("disabled", !this.#page.moveInput.open);
  }

  // Enters a turn from text step by step, as on the board. The first part can be typed and
  // the rest chosen on the board.
  #enter(text) {
    const error = byId("turn-error");
    error.textContent = "";
    const words = text.trim().split(";").filter((word) => word.trim());
    const read = parseTurn(text);
    if (!words.length || read.length < words.length) {
      error.textContent = t("not-a-turn", { text: words[read.length] ?? text });
      return;
    }
    for (const wanted of read.flatMap(stepsOf)) {
      const { now } = this.#page.moveInput;
      const step = now?.steps.find(wanted.matches);
      if (!step) {
        error.textContent = [t("not-possible-now", { text: wanted.text }), now && promptText(now.prompt, now.view.removed)].filter(Boolean).join(" ");
        return;
      }
      this.#page.moveInput.do(step);
    }
    byId("turn-box").value = "";
  }
}

// The keys of the page. On the board, the arrow keys walk between points (board.js); all
// others are here, and the help sheet lists every key.

/**
 * Listens to the keyboard.
 * @param {import("../_types/page").Page} page
 */
export function listenToKeys({ parts, board, controller, moveInput, boardView, turns, tabs, actions, analysis, threat, say, ownArrows }) {
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
    if (boardView.asking) boardView.asking.answer(false);
    else if (!moveInput.back() && controller.node.arrows.length) ownArrows.at(null);
  };
  // Inside an unfinished turn, stepping through the game would throw the turn away.
  const go = (where) => (moveInput.prefix.length || boardView.asking ? say(t("turn-unfinished")) : turns.go(where));
  const keys = {
    n: () => next(1),
    p: () => next(-1),
    m: () => say(choicesText(moveInput)),
    l: () => say(controller.lastTurnText || t("no-turn-played")),
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
    if (!action || !controller.game) return;
    event.preventDefault();
    action();
  });
}
