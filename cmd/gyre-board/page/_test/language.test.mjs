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

/** The page's own modules and its index, by name. */
const sources = new Map(
  readdirSync(page, { recursive: true })
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

test("the page uses every message", () => {
  const { whole, begun } = used();
  const mentioned = new Set([...whole.keys()].map((id) => id.split(".")[0]));
  const references = new Set();
  for (const pattern of own.values()) walk(pattern, ({ type, name }) => type === "mesg" && references.add(name));
  const unused = [...own.keys()]
    .map((id) => id.split(".")[0])
    .filter((id) => !id.startsWith("-") && !mentioned.has(id) && !references.has(id) && ![...begun.keys()].some((start) => id.startsWith(start)));
  assert.deepEqual(unused, []);
});
