// Dialogs use the browser's own <dialog>, which keeps the focus inside and restores it.
// Also the short rules next to the board.

import { byId, html, setText, targetOf } from "../dom.js";
import { Game } from "../game/game.js";
import { sideName, t } from "../language.js";
import { saveSettings, settings } from "../game/settings.js";
import { aboutLevel, levelName } from "../game/words.js";

/**
 * Opens a dialog.
 * @param {"new-dialog"|"games-dialog"|"settings-dialog"|"help-dialog"|"image-dialog"|"rating-dialog"|"reviews-dialog"|"share-dialog"} id
 */
export function openDialog(id) {
  const dialog = byId(id);
  if (dialog.open) return;
  dialog.showModal();
  // On a phone, a focused field would raise the keyboard over the dialog.
  const { type } = /** @type {HTMLInputElement} */ (document.activeElement);
  if (["text", "search", "number", "textarea"].includes(type) && matchMedia("(pointer: coarse)").matches) {
    const title = dialog.querySelector("h2");
    title.tabIndex = -1;
    title.focus();
  }
  // The browser scrolls to the focused element, which may be the last button.
  dialog.scrollTop = 0;
}

/** Whether a dialog is open, or something is shown instead of the game. */
export function dialogOpen() {
  return document.querySelector("dialog[open], [data-editing]") !== null;
}

/** Makes the close buttons of dialogs work, and clicks outside a dialog close it. */
export function prepareDialogs() {
  document.addEventListener("click", (event) => {
    const dialog = targetOf(event, "dialog");
    if (!(dialog instanceof HTMLDialogElement)) return;
    const box = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const beside = x < box.left || x > box.right || y < box.top || y > box.bottom;
    if (targetOf(event, "[data-close]") || (event.target === dialog && beside)) dialog.close();
  });
}

/**
 * Adapts the short rules and the name of the rules to the open game.
 * @param {import("../_types/page").Page} page
 */
export function drawRules({ state: { game } }) {
  if (!game) return;
  const { rules, players } = game;
  document.documentElement.dataset.rules = rules;
  setText(byId("variant"), rules === "blitz" ? t("on-gyre-blitz") : "");
  const persons = ["w", "b"].filter((side) => players[side].kind === "person");
  const you = [() => t("rules-watch"), () => t("rules-you-are", { side: persons[0] }), () => t("rules-both")];
  setText(byId("how-side"), you[persons.length]());
}

// The dialog for a new game.

const FULL_MOVE_MS = 3000;

/** Asks who plays and by which rules, and creates the game. */
export class NewGame {
  #page;
  #form = byId("new-dialog").querySelector("form");

