// Loads the English messages, for tests that run in Node.js. Import it first.

import { readFileSync } from "node:fs";

globalThis.firstMessages = ["page", "parts"].map((name) => readFileSync(new URL(`../language/en/${name}.ftl`, import.meta.url), "utf8")).join("\n");
