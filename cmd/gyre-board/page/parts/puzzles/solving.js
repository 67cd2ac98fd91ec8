// Solving a puzzle on the board: compares the player's turns with the solution, plays the
// replies, and shows what a wrong turn costs.

import { parseTurn } from "../../../../../position/drawing/geometry.js";
import { arrowsOf } from "../../../../../position/drawing/marks.js";
import { Game } from "../../game/game.js";
import { moveName, turnName } from "../../game/words.js";
import { chance } from "../../scores.js";
import { factsText } from "../coach/facts.js";
import { judge } from "../review/judge.js";
import { OWN } from "./mistakes.js";
import { percent, t } from "../../language.js";

const REPLY_AFTER_MS = 350;

/** Nodes for the verdict on a turn other than the solution's. */
const NODES = 20000;

/**
 * Fires "change" when something about the puzzle changed, and "done" once per puzzle
 * (detail: whether it was solved without a wrong turn and without help).
 */
export class PuzzleRun extends EventTarget {
  #page;
  /** The number of the current activity on the board. Older ones stop, and so do those of another game. */
  #asked = 0;
  /** @type {ReturnType<typeof judge>|null} */
  #judging = null;
  #quick;
  #reported = false;
  /** The node at which the player is to move. @type {import("../../game/tree.js").TurnNode} */
  #base = null;
  /** The number of solution turns on the board. */
  #done = 0;
  /** @type {import("./puzzles.js").Puzzle|null} */
  puzzle = null;
  /** The game that shows the puzzle. @type {Game|null} */
  game = null;
  /** The game that was on the board before. @type {Game|null} */
  #before = null;
  /** @type {"yours"|"reply"|"wrong"|"solved"|"shown"} */
  state = "yours";
  /** The text about the last turn. */
  said = "";
  /** Whether the ring to move has been shown. */
  hinted = false;

