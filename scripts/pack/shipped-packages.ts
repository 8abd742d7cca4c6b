import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

/** What a workspace's package.json says. */
const Workspace = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** A workspace that the published package contains. */
export interface ShippedPackage {
  readonly name: string;
  /** From the repository's root, e.g. `libs/core`. */
  readonly dir: string;
  /** As in its package.json: `.` or `./sub` -> file. */
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The command line, what it needs, and every folder of the catalogue, for entries are found by their folders. */
export function shippedPackages(root: string): ShippedPackage[] {
  const all = readWorkspaces(root);
  const shipped = new Map<string, ShippedPackage>();
  const add = (name: string): void => {
    const found = all.get(name);
    if (found === undefined || shipped.has(name)) return;
    shipped.set(name, found);
    for (const dependency of Object.keys(found.dependencies)) add(dependency);
  };
  add("@microremed/cli");
  for (const { name, dir } of all.values()) if (dir.startsWith("libs/catalogue/")) add(name);
  return [...shipped.values()].sort((a, b) => (a.dir < b.dir ? -1 : 1));
}

/** Every dependency from npm with its exact version. Throws where two packages want different ones. */
export function npmDependencies(packages: readonly ShippedPackage[]): Record<string, string> {
  const ours = new Set(packages.map(({ name }) => name));
  const union = new Map<string, string>();
  for (const { dir, dependencies } of packages) {
    for (const [name, version] of Object.entries(dependencies)) {
      if (ours.has(name)) continue;
      if (!/^\d+\.\d+\.\d+/.test(version))
        throw new Error(`${dir}/package.json: ${name} is ${version}, expected an exact version`);
      if ((union.get(name) ?? version) !== version)
        throw new Error(
          `${dir}/package.json: ${name} is ${version}, and ${union.get(name)} in another package; use one`,
        );
      union.set(name, version);
    }
  }
  return Object.fromEntries([...union].sort());
}

function readWorkspaces(root: string): Map<string, ShippedPackage> {
  const { workspaces } = z
    .object({ workspaces: z.array(z.string()) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const files = globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  return new Map(
    files.map((file) => {
      const manifest = Workspace.parse(JSON.parse(readFileSync(join(root, file), "utf8")));
      return [manifest.name, { ...manifest, dir: dirname(file) }];
    }),
  );
}
