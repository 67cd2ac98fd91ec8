// The form for a new match: who plays, by which rules, how long for a turn, how many games.

import { byId, html, markup } from "../../dom.js";
import { saveSettings, settings } from "../../game/settings.js";
import { newMatch } from "./kept.js";

const FORM = `
<form id="match-form" data-testid="match-form">
  <div id="match-players" class="match-players"></div>
  <div class="row">
    <label>Rules <select name="rules" data-testid="match-rules"><option value="standard">Standard<option value="blitz">Blitz</select></label>
    <label>Each turn <select name="limits" data-testid="match-limits">
      <option value='{"nodes":1000}'>1,000 positions<option value='{"nodes":10000}'>10,000 positions<option value='{"nodes":100000}'>100,000 positions
      <option value='{"movetime":100}' selected>0.1 s<option value='{"movetime":500}'>0.5 s<option value='{"movetime":1000}'>1 s<option value='{"movetime":3000}'>3 s</select></label>
    <label>Games <input name="games" type="number" min="2" max="2000" step="2" value="20" required data-testid="match-games"></label>
  </div>
  <p class="fine">Games come in pairs: each opening is played twice, with colours reversed. A level plays at its own strength within the limit.</p>
  <div class="buttons left"><button id="match-start" class="main" data-testid="match-start">Start the match</button></div>
  <p id="match-busy" class="fine"></p>
</form>`;

/** The names of the players. */
const PLAYERS = ["First player", "Second player"];

/**
 * Makes the form in an element.
 * @param {HTMLElement} root
 * @param {(match: import("./kept.js").Match) => void} start
 */
export function addForm(root, start) {
  root.append(markup(FORM));
  const form = byId("match-form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = /** @type {Object<string, string>} */ (Object.fromEntries(new FormData(form)));
    saveSettings({ match: fields });
    start(matchOf(fields));
  });
}

/**
 * Offers what there is to play with.
 * @param {import("../../_types/messages").Greeting} hello
 */
export function offerPlayers({ engines, levels }) {
  const last = settings().match ?? {};
  const select = (name, label, options) => {
    const field = html("select", { name, "aria-label": label, "data-testid": `match-${name}` }, ...options);
    choose(field, last[name] ?? "");
    return field;
  };
  const full = levels.findLast(({ elo }) => !elo)?.name;
  byId("match-players").replaceChildren(...PLAYERS.map((label, i) => html("fieldset", {}, html("legend", {}, label),
    engines.length > 1 && select(`engine${i}`, `${label}: engine`, engines.map(({ name }) => html("option", {}, name))),
    engines.length < 2 && html("input", { type: "hidden", name: `engine${i}`, value: engines[0]?.name ?? "" }),
    select(`level${i}`, `${label}: level`, levels.map(({ name, elo }) => html("option", { value: name === full ? "" : name, selected: name === full }, elo ? `${name} (${elo})` : name))))));
  const form = byId("match-form");
  for (const name of ["rules", "limits"]) choose(/** @type {HTMLSelectElement} */ (form.elements.namedItem(name)), last[name]);
  if (last.games) /** @type {HTMLInputElement} */ (form.elements.namedItem("games")).value = last.games;
}

// What was chosen before may be no choice any more.
function choose(field, wanted) {
  if ([...field.options].some(({ value }) => value === wanted)) field.value = wanted;
}

/**
 * The match that the fields of the form tell of.
 * @param {Object<string, string>} fields
 */
export function matchOf({ engine0, level0, engine1, level1, rules, limits, games }) {
  return newMatch({
    players: [{ engine: engine0, level: level0 }, { engine: engine1, level: level1 }],
    rules: rules === "blitz" ? "blitz" : "standard",
    limits: JSON.parse(limits),
    games: Number(games),
  });
}
