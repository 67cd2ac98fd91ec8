// The clocks of a game. They are told who is to move and keep only what is left;
// what a flag that falls means is for others to say.

const TICK_MS = 100;

/** Fires "tick" while a clock runs, and "flag" (detail: the side) at its end. */
export class Clocks extends EventTarget {
  /** Milliseconds left. @type {{w: number, b: number}|null} */
  #left = null;
  #side = null;
  #since = 0;
  #timer = 0;

  /** Milliseconds left to both sides now, or null if the game has no clocks. */
  get left() {
    if (!this.#left) return null;
    const left = { ...this.#left };
    if (this.#side) left[this.#side] = Math.max(0, left[this.#side] - (performance.now() - this.#since));
    return left;
  }

  /** The side whose clock runs. @returns {"w"|"b"|null} */
  get running() {
    return this.#side;
  }

  /**
   * Sets both clocks; neither runs.
   * @param {{w: number, b: number}|null} left
   */
  set(left) {
    this.stop();
    this.#left = left ? { ...left } : null;
    this.dispatchEvent(new Event("tick"));
  }

  /**
   * Lets one side's clock run instead of the other's.
   * @param {"w"|"b"} side
   */
  run(side) {
    if (!this.#left || this.#side === side) return;
    this.stop();
    this.#side = side;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Stops the clock that runs. */
  stop() {
    clearInterval(this.#timer);
    this.#left = this.left;
    this.#side = null;
  }

  #tick() {
    const side = this.#side;
    this.dispatchEvent(new Event("tick"));
    if (this.left[side] > 0) return;
    this.stop();
    this.dispatchEvent(new CustomEvent("flag", { detail: side }));
  }
}

/**
 * A time as a clock shows it: minutes and seconds, tenths in the last ten.
 * @param {number} ms
 * @returns {string}
 */
export function clockText(ms) {
  if (ms < 10000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
