// Games against a person at another browser: the bar above the tabs, the dialog that shares
// links, and resigning. bylink.js plays by links, room.js in a room of the server.

import { byId, markup, setText } from "../../dom.js";
import { readLink, readRoomLink } from "../../game/game.js";
import { saveSettings, settings } from "../../game/settings.js";
import { t } from "../../language.js";
import { openDialog } from "../../panels/dialogs.js";
import { byLinks } from "./bylink.js";
import { byRoom } from "./room.js";
import { Sheet, addressOf, dialogFor } from "../sheet/sheet.js";
import { encode } from "./uqr/uqr.js";

const BAR = `
<div id="remote" class="remote" data-testid="remote" role="group" data-l10n="remote-bar" hidden>
  <p id="remote-text" data-testid="remote-text"></p>
  <button id="remote-share" data-testid="remote-share" data-l10n="remote-share"></button>
</div>`;

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
 * @typedef {Object} State
 * @property {Shared|null} shared
 * @property {string} name of the player here
 * @property {string} kind what the link is for: "play" or "watch"
 * @property {boolean} coded whether the link is shown as a QR code, too
 */

/**
 * What the dialog shows.
 * @param {State} state
 * @returns {import("../sheet/sheet.js").Maybe[]}
 */
export function sheetOf({ shared: { title, how, link, watch }, name, kind, coded }) {
  const shown = watch && kind === "watch" ? watch : link;
  return [
    { title },
    { text: how },
    { input: t("your-name"), value: name, id: "share-name" },
    watch && { choice: t("share-kinds"), options: [["play", t("share-to-play")], ["watch", t("share-to-watch")]], value: kind, id: "share-kinds" },
    { copy: shown, buttons: [["share-qr", t("share-qr")]], id: "share-link", label: t("share-link.aria-label") },
    coded && { image: codeOf(shown), tone: "code", id: "share-code", label: t("share-code") },
    { buttons: [["close", t("close")]], tone: "right" },
  ];
}

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  byId("tabs").parentElement.before(markup(BAR));
  const { controller, notices, state, tabs } = page;
  const dialog = dialogFor("share-dialog", t("remote-bar.aria-label"));
  const sheet = new Sheet(dialog, sheetOf, {
    "share-name": (text) => rename(text.trim()),
    "share-kinds": (kind) => sheet.change({ kind }),
    "share-qr": () => sheet.change({ coded: !sheet.state.coded }),
    close: () => dialog.close(),
  }, /** @type {State} */ ({ shared: null, name: "", kind: "play", coded: false }));
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
    if (state.over) notices.remove("resign");
    const { text, shares } = current.shared;
    const who = t("your-opponent");
    setText(byId("remote-text"), text.startsWith(who) ? who.charAt(0).toLocaleUpperCase() + text.slice(1) : text);
    byId("remote-share").hidden = !shares;
    if (dialog.open) sheet.change({ shared: current.shared });
  };

  const share = () => {
    if (!current) return;
    sheet.change({ shared: current.shared, name: settings().name ?? "", kind: "play", coded: false });
    setText(dialog.querySelector(".sheet-copy [role=status]"), "");
    openDialog("share-dialog");
    /** @type {HTMLElement} */ (dialog.querySelector(".sheet-copy button")).focus();
  };

  const rename = (name) => {
    saveSettings({ name });
    current?.rename(name);
    sheet.change({ name, shared: current?.shared ?? sheet.state.shared });
  };

  const askToResign = () => {
    notices.show("resign", t("resign-question"), { mild: true, action: [t("resign"), () => current?.resign()] });
  };

  const byLink = byLinks(page, { changed: draw, share });
  const inRoom = byRoom(page, { changed: draw });
  controller.addEventListener("game", opened);
  byId("remote-share").addEventListener("click", share);
  opened();

  return { open, follow };
}

// The light border that readers need, in modules.
const BORDER = 4;

/**
 * A link as a QR code: the data URL of its image.
 * @param {string} link
 */
function codeOf(link) {
  const { size, data } = encode(link, { ecc: "L", border: BORDER });
  const dark = data.flatMap((row, y) => row.map((is, x) => (is ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return addressOf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dark}"/></svg>`);
}
