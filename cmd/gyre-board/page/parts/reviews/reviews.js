// The dialog for reviewing several games: the choice, the progress, and the results by game
// and by player. It can be closed, and the tab hidden, while reviews run.

import { byId, html, markup, setText } from "../../dom.js";
import { Game } from "../../game/game.js";
import { playerText } from "../../game/words.js";
import { idsOf, listCollections, loadGames } from "../../game/store.js";
import { openDialog } from "../../panels/dialogs.js";
import { attempt, openStored } from "../games/gamelist.js";
import { Queue, pendingWork } from "./queue.js";
import { reasonOf } from "../../failures.js";
import { numberText, percentText, sideName, t } from "../../language.js";

const DIALOG = `
<dialog id="reviews-dialog" aria-labelledby="reviews-title" data-testid="reviews-dialog">
  <h2 id="reviews-title" data-l10n="reviews-title"></h2>
  <div class="row">
    <label><span data-l10n="games"></span> <select id="reviews-of" data-testid="reviews-of"></select></label>
    <label><span data-l10n="review-depth"></span> <select id="reviews-nodes" data-testid="reviews-nodes"><option value="20000" data-l10n="depth-quick"><option value="100000" selected data-l10n="depth-normal"><option value="500000" data-l10n="depth-thorough"></select></label>
  </div>
  <div class="buttons left" id="reviews-choice">
    <button id="reviews-new" data-testid="reviews-new" data-l10n="reviews-new"></button>
    <button id="reviews-all" data-testid="reviews-all" data-l10n="reviews-all"></button>
    <button id="reviews-none" data-testid="reviews-none" data-l10n="reviews-none"></button>
  </div>
  <ul id="reviews-list" class="reviews-list" data-testid="reviews-list" data-l10n="reviews-list"></ul>
  <div id="reviews-progress" class="review-progress" hidden>
    <progress id="reviews-bar" data-testid="reviews-bar" max="1" value="0" data-l10n="reviews-progress"></progress>
    <button id="reviews-stop" data-testid="reviews-stop" data-l10n="stop"></button>
  </div>
  <p id="reviews-said" class="fine" role="status" data-testid="reviews-said"></p>
  <div id="reviews-summary" role="region" data-l10n="reviews-summary" tabindex="0" data-testid="reviews-summary"></div>
  <div class="buttons">
    <button id="reviews-puzzles" data-testid="reviews-puzzles" data-l10n="review-puzzles"></button>
    <button id="reviews-start" class="main" data-testid="reviews-start" data-l10n="tab-review"></button>
    <button type="button" data-close data-l10n="close"></button>
  </div>
</dialog>`;

/** This many games are shown at first, and as many more each time. */
const SHOWN = 100;

