import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Environment, loadEnvironment } from "@microremed/catalogue/environment";
import { likelyNames, terminal } from "@microremed/core";
import { isEnvironmentFolder, readEnvironmentFolder } from "./read-folder.ts";

const builtIn = join(import.meta.dirname, "..");

/** Environments by name. A folder is read when its environment is first asked for, and once. */
export interface EnvironmentRegistry {
  /** Sorted; a system's name is its folder's. */
  names(): readonly string[];
  /** Reads and checks the folder at the first call. Throws `unknown-environment` or `invalid-environment` (terminal). */
  get(name: string): Environment;
}

/** The systems of this package and, over them, those of other directories, which hold a folder for each system. */
export function createEnvironmentRegistry(...others: readonly (string | undefined)[]): EnvironmentRegistry {
  const folders = new Map([builtIn, ...others].flatMap(foldersOf));
  const loaded = new Map<string, Environment>();
  const names = [...folders.keys()].sort();
  return {
    names: () => names,
    get: (name) => {
      const known = loaded.get(name);
      if (known) return known;
      const folder = folders.get(name);
      if (folder === undefined)
        throw terminal(
          "unknown-environment",
          `there is no environment ${JSON.stringify(name.slice(0, 200))}; ${likelyNames(name, names)}`,
          {
            name,
          },
        );
      const environment = readEnvironment(folder);
      loaded.set(name, environment);
      return environment;
    },
  };
}

/** The systems that come with the product. */
export const environments: EnvironmentRegistry = createEnvironmentRegistry();

/** The environment of one folder, which has its name. Throws `invalid-environment` (terminal) that names every wrong place. */
export function readEnvironment(folder: string): Environment {
  const environment = loadEnvironment(readEnvironmentFolder(folder));
  const expected = basename(resolve(folder));
  if (environment.name === expected) return environment;
  const problem = `model.yaml, name: expected ${expected}, the name of its folder, not ${environment.name}`;
  throw terminal("invalid-environment", `${folder} does not describe an environment: ${problem}`, {
    file: folder,
    problems: [problem],
  });
}

function foldersOf(directory: string | undefined): [string, string][] {
  if (directory === undefined) return [];
  if (!existsSync(directory))
    throw terminal("invalid-config", `the environments directory ${directory} does not exist`, { directory });
  return readdirSync(directory).flatMap((entry): [string, string][] => {
    const folder = join(directory, entry);
    return isEnvironmentFolder(folder) ? [[entry, folder]] : [];
  });
}
