// Parts of the page that load on demand, so that rarely used ones cost nothing at first.
// A part NAME is a folder, parts/NAME/: a module NAME.js, and its style NAME.css. The module's
// begin is called once with the page's objects (see _types/page.d.ts), creates the part's
// markup, and returns the part's methods: open() at least. Its messages are in
// language/en/parts.ftl. Any button with data-part="NAME" opens it (with the theme in
// data-theme). The exported page keeps all parts for offline use.

import { html, targetOf } from "./dom.js";
import { loadMore, t } from "./language.js";
import { LoadError, loadFile, reasonOf } from "./failures.js";

/**
 * How each part is loaded. style: the part whose style it has, if that is not its own; none if empty.
 * first: it needs only the messages that are loaded with the page.
 */
const PARTS = {
  tutorial: { load: () => import("./parts/tutorial/tutorial.js") },
  watch: { load: () => import("./parts/watch/watch.js") },
  review: { load: () => import("./parts/review/review.js") },
  pictures: { load: () => import("./parts/pictures/pictures.js"), first: true },
  sound: { load: () => import("./parts/sound/sound.js"), style: "", first: true },
  settings: { load: () => import("./parts/settings/settings.js") },
  games: { load: () => import("./parts/games/games.js") },
  image: { load: () => import("./parts/image/image.js") },
  worth: { load: () => import("./parts/worth/worth.js") },
  explorer: { load: () => import("./parts/explorer/explorer.js") },
  editor: { load: () => import("./parts/editor/editor.js") },
  coach: { load: () => import("./parts/coach/coach.js") },
  rating: { load: () => import("./parts/rating/rating.js") },
  strategy: { load: () => import("./parts/strategy/strategy.js") },
  due: { load: () => import("./parts/due/due.js"), style: "", first: true },
  moments: { load: () => import("./parts/moments/moments.js"), style: "sheet" },
  rush: { load: () => import("./parts/rush/rush.js"), style: "sheet" },
  challenge: { load: () => import("./parts/challenge/challenge.js"), style: "sheet" },
  puzzles: { load: () => import("./parts/puzzles/puzzles.js") },
  reviews: { load: () => import("./parts/reviews/reviews.js") },
  match: { load: () => import("./parts/match/match.js") },
  offers: { load: () => import("./parts/offers/offers.js") },
  remote: { load: () => import("./parts/remote/remote.js") },
  help: { load: () => import("./parts/help/help.js") },
};

/**
 * @typedef {keyof typeof PARTS} PartName
 * @typedef {import("./_types/page").Page} Page
 */

/**
 * The methods of a part.
 * @template {PartName} Name
 * @typedef {ReturnType<Awaited<ReturnType<typeof PARTS[Name]["load"]>>["begin"]>} Part
 */

/**
 * Loads each part once, on demand.
 * @param {Page} page
 */
export function partsOf(page) {
  /** @type {Map<PartName, Promise<any>>} */
  const begun = new Map();
  let left = false;

  /**
   * Opens a part, or shows a notice if that fails.
   * @param {PartName} name
   * @param {any} [how] the argument of the part's open
  */
  const open = async (name, how) => {
    const again = () => open(name, how);
    const part = await get(name, again);
    try {
      await part?.open(how);
    } catch (error) {
      report(error);
      page.notices.show(`part ${name}`, t("part-not-opened", { part: t(`part-${name}`), reason: reasonOf(error) }), { action: [t("try-again"), again, true] });
    }
  };

  /**
   * Loads a part, or shows a notice if that fails.
   * @template {PartName} Name
   * @param {Name} name
   * @param {() => void} again called when the user tries again
   * @returns {Promise<Part<Name>|null>} null if it cannot be loaded now
  */
  const get = async (name, again) => {
    const { notices } = page;
    const key = `part ${name}`;
    const beginning = begun.get(name) ?? begin(name);
    begun.set(name, beginning);
    try {
      const part = await beginning;
      notices.remove(key);
      return part;
    } catch (error) {
      begun.delete(name);
      if (!(error instanceof LoadError)) report(error);
      /** @type {[string, () => void, boolean]} */
      const action = error instanceof LoadError && error.forGood ? [t("reload"), () => location.reload(), true] : [t("try-again"), again, true];
      notices.show(key, t("part-not-loaded", { part: t(`part-${name}`), reason: reasonOf(error) }), { action });
      return null;
    }
  };

  const begin = async (name) => {
    await Promise.all([loadFile(address(name, "js")), "first" in PARTS[name] || loadMore(loadFile)]);
    const { style = name } = /** @type {{style?: string}} */ (PARTS[name]);
    if (style) await addStyle(address(style, "css"));
    const module = await load(name);
    return module.begin(page);
  };

  // When the page is left, Firefox ends imports and fetches of parts with errors.
  const report = (error) => left || console.error(error);

  addEventListener("beforeunload", () => (left = true));
  document.addEventListener("click", (event) => {
    const button = targetOf(event, "[data-part]");
    if (button) open(/** @type {PartName} */ (button.dataset.part), button.dataset.theme && { theme: button.dataset.theme });
  });
  return { open, get };
}

// If a module cannot be fetched, browsers throw a TypeError that mentions the import, and
// may not request the module again as long as the page lives.
async function load(name) {
  try {
    return await PARTS[name].load();
  } catch (error) {
    throw error instanceof TypeError && /import/i.test(error.message) ? new LoadError(t("no-connection"), true) : error;
  }
}

function address(name, kind) {
  return new URL(`parts/${name}/${name}.${kind}`, import.meta.url).href;
}

function addStyle(href) {
  if (document.querySelector(`[href="${href}"]`)) return undefined;
  return new Promise((resolve, reject) => {
    const link = html("link", { rel: "stylesheet", href });
    link.addEventListener("load", () => resolve(link));
    link.addEventListener("error", () => {
      link.remove();
      reject(new LoadError(t("no-connection")));
    });
    document.head.append(link);
  });
}
