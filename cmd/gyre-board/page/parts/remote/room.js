// A game in a room of the server: the server passes on the turns and keeps the clocks. What it
// says counts, except for a turn of the player here that has not reached it yet.

import { Game, linkToRoom, other } from "../../game/game.js";
import { settings } from "../../game/settings.js";
import { reasonOf } from "../../failures.js";
import { Refusal } from "../../link/link.js";
import { t } from "../../language.js";
import { compare, playersFor, takeOver, withName } from "./bylink.js";

/** @typedef {import("../../_types/messages").State} State */

export class Room {
  #page;
  #changed;
  /** What the server said last about the open game. @type {State|null} */
  #state = null;
  /** The key of the opponent's seat, until the opponent has come. */
  #invitation = "";
  /** The states are applied one after the other. @type {Promise<void>} */
  #applied = Promise.resolve();
  #entered = "";

  /**
   * @param {import("../../_types/page").Page} page
   * @param {{changed: () => void}} show
  */
  constructor(page, { changed }) {
    [this.#page, this.#changed] = [page, changed];
    page.link.on("room", ({ state }) => this.#take(state));
    page.link.addEventListener("open", () => this.#game && this.#enter());
    page.controller.addEventListener("live", () => this.#send());
  }

  // The open game, if it is played in a room.
  get #game() {
    const { game } = this.#page.state;
    return game?.remote?.by === "room" ? game : null;
  }

  /** @returns {import("./remote.js").Shared} */
  get shared() {
    const { remote, ownSide } = this.#game;
    const state = this.#state;
    const watch = linkToRoom(remote.room);
    const link = this.#invitation ? linkToRoom(remote.room, this.#invitation) : watch;
    return {
      text: state ? statusOf(state, ownSide) : t("room-entering"),
      shares: true,
      title: this.#invitation ? t("room-invite") : t("room-watch"),
      how: this.#invitation ? t("room-invite-how") : t("room-watch-how"),
      link,
      watch: this.#invitation ? watch : undefined,
    };
  }

  /** Called when a game in a room is opened. */
  opened() {
    const { remote } = this.#game;
    if (this.#state?.room !== remote.room) {
      this.#state = null;
      this.#invitation = remote.invitation ?? "";
    }
    this.#enter();
  }

  /** Called when another kind of game is opened. */
  left() {
    if (this.#entered) this.#page.link.ask("leave", { room: this.#entered }).catch(() => {});
    this.#entered = "";
    this.#state = null;
  }

  /**
   * Opens a room.
   * @param {{side: "w"|"b", rules: "standard"|"blitz", clock: {base: number, inc: number}|null, name: string}} order
   * @returns {Promise<boolean>} whether the invitation is to be sent now
  */
  async begin({ side, rules, clock }) {
    try {
      const { room, seats } = await this.#page.link.ask("host", { rules, clock });
      const remote = { by: /** @type {const} */ ("room"), room, key: seats[side], invitation: seats[other(side)] };
      return await this.#open(remote, side, rules, clock);
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  /** Asks for a room with reversed sides. */
  async rematch() {
    const { room, key } = this.#game.remote;
    const { next } = this.#state ?? {};
    if (next?.key) return this.follow({ room: next.room, key: next.key });
    return this.#page.link.ask("rematch", { room, key }).catch((error) => error.code === "room-moved" || this.#report(error));
  }

  /** Resigns the game. */
  resign() {
    const { room, key } = this.#game.remote;
    this.#page.link.ask("resign", { room, key }).catch((error) => this.#report(error));
  }

  /** @param {string} name of the player here */
  rename(name) {
    if (name) this.#enter();
  }

  /**
   * Follows a link to a room.
   * @param {{room: string, key: string}} link
   * @returns {Promise<boolean>} whether the game is open now
  */
  async follow({ room, key }) {
    const { link, notices, rules } = this.#page;
    if (!link.hello.rooms) {
      notices.show("room", t("room-off"));
      return false;
    }
    try {
      const state = await link.ask("enter", { room, key: key || undefined, name: settings().name || undefined });
      await rules.game({ rules: state.rules, start: "startpos", turns: state.turns });
      const side = /** @type {"w"|"b"|""} */ (state.seat);
      return await this.#open({ by: "room", room, key: key || undefined }, side, state.rules, state.clock);
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  // Opens the stored game of the room, or a new one.
  async #open(remote, side, rules, clock) {
    const { state, controller, notices } = this.#page;
    const id = `room-${remote.room}-${side || "watch"}`;
    notices.remove("room");
    if (state.game?.id === id) {
      this.#enter();
      return true;
    }
    let game = await takeOver(id);
    if (!game) {
      game = new Game({ rules, clock, players: playersFor(side), remote });
      game.id = id;
    }
    game.at = game.live;
    return controller.open(game);
  }

  async #enter() {
    const { room, key } = this.#game.remote;
    this.#entered = room;
    try {
      this.#take(await this.#page.link.ask("enter", { room, key, name: settings().name || undefined }));
    } catch (error) {
      const game = this.#game;
      // The room of a finished game closes after a while.
      if (error.code === "room-gone" && game && !game.playing) return;
      this.#report(error);
    }
  }

  /** @param {State} state */
  #take(state) {
    if (this.#game?.remote.room !== state.room) return;
    this.#state = state;
    if (state.displaced) this.#report(new Refusal({ message: "", code: state.displaced }));
    const { ownSide } = this.#game;
    // Both players have been here.
    if (ownSide && state.here[other(ownSide)]) this.#forgetInvitation();
    this.#applied = this.#applied.then(() => this.#apply()).catch((error) => this.#report(error));
  }

  #forgetInvitation() {
    this.#invitation = "";
    const { remote } = this.#game;
    if (!remote.invitation) return;
    delete remote.invitation;
    this.#page.controller.changed();
  }

  // Makes the game like the server's.
  async #apply() {
    const game = this.#game;
    const state = this.#state;
    if (!game || !state || game.remote.room !== state.room) return;
    const { controller, play } = this.#page;
    for (const side of /** @type {const} */ (["w", "b"])) game.tags = withName(game.tags, side, state.names[side]);
    const path = { rules: game.rules, start: game.start, turns: state.turns };
    if (compare(game.path(game.live), path) === "other") await this.#undo(game, state.turns);
    for (const turn of state.turns.slice(game.live.ply)) {
      await controller.play(game.live, turn);
      if (this.#game !== game) return;
    }
    if (game.live.ply === state.turns.length) {
      game.live.clock = state.left;
      play.showClocks(state.left, state.running);
    }
    if (state.end && !game.live.end) {
      await controller.go(game.live);
      play.end(/** @type {"w"|"b"} */ (state.end.winner), /** @type {any} */ (state.end.why));
    }
    if (state.over && game.playing) controller.setPlaying(false);
    controller.changed();
    this.#send();
    this.#changed();
    // The other player asked for a rematch, or accepted ours.
    const { next } = state;
    if (next?.key) this.#page.notices.show("rematch", t("room-rematch"), { mild: true, action: [t("end-rematch"), () => this.follow(next)] });
  }

  // Removes turns that the server does not have.
  async #undo(game, turns) {
    const { controller } = this.#page;
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
  }

  // Sends the turn of the player here. The link repeats it after a lost connection.
  async #send() {
    const game = this.#game;
    const state = this.#state;
    if (!game?.ownSide || !state || state.room !== game.remote.room) return;
    const { live } = game;
    const ply = live.ply - 1;
    if (ply !== state.turns.length || game.sideAt(ply) !== game.ownSide || this.#sending === live) return;
    this.#sending = live;
    const { room, key } = game.remote;
    try {
      await this.#page.link.ask("play", { room, key, ply, turn: live.turn });
    } catch (error) {
      if (error.code !== "room-over") this.#report(error);
      if (this.#game !== game) return;
      await this.#undo(game, this.#state.turns);
      this.#enter();
    } finally {
      this.#sending = null;
    }
  }

  #sending = null;

  #report(error) {
    const words = { "room-gone": t("room-gone"), "room-full": t("room-full"), "room-share": t("room-share"), "room-crowded": t("room-crowded"), "room-seat": t("room-seat"), "room-over": t("room-over"), "room-moved": t("room-moved") };
    this.#page.notices.show("room", words[error.code] ?? reasonOf(error));
  }
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
