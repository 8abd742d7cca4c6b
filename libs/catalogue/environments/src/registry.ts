import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Environment, loadEnvironment } from "@microremed/catalogue/environment";
import { oneOf, terminal } from "@microremed/core";

const builtIn = join(import.meta.dirname, "..");

/** Environments by name. A file is read when its environment is first asked for, and once. */
export interface EnvironmentRegistry {
  /** Sorted; a system's name is its folder's or its file's name. */
  names(): readonly string[];
  /** Reads and checks the file at the first call. Throws `unknown-environment` or `invalid-environment` (terminal). */
  get(name: string): Environment;
}

/**
 * The systems of this package and, over them, those of other directories. A directory holds a folder with an
 * `environment.yaml` for each system, or a `<name>.yaml`.
 */
export function createEnvironmentRegistry(...others: readonly (string | undefined)[]): EnvironmentRegistry {
  const files = new Map([builtIn, ...others].flatMap(filesOf));
  const loaded = new Map<string, Environment>();
  const names = [...files.keys()].sort();
  return {
    names: () => names,
    get: (name) => {
      const known = loaded.get(name);
      if (known) return known;
      const file = files.get(name);
      if (file === undefined)
        throw terminal("unknown-environment", `there is no environment "${name}"; known: ${oneOf(names)}`, {
          name,
        });
      const environment = read(name, file);
      loaded.set(name, environment);
      return environment;
    },
  };
}

/** The systems that come with the product. */
export const environments: EnvironmentRegistry = createEnvironmentRegistry();

function filesOf(directory: string | undefined): [string, string][] {
  if (directory === undefined) return [];
  if (!existsSync(directory))
    throw terminal("invalid-config", `the environments directory ${directory} does not exist`, { directory });
  return readdirSync(directory).flatMap((entry): [string, string][] => {
    const path = join(directory, entry);
    if (entry.endsWith(".yaml")) return [[basename(entry, ".yaml"), path]];
    const inside = join(path, "environment.yaml");
    return existsSync(inside) ? [[entry, inside]] : [];
  });
}

function read(name: string, file: string): Environment {
  const environment = loadEnvironment(readFileSync(file, "utf8"), file);
  if (environment.name === name) return environment;
  throw terminal(
    "invalid-environment",
    `${file} has the name "${environment.name}"; call it ${environment.name} or set name: ${name}`,
    { file },
  );
}
