import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Environment } from "@microremed/catalogue";
import { AppError } from "@microremed/core";
import { createEnvironmentRegistry, environmentNamesIn } from "@microremed/environments";
import type { Entries } from "./catalogue.types.ts";
import type { Problem } from "./find-entries.ts";
import { importDefault } from "./import-entry.ts";

/** Ours are read when they are asked for, for the largest takes a while; users' are read and checked now. */
export async function readEnvironments(
  dirs: readonly string[],
  environmentsDir: string | undefined,
): Promise<{ entries: Entries<Environment>; problems: Problem[] }> {
  const own = dirs.map((dir) => join(dir, "environments")).filter((dir) => existsSync(dir));
  const registry = createEnvironmentRegistry(environmentsDir, ...own);
  const problems: Problem[] = [];
  const inCode = new Map<string, Environment>();
  for (const { name, file } of own.flatMap(codeIn)) {
    const found = await readCode(name, file);
    if (Array.isArray(found)) problems.push(...found);
    else inCode.set(name, found);
  }
  for (const name of [environmentsDir, ...own].flatMap(environmentNamesIn)) {
    problems.push(...problemsOf(name, registry.get));
  }
  const names = [...new Set([...registry.names(), ...inCode.keys()])].sort();
  const get = (name: string): Environment => inCode.get(name) ?? registry.get(name);
  return {
    entries: { names, has: (name) => names.includes(name), get, all: () => names.map(get) },
    problems,
  };
}

/** Environments that are written in code: `<name>/index.ts` and the like. */
function codeIn(dir: string): { readonly name: string; readonly file: string }[] {
  return readdirSync(dir).flatMap((name) => {
    const files = ["index.ts", "index.js", "index.mjs"].map((file) => join(dir, name, file));
    return files.filter((file) => existsSync(file)).map((file) => ({ name, file }));
  });
}

async function readCode(name: string, file: string): Promise<Environment | Problem[]> {
  try {
    const value = await importDefault(file);
    const parsed = Environment.safeParse(value);
    if (!parsed.success)
      return [{ place: file, field: "default export", expected: "the result of defineEnvironment({ ... })" }];
    if (parsed.data.name === name) return parsed.data;
    return [{ place: file, field: "name", expected: `"${name}", the name of its folder` }];
  } catch (thrown) {
    return (
      namedIn(file, thrown) ?? [
        { place: file, field: "", expected: `code that can be loaded, not ${inWords(thrown)}` },
      ]
    );
  }
}

function problemsOf(name: string, get: (name: string) => Environment): readonly Problem[] {
  try {
    get(name);
    return [];
  } catch (thrown) {
    const place = `environment ${name}`;
    return namedIn(place, thrown) ?? [{ place, field: "", expected: { sentence: inWords(thrown) } }];
  }
}

/** The problems that the reader of an environment names, each by itself; undefined: something else went wrong. */
function namedIn(place: string, thrown: unknown): Problem[] | undefined {
  if (!(thrown instanceof AppError) || thrown.code !== "invalid-environment") return undefined;
  const { file = place, problems } = thrown.details;
  if (!Array.isArray(problems)) return undefined;
  return problems.map(String).map((text) => {
    const [field = "", ...sentence] = text.split(": ");
    return { place: String(file), field, expected: { sentence: sentence.join(": ") } };
  });
}

const inWords = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
