// Watching two engines: the pace of their turns, successive games with sides swapped, and
// the score of the match.

import { byId, markup, setText } from "../../dom.js";
import { Game } from "../../game/game.js";
import { winnerOf } from "../../game/play.js";
import { saveSettings, settings } from "../../game/settings.js";
import { pointsText } from "../../scores.js";
import { t } from "../../language.js";

const BAR = `
<div id="watch" class="watch" data-testid="watch" role="group" data-l10n="watch" hidden>
  <label><span data-l10n="watch-speed"></span> <select id="pace" data-testid="pace"><option value="3000" data-l10n="speed-slow"><option value="700" selected data-l10n="speed-normal"><option value="0" data-l10n="speed-fast"></select></label>
  <label class="check"><input id="next-by-itself" data-testid="next-by-itself" type="checkbox"> <span data-l10n="watch-next"></span></label>
  <b id="match-score" data-testid="match-score"></b>
</div>`;

/** How long a finished game stays before the next one begins. */
const END_STAYS_MS = 4000;

/**
 * Creates the bar, which shows whenever a game of two engines is opened.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  byId("tabs").parentElement.before(markup(BAR));
  const watch = new Watch(page);
  return { open: (begun) => watch.opened(begun) };
}

/** The bar above the tabs while two engines play. */
class Watch {
  #page;
  #timer = 0;
  /** The points so far of the first game's White, and of the other engine. */
  #match = { game: "", points: [0, 0], turned: false, running: false, begun: false };

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    const pace = byId("pace");
    pace.value = settings().pace ?? pace.value;
    const follow = () => (page.play.pace = Number(pace.value));
    pace.addEventListener("change", () => {
      saveSettings({ pace: pace.value });
      follow();
    });
    follow();
    byId("next-by-itself").addEventListener("change", () => this.#draw());
    page.controller.addEventListener("game", () => this.opened());
    page.state.whenChanged(() => this.#draw());
  }

  /**
   * Shows the bar for the open game, or hides it.
   * @param {{game?: Game, live?: import("../../game/tree.js").TurnNode}} [begun] the game that
   *   was opened, and its live node then; another may be open by now
  */
  opened({ game, live } = {}) {
    const now = this.#page.state.game;
    const { id } = now;
    if (id !== this.#match.game) this.#match = { game: id, points: [0, 0], turned: false, running: false, begun: false };
    const over = !this.#page.state.liveView || this.#page.state.over;
    // It may be between two turns, or may have ended before this part was loaded.
    if (game === now && (live !== now.live || !over)) this.#match.running = true;
    this.#draw();
  }

  #draw() {
    const { game, liveView, over: ended, thinking } = this.#page.state;
    const over = Boolean(liveView) && ended;
    this.#match.begun ||= this.#match.running || Boolean(liveView && !over);
    // A game that was over when opened, such as one of a match, is no game to watch.
    const watches = game.isWatched && this.#match.begun;
    byId("watch").hidden = !watches;
    if (watches && over && byId("next-by-itself").checked) this.#timer ||= setTimeout(() => this.#next(), END_STAYS_MS);
    else this.#timer = void clearTimeout(this.#timer);
    if (!watches) return;
    // A game that was over when opened does not count.
    if (over && this.#match.running) this.#count();
    if (thinking) this.#match.running = true;
    const [first, second] = this.#match.points;
    setText(byId("match-score"), first + second ? t("watch-score", { first: pointsText(first), second: pointsText(second) }) : "");
  }

  #count() {
    this.#match.running = false;
    const { game, liveView } = this.#page.state;
    const share = { w: 1, b: 0 }[winnerOf(game.live.end, liveView.removed)] ?? 0.5;
    const first = this.#match.turned ? 1 - share : share;
    this.#match.points = [this.#match.points[0] + first, this.#match.points[1] + 1 - first];
  }

  async #next() {
    const { rules, players, clock, moveTime, start } = this.#page.state.game;
    const game = new Game({ rules, players: { w: players.b, b: players.w }, clock, moveTime, start });
    this.#match = { ...this.#match, game: game.id, turned: !this.#match.turned };
    await this.#page.controller.open(game);
  }
}
