// The tab for engine matches: starting one, and the stored ones with their score, strength
// estimate and games. The board shows the running game. The tab can be closed while a match runs.

import { byId, html, markup, setText } from "../../dom.js";
import { saveSettings, settings } from "../../game/settings.js";
import { pointsText } from "../../scores.js";
import { attemptIn, openStored } from "../games/gamelist.js";
import { liveGame } from "./live.js";
import { KEY, MatchRunner, eloChart, forgetMatch, gameId, keepMatch, limitText, matches, nameOf, newMatch, pointsOf, scoreText, sidesOf, titleOf } from "./matches.js";
import { levelName } from "../../game/words.js";
import { language, numberText, percent, t } from "../../language.js";

const TAB = `<button role="tab" id="tab-match" aria-controls="panel-match" data-tab="match" data-l10n="match-match"></button>`;

const PANEL = `
<div id="panel-match" class="panel match" role="tabpanel" aria-labelledby="tab-match" data-testid="match" hidden>
  <div class="panel-head"><h2 id="match-title" data-l10n="match-title"></h2><select id="match-of" data-testid="match-of" data-l10n="match-choice"></select>
    <button id="match-start" class="main" form="match-form" data-testid="match-start" data-l10n="new-start"></button><button id="match-stop" data-testid="match-stop" data-l10n="stop"></button><button id="match-go" class="main" data-testid="match-go" data-l10n="play-on"></button>
    <button id="match-close" data-testid="match-close" data-l10n="close"></button></div>
  <div id="match-new" class="instead"></div>
  <section id="match-shown" aria-labelledby="tab-match" hidden>
    <p class="match-score"><span id="match-first"></span> <b id="match-points" data-testid="match-points"></b> <span id="match-second"></span></p>
    <progress id="match-bar" max="1" value="0" data-l10n="match-progress"></progress>
    <div id="match-games" class="match-games" role="group" data-testid="match-games" data-l10n="match-games"></div>
    <p id="match-said" class="fine" role="status" data-testid="match-said"></p>
    <p id="match-elo" data-testid="match-elo"></p>
    <p id="match-counts" data-testid="match-counts"></p>
    <table id="match-pairs" class="match-pairs" data-testid="match-pairs"></table>
    <div id="match-course"></div>
    <div class="buttons left"><button id="match-forget" data-testid="match-forget" data-l10n="match-delete"></button></div>
  </section>
</div>`;

/** The number of last games with buttons. */
const MOST_GAMES = 400;

