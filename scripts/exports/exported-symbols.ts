import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { API, type Project, SymbolFlags } from "typescript/unstable/sync";
import { z } from "zod";

/** One name that a package exports. */
export interface ExportedSymbol {
  /** As it is imported, e.g. `@microremed/bus/nats`. */
  readonly specifier: string;
  readonly name: string;
  /** Where it is declared, from the repository's root. */
  readonly file: string;
  /** The text of its comments (`/** ... *\/`), without stars; empty: it has none. */
  readonly comment: string;
}

const root = join(import.meta.dirname, "../..");
const Manifest = z.object({ name: z.string(), exports: z.record(z.string(), z.string()).default({}) });

/**
 * Every export of every file in the `exports` of a workspace, by package and name, as the TypeScript compiler resolves it.
 * Exports of other packages that a package passes on are left out: their own package has them.
 * Throws when a file of `exports` is not part of the TypeScript project.
 */
export function exportedSymbols(): readonly ExportedSymbol[] {
  const api = new API({ cwd: root });
  try {
    const config = join(root, "tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`${config}: the compiler did not open it as a project`);
    const { workspaces } = z
      .object({ workspaces: z.array(z.string()) })
      .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    const manifests = globSync(
      workspaces.map((pattern) => `${pattern}/package.json`),
      { cwd: root },
    );
    return manifests.sort().flatMap((manifest) => exportsOf(manifest, project));
  } finally {
    api.close();
  }
}

function exportsOf(manifest: string, project: Project): ExportedSymbol[] {
  const dir = dirname(manifest);
  const { name, exports } = Manifest.parse(JSON.parse(readFileSync(join(root, manifest), "utf8")));
  return Object.entries(exports).flatMap(([subpath, file]) => {
    const specifier = `${name}${subpath.slice(1)}`;
    const source = project.program.getSourceFile(join(root, dir, file));
    const module = source && project.checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${manifest}: ${file} is no module of tsconfig.json's project`);
    return project.checker.getExportsOfModule(module).flatMap((symbol) => {
      const target = symbol.flags & SymbolFlags.Alias ? project.checker.getAliasedSymbol(symbol) : symbol;
      const declared = target.declarations[0];
      const file = declared === undefined ? manifest : relative(root, declared.path);
      if (!file.startsWith(`${dir}/`)) return [];
      const comment = project.checker.getDocumentationCommentOfSymbol(target).trim();
      return [{ specifier, name: symbol.name, file, comment }];
    });
  });
}
