// The review of a game: an engine judges every turn, and those that lost most twice. The
// findings are marked in the list of turns, in the graph and on the board. This panel
// summarizes them, explains the shown turn, and lets the player retry mistakes.

import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { byId, html, markup, setText } from "../../dom.js";
import { chance, forWhite, isMeasured, labelOf } from "../../scores.js";
import { OWN, mistakesOf } from "../puzzles/mistakes.js";
import { findingOf, judge, lostText, applyVerdict } from "./judge.js";
import { playerText } from "../../game/words.js";
import { numberText, percent, percentText, sideName, t } from "../../language.js";
import { briefTurn, factsText } from "../coach/facts.js";

const PANEL = `
<div id="review-progress" class="review-progress" hidden>
  <progress id="review-bar" data-testid="review-bar" max="1" value="0" data-l10n="review-progress"></progress>
  <button id="review-stop" data-testid="review-stop" data-l10n="stop"></button>
</div>
<div id="review-finding" class="review-finding" data-testid="finding"></div>
<details id="review-summary" data-testid="review-summary" hidden><summary id="review-accuracy" data-testid="review-accuracy"></summary><div id="review-table"></div><div id="review-turning"></div></details>
<details id="review-more" class="review-more" data-testid="review-more" open><summary data-l10n="review-more"></summary>
  <div class="review-start">
    <label><span data-l10n="review-depth"></span> <select id="review-nodes" data-testid="review-nodes"><option value="20000" data-l10n="depth-quick"><option value="100000" selected data-l10n="depth-normal"><option value="500000" data-l10n="depth-thorough"></select></label>
    <button id="review" data-testid="review" data-l10n="end-review"></button>
    <button data-part="reviews" data-testid="reviews" data-l10n="review-several"></button>
    <button id="review-puzzles" data-testid="review-puzzles" data-l10n="review-puzzles" hidden></button>
  </div>
</details>`;

/**
 * Creates the panel.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  byId("panel-review").append(markup(PANEL));
  const review = new Review(page);
  return {
    /** @param {{now?: boolean}} [how] now to have the game reviewed at once */
    open: ({ now = false } = {}) => now && review.show(),
    ensure: (/** @type {(share: number) => void} */ onShare) => review.ensure(onShare),
  };
}

/** The panel and its search. */
class Review {
  #page;
  #retry;
  #search = null;
  /** Whether all turns get judged, known when the search ends. @type {Promise<boolean>|null} */
  #run = null;
  /** Called with that. @type {(whole: boolean) => void} */
  #ended = () => {};
  #giveBack = () => {};
  /** The summary that is drawn, or null without one; undefined before the game is drawn. */
  #drawn;
  /** The number of the latest request for the text about a turn. */
  #asked = 0;
  /** The turn whose text must scroll into view when it arrives. @type {import("../../game/tree.js").TurnNode|null} */
  #sought = null;
  /** The turn whose better one is shown. @type {import("../../game/tree.js").TurnNode|null} */
  #better = null;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    const { controller, play, analysis } = page;
    this.#retry = new Retry(page, () => analysis.engines[0], (mistake) => this.#nextButton(mistake));
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

  /** Shows your first mistake, after a review of the game if there is none yet. */
  show() {
    if (!this.#drawn) return this.begin();
    const [first] = this.#mistakes;
    return first && this.#page.controller.go(first);
  }

  // The shown line if it is reviewed, or else the main line. Findings are stored with the turns, and
  // the summary with the last one reviewed.
  get #reviewed() {
    const { game, line } = this.#page.controller;
    return [line, game.mainLeaf.nodes].find((nodes) => nodes.some(({ review }) => review)) ?? [];
  }

  // The mistakes to look at, one after the other.
  get #mistakes() {
    return lessonsOf(this.#page.controller.game, this.#reviewed);
  }

  /** Reviews the game, if possible now, and shows the first mistake. */
  async begin() {
    const { controller } = this.#page;
    const { node } = controller;
    // Whoever looks at a turn meanwhile stays there.
    if ((await this.run()) && controller.node === node) this.show();
  }

  /**
   * Reviews the main line of the game, unless it is reviewed.
   * @param {(share: number) => void} onShare called with the share that is done
   * @returns {Promise<boolean>} whether all turns are judged
  */
  async ensure(onShare) {
    const { controller } = this.#page;
    const { mainLeaf } = controller.game;
    if (mainLeaf.review) return true;
    await controller.go(mainLeaf);
    return this.run(onShare);
  }

