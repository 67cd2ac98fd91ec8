// The dialog that opens and saves games: records, links and positions, and every format
// that the server can read.

import { byId, html, markup } from "../../dom.js";
import { linkTo, recordOf, linkIn } from "../../game/game.js";
import { copyText } from "../share.js";
import { openDialog } from "../../panels/dialogs.js";
import { addedText, backUp, importer } from "./files.js";
import { attemptIn, download, gameList } from "./gamelist.js";
import { t } from "../../language.js";

// The icons of the buttons.
const ICONS = {
  save: "M12 4v11m-5-5l5 5 5-5M4 20h16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  board: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l16 9m0-9l-16 9M12 3v18",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.5",
  backup: "M4 4h16v5H4zM5 9v11h14V9M10 13h4",
  review: "M4 20V4M4 20h16M7 15l4-5 3 3 5-7",
  match: "M4 5v14M20 5v14M8 12h8m-6-3l-3 3 3 3m4-6l3 3-3 3",
  file: "M4 19V5h6l2 2h8v12zM12 16v-5m-2.500 2.500L12 11l2.500 2.500",
};

/** @param {keyof typeof ICONS} name */
const icon = (name) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

const DIALOG = `
<dialog id="games-dialog" aria-labelledby="games-title" data-testid="games-dialog">
  <h2 id="games-title" data-l10n="games"></h2>
  <div class="games-columns">
  <section class="kept" aria-labelledby="kept-title"><h3 id="kept-title" data-l10n="games-kept"></h3>
    <div id="game-list" class="game-list" data-testid="game-list"></div>
    <div class="tiles">
      <button id="save-all" data-testid="save-all">${icon("save")}<span data-l10n="save-all"></span></button>
      <button id="back-up" data-testid="back-up">${icon("backup")}<span data-l10n="back-up"></span></button>
      <button data-part="reviews" data-testid="games-reviews">${icon("review")}<span data-l10n="games-review"></span></button>
      <button data-part="match" data-testid="games-match">${icon("match")}<span data-l10n="match-of-engines"></span></button>
    </div>
  </section>
  <div>
  <section aria-labelledby="save-title"><h3 id="save-title" data-l10n="games-this"></h3>
    <div class="tiles">
      <button id="save-record" data-testid="save-record">${icon("save")}<span data-l10n="save-record"></span></button>
      <button id="save-sgf" data-testid="save-sgf">${icon("save")}<span data-l10n="save-sgf"></span></button>
      <button data-part="image" data-testid="image">${icon("picture")}<span data-l10n="games-picture"></span></button>
      <button id="copy-link" data-testid="copy-link">${icon("link")}<span data-l10n="copy-link"></span></button>
      <button id="copy-record" data-testid="copy-record">${icon("copy")}<span data-l10n="copy-record"></span></button>
      <button id="copy-position" data-testid="copy-position">${icon("copy")}<span data-l10n="copy-position"></span></button>
    </div>
    <p class="fine" data-l10n="formats"></p>
    <p id="copied" class="fine" role="status" data-testid="copied"></p>
    <textarea id="copy-text" rows="3" readonly hidden data-l10n="text-to-copy" data-testid="copy-text"></textarea>
  </section>
  <section aria-labelledby="open-title"><h3 id="open-title" data-l10n="games-open"></h3>
    <div class="tiles">
      <label class="file">${icon("file")}<span data-l10n="open-file"></span> <input id="open-file" type="file" multiple accept=".txt,.sgf,.ysh,.pgn,.yinsh,.json,text/plain" data-testid="open-file"></label>
      <button data-part="editor" data-testid="editor">${icon("board")}<span data-l10n="games-editor"></span></button>
    </div>
    <label for="paste" class="fine" data-l10n="paste"></label>
    <textarea id="paste" rows="3" data-testid="paste" spellcheck="false"></textarea>
    <button id="open-paste" class="main" data-testid="open-paste" data-l10n="open-text"></button>
    <div id="import-progress" class="review-progress" hidden>
      <progress id="import-bar" data-testid="import-bar" max="1" value="0" data-l10n="reading-progress"></progress>
      <span id="import-text" role="status"></span>
      <button id="import-stop" data-testid="import-stop" data-l10n="stop"></button>
    </div>
    <p id="open-error" class="error" role="alert" data-testid="open-error"></p>
  </section>
  </div>
  </div>
  <div class="buttons"><button type="button" data-close data-l10n="close"></button></div>
</dialog>`;

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  document.body.append(markup(DIALOG));
  const { controller, link: program, state, tabs } = page;
  /** @type {ReturnType<typeof importer>|null} */
  let importing = null;

  /** Opens the dialog. */
  const open = () => {
    byId("copied").textContent = "";
    byId("open-error").replaceChildren();
    byId("copy-text").hidden = true;
    list.draw();
    openDialog("games-dialog");
  };

  /**
   * Saves the open game as a file.
   * @param {"txt"|"sgf"} [format] a record, or SGF
  */
  const save = (format = "txt") => {
    return attemptIn("copied", async () => {
      const text = await record(format === "sgf" ? format : undefined);
      byId("copied").textContent = t("saved-as", { name: download(`${state.game.fileName}.${format}`, [text]) });
    });
  };

  /**
   * Reads the games in a text and opens the first.
   * @param {string} text
  */
  const read = (text) => {
    const link = linkIn(text);
    if (link) {
      byId("games-dialog").close();
      location.hash = link;
      return undefined;
    }
    return readSources([{ name: "", blob: new Blob([text]) }]);
  };

  /**
   * Reads the games in files and opens the first.
   * @param {Iterable<File>} files
  */
  const readFiles = async (files) => {
    await readSources([...files].map((file) => ({ name: file.name, blob: file })));
    byId("open-file").value = "";
  };

  // Errors are listed in the dialog; all other games are read.
  const readSources = async (sources) => {
    if (importing) return;
    const all = sources.reduce((sum, { blob }) => sum + blob.size, 0);
    const bar = byId("import-bar");
    importing = importer(program, (bytes, games) => {
      bar.value = all ? bytes / all : 0;
      byId("import-text").textContent = t("games-read", { count: games });
      // A quick import needs no dialog.
      if (games > 0) showProgress();
    });
    const { first, count, same, restored, errors } = await importing.read(sources);
    importing = null;
    byId("import-progress").hidden = true;
    if (first) byId("paste").value = "";
    if (restored) open();
    if (restored) byId("copied").textContent = addedText(count, same);
    if (errors.length) showErrors(errors, count);
    else if (!restored) byId("games-dialog").close();
    // After opening a game, its turns are more useful than the rules.
    if (first && (await controller.open(first))) tabs.replace("learn", "turns");
    if (byId("games-dialog").open) list.draw();
  };

  const showProgress = () => {
    if (!byId("games-dialog").open) open();
    byId("import-progress").hidden = false;
  };

  const showErrors = (errors, count) => {
    open();
    const lines = errors.slice(0, MOST_ERRORS);
    if (errors.length > lines.length) lines.push(t("and-more", { count: errors.length - lines.length }));
    if (count) lines.unshift(t("games-read-except", { count }));
    byId("open-error").replaceChildren(...lines.map((line) => html("span", {}, line)));
  };

  /** @param {"sgf"} [format] */
  const record = async (format) => {
    const { text } = await program.ask("write", { ...recordOf(state.game), format });
    return text;
  };

  // A link holds the shown line.
  const linkNow = () => {
    const { game, node, view } = state;
    return linkTo(game.path(node.leaf), node.ply, game.names, { board: view?.position });
  };

  // If the browser forbids access to the clipboard, show the text for copying.
  const copy = async (text, copied, below) => {
    const box = byId("copy-text");
    box.value = text;
    box.hidden = false;
    box.select();
    byId("copied").textContent = (await copyText(box)) ? copied : below;
  };

  const list = gameList(page);
  byId("save-record").addEventListener("click", () => save());
  byId("save-sgf").addEventListener("click", () => save("sgf"));
  byId("back-up").addEventListener("click", () => attemptIn("copied", () => backUp(state.game, (text) => (byId("copied").textContent = text))));
  byId("copy-record").addEventListener("click", () => attemptIn("copied", async () => copy(await record(), t("record-copied"), t("record-below"))));
  byId("copy-link").addEventListener("click", () => attemptIn("copied", () => copy(linkNow(), t("link-copied"), t("link-below"))));
  byId("copy-position").addEventListener("click", () => attemptIn("copied", () => copy(state.view.position, t("position-copied"), t("position-below"))));
  byId("open-paste").addEventListener("click", () => read(byId("paste").value));
  byId("open-file").addEventListener("change", () => readFiles(byId("open-file").files));
  byId("import-stop").addEventListener("click", () => importing?.stop());

  return { open, save, read, readFiles };
}

// This many errors are listed individually.
const MOST_ERRORS = 12;
