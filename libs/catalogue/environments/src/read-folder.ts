import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { EnvironmentFiles, TextFile } from "@microremed/catalogue/environment";
import { type AppError, terminal } from "@microremed/core";

/** More files than any system's manifests are spread over. */
const mostFiles = 1_000;
/** Of one file. */
const mostBytes = 4 * 1024 * 1024;
/** Of folders in `manifests`. */
const deepest = 6;
const kustomizations = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
const kustomizeWithinMs = 60_000;

/** Whether a folder holds an environment. */
export const isEnvironmentFolder = (folder: string): boolean => existsSync(join(folder, "model.yaml"));

/**
 * The files of an environment's folder: `model.yaml`, `workload.yaml` with recorded loads beside it, `manifests` and, where its own
 * operators make objects, `made`. YAML and JSON files in these are read in the order of their paths. A kustomization there is built by kubectl. Throws `invalid-environment` (terminal).
 */
export function readEnvironmentFolder(folder: string): EnvironmentFiles {
  return {
    folder,
    model: textOf(folder, "model.yaml"),
    workload: textOf(folder, "workload.yaml"),
    manifests: manifestsIn(folder, "manifests"),
    made: existsSync(join(folder, "made")) ? manifestsIn(folder, "made") : [],
    recorded: readdirSync(folder)
      .filter((name) => /\.(csv|jsonl|ndjson)$/.test(name))
      .slice(0, mostFiles)
      .map((name) => textOf(folder, name)),
  };
}

function manifestsIn(folder: string, name: "manifests" | "made"): TextFile[] {
  const dir = join(folder, name);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw invalid(folder, `${name}: expected a folder with the system's Kubernetes manifests`);
  if (kustomizations.some((name) => existsSync(join(dir, name)))) return [built(folder, name)];
  const paths = filesBelow(dir, 0).sort();
  if (paths.length > mostFiles)
    throw invalid(folder, `${name}: expected at most ${mostFiles} files, not ${paths.length}`);
  return paths.map((path) => textOf(folder, relative(folder, path)));
}

function filesBelow(dir: string, depth: number): string[] {
  if (depth > deepest) return [];
  return readdirSync(dir)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => {
      const path = join(dir, name);
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return filesBelow(path, depth + 1);
      return /\.(ya?ml|json)$/.test(name) ? [path] : [];
    });
}

function textOf(folder: string, name: string): TextFile {
  const path = join(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw invalid(folder, `${name}: expected a file; there is none`);
  // A pipe would block for ever.
  if (!stat.isFile()) throw invalid(folder, `${name}: expected a regular file`);
  if (stat.size > mostBytes)
    throw invalid(folder, `${name}: expected a file of at most ${mostBytes} bytes, not ${stat.size}`);
  return { name, text: readFileSync(path, "utf8") };
}

function built(folder: string, name: string): TextFile {
  const { status, stdout, stderr, error } = spawnSync("kubectl", ["kustomize", join(folder, name)], {
    encoding: "utf8",
    timeout: kustomizeWithinMs,
    maxBuffer: mostBytes,
  });
  if (error) throw invalid(folder, `${name}: kubectl kustomize: ${error.message}`);
  if (status !== 0) throw invalid(folder, `${name}: kubectl kustomize: ${stderr.trim()}`);
  return { name, text: stdout };
}

function invalid(folder: string, problem: string): AppError {
  return terminal("invalid-environment", `${folder} does not describe an environment: ${problem}`, {
    file: folder,
    problems: [problem],
  });
}
