import { createHash } from "node:crypto";
import { globSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type BundleRecord, bundlesFolder, type FileStamp, stampOf } from "@microremed/core/bundle";
import { type OutputChunk, rolldown } from "rolldown";
import { placesOfSources } from "./places-of-sources.ts";

/** What is started as a program. */
const programs = [
  "libs/ports/kubectl/src/in-process/shell/shell-thread.ts",
  "libs/sim/shell/src/thread/script-thread.ts",
  "libs/surface/cli/src/main.ts",
  "libs/surface/cli/src/dataset/worker.ts",
  "libs/surface/cli/src/traces/worker.ts",
  "libs/surface/gym/src/server/gym-worker.ts",
  "libs/ops/stack/src/cluster-host/host-main.ts",
  "libs/ops/stack/src/scheduling/scheduling-main.ts",
  "services/*/src/main.ts",
];
/** What is imported by its place: the catalogue's entries, and what entries of users import. */
const imported = [
  "libs/catalogue/{agents,faults,noises,oracles,suites,tasks,tools}/*/index.ts",
  "libs/catalogue/sdk/src/index.ts",
  "libs/catalogue/sdk/src/environment/index.ts",
  "node_modules/zod/index.js",
  "node_modules/zod/{v4,v4/core,v4/mini,mini}/index.js",
];
/** Beside the modules: a new entry, another version of a library or other exports of a package make a bundle old. */
const alsoMadeFrom = [
  "libs/catalogue/{agents,faults,noises,oracles,suites,tasks,tools}",
  "package.json",
  "{libs,services}/**/package.json",
  "node_modules/.package-lock.json",
];
/** Bundles that are kept beside the new one: processes that run may still read them. */
const kept = 3;

/** Bundles the code of a repository and makes the bundle the current one. Throws what the bundler says is wrong. */
export async function writeBundle(root: string): Promise<void> {
  const startedAt = Date.now();
  const glob = (patterns: readonly string[]): string[] => globSync([...patterns], { cwd: root }).sort();
  const inputs = glob([...programs, ...imported]);
  await using bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(inputs.map((file) => [nameOf(file), join(root, file)])),
    platform: "node",
    // It is bundled already, and finds its files by their places.
    external: [/^node:/, "just-bash"],
    plugins: [placesOfSources(root, bundlesFolder)],
    logLevel: "warn",
  });
  const bundles = join(root, bundlesFolder);
  const being = join(bundles, `being-made-${process.pid}`);
  const { output } = await bundle.write({
    dir: being,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  const chunks = output.filter((one): one is OutputChunk => one.type === "chunk");
  const fromRoot = (path: string): string => relative(root, path).replaceAll(sep, "/");
  const modules = chunks.flatMap(({ modules }) => Object.keys(modules)).map(fromRoot);
  const sources = modules.filter((path) => /^(libs|services)\//.test(path));
  const record: BundleRecord = {
    files: Object.fromEntries(
      chunks.flatMap(({ isEntry, facadeModuleId, fileName }) =>
        isEntry && facadeModuleId !== null ? [[fromRoot(facadeModuleId), fileName]] : [],
      ),
    ),
    madeFrom: stampsOf(root, [...new Set([...sources, ...glob(alsoMadeFrom)])].sort(), startedAt),
  };
  const text = JSON.stringify(record);
  const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
  writeFileSync(join(being, "bundle.json"), text);
  rmSync(join(bundles, name), { recursive: true, force: true });
  renameSync(being, join(bundles, name));
  writeFileSync(join(bundles, "current.new"), name);
  renameSync(join(bundles, "current.new"), join(bundles, "current"));
  removeOld(bundles, name);
}

/** All in one folder. */
const nameOf = (file: string): string => file.replace(/\.\w+$/, "").replaceAll("/", "_");

/** What changed while the bundle was made never is as it was. */
function stampsOf(root: string, paths: readonly string[], startedAt: number): Record<string, FileStamp> {
  return Object.fromEntries(
    paths.map((path) => {
      const [size, changedAt] = stampOf(join(root, path)) ?? [-1, 0];
      return [path, [changedAt < startedAt ? size : -1, changedAt]];
    }),
  );
}

function removeOld(bundles: string, current: string): void {
  const others = readdirSync(bundles, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== current ? [join(bundles, entry.name)] : [],
  );
  const byAge = others.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of byAge.slice(kept)) rmSync(folder, { recursive: true, force: true });
}
