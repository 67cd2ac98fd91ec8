// The rules in short, beside the board and on the help sheet, and the name of
// the game's rules in the head of the page.

import { byId, setText } from "../dom.js";
import { SIDES } from "../game/game.js";
import { saveSettings, settings } from "../game/store.js";
import { openDialog } from "./dialogs.js";

/** Keeps the texts true for the open game. */
export class Help {
  /**
   * @param {Object} parts
   * @param {import("../game/desk.js").Desk} parts.desk
   */
  constructor({ desk }) {
    const how = byId("how");
    byId("help-how").append(how.querySelector("ol").cloneNode(true));
    how.open = !(settings().howRead ?? false);
    how.querySelector("summary").addEventListener("click", () => saveSettings({ howRead: how.open }));
    byId("help").addEventListener("click", () => openDialog("help-dialog"));
    desk.addEventListener("game", () => {
      const { rules, players } = desk.game;
      document.documentElement.dataset.rules = rules;
      setText(byId("variant"), rules === "blitz" ? "Blitz: one ring wins" : "Standard: three rings win");
      const persons = ["w", "b"].filter((side) => players[side].kind === "person");
      const you = ["Two engines play, you watch.", `You are ${SIDES[persons[0]]}.`, "You move both sides, in turn."];
      setText(byId("how-side"), you[persons.length]);
      if (!desk.game.playing) how.open = false;
    });
  }
}
