// Numbers that everybody gets alike: a checksum of a text, and random numbers from a seed.

/**
 * The hash FNV-1a of a text, with 32 bits.
 * @param {string} text
 */
export function sumOf(text) {
  let sum = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/**
 * A function that returns a number from 0 to below 1 for each call, by the generator mulberry32.
 * @param {number} seed
 */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}
