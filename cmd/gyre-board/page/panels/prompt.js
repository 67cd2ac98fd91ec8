// The line that always names what to do; the strip of the steps done in this turn, or the
// turn before it in words; and the bar that takes a row, a ring or a pass.

import { byId, html, setText } from "../dom.js";
import { SIDES, other } from "../game/game.js";

const TITLE = document.title;

/** Draws prompt, strip, bar, and the title of the page. */
export class Prompt {
  #controller;
  #play;
  #entry;
  #table;
  #text = html("span", { "data-testid": "prompt-text" }, byId("prompt").textContent);
  /** The turn before, in words, until the next one is begun. */
  #before = html("p", { className: "before", "data-testid": "turn-before" });
  #toLive;
  #playHere;
  #barFor = "";

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../game/play.js").Play} parts.play
   * @param {import("../board/entry.js").Entry} parts.entry
   * @param {import("../game/table.js").Table} parts.table
   */
  constructor({ controller, play, entry, table }) {
    [this.#controller, this.#play, this.#entry, this.#table] = [controller, play, entry, table];
    this.#toLive = html("button", { "data-testid": "to-live", hidden: true, onclick: () => controller.go(controller.game.live) }, "Back to the game");
    this.#playHere = html("button", { "data-testid": "play-here", hidden: true, onclick: () => controller.playFrom(controller.node) }, "Play on from here");
    byId("prompt").replaceChildren(this.#text, " ", this.#toLive, this.#playHere);
    byId("strip").after(this.#before);
    table.addEventListener("change", () => this.#draw());
    // A press that means nothing is answered where it is said what to do.
    table.addEventListener("wrong", () => {
      byId("prompt").classList.remove("asks");
      void byId("prompt").offsetWidth;
      byId("prompt").classList.add("asks");
    });
  }

  /** What the prompt says. @returns {string} */
  get text() {
    return this.#text.textContent;
  }

  #draw() {
    const { game, view } = this.#controller;
    if (!game || !view) return;
    setText(this.#text, this.#words());
    this.#toLive.hidden = this.#playHere.hidden = !this.#table.lookingBack;
    this.#playHere.hidden ||= !this.#controller.canTakeBack;
    const steps = this.#entry.now?.strip ?? [];
    const strip = byId("strip");
    const { lastTurn } = this.#controller;
    setText(this.#before, steps.length || !this.#entry.now ? "" : (lastTurn?.words ?? ""));
    if (strip.childElementCount !== steps.length) strip.replaceChildren(...steps.map((text) => html("li", {}, text)));
    this.#drawBar();
    byId("board").dataset.state = this.#state();
    const hint = byId("hint");
    hint.hidden = !game.playing || !game.hasEngine || game.isWatched;
    hint.disabled = !this.#isMyTurn;
    document.title = this.#isMyTurn ? `● Your turn – ${TITLE}` : TITLE;
    byId("board").dataset.ply = this.#controller.node.ply;
  }

  // Whether a person's turn in a game against an engine is waited for.
  get #isMyTurn() {
    const { game } = this.#controller;
    return game.playing && game.hasEngine && this.#entry.open;
  }

  // In one word, what the board waits for.
  #state() {
    if (this.#table.showing) return "showing";
    if (this.#entry.open) return this.#entry.kind;
    if (this.#controller.view.over || this.#controller.node.end) return "over";
    return this.#play.thinking ? "thinking" : "waiting";
  }

  #words() {
    const { game, node, view, steps, lastTurn } = this.#controller;
    if (node.end) {
      return endWords(node.end);
    }
    if (view.over) return `The game is over. ${steps.prompt}`;
    if (this.#entry.now) {
      const { kind, picked, side, now } = this.#entry;
      const asks = kind === "move" && picked ? `${SIDES[side]}: choose where ${picked} goes.` : now.prompt;
      // A player who has no engine's turn before him needs no "you".
      return game.playing && game.hasEngine ? asks.replace(/^(White|Black): /, "$1, your turn: ") : asks;
    }
    if (this.#table.showing && lastTurn) return lastTurn.words;
    if (this.#table.lookingBack) return `You are looking at turn ${node.ply} of the game: ${lastTurn?.words ?? "the start."}`;
    if (game.playing && game.players[view.side].kind === "engine") {
      if (this.#play.failed) return `${SIDES[view.side]}: ${this.#play.failed} has stopped. Restart it to play on.`;
      return `${SIDES[view.side]}: ${game.players[view.side].engine} is thinking…`;
    }
    return this.#entry.prefix.length ? this.text : steps.prompt;
  }

  #drawBar() {
    const bar = byId("choices");
    const entry = this.#entry;
    const buttons = [];
    let words = "";
    if (entry.kind === "row" && entry.shownRow) {
      const { row } = entry.shownRow;
      const count = entry.choices.length;
      words = count > 1 ? `Row ${entry.cursor + 1} of ${count}: ${row[0]} to ${row[1]}` : `The row ${row[0]} to ${row[1]}`;
      if (count > 1) {
        buttons.push(["row-previous", "‹", () => this.#turnTo(-1), "Previous row"], ["row-next", "›", () => this.#turnTo(1), "Next row"]);
      }
      buttons.push(["take", "Take", () => entry.confirm(), "Take this row"]);
    } else if (entry.kind === "ring" && entry.picked) {
      words = `The ring at ${entry.picked}`;
      buttons.push(["take", "Take", () => entry.confirm(), "Take this ring"]);
    } else if (entry.kind === "pass") {
      words = "None of your rings can move.";
      buttons.push(["pass", "Pass", () => entry.do(entry.now.steps[0])]);
    }
    if (entry.prefix.length || entry.picked) buttons.push(["step-back", "Step back", () => entry.back()]);
    this.#fill(bar, words, buttons);
  }

  // The buttons are made anew only when they differ, so that the focus stays.
  #fill(bar, words, buttons) {
    const kind = buttons.map(([id]) => id).join(" ");
    if (kind !== this.#barFor) {
      this.#barFor = kind;
      const made = buttons.map(([id, text, onclick, label]) => {
        const main = id === "take" || id === "pass" ? "main" : "";
        return html("button", { "data-testid": id, className: main, onclick, "aria-label": label, title: label }, text);
      });
      bar.replaceChildren(...(made.length ? [html("p", { "data-testid": "choice-text" }), ...made] : []));
    }
    if (bar.firstChild) setText(bar.firstChild, words);
  }

  #turnTo(by) {
    this.#entry.turnTo(by);
    this.#table.sayRow();
  }
}

/**
 * The end of a game that the board does not show, in words.
 * @param {{winner: string, why: string}} end
 */
export function endWords({ winner, why }) {
  if (winner !== "w" && winner !== "b") return `A draw by ${why}.`;
  const loser = SIDES[other(winner)];
  const how = { "time forfeit": `${loser}'s time is up: `, resignation: `${loser} resigns: ` }[why];
  return `${how ?? ""}${SIDES[winner]} wins${how ? "" : ` by ${why}`}.`;
}
