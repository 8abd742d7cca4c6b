#!/usr/bin/env node
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `microremed needs Node 24 or newer and was started with ${process.versions.node}.\n` +
      "In the repository `npx microremed ...` uses the right one after `npm run setup`.",
  );
  process.exit(1);
}
const { main } = await import("../src/main.ts");
await main(process.argv.slice(2));
