// Playing the game: asks engines for their turns, runs the clock of the side to move,
// and ends the game when time is up. All of this concerns the live position, whatever
// position is shown.

import { forWhite } from "../scores.js";
import { other } from "./game.js";

/**
 * Fires "thinking" when an engine begins or ends, "lines" (detail: {lines, node}) as it thinks, and
 * "ended" (detail: the end) when the game ends off the board.
 */
export class Play extends EventTarget {
  #page;
  #search = null;
  #asked = 0;
  #begun = 0;
  /** The node whose time the clocks are counting. @type {import("./tree.js").TurnNode|null} */
  #clocksOf = null;
  /** The minimum time per turn when engines play each other, so that one can follow. */
  pace = 700;

  /** @param {Pick<import("../_types/page").Page, "state"|"controller"|"rules"|"searches"|"clocks"|"board">} page */
  constructor(page) {
    super();
    this.#page = page;
    const { state, controller, clocks } = page;
    controller.addEventListener("live", () => this.update());
    controller.addEventListener("playing", () => this.update());
    clocks.addEventListener("tick", () => this.#keepLeft());
    // In a room the server decides.
    clocks.addEventListener("flag", ({ detail }) => state.game.remote || this.end(other(detail), "time forfeit"));
  }

  /** The name of the engine that is thinking about its turn, or null. */
  get engine() {
    return this.#search?.engine ?? null;
  }

  /**
   * Ends the game off the board: by time or resignation.
   * @param {"w"|"b"} winner
   * @param {"time forfeit"|"resignation"} why
  */
  end(winner, why) {
    const { game } = this.#page.state;
    if (this.#page.state.over) return;
    game.live.end = { winner, why };
    this.#keepLeft();
    this.#page.controller.changed();
    this.#page.controller.setPlaying(false);
    this.dispatchEvent(new CustomEvent("ended", { detail: game.live.end }));
  }

  /**
   * Shows the clocks of a game in a room.
   * @param {{w: number, b: number}|null} left milliseconds
   * @param {string} running the side whose clock runs: "w", "b" or ""
  */
  showClocks(left, running) {
    this.#page.clocks.set(left);
    if (running === "w" || running === "b") this.#page.clocks.run(running);
  }

  /** Asks the engine of the side to move for its turn, also after a failure. */
  async update() {
    const asked = ++this.#asked;
    const { state, controller, clocks } = this.#page;
    const { game } = state;
    const node = game.live;
    state.change({ failed: "" });
    this.#stop();
    this.#keepLeft();
    if (!game.remote) clocks.set(game.left ?? node.clock);
    let reply;
    try {
      reply = await this.#page.rules.game(game.path(node));
    } catch {
      return; // The controller reports it.
    }
    if (asked !== this.#asked) return;
    const view = reply.views[node.ply];
    if (view.over) game.result = view.removed.join("-");
    else if (game.playing) game.result = "";
    state.change({ liveView: view });
    if (state.over && game.playing) controller.setPlaying(false);
    this.dispatchEvent(new Event("thinking"));
    if (!game.playing || state.over) return;
    // The clocks start with the second turn: the first may take long.
    this.#clocksOf = node;
    if (node.ply > 0 && !game.remote) clocks.run(view.side);
    const player = game.players[view.side];
    if (player.kind === "engine") this.#think(node, player);
  }

  #think(node, player) {
    const { state, searches } = this.#page;
    const { game, liveView: { side } } = state;
    state.change({ thinking: side });
    this.#begun = performance.now();
    const fields = {
      engine: player.engine,
      path: game.path(node),
      limits: this.#limits(),
      multipv: 1,
      level: player.level || null,
      game: game.id,
      ...(player.seed && repeatable(player.seed, node, game.id)),
    };
    let found = null;
    this.#search = searches.begin("think", fields, {
      info: ({ lines }) => {
        if (lines[0] && !lines[0].bound) [found] = lines;
        this.dispatchEvent(new CustomEvent("lines", { detail: { lines, node } }));
      },
      best: ({ turn }) => {
        keepScore(node, found, side);
        this.#played(node, turn);
      },
      failed: () => {
        state.change({ failed: player.engine });
        this.#stop();
      },
    });
    this.dispatchEvent(new Event("thinking"));
  }

