import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, isDefinedEnvironment } from "@microremed/catalogue";
import { AppError } from "@microremed/core";
import { createEnvironmentRegistry } from "@microremed/environments";
import type { Entries, Replaced } from "./catalogue.types.ts";
import { kebabName } from "./entry-names.ts";
import { findEnvironments } from "./find-environments.ts";
import { importDefault, serveImportsOf } from "./import-entry.ts";
import { inWords } from "./in-words.ts";
import { replacements } from "./replacements.ts";
import type { Wrong } from "./wrong.types.ts";

/** Ours are read when they are asked for, for the largest takes a while; users' are read and checked now. */
export async function readEnvironments(
  dirs: readonly string[],
  environmentsDir: string | undefined,
): Promise<{ entries: Entries<Environment>; problems: Wrong[]; replaced: Replaced[] }> {
  const own = dirs.map((dir) => join(dir, "environments")).filter(isFolder);
  const registry = createEnvironmentRegistry(environmentsDir, ...own);
  const places = [
    ...(environmentsDir === undefined ? [] : [findEnvironments(environmentsDir, false)]),
    ...dirs.map((dir) => findEnvironments(join(dir, "environments"), true)),
  ];
  const used = replacements(
    places.map((place) => place.found),
    environmentsDir,
  );
  const problems = [...places.flatMap((place) => place.problems), ...used.problems];
  const inCode = new Map<string, Environment>();
  for (const { name, file, isCode } of places.flatMap((place) => place.found)) {
    if (!kebabName.safeParse(name).success)
      problems.push({ place: file, field: "name", expected: `kebab-case like "corner-shop", not "${name}"` });
    else if (!isCode) problems.push(...problemsOf(name, registry.get));
    else {
      serveImportsOf(dirname(realpathSync(file)));
      const found = await readCode(name, file);
      if (Array.isArray(found)) problems.push(...found);
      else inCode.set(name, found);
    }
  }
  const names = [...new Set([...registry.names(), ...inCode.keys()])].sort();
  const get = (name: string): Environment => inCode.get(name) ?? registry.get(name);
  return {
    entries: { names, has: (name) => names.includes(name), get, all: () => names.map(get) },
    problems,
    replaced: used.replaced,
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

async function readCode(name: string, file: string): Promise<Environment | Wrong[]> {
  try {
    const value = await importDefault(file);
    if (!isDefinedEnvironment(value))
      return [{ place: file, field: "default export", expected: "the result of defineEnvironment({ ... })" }];
    if (value.name === name) return value;
    return [{ place: file, field: "name", expected: `"${name}", the name of its folder` }];
  } catch (thrown) {
    return (
      namedIn(file, thrown) ?? [
        { place: file, field: "", expected: `code that can be loaded, not ${inWords(thrown)}` },
      ]
    );
  }
}

function problemsOf(name: string, get: (name: string) => Environment): readonly Wrong[] {
  try {
    get(name);
    return [];
  } catch (thrown) {
    const place = `environment ${name}`;
    return namedIn(place, thrown) ?? [{ place, field: "", expected: { sentence: inWords(thrown) } }];
  }
}

/** The problems that the reader of an environment names, each by itself; undefined: something else went wrong. */
function namedIn(place: string, thrown: unknown): Wrong[] | undefined {
  if (!(thrown instanceof AppError) || thrown.code !== "invalid-environment") return undefined;
  const { file = place, problems } = thrown.details;
  if (!Array.isArray(problems)) return undefined;
  return problems.map(String).map((text) => {
    const [field = "", ...sentence] = text.split(": ");
    return { place: String(file), field, expected: { sentence: sentence.join(": ") } };
  });
}
