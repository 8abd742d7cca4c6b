import { registerHooks } from "node:module";
import { sep } from "node:path";
import { pathToFileURL } from "node:url";

/** Directories of users whose entries have no node_modules of their own. */
const served = new Set<string>();

/** What an entry may import without installing it. */
const isOurs = (specifier: string): boolean => /^(@microremed\/catalogue|zod)(\/|$)/.test(specifier);

/** From now on code below the directory gets `@microremed/catalogue` and `zod` from this installation. */
export function serveImportsOf(dir: string): void {
  const isFirst = served.size === 0;
  served.add(pathToFileURL(dir + sep).href);
  if (!isFirst) return;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "" } = context;
      const inside = [...served].some((prefix) => parentURL.startsWith(prefix));
      return inside && isOurs(specifier)
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context);
    },
  });
}

/** The default export of an entry's file; undefined: it has none. */
export async function importDefault(file: string): Promise<unknown> {
  const module: unknown = await import(pathToFileURL(file).href);
  return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
}
