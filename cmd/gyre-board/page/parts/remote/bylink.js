// A game by link: each turn is sent as a link that contains the whole game. The link also has
// the game's id, so that both browsers recognize it.

import { Game, linkTo, newId, other } from "../../game/game.js";
import { settings } from "../../game/settings.js";
import { lastOf } from "../../game/opening.js";
import { takeOverGame } from "../../game/tablock.js";
import { reasonOf } from "../../failures.js";
import { t } from "../../language.js";

/** @typedef {ReturnType<typeof import("../../game/game.js").readLink>} Linked */

/** The tags with the players' names. */
const NAME_TAGS = { w: "White", b: "Black" };

/**
 * How the turns of a link relate to those of a game.
 * @param {{rules: string, start: string, turns: string[]}} own
 * @param {{rules: string, start: string, turns: string[]}} linked
 * @returns {"same"|"newer"|"older"|"other"} newer: the link continues the game; older: the game
 *   continues the link; other: neither
 */
export function compare(own, linked) {
  if (own.rules !== linked.rules || own.start !== linked.start) return "other";
  const common = Math.min(own.turns.length, linked.turns.length);
  if (own.turns.slice(0, common).join() !== linked.turns.slice(0, common).join()) return "other";
  return own.turns.length === linked.turns.length ? "same" : own.turns.length < linked.turns.length ? "newer" : "older";
}

/**
 * Tags with a player's name, or without it.
 * @param {Array<[string, string]>} tags
 * @param {"w"|"b"} side
 * @param {string} name
 * @returns {Array<[string, string]>}
 */
export function withName(tags, side, name) {
  const others = tags.filter(([tag]) => tag !== NAME_TAGS[side]);
  return name ? [...others, [NAME_TAGS[side], name]] : others;
}

/** The player of each side in a game in which this browser plays one of them. */
export function playersFor(side) {
  /** @type {{w: import("../../game/game.js").Player, b: import("../../game/game.js").Player}} */
  const players = { w: { kind: "remote" }, b: { kind: "remote" } };
  if (side) players[side] = { kind: "person" };
  return players;
}

/**
 * Plays the games by link.
 * @param {import("../../_types/page").Page} page
 * @param {{changed: () => void, share: () => void}} show
 */
