import { join, relative } from "node:path";
import { API, type Project, SymbolFlags } from "typescript/unstable/sync";
import { type Workspace, workspaces } from "../workspaces.ts";

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
    return workspaces(root).flatMap((workspace) => exportsOf(workspace, project));
  } finally {
    api.close();
  }
}

function exportsOf({ name, dir, exports }: Workspace, project: Project): ExportedSymbol[] {
  return Object.entries(exports).flatMap(([subpath, file]) => {
    const specifier = `${name}${subpath.slice(1)}`;
    const source = project.program.getSourceFile(join(root, dir, file));
    const module = source && project.checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${dir}: ${file} is no module of tsconfig.json's project`);
    return project.checker.getExportsOfModule(module).flatMap((symbol) => {
      const target = symbol.flags & SymbolFlags.Alias ? project.checker.getAliasedSymbol(symbol) : symbol;
      const declared = target.declarations[0];
      const file = declared === undefined ? `${dir}/package.json` : relative(root, declared.path);
      if (!file.startsWith(`${dir}/`)) return [];
      const comment = project.checker.getDocumentationCommentOfSymbol(target).trim();
      return [{ specifier, name: symbol.name, file, comment }];
    });
  });
}
