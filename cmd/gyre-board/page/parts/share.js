// Sharing a text or a link: by the system's own dialog where there is one, or by the clipboard.

/**
 * Copies a text, or selects it in its box if the browser forbids access to the clipboard.
 * @param {HTMLInputElement|HTMLTextAreaElement} box
 * @param {string} [text]
 * @returns {Promise<boolean>} whether it is copied
 */
export async function copyText(box, text = box.value) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    box.select();
    return false;
  }
}

/**
 * Shares a text, or a link.
 * @param {string} text
 * @param {() => Promise<void>} otherwise called if the system's dialog fails
 */
export async function send(text, otherwise) {
  try {
    await navigator.share(/^https?:\S+$/.test(text) ? { title: document.title, url: text } : { text });
  } catch (error) {
    if (error.name !== "AbortError") await otherwise();
  }
}
