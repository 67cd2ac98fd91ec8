// Finding games in the list by words, player, result and source, and giving them names and labels.

import { byId, html, markup } from "../../dom.js";
import { Game } from "../../game/game.js";
import { allHeads, listCollections, loadGame, saveGame } from "../../game/store.js";
import { withLock } from "../../game/tablock.js";
import { playerText } from "../../game/words.js";
import { reasonOf } from "../../failures.js";
import { listText, t } from "../../language.js";

/** @typedef {import("../../game/store.js").Head} Head */

const FIELDS = `
<div class="find" role="search" data-l10n="find-games">
  <input id="find-words" type="search" data-l10n="find-words" data-testid="find-words">
  <input id="find-player" type="search" list="find-players" autocomplete="off" data-l10n="find-player" data-testid="find-player">
  <datalist id="find-players"></datalist>
  <select id="find-result" data-l10n="find-result" data-testid="find-result"></select>
  <select id="find-source" data-l10n="find-source" data-testid="find-source"></select>
</div>`;

/** In place of a collection's name: the games in no collection. */
const OWN = "\0own";

/** At most this many players are suggested: those with the most games. */
const SUGGESTED = 200;

/**
 * The two players of a game, in the page's language.
 * @param {Head} head
 */
export const playersOf = ({ titleNames = [] }) => titleNames.map(playerText);

const fold = (/** @type {string} */ text) => text.trim().toLocaleLowerCase();

/**
 * The players with the most games.
 * @param {Head[]} heads
 * @returns {string[]}
 */
function mostFrequent(heads) {
  const counts = new Map();
  for (const head of heads) for (const name of playersOf(head)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, SUGGESTED).map(([name]) => name);
}

/**
 * The games of a player: those with exactly this name, or if there are none, with this text in a name.
 * @param {Head[]} heads
 * @param {string} player "" for any
 * @returns {Head[]}
 */
export function gamesOf(heads, player) {
  const wanted = fold(player);
  if (!wanted) return heads;
  const exact = heads.filter((head) => playersOf(head).some((name) => fold(name) === wanted));
  return exact.length ? exact : heads.filter((head) => playersOf(head).some((name) => fold(name).includes(wanted)));
}

/**
 * Whether a game is one of those looked for.
 * @param {Head} head
 * @param {{words: string, result: string, source: string}} wanted words: all must occur in the
 *   game's name, players or labels; result: as outcome, "open" for unfinished, "" for any;
 *   source: a collection, OWN, or "" for any
 */
function isWanted(head, { words, result, source }) {
  if (result && (head.outcome || "open") !== result) return false;
  if (source && (head.collection || OWN) !== source) return false;
  const text = [head.name, head.title, ...playersOf(head), ...(head.labels ?? [])].join(" ").toLocaleLowerCase();
  return words.toLocaleLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The fields for finding games, above the list. */
export class Finder {
  /** The heads of all games, while the dialog is open. @type {Head[]|null} */
  #heads = null;

  /**
   * @param {HTMLElement} list the list of games
   * @param {() => void} changed called when other games are looked for
  */
  constructor(list, changed) {
    list.before(markup(FIELDS));
    const option = (value, text) => html("option", { value }, text);
    byId("find-result").append(option("", t("outcome-any")), option("w", t("outcome-white")), option("b", t("outcome-black")), option("d", t("outcome-draw")), option("open", t("outcome-open")));
    byId("find-source").append(option("", t("source-any")), option(OWN, t("source-own")));
    for (const name of ["find-words", "find-player", "find-result", "find-source"]) byId(name).addEventListener("input", changed);
    byId("find-player").addEventListener("focus", () => this.#suggest().catch(() => {}));
  }

  /** Forgets the heads, which may have changed, and lists the sources again. */
  async refresh() {
    this.#heads = null;
    const names = (await listCollections()).map(({ name }) => name).filter(Boolean);
    // The rest needs one task, so that two calls list each source once and no choice is lost.
    const select = /** @type {HTMLSelectElement} */ (byId("find-source"));
    const chosen = select.value;
    while (select.options.length > 2) select.options[2].remove();
    select.append(...names.map((name) => html("option", { value: name }, name)));
    select.value = chosen;
    if (select.selectedIndex < 0) select.value = "";
  }

  get #wanted() {
    return { words: byId("find-words").value.trim(), player: byId("find-player").value.trim(), result: byId("find-result").value, source: byId("find-source").value };
  }

  /** Whether only some games are looked for. */
  get active() {
    return Object.values(this.#wanted).some(Boolean);
  }

  /** The heads of the games looked for, latest first. @returns {Promise<Head[]>} */
  async find() {
    this.#heads ??= await allHeads();
    const wanted = this.#wanted;
    return gamesOf(this.#heads, wanted.player).filter((head) => isWanted(head, wanted));
  }

  // Without a list of players the field still works.
  async #suggest() {
    this.#heads ??= await allHeads();
    byId("find-players").replaceChildren(...mostFrequent(this.#heads).map((value) => html("option", { value })));
  }
}

/**
 * The name and labels of a game for its row, if it has any.
 * @param {Head} head
 */
export function ownWords({ name, labels = [] }) {
  return [name, listText(labels)].filter(Boolean).join(" · ");
}

/**
 * A form for the name and the labels of a game.
 * @param {Head} head
 * @param {import("../../_types/page").Page} page
 * @param {() => void} done called at the end
 */
export function nameForm({ id, name = "", labels = [] }, { state, controller }, done) {
  const nameField = html("input", { value: name, maxLength: 80, "data-testid": "game-name" });
  const labelField = html("input", { value: labels.join(", "), maxLength: 200, "data-testid": "game-labels" });
  const save = async (event) => {
    event.preventDefault();
    const words = { name: nameField.value.trim(), labels: [...new Set(labelField.value.split(",").map((label) => label.trim()).filter(Boolean))] };
    if (id === state.game.id) {
      Object.assign(state.game, words);
      await controller.saveNow();
    } else if (!(await withLock(id, () => rename(id, words)))) {
      throw new Error(t("name-elsewhere"));
    }
    done();
  };
  const form = html("form", { className: "name-form" },
    html("label", {}, t("game-name"), " ", nameField), html("label", {}, t("game-labels"), " ", labelField),
    html("div", { className: "buttons left" }, html("button", { className: "main", "data-testid": "save-name" }, t("save-name")), html("button", { type: "button", onclick: done }, t("cancel"))));
  form.addEventListener("submit", (event) => save(event).catch((error) => form.append(html("p", { className: "error", role: "alert" }, reasonOf(error)))));
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    done();
  });
  return form;
}

async function rename(id, words) {
  const stored = await loadGame(id);
  const game = stored && Game.readable(stored.value, stored.revision);
  if (!game) throw new Error(t("game-damaged"));
  Object.assign(game, words);
  await saveGame({ ...game.toJSON(), changed: stored.value.changed }, stored.revision);
}
