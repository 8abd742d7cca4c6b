import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { PlaybookPolicy } from "@microremed/ansible";
import { wrongLines } from "@microremed/contracts";
import { likelyNames, terminal } from "@microremed/core";
import { load, YAMLException } from "js-yaml";
import { z } from "zod";

const builtIn = join(import.meta.dirname, "..");

/** Policies for playbooks by name. All of them are valid: wrong files are refused when the registry is made. */
export interface PolicyRegistry {
  /** Sorted; a policy's name is its file's name without `.yaml`. */
  readonly names: readonly string[];
  /** Throws `unknown-policy` (terminal). */
  get(name: string): PlaybookPolicy;
}

/**
 * The policies of this package and, over them, those of `extraDirectory`: one YAML file each. All are read and checked
 * here, so that a wrong file is found at the start. Throws `invalid-config` (terminal) that names the file and fields.
 */
export function createPolicyRegistry(extraDirectory?: string): PolicyRegistry {
  const directories = [builtIn, ...(extraDirectory === undefined ? [] : [extraDirectory])];
  const policies = new Map(directories.flatMap(filesIn).map((file) => [basename(file, ".yaml"), read(file)]));
  const names = [...policies.keys()].sort();
  return {
    names,
    get: (name) => {
      const policy = policies.get(name);
      if (policy) return policy;
      throw terminal(
        "unknown-policy",
        `there is no policy ${JSON.stringify(name.slice(0, 200))}; ${likelyNames(name, names)}`,
        { name },
      );
    },
  };
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => join(directory, name));
  } catch (error) {
    throw wrong(directory, `the directory of policies can't be read (${String(error)})`, error);
  }
}

function read(file: string): PlaybookPolicy {
  try {
    return PlaybookPolicy.parse(load(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof z.ZodError) throw wrong(file, wrongLines(error), error);
    if (error instanceof YAMLException) throw wrong(file, `it is not YAML: ${error.message}`, error);
    throw wrong(file, `it can't be read (${String(error)})`, error);
  }
}

function wrong(path: string, what: string, cause: unknown): Error {
  return terminal("invalid-config", `${path}: ${what}`, { path }, cause);
}
