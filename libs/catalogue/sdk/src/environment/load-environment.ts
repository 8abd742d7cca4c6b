import { isJsonObject, ownNamesOnly, terminal } from "@microremed/core";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { checkReferences } from "./check-references.ts";
import { Environment } from "./format.ts";
import { shapeProblems } from "./shape-problems.ts";

const yamlSchema = CORE_SCHEMA.withTags(mergeTag);

/** A file may be this long, in characters. The largest of ours has 66,000. */
const MAX_LENGTH = 1_000_000;
/** Nodes after all aliases are written out, so that nested aliases cannot blow up. */
const MAX_NODES = 200_000;
const MAX_PROBLEMS = 20;

/**
 * Reads one system's YAML. Top-level keys that begin with `x-` are ignored: they hold what anchors share.
 *
 * Throws `invalid-environment` (terminal) that names the file and, for every problem, the path in it and what was
 * expected.
 */
export function loadEnvironment(yamlText: string, fileName: string): Environment {
  const document = upgraded(withoutExtensions(parse(yamlText, fileName)));
  // zod would compile the schema first, which takes longer than the few files that a process reads.
  const parsed = Environment.safeParse(document, { jitless: true });
  if (!parsed.success) throw invalid(fileName, shapeProblems(parsed.error, "the file"));
  const problems = checkReferences(parsed.data);
  if (problems.length > 0) throw invalid(fileName, problems);
  return withOwnNamesOnly(parsed.data);
}

/** Agents choose names that are sought in these: `constructor` is a good one for a Service, and must be found in none. */
function withOwnNamesOnly(environment: Environment): Environment {
  const { workloads, services, configMaps, secrets } = environment;
  return {
    ...environment,
    workloads: ownNamesOnly(workloads),
    services: ownNamesOnly(services),
    configMaps: ownNamesOnly(configMaps),
    secrets: ownNamesOnly(secrets),
  };
}

function parse(yamlText: string, fileName: string): unknown {
  if (yamlText.length > MAX_LENGTH) {
    throw invalid(fileName, [
      `the file has ${yamlText.length} characters, at most ${MAX_LENGTH} are read; leave out what is not needed`,
    ]);
  }
  let document: unknown;
  try {
    document = load(yamlText, { schema: yamlSchema, maxAliases: 5_000, maxTotalMergeKeys: 50_000 });
  } catch (error) {
    throw invalid(fileName, [`not YAML: ${error instanceof Error ? error.message : String(error)}`]);
  }
  if (!fits(document)) {
    throw invalid(fileName, [
      `the file holds more than ${MAX_NODES} values once its aliases are written out; use fewer or smaller aliases`,
    ]);
  }
  return document;
}

function fits(document: unknown): boolean {
  const open = [document];
  for (let nodes = 1; open.length > 0; ) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const children = Object.values(value);
    nodes += children.length;
    if (nodes > MAX_NODES) return false;
    for (const child of children) open.push(child);
  }
  return true;
}

function withoutExtensions(document: unknown): unknown {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([key]) => !key.startsWith("x-")));
}

/**
 * A file of before: one `faultPath` for the whole system, and `targets` as `default` beside the list of workloads that
 * have something mounted there.
 */
function upgraded(document: unknown): unknown {
  if (!isJsonObject(document) || !isJsonObject(document["targets"])) return document;
  const { faultPath, targets, ...rest } = document;
  const { default: drawn, ...others } = document["targets"];
  const mounted = Object.values(others).flatMap((names) => (Array.isArray(names) ? names : []));
  return {
    ...rest,
    targets: drawn,
    dataMounts: Object.fromEntries(mounted.map((name) => [name, faultPath])),
  };
}

function invalid(fileName: string, problems: readonly string[]) {
  const shown = problems.slice(0, MAX_PROBLEMS);
  const left = problems.length - shown.length;
  const list = [...shown, ...(left > 0 ? [`... and ${left} more`] : [])].map((line) => `  - ${line}`);
  return terminal(
    "invalid-environment",
    `${fileName} does not describe an environment:\n${list.join("\n")}\nThe format is explained in docs/own-system.md.`,
    { file: fileName, problems: shown },
  );
}
