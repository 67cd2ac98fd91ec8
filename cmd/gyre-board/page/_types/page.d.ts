// Types of the page's objects, and of its elements by id if they are more than HTMLElement.
// All of the page's own events are CustomEvents.

/** The page's objects. main.js makes them, and panels and parts are functions of them. */
export interface Page {
  state: import("../game/state.js").State;
  board: import("../board/board.js").Board;
  controller: import("../game/controller.js").Controller;
  moveInput: import("../board/moveinput.js").MoveInput<import("../link/link.js").View>;
  play: import("../game/play.js").Play;
  boardView: ReturnType<typeof import("../game/boardview.js").boardViewOf>;
  link: import("../link/link.js").Link;
  rules: import("../link/link.js").Rules;
  searches: import("../link/searches.js").Searches;
  analysis: ReturnType<typeof import("../panels/analysis.js").analysisOf>;
  tabs: ReturnType<typeof import("../panels/tabs.js").tabsOf>;
  notices: ReturnType<typeof import("../panels/notices.js").noticesOf>;
  parts: ReturnType<typeof import("../parts.js").partsOf>;
  clocks: import("../game/play.js").Clocks;
  autosave: import("../game/controller.js").Autosave;
  turns: ReturnType<typeof import("../panels/turns.js").turnsOf>;
  ownArrows: ReturnType<typeof import("../panels/turns.js").ownArrows>;
  actions: ReturnType<typeof import("../panels/actions.js").actionsOf>;
  threat: ReturnType<typeof import("../panels/analysis.js").threatOf>;
  newGame: ReturnType<typeof import("../panels/dialogs.js").newGameOf>;
  /** Reads out a text to screen readers. */
  say: (text: string) => void;
}

export interface ElementsById {
  "new-dialog": HTMLDialogElement;
  "games-dialog": HTMLDialogElement;
  "settings-dialog": HTMLDialogElement;
  "settings-form": HTMLFormElement;
  "help-dialog": HTMLDialogElement;
  "share-dialog": HTMLDialogElement;
  "find-words": HTMLInputElement;
  "find-player": HTMLInputElement;
  "find-result": HTMLSelectElement;
  "find-source": HTMLSelectElement;
  "image-dialog": HTMLDialogElement;
  "rating-dialog": HTMLDialogElement;
  "reviews-dialog": HTMLDialogElement;
  "take-back": HTMLButtonElement;
  "new-game": HTMLButtonElement;
  "play-on": HTMLButtonElement;
  analysis: HTMLButtonElement;
  openings: HTMLButtonElement;
  threat: HTMLButtonElement;
  "go-first": HTMLButtonElement;
  "go-back": HTMLButtonElement;
  "go-forward": HTMLButtonElement;
  "go-last": HTMLButtonElement;
  replay: HTMLButtonElement;
  resign: HTMLButtonElement;
  hint: HTMLButtonElement;
  "save-all": HTMLButtonElement;
  "import-bar": HTMLProgressElement;
  "match-bar": HTMLProgressElement;
  "match-of": HTMLSelectElement;
  "match-start": HTMLButtonElement;
  "match-go": HTMLButtonElement;
  "match-form": HTMLFormElement;
  "line-count": HTMLSelectElement;
  pace: HTMLSelectElement;
  "analysis-time": HTMLSelectElement;
  "next-by-itself": HTMLInputElement;
  "engine-options": HTMLDetailsElement;
  "turn-box": HTMLInputElement;
  "open-file": HTMLInputElement;
  "editor-form": HTMLFormElement;
  "editor-text": HTMLInputElement;
  "editor-back": HTMLButtonElement;
  "editor-copy": HTMLButtonElement;
  "editor-link": HTMLButtonElement;
  "editor-analyse": HTMLButtonElement;
  "editor-play": HTMLButtonElement;
  note: HTMLTextAreaElement;
  paste: HTMLTextAreaElement;
  "copy-text": HTMLTextAreaElement;
  [id: string]: HTMLElement;
}

declare global {
  /** Repeats the clicks that came before the page was ready, and holds no more: see early.js. */
  var releaseClicks: () => void;
  interface Event {
    readonly detail: any;
  }
}
