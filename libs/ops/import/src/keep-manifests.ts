import {
  knownAmong,
  loadYaml,
  type Manifest,
  namespacedAmong,
  problemOf,
  type TextFile,
} from "@microremed/catalogue/environment";
import { isJsonObject } from "@microremed/core";
import { dump } from "js-yaml";
import { leftOfNamespace } from "./left-namespace.ts";

/** Manifests of a system as an environment's folder has them. */
export interface KeptManifests {
  readonly namespace: string;
  /** The namespaces that objects name. */
  readonly named: readonly string[];
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
    if ("problems" in read) left.push(...read.problems.map((line) => `${file.name}: ${line}`));
    if ("problems" in read) left.push(...repeatedKey(file));
    if ("problem" in read || read.objects.length === 0) {
      others.push(file);
      if ("problem" in read && isMeantAsYaml(file.name)) left.push(`${file.name}: ${read.problem}`);
      continue;
    }
    docs.push(...read.objects.map((object) => ({ file, object })));
    if (read.isWhole) whole.add(file);
  }
  const named = namespacesOf(docs);
  const namespace = wanted ?? named[0] ?? name;
  const isPlaced = namespacedAmong(docs.map(({ object }) => object));
  const isKnown = knownAmong(docs.map(({ object }) => object));
  const variants = variantsIn(docs, namespace);
  left.push(...variants.values(), ...unbuilt(texts));
  const seen = new Map<string, TextFile>();
  const kept = docs.filter(({ file, object }) => {
    if (variants.has(file)) return false;
    const why = isKnown(object)
      ? (unfilled(object) ?? whyNot({ file, object }, namespace, isPlaced(object), seen))
      : `its kind is not Kubernetes' own, and no CustomResourceDefinition among the manifests has it (${object.apiVersion}); import that too`;
    if (why === undefined) return true;
    whole.delete(file);
    if (why !== "") left.push(`${object.kind} ${object.metadata.name.slice(0, 100)}: ${why}`);
    return false;
  });
  const own = docs.find(
    ({ object: { kind, metadata } }) => kind === "Namespace" && metadata.name === namespace,
  );
  const lost =
    own &&
    leftOfNamespace(
      own.object,
      kept.map(({ object }) => object),
    );
  if (lost) left.push(`Namespace ${namespace}: ${lost}`);
  return {
    namespace,
    named,
    manifests: kept.map(({ object }) => object),
    files: filesOf(kept, whole),
    others,
    left: [...new Set(left)],
  };
}

/** Scripts and templates may be anything; who calls a file so means YAML. */
export const isMeantAsYaml = (name: string): boolean => /\.(ya?ml|json)$/.test(name);

interface Objects {
  readonly objects: Manifest[];
  readonly isWhole: boolean;
  /** What the others lack to be objects, and where they are. */
  readonly problems: readonly string[];
}

function objectsIn(file: TextFile): Objects | { problem: string } {
  const documents = loadYaml(file, { lastWins: true });
  if ("problem" in documents)
    return { problem: /\{\{.*\}\}/.test(file.text) ? renderFirst : documents.problem };
  const lists = documents.map((one) =>
    isJsonObject(one) && one["kind"] === "List" && Array.isArray(one["items"]) ? one["items"] : [one],
  );
  const all = lists.flatMap((items, at) =>
    items.flatMap((value: unknown, index) => {
      const item = items.length > 1 ? `, item ${index + 1} of its list` : "";
      return value === null || value === undefined ? [] : [{ value, place: `document ${at + 1}${item}` }];
    }),
  );
  const objects = all.map(({ value }) => value).filter(isManifest);
  const isOfObjects = objects.length > 0;
  const problems = all.flatMap(({ value, place }) => {
    const problem = isManifest(value)
      ? undefined
      : (problemOf(value) ?? "it is a tool's, and no object of a cluster");
    return problem === undefined || !(isOfObjects || isMeantAsObject(value)) ? [] : [`${place}: ${problem}`];
  });
  const isWhole = objects.length === all.length && lists.every((one) => one.length === 1);
  return { objects, isWhole, problems };
}

/** That of a key that is there twice the first value does not count, and where it is. */
function repeatedKey(file: TextFile): string[] {
  const strict = loadYaml(file);
  const [, place] =
    ("problem" in strict && /duplicated mapping key \(line (\d+)\)/.exec(strict.problem)) || [];
  return place === undefined
    ? []
    : [
        `${file.name}: the first value of a key that is there twice, line ${place}; the last one counts, as for kubectl`,
      ];
}

/** Other configuration has none of these together. */
const isMeantAsObject = (value: unknown): boolean =>
  isJsonObject(value) &&
  ["apiVersion", "kind", "metadata", "spec"].filter((field) => field in value).length > 1 &&
  !isOfTools(value["apiVersion"]);

const renderFirst =
  "it is a template, such as of a Helm chart, and no manifest; render it first (helm template shop ./chart | microremed environments import -)";