/**
 * Creates the dialog.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  document.body.append(markup(DIALOG));
  return new Reviews(page);
}

class Reviews {
  #page;
  #queue;
  /** @type {Listed[]} */
  #games = [];
  /** The ids of the chosen games. @type {Set<string>} */
  #chosen = new Set();
  /** The list items shown, by game id. @type {Map<string, HTMLElement>} */
  #results = new Map();
  #shown = SHOWN;
  #drawn = 0;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    this.#queue = new Queue(page);
    this.#queue.addEventListener("change", () => this.#progress());
    this.#queue.addEventListener("done", ({ detail }) => this.#done(detail));
    this.#queue.addEventListener("end", () => this.#ended());
    byId("reviews-of").addEventListener("change", () => this.#list());
    byId("reviews-new").addEventListener("click", () => this.#choose(({ review }) => !review));
    byId("reviews-all").addEventListener("click", () => this.#choose(() => true));
    byId("reviews-none").addEventListener("click", () => this.#choose(() => false));
    byId("reviews-start").addEventListener("click", () => this.#start());
    byId("reviews-stop").addEventListener("click", () => this.#queue.stop());
    byId("reviews-puzzles").addEventListener("click", () => this.#puzzles());
  }

  /** Opens the dialog with the games under review, the waiting ones, or the user's own. */
  async open() {
    this.#page.notices.remove("reviews");
    openDialog("reviews-dialog");
    const left = this.#queue.work ?? pendingWork();
    try {
      const all = await collections();
      const select = byId("reviews-of");
      const before = left?.collection ?? select.value;
      select.replaceChildren(...all.map(({ name, text }) => html("option", { value: name }, text)));
      if (all.some(({ name }) => name === before)) select.value = before;
      if (left) byId("reviews-nodes").value = String(left.nodes);
    } catch (error) {
      setText(byId("reviews-said"), t("no-games-now", { reason: reasonOf(error) }));
      return;
    }
    await this.#list();
  }

  // Choose the waiting games, or else those without a review.
  async #list() {
    const drawn = ++this.#drawn;
    const collection = byId("reviews-of").value;
    this.#page.controller.save();
    try {
      const games = await gamesIn(collection, (read, of) => drawn === this.#drawn && setText(byId("reviews-said"), of > SHOWN ? t("games-read-of", { number: read, count: of }) : ""));
      if (drawn !== this.#drawn) return;
      this.#games = games;
    } catch (error) {
      if (drawn === this.#drawn) setText(byId("reviews-said"), t("puzzle-games-fail", { reason: reasonOf(error) }));
      return;
    }
    this.#shown = SHOWN;
    const left = this.#queue.work ?? pendingWork();
    const waiting = left?.collection === collection ? new Set(left.ids) : null;
    this.#choose(({ id, review }) => (waiting ? waiting.has(id) : !review));
    if (waiting && !this.#queue.running) setText(byId("reviews-said"), t("reviews-left-before", { count: this.#chosen.size }));
  }

  #choose(which) {
    this.#chosen = new Set(this.#games.filter(which).map(({ id }) => id));
    setText(byId("reviews-said"), this.#games.length ? "" : t("reviews-no-games"));
    this.#draw();
  }

  #draw() {
    this.#results.clear();
    const rows = this.#games.slice(0, this.#shown).map((game) => this.#row(game));
    const rest = this.#games.length - rows.length;
    if (rest > 0) rows.push(html("li", {}, html("button", { onclick: () => this.#more() }, t("show-more-of", { more: Math.min(rest, SHOWN), count: this.#games.length }))));
    byId("reviews-list").replaceChildren(...rows);
    this.#drawSummary();
    this.#progress();
  }

  #more() {
    this.#shown += SHOWN;
    this.#draw();
  }

  #row(game) {
    const { id, title, turns } = game;
    const onchange = ({ target }) => {
      if (target.checked) this.#chosen.add(id);
      else this.#chosen.delete(id);
      this.#progress();
    };
    const box = html("input", { type: "checkbox", checked: this.#chosen.has(id), disabled: this.#queue.running, "data-game": id, onchange });
    const onclick = () => attempt("reviews-said", () => this.#show(id));
    const result = html("button", { className: "reviews-result", "data-testid": "reviews-result", onclick });
    this.#results.set(id, result);
    this.#tellResult(game);
    return html("li", {}, html("label", { className: "check" }, box, html("span", {}, `${title} · ${t("turns", { count: turns })}`)), result);
  }

  // The accuracy of White and Black, which links to the game, or the progress of its review.
  #tellResult(game, text = resultText(game)) {
    const result = /** @type {HTMLButtonElement|undefined} */ (this.#results.get(game.id));
    if (!result) return;
    setText(result, text);
    result.hidden = !text;
    result.disabled = !game.review;
    result.setAttribute("aria-label", game.review ? t("reviews-open", { accuracy: text, game: game.title }) : text);
  }

  async #show(id) {
    const { controller, tabs } = this.#page;
    await openStored(controller, id);
    tabs.show("review");
  }

  // Updates texts and bars.
  #progress() {
    const { running, now, all, work, share } = this.#queue;
    byId("reviews-progress").hidden = !running;
    byId("reviews-start").hidden = running;
    byId("reviews-start").disabled = !this.#chosen.size;
    setText(byId("reviews-start"), this.#chosen.size ? t("reviews-start", { count: this.#chosen.size }) : t("tab-review"));
    for (const id of ["reviews-new", "reviews-all", "reviews-none", "reviews-of", "reviews-nodes"]) /** @type {any} */ (byId(id)).disabled = running;
    for (const box of byId("reviews-list").querySelectorAll("input")) box.disabled = running;
    if (!running) return;
    byId("reviews-bar").value = share;
    const game = now && this.#games.find(({ id }) => id === now.id);
    if (game) this.#tellResult(game, percentText(now.share));
    setText(byId("reviews-said"), `${t("game-of", { number: all - work.ids.length + 1, count: all })} ${t("may-be-closed")}`);
  }

  #start() {
    const ids = this.#games.filter(({ id }) => this.#chosen.has(id)).map(({ id }) => id);
    this.#queue.run({ collection: byId("reviews-of").value, nodes: Number(byId("reviews-nodes").value), ids });
    byId("reviews-stop").focus();
    this.#page.say(t("reviews-begun", { count: ids.length }));
  }

  #done({ id, review }) {
    const game = this.#games.find((one) => one.id === id);
    if (!game) return;
    game.review = review;
    this.#chosen.delete(id);
    const box = /** @type {HTMLInputElement|null} */ (byId("reviews-list").querySelector(`[data-game="${CSS.escape(id)}"]`));
    if (box) box.checked = false;
    this.#tellResult(game);
    this.#drawSummary();
  }

  #ended() {
    const { all, failures, why } = this.#queue;
    this.#draw();
    if (why) return setText(byId("reviews-said"), why);
    const left = pendingWork()?.ids.length ?? 0;
    const done = all - left - failures.length;
    const parts = done > 0 ? [t("reviews-done", { count: done })] : [];
    if (left) parts.push(t("reviews-left", { count: left }));
    if (failures.length) parts.push(t("reviews-failed", { count: failures.length, reasons: this.#why(failures) }));
    setText(byId("reviews-said"), parts.join(" "));
    if (!byId("reviews-dialog").open) this.#page.notices.show("reviews", parts.join(" "), { mild: true, action: [t("show-better"), () => this.open()] });
  }

  #why(failures) {
    const title = (id) => this.#games.find((game) => game.id === id)?.title ?? t("a-game");
    return failures.slice(0, 3).map(({ id, why }) => `${title(id)}, ${why}`).join("; ");
  }

  #drawSummary() {
    const reviewed = /** @type {any[]} */ (this.#games.filter(({ review }) => review));
    byId("reviews-puzzles").hidden = !reviewed.length;
    byId("reviews-summary").replaceChildren(...(reviewed.length ? [summaryOf(tally(reviewed))] : []));
  }

  async #puzzles() {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    await this.#page.parts.open("puzzles", { theme: "own" });
  }
}

// The result of a review in the list.
function resultText({ review }) {
  if (!review) return "";
  const text = (summary) => (summary?.turns ? percentText(summary.accuracy / 100) : "–");
  return `${text(review.w)} : ${text(review.b)}`;
}

function summaryOf(players) {
  const head = ["player", "games", "accuracy", "blunders", "mistakes", "missed-rows"].map((name) => html("th", { scope: "col" }, t(`column-${name}`)));
  const rows = players.map(({ name, games, accuracy, blunders, mistakes, missedRows }) => html("tr", {},
    html("th", { scope: "row" }, name),
    ...[String(games), numberText(accuracy / 100, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }), String(blunders), String(mistakes), String(missedRows)].map((text) => html("td", {}, text))));
  return html("table", { className: "reviews-table", "data-testid": "reviews-table" }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
}

// The stored games that can be reviewed together.

/** This many games are read together. */
const TOGETHER = 50;

/**
 * A game of the library.
 * @typedef {Object} Listed
 * @property {string} id
 * @property {string} title
 * @property {number} turns in its main line
 * @property {{w: string, b: string}} names
 * @property {Object<string, import("../../_types/messages").Summary>|null} review by side, of its main line
 */

/**
 * The collections: the user's own games, and those from files with several.
 * @returns {Promise<Array<{name: string, text: string}>>}
 */
async function collections() {
  const found = await listCollections();
  const own = found.find(({ name }) => !name)?.count ?? 0;
  const text = (name, count) => `${name} (${count})`;
  return [{ name: "", text: text(t("my-games"), own) }, ...found.filter(({ name }) => name).map(({ name, count }) => ({ name, text: text(name, count) }))];
}

/**
 * The readable games of a collection that have turns, latest first.
 * @param {string} collection
 * @param {(read: number, of: number) => void} onProgress called with the number of games read
 * @returns {Promise<Listed[]>}
 */
async function gamesIn(collection, onProgress) {
  const ids = (await idsOf(collection)).reverse();
  const listed = [];
  for (let i = 0; i < ids.length; i += TOGETHER) {
    onProgress(i, ids.length);
    for (const value of await loadGames(ids.slice(i, i + TOGETHER))) {
      const game = value && Game.readable(value);
      if (game?.root.children.length) listed.push(listedOf(game));
    }
  }
  return listed;
}

/**
 * What the list shows about a game.
 * @param {Game} game
 * @returns {Listed}
 */
export function listedOf(game) {
  const { id, title, mainLeaf } = game;
  const name = (side) => playerText(game.nameOf(side)) || sideName(side);
  return { id, title, turns: mainLeaf.ply, names: { w: name("w"), b: name("b") }, review: mainLeaf.review };
}

// Summing up the reviews of several games by player.

/**
 * A reviewed game.
 * @typedef {Object} Reviewed
 * @property {{w: string, b: string}} names
 * @property {Object<string, import("../../_types/messages").Summary>} review by side
 *
  * @typedef {Object} Tally the sum over a player's games
 * @property {string} name
 * @property {number} games
 * @property {number} turns
 * @property {number} accuracy the mean over the games, weighted by turns
 * @property {number} blunders
 * @property {number} mistakes
 * @property {number} inaccuracies
 * @property {number} missedRows
 */

const COUNTED = /** @type {const} */ (["turns", "blunders", "mistakes", "inaccuracies", "missedRows"]);

/**
 * Sums up by player, most games first. A player who had both sides of a game played one
 * game.
 * @param {Reviewed[]} games
 * @returns {Tally[]}
 */
export function tally(games) {
  /** @type {Map<string, Tally>} */
  const all = new Map();
  for (const { names, review } of games) {
    for (const side of /** @type {const} */ (["w", "b"])) {
      const summary = review[side];
      if (!summary?.turns) continue;
      const name = names[side];
      const sum = all.get(name) ?? { name, games: 0, turns: 0, accuracy: 0, blunders: 0, mistakes: 0, inaccuracies: 0, missedRows: 0 };
      // A sum until all games are added.
      sum.accuracy += summary.accuracy * summary.turns;
      for (const what of COUNTED) sum[what] += summary[what];
      sum.games += side === "b" && names.w === name && review.w?.turns ? 0 : 1;
      all.set(name, sum);
    }
  }
  const list = [...all.values()].map((sum) => ({ ...sum, accuracy: sum.accuracy / sum.turns }));
  return list.sort((a, b) => b.games - a.games || b.accuracy - a.accuracy);
}
