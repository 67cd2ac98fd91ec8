// Games against a person at another browser: the bar above the tabs, the dialog that shares
// links, and resigning. bylink.js plays by links, room.js in a room of the server.

import { byId, html, markup, setText, svg } from "../../dom.js";
import { readLink, readRoomLink } from "../../game/game.js";
import { saveSettings, settings } from "../../game/settings.js";
import { t } from "../../language.js";
import { openDialog } from "../../panels/dialogs.js";
import { ByLink } from "./bylink.js";
import { Room } from "./room.js";
import { copyText, send } from "../share.js";
import { encode } from "./uqr/uqr.js";

const BAR = `
<div id="remote" class="remote" data-testid="remote" role="group" data-l10n="remote-bar" hidden>
  <p id="remote-text" data-testid="remote-text"></p>
  <button id="remote-share" data-testid="remote-share" data-l10n="remote-share"></button>
</div>`;

const DIALOG = `
<dialog id="share-dialog" aria-labelledby="share-title" data-testid="share-dialog">
  <h2 id="share-title"></h2>
  <p id="share-how"></p>
  <label class="share-name"><span data-l10n="your-name"></span> <input id="share-name" maxlength="40" autocomplete="nickname" data-testid="share-name"></label>
  <div id="share-kinds" class="options" role="radiogroup" data-l10n="share-kinds">
    <label><input type="radio" name="share-kind" value="play" checked><span data-l10n="share-to-play"></span></label>
    <label><input type="radio" name="share-kind" value="watch"><span data-l10n="share-to-watch"></span></label>
  </div>
  <input id="share-link" readonly data-l10n="share-link" data-testid="share-link">
  <div class="buttons left">
    <button id="share-send" class="main" type="button" data-testid="share-send" data-l10n="share-send"></button>
    <button id="share-copy" class="main" type="button" data-testid="share-copy" data-l10n="copy-link"></button>
    <button id="share-qr" type="button" data-testid="share-qr" aria-expanded="false" aria-controls="share-code" data-l10n="share-qr"></button>
  </div>
  <p id="share-done" class="fine" role="status" data-testid="share-done"></p>
  <div id="share-code" data-testid="share-code" hidden></div>
  <div class="buttons"><button type="button" data-close data-l10n="close"></button></div>
</dialog>`;

/**
 * What the bar and the dialog show.
 * @typedef {Object} Shared
 * @property {string} text the status of the game
 * @property {boolean} shares whether there is a link to share now
 * @property {string} title of the dialog
 * @property {string} how what to do with the link
 * @property {string} link for the other player
 * @property {string} [watch] for spectators
 */