  /**
   * @param {import("../../_types/page").Page} page
   * @param {{quick?: boolean}} [how] quick if nothing is said about the turns
  */
  constructor(page, { quick = false } = {}) {
    super();
    this.#page = page;
    this.#quick = quick;
    page.controller.addEventListener("position", () => this.#shown());
    page.controller.addEventListener("game", () => {
      if (!this.puzzle) return;
      if (!this.open) this.#stop();
      this.#changed();
    });
  }

  /** Whether the board shows the puzzle. */
  get open() {
    return this.game !== null && this.#page.state.game === this.game;
  }

  /** The player's side. @returns {"w"|"b"} */
  get side() {
    return this.puzzle.fen.split(" ")[1] === "w" ? "w" : "b";
  }

  /**
   * Puts a puzzle on the board.
   * @param {import("./puzzles.js").Puzzle} puzzle
  */
  async begin(puzzle) {
    const { state, analysis, controller } = this.#page;
    this.#stop();
    // The engine would show the solution.
    if (state.analyzing) analysis.toggle();
    if (!this.open) this.#before = state.game;
    const game = new Game({ rules: puzzle.rules, start: puzzle.fen, tags: [["Event", `Puzzle ${puzzle.id}`]] });
    game.playing = false;
    game.passing = true;
    Object.assign(this, { puzzle, game, state: "yours", said: "", hinted: false });
    this.#reported = false;
    this.#stand(game.root, 0);
    this.#mark([]);
    await controller.open(game);
    this.#changed();
  }

  /**
   * Shows the game that was on the board before the puzzles, unless another one is open by now.
   * @returns {Promise<boolean>} false if it cannot be opened now
  */
  async leave() {
    const before = this.#before;
    if (before && this.open && !(await this.#page.controller.open(before))) return false;
    this.#before = null;
    return true;
  }

  /** Returns to the player's decision after a wrong turn. */
  async again() {
    if (this.state !== "wrong" || !this.open) return;
    this.#stop();
    const { game } = this;
    await this.#page.controller.go(this.#base);
    if (game !== this.game) return;
    this.state = "yours";
    this.said = "";
    this.#changed();
  }

  /** Marks the ring to move, the row to remove first, or the point of a new ring. */
  async hint() {
    await this.again();
    if (this.state !== "yours" || !this.open) return;
    const asked = this.#asked;
    await this.#page.controller.go(this.#base);
    if (asked !== this.#asked) return;
    this.hinted = true;
    this.#report(false);
    const [first] = parseTurn(this.puzzle.solution[this.#done]);
    const at = first.from ?? first.to;
    if (first.do === "take") this.said = t("puzzle-hint-row", { first: first.row[0], last: first.row[1] });
    else this.said = first.do === "move" ? t("puzzle-hint-move", { point: at }) : t("puzzle-hint-place", { point: at });
    this.#mark(first.do === "take" ? arrowsOf(`x${first.row.join("-")}`) : [{ from: at, to: at }]);
    this.#changed();
  }

  /** Plays the rest of the solution. */
  async show() {
    if (!this.open) return;
    this.#report(false);
    this.#stop();
    const asked = this.#asked;
    const { controller, board } = this.#page;
    this.state = "shown";
    this.said = "";
    this.#changed();
    await controller.go(this.#base);
    while (asked === this.#asked && this.#done < this.puzzle.solution.length) {
      await this.#play();
      await board.motion.idle;
    }
    if (asked !== this.#asked) return;
    this.said = solutionText(this.puzzle);
    this.#changed();
    this.#explain();
  }

  // Checks whether the player has moved, and judges the turn.
  #shown() {
    const { node, view } = this.#page.state;
    if (!this.open) return;
    if (node === this.#base) this.again();
    if (this.state !== "yours" || node.parent !== this.#base) return;
    this.#mark([]);
    const wanted = this.puzzle.solution[this.#done];
    if (view.winner === this.side) this.#solved(t("puzzle-wins"));
    else if (!sameAnswer(node.turn, wanted, this.puzzle.theme === "right-ring")) this.#wrong(node);
    else this.#right(node, wanted);
  }

  async #right(node, wanted) {
    const { controller, board } = this.#page;
    const asked = ++this.#asked;
    const last = this.#done === this.puzzle.solution.length - 1;
    // The same answer may remove another ring. The reply is the one to the solution.
    const other = node.turn !== wanted;
    const paid = other && t("puzzle-other-ring", { turn: turnName(wanted) });
    const { mate, solution } = this.puzzle;
    const goesOn = mate > (solution.length + 1) / 2 && t("puzzle-wins-in", { count: mate });
    if (last) return this.#solved([t("puzzle-right"), goesOn, paid].filter(Boolean).join(" "));
    this.state = "reply";
    this.said = [t("puzzle-right"), paid, t("puzzle-reply")].filter(Boolean).join(" ");
    this.#changed();
    await board.motion.idle;
    if (asked !== this.#asked) return;
    if (other) {
      await controller.go(this.#base);
      if (asked !== this.#asked) return;
      await this.#play();
    } else {
      this.#stand(node, this.#done + 1);
    }
    await new Promise((resolve) => setTimeout(resolve, board.motion.busy ? 0 : REPLY_AFTER_MS));
    await board.motion.idle;
    if (asked !== this.#asked) return;
    await this.#play();
    await board.motion.idle;
    if (asked !== this.#asked) return;
    this.state = "yours";
    this.hinted = false;
    this.said = t("puzzle-right-next");
    this.#changed();
  }

  async #wrong(node) {
    const { played, theme, solution } = this.puzzle;
    const turn = moveName(node.turn, solution[this.#done]);
    // A review has judged it longer than can be done now.
    if (this.#quick || node.turn === played) {
      this.state = "wrong";
      this.said = t(node.turn === played ? "puzzle-played" : "puzzle-wrong", { turn });
      this.#report(false);
      return this.#changed();
    }
    const own = theme === OWN;
    this.state = own ? "reply" : "wrong";
    this.said = own ? `${turn}…` : t("puzzle-wrong", { turn });
    if (!own) this.#report(false);
    this.#changed();
    const { analysis, state } = this.#page;
    const asked = ++this.#asked;
    this.#judging = judge(analysis, analysis.engines[0], state.reply.views[state.node.ply - 1], node.turn, NODES, { game: this.game.id, better: solution[this.#done] });
    const verdict = await this.#judging.verdict;
    if (asked !== this.#asked) return undefined;
    this.#judging.stop();
    // In stored games, other turns may be right, too: those that a review does not label.
    if (own && verdict?.label === "") return this.#solved(t("puzzle-as-good", { turn }));
    this.state = "wrong";
    this.#report(false);
    this.said = lossWords(turn, verdict, this.puzzle);
    return this.#changed();
  }

  #solved(said) {
    this.#stop();
    this.state = "solved";
    this.said = said;
    this.#report(true);
    this.#changed();
    if (!this.#quick) this.#explain();
  }

  // Adds what is good about the first turn of the solution.
  async #explain() {
    const { puzzle, state } = this;
    const asked = this.#asked;
    const [turn] = puzzle.solution;
    // Without a connection, the puzzle is over all the same.
    const answer = await this.#page.rules.why({ rules: puzzle.rules, start: puzzle.fen, turns: [turn] }, turn).catch(() => null);
    if (asked !== this.#asked || this.state !== state || !answer?.for.length) return;
    this.said = `${this.said} ${t("puzzle-why", { turn: moveName(turn), facts: factsText(answer.for) })}`;
    this.#changed();
  }

  // Plays the next turn of the solution.
  async #play() {
    const { controller } = this.#page;
    const base = this.#base;
    const turn = this.puzzle.solution[this.#done];
    const played = controller.play(base, turn);
    this.#stand(base.children.find((child) => child.turn === turn), this.#done + 1);
    await played;
  }

  #stand(node, done) {
    this.#base = node;
    this.#done = done;
  }

  #stop() {
    this.#asked++;
    this.#judging?.stop();
  }

  #mark(arrows) {
    this.#page.board.arrows.show("best", arrows);
  }

  #report(solved) {
    if (this.#reported) return;
    this.#reported = true;
    this.dispatchEvent(new CustomEvent("done", { detail: solved }));
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
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
