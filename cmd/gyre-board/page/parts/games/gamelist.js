// The list of stored games: the user's own, and those from files with several. It shows a
// few at a time.

import { byId, html, setText, svg } from "../../dom.js";
import { lockedGames } from "../../game/tablock.js";
import { Game, recordOf } from "../../game/game.js";
import { openDialog } from "../../panels/dialogs.js";
import { addGames, deleteGames, idsOf, listCollections, listGames, listIds, loadGame } from "../../game/store.js";
import { reasonOf } from "../../failures.js";
import { language, t } from "../../language.js";
import { boardAfter, miniature } from "../miniature.js";
import { Finder, nameForm, ownWords, playersOf } from "./library.js";

const SHOWN = 40;

const icon = (path) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));

// The id of the status line.
const SAID = "copied";

/**
 * The list, and exporting all of it as one file.
 * @param {import("../../_types/page").Page} page
 */
export function gameList(page) {
  const { notices, state } = page;
  let asked = 0;
  /** Draws the boards of the rows that are in view. */
  const inView = new IntersectionObserver((rows) => rows.forEach(({ isIntersecting, target }) => isIntersecting && drawPicture(/** @type {HTMLElement} */ (target))));

  /** Redraws the list. */
  const draw = async () => {
    const drawn = ++asked;
    const root = byId("game-list");
    try {
      await finder.refresh();
      if (finder.active) return await drawFound();
      const collections = await listCollections();
      const own = await section("", SHOWN);
      if (drawn !== asked) return;
      root.replaceChildren(own, ...collections.filter(({ name }) => name).map((collection) => collectionOf(collection)));
      byId("save-all").disabled = !root.querySelector("li") && !collections.length;
    } catch (error) {
      root.replaceChildren(html("p", { className: "error" }, t("no-games-now", { reason: reasonOf(error) })));
    }
  };

  // Draws the games looked for, a few at a time.
  const drawFound = async (count = SHOWN) => {
    if (!finder.active) return draw();
    const drawn = ++asked;
    const heads = await finder.find();
    const open = await lockedGames();
    if (drawn !== asked) return;
    const list = html("ul", { className: "games-of" }, ...heads.slice(0, count).map((head) => rowOf(head, open)));
    if (!heads.length) list.append(html("li", { className: "fine" }, t("find-none")));
    if (heads.length > count) list.append(html("li", {}, html("button", { "data-testid": "more-games", onclick: () => attemptIn(SAID, () => drawFound(count + 4 * SHOWN)) }, t("find-more", { count: heads.length }))));
    byId("game-list").replaceChildren(html("p", { className: "fine", role: "status", "data-testid": "found-games" }, t("found-games", { count: heads.length })), list);
  };

  const rename = (head, row) => {
    const done = async () => {
      await draw();
      /** @type {HTMLElement} */ (document.querySelector(`[data-testid=name-game][data-game="${head.id}"]`))?.focus();
    };
    const form = nameForm(head, page, done);
    row.replaceChildren(form);
    form.querySelector("input").focus();
  };

  const section = async (collection, count) => {
    const { heads, all } = await listGames(collection, count);
    const open = await lockedGames();
    const list = html("ul", { className: "games-of" }, ...heads.map((head) => rowOf(head, open)));
    if (!all && !collection) list.append(html("li", { className: "fine" }, t("games-none")));
    if (all > heads.length) {
      const more = html("button", { "data-testid": "more-games", onclick: () => attemptIn(SAID, async () => list.replaceWith(await section(collection, count + 4 * SHOWN))) }, t("show-more", { count: all }));
      list.append(html("li", {}, more));
    }
    return list;
  };

  const rowOf = (head, locked) => {
    const { id, title, turns, changed, collection } = head;
    const mine = id === state.game?.id;
    const [, rules, date] = /^.*, (standard|blitz), (.*)$/.exec(title) ?? [];
    const players = playersOf(head).join(" – ") || title;
    const when = collection ? date : new Date(changed).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    const game = [players, when].filter(Boolean).join(", ");
    const facts = [rules && t(`editor-${rules}`), t("turns", { count: turns }), when].filter(Boolean).join(" · ");
    const { kind, text } = outcomeOf(head);
    const result = text && html("span", { className: `outcome ${kind}`, "data-testid": "game-outcome" }, text);
    const picture = html("span", { className: "picture", "data-picture": id });
    inView.observe(picture);
    const open = html("button", { className: "title", "data-testid": "open-game", "data-game": id, onclick: () => attemptIn(SAID, () => openStored(page, id)) },
      picture, html("b", {}, players), " ", html("span", { className: "fine" }, result, result && " · ", facts));
    // A game that is open in a tab cannot be deleted.
    const remove = mine || locked.has(id)
      ? html("button", { "data-testid": "delete-game", disabled: true }, t(mine ? "list-open" : "list-elsewhere"))
      : html("button", { "data-testid": "delete-game", "data-game": id, "aria-label": t("delete-game", { game }), title: t("delete"), onclick: () => attemptIn(SAID, () => forget([id], game)) }, icon("M4 7h16M9 7V4h6v3m3 0l-1 13H7L6 7m4 4v5m4-5v5"));
    const words = ownWords(head);
    if (words) picture.after(html("span", { className: "own-words" }, words));
    const name = html("button", { "data-testid": "name-game", "data-game": id, "aria-label": t("name-game", { title: game }), title: t("name-game-short"), onclick: () => rename(head, row) }, icon("M4 20l1-5L16 4l4 4L9 19zM14 6l4 4"));
    const row = html("li", { className: mine ? "here" : "" }, open, name, remove);
    return row;
  };

  // A game that cannot be read has no picture; opening it says why.
  const drawPicture = async (root) => {
    inView.unobserve(root);
    const stored = await loadGame(root.dataset.picture).catch(() => null);
    try {
      const game = Game.from(stored.value);
      root.append(miniature(boardAfter(game.path(game.live)).points));
    } catch {
      // Damaged, or deleted meanwhile.
    }
  };

  const collectionOf = ({ name, count }) => {
    const box = html("details", { className: "collection", "data-testid": "collection" }, html("summary", {}, `${name} · ${t("count-games", { count })}`));
    box.addEventListener("toggle", () => attemptIn(SAID, async () => {
      if (!box.open || box.childElementCount > 1) return;
      const remove = html("button", { "data-testid": "delete-collection", onclick: () => attemptIn(SAID, async () => forget(await idsOf(name), t("games-of", { count, name }))) }, t("delete-all"));
      box.append(await section(name, SHOWN), remove);
    }));
    return box;
  };

  const forget = async (ids, what) => {
    const stored = new Map();
    for (const id of ids) stored.set(id, await loadGame(id));
    // A tab may have opened one meanwhile.
    const open = await lockedGames();
    const closed = ids.filter((id) => !open.has(id) && id !== state.game.id);
    await deleteGames(closed);
    notices.offerUndo(t("deleted", { what }), async () => {
      await addGames(closed.flatMap((id) => stored.get(id)?.value ?? []));
      if (byId("games-dialog").open) draw();
    }, (reason) => t("not-restored", { reason }));
    await draw();
    byId("game-list").querySelector("button")?.focus();
  };

  // Saves a file with a record of every game.
  const saveAll = async () => {
    const ids = await listIds();
    const parts = [];
    const wrong = [];
    for (const [i, id] of ids.entries()) {
      byId("copied").textContent = t("games-written-of", { number: i, count: ids.length });
      try {
        const { value } = await loadGame(id);
        parts.push((await page.link.ask("write", recordOf(Game.from(value)))).text);
      } catch (error) {
        wrong.push(reasonOf(error));
      }
    }
    const saved = t("games-saved", { count: parts.length, name: download("yinsh-games.txt", parts) });
    byId("copied").textContent = wrong.length ? `${saved} ${t("games-not-saved", { count: wrong.length, reason: wrong[0] })}` : saved;
  };

  const finder = new Finder(byId("game-list"), () => attemptIn(SAID, () => drawFound()));
  byId("save-all").addEventListener("click", () => attemptIn(SAID, () => saveAll()));

  return { draw };
}

