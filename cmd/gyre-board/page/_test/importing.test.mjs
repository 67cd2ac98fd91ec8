// Tests of what an imported file is taken for, which need no browser: node --test page/_test/

import assert from "node:assert/strict";
import { test } from "node:test";
import { isBackup } from "../parts/games/backup.js";
import { looksLikeJSON } from "../parts/games/importing.js";

test("JSON is told from a record that begins with a comment, and a backup from a log", () => {
  const backup = '{"format":"gyre games 1","games":[\n{"comment":"logs"}]}';
  const log = '\n { "status": 1, "data": {"logs": []}}';
  const record = '{"Good" he said: "logs"} [White "A"]\nf6 e5';
  assert.deepEqual([backup, log, record].map(looksLikeJSON), [true, true, false]);
  assert.deepEqual([backup, log, record].map(isBackup), [true, false, false]);
});
