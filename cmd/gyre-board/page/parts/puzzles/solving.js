// Solving a puzzle on the board: compares the player's turns with the solution, plays the
// replies, and shows what a wrong turn costs.

import { parseTurn } from "../../../../../position/drawing/geometry.js";
import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { Game } from "../../game/game.js";
import { moveName, turnName } from "../../game/words.js";
import { chance } from "../../scores.js";
import { factsText } from "../coach/facts.js";
import { judgeOf } from "../review/judge.js";
import { OWN } from "./mistakes.js";
import { percent, t } from "../../language.js";

const REPLY_AFTER_MS = 350;

/** Nodes for the verdict on a turn other than the solution's. */
const NODES = 20000;

/**
 * Solves puzzles on the board, one at a time.
 * @param {import("../../_types/page").Page} page
 * @param {Object} how
 * @param {() => void} [how.changed] called when something about the puzzle changed
 * @param {(solved: boolean) => void} [how.done] called once per puzzle, with whether it was solved
 *   without a wrong turn and without help
 * @param {boolean} [how.quick] whether nothing is said about the turns
 */
export function puzzleRun(page, { changed = () => {}, done = () => {}, quick = false }) {
  const { analysis, board, controller, rules, state } = page;
  /** The number of the current activity on the board. Older ones stop, and so do those of another game. */
  let latest = 0;
  const judging = judgeOf(analysis);
  let reported = false;
  /** The node at which the player is to move. @type {import("../../game/tree.js").TurnNode} */
  let base = null;
  /** The number of solution turns on the board. */
  let played = 0;
  /** The game that was on the board before. @type {Game|null} */
  let before = null;

  const run = {
    /** @type {import("./puzzles.js").Puzzle|null} */
    puzzle: null,
    /** The game that shows the puzzle. @type {Game|null} */
    game: null,
    /** @type {"yours"|"reply"|"wrong"|"solved"|"shown"} */
    state: "yours",
    /** The text about the last turn. */
    said: "",
    /** Whether the ring to move has been shown. */
    hinted: false,

    /** Whether the board shows the puzzle. */
    get open() {
      return run.game !== null && state.game === run.game;
    },

    /** The player's side. @returns {"w"|"b"} */
    get side() {
      return run.puzzle.fen.split(" ")[1] === "w" ? "w" : "b";
    },

    /**
     * Puts a puzzle on the board.
     * @param {import("./puzzles.js").Puzzle} puzzle
    */
    async begin(puzzle) {
      stop();
      // The engine would show the solution.
      if (state.analyzing) analysis.toggle();
      if (!run.open) before = state.game;
      const game = new Game({ rules: puzzle.rules, start: puzzle.fen, tags: [["Event", `Puzzle ${puzzle.id}`]] });
      game.playing = false;
      game.passing = true;
      Object.assign(run, { puzzle, game, state: "yours", said: "", hinted: false });
      reported = false;
      stand(game.root, 0);
      mark([]);
      await controller.open(game);
      changed();
    },

    /**
     * Shows the game that was on the board before the puzzles, unless another one is open by now.
     * @returns {Promise<boolean>} false if it cannot be opened now
    */
    async leave() {
      if (before && run.open && !(await controller.open(before))) return false;
      before = null;
      return true;
    },

    /** Returns to the player's decision after a wrong turn. */
    async again() {
      if (run.state !== "wrong" || !run.open) return;
      stop();
      const { game } = run;
      await controller.go(base);
      if (game === run.game) tell("yours", "");
    },

    /** Marks the ring to move, the row to remove first, or the point of a new ring. */
    async hint() {
      await run.again();
      if (run.state !== "yours" || !run.open) return;
      const asked = latest;
      await controller.go(base);
      if (asked !== latest) return;
      run.hinted = true;
      report(false);
      const [first] = parseTurn(run.puzzle.solution[played]);
      const at = first.from ?? first.to;
      if (first.do === "take") run.said = t("puzzle-hint-row", { first: first.row[0], last: first.row[1] });
      else run.said = first.do === "move" ? t("puzzle-hint-move", { point: at }) : t("puzzle-hint-place", { point: at });
      mark(first.do === "take" ? arrowsOf(`x${first.row.join("-")}`) : [{ from: at, to: at }]);
      changed();
    },

    /** Plays the rest of the solution. */
    async show() {
      if (!run.open) return;
      report(false);
      stop();
      const asked = latest;
      tell("shown", "");
      await controller.go(base);
      while (asked === latest && played < run.puzzle.solution.length) {
        await playNext();
        await board.motion.idle;
      }
      if (asked !== latest) return;
      tell("shown", solutionText(run.puzzle));
      explain();
    },
  };

  // Checks whether the player has moved, and judges the turn.
  const moved = () => {
    const { node, view } = state;
    if (!run.open) return;
    if (node === base) run.again();
    if (run.state !== "yours" || node.parent !== base) return;
    mark([]);
    const wanted = run.puzzle.solution[played];
    if (view.winner === run.side) solved(t("puzzle-wins"));
    else if (!sameAnswer(node.turn, wanted, run.puzzle.theme === "right-ring")) wrong(node);
    else right(node, wanted);
  };

  const right = async (node, wanted) => {
    const asked = ++latest;
    const { mate, solution } = run.puzzle;
    const last = played === solution.length - 1;
    // The same answer may remove another ring. The reply is the one to the solution.
    const differs = node.turn !== wanted;
    const paid = differs && t("puzzle-other-ring", { turn: turnName(wanted) });
    const goesOn = mate > (solution.length + 1) / 2 && t("puzzle-wins-in", { count: mate });
    if (last) return solved([t("puzzle-right"), goesOn, paid].filter(Boolean).join(" "));
    tell("reply", [t("puzzle-right"), paid, t("puzzle-reply")].filter(Boolean).join(" "));
    await board.motion.idle;
    if (asked !== latest) return undefined;
    if (differs) {
      await controller.go(base);
      if (asked !== latest) return undefined;
      await playNext();
    } else {
      stand(node, played + 1);
    }
    await new Promise((resolve) => setTimeout(resolve, board.motion.busy ? 0 : REPLY_AFTER_MS));
    await board.motion.idle;
    if (asked !== latest) return undefined;
    await playNext();
    await board.motion.idle;
    if (asked !== latest) return undefined;
    run.hinted = false;
    return tell("yours", t("puzzle-right-next"));
  };

  const wrong = async (node) => {
    const { puzzle } = run;
    const wanted = puzzle.solution[played];
    const turn = moveName(node.turn, wanted);
    // A review has judged it longer than can be done now.
    if (quick || node.turn === puzzle.played) return failed(t(node.turn === puzzle.played ? "puzzle-played" : "puzzle-wrong", { turn }));
    const own = puzzle.theme === OWN;
    if (own) tell("reply", `${turn}…`);
    else failed(t("puzzle-wrong", { turn }));
    stop();
    const verdict = await judging.judge(analysis.engines[0], state.reply.views[state.node.ply - 1], node.turn, NODES, { game: run.game.id, better: wanted });
    if (verdict === undefined) return undefined;
    // In stored games, other turns may be right, too: those that a review does not label.
    return own && verdict?.label === "" ? solved(t("puzzle-as-good", { turn })) : failed(lossWords(turn, verdict, puzzle));
  };

  const failed = (said) => {
    tell("wrong", said);
    report(false); // last: it may start the next puzzle
  };

  const solved = (said) => {
    stop();
    tell("solved", said);
    if (!quick) explain();
    report(true);
  };

  // Adds what is good about the first turn of the solution.
  const explain = async () => {
    const { puzzle, state: now } = run;
    const asked = latest;
    const [turn] = puzzle.solution;
    // Without a connection, the puzzle is over all the same.
    const answer = await rules.why({ rules: puzzle.rules, start: puzzle.fen, turns: [turn] }, turn).catch(() => null);
    if (asked !== latest || run.state !== now || !answer?.for.length) return;
    tell(now, `${run.said} ${t("puzzle-why", { turn: moveName(turn), facts: factsText(answer.for) })}`);
  };

  // Plays the next turn of the solution.
  const playNext = async () => {
    const from = base;
    const turn = run.puzzle.solution[played];
    const shown = controller.play(from, turn);
    stand(from.children.find((child) => child.turn === turn), played + 1);
    await shown;
  };

  const stand = (node, turns) => ([base, played] = [node, turns]);

  const stop = () => {
    latest++;
    judging.stop();
  };

  const mark = (arrows) => board.arrows.show("best", arrows);

  const report = (whole) => {
    if (reported) return;
    reported = true;
    done(whole);
  };

  /** @param {typeof run["state"]} now @param {string} said */
  const tell = (now, said) => {
    Object.assign(run, { state: now, said });
    changed();
  };

  controller.addEventListener("position", moved);
  controller.addEventListener("game", () => {
    if (!run.puzzle) return;
    if (!run.open) stop();
    changed();
  });
  return run;
}

