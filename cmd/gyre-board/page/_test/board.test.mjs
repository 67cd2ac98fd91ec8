// Tests of the board and of entering moves: node --test page/_test/
// Folders whose names begin with an underscore are not embedded.

import "./english.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DIRECTIONS, EDGE, handleSpot, labels, lines, nearest, neighbor, parseTurn, place, points, span } from "../../../../position/drawing/geometry.js";
import { runs } from "../../../../position/drawing/marks.js";
import { START, turnSteps, viewOf } from "../../../../position/drawing/rules.js";
import { TRAY_SCALE, material, traySpot } from "../../../../position/drawing/plate.js";
import { MoveInput, hints } from "../board/moveinput.js";
import { Pointer, boardInput } from "../board/pointer.js";
import { withElements } from "../../../../position/drawing/svg.js";
import { keyOf } from "../dom.js";

// Browsers have this event; Node.js has it from version 19 on.
globalThis.CustomEvent ??= class extends Event {
  constructor(name, { detail } = {}) {
    super(name);
    this.detail = detail;
  }
};

test("the board has 85 points, 222 pairs of neighbors and 33 lines", () => {
  assert.equal(points.length, 85);
  const pairs = points.flatMap((point) => DIRECTIONS.map((d) => neighbor(point, ...d)).filter(Boolean).map((next) => [point, next]));
  assert.equal(pairs.length, 222);
  assert.equal(lines().length, 33);
  for (const [a, b] of pairs) {
    const distance = Math.hypot(place(a).x - place(b).x, place(a).y - place(b).y);
    assert.ok(Math.abs(distance - 100) < 1e-9, `${a} to ${b} is ${distance}`);
  }
});

test("labels are clear of rings at the edge and in the trays, and all of that is on the plate", () => {
  const reach = 45; // the radius of a ring
  const trays = ["w", "b"].flatMap((side) => [0, 1, 2].map((index) => ({ ...traySpot(side, index), reach: TRAY_SCALE * reach })));
  const rings = [...points.map((name) => ({ ...place(name), reach })), ...trays];
  for (const ring of rings) assert.ok(Math.max(Math.abs(ring.x), Math.abs(ring.y)) + ring.reach <= EDGE, `a ring at ${ring.x}, ${ring.y}`);
  for (const [i, tray] of trays.entries()) {
    for (const other of trays.slice(i + 1)) assert.ok(Math.hypot(tray.x - other.x, tray.y - other.y) > 2 * tray.reach, "two trays");
  }
  assert.equal(labels().length, 22);
  for (const { text, x, y } of labels()) {
    // Half the size of the text on a board of 380 pixels.
    const [width, height] = [10 * text.length, 15];
    assert.ok(Math.abs(x) + width <= EDGE && Math.abs(y) + height <= EDGE, `${text} is at ${x}, ${y}`);
    for (const ring of rings) {
      const away = Math.hypot(Math.max(Math.abs(x - ring.x) - width, 0), Math.max(Math.abs(y - ring.y) - height, 0));
      assert.ok(away >= ring.reach, `${text} is ${away.toFixed(1)} from the center of a ring at ${ring.x}, ${ring.y}`);
    }
  }
});

/** The declarations of a style sheet by selector. */
function declarations(text) {
  const all = new Map();
  for (const [, selectors, block] of text.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{};]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(",")) {
      const own = all.get(selector.trim()) ?? new Map();
      all.set(selector.trim(), own);
      for (const [, name, value] of block.matchAll(/([\w-]+): ([^;]+)/g)) own.set(name, value.trim());
    }
  }
  return all;
}

/** The colors of a gradient's stops, as [offset, color], by its id. */
function gradients() {
  class Node {
    constructor(_, attributes = {}) {
      this.attributes = attributes;
      this.children = [];
    }

    append(...children) {
      this.children.push(...children);
    }

    setAttribute(name, value) {
      this.attributes[name] = value;
    }
  }
  const { children } = withElements((name) => new Node(name), material);
  return new Map(children.map(({ attributes, children: stops }) => [attributes.id, stops.map((stop) => [Number(stop.attributes.offset), stop.attributes["stop-color"]])]));
}

const channels = (color) => [1, 3, 5].map((at) => parseInt((color.length === 4 ? color.replace(/\w/g, "$&$&") : color).slice(at, at + 2), 16));

