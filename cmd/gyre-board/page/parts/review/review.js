// The review of a game: an engine judges every turn, those that lost most twice, and what it
// finds is marked in the list of turns, in the graph and on the board. Here it is summed up,
// told of the turn that is shown, and can be played again.

import { arrowsOf } from "../../board/arrows.js";
import { byId, html, markup, setText } from "../../dom.js";
import { chanceText, isMeasured } from "../../scores.js";
import { OWN, mistakesOf } from "../puzzles/own.js";
import { lostText, putDown } from "./judge.js";
import { Retry } from "./retry.js";
import { summaryTable, turningList } from "./summary.js";

const PANEL = `
<div id="review-progress" class="review-progress" hidden>
  <progress id="review-bar" data-testid="review-bar" max="1" value="0" aria-label="Progress of the review"></progress>
  <button id="review-stop" data-testid="review-stop">Stop</button>
</div>
<div id="review-summary" data-testid="review-summary"></div>
<div id="review-finding" class="review-finding" data-testid="finding"></div>
<div id="review-turning"></div>
<button id="review-puzzles" data-testid="review-puzzles" hidden>Mistakes as puzzles</button>
<div class="review-start" id="review-start">
  <label>Depth <select id="review-nodes" data-testid="review-nodes"><option value="20000">quick<option value="100000" selected>normal<option value="500000">thorough</select></label>
  <button id="review" data-testid="review">Review the game</button>
  <button data-part="reviews" data-testid="reviews">Several games…</button>
</div>`;

/**
 * Makes the panel.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  byId("panel-review").append(markup(PANEL));
  const review = new Review(page);
  return {
    /** @param {{now?: boolean}} [how] now to have the game reviewed at once */
    open: ({ now = false } = {}) => now && review.begin(),
  };
}

/** The panel and its search. */
class Review {
  #page;
  #retry;
  #search = null;
  #giveBack = () => {};
  /** The summary that is drawn, or null for none; undefined before the game is drawn. */
  #drawn;
  /** Asked for the words about a turn. */
  #asked = 0;
  /** The turn whose words are to be in view once they are there. @type {import("../../game/tree.js").TurnNode|null} */
  #sought = null;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    const { controller, play, analysis } = page;
    this.#retry = new Retry(page, () => analysis.engines[0]);
    byId("review-finding").before(this.#retry.root);
    byId("review").addEventListener("click", () => this.begin());
    byId("review-stop").addEventListener("click", () => this.#end());
    byId("review-puzzles").addEventListener("click", () => page.parts.open("puzzles", { theme: OWN, game: controller.game }));
    controller.addEventListener("game", () => this.#opened());
    for (const name of ["position", "tree", "playing"]) controller.addEventListener(name, () => this.#draw());
    play.addEventListener("thinking", () => this.#draw());
    this.#draw();
  }

  #opened() {
    this.#end();
    this.#drawn = undefined;
    this.#draw();
  }

  /** Has the game reviewed, if it can be now. */
  begin() {
    if (this.#search || byId("review").disabled || !this.#page.controller.game) return;
    const { controller, analysis, searches, table, say } = this.#page;
    const { game, node, line } = controller;
    const engine = analysis.engines[0];
    const bar = byId("review-bar");
    bar.value = 0;
    this.#giveBack = analysis.lend(engine);
    const leaf = node.leaf;
    const fields = { engine, path: game.path(leaf), nodes: Number(byId("review-nodes").value), game: game.id };
    this.#search = searches.begin("review", fields, {
      review: ({ share, turn }) => {
        bar.value = share;
        bar.textContent = `${Math.round(100 * share)} %`;
        this.#found(line[turn.ply - 1], turn);
      },
      reviewed: ({ summary }) => {
        leaf.review = summary;
        this.#end();
        controller.changed();
        table.preview(null); // the turn that is shown has its dot now
        say(`The review is done. Accuracy: White ${summary.w.accuracy} %, Black ${summary.b.accuracy} %.`);
      },
      failed: () => this.#end(),
    });
    this.#draw();
    say("The review has begun.");
  }

  #end() {
    if (!this.#search) return;
    this.#search.stop();
    this.#search = null;
    this.#giveBack();
    this.#draw();
  }

  #found(node, verdict) {
    if (!node) return;
    putDown(node, verdict);
    this.#page.controller.changed();
  }

  // No word is said of a game that is being played.
  get #playing() {
    const { controller, play } = this.#page;
    return controller.game.playing && !play.over;
  }

