// The dialog for engine matches: starting one, and the stored ones with their score,
// strength estimate and games. It can be closed while a match runs.

import { byId, html, markup, setText } from "../../dom.js";
import { saveSettings, settings } from "../../game/settings.js";
import { openDialog } from "../../panels/dialogs.js";
import { attempt, openStored } from "../games/gamelist.js";
import { KEY, MatchRunner, eloChart, forgetMatch, gameId, keepMatch, limitText, matches, nameOf, newMatch, scoreText, sidesOf, titleOf } from "./matches.js";

const DIALOG = `
<dialog id="match-dialog" aria-labelledby="match-title" data-testid="match-dialog">
  <h2 id="match-title">Match of engines</h2>
  <p><label>Match <select id="match-of" data-testid="match-of"></select></label></p>
  <div id="match-new"></div>
  <section id="match-shown" aria-label="The match" hidden>
    <p class="match-score"><span id="match-first"></span> <b id="match-points" data-testid="match-points"></b> <span id="match-second"></span></p>
    <p id="match-counts" data-testid="match-counts"></p>
    <p id="match-elo" data-testid="match-elo"></p>
    <div id="match-course"></div>
    <div class="review-progress"><progress id="match-bar" max="1" value="0" aria-label="Progress of the match"></progress>
      <button id="match-stop" data-testid="match-stop">Stop</button><button id="match-go" class="main" data-testid="match-go">Go on</button></div>
    <p id="match-progress" class="fine" data-testid="match-progress"></p>
    <p id="match-said" class="fine" role="status" data-testid="match-said"></p>
    <h3 id="match-games-title">Games</h3>
    <div id="match-games" class="match-games" role="group" aria-labelledby="match-games-title" data-testid="match-games"></div>
  </section>
  <div class="buttons"><button id="match-forget" data-testid="match-forget">Forget this match</button><button type="button" data-close>Close</button></div>
</dialog>`;

/** The number of last games with buttons. */
const MOST_GAMES = 400;

/** The values of result letters for the first player, and their signs. */
const LETTERS = { w: ["won", "1"], d: ["drawn", "½"], l: ["lost", "0"] };

/**
 * Creates the dialog.
 * @param {import("../../_types/page").Page} page
 */
export function begin(page) {
  document.body.append(markup(DIALOG));
  const matching = new MatchDialog(page);
  return { open: () => matching.open() };
}

// A probability in percent, never 0 or 100: no number of games makes certain.
function chanceText(percent) {
  if (percent < 0.1) return "less than 0.1 %";
  return percent > 99.9 ? "more than 99.9 %" : `${percent} %`;
}

// An Elo difference with its bounds, if any.
function eloText(elo) {
  const text = elo.replace("+-", "±").replaceAll("-", "−");
  return /\d/.test(text) ? `${text}, with 95 % confidence` : text;
}

class MatchDialog {
  #page;
  #running;
  /** @type {import("./matches.js").Match|null} */
  #shown = null;
  /** What the chart and the games were drawn for. */
  #drawn = "";
  #asked = 0;

  /** @param {import("../../_types/page").Page} page */
  constructor(page) {
    this.#page = page;
    this.#running = new MatchRunner(page.searches);
    addForm(byId("match-new"), (match) => this.#start(match));
    this.#running.addEventListener("change", () => this.#draw());
    this.#running.addEventListener("end", ({ detail }) => this.#ended(detail));
    byId("match-of").addEventListener("change", () => this.#show(matches().find(({ id }) => id === this.#select.value) ?? null));
    byId("match-stop").addEventListener("click", () => this.#running.stop());
    byId("match-go").addEventListener("click", () => this.#start(this.#shown));
    byId("match-forget").addEventListener("click", () => this.#forget());
    addEventListener("storage", ({ key }) => key === KEY && byId("match-dialog").open && this.#renew());
  }

  get #select() {
    return /** @type {HTMLSelectElement} */ (byId("match-of"));
  }

  /** Opens the dialog with the running match, or the one viewed last. */
  open() {
    this.#page.notices.remove("match");
    /** @type {HTMLDialogElement} */ (byId("new-dialog")).close();
    const { hello } = this.#page.link;
    if (!hello) throw new Error("the engine is not there yet");
    offerPlayers(hello);
    openDialog("match-dialog");
    this.#show(this.#running.match ?? matches().find(({ id }) => id === this.#shown?.id) ?? null);
  }

  #start(match) {
    this.#show(match);
    attempt("match-said", async () => {
      const standing = await this.#page.link.ask("standing", { results: match.results });
      this.#running.play(match, standing);
      byId("match-stop").focus();
    });
  }

  #forget() {
    attempt("match-said", () => {
      const match = this.#shown;
      forgetMatch(match.id);
      this.#offerUndo(`The match ${titleOf(match)} is forgotten.`, match);
      this.#show(null);
      this.#select.focus();
    });
  }

  #offerUndo(text, match) {
    this.#page.controller.offerUndo(text, () => {
      try {
        keepMatch(match);
      } catch (error) {
        this.#offerUndo(`The match ${titleOf(match)} cannot be brought back now: ${error.message}.`, match);
      }
    });
  }

  // Another tab may have continued or deleted a match. For a match running here, this tab
  // has the latest state.
  #renew() {
    const shown = this.#shown;
    if (shown && shown === this.#running.match) this.#offer(shown);
    else this.#show(matches().find(({ id }) => id === shown?.id) ?? null);
  }

