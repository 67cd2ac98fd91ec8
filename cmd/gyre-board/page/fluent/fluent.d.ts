export * from "../../testdata/npm/node_modules/@fluent/bundle/esm/index.js";
