// The review of a game: an engine judges every turn, what it finds is marked in
// the list of turns, and a table sums it up by side.

import { arrowsOf } from "../board/arrows.js";
import { byId, html } from "../dom.js";
import { forWhite, scoreText } from "../scores.js";

/** The panel and its search. */
export class Review {
  #controller;
  #play;
  #searches;
  #analysis;
  #board;
  #say;
  #search = null;
  /** The summary that is drawn. */
  #drawn = null;

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../game/play.js").Play} parts.play
   * @param {import("../link/searches.js").Searches} parts.searches
   * @param {import("./analysis.js").Analysis} parts.analysis
   * @param {import("../board/board.js").Board} parts.board
   * @param {(text: string) => void} parts.say
   */
  constructor({ controller, play, searches, analysis, board, say }) {
    [this.#controller, this.#play, this.#searches, this.#analysis, this.#board, this.#say] = [controller, play, searches, analysis, board, say];
    byId("review").addEventListener("click", () => this.begin());
    byId("review-stop").addEventListener("click", () => this.#end());
    controller.addEventListener("game", () => this.#opened());
    for (const name of ["position", "tree", "playing"]) controller.addEventListener(name, () => this.#draw());
    play.addEventListener("thinking", () => this.#draw());
  }

  #opened() {
    this.#end();
    this.#drawn = null;
    this.#draw();
  }

  /** Has the game reviewed, if it can be now. */
  begin() {
    if (this.#search || byId("review").disabled) return;
    const { game, node, line } = this.#controller;
    const engine = this.#analysis.engines[0];
    const bar = byId("review-bar");
    bar.value = 0;
    this.#analysis.busy.add(engine);
    this.#analysis.restart();
    const leaf = node.leaf;
    const fields = { engine, path: game.path(leaf), nodes: Number(byId("review-nodes").value), game: game.id };
    this.#search = this.#searches.begin("review", fields, {
      review: ({ ply, of, turn }) => {
        bar.value = ply / of;
        bar.textContent = `${ply} of ${of}`;
        this.#found(game, line[turn.ply - 1], turn);
      },
      reviewed: ({ summary }) => {
        leaf.review = summary;
        this.#end();
        this.#controller.changed();
        this.#say("The review is done.");
      },
      failed: () => this.#end(),
    });
    this.#draw();
    this.#say("The review has begun.");
  }

  /**
   * Goes to the next mistake of the review, or to the one before.
   * @param {number} by 1 or -1
   * @returns {boolean} whether there is any
   */
  goToMistake(by) {
    const { game, node, line } = this.#controller;
    const mistakes = game.playing && !this.#play.over ? [] : line.filter(({ finding }) => finding?.label);
    const next = by > 0 ? mistakes.find(({ ply }) => ply > node.ply) : mistakes.findLast(({ ply }) => ply < node.ply);
    if (next) this.#controller.go(next);
    return mistakes.length > 0;
  }

  #end() {
    if (!this.#search) return;
    this.#search.stop();
    this.#analysis.busy.delete(this.#search.engine);
    this.#search = null;
    this.#analysis.restart();
    this.#draw();
  }

  // Scores come as those of the side that played.
  #found(game, node, { side, best, before, after, loss, label, missedRow }) {
    if (!node) return;
    node.finding = { label, loss, missedRow, best: best === node.turn ? "" : best };
    if (before && node.parent) node.parent.score ??= forWhite(before, side);
    if (after) node.score = forWhite(after, side);
    this.#controller.changed();
  }

  #sumUp({ w, b }) {
    /** @type {Array<[string, string|number, string|number]>} */
    const rows = [
      ["Mean loss", (w.meanLoss / 100).toFixed(2), (b.meanLoss / 100).toFixed(2)],
      ["Blunders ??", w.blunders, b.blunders],
      ["Mistakes ?", w.mistakes, b.mistakes],
      ["Inaccuracies ?!", w.inaccuracies, b.inaccuracies],
      ["Rows missed", w.missedRows, b.missedRows],
    ];
    return [sidesTable(rows), html("p", { className: "finding", "data-testid": "finding" })];
  }

  #draw() {
    const { game, line } = this.#controller;
    if (!game) return;
    const playing = game.playing && game.hasEngine && !this.#play.over;
    byId("review-start").hidden = Boolean(this.#search);
    byId("review-progress").hidden = !this.#search;
    byId("review").disabled = playing || line.length === 0;
    byId("review").title = playing ? "After the game, or when it is paused" : "";
    // What was found is kept with the turns: the summary with the last one reviewed.
    const summary = playing ? null : (line.findLast(({ review }) => review)?.review ?? null);
    if (summary !== this.#drawn) {
      this.#drawn = summary;
      byId("review-summary").replaceChildren(...(summary ? this.#sumUp(summary) : []));
    }
    this.#drawFinding();
  }

  // What was found about the turn that is shown, with the better one as an arrow.
  #drawFinding() {
    const { node, game } = this.#controller;
    const text = document.querySelector(".finding");
    if (!text) return;
    const finding = game.playing && !this.#play.over ? null : node.finding;
    const better = finding?.label ? finding.best : "";
    const parts = [];
    if (finding) {
      const what = finding.label || (finding.best ? "fine" : "the engine's choice");
      parts.push(`Turn ${node.ply}, ${node.turn}: ${what}`);
      if (finding.loss) parts.push(`, loss ${(finding.loss / 100).toFixed(2)}`);
      if (node.score && !this.#controller.view?.over) parts.push(`, now ${scoreText(node.score)}`);
      if (better) parts.push(`. Better was ${better}`);
      if (finding.missedRow) parts.push(". A row was missed");
      parts.push(".");
    }
    text.textContent = parts.join("");
    if (better) text.append(" ", html("button", { "data-testid": "show-better", onclick: () => this.#showBetter(better) }, "Show"));
  }

  async #showBetter(turn) {
    await this.#controller.go(this.#controller.node.parent);
    this.#board.arrows.show("threat", []);
    this.#board.arrows.show("best", arrowsOf(turn));
  }
}

// A table with a row for each thing counted and a column for each side.
function sidesTable(rows) {
  const head = html("thead", {}, html("tr", {}, html("td"), html("th", { scope: "col" }, "White"), html("th", { scope: "col" }, "Black")));
  const body = rows.map(([what, white, black]) => html("tr", {}, html("th", { scope: "row" }, what), html("td", {}, String(white)), html("td", {}, String(black))));
  return html("table", { className: "summary" }, head, html("tbody", {}, ...body));
}
