import { isJsonObject, terminal } from "@microremed/core";
import type { z } from "zod";
import type { Environment } from "./environment.types.ts";
import { Model } from "./format.ts";
import { fileBeside, LoadSpec } from "./load-format.ts";
import { loadYaml, type TextFile } from "./load-yaml.ts";
import { makeEnvironment } from "./make-environment.ts";
import { readManifests } from "./read-manifests.ts";
import { type ReplayRow, readReplay } from "./replay.ts";
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
  /** Recorded loads beside `workload.yaml`, CSV or JSON lines. */
  readonly recorded?: readonly TextFile[];
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
  const parts = {
    model: read(Model, model, problems),
    workload: read(LoadSpec, workload, problems, (document) =>
      withRecords(document, workload.name, files.recorded ?? [], problems),
    ),
  };
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
function read<S extends z.ZodType>(
  schema: S,
  file: TextFile,
  problems: string[],
  prepare: (document: unknown) => unknown = (document) => document,
): z.output<S> | undefined {
  const documents = loadYaml(file);
  if ("problem" in documents) {
    problems.push(`${file.name}: ${documents.problem}`);
    return undefined;
  }
  const [document] = documents;
  if (documents.length !== 1) {
    problems.push(
      documents.length === 0
        ? `${file.name}: expected its keys; the file is empty`
        : `${file.name}: expected one document, not ${documents.length}; leave out what follows a line ---`,
    );
    return undefined;
  }
  // zod would compile the schema first, which takes longer than the few files that a process reads.
  const value = prepare(withoutExtensions(document));
  const parsed = schema.safeParse(value, { jitless: true });
  if (parsed.success) return parsed.data;
  const { error } = parsed;
  const at = (field: string): string => (field === "" ? file.name : `${file.name}, ${field}`);
  problems.push(...shapeProblems({ error, value, schema, at }));
  return undefined;
}

function withoutExtensions(document: unknown): unknown {
  if (!isJsonObject(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([key]) => !key.startsWith("x-")));
}

/** A load, and those in its `loads`, with what the files of their replays hold. */
function withRecords(load: unknown, place: string, files: readonly TextFile[], problems: string[]): unknown {
  if (!isJsonObject(load)) return load;
  const { replay, loads } = load;
  const name = isJsonObject(replay) ? replay["file"] : undefined;
  // The format says what is wrong with any other name.
  const read = typeof name === "string" && fileBeside.test(name) && recordOf(name, files);
  if (typeof read === "string") problems.push(`${place}, replay.file: ${read}`);
  return {
    ...load,
    ...(isJsonObject(replay) && { replay: { ...replay, ...(typeof read === "object" && { rows: read }) } }),
    ...(isJsonObject(loads) && {
      loads: Object.fromEntries(
        Object.entries(loads).map(([name, one]) => [
          name,
          withRecords(one, `${place}, loads.${name}`, files, problems),
        ]),
      ),
    }),
  };
}

function recordOf(name: string, files: readonly TextFile[]): readonly ReplayRow[] | string {
  const file = files.find((one) => one.name === name);
  if (!file) return `there is no file ${name} beside it that ends in .csv, .jsonl or .ndjson`;
  const rows = readReplay(file.text);
  return typeof rows === "string" ? `${name}: ${rows}` : rows;
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
