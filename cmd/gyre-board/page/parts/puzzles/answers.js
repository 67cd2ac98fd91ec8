// Which turns are the same answer to a puzzle: what Same of bench/puzzles says, on words
// of the notation.

/**
 * Whether two turns of a position are the same answer: the same ring moves to the same
 * point, and the same rows are taken off before it and after it, in any order. The rings
 * that pay count if rings is set.
 * @param {string} a
 * @param {string} b
 * @param {boolean} rings
 */
export function sameAnswer(a, b, rings) {
  const [one, other] = [partsOf(a, rings), partsOf(b, rings)];
  return one.every((part, i) => part === other[i]);
}

// What comes off before the ring move, the move, and what comes off after it.
function partsOf(turn, rings) {
  const words = turn.split(";");
  const at = words.findIndex((word) => !word.startsWith("x"));
  const [before, move, after] = at < 0 ? [words, "", []] : [words.slice(0, at), words[at], words.slice(at + 1)];
  return [taken(before, rings), move, taken(after, rings)];
}

// "xb3-b7xb2" takes the row b3-b7 and the ring b2.
function taken(removals, rings) {
  const pairs = removals.map((word) => word.slice(1).split("x"));
  const rows = pairs.map(([row]) => row).sort();
  const paid = rings ? pairs.map(([, ring]) => ring).sort() : [];
  return [...rows, "/", ...paid].join(" ");
}
