import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { oneOf, terminal } from "@microremed/core";
import type { Environment } from "./format.ts";
import { loadEnvironment } from "./load-environment.ts";

const builtIn = join(import.meta.dirname, "..", "systems");

export interface EnvironmentRegistry {
  /** Sorted; a system's name is its file's name without `.yaml`. */
  names(): readonly string[];
  /** Reads and checks the file at the first call. Throws `unknown-environment` or `invalid-environment` (terminal). */
  get(name: string): Environment;
}

/** The systems of this package and, over them, those of `extraDirectory`: one YAML file each. */
export function createEnvironmentRegistry(extraDirectory?: string): EnvironmentRegistry {
  const files = new Map([builtIn, extraDirectory].flatMap(filesOf));
  const loaded = new Map<string, Environment>();
  const names = [...files.keys()].sort();
  return {
    names: () => names,
    get: (name) => {
      const known = loaded.get(name);
      if (known) return known;
      const file = files.get(name);
      if (file === undefined)
        throw terminal(
          "unknown-environment",
          `there is no environment "${name}"; known are ${oneOf(names)}`,
          { name },
        );
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
  return readdirSync(directory)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => [basename(file, ".yaml"), join(directory, file)]);
}

function read(name: string, file: string): Environment {
  const environment = loadEnvironment(readFileSync(file, "utf8"), file);
  if (environment.name === name) return environment;
  throw terminal(
    "invalid-environment",
    `${file} has the name "${environment.name}"; name the file ${environment.name}.yaml or set name: ${name}`,
    { file },
  );
}
