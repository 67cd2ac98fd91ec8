// The keys of the page. On the board, arrows walk between points (points.js);
// everything else is here, and every key is on the help sheet.

import { choicesText } from "./board/hints.js";
import { byId, targetOf } from "./dom.js";
import { dialogOpen } from "./panels/dialogs.js";

/**
 * Listens to the keyboard.
 * @param {Object} page what there is on the page, by its names
 */
export function listenToKeys({ parts, board, controller, entry, table, turns, tabs, actions, analysis, threat, say, arrowAt }) {
  const cycle = (by) => {
    if (entry.kind === "row") {
      entry.turnTo(by);
      board.points.focus(entry.shownRow.points[0]);
      table.sayRow();
    } else if (entry.kind === "pass") {
      byId("choices").querySelector("button")?.focus();
    } else {
      board.points.cycle(entry.candidates, by);
    }
  };
  // On the board these walk among choices, elsewhere among what a review found.
  const next = (by) => {
    if (board.points.focused || !turns.goToMistake(by)) cycle(by);
  };
  const back = () => {
    if (!entry.back() && controller.node.arrows.length) arrowAt(null);
  };
  const keys = {
    n: () => next(1),
    p: () => next(-1),
    m: () => say(choicesText(entry)),
    l: () => say(controller.lastTurn?.words ?? "No turn has been played."),
    r: () => table.replay(),
    u: () => actions.takeBack(),
    f: () => actions.turnBoard(),
    h: () => byId("hint").click(),
    a: () => {
      tabs.show("analysis");
      analysis.toggle();
    },
    t: () => {
      tabs.show("analysis");
      threat.toggle();
    },
    d: () => arrowAt(board.points.current),
    g: () => board.points.focus(),
    i: () => {
      tabs.show("turns");
      byId("turn-box").focus();
    },
    "?": () => parts.open("help"),
    Escape: back,
    Backspace: back,
    ",": () => turns.go("back"),
    ".": () => turns.go("forward"),
    ArrowLeft: () => turns.go("back"),
    ArrowRight: () => turns.go("forward"),
    ArrowUp: () => turns.go("up"),
    ArrowDown: () => turns.go("down"),
    Home: () => turns.go("first"),
    End: () => turns.go("last"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || dialogOpen()) return;
    if (targetOf(event, "textarea, select, input:not([type=checkbox])")) {
      if (event.key === "Escape") board.points.focus();
      return;
    }
    const action = keys[event.key];
    if (!action || !controller.game) return;
    event.preventDefault();
    action();
  });
}