export function byLinks({ boardView, controller, notices, play, rules, state }, { changed, share }) {
  /** The game, and how many turns it had when it was last shared. */
  let seen = { game: null, ply: 0 };

  // The open game, if it is played by link.
  const open = () => (state.game?.remote?.by === "link" ? state.game : null);

  // The player here answers the last turn of the link.
  const openNew = async (linked) => {
    const game = Game.fromRead({ path: linked.path, tags: linked.tags });
    const { views } = await rules.game(linked.path);
    const side = linked.resigned ? other(linked.resigned) : game.sideAt(game.live.ply);
    Object.assign(game, { id: linked.game, playing: !views.at(-1).over && !linked.resigned, players: playersFor(side), remote: { by: "link" } });
    game.tags = withName(game.tags, side, game.names[side === "w" ? "white" : "black"] || settings().name || "");
    if (linked.resigned) game.live.end = { winner: side, why: "resignation" };
    const opened = await controller.open(game);
    if (opened) boardView.replay();
    return opened;
  };

  // Plays the turns of a link that the game does not have yet.
  const goOn = async (game, linked) => {
    const relation = compare(game.path(game.live), linked.path);
    if (relation === "newer" || relation === "same") {
      for (const side of /** @type {const} */ (["w", "b"])) {
        const named = linked.tags.find(([tag]) => tag === NAME_TAGS[side]);
        if (named && side !== game.ownSide) game.tags = withName(game.tags, side, named[1]);
      }
      await controller.go(game.live);
      for (const turn of linked.path.turns.slice(game.live.ply)) await controller.play(game.live, turn);
      if (linked.resigned) play.end(other(linked.resigned), "resignation");
      // A link that was opened before, or by its sender.
      if (relation === "same" && !linked.resigned) {
        if (game.sideAt(game.live.ply) === game.ownSide) boardView.replay();
        else notices.show("link", t("link-own"), { mild: true });
      }
      changed();
      return;
    }
    if (relation === "older") {
      notices.show("link", t("link-older"), { mild: true });
      return;
    }
    const separately = () => {
      const apart = Game.fromRead({ path: linked.path, tags: linked.tags });
      apart.id = newId();
      controller.open(apart);
    };
    notices.show("link", t("link-other"), { action: [t("link-open-apart"), separately] });
  };

  // After a turn of the player here, the link is ready to be sent.
  const went = () => {
    const game = open();
    if (!game) return;
    const { live } = game;
    const before = seen;
    seen = { game, ply: live.ply };
    if (before.game === game && live.ply > before.ply && game.sideAt(live.ply - 1) === game.ownSide) share();
    changed();
  };

  // Opens a new game, and reports whether its link is to be sent now.
  const begin = async ({ side, rules, start, tags }) => {
    const game = new Game({ rules, start, players: playersFor(side), tags, remote: { by: "link" } });
    return (await controller.open(game)) && game.sideAt(0) !== side;
  };

  controller.addEventListener("live", went);
  state.whenChanged(() => open() && changed());
  return {
    /** @returns {import("./remote.js").Shared} */
    get shared() {
      const game = open();
      const { live, ownSide } = game;
      const { node, over, view } = state;
      const mine = game.sideAt(live.ply) === ownSide;
      // The loser learns the result from the winner's turn, or from the resignation.
      const shares = over ? !mine || Boolean(live.end) : !mine;
      const who = game.nameOf(other(ownSide)) || t("your-opponent");
      const text = over ? t("link-over") : mine ? t("link-your-turn", { who }) : t("link-their-turn", { who });
      const title = live.ply ? t("link-send", { who }) : t("link-invite");
      const resigned = live.end?.why === "resignation" ? other(/** @type {"w"|"b"} */ (live.end.winner)) : "";
      const board = node === live ? view?.position : "";
      const link = linkTo(game.path(live), live.ply, game.names, { game: game.id, resigned, board });
      return { text, shares, title, how: live.ply ? t("link-send-how") : t("link-invite-how"), link };
    },
    /** Called when a game by link is opened. */
    opened: () => void (seen = { game: open(), ply: open().live.ply }),
    /** Called when another kind of game is opened. */
    left() {},
    /**
     * Shares a turn that was played before this part was loaded.
     * @param {{game?: Game, ply?: number}} opened the game that was opened, and its turns then
    */
    missed({ game, ply = 0 }) {
      if (game !== open() || !game || seen.ply !== game.live.ply) return;
      seen = { game, ply };
      went();
    },
    /**
     * Begins a game. White plays before there is a link to send.
     * @param {{side: "w"|"b", rules: "standard"|"blitz", start: string, name: string}} order
     * @returns {Promise<boolean>} whether the link is to be sent now
    */
    begin: ({ side, rules, start, name }) => begin({ side, rules, start, tags: withName([], side, name) }),
    /** Begins another game with reversed sides. */
    async rematch() {
      const { rules, start, ownSide, tags } = open();
      const swapped = /** @type {Array<[string, string]>} */ (tags.filter(([tag]) => tag in SWAPPED).map(([tag, name]) => [SWAPPED[tag], name]));
      if (await begin({ side: other(ownSide), rules, start, tags: swapped })) share();
    },
    /** Resigns the game, and shares the link that says so. */
    resign() {
      const game = open();
      controller.go(game.live);
      play.end(other(game.ownSide), "resignation");
      share();
    },
    /** @param {string} name of the player here */
    rename(name) {
      const game = open();
      game.tags = withName(game.tags, game.ownSide, name);
      controller.changed();
    },
    /**
     * Follows a link.
     * @param {Linked} linked
     * @returns {Promise<boolean>} whether a game is open now
    */
    async follow(linked) {
      try {
        await rules.game(linked.path);
      } catch (error) {
        notices.show("link", reasonOf(error));
        return false;
      }
      const here = state.game?.id === linked.game;
      const game = here ? state.game : await takeOver(linked.game);
      if (!game) return openNew(linked);
      game.at = game.live;
      if (!here && !(await controller.open(game))) return false;
      await goOn(game, linked);
      return true;
    },
  };
}

const SWAPPED = { White: "Black", Black: "White" };

/**
 * Takes a game over from the tab that has it open, if there is one, and loads it.
 * @param {string} id
 * @returns {Promise<Game|null>} null if the browser does not have the game
 */
export async function takeOver(id) {
  if (!(await lastOf(id))) return null;
  await takeOverGame(id);
  return lastOf(id);
}
