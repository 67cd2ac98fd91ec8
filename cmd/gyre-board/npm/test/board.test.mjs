// The built package in Chromium and Firefox, and its pictures in Node.js.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { browsers, visit } from "../../../../protocol/javascript/test/browsers.mjs";
import { boardSVG } from "../dist/picture.js";
import { points } from "../../../../position/drawing/geometry.js";
import { stepsOfTurn } from "../../../../position/drawing/rules.js";
import { randomGame } from "./games.mjs";

const here = join(import.meta.dirname, "..");
const site = mkdtempSync(join(tmpdir(), "gyre-board-"));
after(() => rmSync(site, { recursive: true, force: true }));
cpSync(join(here, "dist"), join(site, "board"), { recursive: true });
cpSync(join(here, "node_modules/axe-core/axe.min.js"), join(site, "axe.js"));

const POSITION = "B3/B6/B7/3W5/10/1wwwwW3/10/3W5/B7/B6/4 w 1-0";

test("the component has at most 25 kB, compressed", () => {
  const bytes = gzipSync(readFileSync(join(here, "dist/yinshboard.js")), { level: 9 }).length;
  assert.ok(bytes <= 25_000, `${bytes} bytes`);
});

test("a picture shows the pieces, the last turn and arrows", () => {
  const svg = boardSVG({ position: POSITION, size: 300, lastTurn: "c3-d4", arrows: [{ turn: "f7-b3", kind: "best", label: "<1>" }] });
  assert.equal(svg.match(/class="piece ring black"/g)?.length, 5);
  assert.equal(svg.match(/class="piece marker white"/g)?.length, 4);
  assert.equal(svg.match(/class="last-path"/g)?.length, 1);
  assert.match(svg, /&#60;1&#62;/);
  assert.doesNotMatch(svg, /var\(|light-dark/);
  assert.throws(() => boardSVG({ position: "nonsense" }), /1 columns instead of 11/);
});

// Python draws boards, too: a test in protocol/python compares its picture with this one.
test("the picture is that of testdata/board.svg", () => {
  const arrows = [...points.map((point) => ({ from: point, to: point })), ...(/** @type {const} */ (["best", "line", "threat"])).map((kind) => ({ turn: "f6-f9;xb2-b6xd5", kind, label: "1" }))];
  const svg = boardSVG({ position: "ww2/Bbw1wb1/1w2W2b/b1bwB1Bbb/1wwb1b1w1B/5bWww/2bww2b1b/2wwW1Wbb/b3ww2/1Wb3w/3B b 1-2", lastTurn: "e4-e7;xc3-g7xd5", arrows }).replaceAll("><", ">\n<");
  const file = join(here, "../testdata/board.svg");
  if (process.env.UPDATE) writeFileSync(file, `${svg}\n`);
  assert.equal(`${svg}\n`, readFileSync(file, "utf8"), "if the change is meant: UPDATE=1 npm test");
});

// The page presses points with pointer events of a mouse or a finger, or with the keyboard.
// Browsers only capture pointers that exist.
const pressing = `
import { START } from "./board/yinshboard.js";
Element.prototype.setPointerCapture = () => {};
const element = document.getElementById("board");
const { board } = element;
const button = (point) => element.shadowRoot.querySelector(\`[data-point="\${point}"]\`);
const press = {
  mouse: (point) => point_(point, "mouse"),
  touch: (point) => point_(point, "touch"),
  keyboard: async (point) => {
    button(point).focus();
    button(point).click();
    await settled();
  },
};
async function point_(point, pointerType) {
  const box = button(point).getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerType, isPrimary: true, pointerId: 1, button: 0, bubbles: true, composed: true };
  const target = element.shadowRoot.querySelector(".board");
  target.dispatchEvent(new PointerEvent("pointerdown", at));
  target.dispatchEvent(new PointerEvent("pointerup", at));
  await settled();
}
const settled = () => new Promise((resolve) => setTimeout(resolve));
`;

const script = `${pressing}
const seen = { turns: [], labels: [] };
element.addEventListener("turn", ({ detail }) => seen.turns.push(detail.turn));
try {
  for (const press_ of Object.values(press)) {
    board.set({ position: "${POSITION}", legalTurns: ["f7-b3;xf3-f7xb3", "f7-b3;xf3-f7xd4", "f7-f8;xf3-f7xd4", "d4-d5"], lastTurn: null, animate: false });
    await settled();
    await press_("f7");
    seen.labels.push(button("b3").getAttribute("aria-label"));
    await press_("b3");
    await press_("f5");
    await press_("d4");
    if (press_ === press.touch) await press_("d4"); // a finger confirms
    seen.position = board.state.position;
  }
  board.set({ position: START, legalTurns: ["f6", "g7"] });
  await settled();
  board.set({ animate: true });
  await board.play("f6");
  seen.played = board.state.position;
  element.setAttribute("orientation", "black");
  seen.orientation = board.state.orientation;
  const touchAction = () => getComputedStyle(button("f6")).touchAction + " " + board.state.input;
  seen.fingers = [touchAction()];
  for (const readOnly of [true, false]) {
    element.toggleAttribute("read-only", readOnly);
    seen.fingers.push(touchAction());
  }
  try {
    board.set({ position: "nonsense" });
  } catch (error) {
    seen.error = error.message;
  }
  seen.kept = board.state.position === seen.played;
  const { violations } = await axe.run(element);
  seen.violations = violations.map(({ id }) => id);
} catch (error) {
  seen.failed = String(error.stack);
}
fetch("/report", { method: "POST", body: JSON.stringify(seen) });
`;
writeFileSync(join(site, "main.js"), script);
const page = (/** @type {string} */ main) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><main><h1>Test</h1><yinsh-board id="board" style="width: 500px"></yinsh-board></main><script src="axe.js"></script><script type="module" src="${main}"></script>`;
writeFileSync(join(site, "index.html"), page("main.js"));

test("turns with rows are entered by mouse, touch and keyboard", async (t) => {
  for (const browser of browsers(t)) {
    const seen = await visit(site, browser);
    assert.deepEqual(seen, {
      turns: ["f7-b3;xf3-f7xd4", "f7-b3;xf3-f7xd4", "f7-b3;xf3-f7xd4"],
      labels: seen.labels,
      position: "B3/B1W4/B7/9/10/9/10/3W5/B7/B6/4 b 2-0",
      played: "4/7/8/9/10/4W4/10/9/8/7/4 b 0-0",
      orientation: "black",
      fingers: ["pinch-zoom legal", "auto none", "pinch-zoom legal"],
      error: "position: 1 columns instead of 11 in \"nonsense\"",
      kept: true,
      violations: [],
    }, browser.name);
    for (const label of seen.labels) assert.match(label, /^b3, vacant, move here/);
  }
});

/** The points to press for a turn; a row is pressed at its ends until it is the only one. */
const pressesOf = (/** @type {string} */ turn) =>
  stepsOfTurn(turn).map(({ do: kind, from, to, row = [] }) => ({ kind, points: kind === "move" ? [from, to] : kind === "row" ? [...row, row[0]] : [from ?? to] }));

test("a whole game with rows is entered by mouse, touch and keyboard", async (t) => {
  const plies = randomGame(3).filter(({ turn }) => turn).map((ply) => ({ ...ply, presses: pressesOf(ply.turn) }));
  assert.ok(plies.some(({ turn }) => turn.includes("x")), "a game without rows");
  writeFileSync(join(site, "whole.js"), `${pressing}
const plies = ${JSON.stringify(plies)};
const seen = {};
try {
  for (const [name, press_] of Object.entries(press)) {
    seen[name] = [];
    const entered = ({ detail }) => seen[name].push(detail.turn);
    element.addEventListener("turn", entered);
    for (const { fen, legal, presses } of plies) {
      board.set({ position: fen, legalTurns: legal, lastTurn: null, animate: false });
      await settled();
      for (const { kind, points } of presses) {
        // A finger removes a ring with a second press.
        for (const point of name === "touch" && kind === "ring" ? [...points, ...points] : points) await press_(point);
      }
    }
    element.removeEventListener("turn", entered);
  }
} catch (error) {
  seen.failed = String(error.stack);
}
fetch("/report", { method: "POST", body: JSON.stringify(seen) });
`);
  writeFileSync(join(site, "whole.html"), page("whole.js"));
  const turns = plies.map(({ turn }) => turn);
  for (const browser of browsers(t)) assert.deepEqual(await visit(site, browser, "whole.html"), { mouse: turns, touch: turns, keyboard: turns }, browser.name);
});

// The example of a game needs the other package, which may not be built.
const engine = join(here, "../../../protocol/javascript");
const built = existsSync(join(engine, "gyre.wasm.gz"));
if (built) for (const file of readdirSync(engine)) if (/\.(js|gz)$/.test(file)) cpSync(join(engine, file), join(site, "engine", file));

const importMap = '<script type="importmap">{"imports": {"@gyre/board": "./board/yinshboard.js", "@gyre/engine": "./engine/browser.js"}}</script>';

for (const [example, action, want] of [
  ["viewer", 'document.getElementById("next").click(); await new Promise((resolve) => setTimeout(resolve)); result = document.getElementById("board").board.state.position', "4/7/8/9/10/4W4/10/9/8/7/4 b 0-0"],
  ["puzzle", 'result = document.getElementById("board").board.state.legalTurns.length', 8],
  ["play", 'const { board } = document.getElementById("board"); while (!board.state.legalTurns.length) await new Promise((resolve) => setTimeout(resolve, 50)); result = board.state.legalTurns.length', 85],
]) {
  test(`the example ${example} works`, { skip: example === "play" && !built && "protocol/javascript is not built" }, async (t) => {
    const source = readFileSync(join(here, `examples/${example}.html`), "utf8");
    const probe = `<script type="module">let result; try { ${action} } catch (error) { result = String(error) } fetch("/report", { method: "POST", body: JSON.stringify(result) })</script>`;
    writeFileSync(join(site, `${example}.html`), source.replace("<script type=\"module\">", `${importMap}<script type="module">`) + probe);
    for (const browser of browsers(t)) assert.equal(await visit(site, browser, `${example}.html`), want, browser.name);
  });
}

// A page under a strict policy: the board has its colors, pictures work in a browser, attributes
// change only their part of the state, a cancelled drag moves nothing, events bubble out of shadow roots.
writeFileSync(join(site, "parts.js"), `
import { YinshBoard } from "./board/yinshboard.js";
import { boardSVG } from "./board/picture.js";
const seen = {};
try {
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const element = document.getElementById("board");
  const { board } = element;
  const inside = element.shadowRoot.querySelector(".board");
  seen.plate = getComputedStyle(inside).backgroundImage.slice(0, 15);
  seen.scheme = getComputedStyle(element).colorScheme;
  const light = document.createElement("div");
  document.body.append(light);
  new YinshBoard(light);
  light.setAttribute("theme", "wood");
  const own = document.createElement("p");
  own.className = "status";
  document.body.append(own);
  seen.light = [getComputedStyle(light.querySelector(".board")).backgroundImage.slice(0, 15), getComputedStyle(light).colorScheme, getComputedStyle(light.querySelector(".plate-line, .plate-lines")).stroke];
  seen.own = getComputedStyle(own).position;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".mine { --plate-line: rgb(1, 2, 3) }");
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
  light.classList.add("mine");
  seen.mine = getComputedStyle(light.querySelector(".plate-line, .plate-lines")).stroke;
  board.set({ animate: false });
  element.setAttribute("position", "4/7/8/9/10/9/10/9/8/7/4 w 0-0");
  await board.play("f6");
  const played = board.state.position;
  seen.kept = [];
  for (const [name, value] of [["orientation", "black"], ["read-only", ""], ["theme", "wood"], ["last-turn", "g7"], ["orientation", null], ["read-only", null], ["theme", null], ["last-turn", null]]) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
    if (board.state.position !== played) seen.kept.push(name);
  }
  seen.state = [board.state.orientation, board.state.input, board.state.lastTurn];
  seen.marks = inside.querySelectorAll(".last-spot").length;
  element.setAttribute("position", "4/7/8/9/3W6/4W4/5B4/9/8/7/4 b 0-0");
  element.removeAttribute("position");
  seen.start = board.state.position;
  board.set({ position: "4/7/8/9/3W6/4W4/5B4/9/8/7/4 b 0-0", input: "free" });
  const dragged = [];
  board.addEventListener("move", ({ detail }) => dragged.push([detail.from, detail.to]));
  Element.prototype.setPointerCapture = () => {};
  const at = (point) => {
    const box = element.shadowRoot.querySelector(\`[data-point="\${point}"]\`).getBoundingClientRect();
    return { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  };
  for (const end of ["pointerup", "pointercancel"]) {
    for (const [type, point] of [["pointerdown", "e4"], ["pointermove", "e7"], [end, "e7"]]) inside.dispatchEvent(new PointerEvent(type, { ...at(point), pointerType: "touch", isPrimary: true, pointerId: 1, button: 0, bubbles: true }));
  }
  seen.dragged = [...dragged];
  const heard = [];
  const outer = document.createElement("div");
  outer.attachShadow({ mode: "open" }).append(element);
  document.body.append(outer);
  for (const name of ["turn", "press", "move", "change"]) {
    document.addEventListener(name, ({ target }) => heard.push(name + (target === outer)));
    board.dispatchEvent(new CustomEvent(name, { detail: {} }));
  }
  seen.heard = heard;
  const pictures = ["", "wood"].map((theme) => boardSVG({ position: "4/7/8/9/3W6/4W4/5B4/9/8/7/4 b 0-0", theme }));
  seen.pictures = pictures.map((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement.localName);
} catch (error) {
  seen.failed = String(error.stack);
}
fetch("/report", { method: "POST", body: JSON.stringify(seen) });
`);
writeFileSync(join(site, "parts.html"), page("parts.js").replace('<title>', `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self'"><title>`).replace(' style="width: 500px"', ""));

test("the component under a strict policy: style, attributes, drags, events, pictures", async (t) => {
  for (const browser of browsers(t)) {
    assert.deepEqual(await visit(site, browser, "parts.html"), {
      plate: "linear-gradient", scheme: "light only", light: ["linear-gradient", "light only", "rgb(58, 34, 8)"], own: "static", mine: "rgb(1, 2, 3)", kept: [], state: ["white", "legal", null], marks: 0, start: "4/7/8/9/10/9/10/9/8/7/4 w 0-0",
      dragged: [["e4", "e7"]], heard: ["turntrue", "presstrue", "movetrue", "changetrue"], pictures: ["svg", "svg"],
    }, browser.name);
  }
});

test("pictures have no names in common, equal ones included, and no style beyond themselves", () => {
  const position = "4/7/8/9/3W6/4W4/5B4/9/8/7/4 b 0-0";
  const pictures = [boardSVG({ position }), boardSVG({ position, theme: "wood" }), boardSVG({ position: POSITION }), boardSVG({ position }), boardSVG({ position }), boardSVG({ position, name: "a" }), boardSVG({ position, name: "1_B-" })];
  assert.equal(boardSVG({ position, name: "a" }), pictures[5]);
  assert.throws(() => boardSVG({ position, name: "a b" }), /use letters/);
  const ids = pictures.flatMap((text) => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  assert.equal(new Set(ids).size, ids.length);
  for (const text of pictures) {
    const [, name = ""] = /<svg[^>]* class="([\w-]+)"/.exec(text) ?? [];
    for (const [, used] of text.matchAll(/url\(#([^)]*)\)/g)) assert.ok(text.includes(` id="${used}"`), used);
    for (const [, selectors] of text.matchAll(/(?:<style>|\})([^{}<]+)\{/g)) for (const selector of selectors.split(/,(?![^(]*\))/)) assert.ok(selector.startsWith(`.${name} `), selector);
  }
});

test("every module of the package can be imported on a server", async () => {
  for (const name of ["yinshboard.js", "picture.js"]) await import(`../dist/${name}`);
});

test("TypeScript knows the element, its events and its class", () => {
  const file = join(site, "use.ts");
  cpSync(join(here, "types"), join(site, "types"), { recursive: true });
  writeFileSync(file, `import { YinshBoardElement } from "./types/yinshboard.js";
const element = document.querySelector("yinsh-board")!;
element.board.set({ position: "x", legalTurns: [] });
element.board.addEventListener("turn", ({ detail }) => console.log(detail.turn.length));
element.addEventListener("move", ({ detail }) => console.log(detail.from, detail.to?.length));
const made: YinshBoardElement = document.createElement("yinsh-board");
made.addEventListener("click", (event) => event.preventDefault());
`);
  execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", "--types", "", file], { encoding: "utf8", cwd: site });
});
