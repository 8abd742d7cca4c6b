import { isJsonObject, terminal } from "@microremed/core";
import type { z } from "zod";
import type { Environment } from "./environment.types.ts";
import { LoadSpec, Model } from "./format.ts";
import { loadYaml, type TextFile } from "./load-yaml.ts";
import { makeEnvironment } from "./make-environment.ts";
import { readManifests } from "./read-manifests.ts";
import { shapeProblems } from "./shape-problems.ts";

/** The files of an environment's folder. */
export interface EnvironmentFiles {
  /** The folder, for messages. */
  readonly folder: string;
  readonly model: TextFile;
  readonly workload: TextFile;
  readonly manifests: readonly TextFile[];
  /** Of what the system's own operators make. Absent: it has none. */
  readonly made?: readonly TextFile[];
}

const maxProblems = 20;

/**
 * Reads one system's files. Top-level keys of the model and the workload that begin with `x-` are ignored: they hold what
 * anchors share.
 *
 * Throws `invalid-environment` (terminal) that names the folder and, for every problem, the file, the place in it and
 * what was expected.
 */
export function loadEnvironment({ folder, model, workload, ...files }: EnvironmentFiles): Environment {
  const problems: string[] = [];
  const parts = { model: read(Model, model, problems), workload: read(LoadSpec, workload, problems) };
  const objects = readManifests(files.manifests);
  const made = readManifests(files.made ?? []);
  problems.push(...objects.problems, ...made.problems);
  if (!parts.model || !parts.workload || problems.length > 0) throw invalid(folder, problems);
  const environment = makeEnvironment({
    manifests: objects.manifests,
    made: made.manifests,
    model: parts.model,
    workload: parts.workload,
  });
  if (Array.isArray(environment)) throw invalid(folder, environment);
  return environment;
}

/** A file with one document of a schema; what is wrong with it is added to `problems`. */
function read<S extends z.ZodType>(schema: S, file: TextFile, problems: string[]): z.output<S> | undefined {
  const documents = loadYaml(file);
  if ("problem" in documents) {
    problems.push(`${file.name}: ${documents.problem}`);
    return undefined;
  }
  const [document] = documents;
  if (documents.length !== 1) {
    problems.push(`${file.name}: expected one document; it has ${documents.length}`);
    return undefined;
  }
  // zod would compile the schema first, which takes longer than the few files that a process reads.
  const parsed = schema.safeParse(withoutExtensions(document), { jitless: true });
  if (parsed.success) return parsed.data;
  problems.push(...shapeProblems(parsed.error, "the file").map((one) => `${file.name}, ${one}`));
  return undefined;
}

function withoutExtensions(document: unknown): unknown {
  if (!isJsonObject(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([key]) => !key.startsWith("x-")));
}

function invalid(folder: string, problems: readonly string[]) {
  const shown = problems.slice(0, maxProblems);
  const left = problems.length - shown.length;
  const list = [...shown, ...(left > 0 ? [`... and ${left} more`] : [])].map((line) => `  - ${line}`);
  return terminal(
    "invalid-environment",
    `${folder} does not describe an environment:\n${list.join("\n")}\nThe format is explained in docs/own-system.md.`,
    { file: folder, problems: shown },
  );
}
