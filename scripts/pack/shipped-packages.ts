import { type Workspace, workspaces } from "../workspaces.ts";

/** A workspace that the published package contains. */
export type ShippedPackage = Pick<Workspace, "name" | "dir" | "exports" | "dependencies">;

/** The command line, what it needs, and every folder of the catalogue, for entries are found by their folders. */
export function shippedPackages(root: string): ShippedPackage[] {
  const all = new Map(workspaces(root).map((each) => [each.name, each]));
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
