// Analysis: one or more engines analyze the shown position while the panel is on. Their
// best turns are arrows on the board, their lines can be previewed, and the score fills
// the bar next to the board.

import { arrowsOf } from "../../../../position/drawing/marks.js";
import { byId, html, setAttribute, setText, show } from "../dom.js";
import { other } from "../game/game.js";
import { saveSettings, settings } from "../game/settings.js";
import { moveOf, turnName } from "../game/words.js";
import { percent, t } from "../language.js";
import { chance, forWhite, scoreText, scoreWords } from "../scores.js";
import { engineLines, settled } from "./enginelines.js";

const BEGIN_AFTER_MS = 70;

/**
 * The panel and its searches.
 * @param {import("../_types/page").Page} page
 */
export function analysisOf(page) {
  const { state, controller, link, play, searches, board: { arrows }, boardView } = page;
  let timer = 0;
  /** The outputs by engine. @type {Map<string, ReturnType<typeof engineLines>>} */
  const panels = new Map();
  /** The searches by engine. @type {Map<string, import("../link/searches.js").Search>} */
  const running = new Map();
  let pointing = false;
  /** The position that the panels describe, or null if they are new. @type {import("../game/tree.js").TurnNode|null} */
  let begun = null;

  // The engines chosen for analysis.
  const engines = () => [...byId("engine-choice").querySelectorAll("input")].filter(({ checked }) => checked).map(({ value }) => value);

  /** Restarts soon at the shown position. Quick stepping starts nothing. */
  const restart = () => {
    for (const search of running.values()) search.stop();
    running.clear();
    clearTimeout(timer);
    pointing = false;
    arrows.show("best", []);
    arrows.show("line", []);
    if (state.analyzing && !document.hidden) timer = setTimeout(begin, BEGIN_AFTER_MS);
  };
  const { isLent, borrow } = loansOf(searches, restart);
  const showOptions = engineOptions((engine) => link.ask("engine", { engine }), restart);

  const showPanels = () => {
    begun = null;
    panels.clear();
    for (const name of state.analyzing ? engines() : []) panels.set(name, engineLines(name, { point: pointAt, play: playLine }));
    byId("analysis-engines").replaceChildren(...[...panels.values()].map(({ root }) => root));
    restart();
  };

  const chose = () => {
    saveSettings({ analysts: engines() });
    if (byId("engine-options").open) showOptions(engines());
    showPanels();
  };

  const offer = () => {
    const names = link.hello.engines.map(({ name }) => name);
    const chosen = settings().analysts?.filter((name) => names.includes(name)) ?? [];
    const first = chosen.length ? chosen : names.slice(0, 1);
    const boxes = names.map((name) => {
      const box = html("input", { type: "checkbox", checked: first.includes(name), value: name, onchange: () => (engines().length ? chose() : (box.checked = true)) }); // one stays
      return html("label", { className: "check" }, box, name);
    });
    byId("engine-choice").replaceChildren(...boxes);
    byId("engine-choice").hidden = names.length < 2;
    showPanels();
  };

  const turn = (on) => {
    if (on === state.analyzing) return;
    state.change({ analyzing: on });
    byId("analysis").setAttribute("aria-checked", String(on));
    byId("analysis-body").hidden = !on;
    byId("analysis-off").hidden = on;
    byId("eval-bar").hidden = !on;
    document.documentElement.dataset.analysis = on ? "on" : "off";
    showPanels();
  };

  /** Turns analysis on or off. In a game against a person at another browser it stays off. */
  const toggle = () => turn(!state.analyzing && !state.game?.isLocked);

  // In such a game the two players get no help from an engine; spectators do.
  const drawLock = () => {
    const locked = state.game.isLocked;
    if (locked) turn(false);
    byId("analysis").disabled = locked;
    byId("openings").disabled = locked;
    setText(byId("analysis-off"), t(locked ? "analysis-locked" : "analysis-off"));
  };

  const begin = () => {
    const { view, node, game } = state;
    if (!view) return;
    drawScore(node.score);
    const same = node === begun;
    begun = node;
    for (const [name, panel] of panels) {
      // Keep this position's lines during a short interruption.
      if (same && isLent(name)) continue;
      if (!same) panel.clear();
      if (view.over) panel.say(t("game-over"));
      else if (play.engine === name) panel.say(t("thinks-own-turn"));
      else if (isLent(name)) panel.say(t("engine-busy"));
      else search(name, panel, game, node, view.side);
    }
  };

  const search = (name, panel, game, node, side) => {
    const fields = { engine: name, path: game.path(node), limits: analysisLimits(), options: optionsOf(name), multipv: Number(byId("line-count").value), level: null, game: game.id };
    running.set(name, searches.begin("think", fields, {
      info: ({ lines }) => received(name, lines, node, side),
      best: () => {
        running.delete(name);
        panel.rest();
      },
      failed: (reason) => panel.say(reason),
    }));
    panel.say(t("engine-thinking"));
  };

  const received = (name, lines, node, side) => {
    const panel = panels.get(name);
    if (!panel || node !== state.node) return;
    const seen = settled(lines).map((line) => ({ ...line, score: forWhite(line.score, side) }));
    panel.show(seen);
    const leading = name === engines()[0] || panels.size === 1;
    if (!leading || !seen.length || seen[0].bound) return;
    const [{ score, depth }] = seen;
    node.score = { ...score, depth };
    drawScore(score);
    state.change();
    if (!pointing) drawArrows(seen);
  };

  const drawArrows = (lines) => {
    const firsts = lines.map(({ pv }) => pv?.[0]).filter(Boolean);
    arrows.show("best", firsts.slice(0, 1).flatMap((turn) => arrowsOf(turn)));
    // Turns that differ only in the removed ring share an arrow.
    const moves = [...new Set(firsts.map(moveOf))].slice(0, 3);
    arrows.show("line", moves.slice(1).flatMap((move, i) => arrowsOf(move, String(i + 2))));
  };

  // Pointing at a line shows its first turns as arrows. Pointing at a turn in it shows the
  // board after that turn.
  const pointAt = (turns, last) => {
    pointing = Boolean(turns);
    arrows.show("best", []);
    arrows.show("line", turns && last === undefined ? turns.slice(0, 4).flatMap((turn, i) => arrowsOf(turn, String(i + 1))) : []);
    boardView.preview(last === undefined ? null : turns.slice(0, last + 1));
  };

  // Clicked turns of a line become a variation. While a game is being played, it goes on
  // unchanged and the turns are only shown.
  const playLine = async (turns) => {
    if (state.game.playing) {
      pointAt(turns, turns.length - 1);
      page.notices.show("line", t("line-only-shown"), { mild: true });
      return;
    }
    pointAt(null);
    await tryOut(turns);
  };

  /**
   * Adds legal turns after the shown position and shows the result. The live position does
   * not change.
   * @param {string[]} turns
  */
  const tryOut = async (turns) => {
    await controller.go(turns.reduce((at, turn) => at.play(turn, false), state.node));
    controller.changed();
  };

  byId("engine-options").addEventListener("toggle", () => byId("engine-options").open && showOptions(engines()));
  byId("analysis").addEventListener("click", toggle);
  byId("line-count").value = settings().lines ?? "3";
  byId("line-count").addEventListener("change", () => {
    saveSettings({ lines: byId("line-count").value });
    restart();
  });
  link.addEventListener("open", offer);
  for (const name of ["position", "game"]) controller.addEventListener(name, restart);
  for (const name of ["game", "playing"]) controller.addEventListener(name, drawLock);
  play.addEventListener("thinking", restart);
  // Lines of the playing engine are shown, too, while its position is on the board.
  play.addEventListener("lines", ({ detail: { lines, node } }) => {
    if (node === state.node && state.analyzing) received(play.engine, lines, node, state.liveView.side);
  });
  // Engines rest while the page is hidden.
  document.addEventListener("visibilitychange", restart);

  return {
    get engines() {
      return engines();
    },
    /** The latest lines of the first engine for the shown position, best first, with White's scores. */
    get lines() {
      return (begun === state.node && panels.get(engines()[0])?.latest) || [];
    },
    isLent, borrow, toggle, restart, tryOut,
  };
}