  // For the running match, its live object is shown.
  #show(match) {
    this.#shown = match && match.id === this.#running.match?.id ? this.#running.match : match;
    this.#offer(match);
    setText(byId("match-said"), "");
    this.#draw();
    if (!match || this.#shown === this.#running.match) return;
    const asked = ++this.#asked;
    attempt("match-said", async () => {
      const standing = await this.#page.link.ask("standing", { results: match.results });
      if (asked === this.#asked && this.#shown === match) this.#drawStanding(match, standing);
    });
  }

  // Keep an open list open if it is for the same match.
  #offer(match) {
    const kept = matches();
    if (match && !kept.some(({ id }) => id === match.id)) kept.unshift(match);
    const offered = ["", ...kept.map(({ id }) => id)];
    if (String(offered) !== String([...this.#select.options].map(({ value }) => value))) {
      const options = kept.map((one) => html("option", { value: one.id }, `${titleOf(one)}, ${new Date(one.created).toLocaleDateString()}`));
      this.#select.replaceChildren(html("option", { value: "" }, "New match"), ...options);
    }
    this.#select.value = match?.id ?? "";
  }

  #draw() {
    const match = this.#shown;
    byId("match-new").hidden = match !== null;
    byId("match-shown").hidden = match === null;
    const { match: played, game, turns, standing } = this.#running;
    const runs = match !== null && match === played;
    byId("match-forget").hidden = match === null || runs;
    /** @type {HTMLButtonElement} */ (byId("match-start")).disabled = played !== null;
    setText(byId("match-busy"), played ? `One match at a time: ${titleOf(played)} is being played.` : "");
    if (!match) return;
    const left = match.results.length < match.games;
    byId("match-stop").hidden = !runs;
    byId("match-go").hidden = runs || !left;
    /** @type {HTMLButtonElement} */ (byId("match-go")).disabled = played !== null;
    byId("match-bar").value = match.results.length / match.games;
    // Not announced: it changes too often.
    setText(byId("match-progress"), runs && game <= match.games ? `Game ${game} of ${match.games}${turns ? `, turn ${turns}` : ""}. This may be closed, and the tab hidden, meanwhile.` : "");
    if (runs && standing) this.#drawStanding(match, standing);
  }

  /**
   * @param {import("./matches.js").Match} match
   * @param {import("../../_types/messages").Standing} standing
  */
  #drawStanding(match, { wins, draws, losses, pairs, elo, superiority, course }) {
    const now = match.id + match.results;
    if (this.#drawn === now) return;
    this.#drawGames(match);
    this.#drawn = now;
    setText(byId("match-first"), nameOf(match.players[0]));
    setText(byId("match-second"), nameOf(match.players[1]));
    setText(byId("match-points"), scoreText(match.results));
    setText(byId("match-counts"), `Won ${wins}, drawn ${draws}, lost ${losses}, of ${match.games} games at ${limitText(match.limits)}. Pairs with 0, ½, 1, 1½, 2 points: ${pairs.join(", ")}.`);
    const better = superiority === null ? "" : ` The first is the stronger one with a chance of ${chanceText(superiority)}.`;
    setText(byId("match-elo"), elo ? `Elo of the first: ${eloText(elo)}.${better}` : "What it says of the strength comes with the first pair.");
    const chart = eloChart(course);
    byId("match-course").replaceChildren(...(chart ? [chart] : []));
  }

  // Append new games, so that existing ones keep the focus.
  #drawGames({ id, results }) {
    const root = byId("match-games");
    const goesOn = this.#drawn !== "" && (id + results).startsWith(this.#drawn);
    if (!goesOn) root.replaceChildren();
    const from = goesOn ? this.#drawn.length - id.length : Math.max(0, results.length - MOST_GAMES);
    root.append(...[...results].slice(from).map((letter, i) => this.#button(id, from + i + 1, letter)));
    while (root.childElementCount > MOST_GAMES) root.firstElementChild.remove();
  }

  #button(id, number, letter) {
    const [word, sign] = LETTERS[letter];
    const [side] = sidesOf(number);
    const onclick = () => attempt("match-said", () => openStored(this.#page.controller, gameId({ id }, number)));
    const text = `${number}: ${sign}`;
    const label = `${text}, ${word} with ${side}. Open the game`;
    return html("button", { "data-result": word, "aria-label": label, title: label, "data-testid": "match-game", onclick }, text);
  }

  /** @param {{match: import("./matches.js").Match, why: string}} how */
  #ended({ match, why }) {
    this.#draw();
    const over = match.results.length >= match.games;
    const said = why ? `The match has stopped: ${why}.` : over ? `The match is over: ${scoreText(match.results)}.` : "The match is stopped. It can go on at any time.";
    if (match === this.#shown) setText(byId("match-said"), said);
    if (!byId("match-dialog").open) this.#page.notices.show("match", said, { mild: true, action: ["Show", () => this.open()] });
  }
}

// The form for a new match: players, rules, time per turn and number of games.

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

/** The names of the player fields. */
const PLAYERS = ["First player", "Second player"];

/**
 * Creates the form in an element.
 * @param {HTMLElement} root
 * @param {(match: import("./matches.js").Match) => void} start
 */
function addForm(root, start) {
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
 * Lists the available players.
 * @param {import("../../_types/messages").Greeting} hello
 */
function offerPlayers({ engines, levels }) {
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

// The last choice may no longer exist.
function choose(field, wanted) {
  if ([...field.options].some(({ value }) => value === wanted)) field.value = wanted;
}

/**
 * The match that the form describes.
 * @param {Object<string, string>} fields
 */
function matchOf({ engine0, level0, engine1, level1, rules, limits, games }) {
  return newMatch({
    players: [{ engine: engine0, level: level0 }, { engine: engine1, level: level1 }],
    rules: rules === "blitz" ? "blitz" : "standard",
    limits: JSON.parse(limits),
    games: Number(games),
  });
}
