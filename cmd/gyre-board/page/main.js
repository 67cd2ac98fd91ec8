// Assembles the page from its parts. The board is drawn before the server answers.
//
//   board/   the board and move input: geometry (points, lines, turn words), plate, pieces
//            (and their animations), marks (and arrows), pointer (mouse and touch), moveinput
//            (the turn being entered), board (all of them in layers)
//   game/    games: tree, game, play (engines and clocks), controller (the open game),
//            opening (the first game), boardview (the board's view of the game), store,
//            tablock (one tab per game), settings
//   link/    the connection to the program that knows the rules and runs the engines: link,
//            transports (a WebSocket, or Workers that run program.js), searches
//   panels/  what surrounds the board: status, turns, analysis, enginelines, graph, tabs,
//            notices, actions (buttons and keys), dialogs
//   parts/   what is loaded on demand; see parts.js
//   dom.js, scores.js, language.js (all words are messages), early.js (runs first)

import { turnSteps } from "../../../position/drawing/rules.js";
import { Board } from "./board/board.js";
import { MoveInput } from "./board/moveinput.js";
import { byId } from "./dom.js";
import { localize, t } from "./language.js";
import { Clocks, Play } from "./game/play.js";
import { Controller, Autosave } from "./game/controller.js";
import { openDropped, openFirst } from "./game/opening.js";
import { animates, settings } from "./game/settings.js";
import { whenAsked } from "./game/tablock.js";
import { BoardView } from "./game/boardview.js";
import { Actions, listenToKeys } from "./panels/actions.js";
import { Link, Rules } from "./link/link.js";
import { Searches } from "./link/searches.js";
import { Socket, Workers, program } from "./link/transports.js";
import { Analysis, Threat } from "./panels/analysis.js";
import { NewGame, RulesInShort, prepareDialogs } from "./panels/dialogs.js";
import { Ending, Players, Prompt } from "./panels/status.js";
import { Graph } from "./panels/graph.js";
import { Announcer, Notices, showGameNotices } from "./panels/notices.js";
import { OwnArrows, Turns } from "./panels/turns.js";
import { Tabs } from "./panels/tabs.js";
import { Parts } from "./parts.js";

localize(document);
const heard = (act) => settings().sound && parts.open("sound", act);
const board = new Board(byId("board"), { motion: animates, heard });
const link = new Link(program ? new Workers() : new Socket());
const rules = new Rules(link);
const searches = new Searches(link);
const clocks = new Clocks();
const autosave = new Autosave();
const controller = new Controller(rules, autosave);
const moveInput = new MoveInput((/** @type {import("./link/link.js").View} */ view, prefix) => turnSteps(view, view.rules, prefix));
const play = new Play({ controller, rules, searches, clocks, motion: board.motion });
const boardView = new BoardView({ controller, board, moveInput, play, rules });
const announcer = new Announcer();
const say = (text) => announcer.say(text);

prepareDialogs();
const tabs = new Tabs();
new Players({ controller, play, clocks, moveInput, boardView });
const prompt = new Prompt({ controller, play, moveInput, boardView });
const turns = new Turns({ controller, play, tabs });
const actions = new Actions({ controller, play, moveInput, boardView, board, say, resignRemote: () => parts.open("remote", { do: "resign" }) });
const analysis = new Analysis({ controller, play, searches, board, boardView });
const threat = new Threat({ controller, searches, board, analysis, say });
for (const root of ["graph", "end-graph"]) new Graph(byId(root), { controller, analysis });
new RulesInShort({ controller });
const ending = new Ending({ controller, play, boardView, tabs, review: () => parts.open("review", { now: true }), remote: (order) => parts.open("remote", order) });
const ownArrows = new OwnArrows({ controller, board, say });
const newGame = new NewGame({ controller, remote: (order) => parts.open("remote", order) });
const notices = new Notices({
  link,
  searches,
  restarted: () => {
    play.retry();
    analysis.restart();
  },
});
const parts = new Parts({ board, controller, moveInput, play, boardView, link, rules, searches, analysis, tabs, notices, say });
listenToKeys({ parts, board, controller, moveInput, boardView, turns, tabs, actions, analysis, threat, say, arrowAt: (point) => ownArrows.at(point) });