/**
 * Lends engines to other features. The analysis leaves them alone meanwhile.
 * @param {Pick<import("../link/searches.js").Searches, "begin">} searches
 * @param {() => void} changed called when an engine is lent or returned
 */
export function loansOf(searches, changed) {
  /** @type {Set<{engine: string}>} */
  const loans = new Set();

  /** Whether a feature is using an engine. @param {string} engine */
  const isLent = (engine) => [...loans].some((loan) => loan.engine === engine);

  /**
   * Searches for a feature.
   * @param {Parameters<import("../link/searches.js").Searches["begin"]>[0]} what
   * @param {any} fields with the engine
   * @param {import("../link/searches.js").Listener} listener
   * @returns {() => void} ends the search and returns the engine
  */
  const borrow = (what, fields, listener) => {
    const loan = { engine: fields.engine };
    loans.add(loan);
    changed();
    const search = searches.begin(what, fields, listener);
    return () => {
      search.stop();
      if (loans.delete(loan) && !isLent(loan.engine)) changed();
    };
  };

  return { isLent, borrow };
}

// The bar keeps its value until this position has a score.
function drawScore(score) {
  const bar = byId("eval-bar");
  if (score) bar.style.setProperty("--share", `${chance(score) * 100}%`);
  bar.setAttribute("aria-label", score ? t("score-label", { score: scoreText(score), words: scoreWords(score) }) : t("no-score-yet"));
  bar.title = score ? scoreWords(score) : "";
}

// The threat: what the opponent would do if it were their turn.

const THINK_MS = 800;

