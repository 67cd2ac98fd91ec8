// A game in a room of the server: the server passes on the turns and keeps the clocks. What it
// says counts, except for a turn of the player here that has not reached it yet.

import { Game, linkToRoom, other } from "../../game/game.js";
import { settings } from "../../game/settings.js";
import { reasonOf } from "../../failures.js";
import { Refusal } from "../../link/link.js";
import { t } from "../../language.js";
import { compare, playersFor, takeOver, withName } from "./bylink.js";

/** @typedef {import("../../_types/messages").State} State */

/**
 * Plays the games in rooms.
 * @param {import("../../_types/page").Page} page
 * @param {{changed: () => void}} show
 */
export function byRoom({ controller, link, notices, play, rules, state }, { changed }) {
  /** What the server said last about the open game. @type {State|null} */
  let known = null;
  /** The key of the opponent's seat, until the opponent has come. */
  let invitation = "";
  /** The states are applied one after the other. @type {Promise<void>} */
  let applied = Promise.resolve();
  /** The room that was entered last, or "". */
  let entered = "";
  /** The node whose turn is being sent. @type {import("../../game/tree.js").TurnNode|null} */
  let sending = null;

  // The open game, if it is played in a room.
  const open = () => (state.game?.remote?.by === "room" ? state.game : null);

  // Opens the stored game of the room, or a new one.
  const openGame = async (remote, side, rules, clock) => {
    const id = `room-${remote.room}-${side || "watch"}`;
    notices.remove("room");
    if (state.game?.id === id) {
      enter();
      return true;
    }
    let game = await takeOver(id);
    if (!game) {
      game = new Game({ rules, clock, players: playersFor(side), remote });
      game.id = id;
    }
    game.at = game.live;
    return controller.open(game);
  };

  const enter = async () => {
    const { room, key } = open().remote;
    entered = room;
    try {
      take(await link.ask("enter", { room, key, name: settings().name || undefined }));
    } catch (error) {
      const game = open();
      // The room of a finished game closes after a while.
      if (error.code === "room-gone" && game && !game.playing) return;
      report(error);
    }
  };

  /** @param {State} now */
  const take = (now) => {
    if (open()?.remote.room !== now.room) return;
    known = now;
    if (now.displaced) report(new Refusal({ message: "", code: now.displaced }));
    const { ownSide } = open();
    // Both players have been here.
    if (ownSide && now.here[other(ownSide)]) forgetInvitation();
    applied = applied.then(apply).catch(report);
  };

  const forgetInvitation = () => {
    invitation = "";
    const { remote } = open();
    if (!remote.invitation) return;
    delete remote.invitation;
    controller.changed();
  };

  // Makes the game like the server's.
  const apply = async () => {
    const game = open();
    const now = known;
    if (!game || !now || game.remote.room !== now.room) return;
    for (const side of /** @type {const} */ (["w", "b"])) game.tags = withName(game.tags, side, now.names[side]);
    const path = { rules: game.rules, start: game.start, turns: now.turns };
    if (compare(game.path(game.live), path) === "other") await undo(game, now.turns);
    for (const turn of now.turns.slice(game.live.ply)) {
      await controller.play(game.live, turn);
      if (open() !== game) return;
    }
    if (game.live.ply === now.turns.length) {
      game.live.clock = now.left;
      play.showClocks(now.left, now.running);
    }
    if (now.end && !game.live.end) {
      await controller.go(game.live);
      play.end(/** @type {"w"|"b"} */ (now.end.winner), /** @type {any} */ (now.end.why));
    }
    if (now.over && game.playing) controller.setPlaying(false);
    controller.changed();
    sendTurn();
    changed();
    // The other player asked for a rematch, or accepted ours.
    const { next } = now;
    if (next?.key) notices.show("rematch", t("room-rematch"), { mild: true, action: [t("end-rematch"), () => follow(next)] });
  };

  // Removes turns that the server does not have.
  const undo = async (game, turns) => {
    let node = game.root;
    for (const turn of turns) {
      const child = node.children.find((at) => at.turn === turn);
      if (!child || child.ply > game.live.ply) break;
      node = child;
    }
    const wrong = game.live.nodes[node.ply];
    game.live = node;
    await controller.go(node);
    wrong?.remove();
    controller.changed();
  };

  // Sends the turn of the player here. The link repeats it after a lost connection.
  const sendTurn = async () => {
    const game = open();
    if (!game?.ownSide || !known || known.room !== game.remote.room) return;
    const { live } = game;
    const ply = live.ply - 1;
    if (ply !== known.turns.length || game.sideAt(ply) !== game.ownSide || sending === live) return;
    sending = live;
    const { room, key } = game.remote;
    try {
      await link.ask("play", { room, key, ply, turn: live.turn });
    } catch (error) {
      if (error.code !== "room-over") report(error);
      if (open() !== game) return;
      await undo(game, known.turns);
      enter();
    } finally {
      sending = null;
    }
  };

  const report = (error) => {
    const words = { "room-gone": t("room-gone"), "room-full": t("room-full"), "room-share": t("room-share"), "room-crowded": t("room-crowded"), "room-seat": t("room-seat"), "room-over": t("room-over"), "room-moved": t("room-moved") };
    notices.show("room", words[error.code] ?? reasonOf(error));
  };

  /**
   * Follows a link to a room.
   * @param {{room: string, key: string}} to
   * @returns {Promise<boolean>} whether the game is open now
  */
  const follow = async ({ room, key }) => {
    if (!link.hello.rooms) {
      notices.show("room", t("room-off"));
      return false;
    }
    try {
      const now = await link.ask("enter", { room, key: key || undefined, name: settings().name || undefined });
      await rules.game({ rules: now.rules, start: "startpos", turns: now.turns });
      const side = /** @type {"w"|"b"|""} */ (now.seat);
      return await openGame({ by: "room", room, key: key || undefined }, side, now.rules, now.clock);
    } catch (error) {
      report(error);
      return false;
    }
  };

  link.on("room", (event) => take(event.state));
  link.addEventListener("open", () => open() && enter());
  controller.addEventListener("live", sendTurn);
  return {
    follow,
    /** @returns {import("./remote.js").Shared} */
    get shared() {
      const { remote, ownSide } = open();
      const watch = linkToRoom(remote.room);
      return {
        text: known ? statusOf(known, ownSide) : t("room-entering"),
        shares: true,
        title: invitation ? t("room-invite") : t("room-watch"),
        how: invitation ? t("room-invite-how") : t("room-watch-how"),
        link: invitation ? linkToRoom(remote.room, invitation) : watch,
        watch: invitation ? watch : undefined,
      };
    },
    /** Called when a game in a room is opened. */
    opened() {
      const { remote } = open();
      if (known?.room !== remote.room) {
        known = null;
        invitation = remote.invitation ?? "";
      }
      enter();
    },
    /** Called when another kind of game is opened. */
    left() {
      if (entered) link.ask("leave", { room: entered }).catch(() => {});
      entered = "";
      known = null;
    },
    /**
     * Opens a room.
     * @param {{side: "w"|"b", rules: "standard"|"blitz", clock: {base: number, inc: number}|null, name: string}} order
     * @returns {Promise<boolean>} whether the invitation is to be sent now
    */
    async begin({ side, rules, clock }) {
      try {
        const { room, seats } = await link.ask("host", { rules, clock });
        const remote = { by: /** @type {const} */ ("room"), room, key: seats[side], invitation: seats[other(side)] };
        return await openGame(remote, side, rules, clock);
      } catch (error) {
        report(error);
        return false;
      }
    },
    /** Asks for a room with reversed sides. */
    async rematch() {
      const { room, key } = open().remote;
      const { next } = known ?? {};
      if (next?.key) return follow({ room: next.room, key: next.key });
      return link.ask("rematch", { room, key }).catch((error) => error.code === "room-moved" || report(error));
    },
    /** Resigns the game. */
    resign() {
      const { room, key } = open().remote;
      link.ask("resign", { room, key }).catch(report);
    },
    /** @param {string} name of the player here */
    rename: (name) => name && enter(),
  };
}

/**
 * Who is in the room, in words.
 * @param {State} state
 * @param {"w"|"b"|null} ownSide
 */
function statusOf(state, ownSide) {
  const named = (side) => state.names[side] || t("your-opponent");
  const watching = state.watching ? ` ${t("room-watching", { count: state.watching })}` : "";
  if (state.paused) return t("room-paused");
  if (!ownSide) return t("room-spectator") + (state.watching > 1 ? watching : "");
  const theirs = other(ownSide);
  if (state.over) return t("room-over") + watching;
  if (state.here[theirs]) return t("room-here", { who: named(theirs) }) + watching;
  if (state.names[theirs] || state.turns.length) return t("room-away", { who: named(theirs) }) + watching;
  return t("room-wait") + watching;
}
