// Failures of a browser in words: its storage, its permissions, and missing files of the page. The page
// shows reasonOf(error), never the error's message.

import { isStorageBlocked } from "./game/settings.js";
import { t } from "./language.js";

/** The errors of a database that is damaged. */
const DAMAGE = ["InvalidStateError", "UnknownError", "NotFoundError", "VersionError", "DataError", "AbortError"];

/**
 * Whether an error says that the database is damaged.
 * @param {Error} error
 */
export function isDamage(error) {
  return DAMAGE.includes(error.name);
}

/**
 * Why something failed, in words: part of a sentence. Errors of the page and of its program are in words
 * already. The text of a browser is always English, so it is shown only if there is no message for its error.
 * @param {Error} error
 */
export function reasonOf(error) {
  const { name, message } = error;
  if (name === "Error") return message;
  if (name === "QuotaExceededError") return t("storage-full");
  if (name === "SecurityError" || (isDamage(error) && isStorageBlocked())) return t("storage-blocked");
  if (isDamage(error)) return t("storage-damaged");
  return name === "NotAllowedError" ? t("not-allowed") : t("error-other", { error: `${name}: ${message}` });
}

/** A file that the server does not have now, or not for this page. */
export class LoadError extends Error {
  /** @param {string} message @param {boolean} [forGood] whether trying again is no use */
  constructor(message, forGood = false) {
    super(message);
    this.forGood = forGood;
  }
}

/**
 * The text of a file of the page. Browsers may never request a module again whose import failed; a module
 * that was loaded here is imported without another request.
 * @param {string|URL} address
 * @returns {Promise<string>} rejects with a LoadError
 */
export async function loadFile(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer) throw new LoadError(t("no-connection"));
  // Files of other versions have other names.
  if (answer.status === 404) throw new LoadError(t("other-version"), true);
  if (!answer.ok) throw new LoadError(t("bad-answer", { status: `${answer.status} ${answer.statusText}` }));
  const [file, type] = [String(address).split("/").at(-1), (answer.headers.get("Content-Type") ?? "").split(";")[0]];
  if (file.endsWith(".js") && !/(java|ecma)script$/.test(type)) throw new LoadError(t("bad-type", { file, type: type || "–" }), true);
  return answer.text().catch(() => {
    throw new LoadError(t("no-connection"));
  });
}