/**
 * The button and its result.
 * @param {import("../_types/page").Page} page
 */
export function threatOf({ state, controller, analysis, board: { arrows }, say }) {
  const button = byId("threat");
  let end = () => {};
  // The threat in words below the lines; empty to hide it.
  const write = (text) => {
    const line = byId("threat-text");
    show(line, text);
    setText(line, text);
  };
  // Not while rings are placed, at the end, or without help.
  const possible = () => {
    const { view, game } = state;
    return Boolean(view) && !view.placing && !view.over && !game.isLocked;
  };
  const hide = () => {
    setAttribute(button, "aria-pressed", "false");
    end();
    arrows.show("threat", []);
    write("");
  };
  const report = (text) => {
    write(text);
    say(text);
    end();
  };
  /** Shows or hides the threat. */
  const toggle = () => {
    if (button.getAttribute("aria-pressed") === "true") return hide();
    if (!possible()) return;
    if (!state.analyzing) analysis.toggle();
    const { game, node, view } = state;
    button.setAttribute("aria-pressed", "true");
    write(t("threat-search"));
    const [engine] = analysis.engines;
    let score = null;
    const found = (turn, side) => {
      if (!turn) return report(t("threat-none"));
      arrows.show("threat", arrowsOf(turn));
      return report(t("threat-found", { side, turn: turnName(turn) }) + (score ? ` ${scoreWords(forWhite(score, side))}.` : ""));
    };
    const fields = { engine, path: game.path(node), limits: { movetime: THINK_MS }, multipv: 1, options: optionsOf(engine), level: null, game: game.id };
    end = analysis.borrow("threat", fields, {
      info: ({ lines }) => (score = lines[0]?.score ?? score),
      best: ({ turn }) => found(turn, other(view.side)),
      failed: report,
      quiet: true,
    });
  };
  button.addEventListener("click", toggle);
  for (const name of ["position", "game", "playing"]) {
    controller.addEventListener(name, () => {
      if (name !== "playing" || state.game.isLocked) hide();
      button.toggleAttribute("disabled", !possible());
    });
  }
  return { toggle };
}

// The options of the analyzing engines: threads, memory and time. Each engine is asked
// once for its options.

/** Options that the page offers, in lower case. */
const OFFERED = { threads: "threads", hash: "hash" };

/**
 * The options for an engine in an analysis.
 * @param {string} engine
 * @returns {Record<string, number>}
 */
export function optionsOf(engine) {
  return settings().engineOptions?.[engine] ?? {};
}

/**
 * The limits of an analysis.
 * @returns {{infinite: true}|{movetime: number}}
 */
function analysisLimits() {
  const ms = Number(byId("analysis-time").value);
  return ms ? { movetime: ms } : { infinite: true };
}

/**
 * The option fields below the lines. Returns the function that shows those of some engines.
 * @param {(engine: string) => Promise<{options?: import("../_types/messages").OptionView[]}>} ask returns an engine's options
 * @param {() => void} changed called when the analysis must restart
 */
function engineOptions(ask, changed) {
  /** @type {Map<string, Promise<import("../_types/messages").OptionView[]>>} */
  const known = new Map();
  byId("scores-note").textContent = t("scores-are-whites", { half: percent(0.5) });
  const time = byId("analysis-time");
  for (const option of time.options) {
    const seconds = Number(option.value) / 1000;
    if (!seconds) option.text = t("no-limit");
    else option.text = seconds < 60 ? t("seconds", { count: seconds }) : t("minutes", { count: seconds / 60 });
  }
  time.value = settings().analysisTime ?? time.value;
  time.addEventListener("change", () => {
    saveSettings({ analysisTime: time.value });
    changed();
  });
  const learn = (engine) => {
    const asked = known.get(engine) ?? ask(engine).then(({ options }) => options ?? []);
    known.set(engine, asked);
    return asked.catch(() => (known.delete(engine), []));
  };
  const field = (engine, option, text) => {
    const input = html("input", { type: "number", min: option.min, max: option.max, step: 1, value: optionsOf(engine)[option.name] ?? option.default, "data-option": option.name });
    input.addEventListener("change", () => {
      const value = Math.round(Math.max(option.min, Math.min(option.max, input.valueAsNumber || option.min)));
      input.valueAsNumber = value;
      const all = settings().engineOptions ?? {};
      saveSettings({ engineOptions: { ...all, [engine]: { ...all[engine], [option.name]: value } } });
      changed();
    });
    return html("label", {}, `${text} `, input);
  };
  return async (/** @type {string[]} */ engines) => {
    const fields = [];
    for (const engine of engines) {
      for (const option of await learn(engine)) {
        const id = OFFERED[option.name.toLowerCase()];
        const name = id && t(`option-${id}`);
        if (name && option.type === "spin") fields.push(field(engine, option, engines.length > 1 ? `${engine}: ${name}` : name));
      }
    }
    byId("engine-fields").replaceChildren(...fields);
  };
}
