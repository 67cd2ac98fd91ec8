// The player's rating from games against engine levels: Glicko-2, on the scale of the
// levels. A game counts when it ends. recorderOf follows the open game and decides whether it counts;
// results.js stores the results.

import { byId, html } from "../../dom.js";
import { helpOf, isAgainstEngine, other, recordHelp } from "../../game/game.js";
import { winnerOf } from "../../game/play.js";
import { openDialog } from "../../panels/dialogs.js";
import { scaleOf } from "../chart.js";
import { newRating } from "../puzzles/glicko.js";
import { Sheet, dialogFor } from "../sheet/sheet.js";
import { addResults, changeText, forgetResult, history, loadResults, ratingText } from "./results.js";
import { levelName } from "../../game/words.js";
import { reasonOf } from "../../failures.js";
import { language, listText, t } from "../../language.js";

/** The number of latest games listed. */
const LISTED = 20;

/** The kinds of help that a game can have had, as its tags name them. */
const HELP = ["hints", "take-backs", "pauses", "the analysis", "the openings", "the coach", "a copy"];

const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/**
 * What the dialog shows.
 * @param {Object} state
 * @param {import("./results.js").Rated[]} state.all the results, earliest first
 * @param {string|null} state.whyNot why the open game does not count, "" if it does, null if there is none
 * @param {string} [state.fault] why there are no results now
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ all, whyNot, fault }) {
  const latest = all.slice(-LISTED).reverse().map(({ at, opponent, elo, score, me, change }) => [
    DAY.format(at),
    t("level-choice", { level: opponent, elo: String(elo) }),
    score === 0.5 ? t("game-drawn") : t(score ? "game-won" : "game-lost"),
    `${ratingText(me)} (${changeText(change)})`,
  ]);
  const head = [t("rating-date"), t("rating-against"), t("rating-result"), t("rating-rating")];
  return [
    { title: t("my-rating") },
    { text: fault || (all.length ? t("rating-after", { rating: ratingText(all.at(-1).me), count: all.length }) : t("rating-none")), id: "rating-now", tone: "rating-now" },
    whyNot !== null && { text: whyNot ? t("rating-not-now", { reason: whyNot }) : t("rating-now-counts"), id: "rating-game" },
    all.length > 0 && { chart: chartOf(all) },
    all.length > 0 && { table: [head, ...latest], id: "rating-table", tone: "rating-table" },
    { text: t("rating-about"), tone: "fine" },
    { buttons: [["close", t("close"), true]], tone: "right" },
  ];
}

/**
 * What the result panel shows.
 * @param {Object} state
 * @param {import("./results.js").Rated|null} state.result of the game, if it counted
 * @param {string} state.whyNot why it did not count, if that is known
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function endOf({ result, whyNot }) {
  const text = result ? t("rating-changed", { rating: ratingText(result.me), change: changeText(result.change) }) : whyNot && t("rating-not", { reason: whyNot });
  return [text && { text, buttons: [result && ["rating", t("my-rating")]] }];
}

// With bands of twice the deviation.
/** @param {import("./results.js").Rated[]} history @returns {import("../sheet/sheet.js").Block["chart"]} */
function chartOf(history) {
  const all = [newRating(), ...history.map(({ me }) => me)];
  const points = all.map(({ rating, deviation }, i) => ({ x: i, value: rating, error: 2 * deviation }));
  const words = t("rating-chart", { count: history.length, first: Math.round(all[0].rating), last: Math.round(all.at(-1).rating) });
  return [points, { ...scaleOf(points, 100), words }];
}

/**
 * Starts recording. A dialog shows the rating, and the result panel the effect of a game.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  const { state, controller, play } = page;
  const dialog = dialogFor("rating-dialog", t("my-rating"));
  const sheet = new Sheet(dialog, sheetOf, { close: () => dialog.close() }, { all: [], whyNot: null });
  const line = html("div", { id: "end-rating", "data-testid": "end-rating" });
  byId("end-graph").before(line);
  const end = new Sheet(line, endOf, { rating: () => page.parts.open("rating") }, { result: null, whyNot: "" });
  let latest = 0;

  async function show() {
    const { game } = state;
    let fault = "";
    const results = await loadResults().catch((error) => {
      fault = t("part-not-opened", { part: t("part-rating"), reason: reasonOf(error) });
      return [];
    });
    const whyNot = !fault && game && isAgainstEngine(game) && game.playing ? await recorder.whyNot(game) : null;
    sheet.change({ all: history(results), whyNot, fault });
    openDialog("rating-dialog");
    dialog.querySelector("h2").focus();
  }

  async function showEnd() {
    const asked = ++latest;
    const { game } = state;
    if (!game || !isAgainstEngine(game) || !state.liveView || !state.over) return end.change({ result: null, whyNot: "" });
    const result = history(await loadResults().catch(() => [])).find((one) => one.game === game.id);
    const whyNot = result ? "" : await recorder.whyNot(game);
    if (asked === latest) end.change({ result, whyNot });
  }

  const recorder = recorderOf(page, showEnd);
  controller.addEventListener("game", showEnd);
  play.addEventListener("thinking", showEnd);
  return {
    /**
     * Shows the rating; with a game, follows it from the given state.
     * @param {{game?: import("../../game/game.js").Game, live?: import("../../game/tree.js").TurnNode}} [how]
    */
    open({ game, live } = {}) {
      if (!game) return show();
      recorder.follow(game, live);
      return showEnd();
    },
  };
}

// Which games count for a person's rating: complete games against a level with a rating,
// without help.

/** The engine option for playing at a rating. */
const ELO_OPTION = "uci_elo";

