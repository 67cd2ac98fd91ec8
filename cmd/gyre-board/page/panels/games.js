// The dialog that opens and saves games: records, links and positions out;
// anything that the server can read in; and the games that the browser keeps.

import { byId, html, targetOf } from "../dom.js";
import { linkTo } from "../game/address.js";
import { Game } from "../game/game.js";
import { deleteGame, listGames, loadGame, saveGame } from "../game/store.js";
import { openDialog } from "./dialogs.js";

/** The dialog, and files and texts dropped or pasted on the page. */
export class Games {
  #controller;
  #rules;

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../link/rules.js").Rules} parts.rules
   */
  constructor({ controller, rules }) {
    [this.#controller, this.#rules] = [controller, rules];
    byId("games").addEventListener("click", () => this.open());
    byId("save-record").addEventListener("click", () => this.#save());
    byId("copy-record").addEventListener("click", async () => this.#copy("The record", await this.#record()));
    byId("copy-link").addEventListener("click", () => this.#copy("The link", this.#link()));
    byId("copy-position").addEventListener("click", () => this.#copy("The position", controller.view.position));
    byId("open-paste").addEventListener("click", () => this.read([byId("paste").value]));
    byId("open-file").addEventListener("change", async () => {
      await this.#readFiles(byId("open-file").files);
      byId("open-file").value = "";
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) this.#readFiles(event.dataTransfer.files);
    });
    addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text");
      if (text && !targetOf(event, "input, textarea")) this.read([text]);
    });
  }

  /** Opens the dialog. */
  open() {
    byId("copied").textContent = "";
    byId("open-error").textContent = "";
    byId("copy-text").hidden = true;
    this.#drawList();
    openDialog("games-dialog");
  }

  /**
   * Reads games of texts and opens the first; the others are kept in the list.
   * What cannot be read is said in the dialog, and nothing else changes.
   * @param {string[]} texts
   */
  async read(texts) {
    try {
      const games = [];
      for (const text of texts) {
        const { games: found } = await this.#rules.read(text);
        games.push(...found.map((game) => Game.fromRead(game)));
      }
      for (const game of games.slice(1).reverse()) saveGame(game);
      byId("games-dialog").close();
      byId("paste").value = "";
      await this.#controller.open(games[0]);
    } catch (error) {
      this.open();
      byId("open-error").textContent = error.message;
    }
  }

  async #readFiles(files) {
    this.read(await Promise.all([...files].map((file) => file.text())));
  }

  // What is saved is the line that is shown, to its end.
  #record() {
    const { game, node } = this.#controller;
    const comments = {};
    for (const at of [game.root, ...node.leaf.nodes]) if (at.comment) comments[at.ply] = at.comment;
    return this.#rules.write(game.path(node.leaf), game.recordTags, comments).then(({ text }) => text);
  }

  #link() {
    const { game, node } = this.#controller;
    return linkTo(game.path(node.leaf), node.ply);
  }

  async #save() {
    const { game } = this.#controller;
    const text = await this.#record();
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const date = new Date(game.created).toISOString().slice(0, 10);
    const anchor = html("a", { href: address, download: `yinsh-${date}.txt` });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    byId("copied").textContent = `Saved as ${anchor.download}.`;
  }

  // Browsers may forbid the clipboard; then the text is there to be copied.
  async #copy(what, text) {
    const box = byId("copy-text");
    box.value = text;
    box.hidden = false;
    box.select();
    try {
      await navigator.clipboard.writeText(text);
      byId("copied").textContent = `${what} is copied.`;
    } catch {
      byId("copied").textContent = `${what} is below, ready to be copied.`;
    }
  }

  #drawList() {
    const rows = listGames().map(({ id, title, turns, changed }) => {
      const when = new Date(changed).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
      const open = html("button", { className: "title", "data-testid": "open-game", "data-game": id, onclick: () => this.#openKept(id) }, `${title} · ${turns} turns · ${when}`);
      const current = id === this.#controller.game?.id;
      const remove = html("button", { "data-testid": "delete-game", disabled: current, "aria-label": current ? null : `Delete ${title}`, onclick: () => this.#delete(id) }, current ? "open" : "Delete");
      return html("li", {}, open, remove);
    });
    byId("game-list").replaceChildren(...rows);
  }

  #openKept(id) {
    const value = loadGame(id);
    if (!value) return;
    byId("games-dialog").close();
    if (id !== this.#controller.game.id) this.#controller.open(Game.from(value));
  }

  #delete(id) {
    deleteGame(id);
    this.#drawList();
    byId("game-list").querySelector("button")?.focus();
  }
}
