// Challenges: two people play the same level from the same placing, each in their own browser, and see both
// games side by side. The engine answers the same turn in the same way. All of it is in links: link.js.

import { Game, helpOf } from "../../game/game.js";
import { saveSettings, settings } from "../../game/settings.js";
import { levelName } from "../../game/words.js";
import { reasonOf } from "../../failures.js";
import { numberText, t } from "../../language.js";
import { Sheet, learnSection } from "../sheet/sheet.js";
import { placing, read, startOf, write } from "./link.js";

/** @typedef {import("./link.js").Challenge} Challenge */
/** @typedef {import("./link.js").Played & {fen: string, removed: [number, number]}} Shown with its last position */

/** The tag of a game that belongs to a challenge: its link, with the game of the other person if it is known. */
const TAG = "Challenge";

/**
 * @typedef {Object} State
 * @property {string[]} levels to choose from
 * @property {Challenge|null} challenge
 * @property {Shown[]} games those of the challenge
 * @property {boolean} own whether the first game is the one played here
 * @property {number} [share] how much of the own game is reviewed, until all of it is
 * @property {string} [fault]
 * @property {string} name of the person here
 * @property {boolean} [seen] whether one of the games was opened from here
 */

/**
 * How a game ended for its person.
 * @param {Shown} game
 */
function resultOf({ resigned, removed: [mine, theirs] }) {
  if (resigned) return t("challenge-resigned");
  return mine === theirs ? t("challenge-drawn", { mine, theirs }) : mine > theirs ? t("challenge-won", { mine, theirs }) : t("challenge-lost", { mine, theirs });
}

const shareText = (tenths) => numberText(tenths / 1000, { style: "percent", minimumFractionDigits: 1 });

