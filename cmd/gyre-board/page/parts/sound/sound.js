// The sounds of the pieces, synthesized: a ring placed, a ring sliding, markers flipping one
// by one, a glowing row, a ring won.

/** @type {AudioContext|null} */
let context = null;

/** Starts the sounds: open plays the sound of an act. */
export function begin() {
  return { open: play };
}

/** @param {{do: string, flips?: string[]}} act */
function play(act) {
  try {
    context ??= new AudioContext();
  } catch {
    return undefined; // without a sound device, or too many pages with sounds
  }
  // Browsers allow no sound before the first press.
  if (context.state === "suspended") context.resume().catch(() => {});
  const now = context.currentTime;
  switch (act.do) {
    case "place":
      return knock(now, 190, 0.5);
    case "move":
      slide(now);
      knock(now + 0.26, 160, 0.4);
      return act.flips?.forEach((_, i) => knock(now + 0.34 + 0.065 * i, 520 + 30 * i, 0.22));
    case "row":
      return [523, 659, 784].forEach((pitch, i) => bell(now + 0.09 * i, pitch));
    case "ring":
      return [659, 880].forEach((pitch, i) => bell(now + 0.12 * i, pitch));
    default:
      return undefined;
  }
}

// Wood on wood: a short low tone and a click.
function knock(at, pitch, loud) {
  tone("triangle", at, pitch, loud, 0.09);
  tone("square", at, pitch * 4.7, loud / 8, 0.02);
}

function bell(at, pitch) {
  tone("sine", at, pitch, 0.22, 0.5);
  tone("sine", at, pitch * 2.76, 0.05, 0.25);
}

function tone(type, at, pitch, loud, seconds) {
  const source = new OscillatorNode(context, { type, frequency: pitch });
  send(source, at, loud, seconds);
}

// A sliding ring is a short noise.
function slide(at) {
  const length = Math.ceil(context.sampleRate * 0.26);
  const buffer = new AudioBuffer({ length, sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  const low = new BiquadFilterNode(context, { type: "lowpass", frequency: 900 });
  source.connect(low);
  send(source, at, 0.06, 0.26, low);
}

function send(source, at, loud, seconds, from = source) {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  from.connect(volume).connect(context.destination);
  source.start(at);
  source.stop(at + seconds);
}
