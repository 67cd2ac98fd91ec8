// Large files in pieces: each has whole games, as many as there is room for, so
// that the server reads them one piece after the other and the page goes on.

/** How many characters a piece has at least, but the last one. */
const PIECE = 16_384;

/** And at most: what is longer is no game. */
const LONGEST = 3_000_000;

/**
 * @typedef {Object} Piece
 * @property {string} text
 * @property {number} line the number of its first line
 */

/**
 * Cuts a file into pieces as it is read.
 * @param {Blob} blob
 * @param {(bytes: number) => void} read told how much has been read
 * @returns {AsyncGenerator<Piece>}
 */
export async function* piecesOf(blob, read) {
  const decoder = new TextDecoder();
  const reader = blob.stream().getReader();
  let cutter = null;
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    read(bytes);
    const text = decoder.decode(part.value, { stream: true });
    cutter ??= cutterFor(text, PIECE);
    yield* cutter.add(text);
  }
  cutter ??= cutterFor("", PIECE);
  yield* cutter.add(decoder.decode());
  yield* cutter.end();
}

/**
 * The single games of a piece.
 * @param {Piece} piece
 * @returns {Piece[]}
 */
export function gamesOf({ text, line }) {
  const cutter = cutterFor(text, 0, line);
  return [...cutter.add(text), ...cutter.end()];
}

function cutterFor(text, least, line = 1) {
  return new Cutter(text.trimStart().startsWith("(") ? new TreeEnds() : new RecordBegins(), least, line);
}

/** Cuts lines of text where a new game begins. */
class Cutter {
  #games;
  #least;
  #line;
  #lines = [];
  #size = 0;
  #rest = "";

  constructor(games, least, line) {
    [this.#games, this.#least, this.#line] = [games, least, line];
  }

  *add(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) yield* this.#take(`${line}\n`);
    if (this.#size + this.#rest.length > LONGEST) throw new Error(`line ${this.#line}: what begins here is too long for a game`);
  }

  *end() {
    yield* this.#take(this.#rest);
    if (this.#lines.some((line) => line.trim())) yield this.#cut();
  }

  *#take(line) {
    if (this.#games.beginsWith(line) && this.#size > this.#least) yield this.#cut();
    this.#lines.push(line);
    this.#size += line.length;
  }

  #cut() {
    const piece = { text: this.#lines.join(""), line: this.#line };
    this.#line += this.#lines.length;
    this.#lines = [];
    this.#size = 0;
    return piece;
  }
}

/** Records begin with tags, which follow no other tag. */
class RecordBegins {
  #inTags = false;
  #inComment = false;
  #inGame = false;

  beginsWith(line) {
    if (!line.trim()) return false;
    const tag = !this.#inComment && /^\s*\[/.test(line);
    const begins = tag && !this.#inTags && this.#inGame;
    this.#inTags = tag;
    this.#inGame = true;
    if (!tag) this.#follow(line);
    return begins;
  }

  // A comment goes to the first closing brace.
  #follow(line) {
    for (const c of line) this.#inComment = this.#inComment ? c !== "}" : c === "{";
  }
}

/** Games of SGF are trees in parentheses; the text of a property is in brackets. */
class TreeEnds {
  #depth = 0;
  #inText = false;
  #any = false;

  beginsWith(line) {
    const begins = this.#any && this.#depth === 0 && line.trimStart().startsWith("(");
    for (let i = 0; i < line.length; i++) {
      const c = line[i];
      if (this.#inText && c === "\\") i++;
      else if (this.#inText) this.#inText = c !== "]";
      else if (c === "[") this.#inText = true;
      else if (c === "(") this.#depth++;
      else if (c === ")") this.#depth--;
    }
    this.#any = true;
    return begins;
  }
}
