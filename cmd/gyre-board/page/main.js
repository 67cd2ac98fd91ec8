// Assembles the page from its parts. The board is drawn before the server answers.
//
//   board/   the board on the page: board (the drawing of position/drawing, with buttons over it),
//            pointer (mouse and touch), moveinput (the turn being entered)
//   game/    games: tree, game, state (what is open and shown, and when to draw), controller
//            (changes of the open game), play (engines and clocks), opening (the first game),
//            boardview (the board's view of the game), store, tablock (one tab per game), settings
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
import { animates, isStorageBlocked, settings } from "./game/settings.js";
import { State } from "./game/state.js";
import { whenAsked } from "./game/tablock.js";
import { boardViewOf } from "./game/boardview.js";
import { actionsOf, listenToKeys } from "./panels/actions.js";
import { Link, Rules } from "./link/link.js";
import { Searches } from "./link/searches.js";
import { program, socketTransport, workerTransport } from "./link/transports.js";
import { analysisOf, threatOf } from "./panels/analysis.js";
import { newGameOf, prepareDialogs, showRules } from "./panels/dialogs.js";
import { promptOf, showEnding, showPlayers, showPrompt } from "./panels/status.js";
import { showGraph } from "./panels/graph.js";
import { announcer, noticesOf, showGameNotices } from "./panels/notices.js";
import { ownArrows, turnsOf } from "./panels/turns.js";
import { tabsOf } from "./panels/tabs.js";
import { partsOf } from "./parts.js";

localize(document);
const say = announcer();
/** The page's objects. Most functions take them from here when they are made, so their order matters. */
const page = /** @type {import("./_types/page").Page} */ ({ say, state: new State() });
const { state } = page;
const parts = (page.parts = partsOf(page));
const heard = (act) => settings().sound && parts.open("sound", act);
page.board = new Board(byId("board"), { motion: animates, heard });
const link = (page.link = new Link(program ? workerTransport() : socketTransport()));
page.rules = new Rules(link);
page.searches = new Searches(link);
const notices = (page.notices = noticesOf(page));
page.clocks = new Clocks();
page.autosave = new Autosave();
const controller = (page.controller = new Controller(page));
const moveInput = (page.moveInput = new MoveInput((/** @type {import("./link/link.js").View} */ view, prefix) => turnSteps(view, view.rules, prefix)));
const play = (page.play = new Play(page));
page.boardView = boardViewOf(page);

prepareDialogs();
const tabs = (page.tabs = tabsOf(page));
showPlayers(page);
showPrompt(page);
page.turns = turnsOf(page);
page.actions = actionsOf(page);
page.analysis = analysisOf(page);
page.threat = threatOf(page);
for (const root of ["graph", "end-graph"]) showGraph(byId(root), page);
showEnding(page);
page.ownArrows = ownArrows(page);
const newGame = (page.newGame = newGameOf(page));
listenToKeys(page);
showRules(page);

// Read out what the player has to do or looks at, together with what happened before.
let asked = "";
state.whenChanged(() => {
  if (!state.view || !(moveInput.now || state.lookingBack) || state.showing) return;
  const asks = promptOf(page);
  if (asks !== asked) say(asks);
  asked = asks;
});
play.addEventListener("ended", () => say(promptOf(page)));
// A game against a person at another browser.
controller.addEventListener("game", () => state.game.remote && parts.open("remote", { game: state.game, ply: state.game.live.ply }));
whenAsked(async (id) => {
  if (state.game?.id !== id) return;
  await controller.open(newGame.first());
  notices.show("handed", t("game-handed-over"), { mild: true });
});
controller.addEventListener("game", () => state.game.isWatched && parts.open("watch", { game: state.game, live: state.game.live }));
// A game counts for a rating once it has begun. Analysis before that is help, too.
const rate = () => {
  const { game } = state;
  if ((game.live.ply || state.analyzing) && game.hasEngine && !game.isWatched) parts.open("rating", { game, live: game.live });
};
controller.addEventListener("live", rate);
state.whenChanged(() => state.game?.live.ply === 0 && rate());
// After a game there is time for offers. Browsers that can install the page say so at any time.
let install = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  install = event;
});
play.addEventListener("thinking", () => {
  const { offered = [], sound } = settings();
  const some = (!sound && !offered.includes("sound")) || (install && !offered.includes("install"));
  if (state.over && some && !state.game.passing) parts.open("offers", { install });
});
addEventListener("settings", ({ detail }) => detail.sound && heard({ do: "place" }));
// Once the first ring is moved, the turns replace the rules. Puzzles and lessons stay: they are no games.
controller.addEventListener("live", () => {
  const { playing, live } = state.game;
  if (playing && live.turn.includes("-") && !live.parent.turn.includes("-")) tabs.replace("learn", "turns");
});
// While an engine analyzes, show what the targets of the picked ring are worth.
state.whenChanged(() => moveInput.targets.length && state.analyzing && parts.open("worth"));
// If the coach is on, ask it before a turn is played, once it is loaded.
const wantCoach = async () => {
  const coach = settings().coach && (await parts.get("coach", wantCoach));
  page.boardView.mayPlay = (turn) => !coach || !settings().coach || coach.mayPlay(turn);
};
wantCoach();
addEventListener("settings", ({ detail }) => "coach" in detail && wantCoach());
// Load the further contents of a panel when it is shown.
const filled = /** @type {const} */ ([["panel-learn", "pictures"], ["panel-review", "review"]]);
const fill = () => filled.forEach(([panel, part]) => byId(panel).hidden || parts.open(part));
showGameNotices(page);
openDropped(page);

link.addEventListener("open", () => openFirst(page), { once: true });
// early.js holds the clicks before the first game is open. What is not needed for it comes later.
controller.addEventListener("position", () => {
  globalThis.releaseClicks();
  performance.mark("usable");
  state.whenChanged(fill, () => state.tab);
  parts.open("due");
}, { once: true });
addEventListener("hashchange", () => openFirst(page, true));
// early.js has reported what the browser lacks.
if (!document.documentElement.dataset.lacks) link.connect();
link.addEventListener("open", () => keepFiles().catch((error) => console.warn("the page's files are not kept:", error)), { once: true });

/** Offers a new version. @param {() => void} load */
function offerVersion(load) {
  notices.show("version", t("new-version"), { mild: true, action: [t("load-version"), load] });
}
// A server that was updated meanwhile has another page.
let version = "";
link.addEventListener("open", ({ detail }) => {
  version ||= detail.version;
  if (version !== detail.version) offerVersion(() => location.reload());
});

/** Registers the service worker of the exported page and offers new versions. */
async function keepFiles() {
  const workers = navigator.serviceWorker;
  // Insecure origins have no service workers, and Firefox reports an error where site data is blocked. The page works without.
  if (!program || !workers || isStorageBlocked()) return;
  const registration = await workers.register("sw.js", { updateViaCache: "none" });
  const offer = (worker) => {
    offerVersion(() => {
      workers.addEventListener("controllerchange", () => location.reload(), { once: true });
      worker.postMessage("take over");
    });
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
