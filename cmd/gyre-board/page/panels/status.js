// The status of the game. First, the prompt that says what to do; the steps of the current
// turn, or the last turn in words; and the buttons that remove a row or a ring, or pass.

import { stepsOfTurn, turnSteps } from "../../../../position/drawing/rules.js";
import { byId, html, setAttribute, setText, show } from "../dom.js";
import { Game, YOU } from "../game/game.js";
import { clockText, winnerOf } from "../game/play.js";
import { levelName, playerText, promptText, resultText, stepText, turnName, turnText } from "../game/words.js";
import { sideName, t } from "../language.js";

/** @typedef {import("../_types/page").Page} Page */

const TITLE = document.title;

/**
 * What the prompt says.
 * @param {Page} page with an open game
 */
export function promptOf({ state, moveInput }) {
  const { game, node, view, lastTurnText } = state;
  if (node.end) return resultText(node.end, view.removed);
  if (view.over) return t("over-result", { result: resultText(null, view.removed) });
  if (state.asking) return t("ask-confirm");
  if (moveInput.now) {
    const { kind, picked, side, now } = moveInput;
    const asks = kind === "move" && picked ? t("ask-target", { point: picked }) : promptText(now.prompt, now.view.removed);
    // Without an engine, "you" is clear.
    return t(game.playing && (game.hasEngine || game.ownSide) ? "prompt-your-turn" : "prompt-of-side", { side, prompt: asks });
  }
  if (state.entered) return turnText({ side: view.side, acts: stepsOfTurn(state.entered) });
  if (state.showing && lastTurnText) return lastTurnText;
  if (state.lookingBack) return lastTurnText ? t("looking-at-turn", { number: node.ply, words: lastTurnText }) : t("looking-at-start");
  const { side } = view;
  if (game.playing && game.players[side].kind === "remote") {
    const name = game.nameOf(side);
    if (!game.remote) return t("side-thinking", { side, engine: name });
    return name ? t("waiting-for-name", { side, name }) : t("waiting-for-side", { side });
  }
  if (game.playing && game.players[side].kind === "engine") {
    const { engine, level } = game.players[side];
    return state.failed ? t("side-engine-stopped", { side, engine: state.failed }) : t("side-thinking", { side, engine: level ? levelName(level) : engine });
  }
  return t("prompt-of-side", { side, prompt: promptText(turnSteps(view, view.rules, []).prompt, view.removed) });
}

// Whether a game against an engine or a person elsewhere waits for the turn of the person here.
function isMyTurn({ state: { game }, moveInput }) {
  return game.playing && (game.hasEngine || game.ownSide !== null) && moveInput.open;
}

// The state of the board in one word.
function stateOf({ state, moveInput }) {
  const { game, node, view } = state;
  if (state.showing) return "showing";
  if (state.asking) return "confirm";
  if (moveInput.open) return moveInput.kind;
  if (view.over || node.end) return "over";
  if (game.playing && game.players[view.side].kind === "remote") return "theirs";
  return state.thinking ? "thinking" : "waiting";
}

/**
 * Shows the prompt, the steps, the buttons, and the page's title.
 * @param {Page} page
 */
export function showPrompt(page) {
  const { state, controller, moveInput } = page;
  const text = html("span", { "data-testid": "prompt-text" }, byId("prompt").textContent);
  // The last turn in words, until the next one begins.
  const before = html("p", { className: "before", "data-testid": "turn-before" });
  const toLive = html("button", { "data-testid": "to-live", hidden: true, onclick: () => controller.go(state.game.live) }, t("back-to-game"));
  const playHere = html("button", { "data-testid": "play-here", hidden: true, onclick: () => controller.playFrom(state.node) }, t("play-on-here"));
  byId("prompt").replaceChildren(text, " ", toLive, playHere);
  byId("strip").after(before);
  const drawBar = choicesBar(page);
  state.whenChanged(() => {
    const { game, view } = state;
    if (!game || !view) return;
    setText(text, promptOf(page));
    show(toLive, state.lookingBack);
    show(playHere, state.lookingBack && state.canTakeBack);
    const steps = moveInput.prefix.map(stepText);
    const strip = byId("strip");
    setText(before, steps.length || !moveInput.now ? "" : state.lastTurnText);
    if (strip.childElementCount !== steps.length) strip.replaceChildren(...steps.map((step) => html("li", {}, step)));
    drawBar();
    setAttribute(byId("board"), "data-state", stateOf(page));
    const hint = byId("hint");
    show(hint, game.playing && game.hasEngine && !game.isWatched);
    const mine = isMyTurn(page);
    hint.toggleAttribute("disabled", !mine);
    setText(document.querySelector("title"), mine ? `● ${t("your-turn")} – ${TITLE}` : TITLE);
    setAttribute(byId("board"), "data-ply", String(state.node.ply));
  });
}

