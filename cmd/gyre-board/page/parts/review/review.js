// The review of a game: an engine judges every turn, and those that lost most twice. The
// findings are marked in the list of turns, in the graph and on the board. This panel
// summarizes them, explains the shown turn, and lets the player retry mistakes.

import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { byId, html } from "../../dom.js";
import { SIGNS } from "../../panels/turns.js";
import { chance, forWhite } from "../../scores.js";
import { OWN, mistakesOf } from "../puzzles/mistakes.js";
import { Sheet } from "../sheet/sheet.js";
import { NORMAL, applyVerdict, depthChoice, findingOf, judgeOf, lostText, tenthsText } from "./judge.js";
import { moveName, playerText } from "../../game/words.js";
import { percent, sideName, t } from "../../language.js";
import { factsText } from "../coach/facts.js";

/**
 * @typedef {Object} State
 * @property {number} [share] how much is reviewed, while a review runs
 * @property {boolean} locked whether no review can start
 * @property {string} later why none can begin during a game, or ""
 * @property {string} nodes per position
 * @property {Object<string, import("../../_types/messages").Summary>|null} summary by side, of the reviewed line
 * @property {string} accuracy of both players in a line
 * @property {Array<{ply: number, text: string, label: string}>} turning the turning points
 * @property {boolean} puzzles whether mistakes can become puzzles
 * @property {{words: import("../sheet/sheet.js").Words, better: boolean, line: boolean, why: string[]}|null} card
 *   the judged turn, and whether a better one and its line are known
 * @property {{ply: number, left: number}|null} next the next mistake, and their number from there
 * @property {{text: string, over: ""|"failed"|"missed"|"found"}|null} retry and whether the turn was as good as the best
 */

