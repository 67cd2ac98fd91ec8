// Tests of challenges by link: node --test page/_test/

import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBoard } from "../../../../position/drawing/rules.js";
import { place } from "../../../../position/drawing/geometry.js";
import { linkIn } from "../game/game.js";
import { sumOf } from "../parts/random.js";
import { sheetOf } from "../parts/challenge/challenge.js";
import { placing, read, startOf, write } from "../parts/challenge/link.js";

const played = (/** @type {Partial<import("../parts/challenge/link.js").Played>} */ more = {}) => /** @type {import("../parts/challenge/link.js").Played} */ ({ name: "", turns: ["f6-f4", "e5-e8;xb3-b7xb2"], resigned: false, helped: false, accuracy: [612, 884], ...more });
const challenge = { level: "Casual", seed: 7, rings: placing(7), games: [played()] };
/** A link with a right checksum, whatever it says. */
const signed = (body) => `${body}&sum=${sumOf(body).toString(16).padStart(8, "0")}`;

test("a placing mirrors itself, differs with the seed, and is the same for a seed", () => {
  const seen = new Set();
  for (let seed = 1; seed <= 300; seed++) {
    const rings = placing(seed);
    assert.deepEqual(rings, placing(seed));
    assert.equal(new Set(rings).size, 10);
    for (let i = 0; i < 10; i += 2) {
      const [a, b] = [place(rings[i]), place(rings[i + 1])];
      assert.ok(Math.hypot(a.x + b.x, a.y + b.y) < 1e-9, `${rings}`);
    }
    const { points, side } = parseBoard(startOf(rings));
    assert.deepEqual([Object.values(points).sort().join(""), side], ["BBBBBWWWWW", "w"]);
    seen.add(rings.join());
  }
  assert.equal(seen.size, 300);
});

test("a link has all of a challenge, also after what other programs do to it", () => {
  for (const games of [[], [played()], [played({ name: "Zoë & Bob (1~2)." }), played({ turns: ["a2-a5"], resigned: true, helped: true, accuracy: [0, 1000] })]]) {
    const link = write({ ...challenge, games });
    assert.match(link, /^[\w.,;=&%-]+$/);
    for (const got of [link, link.replaceAll("&", "&amp;"), encodeURIComponent(link), `${link}.`, `${link})`, `${link}>,`]) {
      assert.deepEqual(read(got), { challenge: { ...challenge, games } }, got);
    }
    assert.equal(linkIn(`https://club.example/#challenge=${link}`), `#challenge=${link}`);
  }
});

test("two games of 150 turns fit into a link", () => {
  const long = Array.from({ length: 150 }, (_, i) => (i % 30 ? "f6-f10" : "f6-f10;xb3-b7xb2"));
  const link = write({ ...challenge, games: [played({ turns: long, name: "A".repeat(40) }), played({ turns: long })] });
  assert.ok(link.length <= 6000 && "challenge" in read(link), `${link.length}`);
});

test("damaged links are named", () => {
  const link = write(challenge);
  const rings = challenge.rings.join(",");
  const good = `1&level=Casual&seed=7&rings=${rings}&turns=f6-f4&accuracy=1,2`;
  assert.ok("challenge" in read(signed(good)));
  for (const [text, fault] of [
    ["x".repeat(7000), "long"],
    [link.slice(0, -1), "cut"],
    [link.slice(0, 40), "cut"],
    ["1", "cut"],
    ["", "damaged"],
    ["hello", "damaged"],
    [link.replace("f6-f4", "f6-f5"), "damaged"],
    [link.replace(/.$/, (sign) => (sign === "0" ? "1" : "0")), "damaged"],
    [signed(good.replace(/^1/, "2")), "version"],
    [signed(good.replace("&seed=7", "")), "invalid"],
    [signed(good.replace("seed=7", "seed=-7")), "invalid"],
    [signed(good.replace("seed=7", "seed=4294967296")), "invalid"],
    [signed(good.replace("level=Casual", "level=")), "invalid"],
    [signed(good.replace(challenge.rings[0], challenge.rings[1])), "invalid"],
    [signed(good.replace(challenge.rings[0], "z9")), "invalid"],
    [signed(good.replace("accuracy=1,2", "accuracy=1,2000")), "invalid"],
    [signed(good.replace("accuracy=1,2", "accuracy=1")), "invalid"],
    [signed(good.replace("f6-f4", "")), "invalid"],
    [signed(good.replace("f6-f4", Array.from({ length: 201 }, () => "a").join())), "invalid"],
    [signed(`${good}&turns=a&accuracy=1,2&turns=a&accuracy=1,2`), "invalid"],
    [signed(`1&name=x&level=Casual&seed=7&rings=${rings}`), "invalid"],
  ]) assert.deepEqual(read(text), { fault }, text.slice(0, 200));
  // Every single change of a sign, and every cut, is noticed.
  for (let i = 0; i < link.length; i++) {
    assert.ok("fault" in read(link.slice(0, i) + (link[i] === "7" ? "8" : "7") + link.slice(i + 1)), `changed at ${i}`);
    assert.ok("fault" in read(link.slice(0, i)), `cut at ${i}`);
  }
});

test("the panel is a function of its state", () => {
  const fen = startOf(challenge.rings);
  const shown = (more = {}) => ({ ...played(), fen, removed: /** @type {[number, number]} */ ([3, 1]), ...more });
  const state = { levels: ["Casual", "Club"], challenge: null, games: [], own: false, name: "Ann" };
  const blocks = (/** @type {any} */ changes) => /** @type {any[]} */ (sheetOf({ ...state, ...changes }, "https://club.example/").filter(Boolean));
  const title = (changes) => blocks(changes)[0].title;
  const acts = (changes) => blocks(changes).flatMap(({ buttons = [] }) => buttons.filter(Boolean).map(([act]) => act)).join();
  assert.equal(acts({}), "close,level,level");
  assert.equal(acts({ challenge, games: [shown()] }), "close,accept");
  assert.equal(acts({ share: 0.5 }), "close");
  assert.equal(acts({ fault: "no" }), "close");
  assert.equal(acts({ challenge, games: [shown(), shown()] }), "accept,close");
  const own = { challenge, own: true, games: [shown(), shown({ name: "Bob", resigned: true, helped: true, removed: [0, 1] })] };
  assert.equal(acts(own), "close");
  assert.deepEqual(blocks(own).find(({ table }) => table).table, [
    ["", "You", "Bob"],
    ["Result", "won 3–1", "resigned"],
    ["Turns", "2", "2"],
    ["Accuracy", "61.2%", "61.2%"],
    ["Casual’s accuracy", "88.4%", "88.4%"],
    ["With help", "no", "yes"],
  ]);
  const text = blocks(own).find(({ copy }) => copy).copy;
  const [, link] = /^My game against Casual: won 3–1, accuracy 61.2%. Both games side by side:\nhttps:\/\/club\.example\/#challenge=(.*)$/.exec(text) ?? [];
  assert.deepEqual(/** @type {any} */ (read(link)).challenge.games.map(({ name }) => name), ["Ann", "Bob"]);
  assert.equal(title({ challenge, games: [shown()] }), "You are challenged");
  assert.equal(title({ challenge, games: [shown({ name: "Ann" })] }), "A challenge by Ann");
  for (const both of [own, { challenge, games: [shown({ name: "Bob" }), shown()] }]) assert.equal(title(both), "The games side by side");
  // The sender of the first game opens the answer.
  assert.deepEqual(blocks({ challenge, games: own.games.toReversed().map((game) => ({ ...game, name: "" })) }).find(({ table }) => table).table[0], ["", "Your friend", "You"]);
});
