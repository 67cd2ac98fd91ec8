// What the engines of the analysis may use: threads, memory and time. Each is asked
// once what it offers.

import { byId, html } from "../dom.js";
import { saveSettings, settings } from "../game/settings.js";

/** Options of engines that a page sets, by their names in small letters. */
const OFFERED = { threads: "threads", hash: "memory, MiB" };

/**
 * The options that an analysis gives an engine.
 * @param {string} engine
 * @returns {Record<string, number>}
 */
export function optionsOf(engine) {
  return settings().engineOptions?.[engine] ?? {};
}

/**
 * How long an analysis thinks about a position.
 * @returns {{infinite: true}|{movetime: number}}
 */
export function analysisLimits() {
  const ms = Number(byId("analysis-time").value);
  return ms ? { movetime: ms } : { infinite: true };
}

/** The fields, under the lines. */
export class EngineOptions {
  #ask;
  #changed;
  /** @type {Map<string, Promise<import("../_types/messages").OptionView[]>>} */
  #known = new Map();

  /**
   * @param {(engine: string) => Promise<{options: import("../_types/messages").OptionView[]}>} ask what an engine offers
   * @param {() => void} changed called when an analysis has to begin anew
   */
  constructor(ask, changed) {
    [this.#ask, this.#changed] = [ask, changed];
    const time = byId("analysis-time");
    time.value = settings().analysisTime ?? time.value;
    time.addEventListener("change", () => {
      saveSettings({ analysisTime: time.value });
      changed();
    });
  }

  /**
   * Asks an engine what it offers, unless it has told.
   * @param {string} engine
   */
  learn(engine) {
    const asked = this.#known.get(engine) ?? this.#ask(engine).then(({ options }) => options ?? []);
    this.#known.set(engine, asked);
    asked.catch(() => this.#known.delete(engine));
    return asked;
  }

  /**
   * Shows the fields of these engines.
   * @param {string[]} engines
   */
  async show(engines) {
    const root = byId("engine-fields");
    const fields = [];
    for (const engine of engines) {
      for (const option of await this.learn(engine).catch(() => [])) {
        const name = OFFERED[option.name.toLowerCase()];
        if (name && option.type === "spin") fields.push(this.#field(engine, option, engines.length > 1 ? `${engine}: ${name}` : name));
      }
    }
    root.replaceChildren(...fields);
  }

  #field(engine, option, text) {
    const input = html("input", { type: "number", min: option.min, max: option.max, step: 1, value: optionsOf(engine)[option.name] ?? option.default, "data-option": option.name });
    input.addEventListener("change", () => {
      const value = Math.round(Math.max(option.min, Math.min(option.max, input.valueAsNumber || option.min)));
      input.valueAsNumber = value;
      const all = settings().engineOptions ?? {};
      saveSettings({ engineOptions: { ...all, [engine]: { ...all[engine], [option.name]: value } } });
      this.#changed();
    });
    return html("label", {}, `${text} `, input);
  }
}
