// A position in the making, and how it was before each change.

/** What can be put on a point, and the key that chooses it. */
export const TOOLS = [
  { letter: "W", name: "White ring", key: "1" },
  { letter: "B", name: "Black ring", key: "2" },
  { letter: "w", name: "White marker", key: "3" },
  { letter: "b", name: "Black marker", key: "4" },
  { letter: "", name: "Erase", key: "5" },
];

// So many changes can be taken back.
const MOST_BACK = 200;

/** Pieces, side to move, rings won and rules. */
export class Setting {
  /** Letters by point: W, B rings; w, b markers. @type {Object<string, string>} */
  points = {};
  /** Rings won by White and by Black. @type {[number, number]} */
  removed = [0, 0];
  /** @type {"w"|"b"} */
  side = "w";
  /** @type {"standard"|"blitz"} */
  rules = "standard";
  /** Whether a position was taken or changed. */
  begun = false;
  #before = [];

  /** Whether a change can be taken back. */
  get canGoBack() {
    return this.#before.length > 0;
  }

  /**
   * Changes the setting, unless that changes nothing.
   * @param {(setting: Setting) => void} how
   */
  change(how) {
    const before = this.#kept();
    how(this);
    this.begun = true;
    if (JSON.stringify(before) === JSON.stringify(this.#kept())) return;
    this.#before.push(before);
    if (this.#before.length > MOST_BACK) this.#before.shift();
  }

  /** Takes the last change back. @returns {boolean} whether there was one */
  back() {
    if (!this.canGoBack) return false;
    Object.assign(this, this.#before.pop());
    return true;
  }

  /**
   * Puts a piece on a point instead of what is there.
   * @param {string} point
   * @param {string} letter empty for none
   */
  put(point, letter) {
    const { [point]: _, ...others } = this.points;
    this.points = letter ? { ...others, [point]: letter } : others;
  }

  /**
   * Moves a piece to another point, or off the board.
   * @param {string} from
   * @param {string|null} to
   */
  move(from, to) {
    const letter = this.points[from];
    if (!letter || from === to) return;
    this.put(from, "");
    if (to) this.put(to, letter);
  }

  /**
   * Sets how many rings a side has won.
   * @param {string} side
   * @param {number} rings
   */
  win(side, rings) {
    this.removed = side === "w" ? [rings, this.removed[1]] : [this.removed[0], rings];
  }

  /** Takes everything off. */
  clear() {
    this.points = {};
    this.removed = [0, 0];
    this.side = "w";
  }

  /**
   * Takes a position over.
   * @param {{points: Object<string, string>, removed: [number, number], side: "w"|"b", rules: "standard"|"blitz"}} view
   */
  take({ points, removed, side, rules }) {
    Object.assign(this, { points: { ...points }, removed: [...removed], side, rules, begun: true });
  }

  #kept() {
    const { points, removed, side, rules } = this;
    return { points, removed, side, rules };
  }
}
