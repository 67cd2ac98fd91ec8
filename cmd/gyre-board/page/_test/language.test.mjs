// Tests of the messages: every language has the same ids and variables, and the page uses each
// message and no others. node --test page/_test/

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { FluentBundle, FluentResource } from "../fluent/fluent.js";

const page = new URL("../", import.meta.url);
const read = (name) => readFileSync(new URL(name, page), "utf8");
const index = read("index.html");
const languages = /data-languages="([^"]*)"/.exec(index)[1].split(" ");
const FILES = ["page", "parts"];

/** The folder of the drawing, seen from the page. */
const DRAWING = "../../../position/drawing";

/** The page's own modules and its index, and the modules of the drawing, by name. */
const sources = new Map(
  [...readdirSync(page, { recursive: true }), ...readdirSync(new URL(DRAWING, page)).map((name) => `${DRAWING}/${name}`)]
    .map((name) => String(name).replaceAll("\\", "/"))
    .filter((name) => /\.(js|html)$/.test(name) && !/^(_|fluent\/|idb\/|parts\/image\/gifenc\/|parts\/remote\/uqr\/)/.test(name))
    .map((name) => [name, read(name)]),
);

/** The messages of a file, by id and id.attribute. @returns {Map<string, any>} */
function messages(language, file) {
  const text = read(`language/${language}/${file}.ftl`);
  const { body } = new FluentResource(text);
  const named = [...text.matchAll(/^(-?[a-zA-Z][\w-]*) *=/gm)].map(([, id]) => id);
  assert.deepEqual(body.map(({ id }) => id), named, `${language}/${file}.ftl has messages that cannot be parsed`);
  assert.equal(new Set(named).size, named.length, `${language}/${file}.ftl defines ${named.filter((id, i) => named.indexOf(id) < i)} twice`);
  const all = new Map();
  for (const { id, value, attributes } of body) {
    if (value) all.set(id, value);
    for (const [name, pattern] of Object.entries(attributes)) all.set(`${id}.${name}`, pattern);
  }
  return all;
}

/** Calls act with each element of a pattern. */
function walk(pattern, act) {
  if (!pattern || typeof pattern !== "object") return;
  act(pattern);
  for (const inner of Object.values(pattern)) walk(inner, act);
}

/** The variables of a pattern, sorted. Messages with $side may use $sideName, too, or instead. */
function variables(pattern) {
  const names = new Set();
  walk(pattern, ({ type, name }) => type === "var" && names.add(name === "sideName" ? "side" : name));
  return [...names].sort();
}

const own = new Map(FILES.flatMap((file) => [...messages("en", file)]));

test("every language has the messages of the English files, with the same variables", () => {
  for (const language of languages) {
    for (const file of FILES) {
      const [theirs, ours] = [messages(language, file), messages("en", file)];
      const ids = (/** @type {Map<string, any>} */ of) => [...of.keys()].filter((id) => !id.startsWith("-")).sort();
      assert.deepEqual(ids(theirs), ids(ours), `${language}/${file}.ftl`);
      for (const [id, pattern] of ours) {
        if (!id.startsWith("-")) assert.deepEqual(variables(theirs.get(id)), variables(pattern), `the variables of ${id} in ${language}`);
      }
    }
  }
  const folders = readdirSync(new URL("language/", page));
  assert.deepEqual([...languages].sort(), folders.sort(), "the languages of index.html and the folders in language/");
});

test("every message can be formatted", () => {
  for (const language of languages) {
    const bundle = new FluentBundle(language, { useIsolating: false });
    for (const file of FILES) bundle.addResource(new FluentResource(read(`language/${language}/${file}.ftl`)));
    for (const file of FILES) {
      for (const [id, pattern] of messages(language, file)) {
        for (const value of [1, 2, 5, "w", "b"]) {
          const errors = [];
          const text = bundle.formatPattern(pattern, Object.fromEntries([...variables(pattern), "sideName"].map((name) => [name, value])), errors);
          assert.deepEqual(errors, [], `${id} in ${language}`);
          assert.deepEqual(text.match(/<(?!\/?(b|i|kbd)>)[^ ]*/g), null, `the markup of ${id} in ${language}`);
          assert.ok(text.trim() === text && text && !text.includes("{"), `${id} in ${language} is empty, or starts or ends with a blank`);
        }
      }
    }
  }
});