// What confirms, removes a row or a ring, or passes. Returns what draws it.
function choicesBar({ state, boardView, moveInput }) {
  const bar = byId("choices");
  let drawn = "";
  const turnTo = (by) => {
    moveInput.turnTo(by);
    boardView.sayRow();
  };
  return () => {
    const { asking } = state;
    const buttons = [];
    let words = "";
    if (asking) {
      words = turnName(asking.turn);
      buttons.push(["confirm", t("confirm"), () => state.asking.answer(true)], ["refuse", t("step-back"), () => state.asking.answer(false)]);
    } else if (moveInput.kind === "row" && moveInput.shownRow) {
      const { row } = moveInput.shownRow;
      const count = moveInput.choices.length;
      words = count > 1 ? t("choice-row-of", { number: moveInput.cursor + 1, count, first: row[0], last: row[1] }) : t("choice-row", { first: row[0], last: row[1] });
      if (count > 1) buttons.push(["row-previous", "‹", () => turnTo(-1), t("previous-row")], ["row-next", "›", () => turnTo(1), t("next-row")]);
      buttons.push(["take", t("take"), () => moveInput.confirm(), t("take-row")]);
    } else if (moveInput.kind === "ring" && moveInput.picked) {
      words = t("choice-ring", { point: moveInput.picked });
      buttons.push(["take", t("take"), () => moveInput.confirm(), t("take-ring")]);
    } else if (moveInput.kind === "pass") {
      words = t("choice-pass");
      buttons.push(["pass", t("pass"), () => moveInput.do(moveInput.now.steps[0])]);
    }
    if (moveInput.prefix.length || (moveInput.picked && moveInput.kind !== "move")) buttons.push(["step-back", t("step-back"), () => moveInput.back()]);
    // The buttons are made again only if they differ, so that the focus stays.
    const kind = buttons.map(([id]) => id).join(" ");
    if (kind !== drawn) {
      drawn = kind;
      const made = buttons.map(([id, text, onclick, label]) => {
        const main = ["take", "pass", "confirm"].includes(id) ? "main" : "";
        return html("button", { "data-testid": id, className: main, onclick, "aria-label": label }, text);
      });
      // The buttons of the last choice are gone; the focus goes to the board.
      if (bar.contains(document.activeElement)) boardView.focusBoard();
      bar.replaceChildren(...(made.length ? [html("p", { "data-testid": "choice-text" }), ...made] : []));
    }
    if (bar.firstElementChild) setText(bar.firstElementChild, words);
  };
}

// The two players, next to each other: name, whose turn it is, rings won, and clock. Also the
// markers left.

const LOW_MS = 20000;

/**
 * Shows both players.
 * @param {Page} page
 */
