// The dialog for reviewing several games: the choice, the progress, and the results by game
// and by player. It can be closed, and the tab hidden, while reviews run.

import { playerText } from "../../game/words.js";
import { idsOf, listCollections } from "../../game/store.js";
import { openDialog } from "../../panels/dialogs.js";
import { openStored } from "../games/gamelist.js";
import { readGames } from "../puzzles/mistakes.js";
import { NORMAL, depthChoice, tenthsText } from "../review/judge.js";
import { Sheet, attempt, dialogFor } from "../sheet/sheet.js";
import { pendingWork, queueOf } from "./queue.js";
import { reasonOf } from "../../failures.js";
import { percentText, sideName, t } from "../../language.js";

/** This many games are shown at first, and as many more each time. */
const SHOWN = 100;

/**
 * @typedef {Object} State
 * @property {Array<[name: string, text: string]>} collections
 * @property {string} collection the chosen one
 * @property {string} nodes per position
 * @property {Listed[]} games of the collection
 * @property {string[]} chosen the ids of games to review
 * @property {number} shown how many games are listed
 * @property {string} said
 * @property {boolean} running
 * @property {{id: string, share: number}|null} now the game under review and its progress
 * @property {number} share of all reviews that is done
 */

/**
 * What the dialog shows.
 * @param {State} state
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ collections, collection, nodes, games, chosen, shown, said, running, now, share }) {
  const reviewed = /** @type {any[]} */ (games.filter(({ review }) => review));
  const rows = games.slice(0, shown).map((game) => rowOf(game, chosen.includes(game.id), running, running && now?.id === game.id ? percentText(now.share) : resultText(game)));
  const rest = games.length - shown;
  return [
    { title: t("reviews-title") },
    { group: "div", tone: "row", blocks: [
      { choice: t("games"), options: collections, value: collection, disabled: running, id: "reviews-of" },
      { ...depthChoice(nodes), disabled: running, id: "reviews-nodes" },
    ] },
    { buttons: ["reviews-new", "reviews-all", "reviews-none"].map((id) => [id, t(id), false, { disabled: running }]) },
    { group: "ul", tone: "reviews-list", id: "reviews-list", label: t("reviews-list.aria-label"), blocks: [
      ...rows,
      rest > 0 && { group: "li", blocks: [{ buttons: [["reviews-more", t("show-more-of", { more: Math.min(rest, SHOWN), count: games.length })]] }] },
    ] },
    running && { bar: share, id: "reviews-bar", label: t("reviews-progress.aria-label"), buttons: [["reviews-stop", t("stop")]] },
    { text: said, role: "status", tone: "fine", id: "reviews-said" },
    { group: "div", role: "region", label: t("reviews-summary.aria-label"), id: "reviews-summary", blocks: [reviewed.length > 0 && tableOf(tally(reviewed))] },
    { buttons: [
      reviewed.length > 0 && ["reviews-puzzles", t("review-puzzles")],
      !running && ["reviews-start", chosen.length ? t("reviews-start", { count: chosen.length }) : t("tab-review"), true, { disabled: !chosen.length }],
      ["close", t("close")],
    ], tone: "right" },
  ];
}

// The result is the accuracy of White and Black, which links to the game, or the progress of its review.
/** @param {Listed} game @param {boolean} value @param {boolean} disabled @param {string} result @returns {import("../sheet/sheet.js").Block} */
function rowOf({ id, title, turns, review }, value, disabled, result) {
  const label = review ? t("reviews-open", { accuracy: result, game: title }) : result;
  return { group: "li", blocks: [
    { check: id, text: `${title} · ${t("turns", { count: turns })}`, value, disabled, id: "reviews-game" },
    result && { buttons: [["reviews-result", result, false, { value: id, disabled: !review, label }]], tone: "reviews-result" },
  ] };
}

function resultText({ review }) {
  const text = (summary) => (summary?.turns ? percentText(summary.accuracy / 100) : "–");
  return review ? `${text(review.w)} : ${text(review.b)}` : "";
}

