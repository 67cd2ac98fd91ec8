// Parts of the page that are loaded when they are wanted, so that what few visits need
// weighs on none. A part NAME is a folder, parts/NAME/:
//
//   NAME.js   a module with a function begin, which is called once with the parts of the
//             page that are there (see _types/page.d.ts), makes its markup, and returns
//             what can be done with the part: open() at least
//   NAME.css  its style, on the page before begin is called, unless it has none
//
// and what modules it has besides; it imports those of the page as they do each other.
// A new one has a line in the table below, and is opened by any button with
// data-part="NAME", such as those of #learn, or by open and get. The exported page keeps
// all parts for when there is no network; modules outside of parts/ it loads at once.

import { html, targetOf } from "./dom.js";

/** How each part is loaded, and what it is called where it cannot be. */
const PARTS = {
  tutorial: { title: "The tutorial", load: () => import("./parts/tutorial/tutorial.js") },
  watch: { title: "The bar for watching", load: () => import("./parts/watch/watch.js") },
  review: { title: "The review", load: () => import("./parts/review/review.js") },
  pictures: { title: "The pictures of the rules", load: () => import("./parts/pictures/pictures.js") },
  sound: { title: "The sounds", load: () => import("./parts/sound/sound.js"), bare: true },
  settings: { title: "The settings", load: () => import("./parts/settings/settings.js") },
  games: { title: "The list of games", load: () => import("./parts/games/games.js") },
  image: { title: "The dialog for pictures of the board", load: () => import("./parts/image/image.js") },
  worth: { title: "What targets are worth", load: () => import("./parts/worth/worth.js") },
  explorer: { title: "The opening explorer", load: () => import("./parts/explorer/explorer.js") },
  editor: { title: "The board for setting up positions", load: () => import("./parts/editor/editor.js") },
  coach: { title: "The coach", load: () => import("./parts/coach/coach.js") },
  rating: { title: "Your rating", load: () => import("./parts/rating/rating.js") },
  puzzles: { title: "The puzzles", load: () => import("./parts/puzzles/puzzles.js") },
  reviews: { title: "The review of several games", load: () => import("./parts/reviews/reviews.js") },
  match: { title: "The match of engines", load: () => import("./parts/match/match.js") },
  help: { title: "Help", load: () => import("./parts/help/help.js") },
};

/**
 * @typedef {keyof typeof PARTS} PartName
 * @typedef {import("./_types/page").Page} Page
 */

/**
 * What can be done with a part.
 * @template {PartName} Name
 * @typedef {ReturnType<Awaited<ReturnType<typeof PARTS[Name]["load"]>>["begin"]>} Part
 */

/** The parts, each loaded and begun once. */
export class Parts {
  /** @type {Page} */
  #page;
  /** @type {Map<PartName, Promise<any>>} */
  #begun = new Map();
  #left = false;

  /** @param {Omit<Page, "parts">} page */
  constructor(page) {
    this.#page = { ...page, parts: this };
    addEventListener("beforeunload", () => (this.#left = true));
    document.addEventListener("click", (event) => {
      const button = targetOf(event, "[data-part]");
      if (button) this.open(/** @type {PartName} */ (button.dataset.part));
    });
  }

  /**
   * Opens a part. Where that fails the page tells so.
   * @param {PartName} name
   * @param {any} [how] what its open is called with
   */
  async open(name, how) {
    const again = () => this.open(name, how);
    const part = await this.get(name, again);
    try {
      await part?.open(how);
    } catch (error) {
      this.#tell(error);
      this.#page.notices.show(`part ${name}`, `${PARTS[name].title} cannot be opened: ${error.message}.`, { action: ["Try again", again] });
    }
  }

  /**
   * A part that is wanted. Where it cannot be loaded the page tells so.
   * @template {PartName} Name
   * @param {Name} name
   * @param {() => void} again what to do when the user tries again
   * @returns {Promise<Part<Name>|null>} null where it cannot be loaded now
   */
  async get(name, again) {
    const { notices } = this.#page;
    const key = `part ${name}`;
    const begun = this.#begun.get(name) ?? this.#begin(name);
    this.#begun.set(name, begun);
    try {
      const part = await begun;
      notices.remove(key);
      return part;
    } catch (error) {
      this.#begun.delete(name);
      if (!(error instanceof LoadError)) this.#tell(error);
      /** @type {[string, function]} */
      const action = error instanceof LoadError && error.forGood ? ["Load the page again", () => location.reload()] : ["Try again", again];
      notices.show(key, `${PARTS[name].title} cannot be loaded: ${error.message}.`, { action });
      return null;
    }
  }

  async #begin(name) {
    await prefetch(address(name, "js"));
    if (!("bare" in PARTS[name])) await addStyle(address(name, "css"));
    const { begin } = await this.#import(name);
    return begin(this.#page);
  }

  // Where a module of the part cannot be fetched, browsers throw a TypeError that tells of
  // the import, and may not ask for it again as long as the page lives.
  async #import(name) {
    try {
      return await PARTS[name].load();
    } catch (error) {
      throw error instanceof TypeError && /import/i.test(error.message) ? new LoadError("there is no connection", true) : error;
    }
  }

  // When the page is left Firefox ends imports, and what parts fetch, with errors.
  #tell(error) {
    if (!this.#left) console.error(error);
  }
}

/** A file that the server has not now, or that this page will never get. */
class LoadError extends Error {
  constructor(message, forGood = false) {
    super(message);
    this.forGood = forGood;
  }
}

function address(name, kind) {
  return new URL(`parts/${name}/${name}.${kind}`, import.meta.url).href;
}

// Browsers may never ask again for a module that could not be fetched when it was
// imported. What this fetches is imported without another request.
async function prefetch(module) {
  const answer = await fetch(module).catch(() => {
    throw new LoadError("there is no connection");
  });
  // Files of another version have other names.
  if (answer.status === 404) throw new LoadError("the board has another version now", true);
  if (!answer.ok) throw new LoadError(`the answer is ${answer.status} ${answer.statusText}`);
  await answer.arrayBuffer();
}

function addStyle(href) {
  return new Promise((resolve, reject) => {
    const link = html("link", { rel: "stylesheet", href });
    link.addEventListener("load", () => resolve(link));
    link.addEventListener("error", () => {
      link.remove();
      reject(new LoadError("there is no connection"));
    });
    document.head.append(link);
  });
}
