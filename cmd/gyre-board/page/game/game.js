// A game: its rules and start, the tree of its turns, who plays, and the clocks.

import { TurnNode, address, find, pack, unpack } from "./tree.js";

/**
 * @typedef {Object} Player
 * @property {"person"|"engine"|"remote"} kind remote: a person at another browser, or an engine in a match
 * @property {string} [engine]
 * @property {string} [level] the name of a level; absent for full strength
 * @property {number} [seed] of the engine's random choices: the same turn in the same position
 */

/**
 * How the turns of the other player arrive: by links, or from a room of the server.
 * @typedef {Object} Remote
 * @property {"link"|"room"} by
 * @property {string} [room] the room's id
 * @property {string} [key] the key of the seat; absent for spectators
 * @property {string} [invitation] the key of the opponent's seat, until the opponent has come
 */

/** @typedef {import("./store.js").Stored} Stored */

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** The names of the sides in tags of records. */
export const SIDES = { w: "White", b: "Black" };

/** The name of a person who plays an engine, or who has no name and plays someone at another browser. */
export const YOU = "You";

/** The other side. @param {"w"|"b"} side @returns {"w"|"b"} */
export function other(side) {
  return side === "w" ? "b" : "w";
}

/** Returns a new random id. */
export function newId() {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}

/** A game and the current position in it. */
export class Game {
  /**
   * @param {Object} [fields]
   * @param {"standard"|"blitz"} [fields.rules]
   * @param {string} [fields.start] "startpos" or the text of a position
   * @param {{w: Player, b: Player}} [fields.players]
   * @param {{base: number, inc: number}|null} [fields.clock] milliseconds
   * @param {number} [fields.moveTime] milliseconds per turn of an engine without a clock
   * @param {Array<[string, string]>} [fields.tags]
   * @param {string} [fields.result] from the record that was read
   * @param {string} [fields.collection] the file that the game and others came from
   * @param {Remote|null} [fields.remote] if a player is remote
  */
  constructor({ rules = "standard", start = "startpos", players, clock = null, moveTime = 2000, tags = [], result = "", collection = "", remote = null } = {}) {
    this.id = newId();
    /** The revision that this tab last stored or loaded. */
    this.revision = 0;
    this.rules = rules;
    this.start = start;
    this.players = players ?? { w: { kind: "person" }, b: { kind: "person" } };
    this.clock = clock;
    this.moveTime = moveTime;
    this.tags = tags;
    this.result = result;
    this.collection = collection;
    this.remote = remote;
    /** The name and the labels that the user has given the game. */
    this.name = "";
    /** @type {string[]} */
    this.labels = [];
    this.created = Date.now();
    this.root = new TurnNode("", null);
    /** The shown node. */
    this.at = this.root;
    /** The live node, where the game continues. */
    this.live = this.root;
    /** Whether engines reply and clocks run. */
    this.playing = true;
    /** Whether the game is temporary and is not stored, not even in the tab: a puzzle. */
    this.passing = false;
    /** Milliseconds left at the live node, if some of its turn's time is used. @type {{w: number, b: number}|null} */
    this.left = null;
    if (clock) this.root.clock = { w: clock.base, b: clock.base };
  }

  /** Whether the game has any content. */
  get begun() {
    const { children, comment, arrows } = this.root;
    return !this.passing && (this.revision > 0 || children.length > 0 || comment !== "" || arrows.length > 0 || this.start !== "startpos");
  }

  /** The end of the main line. @returns {TurnNode} */
  get mainLeaf() {
    let node = this.root;
    while (node.children.length) node = node.children[0];
    return node;
  }

  /**
   * The clocks when the game continues from a node, or null for the time left there. Going
   * back returns no time, unless the time was up.
   * @param {TurnNode} node
  */
  leftAt(node) {
    const { live, left } = this;
    if (node === live) return left;
    const now = left ?? live.clock;
    if (!now || !node.clock || live.end) return null;
    return { w: Math.min(now.w, node.clock.w), b: Math.min(now.b, node.clock.b) };
  }

  /** Whether an engine plays. */
  get hasEngine() {
    return this.players.w.kind === "engine" || this.players.b.kind === "engine";
  }

  /** The side of the person here, if the other player is at another browser. @returns {"w"|"b"|null} */
  get ownSide() {
    const { w, b } = this.players;
    if (!this.remote || w.kind === b.kind) return null;
    return w.kind === "person" ? "w" : "b";
  }

  /** Whether no engine may help now: a person here plays one at another browser. */
  get isLocked() {
    return this.playing && this.ownSide !== null;
  }

  /** Whether a person here plays. */
  get hasPerson() {
    return this.players.w.kind === "person" || this.players.b.kind === "person";
  }