/** The values of result letters for the first player, and their signs, as in tables of tournaments: a number would read as a score. */
const LETTERS = { w: ["won", "+"], d: ["drawn", "="], l: ["lost", "−"] };

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  byId("tabs").append(markup(TAB));
  byId("panel-turns").before(markup(PANEL));
  const { controller, link, notices, state, tabs } = page;
  /** The game that was open before one of a match. @type {import("../../game/game.js").Game|null} */
  let earlier = null;
  /** The points of the match next to the players' names, by side. */
  const pointsShown = { w: pointsNextTo("w"), b: pointsNextTo("b") };
  /** The chip of the running game. */
  const liveChip = html("button", { className: "main", "data-testid": "match-live", onclick: () => live.watch() });
  /** @type {import("./matches.js").Match|null} */
  let current = null;
  /** What the chart and the games were drawn for. */
  let drawnFor = "";
  let latest = 0;

  const select = byId("match-of");

  /** Shows the tab, in place of Learn, with the running match or the one viewed last. */
  const open = () => {
    const { hello } = link;
    notices.remove("match");
    if (!hello) throw new Error(t("engine-not-ready"));
    offerPlayers(hello);
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    if (!onBoard()) earlier = state.game;
    tabs.offer("learn", false);
    tabs.offer("match", true);
    tabs.show("match");
    byId("tab-match").focus();
    show(runner.match ?? matches().find(({ id }) => id === current?.id) ?? null);
  };

  // Shows the game that was open before. A running match continues.
  const close = async () => {
    if (onBoard() && earlier && !(await controller.open(earlier))) return;
    tabs.offer("match", false);
    tabs.offer("learn", true);
    byId("new-game").focus();
  };

  // The number of the game on the board, from 1, if it is of the shown match; else 0.
  const onBoard = () => {
    const { game } = state;
    const { id } = current ?? {};
    return id && game?.id.startsWith(`${id}-`) ? Number.parseInt(game.id.slice(id.length + 1), 10) : 0;
  };

  const start = (match) => {
    show(match);
    live.watch();
    attemptIn("match-said", async () => {
      const standing = await link.ask("standing", { results: match.results });
      runner.play(match, standing);
      byId("match-stop").focus();
    });
  };

  const forget = () => {
    attemptIn("match-said", () => {
      const match = current;
      forgetMatch(match.id);
      notices.offerUndo(t("match-deleted", { match: titleOf(match) }), () => keepMatch(match), (reason) => t("match-not-restored", { match: titleOf(match), reason }));
      show(null);
      byId("match-close").focus();
    });
  };

  // Another tab may have continued or deleted a match. For a match running here, this tab
  // has the latest state.
  const renew = () => {
    const shown = current;
    if (shown && shown === runner.match) offer(shown);
    else show(matches().find(({ id }) => id === shown?.id) ?? null);
  };

  // For the running match, its live object is shown.
  const show = (match) => {
    current = match && match.id === runner.match?.id ? runner.match : match;
    offer(match);
    setText(byId("match-said"), "");
    draw();
    if (!match || current === runner.match) return;
    const asked = ++latest;
    attemptIn("match-said", async () => {
      const standing = await link.ask("standing", { results: match.results });
      if (asked === latest && current === match) {
        drawStanding(match, standing);
        drawChips();
      }
    });
  };

  // Keep an open list open if it is for the same match.
  const offer = (match) => {
    const kept = matches();
    if (match && !kept.some(({ id }) => id === match.id)) kept.unshift(match);
    const offered = ["", ...kept.map(({ id }) => id)];
    if (String(offered) !== String([...select.options].map(({ value }) => value))) {
      const options = kept.map((one) => html("option", { value: one.id }, `${titleOf(one)}, ${new Date(one.created).toLocaleDateString(language)}`));
      select.replaceChildren(html("option", { value: "" }, t("match-new")), ...options);
    }
    select.hidden = kept.length === 0;
    byId("match-title").hidden = kept.length > 0;
    select.value = match?.id ?? "";
  };

  const draw = () => {
    const match = current;
    byId("match-new").hidden = match !== null;
    byId("match-shown").hidden = match === null;
    const { match: played, standing } = runner;
    const runs = match !== null && match === played;
    const left = match !== null && match.results.length < match.games;
    byId("match-forget").hidden = match === null || runs;
    byId("match-start").hidden = match !== null;
    byId("match-stop").hidden = !runs;
    byId("match-go").hidden = runs || !left;
    byId("match-start").disabled = byId("match-go").disabled = played !== null;
    setText(byId("match-busy"), played ? t("match-busy", { match: titleOf(played) }) : "");
    drawPoints();
    if (!match) return;
    byId("match-bar").value = match.results.length / match.games;
    if (runs && standing) drawStanding(match, standing);
    drawChips();
  };

  // The chip of a running game comes last. Its turns are not announced: they change too often.
  const drawChips = () => {
    const match = current;
    const { match: played, game } = runner;
    const next = match.results.length + 1;
    const running = match === played && next <= match.games ? next : 0;
    const root = byId("match-games");
    const shown = onBoard();
    if (running) {
      setText(liveChip, `${running} …`);
      liveChip.title = t("match-game-turn", { number: running, count: match.games, turn: game.number === running ? game.turns.length : 0 });
      if (liveChip !== root.lastElementChild) root.append(liveChip);
    } else {
      liveChip.remove();
    }
    const before = root.querySelector("[aria-current]");
    /** @type {HTMLElement|null} */
    const chip = live.shown() && shown === running ? liveChip : root.querySelector(`[data-number="${shown}"]`);
    if (chip === before) return;
    before?.removeAttribute("aria-current");
    chip?.setAttribute("aria-current", "true");
    if (chip) root.scrollTop = chip.offsetTop - root.offsetTop;
  };

  // Next to the names: games alternate the colors.
  const drawPoints = () => {
    const number = onBoard();
    const points = number ? pointsOf(current.results) : [];
    sidesOf(number).forEach((side, i) => {
      const root = pointsShown[side];
      root.hidden = !number;
      if (!number) return;
      setText(root.firstElementChild, t("match-points", { points: pointsText(points[i]) }));
      setText(root.lastElementChild, pointsText(points[i]));
    });
  };

  /**
   * @param {import("./matches.js").Match} match
   * @param {import("../../_types/messages").Standing} standing
  */
  const drawStanding = (match, { wins, draws, losses, pairs, elo, superiority, course }) => {
    const now = match.id + match.results;
    if (drawnFor === now) return;
    drawGames(match);
    drawnFor = now;
    const names = match.players.map(nameOf);
    const differ = names[0] !== names[1];
    ["match-first", "match-second"].forEach((id, i) => setText(byId(id), differ ? names[i] : `${names[i]} ${i + 1}`));
    setText(byId("match-points"), scoreText(match.results));
    setText(byId("match-counts"), t("match-counts", { wins, draws, losses, count: match.games, limit: limitText(match.limits) }));
    byId("match-pairs").replaceChildren(
      html("caption", {}, t("match-pairs")),
      html("thead", {}, html("tr", {}, ...pairs.map((_, i) => html("th", { scope: "col" }, pointsText(i / 2))))),
      html("tbody", {}, html("tr", {}, ...pairs.map((count) => html("td", {}, numberText(count))))));
    const better = superiority === null ? "" : t("match-superiority", { share: chanceText(superiority) });
    setText(byId("match-elo"), elo ? `${eloText(elo)} ${better}`.trim() : t("match-no-elo"));
    const chart = eloChart(course);
    byId("match-course").replaceChildren(...(chart ? [chart] : []));
  };

  // Append new games, so that existing ones keep the focus.
  const drawGames = ({ id, results }) => {
    const root = byId("match-games");
    const goesOn = drawnFor !== "" && (id + results).startsWith(drawnFor);
    if (!goesOn) root.replaceChildren();
    const from = goesOn ? drawnFor.length - id.length : Math.max(0, results.length - MOST_GAMES);
    const chip = liveChip.parentElement ? liveChip : null;
    [...results].slice(from).forEach((letter, i) => root.insertBefore(button(id, from + i + 1, letter), chip));
    while (root.childElementCount > MOST_GAMES) root.firstElementChild.remove();
  };

  const button = (id, number, letter) => {
    const [word, sign] = LETTERS[letter];
    const [side] = sidesOf(number);
    const onclick = () => attemptIn("match-said", () => openStored(page, gameId({ id }, number)));
    const text = `${number} ${sign}`;
    const title = t("match-open-game", { score: String(number), result: t(`game-${word}`), side });
    return html("button", { "data-result": word, "data-number": number, title, "data-testid": "match-game", onclick }, text);
  };

  /** @param {{match: import("./matches.js").Match, why: string}} how */
  const ended = ({ match, why }) => {
    draw();
    const over = match.results.length >= match.games;
    const said = why ? t("match-failed", { reason: why }) : over ? t("match-over", { score: scoreText(match.results) }) : t("match-stopped");
    if (match === current) setText(byId("match-said"), said);
    if (byId("panel-match").hidden) notices.show("match", said, { mild: true, action: [t("show-better"), () => open()] });
  };

  const runner = new MatchRunner(page);
  const live = liveGame(page, runner);
  addForm(byId("match-new"), (match) => start(match));
  runner.addEventListener("change", draw);
  runner.addEventListener("end", ({ detail }) => ended(detail));
  byId("match-of").addEventListener("change", () => show(matches().find(({ id }) => id === select.value) ?? null));
  byId("match-stop").addEventListener("click", () => runner.stop());
  byId("match-go").addEventListener("click", () => start(current));
  byId("match-forget").addEventListener("click", forget);
  byId("match-close").addEventListener("click", close);
  addEventListener("storage", ({ key }) => key === KEY && !byId("panel-match").hidden && renew());
  controller.addEventListener("game", draw);

  return { open };
}

