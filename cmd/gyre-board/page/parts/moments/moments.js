// Your three moments: the positions of a game in which its person lost most, as cards to try. Missed
// ones return: see parts/due.

import { language, percent, t } from "../../language.js";
import { moveName } from "../../game/words.js";
import { chance, forWhite } from "../../scores.js";
import { after, dueOf } from "../due/due.js";
import { OWN, momentsOf, puzzleOf } from "../puzzles/mistakes.js";
import { puzzleRun } from "../puzzles/solving.js";
import { Sheet, learnSection } from "../sheet/sheet.js";

const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/**
 * @typedef {import("../due/due.js").Moment & {before?: number, after?: number}} Moment with the chances
 *   before and after the turn that was played
 */

/**
 * @typedef {Object} State
 * @property {"game"|"due"} of the moments of a game, or those that are due
 * @property {number} [share] how much of the game is reviewed, until all of it is
 * @property {string} [fault] why there are no moments
 * @property {Moment[]} moments
 * @property {Object<string, boolean>} tried whether each tried one was found
 * @property {number} [next] when the next one returns
 * @property {{id: string, side: "w"|"b", state: string, said: string, hinted: boolean}|null} run the one on the board
 */

/**
 * What the panel shows.
 * @param {State} state
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ of, share, fault, moments, tried, next, run }) {
  if (run) {
    const over = run.state === "solved" || run.state === "shown";
    const more = moments.some(({ id }) => id !== run.id && !(id in tried));
    return [
      { title: t("puzzle-own", { side: run.side }), id: "moment-task", instead: true },
      { text: run.said, id: "moment-said", tone: { wrong: "bad", solved: "good" }[run.state] ?? "" },
      { buttons: [
        run.state === "wrong" && ["again", t("try-again"), true],
        over && more && ["next", t("moments-next"), true],
        !over && !run.hinted && ["hint", t("lesson-hint")],
        !over && ["show", t("puzzle-show")],
        ["list", t("moments-list"), over && !more],
      ] },
    ];
  }
  const missed = moments.filter(({ id }) => tried[id] === false).length;
  const cards = moments.map(({ id, fen, number, played, best, lost, before, after: left }) => ({
    value: id,
    fen,
    text: `${number}. ${moveName(played, best)}: ${before === undefined ? t("turn-lost", { share: percent(lost / 100) }) : t("finding-chances", { side: fen.split(" ")[1], before: percent(before), after: percent(left) })}`,
    ...(id in tried && { mark: t(tried[id] ? "moment-found" : "moment-missed"), tone: tried[id] ? "good" : "bad" }),
  }));
  return [
    { title: t(of === "game" ? "moments" : "moments-due"), buttons: [["close", t("close")]], id: "moments-title", instead: true },
    share !== undefined && { text: t("moments-searching") },
    share !== undefined && { bar: share, id: "moments-bar", label: t("review-progress.aria-label") },
    fault && { text: fault, id: "moments-fault" },
    moments.length > 0 && { cards, id: "moments-cards", label: t("moments") },
    moments.length > 0 && { text: t("moments-how") },
    missed > 0 && { text: t("moments-return"), id: "moments-return" },
    share === undefined && !fault && !moments.length && { text: of === "game" ? t("moments-none") : next ? t("moments-later", { date: DAY.format(next) }) : t("moments-never"), id: "moments-none" },
  ];
}

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  const { parts, rules, say, state, tabs } = page;
  const sheet = new Sheet(learnSection("moments", t("moments")), sheetOf, {
    card: (value) => tryOut(sheet.state.moments.find(({ id }) => id === value)),
    next: () => tryOut(sheet.state.moments.find(({ id }) => id !== sheet.state.run.id && !(id in sheet.state.tried))),
    again: () => solving.again(),
    hint: () => solving.hint(),
    show: () => solving.show(),
    list: () => leave(),
    close: () => close(),
  }, /** @type {State} */ ({ of: "due", moments: [], tried: {}, run: null }));
  /** The number of the latest opening. */
  let latest = 0;
  /** @type {ReturnType<typeof import("../due/due.js").momentsKept>} */
  let kept;

  /** @param {{theme?: string}} [how] with the theme "game", the moments of the open game */
  const open = async ({ theme } = {}) => {
    const ofGame = theme === "game";
    const asked = ++latest;
    const { game } = state;
    tabs.learn("moments");
    const due = await parts.get("due", () => open({ theme }));
    if (!due || asked !== latest) return;
    kept = due.moments;
    await kept.refresh();
    const { all } = kept;
    const left = all.filter((moment) => moment.due > Date.now()).map((moment) => moment.due);
    sheet.change({ of: ofGame ? "game" : "due", moments: ofGame ? [] : dueOf(all, Date.now()), tried: {}, run: null, share: undefined, fault: "", next: Math.min(...left) < Infinity ? Math.min(...left) : undefined });
    if (ofGame && (await reviewGame(asked))) sheet.change({ share: undefined, moments: await momentsIn(game) });
  };

  // Reviews a game that has no review yet. Reports whether it has one then.
  const reviewGame = async (asked) => {
    sheet.change({ share: 0 });
    const review = await parts.get("review", () => open({ theme: "game" }));
    const whole = await review?.ensure((share) => asked === latest && sheet.change({ share }));
    if (asked !== latest) return false;
    if (!whole) sheet.change({ share: undefined, fault: t("moments-unreviewed") });
    return Boolean(whole);
  };

  /** @returns {Promise<Moment[]>} */
  const momentsIn = async (game) => {
    const made = momentsOf(game).map(async ({ id, node }) => {
      const puzzle = await puzzleOf({ id, game, node }, rules);
      const side = game.sideAt(node.ply - 1);
      const shareOf = (score) => (score ? chance(forWhite(score, side)) : undefined);
      const [before, left] = [shareOf(node.parent.score), shareOf(node.score)];
      const chances = left === undefined || before === undefined ? {} : { before, after: left };
      return puzzle && { id, fen: puzzle.fen, rules: puzzle.rules, played: node.turn, best: node.finding.best, number: node.ply, lost: node.finding.lost ?? 0, source: game.title, ...chances };
    });
    return (await Promise.all(made)).filter(Boolean);
  };

  const tryOut = async ({ id, fen, rules, played, best, source }) => {
    await solving.begin({ id, fen, rules, theme: OWN, solution: [best], played, source });
    say(t("puzzle-own", { side: solving.side }));
  };

  const solved = () => {
    const { puzzle, open, side, state, said, hinted } = solving;
    if (said && said !== sheet.state.run?.said) say(said);
    sheet.change({ run: open ? { id: puzzle.id, side, state, said, hinted } : null });
  };

  const answered = (found) => {
    const { puzzle } = solving;
    const { tried, moments } = sheet.state;
    if (puzzle.id in tried) return;
    sheet.change({ tried: { ...tried, [puzzle.id]: found } });
    const { id } = puzzle;
    const before = kept.all.find((moment) => moment.id === id) ?? moments.find((moment) => moment.id === id);
    kept.keep(id, after(before, found, Date.now()));
  };

  // Puts the game from before back on the board.
  const leave = async () => {
    await solving.leave();
    sheet.change({ run: null });
  };

  const close = async () => {
    latest++;
    await leave();
    tabs.learn();
    if (sheet.state.of === "game" && state.over) tabs.show("end");
  };

  const solving = puzzleRun(page, { changed: solved, done: answered });

  return { open };
}
