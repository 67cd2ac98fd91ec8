// The position editor: pieces are dragged or put on the board, and the right button erases. Its board
// covers the main one, and its palette and settings replace the panels. The rules say at once whether the
// position can be played.

import { Board } from "../../board/board.js";
import { EDGE, nearest } from "../../../../../position/drawing/geometry.js";
import { parseBoard, turnSteps } from "../../../../../position/drawing/rules.js";
import { byId, html, keyOf, markup, setText, targetOf } from "../../dom.js";
import { Game, linkTo } from "../../game/game.js";
import { promptText } from "../../game/words.js";
import { reasonOf } from "../../failures.js";
import { faultText, t } from "../../language.js";
import { copyText } from "../share.js";

const BOARD = `<div id="editor-board" class="board" data-testid="editor-board" role="group" data-l10n="editor-board" hidden></div>`;

const PANEL = `
<section id="editor-panel" class="panel" aria-labelledby="editor-title" data-testid="editor-panel" hidden>
  <div class="sheet-head"><h2 id="editor-title" tabindex="-1" data-l10n="editor-title"></h2><button id="editor-close" data-testid="editor-close" data-l10n="close"></button></div>
  <div id="editor-tools" role="group" data-l10n="editor-tools"></div>
  <p id="editor-said" role="status" data-testid="editor-said"></p>
  <div class="buttons left">
    <button id="editor-play" class="main" data-testid="editor-play" data-l10n="editor-play"></button>
    <button id="editor-analyse" data-testid="editor-analyse" data-l10n="analyze"></button>
  </div>
  <form id="editor-form" class="row">
    <label><span data-l10n="editor-side"></span> <select name="side" data-testid="editor-side"><option value="w" data-l10n="white"><option value="b" data-l10n="black"></select></label>
    <label><span data-l10n="new-rules"></span> <select name="rules" data-testid="editor-rules"><option value="standard" data-l10n="editor-standard"><option value="blitz" data-l10n="editor-blitz"></select></label>
    <label><span data-l10n="editor-won-white"></span> <select name="white" data-testid="editor-won-w"></select></label>
    <label><span data-l10n="editor-won-black"></span> <select name="black" data-testid="editor-won-b"></select></label>
  </form>
  <div class="buttons left">
    <button id="editor-empty" data-testid="editor-empty" data-l10n="editor-empty"></button>
    <button id="editor-shown" data-testid="editor-shown" data-l10n="editor-shown"></button>
    <button id="editor-back" data-testid="editor-back" data-l10n="undo"></button>
    <button id="editor-copy" data-testid="editor-copy" data-l10n="editor-copy"></button>
    <button id="editor-link" data-testid="editor-link" data-l10n="copy-link"></button>
  </div>
  <label class="editor-text"><span data-l10n="editor-text"></span> <input id="editor-text" data-testid="editor-text" autocomplete="off" spellcheck="false"></label>
</section>`;

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  document.querySelector(".field").append(markup(BOARD));
  document.querySelector("aside").append(markup(PANEL));
  const { analysis, controller, link, state, tabs } = page;
  let positions = [EMPTY];
  const setting = () => positions.at(-1);
  let chosen = "W";
  let latest = 0;
  /** The text of the position, empty while it cannot be played. */
  let playable = "";

  const open = () => {
    const { view } = state;
    // Empty until the rules have answered.
    if (setting() === EMPTY && view) positions = [settingOf(view)];
    byId("games-dialog").close();
    show(true);
    byId("editor-title").focus();
    draw();
  };

  /** Shows the game again. */
  const close = () => {
    if (byId("editor-panel").hidden) return;
    show(false);
    byId("games").focus();
  };

  const show = (editing) => {
    document.documentElement.toggleAttribute("data-editing", editing);
    byId("editor-panel").hidden = byId("editor-board").hidden = !editing;
  };

  // A tool is chosen with a click, or dragged to the board.
  const makeTools = () => {
    const buttons = TOOLS.map(({ letter, name, key }) => html("button", {
      className: "editor-tool", "data-tool": letter, "data-testid": `tool-${letter || "erase"}`, "aria-keyshortcuts": key, title: `${t(`tool-${name}`)} (${key})`,
    }, html("span", { className: `editor-piece editor-piece-${letter || "none"}`, "aria-hidden": "true" }), t(`tool-${name}`)));
    byId("editor-tools").append(...buttons);
    byId("editor-tools").addEventListener("click", (event) => choose(targetOf(event, "[data-tool]")?.dataset.tool));
    byId("editor-tools").addEventListener("pointerdown", (event) => {
      const letter = targetOf(event, "[data-tool]")?.dataset.tool;
      if (letter === undefined) return;
      choose(letter);
      const dropped = ({ clientX, clientY }) => {
        const box = byId("editor-board").getBoundingClientRect();
        const at = (value, from, size) => ((value - from) / size) * 2 * EDGE - EDGE;
        const point = nearest(at(clientX, box.left, box.width), at(clientY, box.top, box.height));
        if (point) place(point, letter);
      };
      const end = new AbortController();
      const { signal } = end;
      addEventListener("pointerup", dropped, { signal });
      for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => end.abort(), { signal });
    });
    choose(chosen);
  };

  const choose = (letter) => {
    if (letter === undefined) return;
    chosen = letter;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (byId("editor-tools").querySelectorAll("[data-tool]"))) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === letter));
    }
  };

  // Putting the same piece again removes it.
  const press = (point) => place(point, setting().points[point] === chosen ? "" : chosen);

  const key = (event) => {
    const tool = TOOLS.find(({ key }) => key === keyOf(event));
    if (tool) choose(tool.letter);
    else if (event.key === "Delete" || event.key === "Backspace") place(board.points.current, "");
    else return;
    event.preventDefault();
  };

  /** @param {Partial<Setting>} changes */
  const change = (changes) => {
    positions = changed(positions, changes);
    draw();
  };

  const place = (point, letter) => change({ points: put(setting().points, point, letter) });

  const back = () => {
    positions = positions.slice(0, -1);
    draw();
  };

  const read = async (text) => {
    // Later drawing and answers belong to this text.
    const asked = ++latest;
    offer("");
    const [rules, start] = [setting().rules, text.trim().split(/\s+/).join(" ")];
    try {
      const { views } = await page.rules.game({ rules, start, turns: [] });
      if (asked === latest) change(settingOf(views[0]));
    } catch (error) {
      if (asked === latest) setText(byId("editor-said"), reasonOf(error));
    }
  };

  const draw = async () => {
    const asked = ++latest;
    const { points, removed, side, rules } = setting();
    board.showTrays(rules === "blitz" ? 1 : 3);
    board.pieces.show(points, removed);
    board.points.describe(points, new Map());
    for (const [name, value] of Object.entries({ side, rules, white: removed[0], black: removed[1] })) field(name).value = String(value);
    // Nothing can be played until the rules have answered.
    offer("");
    byId("editor-back").disabled = positions.length < 2;
    try {
      const answer = await link.ask("setup", { rules, side, points, removed });
      if (asked === latest) received(answer);
    } catch (error) {
      if (asked === latest) setText(byId("editor-said"), t("not-now", { reason: reasonOf(error) }));
    }
  };

  // Shows what the rules say about the position.
  /** @param {import("../../_types/messages").SetUp} answer */
  const received = ({ position, problem: raw, fault, over }) => {
    const problem = fault ? faultText(fault) : raw;
    offer(position);
    const asked = () => {
      const { rules, removed } = setting();
      return promptText(turnSteps(parseBoard(position), rules, []).prompt, removed);
    };
    setText(byId("editor-said"), problem ? t("editor-problem", { problem }) : t(over ? "editor-over" : "editor-playable", { prompt: asked() }));
    byId("editor-said").classList.toggle("error", Boolean(problem));
    if (document.activeElement !== byId("editor-text")) byId("editor-text").value = position;
  };

  // Offers actions for a position; none if it is empty.
  const offer = (position) => {
    playable = position;
    for (const id of /** @type {const} */ (["editor-copy", "editor-link", "editor-analyse", "editor-play"])) byId(id).disabled = !position;
  };

  const path = () => ({ rules: setting().rules, start: playable });

  const openGame = async () => {
    const game = new Game(path());
    game.playing = false;
    return controller.open(game);
  };

  const analyse = async () => {
    if (!(await openGame())) return;
    tabs.show("analysis");
    if (!state.analyzing) analysis.toggle();
  };

  // The new game dialog asks who plays.
  const play = async () => {
    const { rules } = setting();
    if (!(await openGame())) return;
    byId("new-game").click();
    const form = byId("new-dialog").querySelector("form");
    const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    field("rules").value = rules;
    field("here").checked = true;
  };

  const copy = async (text, copied, below) => {
    const box = byId("editor-text");
    box.value = text;
    setText(byId("editor-said"), (await copyText(box)) ? copied : below);
  };

  const root = byId("editor-board");
  const board = new Board(root, { motion: () => false });
  makeTools();
  for (const name of ["white", "black"]) field(name).append(...[0, 1, 2, 3].map((n) => html("option", {}, String(n))));
  byId("editor-form").addEventListener("change", () => {
    const { side, rules, white, black } = /** @type {any} */ (Object.fromEntries(new FormData(byId("editor-form"))));
    change({ side, rules, removed: [Number(white), Number(black)] });
  });
  byId("editor-text").addEventListener("change", () => read(byId("editor-text").value));
  byId("editor-empty").addEventListener("click", () => change({ ...EMPTY, rules: setting().rules }));
  byId("editor-shown").addEventListener("click", () => state.view && change(settingOf(state.view)));
  byId("editor-back").addEventListener("click", back);
  byId("editor-copy").addEventListener("click", () => copy(playable, t("position-copied"), t("position-below")));
  byId("editor-link").addEventListener("click", () => copy(linkTo({ ...path(), turns: [] }, 0, {}, { board: playable }), t("link-copied"), t("link-below")));
  byId("editor-close").addEventListener("click", close);
  controller.addEventListener("game", close);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && !document.querySelector("dialog[open]") && close());
  byId("editor-analyse").addEventListener("click", analyse);
  byId("editor-play").addEventListener("click", play);
  const { pointer, points } = board;
  points.addEventListener("press", ({ detail }) => press(detail));
  pointer.addEventListener("press", ({ detail }) => detail.point && press(detail.point));
  pointer.addEventListener("arrow", ({ detail: { from, to } }) => from === to && place(to, ""));
  pointer.addEventListener("drop", ({ detail }) => detail.cancelled || change({ points: move(setting().points, detail.from, detail.point) }));
  root.addEventListener("keydown", (event) => key(event));

  return { open };
}

