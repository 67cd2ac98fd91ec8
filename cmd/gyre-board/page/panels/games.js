// The dialog that opens and saves games: records, links and positions out; and
// anything that the server can read in.

import { byId, html, targetOf } from "../dom.js";
import { linkTo } from "../game/address.js";
import { recordOf } from "../game/game.js";
import { Importing } from "../game/importing.js";
import { openDialog } from "./dialogs.js";

// So many errors are told one by one.
const MOST_ERRORS = 12;

/** The dialog, and files and texts dropped or pasted on the page. */
export class Games {
  #controller;
  #rules;
  #list;
  /** @type {Importing|null} */
  #importing = null;

  /**
   * @param {Object} parts
   * @param {import("../game/controller.js").Controller} parts.controller
   * @param {import("../link/rules.js").Rules} parts.rules
   * @param {import("./gamelist.js").GameList} parts.list
   */
  constructor({ controller, rules, list }) {
    [this.#controller, this.#rules, this.#list] = [controller, rules, list];
    byId("games").addEventListener("click", () => this.open());
    byId("save-record").addEventListener("click", () => this.save());
    byId("copy-record").addEventListener("click", async () => this.#copy("The record", await this.#record()));
    byId("copy-link").addEventListener("click", () => this.#copy("The link", this.#link()));
    byId("copy-position").addEventListener("click", () => this.#copy("The position", controller.view.position));
    byId("open-paste").addEventListener("click", () => this.read(byId("paste").value));
    byId("open-file").addEventListener("change", () => this.#readFiles(byId("open-file").files));
    byId("import-stop").addEventListener("click", () => this.#importing?.stop());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) this.#readFiles(event.dataTransfer.files);
    });
    addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text");
      if (text && !targetOf(event, "input, textarea")) this.read(text);
    });
  }

  /** Opens the dialog. */
  open() {
    byId("copied").textContent = "";
    byId("open-error").replaceChildren();
    byId("copy-text").hidden = true;
    this.#list.draw();
    openDialog("games-dialog");
  }

  /** Saves the open game as a file. */
  async save() {
    const text = await this.#record();
    const date = new Date(this.#controller.game.created).toISOString().slice(0, 10);
    byId("copied").textContent = `Saved as ${download(`yinsh-${date}.txt`, [text])}.`;
  }

  /**
   * Reads the games of a text and opens the first.
   * @param {string} text
   */
  read(text) {
    return this.#read([{ name: "", blob: new Blob([text]) }]);
  }

  async #readFiles(files) {
    await this.#read([...files].map((file) => ({ name: file.name, blob: file })));
    byId("open-file").value = "";
  }

  // What cannot be read is said in the dialog; everything else is read all the same.
  async #read(sources) {
    if (this.#importing) return;
    const all = sources.reduce((sum, { blob }) => sum + blob.size, 0);
    const bar = byId("import-bar");
    this.#importing = new Importing(this.#rules, (bytes, games) => {
      bar.value = all ? bytes / all : 0;
      byId("import-text").textContent = `${games} games read`;
      // What is quick needs no dialog.
      if (games > 0) this.#showProgress();
    });
    const { first, count, errors } = await this.#importing.read(sources);
    this.#importing = null;
    byId("import-progress").hidden = true;
    if (first) byId("paste").value = "";
    if (errors.length) this.#showErrors(errors, count);
    else byId("games-dialog").close();
    if (first) await this.#controller.open(first);
    if (byId("games-dialog").open) this.#list.draw();
  }

  #showProgress() {
    if (!byId("games-dialog").open) this.open();
    byId("import-progress").hidden = false;
  }

  #showErrors(errors, count) {
    this.open();
    const lines = errors.slice(0, MOST_ERRORS);
    if (errors.length > lines.length) lines.push(`and ${errors.length - lines.length} more.`);
    if (count) lines.unshift(`${count} ${count === 1 ? "game was" : "games were"} read. What could not be:`);
    byId("open-error").replaceChildren(...lines.map((line) => html("span", {}, line)));
  }

  async #record() {
    const { text } = await this.#rules.write(recordOf(this.#controller.game));
    return text;
  }

  // A link holds the line that is shown.
  #link() {
    const { game, node } = this.#controller;
    return linkTo(game.path(node.leaf), node.ply);
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
}

/**
 * Gives the user a file.
 * @param {string} name
 * @param {string[]} parts of its text
 * @returns {string} the name
 */
export function download(name, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type: "text/plain" }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return name;
}
