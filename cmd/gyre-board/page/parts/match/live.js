// The running game of a match on the board. It follows the turns, and then the next game, unless
// the user opens another game meanwhile.

import { Game } from "../../game/game.js";
import { gameId, nameOf, sidesOf } from "./matches.js";

/** How long the end of a game stays on the board. */
const END_STAYS_MS = 3000;

/**
 * Shows the games of a running match on the board.
 * @param {import("../../_types/page").Page} page
 * @param {import("./matches.js").MatchRunner} running
 */
export function liveGame({ board, controller, state }, running) {
  /** The game on the board, or the last one that was. @type {Game|null} */
  let game = null;
  /** Its turns so far, of which the board may not show the last ones yet. @type {string[]} */
  let turns = [];
  /** The running game. @type {{id: string, match: import("./matches.js").Match, number: number, turns: string[]}|null} */
  let newest = null;
  /** Whether the running game must be opened. */
  let wanted = false;
  /** Whether all games are played. */
  let over = false;
  let stay = 0;
  let followed = Promise.resolve();

  // Whether the board shows the running game, or the last one while it was running.
  const shown = () => game !== null && state.game === game;

  const follow = () => {
    const { match, game: now } = running;
    if (!match || !now.number) return;
    over = false;
    newest = { ...now, match, id: `${gameId(match, now.number)}-live` };
    if (isNewest()) turns = now.turns;
    soon(show);
  };

  const soon = (act) => {
    followed = followed.then(act);
  };

  // A match that was stopped begins its last game again.
  const isNewest = () => game?.id === newest.id && game.live.turns.every((turn, i) => i >= newest.turns.length || turn === newest.turns[i]);

  // Shows what is new. While a turn was animated, many others may have been played: only the last one
  // is animated, and games that are over by now are left out. The end of a shown game stays a while.
  const show = async () => {
    if (!wanted && !shown()) return over && end();
    if (!isNewest() && !wanted && turns.length <= game.live.ply) return (stay ||= setTimeout(next, END_STAYS_MS));
    if (wanted && !isNewest()) {
      game = gameFor(newest);
      turns = newest.turns;
    }
    if (!shown() && !(await controller.open(game))) return undefined;
    wanted = false;
    await board.motion.idle;
    const rest = turns.slice(game.live.ply);
    if (!shown()) return undefined;
    if (rest.length) {
      const follows = game.at === game.live;
      for (const turn of rest.slice(0, -1)) game.live = game.live.play(turn, true);
      if (follows) game.at = game.live;
      await controller.play(game.live, rest.at(-1));
    }
    return over && soon(() => (isNewest() ? end() : show()));
  };

  const next = () => {
    stay = 0;
    wanted = shown();
    soon(show);
  };

  const end = () => {
    if (shown()) controller.setPlaying(false);
    game = newest = null;
    wanted = false;
  };

  running.addEventListener("change", follow);
  running.addEventListener("end", ({ detail: { match } }) => {
    over = newest?.match === match && match.results.length >= match.games;
    soon(() => (over ? show() : end()));
  });
  return {
    shown,
    /** Shows the running game and those after it. */
    watch() {
      if (shown()) controller.go(game.live);
      wanted = true;
      follow();
    },
  };
}

// A game whose turns come from the match. It is not stored before it ends.
function gameFor({ match: { players, rules }, number, id }) {
  const names = players.map(nameOf);
  if (sidesOf(number)[0] === "b") names.reverse();
  const game = new Game({ rules, players: { w: { kind: "remote" }, b: { kind: "remote" } }, tags: [["White", names[0]], ["Black", names[1]]] });
  return Object.assign(game, { id, passing: true });
}