/**
 * Follows the open game and records its result.
 * @param {import("../../_types/page").Page} page
 * @param {() => void} changed called when there may be another result or another reason not to count
 * @param {{addResults: typeof addResults, forgetResult: typeof forgetResult}} [kept] where results are stored
 */
export function recorderOf(page, changed, kept = { addResults, forgetResult }) {
  const { controller, link, notices, state } = page;
  /** The open game, its last known node, and whether it is being played. */
  let seen = { game: null, live: null, running: false };
  /** The game that counts but ended only by resignation, if any. */
  let resigned = null;
  /** Results are stored one at a time. */
  let storing = Promise.resolve();
  /** Whether engines play at a level's rating, as far as known. @type {Map<string, boolean>} */
  const rated = new Map();

  /**
   * Follows a game from a node; it may have continued since.
   * @param {import("../../game/game.js").Game} game
   * @param {import("../../game/tree.js").TurnNode} live
  */
  const follow = (game, live) => {
    if (game === seen.game || game !== state.game) return;
    seen = { game, live: game.live, running: game.playing || live !== game.live };
    if (!game.live.comesAfter(live)) recordHelp(page, "take-backs");
    looked();
    look();
  };

  /**
   * Why a game does not count, in words; "" if it does.
   * @param {import("../../game/game.js").Game} game
   * @returns {Promise<string>}
  */
  const whyNot = async (game) => {
    const { engine, level } = opponentOf(game);
    const help = helpOf(game);
    if (help.length) return t("not-rated-help", { help: listText(help.map((what) => (HELP.includes(what) ? t(`help-with-${what.replaceAll(" ", "-")}`) : what))) });
    if (game.rules !== "standard") return t("not-rated-rules");
    if (game.start !== "startpos") return t("not-rated-start");
    if (!eloOf(game)) return t("not-rated-level", { level: levelName(level || "Full strength") });
    const keeps = await keepsToRatings(engine);
    if (keeps === undefined) return t("not-rated-unknown", { engine });
    return keeps ? "" : t("not-rated-engine", { engine });
  };

  const eloOf = (game) => link.hello?.levels.find(({ name }) => name === opponentOf(game).level)?.elo ?? 0;

  // Undefined if the engine cannot say.
  const keepsToRatings = async (engine) => {
    if (!rated.has(engine)) {
      const answer = await link.ask("engine", { engine }).catch(() => null);
      if (!answer) return undefined;
      rated.set(engine, Boolean(answer.options?.some(({ name }) => name.toLowerCase() === ELO_OPTION)));
    }
    return rated.get(engine);
  };

  // A game continues turn by turn. If it continues elsewhere, a turn was taken back.
  const went = () => {
    const { game } = state;
    if (game !== seen.game) {
      seen = { game, live: game.live, running: game.playing };
      return;
    }
    const { live } = seen;
    seen.live = game.live;
    seen.running ||= game.playing;
    if (game.live === live) goesOn(game);
    else if (game.live.parent !== live) recordHelp(page, "take-backs");
    else if (!game.playing && !game.live.end) recordHelp(page, "pauses");
    looked();
    // The engine may be gone at the end.
    if (isAgainstEngine(game)) keepsToRatings(opponentOf(game).engine);
  };

  // A resignation can be taken back.
  const goesOn = (game) => {
    if (resigned !== game || game.live.end) return;
    resigned = null;
    store(() => kept.forgetResult(game.id));
  };

  const paused = () => {
    const { game, over } = state;
    if (game === seen.game && seen.running && !game.playing && !over) recordHelp(page, "pauses");
  };

  // Looking at what an engine or a table says about the game is help.
  const looked = () => {
    if (!seen.running || state.game !== seen.game) return;
    if (state.analyzing) recordHelp(page, "the analysis");
    if (document.getElementById("explorer")?.checkVisibility?.()) recordHelp(page, "the openings");
  };

  const look = () => {
    const { game } = state;
    if (game !== seen.game || !seen.running || !state.liveView || !state.over) return;
    seen.running = false;
    if (isAgainstEngine(game)) count(game, state.liveView.removed);
  };

  const count = async (game, removed) => {
    if (!(await whyNot(game))) {
      const opponent = game.nameOf(other(personOf(game)));
      const result = { game: game.id, at: Date.now(), opponent, elo: eloOf(game), score: scoreOf(game, removed) };
      resigned = game.live.end?.why === "resignation" ? game : null;
      await store(() => kept.addResults([result]));
    }
    changed();
  };

  const store = async (act) => {
    storing = storing.then(act).catch((error) => notices.show("rating", t("rating-not-stored", { reason: reasonOf(error) })));
    await storing;
    changed();
  };

  controller.addEventListener("live", went);
  controller.addEventListener("playing", paused);
  state.whenChanged(() => {
    looked();
    look();
  });
  return { follow, whyNot };
}

/**
 * The person's side in a game against an engine.
 * @param {import("../../game/game.js").Game} game
 * @returns {"w"|"b"}
 */
function personOf({ players }) {
  return players.w.kind === "person" ? "w" : "b";
}

function opponentOf(game) {
  return game.players[other(personOf(game))];
}

/**
 * The person's points in a finished game.
 * @param {import("../../game/game.js").Game} game
 * @param {[number, number]} removed rings removed by White and Black
 * @returns {0|0.5|1}
 */
export function scoreOf(game, removed) {
  const winner = winnerOf(game.live.end, removed);
  if (winner !== "w" && winner !== "b") return 0.5;
  return winner === personOf(game) ? 1 : 0;
}