// The points of a player in the match, next to the player's name.
function pointsNextTo(side) {
  const root = html("p", { className: "match-points", "data-testid": `match-points-${side}`, hidden: true }, html("span", { className: "unseen" }), html("b", { "aria-hidden": "true" }));
  byId(`player-${side}`).append(root);
  return root;
}

// A probability in percent, never 0 or 100: no number of games makes certain.
function chanceText(percent) {
  const share = numberText(Math.max(0.1, Math.min(99.9, percent)) / 100, { style: "percent", maximumFractionDigits: 1 });
  if (percent < 0.1) return t("less-than", { share });
  return percent > 99.9 ? t("more-than", { share }) : share;
}

// An Elo difference with its bounds. Without a bound, it is infinite.
function eloText({ value, low, high }) {
  const signed = (number, infinite) => (number === null ? infinite : numberText(number, { signDisplay: "exceptZero", maximumFractionDigits: 0 }).replace("-", "−"));
  return t("match-elo", { elo: signed(value, low === null ? "−∞" : "+∞"), low: signed(low, "−∞"), high: signed(high, "+∞"), share: percent(0.95) });
}

// The form for a new match: players, rules, time per turn and number of games.

const FORM = `
<form id="match-form" data-testid="match-form">
  <div id="match-players" class="match-players"></div>
  <div class="row">
    <label><span data-l10n="new-rules"></span> <select name="rules" data-testid="match-rules"><option value="standard" data-l10n="editor-standard"><option value="blitz" data-l10n="editor-blitz"></select></label>
    <label><span data-l10n="match-limit"></span> <select name="limits" data-testid="match-limits">
      <option value='{"nodes":1000}'><option value='{"nodes":10000}'><option value='{"nodes":100000}'>
      <option value='{"movetime":100}' selected><option value='{"movetime":500}'><option value='{"movetime":1000}'><option value='{"movetime":3000}'></select></label>
    <label><span data-l10n="games"></span> <input name="games" type="number" min="2" max="2000" step="2" value="20" required data-testid="match-games"></label>
  </div>
  <p class="fine" data-l10n="match-about"></p>
  <p id="match-busy" class="fine"></p>
</form>`;