  /** Whether engines play each other. */
  get isWatched() {
    return this.players.w.kind === "engine" && this.players.b.kind === "engine";
  }

  /**
   * The side to move after a number of turns. Sides always alternate.
   * @param {number} ply
   * @returns {"w"|"b"}
  */
  sideAt(ply) {
    const first = this.start === "startpos" || this.start.split(" ")[1] === "w" ? "w" : "b";
    return ply % 2 === 0 ? first : other(first);
  }

  /**
   * A node's position as the server expects it.
   * @param {TurnNode} node
  */
  path(node) {
    return { rules: this.rules, start: this.start, turns: node.turns };
  }

  /**
   * The name of a player with the level, or "" without a name.
   * @param {"w"|"b"} side
   * @returns {string}
  */
  nameOf(side) {
    const player = this.players[side];
    if (player.kind === "engine") return player.level ? `${player.engine}, ${player.level}` : player.engine;
    const tag = this.tags.find(([name]) => name === SIDES[side]);
    if (tag?.[1] && tag[1] !== "?") return tag[1];
    return this.players[other(side)].kind === "engine" || this.ownSide === side ? YOU : "";
  }

  /** The names of the players for others to read: a person here has none. @returns {{white?: string, black?: string}} */
  get names() {
    const name = (side) => (this.nameOf(side) === YOU ? "" : this.nameOf(side));
    return { white: name("w"), black: name("b") };
  }

  /** The winner, "d" for a draw, or "" for an unfinished game. @returns {"w"|"b"|"d"|""} */
  get outcome() {
    const { end } = this.live;
    if (end) return /** @type {"w"|"b"} */ (end.winner) || "d";
    const [, white, black] = /^(\d+)-(\d+)$/.exec(this.result) ?? [];
    if (white === undefined) return "";
    return Number(white) > Number(black) ? "w" : white === black ? "d" : "b";
  }

  /** A name for files of this game, without an ending: the players and when it began. */
  get fileName() {
    const names = this.titleNames.join("-").replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
    const began = new Date(this.created - 60_000 * new Date(this.created).getTimezoneOffset()).toISOString();
    return `yinsh-${names}-${began.slice(0, 10)}-${began.slice(11, 16).replace(":", "")}`;
  }

  /** The players, White first. Those without a name have that of their side. @returns {string[]} */
  get titleNames() {
    return [this.nameOf("w") || "White", this.nameOf("b") || "Black"];
  }

  /** A line that identifies this game in a list. */
  get title() {
    const date = this.tags.find(([name]) => name === "Date")?.[1] ?? DAY.format(this.created);
    return `${this.titleNames.join(" – ")}, ${this.rules}, ${date}`;
  }

  /** The tags of this game's record. @returns {Array<[string, string]>} */
  get recordTags() {
    /** @type {Array<[string, string]>} */
    const own = [
      ["White", this.nameOf("w") || "?"],
      ["Black", this.nameOf("b") || "?"],
      ["Date", new Date(this.created).toISOString().slice(0, 10).replaceAll("-", ".")],
    ];
    if (this.clock) own.push(["TimeControl", `${this.clock.base / 1000}+${this.clock.inc / 1000}`]);
    // The end says why the game ended, and it may have been taken back.
    const given = this.tags.filter(([name]) => !["Rules", "Position", "Result", "Termination"].includes(name));
    return [...given, ...own.filter(([name]) => !given.some(([known]) => known === name))];
  }

  /** The game as it is stored. Games stored by earlier versions may lack fields. */
  toJSON() {
    const { id, rules, start, players, clock, moveTime, tags, result, created, playing, left, collection, remote, name, labels } = this;
    return {
      id, rules, start, players, clock, moveTime, tags, result, created, playing, left, collection, remote, name, labels,
      outcome: this.outcome,
      changed: Date.now(),
      title: this.title,
      titleNames: this.titleNames,
      turns: this.live.ply,
      tree: pack(this.root),
      at: address(this.at),
      live: address(this.live),
    };
  }

  /**
   * Makes a game from its stored value.
   * @param {Stored} value
   * @param {number} [revision]
   * @returns {Game}
  */
  static from(value, revision = 0) {
    const game = new Game(value);
    Object.assign(game, { id: value.id, created: value.created, playing: value.playing, left: value.left ?? null, name: value.name ?? "", labels: value.labels ?? [], revision });
    game.root = unpack(value.tree);
    game.at = find(game.root, value.at);
    game.live = find(game.root, value.live);
    return game;
  }

  /**
   * Makes a game from its stored value, or returns null if the value is damaged; it stays
   * in the store then.
   * @param {Stored} value
   * @param {number} [revision]
   * @returns {Game|null}
  */
  static readable(value, revision) {
    try {
      return Game.from(value, revision);
    } catch (error) {
      console.warn("a stored game cannot be read:", error);
      return null;
    }
  }

