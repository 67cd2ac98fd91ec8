// A mistake played again: one looks for a better turn, and is told what it is worth.

import { html } from "../../dom.js";
import { SIDES } from "../../game/game.js";
import { findingOf, judge, lostText } from "./judge.js";

/** Positions that an engine looks at before a turn that is judged, and as many after it. */
const NODES = 40_000;
/** Within so many per cent of the best a turn is as good as that. */
const AS_GOOD = 3;

/** The try that is under way, if any. */
export class Retry {
  #page;
  #engine;
  /** The turn that was a mistake. @type {import("../../game/tree.js").TurnNode|null} */
  #mistake = null;
  #judging = null;
  #asked = 0;
  root = html("div", { className: "retry", role: "group", "aria-label": "Playing it again", hidden: true });

  /**
   * @param {import("../../_types/page").Page} page
   * @param {() => string} engine the one that judges
   */
  constructor(page, engine) {
    [this.#page, this.#engine] = [page, engine];
    page.controller.addEventListener("game", () => this.end());
    page.controller.addEventListener("position", () => this.#moved());
  }

  /** The turn that is being played again, or null. */
  get mistake() {
    return this.#mistake;
  }

  /**
   * Goes back before a mistake, and waits for a better turn.
   * @param {import("../../game/tree.js").TurnNode} mistake
   */
  async begin(mistake) {
    this.#mistake = mistake;
    await this.#page.controller.go(mistake.parent);
    if (this.#mistake !== mistake) return;
    this.#tell(this.#question, []);
    this.#page.board.points.focus();
  }

  /** Ends the try. What was played stays, as a variation. */
  end() {
    this.#asked++;
    this.#judging?.stop();
    this.#judging = this.#mistake = null;
    this.root.hidden = true;
  }

  get #question() {
    const { turn, ply } = this.#mistake;
    return `Find a better turn for ${SIDES[this.#page.controller.game.sideAt(ply - 1)]} than ${turn}.`;
  }

  async #moved() {
    const mistake = this.#mistake;
    const { node, reply } = this.#page.controller;
    if (!mistake || node === mistake.parent) return;
    if (node.parent !== mistake.parent || node === mistake) {
      this.end();
      return;
    }
    const asked = ++this.#asked;
    this.#judging?.stop();
    if (node.turn === mistake.finding.best) {
      this.#found("Well found: that is the engine's turn, too.");
      return;
    }
    this.#tell("Let me see…", []);
    this.#judging = judge(this.#page.searches, this.#engine(), reply.views[mistake.parent.ply], node.turn, NODES);
    const verdict = await this.#judging.verdict;
    if (asked !== this.#asked) return;
    if (!verdict) {
      this.#tell("The engine cannot tell now.", [["Again", () => this.begin(mistake)]]);
      return;
    }
    node.finding = findingOf(verdict);
    this.#page.controller.changed();
    this.#page.table.preview(null);
    const was = `; ${mistake.turn} ${lostText(mistake.finding).replace("loses", "lost")}`;
    if (verdict.lost <= AS_GOOD) this.#found(`Well found: ${node.turn} ${lostText(verdict)}${was}.`);
    else if (verdict.lost < mistake.finding.lost - AS_GOOD) this.#found(`Better: ${node.turn} ${lostText(verdict)}${was}. There is a better one yet.`);
    else this.#found(`No better: ${node.turn} ${lostText(verdict)}${was}.`);
  }

  #found(text) {
    const mistake = this.#mistake;
    this.#tell(text, [["Try another", () => this.begin(mistake)], ["Done", () => this.end()]]);
  }

  #tell(text, buttons) {
    this.root.hidden = false;
    this.root.replaceChildren(html("p", { "data-testid": "retry-text" }, text), ...buttons.map(([name, onclick]) => html("button", { onclick }, name)));
    this.#page.say(text);
  }
}