/**
 * How a game ended: for the person here, if the other player is an engine or elsewhere, or else who
 * won.
 * @param {import("../../game/store.js").Head} head
 * @returns {{kind: string, text: string}} no text for a game that is not over
 */
export function outcomeOf({ outcome, own: side }) {
  if (!outcome) return { kind: "", text: "" };
  if (outcome === "d") return { kind: "drawn", text: t("game-drawn") };
  if (!side) return { kind: `wins-${outcome}`, text: t("game-winner", { side: outcome }) };
  return outcome === side ? { kind: "won", text: t("game-won") } : { kind: "lost", text: t("game-lost") };
}

/**
 * Opens a stored game and closes all dialogs.
 * @param {import("../../_types/page").Page} page
 * @param {string} id
 */
export async function openStored({ state, controller }, id) {
  const other = id !== state.game.id;
  const stored = other && (await loadGame(id));
  const game = stored && Game.readable(stored.value, stored.revision);
  if (other && !game) throw new Error(t(stored ? "game-damaged" : "game-gone"));
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  if (game) await controller.open(game);
}

/**
 * Runs a function and reports a failure in a line of the dialog or panel.
 * @param {string} line the id of the line
 * @param {() => any} act
 */
export async function attemptIn(line, act) {
  try {
    await act();
  } catch (error) {
    const dialog = byId(line).closest("dialog");
    if (dialog && !dialog.open) openDialog(/** @type {any} */ (dialog.id));
    setText(byId(line), t("not-now", { reason: reasonOf(error) }));
  }
}

/**
 * Downloads a file.
 * @param {string} name
 * @param {BlobPart[]} parts the text, or a single blob
 * @returns {string} the name of the file
 */
export function download(name, parts) {
  const address = URL.createObjectURL(parts[0] instanceof Blob ? parts[0] : new Blob(parts, { type: "text/plain" }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return name;
}

/**
 * A name that no collection has yet.
 * @param {string} name the preferred name
 */
export async function freeName(name) {
  const taken = new Set((await listCollections()).map((collection) => collection.name));
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name} (${i})`;
  return free;
}
