// The player's rating from games against engine levels: Glicko-2, on the scale of the
// levels. A game counts when it ends. The result panel shows its effect and a dialog the
// history. ResultRecorder decides which games count; results.js stores the results.

import { byId, html, markup, setText } from "../../dom.js";
import { helpOf, isAgainstEngine, recordHelp } from "../../game/game.js";
import { winnerOf } from "../../game/play.js";
import { openDialog } from "../../panels/dialogs.js";
import { plural } from "../../scores.js";
import { bandChart, scaleOf } from "../chart.js";
import { newRating } from "../puzzles/glicko.js";
import { addResults, changeText, forgetResult, history, loadResults, ratingText } from "./results.js";

const DIALOG = `
<dialog id="rating-dialog" aria-labelledby="rating-title" data-testid="rating-dialog">
  <h2 id="rating-title" tabindex="-1" autofocus>My rating</h2>
  <p id="rating-now" class="rating-now" data-testid="rating-now"></p>
  <p id="rating-game" data-testid="rating-game"></p>
  <div id="rating-chart"></div>
  <table id="rating-table" class="rating-table" data-testid="rating-table"><thead><tr><th scope="col">Date<th scope="col">Against<th scope="col">Result<th scope="col">Rating</tr></thead><tbody></tbody></table>
  <p class="fine">Games by the standard rules against a level with a rating count, from the first turn to the end. With hints, take-backs, pauses, the analysis, the openings or the coach, and as copies of others, they do not. The scale is that of the levels, where playing by chance has 0; the rating lies within ± in 19 cases of 20. It is kept in this browser, and in a backup of all games.</p>
  <div class="buttons"><button type="button" class="main" data-close>Close</button></div>
</dialog>`;

/** The number of latest games listed. */
const LISTED = 20;

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

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
    byId("end-rings").after(this.#end);
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
    setText(byId("rating-now"), all.length ? `${ratingText(me)}, after ${plural(all.length, "game")}` : "No game has counted yet.");
    const { game } = controller;
    const now = game && isAgainstEngine(game) && game.playing ? await this.#counting.whyNot(game) : null;
    setText(byId("rating-game"), now === null ? "" : now ? `The game on the board does not count: ${now}.` : "The game on the board counts.");
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
    const text = found ? `Your rating: ${ratingText(found.me)} (${changeText(found.change)}). ` : why ? `It does not count for your rating: ${why}. ` : "";
    this.#end.hidden = !text;
    this.#end.replaceChildren(text, html("button", { "data-part": "rating" }, "My rating"));
  }
}

/**
 * The history of a rating as a chart, with bands of twice its deviation.
 * @param {import("./results.js").Rated[]} history at least one
 */
function ratingChart(history) {
  const all = [newRating(), ...history.map(({ me }) => me)];
  const points = all.map(({ rating, deviation }, i) => ({ x: i, value: rating, error: 2 * deviation }));
  const words = `The rating by games, ${history.length} so far: at first ${Math.round(all[0].rating)}, now ${Math.round(all.at(-1).rating)}`;
  return bandChart(points, { ...scaleOf(points, 100), words });
}

function row({ at, opponent, elo, score, me, change }) {
  const result = { 0: "lost", 0.5: "drawn", 1: "won" }[score];
  const cells = [DAY.format(at), `${opponent} (${elo})`, result, `${ratingText(me)} (${changeText(change)})`];
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
    if (help.length) return `it had ${help.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
    if (game.rules !== "standard") return "the levels are rated by the standard rules";
    if (game.start !== "startpos") return "it did not begin with an empty board";
    if (!this.#eloOf(game)) return `${level || "full strength"} has no rating`;
    const keeps = await this.#keepsToRatings(engine);
    if (keeps === undefined) return `${engine} cannot be asked now whether it keeps to the ratings of levels`;
    return keeps ? "" : `${engine} does not keep to the ratings of levels`;
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
      this.#page.notices.show("rating", `The browser cannot keep the result for your rating now (${error.message}).`);
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
