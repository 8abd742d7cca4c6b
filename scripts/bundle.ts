// Bundles the code, so that processes start faster: `npm run setup` runs it. Does nothing where the bundle is as it should be.
import { join } from "node:path";
import { currentBundle } from "@microremed/core/bundle";

const root = join(import.meta.dirname, "..");
const [, record] = currentBundle(root);
if (!record) {
  console.error("setup: bundling the code into node_modules/.cache, so that it starts faster");
  const { writeBundle } = await import("./bundle/write-bundle.ts");
  await writeBundle(root);
}