/** A list of the form. @param {string} name @returns {HTMLSelectElement} */
function field(name) {
  return /** @type {any} */ (byId("editor-form").elements.namedItem(name));
}

// The position being set up, with its history.

/** The pieces that can be put on a point, and their keys. */
const TOOLS = [
  { letter: "W", name: "white-ring", key: "1" },
  { letter: "B", name: "black-ring", key: "2" },
  { letter: "w", name: "white-marker", key: "3" },
  { letter: "b", name: "black-marker", key: "4" },
  { letter: "", name: "erase", key: "5" },
];

// The number of positions that are kept.
const MOST_KEPT = 200;

/**
 * @typedef {Object} Setting
 * @property {Object<string, string>} points letters by point: W, B rings; w, b markers
 * @property {[number, number]} removed rings won by White and by Black
 * @property {"w"|"b"} side
 * @property {"standard"|"blitz"} rules
 */

/** Before a position was imported or changed. @type {Setting} */
export const EMPTY = { points: {}, removed: [0, 0], side: "w", rules: "standard" };

/**
 * The positions after a change, the current one last. If nothing changes, they are the same.
 * @param {Setting[]} positions
 * @param {Partial<Setting>} changes
 */
export function changed(positions, changes) {
  const now = positions.at(-1);
  const next = { ...now, ...changes };
  return JSON.stringify(next) === JSON.stringify(now) ? positions : [...positions, next].slice(-MOST_KEPT);
}

/**
 * The pieces with another one on a point.
 * @param {Setting["points"]} points
 * @param {string} point
 * @param {string} letter empty to remove
 */
export function put(points, point, letter) {
  const { [point]: _, ...others } = points;
  return letter ? { ...others, [point]: letter } : others;
}

/**
 * The pieces after one is moved to another point, or off the board.
 * @param {Setting["points"]} points
 * @param {string} from
 * @param {string|null} to
 */
export function move(points, from, to) {
  const { [from]: letter, ...others } = points;
  if (!letter || from === to) return points;
  return to ? put(others, to, letter) : others;
}

/** A position of a game as a setting. @param {import("../../../../../position/drawing/rules.js").View} view @returns {Setting} */
function settingOf({ points, removed, side, rules }) {
  return { points, removed, side, rules };
}
