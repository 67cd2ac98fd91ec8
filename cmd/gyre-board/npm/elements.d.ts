
/** The events of a board, and of its element. */
export interface YinshBoardEvents {
  /** The user entered a legal turn. */
  turn: CustomEvent<{ turn: string }>;
  press: CustomEvent<{ point: string }>;
  /** With input "free", the user dragged a piece; to is null off the board. */
  move: CustomEvent<{ from: string; to: string | null }>;
  /** The turn being entered changed. */
  change: CustomEvent<null>;
}

export interface YinshBoard {
  addEventListener<Name extends keyof YinshBoardEvents>(name: Name, listener: (this: YinshBoard, event: YinshBoardEvents[Name]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(name: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof YinshBoardEvents>(name: Name, listener: (this: YinshBoard, event: YinshBoardEvents[Name]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(name: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}
export interface YinshBoardElement {
  addEventListener<Name extends keyof YinshBoardEvents>(name: Name, listener: (this: YinshBoardElement, event: YinshBoardEvents[Name]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(name: Name, listener: (this: YinshBoardElement, event: HTMLElementEventMap[Name]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(name: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof YinshBoardEvents>(name: Name, listener: (this: YinshBoardElement, event: YinshBoardEvents[Name]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener<Name extends keyof HTMLElementEventMap>(name: Name, listener: (this: YinshBoardElement, event: HTMLElementEventMap[Name]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(name: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "yinsh-board": YinshBoardElement;
  }
}
