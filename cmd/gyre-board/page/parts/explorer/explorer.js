// The opening explorer, below the analysis: how games continued from the shown position,
// from the engine's own games or from those in this browser. Symmetrical positions count
// as one.

import { byId, html, markup, setText } from "../../dom.js";
import { Game, recordHelp } from "../../game/game.js";
import { listIds, loadGame } from "../../game/store.js";
import { turnName } from "../../game/words.js";
import { scoreText } from "../../scores.js";
import { loadFile, reasonOf } from "../../failures.js";
import { numberText, percentText, t } from "../../language.js";

const SECTION = `
<section id="explorer" aria-labelledby="explorer-title" data-testid="explorer">
  <div class="panel-head">
    <h2 id="explorer-title" data-l10n="openings"></h2>
    <label><span data-l10n="explorer-games"></span> <select id="explorer-games" data-testid="explorer-games"><option value="engine" data-l10n="explorer-engine"><option value="mine" data-l10n="explorer-mine"></select></label>
    <button id="explorer-close" data-l10n="close"></button>
  </div>
  <p id="explorer-said" class="fine" role="status" data-testid="explorer-said"></p>
  <button id="explorer-back" data-testid="explorer-back" hidden></button>
  <table id="explorer-table" class="summary" data-testid="explorer-table" hidden>
    <thead><tr><th scope="col" data-l10n="explorer-turn"><th scope="col" data-l10n="explorer-count"><th scope="col" data-l10n="explorer-points"><th scope="col" data-l10n="explorer-score"></tr></thead>
    <tbody id="explorer-ways"></tbody>
  </table>
</section>`;

// Only this many turns of a game are counted.
const PLIES = 12;

const MOST_SHOWN = 12;

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  byId("panel-analysis").append(markup(SECTION));
  const { analysis, controller, link, notices, rules, state, tabs } = page;
  /** Tables by the kind of games. @type {Object<string, Promise<Map<string, Known>>>} */
  let tables = {};
  let asked = 0;
  let counting = false;
  /** How many stored games could not be counted. */
  let uncounted = 0;
  /** Goes to the last position that a game reached. */
  let goBack = () => {};

  const open = async () => {
    if (state.game.isLocked) return;
    forgetMine();
    byId("explorer").hidden = false;
    tabs.show("analysis");
    const show = () => byId("explorer").scrollIntoView({ block: "nearest" });
    show(); // what is counted may come late
    await draw();
    show();
  };

  // Stored games may have changed since; a count in progress is recent enough.
  const forgetMine = () => {
    if (!counting) delete tables.mine;
  };

  const kind = () => /** @type {HTMLSelectElement} */ (byId("explorer-games")).value;

  const draw = async () => {
    if (byId("explorer").hidden || !state.game) return;
    looked();
    const drawn = ++asked;
    const { game, node } = state;
    try {
      const table = await tableOf(kind());
      const { turns, keys } = await link.ask("openings", { path: game.path(node) });
      if (drawn === asked) show(waysOn(table, turns), node, node.nodes[lastKnown(table, keys) - 1] ?? game.root);
    } catch (error) {
      if (drawn !== asked) return;
      setText(byId("explorer-said"), t("explorer-fails", { reason: reasonOf(error) }));
      byId("explorer-table").hidden = true;
    }
  };

  // Looking at the table is help in a running game. A locked one closes the table, perhaps only after this runs.
  const looked = () => {
    if (state.game?.playing && !state.game.isLocked && byId("explorer").checkVisibility?.()) recordHelp(page, "the openings");
  };

  // last is the last position of the line that a game reached.
  const show = (ways, node, last) => {
    const shown = ways.slice(0, MOST_SHOWN);
    const mine = kind() === "mine";
    const said = [
      !ways.length && t(mine ? "explorer-none-mine" : "explorer-none"),
      ways.length && t("explorer-symmetric"),
      ways.length > shown.length && t("explorer-most-played", { shown: shown.length, count: ways.length }),
      mine && uncounted && t("explorer-uncounted", { count: uncounted }),
    ];
    setText(byId("explorer-said"), said.filter(Boolean).join(" "));
    const back = byId("explorer-back");
    back.hidden = ways.length > 0 || last === node;
    setText(back, t("explorer-back", { number: last.ply }));
    goBack = () => controller.go(last);
    byId("explorer-table").hidden = !ways.length;
    byId("explorer-ways").replaceChildren(...shown.map((way) => row(way, node)));
  };

  const row = ({ turn, alike, games, points, score }, node) => {
    const play = html("button", { className: "pv", "data-testid": "explorer-turn", onclick: () => playTurn(turn, node) }, turnName(turn));
    return html("tr", {},
      html("th", { scope: "row" }, play, alike > 1 ? html("small", {}, ` ${t("explorer-alike", { count: alike - 1 })}`) : null),
      html("td", {}, numberText(games)),
      html("td", {}, percentText(points / games)),
      html("td", {}, score === null ? "–" : scoreText({ cp: score })));
  };

  // In a running game the turn would be a move. Until the rows of a new position arrive, the
  // old rows do nothing.
  const playTurn = async (turn, node) => {
    if (state.node !== node) return;
    if (state.game.playing) notices.show("line", t("explorer-running"), { mild: true });
    else await analysis.tryOut([turn]);
  };

  const tableOf = (which) => {
    const table = (tables[which] ??= which === "mine" ? countMine() : load());
    // After a failure, the next call tries again.
    table.catch(() => delete tables[which]);
    return table;
  };

  const load = async () => readTable(await loadFile(new URL("openings.txt", import.meta.url)));

  const countMine = async () => {
    const table = new Map();
    counting = true;
    uncounted = 0;
    try {
      const ids = await listIds();
      for (const [i, id] of ids.entries()) {
        if (i % 20 === 0 && kind() === "mine") setText(byId("explorer-said"), t("explorer-counting", { number: i, count: ids.length }));
        await countGame(table, (await loadGame(id))?.value);
      }
    } finally {
      counting = false;
    }
    return table;
  };

  // Keys differ between standard and blitz rules. A game that is damaged or refused by the
  // rules does not stop the others.
  const countGame = async (table, value) => {
    if (value?.start !== "startpos") return;
    try {
      const game = Game.from(value);
      const { mainLeaf } = game;
      const path = game.path(mainLeaf);
      const end = mainLeaf.end ?? (await rules.game(path)).views.at(-1);
      if ("over" in end && !end.over) return;
      const { keys } = await link.ask("openings", { path: { ...path, turns: path.turns.slice(0, PLIES) } });
      count(table, keys, { w: 1, b: 0 }[end.winner] ?? 0.5);
    } catch {
      uncounted++;
    }
  };

  controller.addEventListener("position", draw);
  for (const name of ["game", "playing"]) controller.addEventListener(name, () => (byId("explorer").hidden ||= state.game.isLocked));
  state.whenChanged(looked, () => state.tab);
  byId("explorer-games").addEventListener("change", () => {
    forgetMine();
    draw();
  });
  byId("explorer-back").addEventListener("click", () => goBack());
  byId("explorer-close").addEventListener("click", () => (byId("explorer").hidden = true));

  return { open };
}