  /** @param {import("../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    for (const option of this.#form.querySelectorAll("[name=clock] option")) {
      const [minutes, seconds] = /** @type {HTMLOptionElement} */ (option).value.split("+").map(Number);
      option.textContent = minutes ? t("clock-choice", { minutes, seconds }) : t("clock-none");
    }
    page.link.addEventListener("open", () => this.#offer());
    byId("new-game").addEventListener("click", () => this.open());
    this.#form.addEventListener("change", () => this.#draw());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
  }

  #offer() {
    const { rooms } = this.#page.link.hello;
    byId("new-game").disabled = false;
    const last = settings().newGame ?? {};
    byId("new-engines").replaceChildren(...["w", "b"].map((side) => this.#engineFields(side, last)));
    for (const name of ["who", "side", "rules", "clock"]) {
      if (last[name] === undefined) continue;
      this.#field(name).value = last[name];
    }
    this.#field("name").value = settings().name ?? "";
    const room = byId("new-room");
    room.hidden = !rooms;
    if (!rooms && room.querySelector("input").checked) this.#field("who").value = "link";
    this.#draw();
  }

  get #engines() {
    return this.#page.link.hello.engines.map(({ name }) => name);
  }

  get #levels() {
    return this.#page.link.hello.levels;
  }

  /** The game that a first-time visitor finds on the board. */
  first() {
    return new Game({ players: { w: { kind: "person" }, b: this.#engine(this.#engines[0], this.#levels[0]?.name) } });
  }

  /** Opens the dialog. */
  open() {
    this.#field("here").checked = false;
    this.#draw();
    openDialog("new-dialog");
  }

  #engineFields(side, last) {
    const names = this.#engines.map((name) => html("option", {}, name));
    const levels = this.#levels.map(({ name, elo }) => html("option", { value: name }, elo ? t("level-choice", { level: levelName(name), elo: String(elo) }) : levelName(name)));
    const engine = html("select", { name: `engine-${side}`, "aria-label": t("engine-of", { side }), "data-testid": `new-engine-${side}` }, ...names);
    const level = html("select", { name: `level-${side}`, "aria-label": t("level-of", { side }), "data-testid": `new-level-${side}` }, ...levels);
    if (this.#engines.includes(last[engine.name])) engine.value = last[engine.name];
    if (this.#levels.some(({ name }) => name === last[level.name])) level.value = last[level.name];
    return html("fieldset", { className: "level", "data-side": side },
      html("legend", {}), html("div", { className: "options" }, engine, level), html("p", { className: "fine" }));
  }

  #draw() {
    const who = this.#field("who");
    for (const fields of /** @type {NodeListOf<HTMLElement>} */ (this.#form.querySelectorAll("[data-for]"))) fields.hidden = !fields.dataset.for.split(" ").includes(who.value);
    this.#field("here").closest("label").hidden = who.value === "room" || !this.#page.state.game?.begun;
    this.#field("clock").closest("label").hidden = who.value === "link";
    for (const fields of /** @type {NodeListOf<HTMLElement>} */ (this.#form.querySelectorAll("[data-side]"))) {
      const mine = fields.dataset.side;
      // A game against one engine has one choice, whichever side the engine plays.
      fields.hidden = !who.value.startsWith("engine") || (who.value === "engine" && mine !== "b");
      fields.querySelector("legend").textContent = who.value === "engine" ? t("new-against") : sideName(mine);
      const level = this.#field(`level-${mine}`).value;
      const { elo } = this.#levels.find(({ name }) => name === level) ?? { elo: 0 };
      fields.querySelector("p").textContent = [aboutLevel(level), elo && t("level-elo", { elo: String(elo) })].filter(Boolean).join(" ");
      this.#field(`engine-${mine}`).hidden = this.#engines.length < 2;
    }
  }

  // A field of the form: an input, a list, or a group of radio buttons.
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }

  /** @returns {import("../game/game.js").Player} */
  #engine(engine, level) {
    return { kind: "engine", engine, level };
  }

  #start() {
    const fields = /** @type {Object<string, any>} */ (Object.fromEntries(new FormData(this.#form)));
    const { here, name, ...kept } = fields;
    saveSettings({ newGame: kept, name: name.trim() });
    byId("new-dialog").close();
    const side = fields.side === "random" ? (Math.random() < 0.5 ? "w" : "b") : fields.side;
    const [base, inc] = fields.clock.split("+").map(Number);
    const clock = fields.clock ? { base: base * 60000, inc: inc * 1000 } : null;
    const start = here ? this.#page.state.view.position : "startpos";
    if (fields.who === "link" || fields.who === "room") return this.#page.parts.open("remote", { do: "begin", by: fields.who, side, rules: fields.rules, clock, start, name: name.trim() });
    const engine = (side) => this.#engine(fields[`engine-${side}`], fields[`level-${side}`]);
    /** @type {{w: import("../game/game.js").Player, b: import("../game/game.js").Player}} */
    let players = { w: { kind: "person" }, b: { kind: "person" } };
    if (fields.who === "engines") players = { w: engine("w"), b: engine("b") };
    if (fields.who === "engine") {
      players = side === "w" ? { ...players, b: engine("b") } : { ...players, w: engine("b") };
    }
    this.#page.controller.open(new Game({ rules: fields.rules, players, clock, start, moveTime: FULL_MOVE_MS }));
  }
}