export function showPlayers({ state, moveInput, clocks }) {
  const bars = /** @type {const} */ (["w", "b"]).map((side) => {
    const who = html("span", { className: "who", "data-testid": `name-${side}` });
    const won = html("span", { className: "pips", "data-testid": `won-${side}` });
    const clock = html("span", { className: "clock", role: "timer", "data-testid": `clock-${side}`, hidden: true });
    const root = byId(`player-${side}`);
    setText(who, sideName(side));
    const thinks = html("span", { className: "thinks", hidden: true }, t("thinking"));
    root.append(html("span", { className: `disc ${side}`, "aria-hidden": "true" }), who, html("span", { className: "won" }, won, thinks), clock);
    return { side, root, who, won, thinks, clock };
  });
  // An earlier position shows the clocks of that moment.
  const drawClocks = () => {
    const { game, node, atLive } = state;
    const left = (atLive || game?.playing ? clocks.left : null) ?? node?.clock;
    for (const { side, clock } of bars) {
      show(clock, left);
      if (!left) continue;
      setText(clock, clockText(left[side]));
      clock.setAttribute("aria-label", t("clock-of", { side, time: clockText(left[side]) }));
      clock.classList.toggle("runs", clocks.running === side);
      clock.classList.toggle("low", left[side] < LOW_MS && clocks.running !== side);
    }
  };
  clocks.addEventListener("tick", drawClocks);
  state.whenChanged(() => {
    const { game, node, thinking } = state;
    // During a turn, the steps done so far count.
    const view = moveInput.now?.view ?? state.view;
    if (!game || !view) return;
    for (const { side, root, who, won, thinks } of bars) {
      root.classList.toggle("to-move", !state.view?.over && !node.end && view.side === side);
      const name = game.nameOf(side);
      drawName(who, sideName(side), game.ownSide === side && name !== YOU ? t("name-you", { name }) : name);
      drawRings(won, view.removed[side === "w" ? 0 : 1], game.rules === "blitz" ? 1 : 3);
      show(thinks, thinking === side);
    }
    setText(byId("pool"), String(view.pool));
    setText(byId("pool-text"), t("markers-left", { count: view.pool }));
    drawClocks();
  });
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

/**
 * Offers the panel's tab while the game is over, and shows it when the game ends.
 * @param {Page} page
 */
export function showEnding({ state, controller, link, parts, tabs }) {
  // Whether a person has lost to an engine or a person elsewhere.
  let lost = false;
  // The game seen last, and whether it was over.
  let seen = { game: null, over: false };
  const begin = (change) => {
    if (state.game.remote) return parts.open("remote", { do: "rematch" });
    const { rules, players, clock, moveTime, start, tags } = state.game;
    return controller.open(new Game({ rules, players: change(players), clock, moveTime, start, tags: tags.filter(isChallenge) }));
  };
  // The level next to an engine player's, if there is one: an easier one after a loss of the person.
  const nextLevel = ({ kind, level }) => {
    const { levels } = link.hello;
    const at = levels.findIndex(({ name }) => name === level);
    return kind === "engine" && at >= 0 ? levels[at + (lost ? -1 : 1)]?.name : undefined;
  };
  const atNextLevel = (player) => ({ ...player, level: nextLevel(player) ?? player.level });
  const clicks = {
    "end-review": () => {
      tabs.show("review");
      parts.open("review", { now: true });
    },
    "end-rematch": () => begin((players) => players),
    "end-other": () => begin(({ w, b }) => ({ w: b, b: w })),
    "end-level": () => begin(({ w, b }) => ({ w: atNextLevel(w), b: atNextLevel(b) })),
  };
  for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
  const drawActions = ({ players: { w, b }, hasEngine, remote, ownSide, isWatched, tags }) => {
    const challenge = tags.some(isChallenge);
    byId("end-challenge").hidden = !challenge;
    byId("end-review").className = challenge ? "" : "main";
    byId("end-moments").hidden = isWatched;
    byId("end-rematch").hidden = remote && !ownSide;
    const next = w.kind !== b.kind && !challenge ? nextLevel(w.kind === "engine" ? w : b) : undefined;
    byId("end-level").hidden = !next;
    setText(byId("end-level"), next ? t(lost ? "end-level-easier" : "end-level-named", { level: levelName(next) }) : "");
    byId("end-other").hidden = !hasEngine || challenge;
  };
  state.whenChanged(() => {
    const { game, liveView: view } = state;
    if (!game || !view) return;
    const over = state.over && !game.passing;
    const ended = over && seen.game === game && !seen.over;
    seen = { game, over };
    tabs.offer("end", over);
    if (!over) return;
    if (ended) tabs.show("end");
    const winner = winnerOf(game.live.end, view.removed);
    const yours = winner && (game.hasEngine || game.ownSide) && !game.isWatched;
    const youWin = yours && game.players[winner].kind === "person";
    lost = Boolean(yours && !youWin);
    const [most, least] = view.removed.toSorted((a, b) => b - a);
    const yourResult = () => (youWin ? t("result-you-win", { most, least }) : t("result-you-lose", { most, least }));
    const resigned = lost && game.hasEngine && game.live.end?.why === "resignation";
    setText(byId("end-result"), resigned ? t("result-you-resigned") : yours && !game.live.end ? yourResult() : resultText(game.live.end, view.removed));
    setText(byId("end-facts"), factsOf(game, view));
    byId("panel-end").classList.toggle("celebrates", Boolean(youWin));
    byId("end-disc").className = winner && `disc ${winner}`;
    drawActions(game);
  });
}

// A game of a challenge has its link as a tag: see parts/challenge.
const isChallenge = (/** @type {[string, string]} */ [name]) => name === "Challenge";

// The length of the game and its rules.
function factsOf({ live, rules }, { pool }) {
  return [t("turns", { count: live.ply }), t("facts-markers", { count: pool }), t(`rules-name-${rules}`)].join(" · ");
}