  #draw() {
    const { controller } = this.#page;
    const { game, line } = controller;
    if (!game) return;
    const playing = game.hasEngine && this.#playing;
    byId("review-start").hidden = Boolean(this.#search);
    byId("review-progress").hidden = !this.#search;
    byId("review").disabled = playing || line.length === 0;
    byId("review").title = playing ? "After the game, or when it is paused" : "";
    // What was found is kept with the turns: the summary with the last one reviewed. In a
    // variation that of the main line stands.
    const reviewed = [line, game.mainLeaf.nodes].find((nodes) => nodes.some(({ review }) => review)) ?? [];
    const summary = this.#playing ? null : (reviewed.findLast(({ review }) => review)?.review ?? null);
    if (summary !== this.#drawn) {
      this.#drawn = summary;
      byId("review-summary").replaceChildren(...(summary ? [summaryTable(/** @type {any} */ (summary))] : []));
      byId("review-turning").replaceChildren(...(summary ? turningList(reviewed, (ply) => game.sideAt(ply), (node) => this.#seek(node)) : []));
      byId("review-puzzles").hidden = !summary || !mistakesOf(game).length;
      setText(byId("review"), summary ? "Review again" : "Review the game");
      byId("review").classList.toggle("main", !summary);
    }
    this.#drawFinding();
  }

  #seek(node) {
    this.#sought = node;
    return this.#page.controller.go(node);
  }

  // What was found about the turn that is shown, and what can be done about it.
  async #drawFinding() {
    const asked = ++this.#asked;
    const { controller, rules } = this.#page;
    const { node, game, view } = controller;
    const root = byId("review-finding");
    const finding = this.#playing || this.#retry.mistake ? null : node.finding;
    if (!finding) return root.replaceChildren();
    const better = finding.label ? finding.best : "";
    const why = better ? await rules.why(game.path(node), better).catch(() => null) : null;
    if (asked !== this.#asked) return undefined;
    const parts = [html("p", { className: "finding" }, textOf(node, finding, view?.over))];
    if (why?.against.length) parts.push(html("p", { "data-testid": "why" }, why.against.join(" ")));
    if (better) {
      parts.push(html("p", {}, html("b", {}, `Better was ${better}.`), " ", why?.for.join(" ") ?? ""));
      parts.push(this.#buttons(node, finding));
    }
    root.replaceChildren(...parts);
    if (this.#sought === node) intoView(root, byId("panel-review"));
    this.#sought = null;
    return undefined;
  }

  #buttons(node, finding) {
    const buttons = [
      html("button", { "data-testid": "show-better", onclick: () => this.#showBetter(node) }, "Show"),
      html("button", { "data-testid": "retry", onclick: () => this.#retry.begin(node) }, "Play it again"),
    ];
    if (finding.line?.length) buttons.splice(1, 0, html("button", { "data-testid": "better-line", onclick: () => this.#addLine(node) }, "Add the better line"));
    return html("div", { className: "buttons left" }, ...buttons);
  }

  async #showBetter(node) {
    const { controller, board } = this.#page;
    await controller.go(node.parent);
    board.arrows.show("threat", []);
    board.arrows.show("best", arrowsOf(node.finding.best));
  }

  // The better line as a variation, whose first turn says why it is better.
  async #addLine(node) {
    const { controller, rules } = this.#page;
    const { game } = controller;
    const { line, best } = node.finding;
    const why = await rules.why(game.path(node), best).catch(() => null);
    let at = node.parent;
    for (const turn of line) at = at.play(turn, false);
    const first = node.parent.children.find(({ turn }) => turn === best);
    const worth = node.parent.score ? `Better: ${chanceText(node.parent.score)} for White.` : "Better.";
    if (!first.comment) first.comment = [worth, ...(why?.for ?? [])].join(" ");
    await controller.go(first);
    controller.changed();
  }
}

// What is cut off goes to the top of its panel, which may have room for no more.
function intoView(root, panel) {
  const [{ top, bottom }, seen] = [root.getBoundingClientRect(), panel.getBoundingClientRect()];
  if (top < seen.top || bottom > seen.bottom) panel.scrollTop += top - seen.top;
}

function textOf(node, finding, over) {
  const what = finding.label || (finding.best ? "fine" : "the engine's choice");
  const lost = isMeasured(finding) ? `, ${lostText(finding)}` : "";
  const now = node.score && !over ? `, now ${chanceText(node.score)} for White` : "";
  return `Turn ${node.ply}, ${node.turn}: ${what}${lost}${now}.${finding.missedRow ? " A row was missed." : ""}`;
}