/** What is still to be filled in of an object; undefined: nothing. Files in ConfigMaps may be templates of their programs. */
function unfilled(object: Manifest): string | undefined {
  if (object.kind === "ConfigMap" || object.kind === "Secret") return undefined;
  const text = JSON.stringify(object);
  // `replicas: {{ .Values.replicas }}` is YAML, too: a map for a key.
  if (/\{\{[^}]*\.(Values|Release|Chart|Capabilities)\b|"\[object Object\]":/.test(text)) return renderFirst;
  const [, image] = /"image":"([^"]*(?:\{\{|\$[{(])[^"]*)"/.exec(text) ?? [];
  return image === undefined
    ? undefined
    : `its image ${image.slice(0, 100)} has a variable; fill it in first (helm template, envsubst)`;
}

function isManifest(value: unknown): value is Manifest {
  if (!isJsonObject(value)) return false;
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !isJsonObject(metadata)) return false;
  return !isOfTools(apiVersion) && problemOf(value) === undefined;
}

/** Of these tools' own, which are no objects of a cluster. */
const isOfTools = (apiVersion: unknown): boolean =>
  /^(kustomize\.config|skaffold|helm\.toolkit|kind\.x-k8s)/.test(String(apiVersion));

/** The namespaces that objects name, the one that most name first. */
function namespacesOf(docs: readonly Doc[]): string[] {
  const names = docs.flatMap(({ object: { kind, metadata } }) =>
    kind === "Namespace" ? [metadata.name] : (metadata.namespace ?? []),
  );
  const counts = [...Map.groupBy(names, (one) => one)].toSorted((a, b) => b[1].length - a[1].length);
  return counts.map(([one]) => one);
}

/** Names are segments of paths. */
const pathSegment = /^(?!\.{1,2}$)[^/%\p{Cc}]{1,253}$/u;
const byItself = /^(kube-root-ca\.crt|default)$/;

/** Why an object is not taken over; empty: without a word. Undefined: it is. */
function whyNot(
  { file, object }: Doc,
  namespace: string,
  isPlaced: boolean,
  seen: Map<string, TextFile>,
): string | undefined {
  const { kind, metadata } = object;
  if (kind === "Namespace") return "";
  if (!pathSegment.test(metadata.name)) return "Kubernetes takes no such name";
  if ((kind === "ConfigMap" || kind === "ServiceAccount") && byItself.test(metadata.name)) return "";
  if (metadata.annotations?.["helm.sh/hook"]?.includes("test")) return "a test of its chart";
  if (isPlaced && metadata.namespace !== undefined && metadata.namespace !== namespace)
    return `it is in the namespace ${metadata.namespace}, and an environment is one namespace, here ${namespace}`;
  const first = seen.get(identityOf(object));
  if (first && first !== file) return `it is in ${file.name}, too, and that of ${first.name} is kept`;
  if (first) return "it is there twice, the first is kept";
  seen.set(identityOf(object), file);
  return undefined;
}

const identityOf = ({ apiVersion, kind, metadata }: Manifest): string =>
  `${apiVersion.split("/")[0]} ${kind} ${metadata.name}`;

/** Of these every application has the same. */
const isShared = ({ kind }: Manifest): boolean => kind === "Namespace";

/**
 * Files that declare what files before them do: other variants of the system, such as overlays of a base or all of it in one file. Each
 * with why it is left out: parts of two variants make no system.
 */
function variantsIn(docs: readonly Doc[], namespace: string): Map<TextFile, string> {
  const placeOf = (object: Manifest): string =>
    `${object.metadata.namespace ?? namespace} ${identityOf(object)}`;
  const seen = new Map<string, TextFile>();
  const variants = new Map<TextFile, string>();
  for (const [file, some] of Map.groupBy(docs, (one) => one.file)) {
    const own = some.map(({ object }) => object).filter((object) => !isShared(object));
    const again = own.flatMap((object) => seen.get(placeOf(object)) ?? []);
    const [first] = again;
    if (first && 2 * again.length > own.length)
      variants.set(
        file,
        `${file.name}: it is another variant, ${again.length} of its ${own.length} objects are in files before it, such as ${first.name}; import it alone to have this one`,
      );
    else for (const object of own) seen.set(placeOf(object), seen.get(placeOf(object)) ?? file);
  }
  return variants;
}

/** That kustomizations below the folder are not built. */
function unbuilt(texts: readonly TextFile[]): string[] {
  const folders = texts.flatMap(({ name }) => /^(.+)\/kustomization\.ya?ml$/.exec(name)?.[1] ?? []);
  return folders.length === 0
    ? []
    : [
        `kustomizations, which change what is in their files: ${folders.slice(0, mostNamed).join(", ")}; import one of these folders to have it as kubectl builds it`,
      ];
}

/** Folders named in one line. */
const mostNamed = 8;

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
