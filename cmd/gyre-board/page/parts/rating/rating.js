// The player's rating from games against engine levels: Glicko-2, on the scale of the
// levels. A game counts when it ends. The result panel shows its effect and a dialog the
// history. ResultRecorder decides which games count; results.js stores the results.

import { byId, html, markup, setText } from "../../dom.js";
import { helpOf, isAgainstEngine, recordHelp } from "../../game/game.js";
import { winnerOf } from "../../game/play.js";
import { openDialog } from "../../panels/dialogs.js";
import { bandChart, scaleOf } from "../chart.js";
import { newRating } from "../puzzles/glicko.js";
import { addResults, changeText, forgetResult, history, loadResults, ratingText } from "./results.js";
import { levelName } from "../../game/words.js";
import { reasonOf } from "../../failures.js";
import { language, listText, t } from "../../language.js";

const DIALOG = `
<dialog id="rating-dialog" aria-labelledby="rating-title" data-testid="rating-dialog">
  <h2 id="rating-title" tabindex="-1" autofocus data-l10n="my-rating"></h2>
  <p id="rating-now" class="rating-now" data-testid="rating-now"></p>
  <p id="rating-game" data-testid="rating-game"></p>
  <div id="rating-chart"></div>
  <table id="rating-table" class="rating-table" data-testid="rating-table"><thead><tr><th scope="col" data-l10n="rating-date"><th scope="col" data-l10n="rating-against"><th scope="col" data-l10n="rating-result"><th scope="col" data-l10n="rating-rating"></tr></thead><tbody></tbody></table>
  <p class="fine" data-l10n="rating-about"></p>
  <div class="buttons"><button type="button" class="main" data-close data-l10n="close"></button></div>
</dialog>`;

/** The number of latest games listed. */
const LISTED = 20;

/** The kinds of help that a game can have had, as its tags name them. */
const HELP = ["hints", "take-backs", "pauses", "the analysis", "the openings", "the coach", "a copy"];

const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/** The dialog, and the line in the result panel. */
class OwnRating {
  #page;
  #drawn = 0;
  #end = html("p", { id: "end-rating", "data-testid": "end-rating", hidden: true });
  #counting;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    this.#counting = new ResultRecorder(page);
    document.body.append(markup(DIALOG));
    byId("end-graph").before(this.#end);
    this.#counting.addEventListener("change", () => this.#drawEnd());
    page.controller.addEventListener("game", () => this.#drawEnd());
    page.play.addEventListener("thinking", () => this.#drawEnd());
  }

  /**
   * Follows a game from its state when it was opened.
   * @param {import("../../game/game.js").Game} game
   * @param {import("../../game/tree.js").TurnNode} live
  */
  follow(game, live) {
    this.#counting.follow(game, live);
    this.#drawEnd();
  }

  /** Opens the dialog. */
  async show() {
    const { controller } = this.#page;
    const all = history(await loadResults());
    const me = all.at(-1)?.me ?? newRating();
    setText(byId("rating-now"), all.length ? t("rating-after", { rating: ratingText(me), count: all.length }) : t("rating-none"));
    const { game } = controller;
    const now = game && isAgainstEngine(game) && game.playing ? await this.#counting.whyNot(game) : null;
    setText(byId("rating-game"), now === null ? "" : now ? t("rating-not-now", { reason: now }) : t("rating-now-counts"));
    byId("rating-chart").replaceChildren(...(all.length ? [ratingChart(all)] : []));
    const latest = all.slice(-LISTED).reverse();
    byId("rating-table").hidden = !latest.length;
    byId("rating-table").querySelector("tbody").replaceChildren(...latest.map(row));
    openDialog("rating-dialog");
  }

  // Shows the effect of the game that ended.
  async #drawEnd() {
    const drawn = ++this.#drawn;
    const { controller, play } = this.#page;
    const { game } = controller;
    if (!game || !isAgainstEngine(game) || !play.view || !play.over) {
      this.#end.hidden = true;
      return;
    }
    const all = history(await loadResults().catch(() => []));
    const found = all.find((result) => result.game === game.id);
    const why = found ? "" : await this.#counting.whyNot(game);
    if (drawn !== this.#drawn) return;
    const text = found ? t("rating-changed", { rating: ratingText(found.me), change: changeText(found.change) }) : why ? t("rating-not", { reason: why }) : "";
    this.#end.hidden = !text;
    this.#end.replaceChildren(text, " ", html("button", { "data-part": "rating" }, t("my-rating")));
  }
}

/**
 * The history of a rating as a chart, with bands of twice its deviation.
 * @param {import("./results.js").Rated[]} history at least one
 */
function ratingChart(history) {
  const all = [newRating(), ...history.map(({ me }) => me)];
  const points = all.map(({ rating, deviation }, i) => ({ x: i, value: rating, error: 2 * deviation }));
  const words = t("rating-chart", { count: history.length, first: Math.round(all[0].rating), last: Math.round(all.at(-1).rating) });
  return bandChart(points, { ...scaleOf(points, 100), words });
}

function row({ at, opponent, elo, score, me, change }) {
  const result = score === 0.5 ? t("game-drawn") : t(score ? "game-won" : "game-lost");
  const cells = [DAY.format(at), t("level-choice", { level: opponent, elo: String(elo) }), result, `${ratingText(me)} (${changeText(change)})`];
  return html("tr", {}, ...cells.map((text) => html("td", {}, text)));
}

/**
 * Starts recording.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  const own = new OwnRating(page);
  return {
    /**
     * Shows the rating; with a game, follows it from the given state.
     * @param {{game?: import("../../game/game.js").Game, live?: import("../../game/tree.js").TurnNode}} [how]
    */
    open: ({ game, live } = {}) => (game ? own.follow(game, live) : own.show()),
  };
}

