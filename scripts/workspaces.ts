import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

const names = z.record(z.string(), z.string()).default({});
/** What is built to be published says where its source is. */
const source = z.union([
  z.string(),
  z.object({ "@microremed/source": z.string() }).transform((of) => of["@microremed/source"]),
]);
/** The parts of a workspace's package.json that scripts work with. */
const Manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), source).default({}),
  scripts: names,
  dependencies: names,
  devDependencies: names,
});

/** One package of the repository. */
export interface Workspace extends z.output<typeof Manifest> {
  /** From the repository's root, e.g. `libs/core`. */
  readonly dir: string;
}

/** Every package of the repository, by folder. Throws a ZodError when a package.json is none. */
export function workspaces(root: string): readonly Workspace[] {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));
  const { workspaces: patterns } = z.object({ workspaces: z.array(z.string()) }).parse(read("package.json"));
  const files = globSync(
    patterns.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  return files.sort().map((file) => ({ ...Manifest.parse(read(file)), dir: dirname(file) }));
}
