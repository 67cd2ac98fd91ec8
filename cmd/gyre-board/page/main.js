// The page begins here: its parts are made and joined. The board is drawn before
// the server has said a word.
//
//   board/   the drawing and what is done on it: geometry, plate, pieces, motion,
//            marks, arrows, points (buttons), pointer, hand (what the pointer
//            means), entry (the turn in the making), hints (words), notation
//   game/    games: tree, game, clock, store, address (links), opening (which
//            game comes first), desk (the open game), play (engines and clocks),
//            table (desk and board together)
//   link/    the server: socket, rules (questions), searches
//   panels/  what stands around the board, and the dialogs
//   keys.js, scores.js, dom.js, theme.js

import { Board } from "./board/board.js";
import { Entry } from "./board/entry.js";
import { byId } from "./dom.js";
import { Clocks } from "./game/clock.js";
import { Desk } from "./game/desk.js";
import { Play } from "./game/play.js";
import { openFirst } from "./game/opening.js";
import { Table } from "./game/table.js";
import { listenToKeys } from "./keys.js";
import { Rules } from "./link/rules.js";
import { Searches } from "./link/searches.js";
import { Link } from "./link/socket.js";
import { Actions } from "./panels/actions.js";
import { Analysis } from "./panels/analysis.js";
import { Announcer } from "./panels/announcer.js";
import { prepareDialogs } from "./panels/dialogs.js";
import { Games } from "./panels/games.js";
import { Graph } from "./panels/graph.js";
import { Help } from "./panels/help.js";
import { NewGame } from "./panels/newgame.js";
import { Notices } from "./panels/notices.js";
import { OwnArrows } from "./panels/ownarrows.js";
import { Players } from "./panels/players.js";
import { Prompt } from "./panels/prompt.js";
import { Review } from "./panels/review.js";
import { Settings } from "./panels/settings.js";
import { Threat } from "./panels/threat.js";
import { Turns } from "./panels/turns.js";

const settings = new Settings();
const board = new Board(byId("board"), () => settings.motion);
const link = new Link();
const rules = new Rules(link);
const searches = new Searches(link);
const clocks = new Clocks();
const desk = new Desk(rules);
const entry = new Entry(rules);
const play = new Play({ desk, rules, searches, clocks, motion: board.motion });
const table = new Table({ desk, board, entry, play, rules });
const announcer = new Announcer();
const say = (text) => announcer.say(text);

prepareDialogs();
new Players({ desk, play, clocks, entry, table });
const prompt = new Prompt({ desk, play, entry, table });
const turns = new Turns({ desk });
const actions = new Actions({ desk, play, entry, table });
const analysis = new Analysis({ desk, play, searches, board, table });
const threat = new Threat({ desk, searches, board, analysis, say });
new Graph({ desk, analysis });
new Review({ desk, play, searches, analysis, board, say });
new Help({ desk });
const ownArrows = new OwnArrows({ desk, board, say });
const newGame = new NewGame({ desk });
new Games({ desk, rules });
const notices = new Notices({
  link,
  searches,
  restarted: () => {
    play.retry();
    analysis.restart();
  },
});
listenToKeys({ board, desk, entry, table, turns, actions, analysis, threat, say, arrowAt: (point) => ownArrows.at(point) });

table.addEventListener("say", ({ detail }) => say(detail));
// What the player has to do is read out with everything that happened before.
let asked = "";
table.addEventListener("change", () => {
  if (!entry.now || table.showing || prompt.text === asked) return;
  asked = prompt.text;
  say(asked);
});
play.addEventListener("ended", () => say(prompt.text));
desk.addEventListener("error", ({ detail }) => notices.show("game", detail.message));
desk.addEventListener("game", () => notices.remove("game"));

link.addEventListener("open", ({ detail: { engines, levels } }) => {
  const names = engines.map(({ name }) => name);
  newGame.offer(names, levels);
  analysis.offer(names);
});
link.addEventListener("open", () => openFirst({ desk, newGame }), { once: true });
addEventListener("hashchange", () => openFirst({ desk, newGame, linkOnly: true }));
link.connect();