analysis.addEventListener("playing", () => notices.show("line", t("line-only-shown"), { mild: true }));
boardView.addEventListener("say", ({ detail }) => say(detail));
// Read out what the player has to do or looks at, together with what happened before.
let asked = "";
boardView.addEventListener("change", () => {
  if (!(moveInput.now || boardView.lookingBack) || boardView.showing || prompt.text === asked) return;
  asked = prompt.text;
  say(asked);
});
play.addEventListener("ended", () => say(prompt.text));
// A game against a person at another browser.
controller.addEventListener("game", () => controller.game.remote && parts.open("remote", { game: controller.game, ply: controller.game.live.ply }));
whenAsked(async (id) => {
  if (controller.game?.id !== id) return;
  await controller.open(newGame.first());
  notices.show("handed", t("game-handed-over"), { mild: true });
});
controller.addEventListener("game", () => controller.game.isWatched && parts.open("watch", { game: controller.game, live: controller.game.live }));
// A game counts for a rating once it has begun. Analysis before that is help, too.
const rate = () => {
  const { game } = controller;
  if ((game.live.ply || analysis.on) && game.hasEngine && !game.isWatched) parts.open("rating", { game, live: game.live });
};
controller.addEventListener("live", rate);
controller.addEventListener("tree", () => controller.game?.live.ply === 0 && rate());
// After a game there is time for offers. Browsers that can install the page say so at any time.
let install = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  install = event;
});
play.addEventListener("thinking", () => {
  const { offered = [], sound } = settings();
  const some = (!sound && !offered.includes("sound")) || (install && !offered.includes("install"));
  if (play.over && some && !controller.game.passing) parts.open("offers", { install });
});
addEventListener("settings", ({ detail }) => detail.sound && heard({ do: "place" }));
// Once the first ring is moved, the turns replace the rules. Puzzles and lessons stay: they are no games.
controller.addEventListener("live", () => {
  const { playing, live } = controller.game;
  if (playing && live.turn.includes("-") && !live.parent.turn.includes("-")) tabs.replace("learn", "turns");
});
// While an engine analyzes, show what the targets of the picked ring are worth.
const wantWorth = () => moveInput.targets.length && analysis.on && parts.open("worth");
moveInput.addEventListener("change", wantWorth);
controller.addEventListener("tree", wantWorth);
// If the coach is on, ask it before a turn is played, once it is loaded.
const wantCoach = async () => {
  const coach = settings().coach && (await parts.get("coach", wantCoach));
  boardView.mayPlay = (turn) => !coach || !settings().coach || coach.mayPlay(turn);
};
wantCoach();
addEventListener("settings", ({ detail }) => "coach" in detail && wantCoach());
// Load the further contents of a panel when it is shown.
const filled = /** @type {const} */ ([["panel-learn", "pictures"], ["panel-review", "review"]]);
const fill = () => filled.forEach(([panel, part]) => byId(panel).hidden || parts.open(part));
showGameNotices({ controller, autosave, parts, notices });
openDropped(parts);

link.addEventListener("open", ({ detail: { engines, levels, rooms } }) => {
  const names = engines.map(({ name }) => name);
  newGame.offer(names, levels, rooms);
  analysis.offer(names);
  ending.offer(levels);
});
link.addEventListener("open", () => openFirst({ controller, newGame, tabs, parts }), { once: true });
// early.js holds the clicks before the first game is open. What is not needed for it comes later.
controller.addEventListener("position", () => {
  globalThis.releaseClicks();
  performance.mark("usable");
  tabs.addEventListener("shown", fill);
  fill();
}, { once: true });
addEventListener("hashchange", () => openFirst({ controller, newGame, tabs, parts, linkOnly: true }));
// early.js has reported what the browser lacks.
if (!document.documentElement.dataset.lacks) link.connect();
link.addEventListener("open", () => keepFiles(notices).catch((error) => console.warn("the page's files are not kept:", error)), { once: true });

/**
 * Registers the service worker of the exported page and offers new versions.
 * @param {import("./panels/notices.js").Notices} notices
 */
async function keepFiles(notices) {
  const workers = navigator.serviceWorker;
  // Insecure origins have no service workers. The page works without.
  if (!program || !workers) return;
  const registration = await workers.register("sw.js", { updateViaCache: "none" });
  const offer = (worker) => {
    const load = () => {
      workers.addEventListener("controllerchange", () => location.reload(), { once: true });
      worker.postMessage("take over");
    };
    notices.show("version", t("new-version"), { mild: true, action: [t("load-version"), load] });
  };
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && registration.active) offer(worker);
    });
  });
  document.addEventListener("visibilitychange", () => {
    // Without a network, no update is found.
    if (!document.hidden) registration.update().catch(() => {});
  });
}
