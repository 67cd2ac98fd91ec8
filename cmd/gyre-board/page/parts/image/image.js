// Pictures: the shown position as SVG or PNG, and the line that is shown as a GIF.

import { byId, markup, setText } from "../../dom.js";
import { openDialog } from "../../panels/dialogs.js";
import { attempt, download } from "../games/gamelist.js";
import { animate } from "./animation.js";
import { Drawing, addressOf, paint } from "./drawing.js";

const DIALOG = `
<dialog id="image-dialog" aria-labelledby="image-title" data-testid="image-dialog">
  <h2 id="image-title">Picture</h2>
  <img id="image-preview" alt="The board as the picture shows it" data-testid="image-preview">
  <div class="row">
    <label class="check"><input id="image-coordinates" type="checkbox" checked> Coordinates</label>
    <label class="check"><input id="image-last" type="checkbox" checked> Last turn</label>
    <label>Size <select id="image-size" data-testid="image-size"><option value="480">480<option value="800" selected>800<option value="1200">1200<option value="2000">2000</select> pixels</label>
    <label>A turn in the GIF <select id="image-delay" data-testid="image-delay"><option value="400">0.4 s<option value="1000" selected>1 s<option value="2000">2 s</select></label>
  </div>
  <div id="image-progress" class="review-progress" hidden>
    <progress id="image-bar" max="1" value="0" aria-label="Progress of the GIF"></progress>
    <button id="image-stop" data-testid="image-stop">Cancel</button>
  </div>
  <p id="image-said" class="fine" role="status" data-testid="image-said"></p>
  <div class="buttons">
    <button id="image-svg" data-testid="image-svg">Save SVG</button>
    <button id="image-png" data-testid="image-png">Save PNG</button>
    <button id="image-gif" data-testid="image-gif">Save GIF of the game</button>
    <button type="button" data-close>Close</button>
  </div>
</dialog>`;

// The line that tells what was done.
const SAID = "image-said";

/** A GIF has the pixels of every turn: more than these make it very large. */
const LARGEST_GIF = 800;

/** @param {import("../../_types/page").Page} page */
export function begin(page) {
  document.body.append(markup(DIALOG));
  const picture = new Picture(page);
  return { open: () => picture.open() };
}

class Picture {
  #controller;
  #board;
  #stopped = true;
  #drawn = 0;

  /** @param {import("../../_types/page").Page} page */
  constructor({ controller, board }) {
    [this.#controller, this.#board] = [controller, board];
    for (const id of ["image-coordinates", "image-last", "image-size"]) byId(id).addEventListener("change", () => attempt(SAID, () => this.#preview()));
    byId("image-svg").addEventListener("click", () => attempt(SAID, async () => this.#save(await this.#still(), "svg", "image/svg+xml")));
    byId("image-png").addEventListener("click", () => attempt(SAID, () => this.#png()));
    byId("image-gif").addEventListener("click", () => attempt(SAID, () => this.#gif()));
    byId("image-stop").addEventListener("click", () => (this.#stopped = true));
    byId("image-dialog").addEventListener("close", () => (this.#stopped = true));
  }

  open() {
    setText(byId("image-said"), "");
    openDialog("image-dialog");
    attempt(SAID, () => this.#preview());
  }

  get #size() {
    return Number(/** @type {HTMLSelectElement} */ (byId("image-size")).value);
  }

  #checked(id) {
    return /** @type {HTMLInputElement} */ (byId(id)).checked;
  }

  #drawing(width) {
    return new Drawing({ rules: this.#controller.game.rules, coordinates: this.#checked("image-coordinates"), width, turned: this.#board.turned });
  }

  // The shown position.
  async #still() {
    const { view, lastTurn } = this.#controller;
    const drawing = this.#drawing(this.#size);
    drawing.show(view, this.#checked("image-last") && lastTurn ? lastTurn.acts : []);
    try {
      return await drawing.text({ about: `YINSH, ${view.rules}: ${view.position}` });
    } finally {
      drawing.remove();
    }
  }

  async #preview() {
    const drawn = ++this.#drawn;
    const text = await this.#still();
    if (drawn === this.#drawn) /** @type {HTMLImageElement} */ (byId("image-preview")).src = addressOf(text);
  }

  async #png() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = this.#size;
    await paint(canvas.getContext("2d"), await this.#still());
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the browser makes no picture of this size");
    this.#save(blob, "png", "image/png");
  }

  async #gif() {
    const { reply } = this.#controller;
    if (!reply || !this.#stopped) return;
    this.#stopped = false;
    const size = Math.min(this.#size, LARGEST_GIF);
    const drawing = this.#drawing(size);
    const button = /** @type {HTMLButtonElement} */ (byId("image-gif"));
    const bar = /** @type {HTMLProgressElement} */ (byId("image-bar"));
    bar.value = 0;
    byId("image-progress").hidden = false;
    button.disabled = true;
    setText(byId("image-said"), "");
    try {
      const bytes = await animate(drawing, reply, {
        size,
        delay: Number(/** @type {HTMLSelectElement} */ (byId("image-delay")).value),
        last: this.#checked("image-last"),
        told: (share) => (bar.value = share),
        stopped: () => this.#stopped,
      });
      if (bytes) this.#save(bytes, "gif", "image/gif");
      else setText(byId("image-said"), "Cancelled: nothing was saved.");
    } finally {
      this.#stopped = true;
      drawing.remove();
      byId("image-progress").hidden = true;
      button.disabled = false;
    }
  }

  #save(content, kind, type) {
    const blob = new Blob([content], { type });
    const size = blob.size < 1e6 ? `${Math.ceil(blob.size / 1e3)} kB` : `${(blob.size / 1e6).toFixed(1)} MB`;
    setText(byId("image-said"), `Saved as ${download(`yinsh.${kind}`, [blob])}, ${size}.`);
  }
}