// Which games count for a person's rating: complete games against a level with a rating,
// without help.

/** The engine option for playing at a rating. */
const ELO_OPTION = "uci_elo";

/**
 * Follows the open game and records its result. Fires "change" when there may be another
 * result or another reason not to count.
 */
export class ResultRecorder extends EventTarget {
  #page;
  #kept;
  /** The open game, its last known node, and whether it is being played. */
  #seen = { game: null, live: null, running: false };
  /** The game that counts but ended only by resignation, if any. */
  #resigned = null;
  /** Results are stored one at a time. */
  #storing = Promise.resolve();
  /** Whether engines play at a level's rating, as far as known. @type {Map<string, boolean>} */
  #rated = new Map();

  /**
   * @param {import("../../_types/page").Page} page
   * @param {{addResults: typeof addResults, forgetResult: typeof forgetResult}} [kept] where results are stored
  */
  constructor(page, kept = { addResults, forgetResult }) {
    super();
    [this.#page, this.#kept] = [page, kept];
    const { controller, play } = page;
    controller.addEventListener("live", () => this.#went());
    controller.addEventListener("playing", () => this.#paused());
    controller.addEventListener("tree", () => this.#looked());
    for (const name of ["thinking", "ended"]) play.addEventListener(name, () => this.#look());
  }

  /**
   * Follows a game from a node; it may have continued since.
   * @param {import("../../game/game.js").Game} game
   * @param {import("../../game/tree.js").TurnNode} live
  */
  follow(game, live) {
    if (game === this.#seen.game || game !== this.#page.controller.game) return;
    this.#seen = { game, live: game.live, running: game.playing || live !== game.live };
    if (!game.live.comesAfter(live)) recordHelp(this.#page.controller, "take-backs");
    this.#looked();
    this.#look();
  }

  /**
   * Why a game does not count, in words; "" if it does.
   * @param {import("../../game/game.js").Game} game
   * @returns {Promise<string>}
  */
  async whyNot(game) {
    const { engine, level } = opponentOf(game);
    const help = helpOf(game);
    if (help.length) return t("not-rated-help", { help: listText(help.map((what) => (HELP.includes(what) ? t(`help-with-${what.replaceAll(" ", "-")}`) : what))) });
    if (game.rules !== "standard") return t("not-rated-rules");
    if (game.start !== "startpos") return t("not-rated-start");
    if (!this.#eloOf(game)) return t("not-rated-level", { level: levelName(level || "Full strength") });
    const keeps = await this.#keepsToRatings(engine);
    if (keeps === undefined) return t("not-rated-unknown", { engine });
    return keeps ? "" : t("not-rated-engine", { engine });
  }

  #eloOf(game) {
    return this.#page.link.hello?.levels.find(({ name }) => name === opponentOf(game).level)?.elo ?? 0;
  }

  // Undefined if the engine cannot say.
  async #keepsToRatings(engine) {
    if (!this.#rated.has(engine)) {
      const answer = await this.#page.searches.describe(engine).catch(() => null);
      if (!answer) return undefined;
      this.#rated.set(engine, Boolean(answer.options?.some(({ name }) => name.toLowerCase() === ELO_OPTION)));
    }
    return this.#rated.get(engine);
  }

  // A game continues turn by turn. If it continues elsewhere, a turn was taken back.
  #went() {
    const { controller } = this.#page;
    const { game } = controller;
    if (game !== this.#seen.game) {
      this.#seen = { game, live: game.live, running: game.playing };
      return;
    }
    const { live } = this.#seen;
    this.#seen.live = game.live;
    this.#seen.running ||= game.playing;
    if (game.live === live) this.#goesOn(game);
    else if (game.live.parent !== live) recordHelp(controller, "take-backs");
    else if (!game.playing && !game.live.end) recordHelp(controller, "pauses");
    this.#looked();
    // The engine may be gone at the end.
    if (isAgainstEngine(game)) this.#keepsToRatings(opponentOf(game).engine);
  }

  // A resignation can be taken back.
  #goesOn(game) {
    if (this.#resigned !== game || game.live.end) return;
    this.#resigned = null;
    this.#store(() => this.#kept.forgetResult(game.id));
  }

  #paused() {
    const { controller, play } = this.#page;
    const { game } = controller;
    if (game === this.#seen.game && this.#seen.running && !game.playing && !play.over) recordHelp(controller, "pauses");
  }

  // Looking at what an engine or a table says about the game is help.
  #looked() {
    const { controller, analysis } = this.#page;
    if (!this.#seen.running || controller.game !== this.#seen.game) return;
    if (analysis.on) recordHelp(controller, "the analysis");
    if (document.getElementById("explorer")?.checkVisibility?.()) recordHelp(controller, "the openings");
  }

  #look() {
    const { controller, play } = this.#page;
    const { game } = controller;
    if (game !== this.#seen.game || !this.#seen.running || !play.view || !play.over) return;
    this.#seen.running = false;
    if (isAgainstEngine(game)) this.#count(game, play.view.removed);
  }

  async #count(game, removed) {
    if (!(await this.whyNot(game))) {
      const opponent = game.nameOf(personOf(game) === "w" ? "b" : "w");
      const result = { game: game.id, at: Date.now(), opponent, elo: this.#eloOf(game), score: scoreOf(game, removed) };
      this.#resigned = game.live.end?.why === "resignation" ? game : null;
      await this.#store(() => this.#kept.addResults([result]));
    }
    this.dispatchEvent(new Event("change"));
  }

  async #store(act) {
    this.#storing = this.#storing.then(act).catch((error) => {
      this.#page.notices.show("rating", t("rating-not-stored", { reason: reasonOf(error) }));
    });
    await this.#storing;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * The person's side in a game against an engine.
 * @param {import("../../game/game.js").Game} game
 * @returns {"w"|"b"}
 */
function personOf({ players }) {
  return players.w.kind === "person" ? "w" : "b";
}

function opponentOf(game) {
  return game.players[personOf(game) === "w" ? "b" : "w"];
}

/**
 * The person's points in a finished game.
 * @param {import("../../game/game.js").Game} game
 * @param {[number, number]} removed rings removed by White and Black
 * @returns {0|0.5|1}
 */
export function scoreOf(game, removed) {
  const winner = winnerOf(game.live.end, removed);
  if (winner !== "w" && winner !== "b") return 0.5;
  return winner === personOf(game) ? 1 : 0;
}
