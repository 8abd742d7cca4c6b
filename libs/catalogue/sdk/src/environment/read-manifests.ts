import { isJsonObject } from "@microremed/core";
import { loadYaml, type TextFile } from "./load-yaml.ts";
import { type Manifest, namespacedAmong } from "./manifest.ts";
import { fileOf, ofManifest, readFrom } from "./places.ts";

/** Manifests of all files, and what is wrong with them, a line each. */
export interface ReadManifests {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly string[];
}

/** More than any system has that one namespace holds. */
const mostObjects = 2_000;

/** The objects in the files, Lists taken apart, in the order in which they can be applied, else in that of the files. */
export function readManifests(files: readonly TextFile[]): ReadManifests {
  const found = files.map(objectsIn);
  const manifests = found.flatMap((one) => one.manifests);
  const problems = [...found.flatMap((one) => one.problems)];
  const most = tooMany(manifests);
  if (most !== undefined) problems.push(`manifests: ${most}`);
  return { manifests: inOrder(manifests), problems };
}

/** That there are more objects than one system has; undefined: there are not. */
export const tooMany = (manifests: readonly Manifest[]): string | undefined =>
  manifests.length > mostObjects
    ? `${manifests.length} objects, at most ${mostObjects} are deployed; leave some out`
    : undefined;

/**
 * What others need comes first: definitions before everything, what makes pods last. The namespace itself is left out: the
 * harness makes it.
 */
export const inOrder = (manifests: readonly Manifest[]): Manifest[] =>
  manifests.filter(({ kind }) => kind !== "Namespace").toSorted((a, b) => turnOf(a) - turnOf(b));

const podMakers: ReadonlySet<string> = new Set([
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "Pod",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
]);

/** Services come before pods, which find them in their variables. */
function turnOf({ kind }: Manifest): number {
  if (kind === "CustomResourceDefinition") return 0;
  return podMakers.has(kind) ? 2 : 1;
}

function objectsIn(file: TextFile): { manifests: Manifest[]; problems: string[] } {
  const documents = loadYaml(file, { lastWins: true });
  if ("problem" in documents) return { manifests: [], problems: [`${file.name}: ${documents.problem}`] };
  const manifests: Manifest[] = [];
  const problems: string[] = [];
  documents.forEach((document, index) => {
    for (const object of itemsOf(document)) {
      const problem = problemOf(object);
      if (problem !== undefined) problems.push(`${file.name}, document ${index + 1}: ${problem}`);
      else {
        manifests.push(object as Manifest);
        readFrom(object as Manifest, file.name);
      }
    }
  });
  return { manifests, problems };
}

function itemsOf(document: unknown): readonly unknown[] {
  if (document === null || document === undefined) return [];
  const isList = isJsonObject(document) && document["kind"] === "List" && Array.isArray(document["items"]);
  return isList ? (document["items"] as readonly unknown[]) : [document];
}

/** What a document lacks to be a Kubernetes object, and what was expected; undefined: it is one. */
export function problemOf(object: unknown): string | undefined {
  if (!isJsonObject(object)) return "expected a Kubernetes object";
  const { apiVersion, kind, metadata } = object;
  const missing = ["apiVersion", "kind"].filter((field) => typeof object[field] !== "string");
  if (missing.length > 0 || typeof kind !== "string" || typeof apiVersion !== "string")
    return `expected ${missing.join(" and ")}, as every Kubernetes object has`;
  if (!isJsonObject(metadata) || typeof metadata["name"] !== "string" || metadata["name"] === "")
    return `${kind}: expected metadata.name`;
  return undefined;
}

/** Objects that are there twice, a line each. */
export function repeated(manifests: readonly Manifest[]): string[] {
  const seen = new Map<string, Manifest>();
  return manifests.flatMap((one) => {
    const identity = `${one.apiVersion.split("/")[0]} ${one.kind} ${one.metadata.namespace ?? ""} ${one.metadata.name}`;
    const other = seen.get(identity);
    if (other) return [`${ofManifest(one)}: it is in ${fileOf(other)} already; leave one out, or rename it`];
    seen.set(identity, one);
    return [];
  });
}

/** An environment is one namespace: objects of others are refused. A line for each of these namespaces. */
export function strayNamespaces(manifests: readonly Manifest[], namespace: string): string[] {
  const isPlaced = namespacedAmong(manifests);
  const stray = manifests.filter(
    (one) => one.metadata.namespace !== undefined && one.metadata.namespace !== namespace && isPlaced(one),
  );
  return [...Map.groupBy(stray, ({ metadata }) => metadata.namespace)].map(([given, [first, ...others]]) => {
    if (!first) return "";
    const more = others.length > 0 ? `, as ${others.length} more` : "";
    return `${ofManifest(first)}: it is in the namespace ${given}${more}; an environment is one namespace, ${namespace}: write another \`namespace\` in model.yaml, or leave out what is elsewhere`;
  });
}