/**
 * Creates the bar and the dialog.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  byId("tabs").parentElement.before(markup(BAR));
  document.body.append(markup(DIALOG));
  return new RemoteGames(page);
}

class RemoteGames {
  #page;
  /** How the open game is played. @type {ByLink|Room|null} */
  #way = null;
  #byLink;
  #room;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    const changed = () => this.#draw();
    const share = () => this.#share();
    this.#byLink = new ByLink(page, { changed, share });
    this.#room = new Room(page, { changed });
    page.controller.addEventListener("game", () => this.#opened());
    byId("remote-share").addEventListener("click", share);
    byId("share-copy").addEventListener("click", () => this.#copy());
    byId("share-send").addEventListener("click", () => this.#send());
    byId("share-qr").addEventListener("click", () => this.#toggleCode());
    byId("share-kinds").addEventListener("change", () => this.#drawDialog());
    byId("share-name").addEventListener("input", () => {
      saveSettings({ name: byId("share-name").value.trim() });
      this.#way?.rename(settings().name);
      this.#drawDialog();
    });
    // Not every browser can share; one that cannot copies.
    byId("share-send").hidden = !navigator.share;
    byId("share-copy").classList.toggle("main", !navigator.share);
    this.#opened();
  }

  /**
   * Shows the bar for the open game, begins a game, resigns, or asks for a rematch.
   * @param {Object} [order]
   * @param {"begin"|"resign"|"rematch"} [order.do]
   * @param {import("../../game/game.js").Game} [order.game] the game that was opened
   * @param {number} [order.ply] its turns then: there may be more by now
  */
  open(order = {}) {
    switch (order.do) {
      case "begin":
        return this.#begin(/** @type {any} */ (order));
      case "resign":
        return this.#askToResign();
      case "rematch":
        return this.#way?.rematch();
      default:
        return this.#byLink.missed(order);
    }
  }

  /**
   * Follows a link to a game played by link, or to a room.
   * @param {string} fragment
   * @returns {Promise<boolean>} whether a game is open now
  */
  async follow(fragment) {
    const room = readRoomLink(fragment);
    const opened = await (room ? this.#room.follow(room) : this.#byLink.follow(readLink(fragment)));
    if (opened) this.#page.tabs.replace("learn", "turns");
    return opened;
  }

  /** @param {{by: "link"|"room"}} order */
  async #begin(order) {
    const way = order.by === "link" ? this.#byLink : this.#room;
    if (await way.begin(/** @type {any} */ (order))) this.#share();
  }

  #opened() {
    const remote = this.#page.state.game?.remote;
    const way = !remote ? null : remote.by === "link" ? this.#byLink : this.#room;
    if (this.#way !== way) this.#way?.left();
    this.#way = way;
    way?.opened();
    this.#draw();
  }

  #draw() {
    const bar = byId("remote");
    bar.hidden = !this.#way;
    if (!this.#way) return;
    const { text, shares } = this.#way.shared;
    const who = t("your-opponent");
    setText(byId("remote-text"), text.startsWith(who) ? who.charAt(0).toLocaleUpperCase() + text.slice(1) : text);
    byId("remote-share").hidden = !shares;
    if (byId("share-dialog").open) this.#drawDialog();
  }

  #share() {
    if (!this.#way) return;
    byId("share-done").textContent = "";
    byId("share-code").hidden = true;
    byId("share-qr").setAttribute("aria-expanded", "false");
    byId("share-name").value = settings().name ?? "";
    /** @type {HTMLInputElement} */ (document.querySelector("[name=share-kind]")).checked = true;
    this.#drawDialog();
    openDialog("share-dialog");
    (navigator.share ? byId("share-send") : byId("share-copy")).focus();
  }

  get #link() {
    const { link, watch } = this.#way.shared;
    const kind = /** @type {HTMLInputElement} */ (document.querySelector("[name=share-kind]:checked")).value;
    return watch && kind === "watch" ? watch : link;
  }

  #drawDialog() {
    const { title, how, watch } = this.#way.shared;
    setText(byId("share-title"), title);
    setText(byId("share-how"), how);
    byId("share-kinds").hidden = !watch;
    const box = byId("share-link");
    if (box.value === this.#link) return;
    box.value = this.#link;
    byId("share-done").textContent = "";
    if (!byId("share-code").hidden) byId("share-code").replaceChildren(codeOf(this.#link));
  }

  async #copy() {
    setText(byId("share-done"), t((await copyText(byId("share-link"))) ? "share-copied" : "share-copy-it"));
  }

  async #send() {
    const what = { title: document.title, text: byId("share-title").textContent, url: this.#link };
    if (await send(what, () => this.#copy())) setText(byId("share-done"), t("share-sent"));
  }

  #toggleCode() {
    const code = byId("share-code");
    code.hidden = !code.hidden;
    byId("share-qr").setAttribute("aria-expanded", String(!code.hidden));
    if (!code.hidden) code.replaceChildren(codeOf(this.#link));
  }

  #askToResign() {
    this.#page.notices.show("resign", t("resign-question"), { mild: true, action: [t("resign"), () => this.#way?.resign()] });
  }
}

// The light border that readers need, in modules.
const BORDER = 4;

/**
 * A link as a QR code.
 * @param {string} link
 */
function codeOf(link) {
  const { size, data } = encode(link, { ecc: "L", border: BORDER });
  let path = "";
  data.forEach((row, y) => row.forEach((dark, x) => dark && (path += `M${x} ${y}h1v1h-1z`)));
  const code = svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("share-code"), "shape-rendering": "crispEdges" });
  code.append(svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
  return html("div", { className: "code" }, code);
}
