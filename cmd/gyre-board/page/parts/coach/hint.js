// A hint in a game against an engine: asked once it tells what to look at, asked again the
// turn, with what the rules prove of it.

import { arrowsOf } from "../../board/arrows.js";
import { noteHelp } from "../../game/help.js";
import { lookAt } from "./words.js";

/** Positions that the engine looks at. */
const NODES = 150_000;

/** One hint at a time, for the position shown. */
export class Hint {
  #page;
  #box;
  /** The number of what was asked last; what is older says nothing. */
  #asked = 0;
  /** What ends the search and gives the engine back, while there is one. */
  #end = () => {};
  /** The turn found for the position shown, or "". */
  #turn = "";
  /** Whether the turn is to be told, or only where to look. */
  #whole = false;

  /**
   * @param {import("../../_types/page").Page} page
   * @param {import("./box.js").Box} box
   */
  constructor(page, box) {
    [this.#page, this.#box] = [page, box];
    for (const name of ["position", "game"]) page.controller.addEventListener(name, () => this.forget());
  }

  /** Whether there is somebody to give a hint to: it is a person's turn against an engine. */
  get wanted() {
    const { controller, entry } = this.#page;
    const { game } = controller;
    return Boolean(game?.playing && game.hasEngine && controller.atLive && entry.open);
  }

  /** Gives a hint, or the turn after one. */
  ask() {
    if (!this.wanted) return;
    if (this.#turn) {
      this.#whole = true;
      this.#tell();
    } else {
      this.#search();
    }
  }

  #search() {
    const { controller, searches, analysis } = this.#page;
    const { game, node, view } = controller;
    const asked = ++this.#asked;
    this.#end();
    noteHelp(controller, "hints");
    this.#box.show("Looking for a hint…");
    const engine = game.players[view.side === "w" ? "b" : "w"].engine;
    const giveBack = analysis.lend(engine);
    // As another game, so that the one who plays at a level learns nothing by it.
    const fields = { engine, path: game.path(node), limits: { nodes: NODES }, multipv: 1, level: null, game: `hint ${game.id}` };
    const told = (turn) => {
      if (asked !== this.#asked) return;
      this.#end();
      if (turn) this.#found(turn);
      else this.#box.show("The engine cannot tell now.");
    };
    const search = searches.begin("think", fields, { best: ({ turn }) => told(turn), failed: () => told(""), quiet: true });
    this.#end = () => {
      this.#end = () => {};
      search.stop();
      giveBack();
    };
  }

  #found(turn) {
    this.#turn = turn;
    this.#whole = false;
    this.#tell();
  }

  async #tell() {
    const { controller, entry, rules, board } = this.#page;
    const asked = this.#asked;
    const turn = this.#turn;
    if (!this.#whole) {
      const look = lookAt(turn, entry.prefix);
      if (look) {
        board.arrows.show("best", look.marks);
        this.#box.show(look.words, [{ id: "hint-turn", name: "Show the turn", act: () => this.ask() }]);
        return;
      }
    }
    const path = controller.game.path(controller.node);
    const { for: facts } = await rules.why({ ...path, turns: [...path.turns, turn] }, turn).catch(() => ({ for: [] }));
    if (asked !== this.#asked) return;
    board.arrows.show("best", arrowsOf(turn));
    const back = lookAt(turn, entry.prefix) ? "" : " It begins otherwise than yours: step back first.";
    this.#box.show([`The engine would play ${turn}.`, ...facts].join(" ") + back);
  }

  /** Ends the hint that is shown or looked for. */
  forget() {
    this.#asked++;
    this.#end();
    this.#turn = "";
    this.#box.hide();
  }
}
