import {
  inOrder,
  loadEnvironment,
  type Manifest,
  type TextFile,
  tooMany,
} from "@microremed/catalogue/environment";
import { AppError, terminal } from "@microremed/core";
import { type Finding, findingsOf } from "./findings.ts";
import { isMeantAsYaml, type KeptManifests, keepManifests } from "./keep-manifests.ts";
import { type InferredModel, inferModel } from "./make-model.ts";
import type { Observed } from "./observed.ts";
import { systemOf } from "./system.ts";
import { modelText, workloadText } from "./write-model.ts";

/** Most reasons in one message. */
const mostReasons = 5;

/** What is imported, and how it is to be called. */
export interface ImportRequest {
  readonly name: string;
  /** Namespace whose objects are taken; undefined: the one that most name. */
  readonly namespace?: string | undefined;
  /** Manifests and configuration, as they are found. */
  readonly texts: readonly TextFile[];
  /** Where they come from, for the model. */
  readonly source: string;
  /** What a running system shows. */
  readonly observed?: Observed | undefined;
}

/** The files of an environment, and what is known of it. */
export interface Imported {
  readonly name: string;
  readonly namespace: string;
  /** In the order in which they are applied. */
  readonly manifests: readonly Manifest[];
  /** Paths within the environment's folder. */
  readonly files: readonly TextFile[];
  readonly model: InferredModel;
  readonly findings: readonly Finding[];
  /** What is missing or was left out, a line each. */
  readonly missing: readonly string[];
  /** Why the folder cannot be loaded as it is; empty: it can. */
  readonly problems: readonly string[];
}

/** That a namespace was asked for which no object names. */
const noSuchNamespace = ({ namespace }: ImportRequest, { named }: KeptManifests): string[] =>
  namespace === undefined || named.length === 0 || named.includes(namespace)
    ? []
    : [`there is no namespace ${namespace}; the manifests name ${named.slice(0, mostReasons).join(", ")}`];

/** Files that are meant as manifests and hold none. */
const withoutObjects = ({ others, left }: KeptManifests): string[] =>
  others
    .filter(({ name }) => isMeantAsYaml(name) && !left.some((line) => line.startsWith(`${name}: `)))
    .map(
      ({ name, text }) => `${name}: ${text.trim() === "" ? "it is empty" : "it has no Kubernetes object"}`,
    );

/** Without a workload there is no system, and the folder could not be loaded. */
function nothingToRun(left: readonly string[], unread: readonly string[]): Error {
  const why = [...left, ...unread].slice(0, mostReasons).map((line) => `\n  - ${line}`);
  return terminal(
    "invalid-request",
    `there is no Deployment, StatefulSet or DaemonSet to import, so nothing was written; expected Kubernetes manifests${why.join("")}`,
  );
}

/**
 * Makes an environment's files from manifests. Nothing is read or written. Throws `invalid-request` where no workload is among them, with
 * what could not be read.
 */
export function importEnvironment(request: ImportRequest): Imported {
  const { name, texts, source, observed } = request;
  const kept = keepManifests(texts, { wanted: request.namespace, name });
  const manifests = inOrder(kept.manifests);
  const most = tooMany(manifests);
  if (most !== undefined) throw terminal("invalid-request", `${source}: ${most}, so nothing was written`);
  const stranger = noSuchNamespace(request, kept);
  const { system, problems: unread } = systemOf(kept.namespace, manifests);
  if (system.workloads.size === 0)
    throw nothingToRun([...stranger, ...kept.left, ...withoutObjects(kept)], unread);
  const model = inferModel(system, kept.others, observed);
  const count = system.workloads.size;
  const head = {
    name,
    description: `${name}, ${count} workload${count === 1 ? "" : "s"}`,
    source,
    namespace: kept.namespace,
  };
  const files: TextFile[] = [
    { name: "model.yaml", text: modelText(head, model) },
    { name: "workload.yaml", text: workloadText(model) },
    ...kept.files.map((file) => ({ name: `manifests/${file.name}`, text: file.text })),
  ];
  const { findings, missing } = findingsOf(system, model);
  return {
    ...{ name, namespace: kept.namespace, manifests, files, model, findings },
    missing: [...stranger, ...missing, ...kept.left.map((line) => `left out: ${line}`)],
    problems: [...unread, ...problemsOf(name, files)],
  };
}

function problemsOf(name: string, files: readonly TextFile[]): string[] {
  const file = (wanted: string): TextFile =>
    files.find((one) => one.name === wanted) ?? { name: wanted, text: "" };
  try {
    loadEnvironment({
      folder: name,
      model: file("model.yaml"),
      workload: file("workload.yaml"),
      manifests: files.filter((one) => one.name.startsWith("manifests/")),
    });
    return [];
  } catch (error) {
    const { problems } = AppError.from(error).details ?? {};
    return Array.isArray(problems) ? problems.map(String) : [String(error)];
  }
}