/**
 * What the panel shows.
 * @param {State} state
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ share, locked, later, nodes, accuracy, summary, turning, puzzles, card, next, retry }) {
  // The main button goes to the next mistake, or tries the last one again.
  const found = retry?.over === "found";
  const again = retry ? Boolean(retry.over) && !found : Boolean(card?.better && !next?.left);
  /** @type {import("../sheet/sheet.js").Button|null} */
  const onward = next && ["next-mistake", next.left ? t("next-mistake", { count: next.left }) : t("first-mistake"), retry ? found && next.left > 0 : !again, { value: String(next.ply) }];
  return [
    share !== undefined && { bar: share, id: "review-bar", label: t("review-progress.aria-label"), buttons: [["review-stop", t("stop")]] },
    retry && { group: "div", role: "group", tone: "retry", label: t("retry"), instead: true, blocks: [
      { text: retry.text, id: "retry-text" },
      { buttons: [retry.over && ["retry", t(retry.over === "failed" ? "try-again" : "retry-other"), again], ["missed", "found"].includes(retry.over) && ["retry-done", t("done"), found && !next?.left], onward] },
    ] },
    !retry && (card || onward) && { group: "div", tone: "review-finding", id: "finding", instead: true, blocks: [
      card && { text: card.words, tone: "finding" },
      { buttons: [card?.better && ["show-better", t("show-better")], card?.better && ["retry", t("try-again"), again], onward] },
      ...(card?.why ?? []).map((text) => ({ text, id: "why" })),
    ] },
    summary && { fold: accuracy, tone: "review-summary", id: "review-summary", blocks: [
      tableOf(summary),
      turning.length > 0 && { text: t("turning-points"), role: "heading", tone: "turning-title" },
      turning.length > 0 && { group: "ol", tone: "turning", label: t("turning-points"), blocks: turning.map(({ ply, text, label }) => (
        { group: "li", blocks: [{ buttons: [["turning-point", [["", `lost ${label}`], text], false, { value: String(ply) }]], tone: "" }] })) },
    ] },
    share === undefined && { fold: t("review-more"), open: !summary, tone: `review-more${summary ? " menu" : ""}`, id: "review-more", blocks: [
      { group: "div", tone: "review-start", blocks: [
        { ...depthChoice(nodes), id: "review-nodes" },
        { buttons: [
          ["review", t(summary ? "review-again" : "end-review"), !summary, { disabled: locked, title: later || undefined }],
          ["reviews", t("review-several")],
          puzzles && ["review-puzzles", t("review-puzzles")],
          card?.line && !retry && ["better-line", t("add-better-line")],
        ] },
      ] },
    ] },
  ];
}

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  const { analysis, board, boardView, controller, parts, rules, say, state } = page;
  const sheet = new Sheet(html("div", { className: "review-sheet" }), sheetOf, {
    review: () => review(),
    "review-stop": () => end(),
    "review-nodes": (nodes) => sheet.change({ nodes }),
    reviews: () => parts.open("reviews"),
    "review-puzzles": () => parts.open("puzzles", { theme: OWN, game: state.game }),
    "turning-point": (ply) => seek(Number(ply)),
    "next-mistake": (ply) => seek(Number(ply)),
    "show-better": () => showBetter(shown()),
    "better-line": () => addLine(shown()),
    retry: () => retry.begin(shown()),
    "retry-done": () => retry.end(),
  }, /** @type {State} */ ({ locked: true, later: "", nodes: NORMAL, accuracy: "", summary: null, turning: [], puzzles: false, card: null, next: null, retry: null }));
  let stop = () => {};
  /** Whether all turns get judged, known when the search ends. @type {Promise<boolean>|null} */
  let running = null;
  /** Called with that. @type {(whole: boolean) => void} */
  let ended = () => {};
  /** The number of the latest request for the text about a turn. */
  let latest = 0;
  /** The turn whose text must scroll into view when it arrives. @type {import("../../game/tree.js").TurnNode|null} */
  let sought = null;
  /** The turn whose better one is shown. @type {import("../../game/tree.js").TurnNode|null} */
  let better = null;

  // The turn that the card is about.
  const shown = () => retry.mistake ?? better ?? state.node;

  // Shows your first mistake, after a review of the game if there is none yet.
  const show = () => {
    if (!sheet.state.summary) return review();
    const [first] = mistakes();
    return first && controller.go(first);
  };

  // The shown line if it is reviewed, or else the main line. Findings are stored with the turns, and
  // the summary with the last one reviewed.
  const reviewed = () => [state.line, state.game.mainLeaf.nodes].find((nodes) => nodes.some((node) => node.review)) ?? [];

  // The mistakes to look at, one after the other.
  const mistakes = () => lessonsOf(state.game, reviewed());

  // Reviews the game, if possible now, and shows the first mistake.
  const review = async () => {
    const { node } = state;
    // Whoever looks at a turn meanwhile stays there.
    if ((await run()) && state.node === node) show();
  };

  /**
   * Reviews the main line of the game, unless it is reviewed.
   * @param {(share: number) => void} onShare called with the share that is done
   * @returns {Promise<boolean>} whether all turns are judged
  */
  const ensure = async (onShare) => {
    const { mainLeaf } = state.game;
    if (mainLeaf.review) return true;
    await controller.go(mainLeaf);
    return run(onShare);
  };

  // Reviews the game, if possible now. Resolves to whether all turns are judged.
  const run = (onShare = (/** @type {number} */ _) => {}) => {
    if (running) return running;
    if (sheet.state.locked) return Promise.resolve(false);
    const { game, node, line } = state;
    const leaf = node.leaf;
    const fields = { engine: analysis.engines[0], path: game.path(leaf), nodes: Number(sheet.state.nodes), game: game.id };
    const now = (running = new Promise((resolve) => (ended = resolve)));
    stop = analysis.borrow("review", fields, {
      review: ({ share, turn }) => {
        sheet.change({ share });
        onShare(share);
        found(line[turn.ply - 1], turn);
      },
      reviewed: ({ summary }) => {
        leaf.review = summary;
        end(true);
        controller.changed();
        boardView.preview(null); // the shown turn has its dot now
        say(t("review-done", { white: percent(summary.w.accuracy / 100), black: percent(summary.b.accuracy / 100) }));
      },
      failed: () => end(),
    });
    sheet.change({ share: 0 });
    say(t("review-begun"));
    return now;
  };

  const end = (whole = false) => {
    if (!running) return;
    stop();
    ended(whole);
    running = null;
    sheet.change({ share: undefined });
  };

  const found = (node, verdict) => {
    if (!node) return;
    applyVerdict(node, verdict);
    controller.changed();
  };

  const draw = () => {
    const { game, line } = state;
    if (!game) return;
    const playing = Boolean(game.hasEngine || game.ownSide) && game.playing;
    const judged = reviewed();
    // During a game, nothing is said about it.
    const summary = game.playing ? null : (judged.findLast((node) => node.review)?.review ?? null);
    sheet.change({
      locked: playing || line.length === 0,
      later: playing ? t(game.isLocked ? "analysis-locked" : "review-later") : "",
      summary,
      accuracy: summary ? accuraciesOf(game, summary) : "",
      turning: turningPoints(judged).map((node) => turningOf(node, game.sideAt(node.ply - 1))),
      puzzles: Boolean(summary && mistakesOf(game).length),
      retry: retry.report,
    });
    drawCard();
  };

  // Draws the card of the shown turn when the reasons for its judgment are known.
  const drawCard = async () => {
    const asked = ++latest;
    const { game, node: here, view } = state;
    if (better?.parent !== here) better = null;
    const node = shown();
    const finding = game.playing ? null : node.finding;
    const best = finding?.label ? finding.best : "";
    const why = best && !retry.mistake ? await rules.why(game.path(node), best).catch(() => null) : null;
    if (asked !== latest) return;
    const reasons = [why?.against.length && factsText(why.against), why?.for.length && `${moveName(best)}: ${factsText(why.for)}`].filter(Boolean);
    const card = finding && { words: wordsOf(node, finding, game.sideAt(node.ply - 1), view?.over), better: Boolean(best), line: Boolean(best && finding.line?.length), why: reasons };
    sheet.change({ card, next: game.playing ? null : nextOf(mistakes(), node) });
    if (!finding || sought !== node) return;
    sought = null;
    intoView(byId("panel-review"));
  };

  const seek = (number) => {
    retry.end();
    sought = reviewed().find(({ ply }) => ply === number);
    return controller.go(sought);
  };

  const showBetter = async (node) => {
    await controller.go(node.parent);
    better = node;
    drawCard();
    board.arrows.show("threat", []);
    board.arrows.show("best", arrowsOf(node.finding.best));
  };

  // Adds the better line as a variation. Its first turn says why it is better.
  const addLine = async (node) => {
    const { line, best } = node.finding;
    const why = await rules.why(state.game.path(node), best).catch(() => null);
    let at = node.parent;
    for (const turn of line) at = at.play(turn, false);
    const first = node.parent.children.find(({ turn }) => turn === best);
    const worth = node.parent.score ? t("note-better-chances", { share: percent(chance(node.parent.score)) }) : t("note-better");
    if (!first.comment) first.comment = [worth, factsText(why?.for)].filter(Boolean).join(" ");
    await controller.go(first);
    controller.changed();
  };

  byId("panel-review").append(sheet.root);
  const retry = retryOf(page, draw);
  controller.addEventListener("game", () => end());
  state.whenChanged(draw, () => state.version);
  draw();
  return {
    /** @param {{now?: boolean}} [how] now to have the game reviewed at once */
    open: ({ now = false } = {}) => now && show(),
    ensure,
  };
}

