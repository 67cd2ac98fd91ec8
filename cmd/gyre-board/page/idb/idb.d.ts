export * from "../../testdata/npm/node_modules/idb/build/index.js";
