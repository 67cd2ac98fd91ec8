// Random games, played by the engine's rules.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "gyre-rules-"));
const engine = join(folder, "gyre");
before(() => execFileSync("go", ["build", "-o", engine, "./cmd/gyre"], { cwd: join(import.meta.dirname, "../../../..") }));
after(() => rmSync(folder, { recursive: true }));

/** Plays a random game with the engine's rules. Returns each position with its legal turns. */
export function randomGame(seed) {
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 8;
  const turns = [];
  const plies = [];
  for (;;) {
    const input = `position startpos${turns.length ? ` moves ${turns.join(" ")}` : ""}\nquery fen\nquery moves\n`;
    const [fen, moves] = spawnSync(engine, { input, encoding: "utf8" }).stdout.trim().split("\n").slice(-2).map((line) => line.slice("response ".length));
    const legal = moves.split(" ").filter(Boolean);
    const takes = legal.filter((turn) => turn.includes("x"));
    const among = takes.length ? takes : legal;
    const turn = among[random() % among.length];
    plies.push({ fen, legal, turn });
    if (!turn || plies.length === 90) return plies;
    turns.push(turn);
  }
}
