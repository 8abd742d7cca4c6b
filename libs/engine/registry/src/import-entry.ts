import { realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { moduleOf } from "@microremed/core/bundle";
import { settleWithin } from "./settle-within.ts";

/** Directories of users whose entries have no node_modules of their own. */
const served = new Set<string>();

/** What an entry may import without installing it, and the module that it then gets: ours, so that there is one. */
const ours: ReadonlyMap<string, string> = new Map([
  ["@microremed/catalogue", moduleOf(import.meta.resolve("@microremed/catalogue"))],
  ["@microremed/catalogue/environment", moduleOf(import.meta.resolve("@microremed/catalogue/environment"))],
  ["zod", moduleOf(import.meta.resolve("zod"))],
]);

/** From now on code below the directory gets `@microremed/catalogue` and `zod` from this installation. */
export function serveImportsOf(dir: string): void {
  const isFirst = served.size === 0;
  // Node names a module by the path that links lead to.
  for (const path of [dir, realpathSync(dir)]) {
    const prefix = pathToFileURL(path + sep).href;
    if (![...served].some((known) => prefix.startsWith(known))) served.add(prefix);
  }
  if (!isFirst) return;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "" } = context;
      if (![...served].some((prefix) => parentURL.startsWith(prefix))) return next(specifier, context);
      const url = ours.get(specifier);
      if (url !== undefined) return { url, shortCircuit: true };
      if (!specifier.startsWith("zod/")) return next(specifier, context);
      const found = next(specifier, { ...context, parentURL: import.meta.url });
      return { ...found, url: moduleOf(found.url) };
    },
  });
}

/** Time that an import may take, ms: code may await at its top what never comes. */
const deadlineMs = 30_000;

/** The default export of an entry's file; undefined: it has none. Throws what the code throws, or after the deadline. */
export function importDefault(file: string, withinMs: number = deadlineMs): Promise<unknown> {
  return settleWithin(defaultOf(file), withinMs);
}

async function defaultOf(file: string): Promise<unknown> {
  const module: unknown = await import(moduleOf(pathToFileURL(file)));
  return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
}