  /**
   * Reviews the game, if possible now.
   * @param {(share: number) => void} [onShare] called with the share that is done
   * @returns {Promise<boolean>} whether all turns are judged
  */
  run(onShare = () => {}) {
    if (this.#run) return this.#run;
    if (byId("review").disabled || !this.#page.controller.game) return Promise.resolve(false);
    const { controller, analysis, searches, boardView, say } = this.#page;
    const { game, node, line } = controller;
    const engine = analysis.engines[0];
    const bar = byId("review-bar");
    bar.value = 0;
    this.#giveBack = analysis.lend(engine);
    const leaf = node.leaf;
    const fields = { engine, path: game.path(leaf), nodes: Number(byId("review-nodes").value), game: game.id };
    const run = (this.#run = new Promise((resolve) => (this.#ended = resolve)));
    this.#search = searches.begin("review", fields, {
      review: ({ share, turn }) => {
        bar.value = share;
        bar.textContent = percentText(share);
        onShare(share);
        this.#found(line[turn.ply - 1], turn);
      },
      reviewed: ({ summary }) => {
        leaf.review = summary;
        this.#end(true);
        controller.changed();
        boardView.preview(null); // the shown turn has its dot now
        say(t("review-done", { white: percent(summary.w.accuracy / 100), black: percent(summary.b.accuracy / 100) }));
      },
      failed: () => this.#end(),
    });
    this.#draw();
    say(t("review-begun"));
    return run;
  }

  #end(whole = false) {
    if (!this.#search) return;
    this.#search.stop();
    this.#search = null;
    this.#ended(whole);
    this.#run = null;
    this.#giveBack();
    this.#draw();
  }

  #found(node, verdict) {
    if (!node) return;
    applyVerdict(node, verdict);
    this.#page.controller.changed();
  }