/** The solution of a puzzle, in words. @param {import("./puzzles.js").Puzzle} puzzle */
export function solutionText({ solution }) {
  return t("puzzle-solution", { turns: solution.map(turnName).join("; ") });
}

/**
 * The cost of a wrong turn, in words.
 * @param {string} turn its name
 * @param {import("../../_types/messages").VerdictView|null} verdict
 * @param {import("./puzzles.js").Puzzle} puzzle
 */
export function lossWords(turn, verdict, { mate }) {
  const { before, after, label } = verdict ?? {};
  if (!before || !after) return t("puzzle-wrong", { turn });
  if ("mate" in after && after.mate > 0 && mate) return t("puzzle-slower", { turn });
  if ("mate" in after && after.mate < 0) return t("puzzle-loses", { turn, count: -after.mate });
  if (!label) return t("puzzle-not-it", { turn });
  return t("puzzle-mistake", { turn, before: percent(chance(before)), after: percent(chance(after)) });
}

// Turns that are the same answer to a puzzle, as defined by Same in bench/puzzles, in
// notation.

/**
 * Whether two turns in a position are the same answer: the same ring moves to the same
 * point, and the same rows are removed before and after it, in any order. The removed
 * rings count if rings is set.
 * @param {string} a
 * @param {string} b
 * @param {boolean} rings
 */
export function sameAnswer(a, b, rings) {
  const [one, other] = [partsOf(a, rings), partsOf(b, rings)];
  return one.every((part, i) => part === other[i]);
}

// The removals before the ring move, the move, and the removals after it.
function partsOf(turn, rings) {
  const words = turn.split(";");
  const at = words.findIndex((word) => !word.startsWith("x"));
  const [before, move, after] = at < 0 ? [words, "", []] : [words.slice(0, at), words[at], words.slice(at + 1)];
  return [taken(before, rings), move, taken(after, rings)];
}

// "xb3-b7xb2" removes the row b3-b7 and the ring b2.
function taken(removals, rings) {
  const pairs = removals.map((word) => word.slice(1).split("x"));
  const rows = pairs.map(([row]) => row).sort();
  const paid = rings ? pairs.map(([, ring]) => ring).sort() : [];
  return [...rows, "/", ...paid].join(" ");
}