// Scrolls a clipped card to the top of the panel, which may be too low for all of it.
function intoView(panel) {
  const root = panel.querySelector(".review-finding");
  const [{ top, bottom }, seen] = [root.getBoundingClientRect(), panel.getBoundingClientRect()];
  if (top < seen.top || bottom > seen.bottom) panel.scrollTop += top - seen.top;
}

// The next mistake after a turn; after the last one, the first.
/** @param {import("../../game/tree.js").TurnNode[]} all @param {import("../../game/tree.js").TurnNode} node @returns {State["next"]} */
function nextOf(all, node) {
  const left = all.filter(({ ply }) => ply > node.ply);
  const next = left[0] ?? all[0];
  return next && next !== node ? { ply: next.ply, left: left.length } : null;
}

function turningOf({ ply, turn, parent, score, finding: { label, best } }, side) {
  const [before, after] = [percent(chance(parent.score)), percent(chance(score))];
  return { ply, label, text: t("turning-point", { number: ply, side, turn: moveName(turn, best), before, after }) };
}

// The judged turn: "11. c3 to f6 ?! White 50% to 38%. Better: k7 to j6".
/** @returns {import("../sheet/sheet.js").Words} */
function wordsOf(node, finding, side, over) {
  const mine = (score) => percent(chance(forWhite(score, side)));
  const { label, best } = finding;
  const judged = label ? "" : t(best ? "label-fine" : "label-best");
  const { score } = node.parent;
  const chances = score && node.score && !over ? t("finding-chances", { side, before: mine(score), after: mine(node.score) }) : lostText(finding);
  const rest = [[judged, chances].filter(Boolean).join(", "), label && best && t("better-is", { turn: moveName(best, node.turn) }), finding.missedRow && t("finding-row-missed")].filter(Boolean);
  return [`${node.ply}. ${moveName(node.turn, best)} `, label ? [SIGNS[label], `label ${label}`, t(`label-${label}`)] : "", ` ${rest.map((text) => text.replace(/\.?$/, ".")).join(" ")}`];
}

