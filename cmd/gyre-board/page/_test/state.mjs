// A state for tests: whoever waits for its changes is called at once.

import { State } from "../game/state.js";

/**
 * A state with some values, of which one can be the view of the shown position.
 * @param {Object<string, any>} values
 */
export function stateWith({ view, ...values }) {
  const draws = [];
  const change = (changes) => {
    Object.assign(state, changes);
    for (const draw of draws) draw();
  };
  const reply = view && { views: [view], turns: [] };
  const state = Object.assign(new State(), { reply, ...values }, { change, whenChanged: (draw) => draws.push(draw) });
  return state;
}