/** Words that say whose chances are meant. */
const OWNERS = { en: /your|White/, de: /[Dd]eine|Weiß/, es: /tus|blancas/, fr: /tes chances|Blancs/, nl: /je |Wit/, pl: /twoje|białych/ };

test("messages about chances say whose they are", () => {
  const ids = [...own].filter(([id, pattern]) => /-chances$|^scores-are/.test(id) || ["before", "after"].every((name) => variables(pattern).includes(name))).map(([id]) => id);
  assert.ok(ids.length >= 7, ids.join());
  for (const language of languages) {
    const all = new Map(FILES.flatMap((file) => [...messages(language, file)]));
    for (const id of ids) {
      const [texts, names] = [[], []];
      walk(all.get(id), (part) => (typeof part === "string" ? texts.push(part) : part.type === "var" && names.push(part.name)));
      const text = [all.get(id), ...texts].flat().filter((part) => typeof part === "string").join(" ");
      assert.ok(OWNERS[language].test(text) || (names.includes("sideName") && names.length === 3), `${id} in ${language}: ${text}`);
    }
  }
});

/** The ids that the sources use: whole ones, and beginnings of template strings. */
function used() {
  const whole = new Map();
  const begun = new Map();
  for (const [file, text] of sources) {
    for (const [, id] of text.matchAll(/data-l10n="([^"$]*)"/g)) whole.set(id, file);
    for (const [, id] of text.matchAll(/\b(?:t|rich)\("([^"]*)"/g)) whole.set(id, file);
    for (const [, start] of text.matchAll(/(?:\b(?:t|rich)\(`|data-l10n="|"?data-l10n"?: `)([a-z][\w-]*-)\$\{/g)) begun.set(start, file);
    // A choice between messages, and an element with a message: t(one ? "a" : "b"), { "data-l10n": "a" }
    for (const [, a, b] of text.matchAll(/\b(?:t|rich)\([^"`;]*\? "([^"]*)" : "([^"]*)"/g)) whole.set(a, file).set(b, file);
    for (const [, id] of text.matchAll(/"data-l10n": "([^"]*)"/g)) whole.set(id, file);
  }
  return { whole, begun };
}

test("the page uses no messages that are missing", () => {
  const { whole, begun } = used();
  const ids = new Set([...own.keys()].flatMap((id) => [id, id.split(".")[0]]));
  for (const [id, file] of whole) assert.ok(ids.has(id), `${file} uses ${id}, which is missing`);
  for (const [start, file] of begun) assert.ok([...ids].some((id) => id.startsWith(start)), `${file} uses ${start}..., which is missing`);
});

test("every fault that the program names has a message, and no others have", () => {
  const folders = [...["", "bga/", "plaintext/", "record/", "sgf/"].map((name) => `../../../position/${name}`), ...["gametext", "referee"].map((name) => `../internal/${name}/`)].map((name) => new URL(name, page));
  const texts = folders.flatMap((folder) => readdirSync(folder).filter((name) => /(?<!_test)\.go$/.test(name)).map((name) => readFileSync(new URL(name, folder), "utf8")));
  texts.push(readFileSync(new URL("../internal/session/engines.go", page), "utf8"));
  const codes = texts.flatMap((text) => [...text.matchAll(/(?:\bfail\(|\.With\(|reject\(|\.skip\([\w.]+, |protocol\.\w+: +|Code: )"([\w-]+)"/g)].map(([, code]) => `wrong-${code}`));
  assert.deepEqual([...new Set(codes)].sort(), [...own.keys()].filter((id) => id.startsWith("wrong-")).sort());
});

test("every limit that the server names has a message, and no others have", () => {
  const text = readFileSync(new URL("../internal/clients/clients.go", page), "utf8");
  const codes = [...text.matchAll(/NewError\("([\w-]+)"/g)].map(([, code]) => `too-many-${code}`);
  assert.deepEqual(codes.sort(), [...own.keys()].filter((id) => id.startsWith("too-many-")).sort());
});

test("the page uses every message", () => {
  const { whole, begun } = used();
  const mentioned = new Set([...whole.keys()].map((id) => id.split(".")[0]));
  const strings = new Set([...sources].flatMap(([file, text]) => (file.endsWith(".js") ? stringsOf(text) : [])));
  const references = new Set();
  for (const pattern of own.values()) walk(pattern, ({ type, name }) => type === "mesg" && references.add(name));
  const unused = [...own.keys()]
    .map((id) => id.split(".")[0])
    .filter((id) => !id.startsWith("-") && !strings.has(id) && !mentioned.has(id) && !references.has(id) && ![...begun.keys()].some((start) => id.startsWith(start)));
  assert.deepEqual(unused, []);
});

test("the page uses every class and id that its style sheets select", () => {
  const sheets = [...readdirSync(page, { recursive: true }).map((name) => String(name).replaceAll("\\", "/")), `${DRAWING}/board.css`].filter((name) => /\.css$/.test(name));
  assert.ok(sheets.length > 10);
  const text = [...sources].filter(([file]) => file !== "language.js").map(([, source]) => source).join("\n");
  const names = new Set([...text.matchAll(/[a-zA-Z][\w-]*/g)].map(([name]) => name));
  // Parts of names in template strings: `arrows-${kind}`, `${kind}-under`.
  const begun = [...text.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, start]) => start);
  const ended = [...text.matchAll(/\}(-[a-z][\w-]*)/g)].map(([, end]) => end);
  for (const sheet of sheets) {
    const selectors = [...read(sheet).replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{};]+)\{/g)].map(([, selector]) => selector).join(" ");
    const unused = [...selectors.matchAll(/[.#]([a-zA-Z][\w-]*)/g)].map(([, name]) => name)
      .filter((name) => !names.has(name) && !begun.some((start) => name.startsWith(start)) && !ended.some((end) => name.endsWith(end)));
    assert.deepEqual(unused, [], sheet);
  }
});

/**
 * The strings of a module, with the place of each expression in a template as "$". Comments and
 * regular expressions are left out.
 * @param {string} text
 * @returns {string[]}
 */
function stringsOf(text) {
  const found = [];
  let before = "";
  let at = 0;
  // Reads code until the closing brace of a template's expression, or the end.
  const code = (nested) => {
    for (let depth = 0; at < text.length; ) {
      const sign = text[at];
      if (text.startsWith("//", at)) at = text.indexOf("\n", at);
      else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 2;
      else if (sign === '"' || sign === "'") string(sign);
      else if (sign === "`") template();
      else if (sign === "/" && /[(,=:[!&|?{};+\n]|^$|return|=>/.test(before)) regex();
      else {
        if (nested && sign === "}" && depth === 0) return;
        depth += { "{": 1, "}": -1 }[sign] ?? 0;
        if (sign.trim()) before = /\w/.test(sign) && /^\w+$/.test(before) && /\w/.test(text[at - 1]) ? before + sign : sign;
        at++;
      }
    }
  };
  const string = (end) => {
    const start = ++at;
    while (text[at] !== end) at += text[at] === "\\" ? 2 : 1;
    found.push(text.slice(start, at++));
    before = end;
  };
  const regex = () => {
    for (let inClass = false; text[++at] !== "/" || inClass; ) {
      if (text[at] === "\\") at++;
      else if (text[at] === "[") inClass = true;
      else if (text[at] === "]") inClass = false;
    }
    at++;
    before = "/regex/";
  };
  const template = () => {
    let whole = "";
    for (at++; text[at] !== "`"; ) {
      if (text.startsWith("${", at)) {
        at += 2;
        code(true);
        at++;
        whole += "$";
      } else {
        if (text[at] === "\\") whole += text[at++];
        whole += text[at++];
      }
    }
    at++;
    found.push(whole);
    before = "`";
  };
  code(false);
  return found;
}

/** Words that only sentences have. */
const SENTENCE = /\b(the|is|are|of|to|an|not|and|or|for|be|has|have|with|your|this|that|it)\b/i;

/**
 * The part of a string that people would read, or "".
 * @param {string} string
 */
function readable(string) {
  const attributes = [...string.matchAll(/ (?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, value]) => value);
  const text = [string.includes("<") && string.includes(">") ? string.replaceAll(/<[^>]*>/g, " ") : string, ...attributes].join(" ").trim();
  if (string.includes("<") && string.includes(">")) return /[a-z]{2}/i.test(text.replaceAll("$", " ")) ? text : "";
  const words = text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word));
  const sentence = words.length > 1 && (SENTENCE.test(text) || /^[A-Z][a-z]/.test(text) || /[.…?!:]$/.test(text));
  return sentence || /^[A-Z][a-z]+[ .…?!]*$/.test(text) || /[a-z]{2,}…$/.test(text) ? text : "";
}

// What early.js says is in English: it is shown when no messages can be. The errors of
// rules.js are for developers of other pages.
const ENGLISH = ["early.js", `${DRAWING}/rules.js`];

/** Other strings that look like words to read, and are not: names in files, keys, errors for developers. */
const NOT_READ = new Set([
  ...["White", "Black", "Rules", "Position", "Result", "Termination", "Date", "Event", "Round", "Help", "Challenge", "You", "Puzzle $", "TimeControl", "Players", "Site"],
  ...["the analysis", "the openings", "the coach", "a copy", "Full strength"],
  ...["Escape", "Enter", "Backspace", "Delete", "Home", "End", "Tab", "Shift", "Esc", "Error"],
  ...["Content-Type", "Content-Encoding", "Content-Length", "Range"],
  ...["the page has no element #$", "there is no message $ in $", "message $:", "a stored game cannot be read:", "the page's files are not kept:", "take over"],
  ...["textarea, select, input:not([type=checkbox])", "(min-aspect-ratio: 11/10) and (min-height: 680px)", "(min-aspect-ratio: 11/10) and (min-height: 560px)"],
]);

test("all words to read are messages", () => {
  const read = [];
  for (const [file, text] of sources) {
    if (ENGLISH.includes(file)) continue;
    if (file.endsWith(".html")) {
      const body = text.slice(text.indexOf("<body"));
      const words = body.replaceAll(/<[^>]*>/g, " ").replaceAll(/YINSH|\d+/g, "").trim();
      if (/[a-z]/i.test(words)) read.push(`${file}: ${words}`);
      for (const [, value] of body.matchAll(/ (?:aria-label|title|alt)="([^"]*)"/g)) read.push(`${file}: ${value}`);
      continue;
    }
    for (const string of stringsOf(text)) {
      const words = readable(string);
      if (words && !NOT_READ.has(words)) read.push(`${file}: ${words}`);
    }
  }
  assert.deepEqual(read, []);
});

test("the search for words finds them, and nothing else", () => {
  const module = 'say("Play on"); // "a comment"\nconst a = /"[a-z"]/ + `You have ${count(`${n} rings`)} left.` + "buttons left";\nmarkup(`<p class="fine">Text</p><b title="One more"></b>`); t("take-back");';
  assert.deepEqual(stringsOf(module).map(readable).filter(Boolean), ["Play on", "You have $ left.", "Text    One more"]);
});