/** @param {Tally[]} players @returns {import("../sheet/sheet.js").Block} */
function tableOf(players) {
  const head = [t("column-player"), t("column-games"), t("column-accuracy"), t("column-blunders"), t("column-mistakes"), t("column-missed-rows")];
  const rows = players.map(({ name, games, accuracy, blunders, mistakes, missedRows }) => [name, String(games), tenthsText(accuracy), String(blunders), String(mistakes), String(missedRows)]);
  return { table: [head, ...rows], id: "reviews-table", tone: "reviews-table" };
}

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  const { controller, notices, say, tabs } = page;
  const dialog = dialogFor("reviews-dialog", t("reviews-title"));
  const sheet = new Sheet(dialog, sheetOf, {
    "reviews-of": (collection) => (sheet.change({ collection }), list()),
    "reviews-nodes": (nodes) => sheet.change({ nodes }),
    "reviews-game": (id) => sheet.change({ chosen: sheet.state.chosen.includes(id) ? sheet.state.chosen.filter((one) => one !== id) : [...sheet.state.chosen, id] }),
    "reviews-new": () => choose(({ review }) => !review),
    "reviews-all": () => choose(() => true),
    "reviews-none": () => choose(() => false),
    "reviews-more": () => sheet.change({ shown: sheet.state.shown + SHOWN }),
    "reviews-result": (id) => openGame(id),
    "reviews-start": () => start(),
    "reviews-stop": () => queue.stop(),
    "reviews-puzzles": () => puzzles(),
    close: () => dialog.close(),
  }, /** @type {State} */ ({ collections: [], collection: "", nodes: NORMAL, games: [], chosen: [], shown: SHOWN, said: "", running: false, now: null, share: 0 }));
  /** The number of the latest listing. */
  let latest = 0;

  /** Opens the dialog with the games under review, the waiting ones, or the user's own. */
  const open = async () => {
    notices.remove("reviews");
    sheet.change();
    openDialog("reviews-dialog");
    const left = queue.work ?? pendingWork();
    try {
      const collections = await collectionsOf();
      const before = left?.collection ?? sheet.state.collection;
      sheet.change({ collections, collection: collections.some(([name]) => name === before) ? before : "", ...(left && { nodes: String(left.nodes) }) });
    } catch (error) {
      return sheet.change({ said: t("no-games-now", { reason: reasonOf(error) }) });
    }
    return list();
  };

  // Choose the waiting games, or else those without a review.
  const list = async () => {
    const asked = ++latest;
    const { collection } = sheet.state;
    controller.save();
    try {
      const games = await gamesIn(collection, (read, of) => asked === latest && sheet.change({ said: of > SHOWN ? t("games-read-of", { number: read, count: of }) : "" }));
      if (asked !== latest) return;
      sheet.change({ games, shown: SHOWN });
    } catch (error) {
      if (asked === latest) sheet.change({ said: t("puzzle-games-fail", { reason: reasonOf(error) }) });
      return;
    }
    const left = queue.work ?? pendingWork();
    const waiting = left?.collection === collection ? left.ids : null;
    choose(({ id, review }) => (waiting ? waiting.includes(id) : !review));
    if (sheet.state.running) progress();
    else if (waiting) sheet.change({ said: t("reviews-left-before", { count: sheet.state.chosen.length }) });
  };

  const choose = (which) => {
    const { games } = sheet.state;
    sheet.change({ chosen: games.filter(which).map(({ id }) => id), said: games.length ? "" : t("reviews-no-games") });
  };

  const openGame = (id) => attempt(sheet, async () => {
    await openStored(page, id);
    tabs.show("review");
  });

  const progress = () => {
    const { all, work, now, share } = queue;
    if (!work) return; // it was stopped, and the last game still ends
    sheet.change({ running: true, now, share, said: `${t("game-of", { number: all - work.ids.length + 1, count: all })} ${t("may-be-closed")}` });
  };

  const start = () => {
    const { collection, nodes, games, chosen } = sheet.state;
    const wanted = new Set(chosen);
    const ids = games.map(({ id }) => id).filter((id) => wanted.has(id));
    queue.run({ collection, nodes: Number(nodes), ids });
    sheet.change({ running: true, share: 0 });
    /** @type {HTMLElement} */ (dialog.querySelector("[data-act=reviews-stop]")).focus();
    say(t("reviews-begun", { count: ids.length }));
  };

  const finished = (id, review) => {
    const { games, chosen } = sheet.state;
    sheet.change({ games: games.map((game) => (game.id === id ? { ...game, review } : game)), chosen: chosen.filter((one) => one !== id) });
  };

  const ended = () => {
    const { all, failures, why } = queue;
    const left = pendingWork()?.ids.length ?? 0;
    const done = all - left - failures.length;
    const parts = [done > 0 && t("reviews-done", { count: done }), left && t("reviews-left", { count: left }), failures.length && t("reviews-failed", { count: failures.length, reasons: reasons(failures) })];
    const said = parts.filter(Boolean).join(" ");
    sheet.change({ running: false, now: null, said: why || said });
    if (!why && !dialog.open) notices.show("reviews", said, { mild: true, action: [t("show-better"), () => open()] });
  };

  const reasons = (failures) => {
    const title = (id) => sheet.state.games.find((game) => game.id === id)?.title ?? t("a-game");
    return failures.slice(0, 3).map(({ id, why }) => `${title(id)}, ${why}`).join("; ");
  };

  const puzzles = () => {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    return page.parts.open("puzzles", { theme: "own" });
  };

  const queue = queueOf(page, { changed: progress, done: finished, ended });

  return { open };
}

