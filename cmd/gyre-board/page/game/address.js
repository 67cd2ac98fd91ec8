// The link that holds a position and the turns from it, in the part of the
// address after #, which browsers never send to a server:
//   #rules=blitz&start=4/7/.../4_w_0-0&turns=f6,e5,e4-e10&at=2
// All characters of turns and positions may stand there as they are, but blanks.

/**
 * The link of a game up to the end of a line.
 * @param {{rules: string, start: string, turns: string[]}} path
 * @param {number} at the ply that is shown
 * @returns {string} the whole address
 */
export function linkTo(path, at) {
  const fields = [`rules=${path.rules}`];
  if (path.start !== "startpos") fields.push(`start=${path.start.replaceAll(" ", "_")}`);
  if (path.turns.length) fields.push(`turns=${path.turns.join(",")}`);
  if (at !== path.turns.length) fields.push(`at=${at}`);
  return `${location.origin}${location.pathname}#${fields.join("&")}`;
}

/**
 * What a fragment says, or null if it is not such a link.
 * @param {string} fragment with or without the #
 * @returns {{path: import("../_types/messages").Path, at: number}|null}
 */
export function readLink(fragment) {
  let text = fragment.replace(/^#/, "");
  try {
    text = decodeURIComponent(text);
  } catch {
    // Not encoded: taken as it stands.
  }
  const fields = new Map(text.split("&").map((field) => [field.split("=")[0], field.slice(field.indexOf("=") + 1)]));
  if (!fields.has("rules") && !fields.has("turns") && !fields.has("start")) return null;
  const turns = (fields.get("turns") ?? "").split(",").filter(Boolean);
  /** @type {import("../_types/messages").Path} */
  const path = {
    rules: fields.get("rules") === "blitz" ? "blitz" : "standard",
    start: (fields.get("start") ?? "startpos").replaceAll("_", " "),
    turns,
  };
  const at = Number.parseInt(fields.get("at") ?? "", 10);
  return { path, at: Number.isInteger(at) ? Math.max(0, Math.min(at, turns.length)) : turns.length };
}
