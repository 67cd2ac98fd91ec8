// What the page's HTML holds, by id, where it is more than any element; and that
// all events of ours are CustomEvents.

export interface ElementsById {
  "new-dialog": HTMLDialogElement;
  "games-dialog": HTMLDialogElement;
  "settings-dialog": HTMLDialogElement;
  "help-dialog": HTMLDialogElement;
  "take-back": HTMLButtonElement;
  "play-on": HTMLButtonElement;
  "go-first": HTMLButtonElement;
  "go-back": HTMLButtonElement;
  "go-forward": HTMLButtonElement;
  "go-last": HTMLButtonElement;
  replay: HTMLButtonElement;
  resign: HTMLButtonElement;
  review: HTMLButtonElement;
  "save-all": HTMLButtonElement;
  "import-bar": HTMLProgressElement;
  "review-bar": HTMLProgressElement;
  "review-nodes": HTMLSelectElement;
  "line-count": HTMLSelectElement;
  theme: HTMLSelectElement;
  pace: HTMLSelectElement;
  "analysis-time": HTMLSelectElement;
  "next-by-itself": HTMLInputElement;
  "engine-options": HTMLDetailsElement;
  "board-theme": HTMLSelectElement;
  motion: HTMLSelectElement;
  "turn-box": HTMLInputElement;
  "open-file": HTMLInputElement;
  note: HTMLTextAreaElement;
  paste: HTMLTextAreaElement;
  "copy-text": HTMLTextAreaElement;
  [id: string]: HTMLElement;
}

declare global {
  interface Event {
    readonly detail: any;
  }
}