  // Levels have their own limits; the time limits full strength.
  #limits() {
    const { clock, moveTime } = this.#page.state.game;
    const left = this.#page.clocks.left;
    if (!left) return { movetime: moveTime };
    return { clock: { white: Math.round(left.w), black: Math.round(left.b), inc: clock?.inc ?? 0 } };
  }

  async #played(node, turn) {
    const { game } = this.#page.state;
    const clock = this.clockAfterTurn();
    this.#search = null;
    this.#page.state.change({ thinking: null });
    this.#page.clocks.stop();
    if (!turn) return;
    // First finish showing the previous turn.
    const asked = this.#asked;
    const { w, b } = game.players;
    if (w.kind === b.kind) await new Promise((resolve) => setTimeout(resolve, this.#begun + this.pace - performance.now()));
    await this.#page.board.motion.idle;
    if (asked !== this.#asked || game.live !== node) return;
    await this.#page.controller.play(node, turn, { clock });
  }

  // Time used for a turn stays used, whatever happens in between.
  #keepLeft() {
    if (!this.#page.state.game.remote && this.#page.clocks.running && this.#clocksOf === this.#page.state.game.live) this.#page.state.game.left = this.#page.clocks.left;
  }

  /** The clocks after the running side's turn. */
  clockAfterTurn() {
    const left = this.#page.clocks.left;
    if (!left) return null;
    const side = this.#page.clocks.running;
    if (side) left[side] += this.#page.state.game.clock?.inc ?? 0;
    return left;
  }

  #stop() {
    this.#search?.stop();
    this.#search = null;
    if (this.#page.state.thinking === null) return;
    this.#page.state.change({ thinking: null });
    this.dispatchEvent(new Event("thinking"));
  }
}

// No level searches more nodes than these.
const ALL_NODES = 1_000_000;

// With a seed, a level answers a position in the same way everywhere: no time limits it, and it begins each
// search as in a new game.
function repeatable(seed, { ply }, id) {
  return { limits: { nodes: ALL_NODES }, options: { Seed: String(seed) }, game: `${id}-${ply}` };
}

// The playing engine's score is kept for the final graph, unless the position has a
// deeper one.
function keepScore(node, line, side) {
  if (!line?.score || (node.score?.depth ?? 0) > line.depth) return;
  node.score = { ...forWhite(line.score, side), depth: line.depth };
}

/**
 * The winner of a finished game, from an end off the board or from the rings.
 * @param {{winner: string}|null} end
 * @param {[number, number]} removed rings removed by White and Black
 * @returns {string} "w", "b", or "" for a draw
 */
export function winnerOf(end, [white, black]) {
  if (end) return end.winner;
  return white > black ? "w" : black > white ? "b" : "";
}

// The clocks of a game. They only count down; the caller decides what happens when time
// is up.

const TICK_MS = 100;

/** A tick that comes this late means that the computer slept. That time counts for no side. */
const ASLEEP_MS = 10_000;

/** Fires "tick" while a clock runs, and "flag" (detail: the side) when its time is up. */
export class Clocks extends EventTarget {
  /** Milliseconds left. @type {{w: number, b: number}|null} */
  #left = null;
  /** The side whose clock runs. @type {"w"|"b"|null} */
  running = null;
  #since = 0;
  #ticked = 0;
  #timer = 0;

  /** Milliseconds left for both sides now, or null without clocks. */
  get left() {
    if (!this.#left) return null;
    const left = { ...this.#left };
    if (this.running) left[this.running] = Math.max(0, left[this.running] - (performance.now() - this.#since - this.#asleep));
    return left;
  }

  /** Milliseconds since the last tick, if the computer slept. */
  get #asleep() {
    const gap = performance.now() - this.#ticked;
    return gap > ASLEEP_MS ? gap : 0;
  }

  /**
   * Sets both clocks and stops them.
   * @param {{w: number, b: number}|null} left
  */
  set(left) {
    this.stop();
    this.#left = left ? { ...left } : null;
    this.dispatchEvent(new Event("tick"));
  }

  /**
   * Starts one side's clock and stops the other's.
   * @param {"w"|"b"} side
  */
  run(side) {
    if (!this.#left || this.running === side) return;
    this.stop();
    this.running = side;
    this.#since = this.#ticked = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Stops the running clock. */
  stop() {
    clearInterval(this.#timer);
    this.#left = this.left;
    this.running = null;
  }

  #tick() {
    const side = this.running;
    this.#since += this.#asleep;
    this.#ticked = performance.now();
    this.dispatchEvent(new Event("tick"));
    if (this.left[side] > 0) return;
    this.stop();
    this.dispatchEvent(new CustomEvent("flag", { detail: side }));
  }
}

/**
 * A time as a clock shows it: minutes and seconds, with tenths below ten seconds.
 * @param {number} ms
 */
export function clockText(ms) {
  if (ms < 10000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
