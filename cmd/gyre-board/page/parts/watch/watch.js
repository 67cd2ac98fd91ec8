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
  const { controller, play, state } = page;
  let timer = 0;
  /** The points so far of the first game's White, and of the other engine. */
  let match = { game: "", points: [0, 0], turned: false, running: false, begun: false };

  /**
   * Shows the bar for the open game, or hides it.
   * @param {{game?: Game, live?: import("../../game/tree.js").TurnNode}} [begun] the game that
   *   was opened, and its live node then; another may be open by now
  */
  const opened = ({ game, live } = {}) => {
    const now = state.game;
    const { id } = now;
    if (id !== match.game) match = { game: id, points: [0, 0], turned: false, running: false, begun: false };
    const over = !state.liveView || state.over;
    // It may be between two turns, or may have ended before this part was loaded.
    if (game === now && (live !== now.live || !over)) match.running = true;
    draw();
  };

  const draw = () => {
    const { game, liveView, over: ended, thinking } = state;
    const over = Boolean(liveView) && ended;
    match.begun ||= match.running || Boolean(liveView && !over);
    // There is nothing to watch in a game that was over when it was opened, for example one of a match.
    const watches = game.isWatched && match.begun;
    byId("watch").hidden = !watches;
    if (watches && over && byId("next-by-itself").checked) timer ||= setTimeout(next, END_STAYS_MS);
    else timer = void clearTimeout(timer);
    if (!watches) return;
    // A game that was over when opened does not count.
    if (over && match.running) count();
    if (thinking) match.running = true;
    const [first, second] = match.points;
    setText(byId("match-score"), first + second ? t("watch-score", { first: pointsText(first), second: pointsText(second) }) : "");
  };

  const count = () => {
    match.running = false;
    const { game, liveView } = state;
    const share = { w: 1, b: 0 }[winnerOf(game.live.end, liveView.removed)] ?? 0.5;
    const first = match.turned ? 1 - share : share;
    match.points = [match.points[0] + first, match.points[1] + 1 - first];
  };

  const next = async () => {
    const { rules, players, clock, moveTime, start } = state.game;
    const game = new Game({ rules, players: { w: players.b, b: players.w }, clock, moveTime, start });
    match = { ...match, game: game.id, turned: !match.turned };
    await controller.open(game);
  };

  const pace = byId("pace");
  pace.value = settings().pace ?? pace.value;
  const follow = () => (play.pace = Number(pace.value));
  pace.addEventListener("change", () => {
    saveSettings({ pace: pace.value });
    follow();
  });
  follow();
  byId("next-by-itself").addEventListener("change", draw);
  controller.addEventListener("game", () => opened());
  state.whenChanged(draw);

  return { open: opened };
}