/**
 * The turns that a review goes through, one after the other: the mistakes and blunders of the person
 * here, or of both sides if both are here; inaccuracies if there are none.
 * @param {import("../../game/game.js").Game} game
 * @param {import("../../game/tree.js").TurnNode[]} line
 */
export function lessonsOf(game, line) {
  const { w, b } = game.players;
  const own = (ply) => w.kind === b.kind || game.players[game.sideAt(ply - 1)].kind === "person";
  const labeled = line.filter(({ ply, finding }) => finding?.label && own(ply));
  const serious = labeled.filter(({ finding }) => finding.label !== "inaccuracy");
  return serious.length ? serious : labeled;
}

// Retrying a mistake: the player looks for a better turn and sees its value.

/** Nodes, as in a review. */
const NODES = 40_000;
/** A turn this close to the best, in percent, counts as equal. */
const AS_GOOD = 3;

/**
 * The retry in progress, if any.
 * @param {import("../../_types/page").Page} page
 * @param {() => void} changed called when there is another report
 */
export function retryOf({ analysis, board, boardView, controller, say, state }, changed) {
  const { judge, stop } = judgeOf(analysis);
  const retry = {
    /** The turn being retried, or null. @type {import("../../game/tree.js").TurnNode|null} */
    mistake: null,
    /** What is said about it. @type {State["retry"]} */
    report: null,
    /**
     * Goes to the position before a mistake and waits for a better turn.
     * @param {import("../../game/tree.js").TurnNode} mistake
    */
    async begin(mistake) {
      retry.mistake = mistake;
      await controller.go(mistake.parent);
      if (retry.mistake !== mistake) return;
      board.arrows.show("best", []); // the better turn may be shown already
      const { turn, ply, finding } = mistake;
      report(t("retry-question", { side: state.game.sideAt(ply - 1), turn: moveName(turn, finding.best) }));
      board.points.focus();
    },
    /** Ends the retry. The turns played stay as variations. */
    end() {
      stop();
      retry.mistake = retry.report = null;
      changed();
    },
  };

  /** @param {string} text @param {State["retry"]["over"]} [over] */
  const report = (text, over = "") => {
    retry.report = { text, over };
    changed();
    say(text);
  };

  const moved = async () => {
    const { mistake } = retry;
    const { node, reply } = state;
    if (!mistake || node === mistake.parent) return undefined;
    if (node.parent !== mistake.parent || node === mistake) return retry.end();
    stop();
    const { turn, finding: { best = "", lost } } = mistake;
    if (node.turn === best) return report(t("retry-best"), "found");
    report(t("retry-thinking"));
    const verdict = await judge(analysis.engines[0], reply.views[mistake.parent.ply], node.turn, NODES, { better: best });
    if (verdict === undefined) return undefined;
    if (!verdict) return report(t("engine-cannot-say"), "failed");
    node.finding = findingOf(verdict);
    controller.changed();
    boardView.preview(null);
    const shares = { lost: percent(verdict.lost / 100), before: percent(lost / 100) };
    const text = t("retry-compared", { turn: moveName(node.turn, turn, best), mistake: moveName(turn, node.turn, best), ...shares });
    const named = best && t("retry-named", { turn: moveName(best, node.turn, turn) });
    if (verdict.lost <= AS_GOOD) return report([t("retry-good"), text, named].filter(Boolean).join(" "), "found");
    if (verdict.lost < lost - AS_GOOD) return report(`${t("retry-better")} ${text} ${t("retry-another")}`, "missed");
    return report(`${t("retry-no-better")} ${text}`, "missed");
  };

  controller.addEventListener("game", retry.end);
  controller.addEventListener("position", moved);
  return retry;
}

