// Games against a person at another browser: the bar above the tabs, the dialog that shares
// links, and resigning. bylink.js plays by links, room.js in a room of the server.

import { byId, html, markup, setText, svg } from "../../dom.js";
import { readLink, readRoomLink } from "../../game/game.js";
import { saveSettings, settings } from "../../game/settings.js";
import { t } from "../../language.js";
import { openDialog } from "../../panels/dialogs.js";
import { byLinks } from "./bylink.js";
import { byRoom } from "./room.js";
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
  const { controller, notices, state, tabs } = page;
  /** How the open game is played. @type {typeof byLink|typeof inRoom|null} */
  let current = null;

  /**
   * Shows the bar for the open game, begins a game, resigns, or asks for a rematch.
   * @param {Object} [order]
   * @param {"begin"|"resign"|"rematch"} [order.do]
   * @param {import("../../game/game.js").Game} [order.game] the game that was opened
   * @param {number} [order.ply] its turns then: there may be more by now
  */
  const open = (order = {}) => {
    switch (order.do) {
      case "begin":
        return beginGame(/** @type {any} */ (order));
      case "resign":
        return askToResign();
      case "rematch":
        return current?.rematch();
      default:
        return byLink.missed(order);
    }
  };

  /**
   * Follows a link to a game played by link, or to a room.
   * @param {string} fragment
   * @returns {Promise<boolean>} whether a game is open now
  */
  const follow = async (fragment) => {
    const room = readRoomLink(fragment);
    const open = await (room ? inRoom.follow(room) : byLink.follow(readLink(fragment)));
    if (open) tabs.replace("learn", "turns");
    return open;
  };

  /** @param {{by: "link"|"room"}} order */
  const beginGame = async (order) => {
    const way = order.by === "link" ? byLink : inRoom;
    if (await way.begin(/** @type {any} */ (order))) share();
  };

  const opened = () => {
    const remote = state.game?.remote;
    const way = !remote ? null : remote.by === "link" ? byLink : inRoom;
    if (current !== way) current?.left();
    current = way;
    way?.opened();
    draw();
  };

  const draw = () => {
    const bar = byId("remote");
    bar.hidden = !current;
    if (!current) return;
    const { text, shares } = current.shared;
    const who = t("your-opponent");
    setText(byId("remote-text"), text.startsWith(who) ? who.charAt(0).toLocaleUpperCase() + text.slice(1) : text);
    byId("remote-share").hidden = !shares;
    if (byId("share-dialog").open) drawDialog();
  };

  const share = () => {
    if (!current) return;
    byId("share-done").textContent = "";
    byId("share-code").hidden = true;
    byId("share-qr").setAttribute("aria-expanded", "false");
    byId("share-name").value = settings().name ?? "";
    /** @type {HTMLInputElement} */ (document.querySelector("[name=share-kind]")).checked = true;
    drawDialog();
    openDialog("share-dialog");
    (navigator.share ? byId("share-send") : byId("share-copy")).focus();
  };

  const linkNow = () => {
    const { link, watch } = current.shared;
    const kind = /** @type {HTMLInputElement} */ (document.querySelector("[name=share-kind]:checked")).value;
    return watch && kind === "watch" ? watch : link;
  };

  const drawDialog = () => {
    const { title, how, watch } = current.shared;
    setText(byId("share-title"), title);
    setText(byId("share-how"), how);
    byId("share-kinds").hidden = !watch;
    const box = byId("share-link");
    if (box.value === linkNow()) return;
    box.value = linkNow();
    byId("share-done").textContent = "";
    if (!byId("share-code").hidden) byId("share-code").replaceChildren(codeOf(linkNow()));
  };

  const copy = async () => {
    setText(byId("share-done"), t((await copyText(byId("share-link"))) ? "share-copied" : "share-copy-it"));
  };

  const sendLink = async () => {
    const what = { title: document.title, text: byId("share-title").textContent, url: linkNow() };
    if (await send(what, copy)) setText(byId("share-done"), t("share-sent"));
  };

  const toggleCode = () => {
    const code = byId("share-code");
    code.hidden = !code.hidden;
    byId("share-qr").setAttribute("aria-expanded", String(!code.hidden));
    if (!code.hidden) code.replaceChildren(codeOf(linkNow()));
  };

  const askToResign = () => {
    notices.show("resign", t("resign-question"), { mild: true, action: [t("resign"), () => current?.resign()] });
  };

  const byLink = byLinks(page, { changed: draw, share });
  const inRoom = byRoom(page, { changed: draw });
  controller.addEventListener("game", opened);
  byId("remote-share").addEventListener("click", share);
  byId("share-copy").addEventListener("click", copy);
  byId("share-send").addEventListener("click", sendLink);
  byId("share-qr").addEventListener("click", toggleCode);
  byId("share-kinds").addEventListener("change", drawDialog);
  byId("share-name").addEventListener("input", () => {
    saveSettings({ name: byId("share-name").value.trim() });
    current?.rename(settings().name);
    drawDialog();
  });
  // Not every browser can share; one that cannot copies.
  byId("share-send").hidden = !navigator.share;
  byId("share-copy").classList.toggle("main", !navigator.share);
  opened();

  return { open, follow };
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