  // During a game, nothing is said about it.
  get #playing() {
    const { controller, play } = this.#page;
    return controller.game.playing && !play.over;
  }

  #draw() {
    const { controller } = this.#page;
    const { game, line } = controller;
    if (!game) return;
    const playing = (game.hasEngine || game.ownSide) && this.#playing;
    byId("review-more").hidden = Boolean(this.#search);
    byId("review-progress").hidden = !this.#search;
    byId("review").disabled = playing || line.length === 0;
    byId("review").title = playing ? t("review-later") : "";
    const reviewed = this.#reviewed;
    const summary = this.#playing ? null : (reviewed.findLast(({ review }) => review)?.review ?? null);
    if (summary !== this.#drawn) {
      this.#drawn = summary;
      byId("review-summary").hidden = !summary;
      setText(byId("review-accuracy"), summary ? accuraciesOf(game, /** @type {any} */ (summary)) : "");
      byId("review-table").replaceChildren(...(summary ? [summaryTable(/** @type {any} */ (summary))] : []));
      byId("review-turning").replaceChildren(...(summary ? turningList(reviewed, (ply) => game.sideAt(ply), (node) => this.#seek(node)) : []));
      this.#fold(Boolean(summary));
      byId("review-puzzles").hidden = !summary || !mistakesOf(game).length;
      setText(byId("review"), t(summary ? "review-again" : "end-review"));
      byId("review").classList.toggle("main", !summary);
    }
    this.#drawFinding();
  }

  // What starts a review becomes a menu after the first one. Later summaries leave open what is open.
  #fold(reviewed) {
    const more = /** @type {HTMLDetailsElement} */ (byId("review-more"));
    if (more.classList.contains("menu") === reviewed) return;
    more.classList.toggle("menu", reviewed);
    more.open = !reviewed;
  }

  #goOn(node) {
    this.#retry.end();
    return this.#seek(node);
  }

  #seek(node) {
    this.#sought = node;
    return this.#page.controller.go(node);
  }

  // Draws the finding about the shown turn, and its actions.
  async #drawFinding() {
    const asked = ++this.#asked;
    const { controller, rules } = this.#page;
    const { game, view } = controller;
    if (this.#better?.parent !== controller.node) this.#better = null;
    const node = this.#better ?? controller.node;
    const root = byId("review-finding");
    if (this.#retry.mistake) return root.replaceChildren();
    const finding = this.#playing ? null : node.finding;
    if (!finding) return root.replaceChildren(...this.#nextButton(node));
    const better = finding.label ? finding.best : "";
    const why = better ? await rules.why(game.path(node), better).catch(() => null) : null;
    if (asked !== this.#asked) return undefined;
    const parts = [html("p", { className: "finding" }, ...wordsOf(node, finding, game.sideAt(node.ply - 1), view?.over)), this.#buttons(node, finding)];
    if (why?.against.length) parts.push(html("p", { "data-testid": "why" }, factsText(why.against)));
    if (better && why?.for.length) parts.push(html("p", {}, `${briefTurn(better)}: ${factsText(why.for)}`));
    root.replaceChildren(...parts);
    if (this.#sought === node) intoView(root, byId("panel-review"));
    this.#sought = null;
    return undefined;
  }

  #buttons(node, finding) {
    const buttons = this.#nextButton(node);
    if (finding.label && finding.best) {
      buttons.unshift(
        html("button", { "data-testid": "show-better", onclick: () => this.#showBetter(node) }, t("show-better")),
        html("button", { "data-testid": "retry", onclick: () => this.#retry.begin(node) }, t("try-again")),
      );
      if (finding.line?.length) buttons.push(html("button", { "data-testid": "better-line", onclick: () => this.#addLine(node) }, t("add-better-line")));
    }
    return html("div", { className: "buttons left" }, ...buttons);
  }

  // The way to the next mistake, with their number from there; after the last one, to the first.
  #nextButton(node) {
    const all = this.#playing ? [] : this.#mistakes;
    const left = all.filter(({ ply }) => ply > node.ply);
    const [next] = left.length ? left : all;
    if (!next || next === node) return [];
    return [html("button", { className: "main", "data-testid": "next-mistake", onclick: () => this.#goOn(next) }, left.length ? t("next-mistake", { count: left.length }) : t("first-mistake"))];
  }

  async #showBetter(node) {
    const { controller, board } = this.#page;
    await controller.go(node.parent);
    this.#better = node;
    this.#drawFinding();
    board.arrows.show("threat", []);
    board.arrows.show("best", arrowsOf(node.finding.best));
  }

  // Adds the better line as a variation. Its first turn says why it is better.
  async #addLine(node) {
    const { controller, rules } = this.#page;
    const { game } = controller;
    const { line, best } = node.finding;
    const why = await rules.why(game.path(node), best).catch(() => null);
    let at = node.parent;
    for (const turn of line) at = at.play(turn, false);
    const first = node.parent.children.find(({ turn }) => turn === best);
    const worth = node.parent.score ? t("note-better-chances", { share: percent(chance(node.parent.score)) }) : t("note-better");
    if (!first.comment) first.comment = [worth, factsText(why?.for)].filter(Boolean).join(" ");
    await controller.go(first);
    controller.changed();
  }
}

// Scrolls clipped text to the top of its panel, which may be too low for all of it.
function intoView(root, panel) {
  const [{ top, bottom }, seen] = [root.getBoundingClientRect(), panel.getBoundingClientRect()];
  if (top < seen.top || bottom > seen.bottom) panel.scrollTop += top - seen.top;
}

// The judged turn: "11. c3-f6 ?! White 50% to 38%. Better: k7-j6".
function wordsOf(node, finding, side, over) {
  const mine = (score) => percent(chance(forWhite(score, side)));
  const { label, best } = finding;
  const sign = label && html("span", { className: `label ${label}`, title: t(`label-${label}`) }, html("span", { "aria-hidden": "true" }, SIGNS[label]), html("span", { className: "unseen" }, t(`label-${label}`)));
  const judged = label ? "" : t(best ? "label-fine" : "label-best");
  const { score } = node.parent;
  const chances = score && node.score && !over ? t("finding-chances", { side, before: mine(score), after: mine(node.score) }) : isMeasured(finding) ? lostText(finding) : "";
  const brief = best && briefTurn(best);
  const better = brief === briefTurn(node.turn) ? best : brief; // the same move may remove another ring
  const rest = [[judged, chances].filter(Boolean).join(", "), label && best && t("better-is", { turn: better }), finding.missedRow && t("finding-row-missed")].filter(Boolean);
  return [`${node.ply}. ${node.turn} `, sign, ` ${rest.map((text) => text.replace(/\.?$/, ".")).join(" ")}`];
}

/**
 * The turns that a review goes through, one after the other: the mistakes and blunders of the person
 * here, or of both sides if both are here; inaccuracies if there are none.
 * @param {import("../../game/game.js").Game} game
 * @param {import("../../game/tree.js").TurnNode[]} line
 */
export function lessonsOf(game, line) {
  const { w, b } = game.players;
  const own = (ply) => w.kind === b.kind || game.players[game.sideAt(ply - 1)].kind === "person";
  const labeled = line.filter(({ ply, finding }) => finding?.label && own(ply));
  const serious = labeled.filter(({ finding }) => finding.label !== "inaccuracy");
  return serious.length ? serious : labeled;
}

// Retrying a mistake: the player looks for a better turn and sees its value.

/** Nodes for the search before a judged turn, and again after it. */
const NODES = 40_000;
/** A turn this close to the best, in percent, counts as equal. */
const AS_GOOD = 3;

/** The retry in progress, if any. */
export class Retry {
  #page;
  #engine;
  #next;
  /** The turn that was a mistake. @type {import("../../game/tree.js").TurnNode|null} */
  #mistake = null;
  #judging = null;
  #asked = 0;
  root = html("div", { className: "retry", role: "group", "aria-label": t("retry"), hidden: true });

  /**
   * @param {import("../../_types/page").Page} page
   * @param {() => string} engine returns the judging engine
   * @param {(mistake: import("../../game/tree.js").TurnNode) => HTMLElement[]} [next] the button to the next mistake, if there is one
  */
  constructor(page, engine, next = () => []) {
    [this.#page, this.#engine, this.#next] = [page, engine, next];
    page.controller.addEventListener("game", () => this.end());
    page.controller.addEventListener("position", () => this.#moved());
  }

  /** The turn being retried, or null. */
  get mistake() {
    return this.#mistake;
  }

  /**
   * Goes to the position before a mistake and waits for a better turn.
   * @param {import("../../game/tree.js").TurnNode} mistake
  */
  async begin(mistake) {
    this.#mistake = mistake;
    await this.#page.controller.go(mistake.parent);
    if (this.#mistake !== mistake) return;
    this.#report(this.#question, []);
    this.#page.board.points.focus();
  }

  /** Ends the retry. The turns played stay as variations. */
  end() {
    this.#asked++;
    this.#judging?.stop();
    this.#judging = this.#mistake = null;
    this.root.hidden = true;
  }

  #done() {
    this.end();
    this.#page.controller.changed(); // the card of the shown turn returns
  }

  get #question() {
    const { turn, ply } = this.#mistake;
    return t("retry-question", { side: this.#page.controller.game.sideAt(ply - 1), turn });
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
      this.#found(t("retry-best"));
      return;
    }
    this.#report(t("retry-thinking"), []);
    this.#judging = judge(this.#page.searches, this.#engine(), reply.views[mistake.parent.ply], node.turn, NODES);
    const verdict = await this.#judging.verdict;
    if (asked !== this.#asked) return;
    if (!verdict) {
      this.#report(t("engine-cannot-say"), [[t("try-again"), () => this.begin(mistake)]]);
      return;
    }
    const { score } = mistake.parent;
    // Measured from the review's score, so that no turn is praised above the one that it named.
    if (score && verdict.after) verdict.lost = Math.max(verdict.lost, 100 * (chance(forWhite(score, verdict.side)) - chance(verdict.after)));
    verdict.label = labelOf(verdict.lost);
    node.finding = findingOf(verdict);
    this.#page.controller.changed();
    this.#page.boardView.preview(null);
    const shares = { lost: percent(verdict.lost / 100), before: percent(mistake.finding.lost / 100) };
    const text = t("retry-compared", { turn: node.turn, mistake: mistake.turn, ...shares });
    const named = mistake.finding.best && t("retry-named", { turn: mistake.finding.best });
    if (verdict.lost <= AS_GOOD) this.#found([t("retry-good"), text, named].filter(Boolean).join(" "));
    else if (verdict.lost < mistake.finding.lost - AS_GOOD) this.#found(`${t("retry-better")} ${text} ${t("retry-another")}`);
    else this.#found(`${t("retry-no-better")} ${text}`);
  }

  #found(text) {
    const mistake = this.#mistake;
    this.#report(text, [[t("retry-other"), () => this.begin(mistake)], [t("done"), () => this.#done()]]);
  }

  #report(text, buttons) {
    this.root.hidden = false;
    this.root.replaceChildren(html("p", { "data-testid": "retry-text" }, text), ...buttons.map(([name, onclick]) => html("button", { onclick }, name)), ...this.#next(this.#mistake));
    this.#page.say(text);
  }
}

// The results of a review: a table of both sides, and the turning points of the game.

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * The accuracies of both players in a line, the person's first: "You 60.6%, Strong 96.1%".
 * @param {import("../../game/game.js").Game} game
 * @param {Object<string, import("../../_types/messages").Summary>} sides by side
 */
export function accuraciesOf(game, sides) {
  /** @type {Array<"w"|"b">} */
  const order = game.players.b.kind === "person" && game.players.w.kind !== "person" ? ["b", "w"] : ["w", "b"];
  const named = order.map((side) => `${playerText(game.nameOf(side)).split(", ").at(-1) || sideName(side)} ${valueOf(sides[side], "accuracy")}`);
  return t("accuracy-of", { players: named.join(", ") });
}

/** The maximum number of turning points listed. */
const MOST = 4;

/** The columns of the table: short name, full name, and value. */
const COLUMNS = /** @type {Array<[string, string, string]>} */ ([
  [t("accuracy"), "", "accuracy"],
  [t("mean-lost"), t("mean-lost-long"), "meanLost"],
  ["??", t("blunders"), "blunders"],
  ["?", t("mistakes"), "mistakes"],
  ["?!", t("inaccuracies"), "inaccuracies"],
  [t("missed-rows"), t("missed-rows-long"), "missedRows"],
]);

/**
 * The table of both sides, a line each, which fits on a phone.
 * @param {Object<string, import("../../_types/messages").Summary>} sides by side
 */
function summaryTable(sides) {
  const heads = COLUMNS.map(([short, full]) => html("th", { scope: "col", title: full }, ...(full ? [html("span", { "aria-hidden": "true" }, short), html("span", { className: "unseen" }, full)] : [short])));
  const rows = ["w", "b"].map((side) => {
    const cells = COLUMNS.map(([, , key]) => html("td", { className: key }, valueOf(sides[side], key)));
    return html("tr", {}, html("th", { scope: "row" }, html("span", { className: `disc ${side}`, "aria-hidden": "true" }), sideName(side)), ...cells);
  });
  const head = html("thead", {}, html("tr", {}, html("td"), ...heads));
  // Without a pointer, titles cannot explain signs.
  const legend = html("caption", { className: "summary-legend" }, COLUMNS.slice(1).map(([short, full]) => `${short}${/\w/.test(short) ? ":" : ""} ${full}`).join(" · "));
  return html("table", { className: "summary", "data-testid": "summary" }, legend, head, html("tbody", {}, ...rows));
}

// Without an accuracy, there are no turns, or the review is from an earlier version.
function valueOf(side, key) {
  if (key !== "accuracy" && key !== "meanLost") return String(side[key]);
  return side.accuracy ? numberText((side[key] ?? 0) / 100, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }) : "–";
}

/**
 * The turning points: mistakes and blunders after which the other side was more likely to
 * win. The largest losses, in the order of the game.
 * @param {import("../../game/tree.js").TurnNode[]} line
 */
export function turningPoints(line) {
  const turned = line.filter(({ finding, score, parent }) => {
    if (!["mistake", "blunder"].includes(finding?.label) || !score || !parent.score) return false;
    return chance(parent.score) >= 0.5 !== chance(score) >= 0.5;
  });
  const most = [...turned].sort((a, b) => b.finding.lost - a.finding.lost).slice(0, MOST);
  return turned.filter((node) => most.includes(node));
}

/**
 * The list of turning points with its title; nothing without any.
 * @param {import("../../game/tree.js").TurnNode[]} line
 * @param {(ply: number) => "w"|"b"} sideAt the side to move after a number of turns
 * @param {(node: import("../../game/tree.js").TurnNode) => void} go
 * @returns {HTMLElement[]}
 */
function turningList(line, sideAt, go) {
  const items = turningPoints(line).map((node) => {
    const [before, after] = [percent(chance(node.parent.score)), percent(chance(node.score))];
    const text = t("turning-point", { number: node.ply, side: sideAt(node.ply - 1), turn: node.turn, before, after });
    return html("li", {}, html("button", { "data-testid": "turning-point", onclick: () => go(node) }, html("span", { className: `lost ${node.finding.label}`, "aria-hidden": "true" }), text));
  });
  return items.length ? [html("h3", { id: "turning-title" }, t("turning-points")), html("ol", { className: "turning", "aria-labelledby": "turning-title" }, ...items)] : [];
}