/**
 * What the panel shows.
 * @param {State} state
 * @param {string} page the address of the page
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ levels, challenge, games, own, share, fault, name, seen }, page) {
  const [first] = games;
  const both = !own && games.length > 1;
  /** @type {import("../sheet/sheet.js").Block} */
  const title = { title: games.length > 1 ? t("challenge-both") : !first || own ? t("challenge") : first.name ? t("challenge-by", { name: first.name }) : t("challenge-received"), buttons: [both && ["accept", t("challenge-accept")], ["close", t("close")]], id: "challenge-title", instead: !seen };
  if (fault) return [title, { text: fault, id: "challenge-fault", tone: "bad" }];
  if (share !== undefined) return [title, { text: t("challenge-measuring") }, { bar: share, id: "challenge-bar", label: t("review-progress.aria-label") }];
  if (!challenge) return [title, { buttons: levels.map((level) => ["level", levelName(level), false, { value: level }]) }, { text: t("challenge-how") }];
  const level = levelName(challenge.level);
  if (!own && !both) return [title, { buttons: [["accept", t("challenge-accept"), true]] }, { text: t("challenge-invites", { level }), id: "challenge-invites" }];
  const nameOf = (game, i) => game.name || (own === (i === 0) ? t("you") : t("challenge-friend"));
  const row = (head, cell) => [head, ...games.map(cell)];
  const table = [
    row("", nameOf),
    row(t("challenge-result"), resultOf),
    row(t("tab-turns"), ({ turns }) => String(turns.length)),
    row(t("accuracy"), ({ accuracy }) => shareText(accuracy[0])),
    row(t("challenge-accuracy", { level }), ({ accuracy }) => shareText(accuracy[1])),
    ...(games.some(({ helped }) => helped) ? [row(t("challenge-help"), ({ helped }) => t(helped ? "challenge-yes" : "challenge-no"))] : []),
  ];
  const link = `${page}#challenge=${write({ ...challenge, games: games.map((game, i) => (own && i === 0 ? { ...game, name } : game)) })}`;
  // The own game is on the board.
  /** @type {import("../sheet/sheet.js").Maybe} */
  const cards = games.length > 1 && { cards: games.map((game, i) => ({ value: String(i), fen: game.fen, text: t("challenge-see", { name: nameOf(game, i) }) })).slice(Number(own && !seen)), id: "challenge-cards" };
  const words = { level, result: resultOf(first), accuracy: shareText(first.accuracy[0]) };
  return [
    title,
    own && { input: t("your-name"), value: name, id: "challenge-name" },
    own && { copy: `${games.length > 1 ? t("challenge-answer", words) : t("challenge-text", words)}\n${link}`, id: "challenge-text", label: t("challenge-link") },
    seen && cards,
    { table, id: "challenge-table", label: t("challenge-both") },
    !seen && cards,
  ];
}

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  const { analysis, controller, link: program, notices, parts, rules, state, tabs } = page;
  const sheet = new Sheet(learnSection("challenge", t("challenge")), (/** @type {State} */ state) => sheetOf(state, `${location.origin}${location.pathname}`), {
    "challenge-name": (text) => rename(text.trim()),
    level: (level) => invite(level),
    accept: () => play({ ...sheet.state.challenge, games: sheet.state.games.slice(0, 1) }),
    card: (number) => look(sheet.state.games[Number(number)]),
    close: () => close(),
  }, { levels: [], challenge: null, games: [], own: false, name: "" });
  /** The number of the latest opening. */
  let latest = 0;

  /**
   * @param {{link?: string, theme?: string}} [how] with what follows "#challenge=" in a link, or with the theme
   *   "game", which means the open game of a challenge
  */
  const open = async ({ link, theme } = {}) => {
    const ofGame = theme === "game";
    const asked = ++latest;
    tabs.learn("challenge");
    // Full strength is limited by time, which no two machines have alike.
    const levels = (program.hello?.levels ?? []).filter(({ elo }) => elo).map(({ name }) => name);
    sheet.change({ levels, challenge: null, games: [], own: false, share: undefined, fault: "", name: settings().name ?? "", seen: false });
    const text = ofGame ? state.game.tags.find(([tag]) => tag === TAG)?.[1] : link;
    if (text === undefined) return;
    const found = read(text);
    if ("fault" in found) return sheet.change({ fault: t(`challenge-fault-${found.fault}`) });
    const { challenge } = found;
    if (!levels.includes(challenge.level)) return sheet.change({ fault: t("challenge-fault-level", { level: challenge.level }) });
    try {
      const games = await Promise.all(challenge.games.map((game) => shown(challenge, game)));
      if (asked !== latest) return;
      sheet.change({ challenge, games });
      if (ofGame) await addOwn(asked);
    } catch (error) {
      if (asked === latest) sheet.change({ fault: t("challenge-fault-turns", { reason: reasonOf(error) }) });
    }
  };

  /** @returns {Promise<Shown>} */
  const shown = async ({ rings }, game) => {
    const { views } = await rules.game({ rules: "standard", start: startOf(rings), turns: game.turns });
    const { position: fen, removed } = views.at(-1);
    return { ...game, fen, removed };
  };

  // Measures the accuracy of the open game, and puts it before that of the other person.
  const addOwn = async (asked) => {
    const { game } = state;
    notices.remove("undo"); // after resigning: it would change the game that is measured
    sheet.change({ share: 0 });
    const review = await parts.get("review", () => open({ theme: "game" }));
    const whole = await review?.ensure((share) => asked === latest && sheet.change({ share }));
    if (asked !== latest) return;
    if (!whole) return sheet.change({ share: undefined, fault: t("moments-unreviewed") });
    const { turns } = game.mainLeaf;
    const sides = game.mainLeaf.review;
    const accuracy = /** @type {[number, number]} */ ([sides.w, sides.b].map((side) => Math.round(10 * (side.accuracy ?? 0))));
    const own = await shown(sheet.state.challenge, { name: "", turns, resigned: game.mainLeaf.end?.winner === "b", helped: helpOf(game).length > 0, accuracy });
    sheet.change({ share: undefined, own: true, games: [own, ...sheet.state.games.slice(0, 1)] });
  };

  const rename = (name) => {
    saveSettings({ name });
    sheet.change({ name });
  };

  const invite = (level) => {
    const seed = 1 + Math.floor(Math.random() * 0x7ffffffe);
    return play({ level, seed, rings: placing(seed), games: [] });
  };

  const close = () => {
    latest++;
    tabs.learn();
  };

  /** @param {Challenge} challenge */
  const play = (challenge) => {
    const { level, seed, rings } = challenge;
    /** @type {import("../../game/game.js").Player} */
    const engine = { kind: "engine", engine: analysis.engines[0], level, seed };
    tabs.learn();
    tabs.show("turns");
    return controller.open(new Game({ start: startOf(rings), players: { w: { kind: "person" }, b: engine }, tags: [[TAG, write(challenge)]] }));
  };

  /** @param {Shown} game */
  const look = ({ turns, name }) => {
    const { level, rings } = sheet.state.challenge;
    sheet.change({ seen: true });
    const tags = /** @type {Array<[string, string]>} */ ([["White", name], ["Black", level]].filter(([, text]) => text));
    return controller.open(Game.fromRead({ path: { rules: "standard", start: startOf(rings), turns }, tags }));
  };

  return { open };
}
