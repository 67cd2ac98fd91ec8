// Builds the package: one script for the component and one for pictures, with the style sheet
// and the board's messages in them, and their types. It needs `npm ci`. `npm pack` runs it.

import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const page = join(here, "../page");
const drawing = join(here, "../../../position/drawing");

/** The page's style sheet for the board, inside a shadow root. */
const boardStyle = () => readFileSync(join(drawing, "board.css"), "utf8")
  .replace(':root, [data-board=""]', ":host")
  .replace(/\[data-board="(\w+)"\]/g, ':host([theme="$1"])');

/** Messages of the page that modules of the board use, in Fluent's format. */
function messages() {
  const sources = ["board/board.js", "board/moveinput.js", "../../../position/drawing/marks.js", "board/pointer.js", "scores.js", "game/game.js", "language.js"].map((name) => readFileSync(join(page, name), "utf8")).join("\n");
  const entries = readFileSync(join(page, "language/en/page.ftl"), "utf8").split(/^(?=[a-z-][\w-]* =)/m);
  return entries.filter((entry) => {
    const [, id = ""] = /^(-?[a-z][\w-]*) =/.exec(entry) ?? [];
    return id.startsWith("-") || new RegExp(`["\`]${id.replace(/-[a-z]+$/, "(?:-[a-z]+|-\\$\\{)?")}`).test(sources);
  }).map((entry) => entry.replace(/^#.*\n?/gm, "").trim()).join("\n");
}

const text = {
  name: "text",
  setup(/** @type {import("esbuild").PluginBuild} */ { onLoad }) {
    onLoad({ filter: /npm\/style\.css$/ }, ({ path }) => ({ contents: `${boardStyle()}\n${readFileSync(path, "utf8")}`, loader: "text" }));
    // The component speaks English: its messages do not depend on the page around it.
    onLoad({ filter: /page\/language\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, "utf8");
      for (const [from, to] of [["globalThis.document?.documentElement", "undefined"], ["await globalThis.firstMessages", JSON.stringify(messages())]]) {
        if (!contents.includes(from)) throw new Error(`${path} has no ${from}`);
        contents = contents.replace(from, () => to);
      }
      return { contents, loader: "js", resolveDir: page };
    });
  },
};

for (const old of ["dist", "types"]) rmSync(join(here, old), { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["yinshboard.js", "picture.js"],
  outdir: "dist",
  bundle: true,
  minify: true,
  treeShaking: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  metafile: true,
  plugins: [text],
});
for (const [name, { bytes, inputs }] of Object.entries(metafile.outputs)) console.log(`${basename(name)}: ${bytes} bytes from ${Object.keys(inputs).length} modules`);
const types = join(here, "types");
execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "-p", here, "--outDir", join(types, "all")], { stdio: "inherit" });
for (const name of ["cmd/gyre-board/npm/yinshboard", "cmd/gyre-board/npm/picture", "position/drawing/rules"]) {
  writeFileSync(join(types, `${basename(name)}.d.ts`), readFileSync(join(types, `all/${name}.d.ts`), "utf8").replaceAll("../../../position/drawing/rules.js", "./rules.js"));
}
// TypeScript's comments cannot say what an element's name and its events mean.
appendFileSync(join(types, "yinshboard.d.ts"), readFileSync(join(here, "elements.d.ts"), "utf8"));
rmSync(join(types, "all"), { recursive: true }); // of the page's modules
copyFileSync(join(here, "../../../LICENSE"), join(here, "LICENSE"));
writeFileSync(join(here, "THIRD-PARTY.md"), `# Licenses\n\n## npm: @fluent/bundle\n\n${readFileSync(join(page, "fluent/LICENSE.txt"), "utf8")}`);
