// A game as an animated GIF: a frame for each position. Only what changes from one to
// the next is in a frame, so that the file stays small.

import { GIFEncoder, applyPalette, quantize } from "./gifenc/gifenc.js";
import { paint } from "./drawing.js";

/** The colour that stands for what stays as it was. */
const STAYS = 255;

const LAST_STAYS_MS = 3000;

/**
 * @param {import("./drawing.js").Drawing} drawing
 * @param {import("../../_types/messages").Game} game the line
 * @param {Object} how
 * @param {number} how.size of the picture in pixels
 * @param {number} how.delay milliseconds for a frame
 * @param {boolean} how.last whether the last turn is marked
 * @param {(share: number) => void} how.told how much is done
 * @param {() => boolean} how.stopped
 * @returns {Promise<Uint8Array<ArrayBuffer>|null>} the file, null where it was stopped
 */
export async function animate(drawing, game, { size, delay, last, told, stopped }) {
  const [plate, canvas] = [canvasOf(size), canvasOf(size)];
  await paint(plate, await drawing.text({ pieces: false }));
  const file = GIFEncoder();
  let before = null;
  let palette = null;
  const { views, turns } = game;
  const draw = async (ply) => {
    drawing.show(views[ply], last && ply > 0 ? turns[ply - 1].acts : []);
    canvas.drawImage(plate.canvas, 0, 0);
    await paint(canvas, await drawing.text({ plate: false }));
    return canvas.getImageData(0, 0, size, size).data;
  };
  // The middle of the game has all colours.
  palette = quantize(await draw(views.length >> 1), STAYS);
  while (palette.length <= STAYS) palette.push([0, 0, 0]);
  const colours = palette.slice(0, STAYS);
  for (let ply = 0; ply < views.length; ply++) {
    if (stopped()) return null;
    const index = applyPalette(await draw(ply), colours);
    const frame = before ? index.map((colour, i) => (colour === before[i] ? STAYS : colour)) : index;
    file.writeFrame(frame, size, size, {
      palette: before ? undefined : palette, transparent: Boolean(before), transparentIndex: STAYS, dispose: 1, delay: ply === views.length - 1 ? LAST_STAYS_MS : delay,
    });
    before = index;
    told((ply + 1) / views.length);
    // The page lives on meanwhile.
    await new Promise((resolve) => setTimeout(resolve));
  }
  file.finish();
  return file.bytes();
}

function canvasOf(size) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [size, size];
  return canvas.getContext("2d", { willReadFrequently: true });
}
