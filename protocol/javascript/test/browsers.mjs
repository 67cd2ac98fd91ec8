// Opens pages in the installed browsers. A page sends its result to the server that sent it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

/** @typedef {{name: string, program: string}} Browser */

const PROGRAMS = {
  Chromium: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "headless-shell"],
  Firefox: ["firefox-esr", "firefox"],
};

/**
 * The installed browsers. In CI both must be installed.
 * @param {import("node:test").TestContext} t
 * @returns {Browser[]}
 */
export function browsers(t) {
  const folders = (process.env.PATH ?? "").split(":");
  return Object.entries(PROGRAMS).flatMap(([name, programs]) => {
    const program = programs.flatMap((file) => folders.map((folder) => join(folder, file))).find(existsSync);
    if (program) return [{ name, program }];
    assert.ok(process.env.CI !== "true", `${name} is not installed`);
    t.diagnostic(`${name} is not installed`);
    return [];
  });
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml" };

/**
 * Serves a folder, opens its index.html or another page in a browser, and returns what the page
 * posts to /report, parsed as JSON.
 * @param {string} site
 * @param {Browser} browser
 * @param {string} [page]
 */
export async function visit(site, { name, program }, page = "") {
  let report = (/** @type {any} */ _) => {};
  const reported = new Promise((resolve) => (report = resolve));
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://site").pathname;
    if (path === "/report") {
      let body = "";
      request.on("data", (chunk) => (body += chunk)).on("end", () => report(JSON.parse(body)));
      response.end();
      return;
    }
    const file = join(site, path === "/" ? "index.html" : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = `http://127.0.0.1:${server.address().port}/${page}`;
  const profile = mkdtempSync(join(tmpdir(), "gyre-browser-"));
  const args = name === "Firefox"
    ? ["--headless", "--no-remote", "--profile", profile, address]
    : ["--headless=new", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, address];
  const running = spawn(program, args, { stdio: "ignore", detached: true, env: { ...process.env, HOME: profile } });
  const ended = new Promise((resolve) => running.on("exit", resolve));
  try {
    return await Promise.race([reported, ended.then((status) => assert.fail(`${name} ended with ${status} before the page reported`))]);
  } finally {
    try {
      process.kill(-running.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
