// Challenges as links. A link has the level, the seed of the engine's choices, the rings that are placed, and
// one or two games from there, with a limit and a checksum:
//   #challenge=1&level=Casual&seed=7&rings=f6,e5,...&turns=f6-f4,...&accuracy=612,884&name=Ann&turns=...&sum=0badcafe
// Each game begins with its turns. An accuracy is in tenths of a percent, the person's first.

import { formatBoard } from "../../../../../position/drawing/rules.js";
import { nearest, place, points } from "../../../../../position/drawing/geometry.js";
import { decoded, visible } from "../../game/game.js";
import { randomOf, sumOf } from "../random.js";

/**
 * A game of a challenge. The person here or there plays White.
 * @typedef {Object} Played
 * @property {string} name of the person, or ""
 * @property {string[]} turns
 * @property {boolean} resigned whether the person resigned
 * @property {boolean} helped whether the person had help, such as hints
 * @property {[number, number]} accuracy in tenths of a percent: of the person and of the level
 */

/**
 * @typedef {Object} Challenge
 * @property {string} level
 * @property {number} seed
 * @property {string[]} rings the points of the rings, White's and Black's alternately
 * @property {Played[]} games that of the sender first; at most two
 */

const VERSION = "1";
/** Two games of 150 turns. Programs for chats break longer links. */
const LONGEST = 6000;
const MOST_TURNS = 200;
const RINGS = 10;
/** Rings at the edge can hardly move. */
const FAR = 310;

/**
 * A fair placing of all rings: Black's mirror White's.
 * @param {number} seed from 1
 * @returns {string[]}
 */
export function placing(seed) {
  const random = randomOf(seed);
  const free = points.filter((point) => Math.hypot(place(point).x, place(point).y) < FAR);
  const rings = [];
  while (rings.length < RINGS) {
    const point = free[Math.floor(random() * free.length)];
    const mirrored = nearest(-place(point).x, -place(point).y);
    if (point === mirrored || rings.includes(point)) continue;
    rings.push(point, mirrored);
  }
  return rings;
}

/**
 * The position after the placing.
 * @param {string[]} rings
 */
export function startOf(rings) {
  return formatBoard({ points: Object.fromEntries(rings.map((point, i) => [point, i % 2 ? "B" : "W"])), side: "w", removed: [0, 0], pool: 51 });
}

const hex = (text) => sumOf(text).toString(16).padStart(8, "0");

/**
 * The part of a link that follows "#challenge=".
 * @param {Challenge} challenge
 * @returns {string}
 */
export function write({ level, seed, rings, games }) {
  const fields = [VERSION, `level=${encodeURIComponent(level)}`, `seed=${seed}`, `rings=${rings.join(",")}`];
  for (const { name, turns, resigned, helped, accuracy } of games) {
    fields.push(`turns=${turns.join(",")}`, `accuracy=${accuracy.join(",")}`);
    if (resigned) fields.push("resigned=1");
    if (helped) fields.push("helped=1");
    if (name) fields.push(`name=${encodeURIComponent(name).replace(/['()*!~.]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`);
  }
  const text = fields.join("&");
  return `${text}&sum=${hex(text)}`;
}

/** What can be wrong with a link. @typedef {"long"|"cut"|"damaged"|"version"|"invalid"} Fault */

/**
 * Reads a link.
 * @param {string} link what follows "#challenge="
 * @returns {{challenge: Challenge}|{fault: Fault}}
 */
export function read(link) {
  if (link.length > LONGEST) return { fault: "long" };
  // Some programs escape a link, and some take the sign after it for its end.
  const text = (link.includes("&") ? link : decoded(link)).replaceAll("&amp;", "&");
  const [, body, sum] = /^(.*)&sum=([0-9a-f]{8})[^\w&]*$/s.exec(text) ?? [];
  if (sum === undefined) return { fault: /^\d+(&|$)/.test(text) ? "cut" : "damaged" };
  if (hex(body) !== sum) return { fault: "damaged" };
  const [version, ...fields] = body.split("&");
  if (version !== VERSION) return { fault: "version" };
  const challenge = challengeOf(fields.map((field) => [field.slice(0, field.indexOf("=")), decoded(field.slice(field.indexOf("=") + 1))]));
  return challenge ? { challenge } : { fault: "invalid" };
}

// A checksum does not keep anybody from writing links by hand.
/** @param {string[][]} fields @returns {Challenge|null} */
function challengeOf(fields) {
  /** @type {Challenge} */
  const challenge = { level: "", seed: 0, rings: [], games: [] };
  for (const [name, value] of fields) {
    const game = challenge.games.at(-1);
    if (name === "level") challenge.level = value;
    else if (name === "seed") challenge.seed = Number(value);
    else if (name === "rings") challenge.rings = value.split(",");
    else if (name === "turns") challenge.games.push({ name: "", turns: value.split(",").filter(Boolean), resigned: false, helped: false, accuracy: [0, 0] });
    else if (!game) return null;
    else if (name === "accuracy") game.accuracy = /** @type {[number, number]} */ (value.split(",").map(Number));
    else if (name === "resigned" || name === "helped") game[name] = true;
    else if (name === "name") game.name = visible(value).trim().slice(0, 40);
  }
  const { level, seed, rings, games } = challenge;
  const whole = (number, least, most) => Number.isInteger(number) && number >= least && number <= most;
  const placed = rings.length === RINGS && new Set(rings).size === RINGS && rings.every((point) => place(point));
  const played = games.every(({ turns, accuracy }) => turns.length > 0 && turns.length <= MOST_TURNS && accuracy.length === 2 && accuracy.every((share) => whole(share, 0, 1000)));
  return level && whole(seed, 1, 0x7fffffff) && placed && played && games.length <= 2 ? challenge : null;
}
