// Reading turns as words, for drawing them: what a turn does to which points.
// Whether it is legal is for the server to say.

/**
 * @typedef {Object} Part
 * @property {"place"|"move"|"take"|"pass"} do
 * @property {string} [from] the ring that moves
 * @property {string} [to] where a ring comes to stand
 * @property {[string, string]} [row] the ends of a row taken off
 * @property {string} [ring] the ring that pays for the row
 */

const POINT = "([a-k](?:1[01]|[1-9]))";
const PLACE = new RegExp(`^${POINT}$`);
const MOVE = new RegExp(`^${POINT}(?:-| +)${POINT}$`);
const TAKE = new RegExp(`^x${POINT}-${POINT}(?: *x${POINT})?$`);

/**
 * The parts of a turn in order. Blanks may stand around the semicolons, and instead of
 * the hyphen of a move. A part that is not understood ends the list.
 * @param {string} turn
 * @returns {Part[]}
 */
export function parts(turn) {
  const all = [];
  for (const part of turn.trim().toLowerCase().split(";")) {
    const word = part.trim();
    let found;
    if (word === "pass") all.push({ do: "pass" });
    else if ((found = PLACE.exec(word))) all.push({ do: "place", to: found[1] });
    else if ((found = MOVE.exec(word))) all.push({ do: "move", from: found[1], to: found[2] });
    else if ((found = TAKE.exec(word))) all.push({ do: "take", row: [found[1], found[2]], ring: found[3] });
    else return all;
  }
  return all;
}

/**
 * The steps that a part stands for: taking a row off is two.
 * @param {Part} part
 * @returns {Array<{do: string, matches: (step: Object) => boolean, text: string}>}
 */
export function stepsOf(part) {
  switch (part.do) {
    case "place":
      return [wanted("place", part.to, (step) => step.to === part.to)];
    case "move":
      return [wanted("move", `${part.from}-${part.to}`, (step) => step.from === part.from && step.to === part.to)];
    case "take": {
      const ends = [...part.row].sort().join();
      const row = wanted("row", `x${part.row.join("-")}`, (step) => [...step.row].sort().join() === ends);
      return part.ring ? [row, wanted("ring", `x${part.ring}`, (step) => step.from === part.ring)] : [row];
    }
    default:
      return [wanted("pass", "pass", () => true)];
  }
}

function wanted(kind, text, same) {
  return { do: kind, text, matches: (step) => step.do === kind && same(step) };
}
