// One's own rating, from games against levels of the engine: Glicko-2, on the scale of the
// levels. A game is counted when it ends; the result's panel tells what that came to, and a
// dialog the history.
//
//   counting.js  which games count
//   results.js   the results that are kept, and the rating they come to
//   chart.js     the history as a line

import { byId, html, markup, setText } from "../../dom.js";
import { openDialog } from "../../panels/dialogs.js";
import { plural } from "../../scores.js";
import { unrated } from "../puzzles/glicko.js";
import { ratingChart } from "./chart.js";
import { Counting } from "./counting.js";
import { isContest } from "../../game/help.js";
import { changeText, history, loadResults, ratingText } from "./results.js";

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

/** So many games are listed, the latest. */
const LISTED = 20;

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** The dialog, and the line in the panel of the result. */
class OwnRating {
  #page;
  #drawn = 0;
  #end = html("p", { id: "end-rating", "data-testid": "end-rating", hidden: true });
  #counting;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    this.#counting = new Counting(page);
    document.body.append(markup(DIALOG));
    byId("end-rings").after(this.#end);
    this.#counting.addEventListener("change", () => this.#drawEnd());
    page.controller.addEventListener("game", () => this.#drawEnd());
    page.play.addEventListener("thinking", () => this.#drawEnd());
  }

  /**
   * Follows a game from where it stood.
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
    const me = all.at(-1)?.me ?? unrated();
    setText(byId("rating-now"), all.length ? `${ratingText(me)}, after ${plural(all.length, "game")}` : "No game has counted yet.");
    const { game } = controller;
    const now = game && isContest(game) && game.playing ? await this.#counting.whyNot(game) : null;
    setText(byId("rating-game"), now === null ? "" : now ? `The game on the board does not count: ${now}.` : "The game on the board counts.");
    byId("rating-chart").replaceChildren(...(all.length ? [ratingChart(all)] : []));
    const latest = all.slice(-LISTED).reverse();
    byId("rating-table").hidden = !latest.length;
    byId("rating-table").querySelector("tbody").replaceChildren(...latest.map(row));
    openDialog("rating-dialog");
  }

  // What the game that has ended came to.
  async #drawEnd() {
    const drawn = ++this.#drawn;
    const { controller, play } = this.#page;
    const { game } = controller;
    if (!game || !isContest(game) || !play.view || !play.over) {
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

function row({ at, opponent, elo, score, me, change }) {
  const result = { 0: "lost", 0.5: "drawn", 1: "won" }[score];
  const cells = [DAY.format(at), `${opponent} (${elo})`, result, `${ratingText(me)} (${changeText(change)})`];
  return html("tr", {}, ...cells.map((text) => html("td", {}, text)));
}

/**
 * Begins to count.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  const own = new OwnRating(page);
  return {
    /**
     * Shows the rating; or with a game, follows that from where it stood.
     * @param {{game?: import("../../game/game.js").Game, live?: import("../../game/tree.js").TurnNode}} [how]
     */
    open: ({ game, live } = {}) => (game ? own.follow(game, live) : own.show()),
  };
}