// The stored games that can be reviewed together.

/** @typedef {ReturnType<typeof listedOf>} Listed */

/**
 * The collections: the user's own games, and those from files with several.
 * @returns {Promise<State["collections"]>}
 */
async function collectionsOf() {
  const found = await listCollections();
  const own = found.find(({ name }) => !name)?.count ?? 0;
  return [["", `${t("my-games")} (${own})`], ...found.filter(({ name }) => name).map(({ name, count }) => /** @type {[string, string]} */ ([name, `${name} (${count})`]))];
}

/**
 * The readable games of a collection that have turns, latest first.
 * @param {string} collection
 * @param {(read: number, of: number) => void} onProgress called with the number of games read
 * @returns {Promise<Listed[]>}
 */
async function gamesIn(collection, onProgress) {
  const listed = [];
  for await (const games of readGames((await idsOf(collection)).reverse(), onProgress)) listed.push(...games.filter(({ root }) => root.children.length).map(listedOf));
  return listed;
}

/**
 * What the list shows of a game. review: that of its main line, by side.
 * @param {import("../../game/game.js").Game} game
 */
export function listedOf(game) {
  const { id, title, mainLeaf } = game;
  const name = (side) => playerText(game.nameOf(side)) || sideName(side);
  return { id, title, turns: mainLeaf.ply, names: { w: name("w"), b: name("b") }, review: mainLeaf.review };
}

// Summing up the reviews of several games by player.

/**
 * @typedef {Object} Tally the sum over a player's games
 * @property {string} name
 * @property {number} games
 * @property {number} turns
 * @property {number} accuracy the mean over the games, weighted by turns
 * @property {number} blunders
 * @property {number} mistakes
 * @property {number} inaccuracies
 * @property {number} missedRows
 */

const COUNTED = /** @type {const} */ (["turns", "blunders", "mistakes", "inaccuracies", "missedRows"]);

/**
 * Sums up by player, most games first. A player who had both sides of a game played one
 * game.
 * @param {Pick<Listed, "names"|"review">[]} games reviewed ones
 * @returns {Tally[]}
 */
export function tally(games) {
  /** @type {Map<string, Tally>} */
  const all = new Map();
  for (const { names, review } of games) {
    for (const side of /** @type {const} */ (["w", "b"])) {
      const summary = review[side];
      if (!summary?.turns) continue;
      const name = names[side];
      const sum = all.get(name) ?? { name, games: 0, turns: 0, accuracy: 0, blunders: 0, mistakes: 0, inaccuracies: 0, missedRows: 0 };
      // A sum until all games are added.
      sum.accuracy += summary.accuracy * summary.turns;
      for (const what of COUNTED) sum[what] += summary[what];
      sum.games += side === "b" && names.w === name && review.w?.turns ? 0 : 1;
      all.set(name, sum);
    }
  }
  const list = [...all.values()].map((sum) => ({ ...sum, accuracy: sum.accuracy / sum.turns }));
  return list.sort((a, b) => b.games - a.games || b.accuracy - a.accuracy);
}