// Openings, by the keys of positions: how many games reached a position, White's results,
// and a score.

/**
 * @typedef {Object} Known
 * @property {number} games that reached it
 * @property {number} points White's points in them
 * @property {number|null} score in hundredths, White's
 */

/**
 * Parses a table written by gyre-arena explore.
 * @param {string} text
 * @returns {Map<string, Known>}
 */
export function readTable(text) {
  const table = new Map();
  for (const line of text.split("\n")) {
    const [key, games, halves, score] = line.split(" ");
    if (key && key !== "#") table.set(key, { games: Number(games), points: Number(halves) / 2, score: Number(score) });
  }
  return table;
}

/**
 * Counts a game in a table.
 * @param {Map<string, Known>} table
 * @param {string[]} keys of its positions, from the start
 * @param {number} points White's: 1, ½ or 0
 */
export function count(table, keys, points) {
  for (const key of new Set(keys.slice(1))) {
    const known = table.get(key) ?? { games: 0, points: 0, score: null };
    table.set(key, { ...known, games: known.games + 1, points: known.points + points });
  }
}

/**
 * How many turns of a line lead to its last position that is in a table and that games continue from.
 * @param {Map<string, Known>} table
 * @param {string[]} keys of the positions of the line, from the start
 */
export function lastKnown(table, keys) {
  // The last one that was reached ended the known part: games continued from the one before.
  return Math.max(0, keys.findLastIndex((key) => table.has(key)) - 1);
}

/**
 * The turns of a position that lead to known ones, most played first.
 * @param {Map<string, Known>} table
 * @param {import("../../_types/messages").OpeningTurn[]} turns
 * @returns {Array<import("../../_types/messages").OpeningTurn & Known>}
 */
export function waysOn(table, turns) {
  const known = turns.filter(({ key }) => table.has(key)).map((turn) => ({ ...turn, ...table.get(turn.key) }));
  return known.sort((a, b) => b.games - a.games);
}