// The results of a review: a table of both sides, and the turning points of the game.

/**
 * The accuracies of both players in a line, the person's first: "You 60.6%, Strong 96.1%".
 * @param {import("../../game/game.js").Game} game
 * @param {Object<string, import("../../_types/messages").Summary>} sides by side
 */
export function accuraciesOf(game, sides) {
  /** @type {Array<"w"|"b">} */
  const order = game.players.b.kind === "person" && game.players.w.kind !== "person" ? ["b", "w"] : ["w", "b"];
  const named = order.map((side) => `${playerText(game.nameOf(side)).split(", ").at(-1) || sideName(side)} ${valueOf(sides[side], "accuracy")}`);
  return t("accuracy-of", { players: named.join(", ") });
}

/** The maximum number of turning points listed. */
const MOST = 4;

/** The columns of the table: short name, full name, and value. */
const COLUMNS = /** @type {Array<[string, string, string]>} */ ([
  [t("accuracy"), "", "accuracy"],
  [t("mean-lost"), t("mean-lost-long"), "meanLost"],
  ["??", t("blunders"), "blunders"],
  ["?", t("mistakes"), "mistakes"],
  ["?!", t("inaccuracies"), "inaccuracies"],
  [t("missed-rows"), t("missed-rows-long"), "missedRows"],
]);

/**
 * The table of both sides, a line each, which fits on a phone.
 * @param {Object<string, import("../../_types/messages").Summary>} sides by side
 * @returns {import("../sheet/sheet.js").Block}
 */
function tableOf(sides) {
  /** @type {import("../sheet/sheet.js").Words[]} */
  const head = COLUMNS.map(([short, full]) => (full ? [[short, "", full]] : short));
  const rows = ["w", "b"].map((side) => [[["", `disc ${side}`], sideName(side)], ...COLUMNS.map(([, , key]) => valueOf(sides[side], key))]);
  return { table: [["", ...head], .../** @type {import("../sheet/sheet.js").Words[][]} */ (rows)], tone: "summary", id: "summary", legend: COLUMNS.slice(1).map(([short, full]) => `${short}${/\w/.test(short) ? ":" : ""} ${full}`).join(" · ") };
}

// Without an accuracy, there are no turns, or the review is from an earlier version.
function valueOf(side, key) {
  if (key !== "accuracy" && key !== "meanLost") return String(side[key]);
  return side.accuracy ? tenthsText(side[key] ?? 0) : "–";
}

/**
 * The turning points: mistakes and blunders after which the other side was more likely to
 * win. The largest losses, in the order of the game.
 * @param {import("../../game/tree.js").TurnNode[]} line
 */
export function turningPoints(line) {
  const turned = line.filter(({ finding, score, parent }) => {
    if (!["mistake", "blunder"].includes(finding?.label) || !score || !parent.score) return false;
    return chance(parent.score) >= 0.5 !== chance(score) >= 0.5;
  });
  const most = [...turned].sort((a, b) => b.finding.lost - a.finding.lost).slice(0, MOST);
  return turned.filter((node) => most.includes(node));
}