  /** A copy of this game with another id. @returns {Game} */
  copy() {
    const copy = Game.from(this.toJSON());
    copy.id = newId();
    copy.tags = tagsForCopy(this);
    // The links and the room belong to the original.
    copy.remote = null;
    const here = (player) => (player.kind === "remote" ? { kind: "person" } : player);
    copy.players = { w: here(this.players.w), b: here(this.players.b) };
    return copy;
  }

  /**
   * Makes a game from turns that were read. It is not being played.
   * @param {Partial<import("../_types/messages").TextGame>} read
   * @param {string} [collection] the file it was in with others
   * @returns {Game}
  */
  static fromRead({ path, tags = [], comments = {}, tree, end, result = "" }, collection = "") {
    const game = new Game({ rules: path.rules, start: path.start, tags, result, collection });
    game.playing = false;
    if (tree) game.root = unpack(tree);
    else addTurns(game.root, path.turns, comments);
    game.live = game.at = game.mainLeaf;
    game.live.end = end ?? null;
    return game;
  }
}

function addTurns(root, turns, comments) {
  let node = root;
  node.comment = comments[0] ?? "";
  for (const turn of turns) {
    node = node.play(turn, true);
    node.comment = comments[node.ply] ?? "";
  }
}

/**
 * A game as the server writes it into a record: the main line and the whole tree.
 * @param {Game} game
 * @returns {import("../_types/messages").TextGame}
 */
export function recordOf(game) {
  const { mainLeaf } = game;
  const end = mainLeaf.end ?? undefined;
  // The result that was read is valid as long as the end it came with.
  const why = game.tags.find(([name]) => name === "Termination")?.[1];
  const result = end && end.why === why ? game.result : "";
  return { path: game.path(mainLeaf), tags: game.recordTags, comments: {}, result, end, tree: pack(game.root) };
}

// The help that a person had in a game against an engine or a person at another browser. A tag of the game keeps it, so
// that exported files have it, too.

const TAG = "Help";

// A copy counts as help: the player can return to the original game.
const COPY = "a copy";

/**
 * The kinds of help used in a game, in a few words each.
 * @param {Pick<Game, "tags">} game
 * @returns {string[]}
 */
export function helpOf({ tags }) {
  return tags.find(([name]) => name === TAG)?.[1].split(", ") ?? [];
}

/**
 * Whether a person plays the game against an engine.
 * @param {Game} game
 */
export function isAgainstEngine({ passing, players: { w, b } }) {
  return !passing && w.kind !== b.kind && (w.kind === "engine" || b.kind === "engine");
}

/**
 * Adds a kind of help to the tags.
 * @param {Array<[string, string]>} tags
 * @param {string} what
 * @returns {Array<[string, string]>}
 */
function withHelp(tags, what) {
  const known = helpOf({ tags });
  return [...tags.filter(([name]) => name !== TAG), [TAG, [...known, what].join(", ")]];
}

/**
 * The tags of a copy of a game, so that only one of the two counts.
 * @param {Game} game
 */
export function tagsForCopy(game) {
  const played = game.playing && (isAgainstEngine(game) || game.ownSide !== null);
  return played && !helpOf(game).includes(COPY) ? withHelp(game.tags, COPY) : game.tags;
}

/**
 * Records help in the open game, if a person here plays an engine or a person elsewhere in it.
 * @param {Pick<import("../_types/page").Page, "state"|"controller">} page
 * @param {"hints"|"take-backs"|"pauses"|"the analysis"|"the openings"|"the coach"} what
 */
export function recordHelp({ state: { game }, controller }, what) {
  if (!(isAgainstEngine(game) || game.ownSide) || helpOf(game).includes(what)) return;
  game.tags = withHelp(game.tags, what);
  controller.changed();
}

// Links hold a position and the turns from it in the fragment of the address, which
// browsers never send to a server:
//   #rules=blitz&start=4/7/.../4_w_0-0&turns=f6,e5,e4-e10&at=2&white=Ann&black=Bob
// A game played by link also has its id, and the side that has resigned, if any:
//   #rules=standard&turns=f6&game=12-34&resigned=w
// Turns and positions need no escaping, except that "_" stands for a blank. Names are
// escaped.

/**
 * The link to a game, up to the end of a line.
 * @param {{rules: string, start: string, turns: string[]}} path
 * @param {number} at the ply to show
 * @param {{white?: string, black?: string}} [names] of the players
 * @param {{game?: string, resigned?: string, board?: string}} [more] of a game played by link, and
 *     the text of the position that the server shows to programs that preview links
 * @returns {string} the whole address
 */