/** Paints a color over another one. Both are channels from 0 to 255. */
const over = (color, opacity, under) => color.map((channel, i) => opacity * channel + (1 - opacity) * under[i]);

/** The contrast of two colors from 1 to 21, as WCAG defines it. */
function contrast(...pair) {
  const [low, high] = pair.map((color) => {
    const [r, g, b] = color.map((channel) => (channel <= 10.3 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// WCAG 1.4.11 asks for a contrast of 3:1 for graphics. An edge must be seen on a phone, too.
const LEAST_CONTRAST = 3;
const LEAST_EDGE = 0.75;
const PHONE = 386;

/** What is drawn on a board: each has lines or areas next to each other, one of which must be seen. A mark is
 * the properties that hold its colors, each with the selectors that set it. */
const PIECES = ["white", "black"].flatMap((side) => [
  { name: `${side} ring`, edge: `.${side} .ring-under`, covered: 15, bodies: [`m-${side}-outer`, `m-${side}-inner`] },
  { name: `${side} marker`, edge: `.${side} .marker-rim`, covered: 0, bodies: [`m-${side}-face`] },
]);
const MARKS = {
  "a line of the board": [["stroke", ".plate-lines"]],
  "a flip": [["stroke", ".flip-under"], ["stroke", ".flip"]],
  "a ring to move": [["stroke", ".halo-under"], ["stroke", ".halo"]],
  "the picked ring": [["stroke", ".halo-under", ".halo-picked-under"], ["stroke", ".halo-picked"]],
  "a ring to remove": [["stroke", ".halo-under", ".halo-take-under"], ["stroke", ".halo-take"]],
  "a target": [["fill", ".target"], ["stroke", ".target"]],
  "a verdict": [["stroke", ".verdict circle"]],
  "the last turn's ring": [["stroke", ".last-spot"]],
  "the removed ring": [["stroke", ".last-ring"]],
  "the removed row": [["stroke", ".last-row.capsule"]],
  "a run": [["stroke", ".run.capsule-under"], ["stroke", ".run.capsule"]],
  "a row": [["stroke", ".row-shown.capsule-under"], ["stroke", ".row-shown.capsule"]],
  "a handle": [["fill", ".handle-under"], ["fill", ".handle-body"]],
  ...Object.fromEntries(["best", "line", "threat", "own"].map((kind) => [`an arrow (${kind})`, [["stroke", ".arrow-shape"], ["fill", `.arrows-${kind} .arrow-shape`]]])),
};

test("pieces and marks are seen on every board in both themes, on phones too", () => {
  const sheet = declarations(readFileSync(new URL("../../../../position/drawing/board.css", import.meta.url), "utf8"));
  const small = declarations(readFileSync(new URL("../style/panels.css", import.meta.url), "utf8"));
  const slopes = gradients();
  for (const [board, dark] of [["", false], ["", true], ["wood", false], ["wood", true], ["slate", false], ["slate", true]]) {
    const values = new Map([...sheet.get(":root"), ...sheet.get(`[data-board="${board}"]`)]);
    const resolved = (value) => value.replace(/var\((--[\w-]+)\)/g, (_, name) => values.get(name)).replace(/light-dark\(([^,]*), ([^)]*)\)/g, dark ? "$2" : "$1");
    const colors = (value) => resolved(value).match(/#\w+/g).map(channels);
    const plate = colors(values.get("--plate"));
    const field = plate.map((color) => over(colors(values.get("--plate-field"))[0], Number(values.get("--plate-field-opacity")), color));
    const check = (name, tones, surface) => {
      const ratio = Math.max(...tones.map((tone) => contrast(tone, surface)));
      assert.ok(ratio >= LEAST_CONTRAST, `${name} on the board "${board}", ${dark ? "dark" : "light"}: a contrast of ${ratio.toFixed(3)} on rgb(${surface.map(Math.round)})`);
    };
    for (const { name, edge, covered, bodies } of PIECES) {
      const style = new Map([...(sheet.get(`.${edge.split(" .")[1]}`) ?? []), ...sheet.get(edge)]);
      const width = Function(`return ${resolved(style.get("stroke-width")).replace(/px|calc/g, "")}`)();
      const wide = (((width - covered) / (covered ? 2 : 1)) * PHONE) / (2 * EDGE) >= LEAST_EDGE;
      for (const surface of [...plate, ...field]) {
        // Along the light, each part of the piece has a tone that is seen.
        for (const at of [0, 0.25, 0.5, 0.75, 1]) {
          const tones = bodies.map((id) => toneAt(slopes.get(id), at));
          check(`${name}, ${100 * at}% along the light, edge ${width}`, wide ? [...tones, ...colors(style.get("stroke"))] : tones, surface);
        }
      }
    }
    for (const [name, parts] of Object.entries(MARKS)) {
      for (const surface of field) {
        check(name, parts.map(([property, ...selectors]) => {
          const style = new Map(selectors.flatMap((selector) => [...sheet.get(selector)]));
          return over(colors(style.get(property))[0], Number(style.get(`${property}-opacity`) ?? 1), surface);
        }), surface);
      }
    }
    for (const surface of [...plate, ...field]) check("a label", colors(sheet.get(".plate-label").get("fill")), surface);
    const flat = colors(values.get("--plate-flat"))[0];
    for (const side of ["w", "b"]) {
      const style = small.get(`.miniature .${side}`);
      const ring = small.get(`.miniature .ring.${side}`);
      check(`a small marker ${side}`, colors(style.get("fill") + style.get("stroke")), flat);
      check(`a small ring ${side}`, colors(ring.get("stroke") + style.get("stroke")), flat);
    }
  }
});

/** The color of a gradient at an offset. */
function toneAt(stops, at) {
  const next = Math.max(1, stops.findIndex(([offset]) => offset >= at));
  const [[from, first], [to, second]] = [stops[next - 1], stops[next]];
  return over(channels(second), (at - from) / (to - from), channels(first));
}

test("a press belongs to the nearest point within half a step", () => {
  const { x, y } = place("e4");
  assert.equal(nearest(x + 30, y - 30), "e4");
  assert.equal(nearest(600, 600), null);
});

test("the handles of all 123 rows are apart", () => {
  const spots = [];
  for (const [a, b] of lines()) {
    const all = span(a.name, b.name);
    for (let i = 0; i + 5 <= all.length; i++) spots.push(handleSpot(all.slice(i, i + 5)));
  }
  assert.equal(spots.length, 123);
  for (const [i, a] of spots.entries()) {
    for (const b of spots.slice(i + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 40);
  }
});

test("turns are parsed into their parts", () => {
  assert.deepEqual(parseTurn("xe7-i11xd9;i7-i11;xi6-i10xh4"), [
    { do: "take", row: ["e7", "i11"], ring: "d9" },
    { do: "move", from: "i7", to: "i11" },
    { do: "take", row: ["i6", "i10"], ring: "h4" },
  ]);
  for (const [word, count] of Object.entries({ f6: 1, "e4-e10": 1, "e4 e10": 1, pass: 1, "xe7-i11xd9; pass": 2, "f6;;g7": 1, "": 0, l4: 0, e12: 0, "e4-": 0, hello: 0 })) assert.equal(parseTurn(word).length, count, word);
});

test("overlapping rows form one run, crossing rows two", () => {
  const window = (a, b) => span(a, b);
  const found = runs([window("e3", "e7"), window("e4", "e8"), window("c6", "g6")]);
  assert.deepEqual(found, [span("e3", "e8"), span("c6", "g6")]);
});

const row = (a, b) => ({ do: "row", row: [a, b], points: span(a, b) });

function inputWith(...answers) {
  // When the answers run out, the turn waits for nothing.
  const view = { side: "w" };
  const moveInput = new MoveInput((_, prefix) => ({ view, complete: null, steps: [], ...answers[prefix.length] }));
  moveInput.begin({});
  return moveInput;
}

test("presses narrow the choice of rows and never cancel it", () => {
  const rows = [row("e3", "e7"), row("e4", "e8"), row("c6", "g6")];
  const moveInput = inputWith({ steps: rows }, { steps: [], complete: "x" });
  assert.equal(moveInput.press("e6", false), "narrowed");
  assert.equal(moveInput.choices.length, 3);
  assert.equal(moveInput.press("e4", false), "narrowed");
  assert.deepEqual(moveInput.choices, rows.slice(0, 2));
  assert.equal(moveInput.press("d6", false), "chosen");
  assert.equal(moveInput.press("k8", false), "wrong");
  assert.equal(moveInput.shownRow, rows[2]);
  assert.equal(moveInput.press("d6", false), "done");
});

test("a single row is shown but waits to be confirmed", () => {
  const moveInput = inputWith({ steps: [row("e3", "e7")] });
  assert.ok(moveInput.chosen);
  assert.equal(moveInput.prefix.length, 0);
  assert.ok(moveInput.confirm());
  assert.equal(moveInput.prefix.length, 1);
});

test("removing a ring needs a second press if presses are careful", () => {
  const moveInput = inputWith({ steps: [{ do: "ring", from: "e4" }, { do: "ring", from: "f5" }] });
  assert.equal(moveInput.press("e4", true), "confirm");
  assert.equal(moveInput.press("e4", true), "done");
});

test("a turn is entered without waiting for anything", () => {
  const view = viewOf("W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "standard");
  const moveInput = new MoveInput((from, prefix) => turnSteps(from, from.rules, prefix));
  const turns = [];
  moveInput.addEventListener("turn", ({ detail }) => turns.push(detail));
  moveInput.begin(view, [{ do: "row", row: ["f1", "f5"] }]); // a prefix of another position
  assert.deepEqual([moveInput.prefix, moveInput.kind], [[], "row"]);
  assert.equal(moveInput.press("f8", false), "chosen");
  assert.equal(moveInput.press("f8", false), "done");
  assert.deepEqual([moveInput.kind, moveInput.now.view.points.f3, moveInput.now.view.points.f4], ["ring", "w", undefined]);
  assert.ok(moveInput.back());
  assert.equal(moveInput.kind, "row");
  moveInput.turnTo(1);
  moveInput.confirm();
  assert.equal(moveInput.press("b1", false), "done");
  assert.deepEqual([turns, moveInput.open], [["xf3-f7xb1"], false]);
});

test("the points that can be pressed are those whose press is described", () => {
  const describes = (moveInput) => assert.deepEqual([...moveInput.pressable].sort(), [...hints(moveInput).keys()].sort(), moveInput.kind);
  for (const [position, ...presses] of [
    [START, "f6"],
    ["W2B/4W1B/8/9/10/1wwbw4/10/9/B7/7/WWWB w 0-0", "e6", "a2", "a3"],
    ["W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "f4", "f8", "f8", "a2"],
  ]) {
    const moveInput = new MoveInput((from, prefix) => turnSteps(from, from.rules, prefix));
    describes(moveInput);
    moveInput.begin(viewOf(position, "standard"));
    for (const point of presses) {
      describes(moveInput);
      moveInput.press(point, true);
    }
    describes(moveInput);
  }
});

test("a press outside the targets, on the ring itself or on nothing releases a picked ring", () => {
  const moveInput = inputWith({ steps: [{ do: "move", from: "e4", to: "e5" }, { do: "move", from: "f6", to: "f7" }] });
  for (const release of [() => moveInput.press("a2", false), () => moveInput.press("e4", false), () => moveInput.press(null, false), () => moveInput.back() && "released"]) {
    assert.equal(moveInput.press("e4", false), "picked");
    assert.equal(release(), "released");
    assert.equal(moveInput.picked, null);
  }
  assert.equal(moveInput.press("a2", false), "wrong");
  assert.equal(moveInput.press(null, false), "wrong");
  assert.ok(!moveInput.back());
  moveInput.press("e4", false);
  assert.equal(moveInput.press("f6", false), "picked");
});

// The element over the drawing, for a pointer.
class Root extends EventTarget {
  getBoundingClientRect() {
    return { left: 0, top: 0, width: 390, height: 390 };
  }
  setPointerCapture() {}
  touch(type, x, y, timeStamp, { isPrimary = true, pointerType = "touch" } = {}) {
    this.dispatchEvent(Object.assign(new Event(type), { clientX: x, clientY: y, when: timeStamp, button: 0, isPrimary, pointerType, pointerId: isPrimary ? 1 : 2 }));
  }
}

test("two quick taps next to each other and a tap with two fingers press once or not at all", () => {
  const cases = {
    "one tap": [1, [["pointerdown", 195, 195, 0], ["pointerup", 195, 195, 60]]],
    "the same finger again after 180 ms, 8 pixels apart": [1, [["pointerdown", 195, 195, 0], ["pointerup", 195, 195, 60], ["pointerdown", 203, 195, 180], ["pointerup", 203, 195, 240]]],
    "a second tap elsewhere": [2, [["pointerdown", 195, 195, 0], ["pointerup", 195, 195, 60], ["pointerdown", 265, 195, 180], ["pointerup", 265, 195, 240]]],
    "a later tap at the same place": [2, [["pointerdown", 195, 195, 0], ["pointerup", 195, 195, 60], ["pointerdown", 195, 195, 700], ["pointerup", 195, 195, 760]]],
    "two fingers": [0, [["pointerdown", 195, 195, 0], ["pointerdown", 265, 195, 20, { isPrimary: false }], ["pointerup", 195, 195, 80], ["pointerup", 265, 195, 90, { isPrimary: false }]]],
    "a double click with the mouse": [2, [["pointerdown", 195, 195, 0, { pointerType: "mouse" }], ["pointerup", 195, 195, 60, { pointerType: "mouse" }], ["pointerdown", 195, 195, 180, { pointerType: "mouse" }], ["pointerup", 195, 195, 240, { pointerType: "mouse" }]]],
  };
  for (const [name, [want, events]] of Object.entries(cases)) {
    const root = new Root();
    let presses = 0;
    const pointer = new Pointer(/** @type {any} */ (root), (event) => event.when);
    pointer.addEventListener("press", ({ detail }) => (presses += detail.again ? 0 : 1));
    for (const event of events) root.touch(...event);
    assert.equal(presses, want, name);
  }
});

test("a tap that repeats the one that moved a ring does not remove the row it makes", () => {
  for (const [after, steps] of [[180, 1], [700, 2]]) {
    const root = new Root();
    const pointer = new Pointer(/** @type {any} */ (root), (event) => event.when);
    const moveInput = inputWith({ steps: [{ do: "move", from: "e4", to: "e5" }] }, { steps: [row("e6", "e10")] }, {});
    const board = /** @type {any} */ ({ pointer, points: new EventTarget(), roomForHandles: false });
    boardInput({ board, moveInput, still: () => false, press: (point, touch) => moveInput.press(point, touch), redraw: () => {} });
    const spot = (point) => ["x", "y"].map((axis) => ((place(point)[axis] + EDGE) / (2 * EDGE)) * 390);
    const tap = ([x, y], at) => ["pointerdown", "pointerup"].forEach((type, i) => root.touch(type, x, y, at + 60 * i));
    tap(spot("e4"), 0);
    tap(spot("e5"), 1000);
    const [x, y] = spot("e5");
    tap([x, y - 8], 1000 + after); // towards e6
    assert.equal(moveInput.prefix.length, steps, `after ${after} ms`);
  }
});

test("keys are letters of the Latin alphabet, whatever the layout and Caps Lock", () => {
  for (const [event, want] of [
    [{ key: "f", code: "KeyF" }, "f"], // QWERTY
    [{ key: "F", code: "KeyF" }, "f"], // Caps Lock
    [{ key: "\u0430", code: "KeyF" }, "f"], // Cyrillic a
    [{ key: "\u03b1", code: "KeyA" }, "a"], // Greek alpha
    [{ key: "a", code: "KeyQ" }, "a"], // AZERTY: the letter on the key counts
    [{ key: "&", code: "Digit1" }, "1"], // AZERTY digits
    [{ key: "1", code: "Digit1" }, "1"],
    [{ key: "\u0431", code: "Comma" }, ","], // Cyrillic
    [{ key: "\u044e", code: "Period" }, "."],
    [{ key: "?", code: "Slash", shiftKey: true }, "?"],
    [{ key: "?", code: "Minus", shiftKey: true }, "?"], // German
    [{ key: "ArrowLeft", code: "ArrowLeft" }, "ArrowLeft"],
    [{ key: "Escape", code: "Escape" }, "Escape"],
    [{ key: "Unidentified", code: "" }, "Unidentified"],
    [{ key: "h" }, "h"], // typed by a program
  ]) assert.equal(keyOf(/** @type {any} */ (event)), want, JSON.stringify(event));
});
