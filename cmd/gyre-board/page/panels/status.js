// The status of the game. First, the prompt that says what to do; the steps of the current
// turn, or the last turn in words; and the buttons that remove a row or a ring, or pass.

import { stepsOfTurn, turnSteps } from "../../../../position/drawing/rules.js";
import { byId, html, setAttribute, setText, show } from "../dom.js";
import { Game, YOU } from "../game/game.js";
import { clockText, winnerOf } from "../game/play.js";
import { levelName, playerText, promptText, resultText, stepText, turnName, turnText } from "../game/words.js";
import { whenChanged } from "../game/changes.js";
import { sideName, t } from "../language.js";

/** @typedef {import("../_types/page").Page} Page */

const TITLE = document.title;

/**
 * What the prompt says.
 * @param {Page} page with an open game
 * @returns {string}
 */
export function promptOf({ boardView, controller, moveInput, play }) {
  const { game, node, view, lastTurnText } = controller;
  if (node.end) return resultText(node.end, view.removed);
  if (view.over) return t("over-result", { result: resultText(null, view.removed) });
  if (boardView.asking) return t("ask-confirm");
  if (moveInput.now) {
    const { kind, picked, side, now } = moveInput;
    const asks = kind === "move" && picked ? t("ask-target", { point: picked }) : promptText(now.prompt, now.view.removed);
    // Without an engine, "you" is clear.
    return t(game.playing && (game.hasEngine || game.ownSide) ? "prompt-your-turn" : "prompt-of-side", { side, prompt: asks });
  }
  if (boardView.entered) return turnText({ side: view.side, acts: stepsOfTurn(boardView.entered) });
  if (boardView.showing && lastTurnText) return lastTurnText;
  if (boardView.lookingBack) return lastTurnText ? t("looking-at-turn", { number: node.ply, words: lastTurnText }) : t("looking-at-start");
  const { side } = view;
  if (game.playing && game.players[side].kind === "remote") {
    const name = game.nameOf(side);
    if (!game.remote) return t("side-thinking", { side, engine: name });
    return name ? t("waiting-for-name", { side, name }) : t("waiting-for-side", { side });
  }
  if (game.playing && game.players[side].kind === "engine") {
    const { engine, level } = game.players[side];
    return play.failed ? t("side-engine-stopped", { side, engine: play.failed }) : t("side-thinking", { side, engine: level ? levelName(level) : engine });
  }
  return t("prompt-of-side", { side, prompt: promptText(turnSteps(view, view.rules, []).prompt, view.removed) });
}

// Whether a game against an engine or a person elsewhere waits for the turn of the person here.
function isMyTurn({ controller: { game }, moveInput }) {
  return game.playing && (game.hasEngine || game.ownSide !== null) && moveInput.open;
}

// The state of the board in one word.
function stateOf({ boardView, controller, moveInput, play }) {
  const { game, node, view } = controller;
  if (boardView.showing) return "showing";
  if (boardView.asking) return "confirm";
  if (moveInput.open) return moveInput.kind;
  if (view.over || node.end) return "over";
  if (game.playing && game.players[view.side].kind === "remote") return "theirs";
  return play.thinking ? "thinking" : "waiting";
}