export function linkTo(path, at, names = {}, more = {}) {
  const fields = [`rules=${path.rules}`];
  if (path.start !== "startpos") fields.push(`start=${path.start.replaceAll(" ", "_")}`);
  if (path.turns.length) fields.push(`turns=${path.turns.join(",")}`);
  if (at !== path.turns.length) fields.push(`at=${at}`);
  for (const side of ["white", "black"]) if (names[side]) fields.push(`${side}=${encodeURIComponent(names[side])}`);
  for (const name of ["game", "resigned"]) if (more[name]) fields.push(`${name}=${more[name]}`);
  return `${location.origin}${location.pathname}${previewQuery(names, more, path.rules)}#${fields.join("&")}`;
}

// The names and the position for the server, which puts them into the title and the picture that
// other programs show with the link. The exported page has no server, and its title and its picture
// stay.
function previewQuery({ white = "", black = "" }, { board = "" }, rules) {
  if (!globalThis.document?.querySelector('meta[name="gyre-token"]')) return "";
  const fields = [];
  if (white || black) fields.push(`${new URLSearchParams({ white, black })}`);
  if (board) fields.push(`board=${board.replaceAll(" ", "_")}`);
  if (board && rules !== "standard") fields.push(`rules=${rules}`);
  return fields.length ? `?${fields.join("&")}` : "";
}

// Invisible characters, above all those that change the direction of the text around them. The Go
// function plaintext.Visible removes the same ones.
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * A name without invisible characters.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(INVISIBLE, "").replace(/[\u2028\u2029]/g, " ");
}

/**
 * Parses a fragment. Returns null if it is not a link to a game.
 * @param {string} fragment with or without the #
 * @returns {{path: import("../_types/messages").Path, at: number, tags: Array<[string, string]>, game: string, resigned: "w"|"b"|""}|null}
 */
export function readLink(fragment) {
  const text = whole(fragment);
  const fields = new Map(text.split("&").map((field) => [field.split("=")[0], decoded(field.slice(field.indexOf("=") + 1))]));
  if (!fields.has("rules") && !fields.has("turns") && !fields.has("start")) return null;
  const turns = (fields.get("turns") ?? "").split(",").filter(Boolean);
  /** @type {import("../_types/messages").Path} */
  const path = {
    rules: fields.get("rules") === "blitz" ? "blitz" : "standard",
    start: (fields.get("start") ?? "startpos").replaceAll("_", " "),
    turns,
  };
  const at = Number.parseInt(fields.get("at") ?? "", 10);
  /** @type {Array<[string, string]>} */
  const tags = [];
  for (const side of ["White", "Black"]) {
    const name = visible(fields.get(side.toLowerCase()) ?? "");
    if (name) tags.push([side, name]);
  }
  const resigned = fields.get("resigned") ?? "";
  return {
    path, tags,
    at: Number.isInteger(at) ? Math.max(0, Math.min(at, turns.length)) : turns.length,
    game: /^\d+-\d+$/.test(fields.get("game") ?? "") ? fields.get("game") : "",
    resigned: resigned === "w" || resigned === "b" ? resigned : "",
  };
}

/**
 * Parses the fragment of a link to a room: its id, and the key of a seat in it, if any.
 * @param {string} fragment with or without the #
 * @returns {{room: string, key: string}|null}
 */
export function readRoomLink(fragment) {
  const [, room, key = ""] = /^room=(\w+)(?:&seat=(\w+))?$/.exec(whole(fragment)) ?? [];
  return room ? { room, key } : null;
}

/**
 * The link to a room.
 * @param {string} room
 * @param {string} [key] of a seat in it
 * @returns {string} the whole address
 */
export function linkToRoom(room, key = "") {
  return `${location.origin}${location.pathname}#room=${room}${key && `&seat=${key}`}`;
}

/**
 * The fragment of a link of this page in a text that is nothing but a link, or "".
 * @param {string} text
 * @returns {string} with the #
 */
export function linkIn(text) {
  const [, fragment = ""] = /^\s*<?https?:\/\/[^\s#]+(#\S+)\s*$/.exec(text) ?? [];
  return /^#(?:rules|turns|start|room|rush|challenge)(?:=|%3D)/i.test(fragment) ? fragment : "";
}

// A fragment without the damage of other programs: some escape all of it, or the "&" for HTML, and
// some take the sign after a link for its end. Names may end in a full stop.
function whole(fragment) {
  let text = fragment.replace(/^#/, "").replaceAll("&amp;", "&");
  if (!/^\w+=[^&]*&/.test(text)) text = decoded(text);
  const last = text.slice(text.lastIndexOf("&") + 1);
  return /^(?:white|black)=/.test(last) ? text : text.replace(/(?:[^\w]|%(?!5F)[2-7][0-9A-F])+$/i, "");
}

/** A text from a link, unescaped if it is escaped. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it is not escaped
  }
}
