// `npm pack` and `npm publish` run it at the repository's root: before they read the package, and again when they have.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPackage } from "./pack/build-package.ts";
import { builtFolder, publishedManifest } from "./pack/published-manifest.ts";
import { shippedPackages } from "./pack/shipped-packages.ts";

const root = join(import.meta.dirname, "..");
const manifest = join(root, "package.json");
/** The repository's own package.json, while the published one replaces it. */
const own = join(root, builtFolder, "package.repository.json");

function prepare(): void {
  restore();
  const text = readFileSync(manifest, "utf8");
  buildPackage(root, join(root, builtFolder));
  const published = publishedManifest(JSON.parse(text), shippedPackages(root));
  writeFileSync(own, text);
  writeFileSync(`${manifest}.new`, `${JSON.stringify(published, null, 2)}\n`);
  renameSync(`${manifest}.new`, manifest);
}

/** Also mends what a pack has left that was killed. */
function restore(): void {
  if (existsSync(own)) renameSync(own, manifest);
}

const { values } = parseArgs({ options: { restore: { type: "boolean", default: false } } });
if (values.restore) restore();
else prepare();
