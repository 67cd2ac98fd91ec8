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
export function showRules({ state }) {
  state.whenChanged(() => {
    if (!state.game) return;
    const { rules, players } = state.game;
    document.documentElement.dataset.rules = rules;
    setText(byId("variant"), rules === "blitz" ? t("on-gyre-blitz") : "");
    const persons = ["w", "b"].filter((side) => players[side].kind === "person");
    const you = [() => t("rules-watch"), () => t("rules-you-are", { side: persons[0] }), () => t("rules-both")];
    setText(byId("how-side"), you[persons.length]());
  });
}

// The dialog for a new game.

const FULL_MOVE_MS = 3000;

/** @returns {import("../game/game.js").Player} */
const enginePlayer = (engine, level) => ({ kind: "engine", engine, level });

/**
 * Asks who plays and by which rules, and creates the game.
 * @param {import("../_types/page").Page} page
 */
export function newGameOf({ state, controller, link, parts }) {
  const form = byId("new-dialog").querySelector("form");
  /** @type {NodeListOf<HTMLElement>} */
  const all = form.querySelectorAll("[data-for]");
  // A field of the form: an input, a list, or a group of radio buttons.
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const names = () => link.hello.engines.map(({ name }) => name);

  const engineFields = (side, last) => {
    const { levels } = link.hello;
    const options = levels.map(({ name, elo }) => html("option", { value: name }, elo ? t("level-choice", { level: levelName(name), elo: String(elo) }) : levelName(name)));
    const engine = html("select", { name: `engine-${side}`, "aria-label": t("engine-of", { side }), "data-testid": `new-engine-${side}` }, ...names().map((name) => html("option", {}, name)));
    const level = html("select", { name: `level-${side}`, "aria-label": t("level-of", { side }), "data-testid": `new-level-${side}` }, ...options);
    if (names().includes(last[engine.name])) engine.value = last[engine.name];
    if (levels.some(({ name }) => name === last[level.name])) level.value = last[level.name];
    return html("fieldset", { className: "level", "data-side": side },
      html("legend", {}), html("div", { className: "options" }, engine, level), html("p", { className: "fine" }));
  };

  const draw = () => {
    const who = field("who").value;
    for (const fields of all) fields.hidden = !fields.dataset.for.split(" ").includes(who);
    field("here").closest("label").hidden = who === "room" || !state.game?.begun;
    field("clock").closest("label").hidden = who === "link";
    for (const fields of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-side]"))) {
      const { side } = fields.dataset;
      // A game against one engine has one choice, whichever side the engine plays.
      fields.hidden = !who.startsWith("engine") || (who === "engine" && side !== "b");
      fields.querySelector("legend").textContent = who === "engine" ? t("new-against") : sideName(side);
      const level = field(`level-${side}`).value;
      const { elo } = link.hello.levels.find(({ name }) => name === level) ?? { elo: 0 };
      fields.querySelector("p").textContent = [aboutLevel(level), elo && t("level-elo", { elo: String(elo) })].filter(Boolean).join(" ");
      field(`engine-${side}`).hidden = names().length < 2;
    }
  };

  const offer = () => {
    const { rooms } = link.hello;
    byId("new-game").disabled = false;
    const last = settings().newGame ?? {};
    byId("new-engines").replaceChildren(...["w", "b"].map((side) => engineFields(side, last)));
    for (const name of ["who", "side", "rules", "clock"]) if (last[name] !== undefined) field(name).value = last[name];
    field("name").value = settings().name ?? "";
    const room = byId("new-room");
    room.hidden = !rooms;
    if (!rooms && room.querySelector("input").checked) field("who").value = "link";
    draw();
  };

  const start = () => {
    const fields = /** @type {Object<string, any>} */ (Object.fromEntries(new FormData(form)));
    const { here, name: typed, ...kept } = fields;
    const name = typed.trim();
    saveSettings({ newGame: kept, name });
    byId("new-dialog").close();
    const { who, rules } = fields;
    const side = fields.side === "random" ? (Math.random() < 0.5 ? "w" : "b") : fields.side;
    const [base, inc] = fields.clock.split("+").map(Number);
    const clock = fields.clock ? { base: base * 60000, inc: inc * 1000 } : null;
    const start = here ? state.view.position : "startpos";
    if (who === "link" || who === "room") return parts.open("remote", { do: "begin", by: who, side, rules, clock, start, name });
    const engine = (side) => enginePlayer(fields[`engine-${side}`], fields[`level-${side}`]);
    /** @type {{w: import("../game/game.js").Player, b: import("../game/game.js").Player}} */
    let players = { w: { kind: "person" }, b: { kind: "person" } };
    if (who === "engines") players = { w: engine("w"), b: engine("b") };
    if (who === "engine") players = side === "w" ? { ...players, b: engine("b") } : { ...players, w: engine("b") };
    return controller.open(new Game({ rules, players, clock, start, moveTime: FULL_MOVE_MS }));
  };

  for (const option of /** @type {NodeListOf<HTMLOptionElement>} */ (form.querySelectorAll("[name=clock] option"))) {
    const [minutes, seconds] = option.value.split("+").map(Number);
    option.textContent = minutes ? t("clock-choice", { minutes, seconds }) : t("clock-none");
  }
  link.addEventListener("open", offer);
  byId("new-game").addEventListener("click", () => {
    field("here").checked = false;
    draw();
    openDialog("new-dialog");
  });
  form.addEventListener("change", draw);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  return {
    /** The game that a first-time visitor finds on the board. */
    first: () => new Game({ players: { w: { kind: "person" }, b: enginePlayer(names()[0], link.hello.levels[0]?.name) } }),
  };
}
