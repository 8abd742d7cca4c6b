#!/usr/bin/env node
// Old versions of Node must be able to read this file: no syntax and no named import that they don't have.
import * as nodeModule from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isNewEnough, runWithNewerNode } from "./newer-node.mjs";
import { stopWithNpx } from "./stop-with-npx.mjs";

// A reader that has seen enough (`| head`) ends the command quietly.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
}
stopWithNpx();
if (isNewEnough) {
  // The next start takes two thirds of the time and of the memory.
  nodeModule.enableCompileCache(
    fileURLToPath(new URL("../../../../node_modules/.cache/microremed", import.meta.url)),
  );
  const { programOf } = await import("@microremed/core/bundle");
  const { main } = await import(pathToFileURL(programOf(new URL("../src/main.ts", import.meta.url))).href);
  await main(process.argv.slice(2));
} else {
  runWithNewerNode(fileURLToPath(import.meta.url), process.argv.slice(2));
}
