// A game: its rules and start, the tree of its turns, who plays, and the clocks.

import { TurnNode, address, find, pack, unpack } from "./tree.js";

/**
 * @typedef {Object} Player
 * @property {"person"|"engine"} kind
 * @property {string} [engine]
 * @property {string} [level] the name of a level; the engine's full strength if absent
 */

/** What a side is called. */
export const SIDES = { w: "White", b: "Black" };

/** The other side. @param {"w"|"b"} side @returns {"w"|"b"} */
export function other(side) {
  return side === "w" ? "b" : "w";
}

/** A game and where one is in it. */
export class Game {
  /**
   * @param {Object} [fields]
   * @param {"standard"|"blitz"} [fields.rules]
   * @param {string} [fields.start] "startpos" or the text of a position
   * @param {{w: Player, b: Player}} [fields.players]
   * @param {{base: number, inc: number}|null} [fields.clock] milliseconds
   * @param {number} [fields.moveTime] milliseconds of an engine without a clock
   * @param {Array<[string, string]>} [fields.tags]
   */
  constructor({ rules = "standard", start = "startpos", players, clock = null, moveTime = 2000, tags = [] } = {}) {
    this.id = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.rules = rules;
    this.start = start;
    this.players = players ?? { w: { kind: "person" }, b: { kind: "person" } };
    this.clock = clock;
    this.moveTime = moveTime;
    this.tags = tags;
    this.created = Date.now();
    this.root = new TurnNode("", null);
    /** The node that is shown. */
    this.at = this.root;
    /** The node where the game is played on. */
    this.live = this.root;
    /** Whether engines answer and clocks run. */
    this.playing = true;
    if (clock) this.root.clock = { w: clock.base, b: clock.base };
  }

  /** Whether an engine plays. */
  get hasEngine() {
    return this.players.w.kind === "engine" || this.players.b.kind === "engine";
  }

  /**
   * The side to move after a number of turns; sides always take turns.
   * @param {number} ply
   * @returns {"w"|"b"}
   */
  sideAt(ply) {
    const first = this.start === "startpos" || this.start.split(" ")[1] === "w" ? "w" : "b";
    return ply % 2 === 0 ? first : other(first);
  }

  /**
   * Where a node is, as the server wants to know it.
   * @param {TurnNode} node
   */
  path(node) {
    return { rules: this.rules, start: this.start, turns: node.turns };
  }

  /**
   * What a player is called, with his level; empty if he has no name.
   * @param {"w"|"b"} side
   * @returns {string}
   */
  nameOf(side) {
    const player = this.players[side];
    if (player.kind === "engine") return player.level ? `${player.engine}, ${player.level}` : player.engine;
    const tag = this.tags.find(([name]) => name === SIDES[side]);
    if (tag?.[1] && tag[1] !== "?") return tag[1];
    return this.players[other(side)].kind === "engine" ? "You" : "";
  }

  /** A line that tells this game from others in a list. */
  get title() {
    const date = new Date(this.created).toLocaleDateString(undefined, { day: "numeric", month: "short" });
    return `${this.nameOf("w") || "White"} – ${this.nameOf("b") || "Black"}, ${this.rules}, ${date}`;
  }

  /** The tags that a record of this game begins with. @returns {Array<[string, string]>} */
  get recordTags() {
    /** @type {Array<[string, string]>} */
    const own = [
      ["White", this.nameOf("w") || "?"],
      ["Black", this.nameOf("b") || "?"],
      ["Date", new Date(this.created).toISOString().slice(0, 10).replaceAll("-", ".")],
    ];
    if (this.clock) own.push(["TimeControl", `${this.clock.base / 1000}+${this.clock.inc / 1000}`]);
    const given = this.tags.filter(([name]) => !["Rules", "Position", "Result"].includes(name));
    return [...given, ...own.filter(([name]) => !given.some(([known]) => known === name))];
  }

  /** The game as a value for JSON. */
  toJSON() {
    const { id, rules, start, players, clock, moveTime, tags, created, playing } = this;
    return {
      id, rules, start, players, clock, moveTime, tags, created, playing,
      title: this.title,
      turns: this.live.ply,
      tree: pack(this.root),
      at: address(this.at),
      live: address(this.live),
    };
  }

  /**
   * The game of a stored value.
   * @param {Object} value
   * @returns {Game}
   */
  static from(value) {
    const game = new Game(value);
    Object.assign(game, { id: value.id, created: value.created, playing: value.playing });
    game.root = unpack(value.tree);
    game.at = find(game.root, value.at);
    game.live = find(game.root, value.live);
    return game;
  }

  /**
   * A game of turns that were read from somewhere; nobody plays on in it yet.
   * @param {{path: Object, tags?: Array<[string, string]>, comments?: Object<string, string>}} read
   * @returns {Game}
   */
  static fromRead({ path, tags = [], comments = {} }) {
    const game = new Game({ rules: path.rules, start: path.start, tags });
    game.playing = false;
    let node = game.root;
    node.comment = comments[0] ?? "";
    for (const turn of path.turns) {
      node = node.play(turn, true);
      node.comment = comments[node.ply] ?? "";
    }
    game.live = node;
    game.at = node;
    return game;
  }
}
