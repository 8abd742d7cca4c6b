import {
  knownAmong,
  loadYaml,
  type Manifest,
  namespacedAmong,
  type TextFile,
} from "@microremed/catalogue/environment";
import { isJsonObject } from "@microremed/core";
import { dump } from "js-yaml";

/** Manifests of a system as an environment's folder has them. */
export interface KeptManifests {
  readonly namespace: string;
  readonly manifests: readonly Manifest[];
  /** Below `manifests/`. Files of which everything is kept are as they were. */
  readonly files: readonly TextFile[];
  /** Texts that are no manifests and may be the system's configuration. */
  readonly others: readonly TextFile[];
  /** What was left out, and why, a line each. */
  readonly left: readonly string[];
}

interface Doc {
  readonly file: TextFile;
  readonly object: Manifest;
}

/** Sorts files into manifests of one namespace, configuration, and what is left out. `wanted`: the namespace to take. */
export function keepManifests(
  texts: readonly TextFile[],
  { wanted, name }: { readonly wanted: string | undefined; readonly name: string },
): KeptManifests {
  const left: string[] = [];
  const others: TextFile[] = [];
  const docs: Doc[] = [];
  const whole = new Set<TextFile>();
  for (const file of texts) {
    const read = objectsIn(file);
    if ("problem" in read || read.objects.length === 0) {
      others.push(file);
      if ("problem" in read && isMeantAsYaml(file)) left.push(`${file.name}: ${read.problem}`);
      continue;
    }
    docs.push(...read.objects.map((object) => ({ file, object })));
    if (read.isWhole) whole.add(file);
    else left.push(`${file.name}: documents that are no Kubernetes objects`);
  }
  const namespace = wanted ?? commonNamespace(docs) ?? name;
  const isPlaced = namespacedAmong(docs.map(({ object }) => object));
  const isKnown = knownAmong(docs.map(({ object }) => object));
  const seen = new Set<string>();
  const kept = docs.filter(({ file, object }) => {
    const why = isKnown(object)
      ? whyNot(object, namespace, isPlaced(object), seen)
      : `its kind is not Kubernetes' own, and no CustomResourceDefinition among the manifests has it (${object.apiVersion}); import that too`;
    if (why === undefined) return true;
    whole.delete(file);
    if (why !== "") left.push(`${object.kind} ${object.metadata.name.slice(0, 100)}: ${why}`);
    return false;
  });
  return {
    namespace,
    manifests: kept.map(({ object }) => object),
    files: filesOf(kept, whole),
    others,
    left: [...new Set(left)],
  };
}

/** Scripts and templates may be anything; who calls a file so means YAML. */
const isMeantAsYaml = ({ name }: TextFile): boolean => /\.(ya?ml|json)$/.test(name);

function objectsIn(file: TextFile): { objects: Manifest[]; isWhole: boolean } | { problem: string } {
  const documents = loadYaml(file);
  if ("problem" in documents) return { problem: documents.problem };
  const given = documents.filter((one) => one !== null && one !== undefined);
  const lists = given.map((one) =>
    isJsonObject(one) && one["kind"] === "List" && Array.isArray(one["items"]) ? one["items"] : [one],
  );
  const all: readonly unknown[] = lists.flat();
  const objects = all.filter(isManifest);
  return { objects, isWhole: objects.length === all.length && lists.every((one) => one.length === 1) };
}

function isManifest(value: unknown): value is Manifest {
  if (!isJsonObject(value)) return false;
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !isJsonObject(metadata)) return false;
  // Of these tools' own, which are no objects of a cluster.
  if (/^(kustomize\.config|skaffold|helm\.toolkit|kind\.x-k8s)/.test(apiVersion)) return false;
  return typeof metadata["name"] === "string";
}

function commonNamespace(docs: readonly Doc[]): string | undefined {
  const names = docs.flatMap(({ object: { kind, metadata } }) =>
    kind === "Namespace" ? [metadata.name] : (metadata.namespace ?? []),
  );
  const counts = [...Map.groupBy(names, (one) => one)].toSorted((a, b) => b[1].length - a[1].length);
  return counts[0]?.[0];
}

/** Names are segments of paths. */
const pathSegment = /^(?!\.{1,2}$)[^/%\p{Cc}]{1,253}$/u;
const byItself = /^(kube-root-ca\.crt|default)$/;

/** Why an object is not taken over; empty: without a word. Undefined: it is. */
function whyNot(
  { apiVersion, kind, metadata }: Manifest,
  namespace: string,
  isPlaced: boolean,
  seen: Set<string>,
): string | undefined {
  if (kind === "Namespace") return "";
  if (!pathSegment.test(metadata.name)) return "Kubernetes takes no such name";
  if ((kind === "ConfigMap" || kind === "ServiceAccount") && byItself.test(metadata.name)) return "";
  if (metadata.annotations?.["helm.sh/hook"]?.includes("test")) return "a test of its chart";
  if (isPlaced && metadata.namespace !== undefined && metadata.namespace !== namespace)
    return `it is in the namespace ${metadata.namespace}, and an environment is one namespace, here ${namespace}`;
  const identity = `${apiVersion.split("/")[0]} ${kind} ${metadata.name}`;
  if (seen.has(identity)) return "it is there twice, the first is kept";
  seen.add(identity);
  return undefined;
}

function filesOf(kept: readonly Doc[], whole: ReadonlySet<TextFile>): TextFile[] {
  const names = new Set<string>();
  return [...Map.groupBy(kept, ({ file }) => file)].map(([file, docs]) => ({
    name: freeName(file.name, names),
    text: whole.has(file)
      ? file.text
      : docs.map(({ object }) => dump(object, { noRefs: true, lineWidth: 110 })).join("---\n"),
  }));
}

/** A path below a folder, with an ending that is read, and no other's. */
function freeName(given: string, taken: Set<string>): string {
  const parts = given
    .split(/[\\/]+/)
    .map((part) => part.replace(/[^\w.-]/g, "-").replace(/^\.+/, ""))
    .filter((part) => part !== "");
  const path = (parts.length > 0 ? parts : ["manifests"]).slice(-5).join("/");
  const base = /\.(ya?ml|json)$/.test(path) ? path : `${path}.yaml`;
  let name = base;
  for (let count = 2; taken.has(name); count++) name = base.replace(/(\.\w+)$/, `-${count}$1`);
  taken.add(name);
  return name;
}