/** Draws the prompt, the steps, the buttons, and the page's title. */
export class Prompt {
  #page;
  #text = html("span", { "data-testid": "prompt-text" }, byId("prompt").textContent);
  /** The last turn in words, until the next one begins. */
  #before = html("p", { className: "before", "data-testid": "turn-before" });
  #toLive;
  #playHere;
  #barFor = "";

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    const { controller, boardView } = page;
    this.#toLive = html("button", { "data-testid": "to-live", hidden: true, onclick: () => controller.go(controller.game.live) }, t("back-to-game"));
    this.#playHere = html("button", { "data-testid": "play-here", hidden: true, onclick: () => controller.playFrom(controller.node) }, t("play-on-here"));
    byId("prompt").replaceChildren(this.#text, " ", this.#toLive, this.#playHere);
    byId("strip").after(this.#before);
    whenChanged(page, () => this.#draw());
    // A meaningless press is answered where the prompt is.
    boardView.addEventListener("wrong", () => {
      byId("prompt").classList.remove("asks");
      void byId("prompt").offsetWidth;
      byId("prompt").classList.add("asks");
    });
  }

  #draw() {
    const { boardView, controller, moveInput } = this.#page;
    const { game, view } = controller;
    if (!game || !view) return;
    setText(this.#text, promptOf(this.#page));
    show(this.#toLive, boardView.lookingBack);
    show(this.#playHere, boardView.lookingBack && controller.canTakeBack);
    const steps = moveInput.prefix.map(stepText);
    const strip = byId("strip");
    setText(this.#before, steps.length || !moveInput.now ? "" : controller.lastTurnText);
    if (strip.childElementCount !== steps.length) strip.replaceChildren(...steps.map((text) => html("li", {}, text)));
    this.#drawBar();
    setAttribute(byId("board"), "data-state", stateOf(this.#page));
    const hint = byId("hint");
    show(hint, game.playing && game.hasEngine && !game.isWatched);
    const mine = isMyTurn(this.#page);
    hint.toggleAttribute("disabled", !mine);
    setText(document.querySelector("title"), mine ? `● ${t("your-turn")} – ${TITLE}` : TITLE);
    setAttribute(byId("board"), "data-ply", String(controller.node.ply));
  }

  #drawBar() {
    const bar = byId("choices");
    const { boardView: { asking }, moveInput } = this.#page;
    const buttons = [];
    let words = "";
    if (asking) {
      words = turnName(asking.turn);
      buttons.push(["confirm", t("confirm"), () => this.#page.boardView.asking.answer(true)], ["refuse", t("step-back"), () => this.#page.boardView.asking.answer(false)]);
    } else if (moveInput.kind === "row" && moveInput.shownRow) {
      const { row } = moveInput.shownRow;
      const count = moveInput.choices.length;
      words = count > 1 ? t("choice-row-of", { number: moveInput.cursor + 1, count, first: row[0], last: row[1] }) : t("choice-row", { first: row[0], last: row[1] });
      if (count > 1) {
        buttons.push(["row-previous", "‹", () => this.#turnTo(-1), t("previous-row")], ["row-next", "›", () => this.#turnTo(1), t("next-row")]);
      }
      buttons.push(["take", t("take"), () => moveInput.confirm(), t("take-row")]);
    } else if (moveInput.kind === "ring" && moveInput.picked) {
      words = t("choice-ring", { point: moveInput.picked });
      buttons.push(["take", t("take"), () => moveInput.confirm(), t("take-ring")]);
    } else if (moveInput.kind === "pass") {
      words = t("choice-pass");
      buttons.push(["pass", t("pass"), () => moveInput.do(moveInput.now.steps[0])]);
    }
    if (moveInput.prefix.length || (moveInput.picked && moveInput.kind !== "move")) buttons.push(["step-back", t("step-back"), () => moveInput.back()]);
    this.#fill(bar, words, buttons);
  }

  // Recreate the buttons only if they differ, so that the focus stays.
  #fill(bar, words, buttons) {
    const kind = buttons.map(([id]) => id).join(" ");
    if (kind !== this.#barFor) {
      this.#barFor = kind;
      const made = buttons.map(([id, text, onclick, label]) => {
        const main = ["take", "pass", "confirm"].includes(id) ? "main" : "";
        return html("button", { "data-testid": id, className: main, onclick, "aria-label": label }, text);
      });
      // The buttons of the last choice are gone; the focus goes to the board.
      if (bar.contains(document.activeElement)) this.#page.boardView.focusBoard();
      bar.replaceChildren(...(made.length ? [html("p", { "data-testid": "choice-text" }), ...made] : []));
    }
    if (bar.firstChild) setText(bar.firstChild, words);
  }

  #turnTo(by) {
    this.#page.moveInput.turnTo(by);
    this.#page.boardView.sayRow();
  }
}

// The two players, side by side: name, whose turn it is, rings won, and clock. Also the
// markers left.

const LOW_MS = 20000;

/** Draws and updates both players. */
export class Players {
  #page;
  #bars = {};

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    for (const side of ["w", "b"]) {
      const who = html("span", { className: "who", "data-testid": `name-${side}` });
      const won = html("span", { className: "pips", "data-testid": `won-${side}` });
      const clock = html("span", { className: "clock", role: "timer", "data-testid": `clock-${side}`, hidden: true });
      const root = byId(`player-${side}`);
      setText(who, sideName(side));
      const thinks = html("span", { className: "thinks", hidden: true }, t("thinking"));
      root.append(html("span", { className: `disc ${side}`, "aria-hidden": "true" }), who, html("span", { className: "won" }, won, thinks), clock);
      this.#bars[side] = { root, who, won, thinks, clock };
    }
    whenChanged(page, () => this.#draw());
    page.clocks.addEventListener("tick", () => this.#drawClocks());
  }

  #draw() {
    const { game } = this.#page.controller;
    // During a turn, the steps done so far count.
    const view = this.#page.moveInput.now?.view ?? this.#page.controller.view;
    if (!game || !view) return;
    const need = game.rules === "blitz" ? 1 : 3;
    for (const side of ["w", "b"]) {
      const { root, who, won, thinks } = this.#bars[side];
      root.classList.toggle("to-move", !view.over && !this.#page.controller.node.end && view.side === side);
      const name = game.nameOf(side);
      drawName(who, sideName(side), game.ownSide === side && name !== YOU ? t("name-you", { name }) : name);
      const rings = view.removed[side === "w" ? 0 : 1];
      drawRings(won, rings, need);
      show(thinks, this.#page.play.thinking === side);
    }
    setText(byId("pool"), String(view.pool));
    setText(byId("pool-text"), t("markers-left", { count: view.pool }));
    this.#drawClocks();
  }

  // An earlier position shows the clocks of that moment.
  #drawClocks() {
    const { game, node, atLive } = this.#page.controller;
    const left = (atLive || game?.playing ? this.#page.clocks.left : null) ?? node?.clock;
    for (const side of ["w", "b"]) {
      const { clock } = this.#bars[side];
      show(clock, left);
      if (!left) continue;
      setText(clock, clockText(left[side]));
      clock.setAttribute("aria-label", t("clock-of", { side, time: clockText(left[side]) }));
      clock.classList.toggle("runs", this.#page.clocks.running === side);
      clock.classList.toggle("low", left[side] < LOW_MS && this.#page.clocks.running !== side);
    }
  }
}

// The disc shows the side; on a phone, an engine's level is enough.
function drawName(root, side, name) {
  name = playerText(name);
  const text = name ? `${side}: ${name}` : side;
  if (root.textContent === text) return;
  const [engine, level] = name.split(", ");
  const short = level ? [html("span", { className: "engine-name" }, `${engine}, `), level] : [name];
  root.replaceChildren(...(name ? [html("span", { className: "unseen" }, `${side}: `), ...short] : [side]));
}

/**
 * Draws the rings that a side has won, and places for those it still needs.
 * @param {HTMLElement} root
 * @param {number} rings
 * @param {number} need the number that wins
 */
function drawRings(root, rings, need) {
  const text = t("rings-won", { rings, count: need });
  if (root.textContent === text) return;
  const pips = Array.from({ length: need }, (_, i) => html("span", { className: i < rings ? "pip got" : "pip", "aria-hidden": "true" }));
  root.replaceChildren(...pips, html("span", { className: "unseen" }, text));
  root.title = text;
}

// The panel at the end of a game: the result, the graph, and what to do next. The board shows the rings.

/** Offers its tab while the game is over, and shows it when the game ends. */
export class Ending {
  #page;
  /** Whether a person has lost to an engine or a person elsewhere. */
  #lost = false;
  /** The game seen last, and whether it was over. */
  #seen = { game: null, over: false };

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    whenChanged(page, () => this.#draw());
    byId("end-review").addEventListener("click", () => {
      page.tabs.show("review");
      page.parts.open("review", { now: true });
    });
    byId("end-rematch").addEventListener("click", () => this.#begin((players) => players));
    byId("end-other").addEventListener("click", () => this.#begin(({ w, b }) => ({ w: b, b: w })));
    byId("end-level").addEventListener("click", () => this.#begin((players) => this.#atNextLevel(players)));
  }

  #begin(change) {
    if (this.#page.controller.game.remote) return this.#page.parts.open("remote", { do: "rematch" });
    const { rules, players, clock, moveTime, start, tags } = this.#page.controller.game;
    this.#page.controller.open(new Game({ rules, players: change(players), clock, moveTime, start, tags: tags.filter(isChallenge) }));
  }

  // The level next to an engine player's, if there is one: an easier one after a loss of the person.
  #nextLevel({ kind, level }) {
    const { levels } = this.#page.link.hello;
    const at = levels.findIndex(({ name }) => name === level);
    return kind === "engine" && at >= 0 ? levels[at + (this.#lost ? -1 : 1)]?.name : undefined;
  }

  #atNextLevel(players) {
    const changed = (player) => ({ ...player, level: this.#nextLevel(player) ?? player.level });
    return { w: changed(players.w), b: changed(players.b) };
  }

  #draw() {
    const { controller: { game }, play } = this.#page;
    const { view } = play;
    if (!game || !view) return;
    const over = play.over && !game.passing;
    const ended = over && this.#seen.game === game && !this.#seen.over;
    this.#seen = { game, over };
    this.#page.tabs.offer("end", over);
    if (!over) return;
    if (ended) this.#page.tabs.show("end");
    const winner = winnerOf(game.live.end, view.removed);
    const yours = winner && (game.hasEngine || game.ownSide) && !game.isWatched;
    const youWin = yours && game.players[winner].kind === "person";
    this.#lost = Boolean(yours && !youWin);
    const [most, least] = view.removed.toSorted((a, b) => b - a);
    const yourResult = () => (youWin ? t("result-you-win", { most, least }) : t("result-you-lose", { most, least }));
    const resigned = this.#lost && game.hasEngine && game.live.end?.why === "resignation";
    setText(byId("end-result"), resigned ? t("result-you-resigned") : yours && !game.live.end ? yourResult() : resultText(game.live.end, view.removed));
    setText(byId("end-facts"), factsOf(game, view));
    byId("panel-end").classList.toggle("celebrates", Boolean(youWin));
    byId("end-disc").className = winner && `disc ${winner}`;
    this.#drawActions(game);
  }

  #drawActions({ players, hasEngine, remote, ownSide, isWatched, tags }) {
    const { w, b } = players;
    const challenge = tags.some(isChallenge);
    byId("end-challenge").hidden = !challenge;
    byId("end-review").className = challenge ? "" : "main";
    byId("end-moments").hidden = isWatched;
    byId("end-rematch").hidden = remote && !ownSide;
    const next = w.kind !== b.kind && !challenge ? this.#nextLevel(w.kind === "engine" ? w : b) : undefined;
    byId("end-level").hidden = !next;
    setText(byId("end-level"), next ? t(this.#lost ? "end-level-easier" : "end-level-named", { level: levelName(next) }) : "");
    byId("end-other").hidden = !hasEngine || challenge;
  }
}

// A game of a challenge has its link as a tag: see parts/challenge.
const isChallenge = ([name]) => name === "Challenge";

// The length of the game and its rules.
function factsOf({ live, rules }, { pool }) {
  return [t("turns", { count: live.ply }), t("facts-markers", { count: pool }), t(`rules-name-${rules}`)].join(" · ");
}