/** The names of the player fields. */
const PLAYERS = [t("first-player"), t("second-player")];

/**
 * Creates the form in an element.
 * @param {HTMLElement} root
 * @param {(match: import("./matches.js").Match) => void} start
 */
function addForm(root, start) {
  root.append(markup(FORM));
  const form = byId("match-form");
  for (const option of /** @type {NodeListOf<HTMLOptionElement>} */ (form.querySelectorAll("[name=limits] option"))) option.text = limitText(JSON.parse(option.value));
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
    choose(field, last[name]);
    return field;
  };
  const full = levels.findLast(({ elo }) => !elo)?.name;
  // Two different players at first: an engine against itself shows little.
  const second = engines.length > 1 ? full : levels.findLast(({ elo }) => elo)?.name;
  byId("match-players").replaceChildren(...PLAYERS.map((label, i) => html("fieldset", {}, html("legend", {}, label),
    engines.length > 1 && select(`engine${i}`, t("player-engine", { player: label }), engines.map(({ name }, n) => html("option", { selected: n === i }, name))),
    engines.length < 2 && html("input", { type: "hidden", name: `engine${i}`, value: engines[0]?.name ?? "" }),
    select(`level${i}`, t("player-level", { player: label }), levels.map(({ name, elo }) => html("option", { value: name === full ? "" : name, selected: name === (i ? second : full) }, elo ? t("level-choice", { level: levelName(name), elo: String(elo) }) : levelName(name)))))));
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
