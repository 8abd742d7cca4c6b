import { type Cluster, customResourcesOf, type Kind, type KubeObject, kinds } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { z } from "zod";
import { type ClusterQuestion, type Place, stretchOf } from "./place.ts";

type Question = Extract<ClusterQuestion, { kind: "changes" }>;

/** What people and pipelines change. What a controller makes follows from it. */
export const watched: readonly Kind[] = [
  kinds.deployment,
  kinds.statefulSet,
  kinds.daemonSet,
  kinds.service,
  kinds.configMap,
  kinds.secret,
  kinds.persistentVolumeClaim,
  kinds.networkPolicy,
  kinds.ingress,
  kinds.horizontalPodAutoscaler,
  kinds.podDisruptionBudget,
  kinds.resourceQuota,
  kinds.limitRange,
  kinds.job,
  kinds.cronJob,
];

/** The pod templates that workloads had. */
export const templates: readonly Kind[] = [kinds.replicaSet, kinds.controllerRevision];

/** Programs of the control plane, whose writes follow from what others wrote. */
const controllers = /^(kube-|kubelet$|k3s|cloud-controller|.*-controller(-manager)?$)/;
/** Made by the control plane in every namespace. */
const given = new Set(["ConfigMap/kube-root-ca.crt"]);

const maxChanges = 200;
/** Fields of a change that are named, and characters of a value that are shown. */
const maxFields = 12;
const maxValue = 120;

interface Change {
  /** Cluster time, ms. */
  readonly at: number;
  /** `deployment/cart` */
  readonly object: string;
  /** rollout, scale, config, created */
  readonly kind: string;
  readonly what: string;
}

const ManagedFields = z.array(
  z.object({
    manager: z.string().default(""),
    time: z.string().default(""),
    subresource: z.string().default(""),
    fieldsV1: z.record(z.string(), z.unknown()).default({}),
  }),
);

/** What was created or changed in the arena, as a change log has it: the latest first. */
export async function changes(question: Question, place: Place): Promise<string> {
  const { cluster, namespace } = place;
  const { now, from: exactly } = await stretchOf(place, question);
  // Objects have their times in whole seconds.
  const from = Math.floor(exactly / 1000) * 1000;
  const revisions = await revisionsIn(cluster, namespace);
  const lists = await Promise.all(
    [...watched, ...(await customResourcesOf(cluster, namespace))].map((kind) =>
      ofKind(cluster, kind, { namespace, from, revisions }),
    ),
  );
  const all = lists.flat().sort((a, b) => b.at - a.at || (a.object < b.object ? -1 : 1));
  const left = Math.max(0, all.length - maxChanges);
  return JSON.stringify({ now, from, changes: all.slice(0, maxChanges), left });
}

interface Scope {
  readonly namespace: string;
  readonly from: number;
  readonly revisions: readonly Revision[];
}

/** A pod template that a workload has or had. */
interface Revision {
  readonly owners: readonly string[];
  /** When it was made, cluster time, ms. */
  readonly at: number;
  /** Its numbers, ascending: a workload that returns to a template gives its revision a new one. */
  readonly numbers: readonly number[];
  readonly template: unknown;
}

/** Of Deployments, StatefulSets and DaemonSets. */
async function revisionsIn(cluster: Pick<Cluster, "list">, namespace: string): Promise<Revision[]> {
  const [sets, stored] = await Promise.all([
    cluster.list(kinds.replicaSet, { namespace }),
    cluster.list(kinds.controllerRevision, { namespace }),
  ]);
  const revision = ({ metadata }: KubeObject, numbers: readonly number[], template: unknown): Revision => ({
    owners: (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    at: Date.parse(metadata.creationTimestamp ?? ""),
    numbers,
    template,
  });
  return [
    ...sets.map((set) => revision(set, numbersOf(set), set.spec?.template)),
    ...stored.map((one) => {
      const { revision: number = 0, data } = StoredTemplate.safeParse(one).data ?? {};
      return revision(one, [number], data?.spec.template);
    }),
  ];
}

/** A ReplicaSet keeps its earlier numbers; a ControllerRevision has only the last. */
function numbersOf({ metadata: { annotations = {} } }: KubeObject): number[] {
  const { [`${annotationGroup}revision-history`]: history, [`${annotationGroup}revision`]: last } =
    annotations;
  return [...(history ?? "").split(","), last ?? ""].filter(Boolean).map(Number).filter(Number.isInteger);
}

const annotationGroup = "deployment.kubernetes.io/";

const StoredTemplate = z.object({
  revision: z.number().optional(),
  data: z.object({
    spec: z.object({
      template: z.record(z.string(), z.unknown()).transform(({ $patch: _, ...template }) => template),
    }),
  }),
});

async function ofKind(cluster: Pick<Cluster, "list">, kind: Kind, scope: Scope): Promise<Change[]> {
  const objects = await cluster.list(kind, { namespace: scope.namespace });
  return objects.flatMap((object) => {
    if (given.has(`${kind.kind}/${object.metadata.name}`)) return [];
    return changesOf({ ...object, kind: kind.kind }, scope);
  });
}

function changesOf(object: KubeObject, { from, revisions }: Scope): Change[] {
  const name = `${(object.kind ?? "").toLowerCase()}/${object.metadata.name}`;
  const created = Date.parse(object.metadata.creationTimestamp ?? "");
  if (created >= from) return [{ at: created, object: name, kind: "created", what: "was created" }];
  const rollouts = rolloutsOf(object, { from, revisions });
  const writes = writesTo(object).filter(({ at }) => at >= from);
  const named = rollouts.length > 0 ? writes.filter(({ fields }) => !fields.every(inTemplate)) : writes;
  return [
    ...rollouts.map((rollout) => ({ ...rollout, object: name })),
    ...named.map(({ at, fields }) => ({ at, object: name, ...inWords(object, fields) })),
  ];
}

const inTemplate = (field: string): boolean => field.startsWith("spec.template");

function inWords(object: KubeObject, fields: readonly string[]): { kind: string; what: string } {
  if (fields.length === 1 && fields[0] === "spec.replicas")
    return { kind: "scale", what: `spec.replicas is now ${valueAt(object, "spec.replicas")}` };
  const kind = fields.some(inTemplate) ? "rollout" : "config";
  if (fields.length === 0 || fields.length > maxFields)
    return { kind, what: `was written (${fields.length} fields)` };
  const named = fields.map((field) => {
    const value = object.kind === "Secret" ? undefined : valueAt(object, field);
    return value === undefined ? field : `${field} is now ${value}`;
  });
  return { kind, what: named.join("; ") };
}

/** Writes by others than controllers, with the fields that their writers own. */
function writesTo(object: KubeObject): { at: number; fields: string[] }[] {
  const managed = ManagedFields.safeParse(Reflect.get(object.metadata, "managedFields"));
  return (managed.data ?? []).flatMap(({ manager, time, subresource, fieldsV1 }) => {
    if (subresource === "status" || controllers.test(manager)) return [];
    const fields = leaves(fieldsV1).filter((field) => /^(spec|data|binaryData|immutable)\b/.test(field));
    const bookkeeping = leaves(fieldsV1).length > 0 && fields.length === 0;
    return bookkeeping ? [] : [{ at: Date.parse(time), fields }];
  });
}

/** Paths of the fields of a FieldsV1: `spec.replicas`, `spec.template.spec.containers[server].image`. */
function leaves(fields: Readonly<Record<string, unknown>>, path = ""): string[] {
  return Object.entries(fields).flatMap(([key, below]) => {
    if (key === ".") return [];
    const step = stepOf(key);
    const here = step.startsWith("[") ? `${path}${step}` : [path, step].filter(Boolean).join(".");
    const deeper = isJsonObject(below) ? leaves(below, here) : [];
    return deeper.length > 0 ? deeper : [here];
  });
}

function stepOf(key: string): string {
  if (key.startsWith("f:")) return key.slice(2);
  const names = /"(?:name|key|ip|port|containerPort)":("[^"]*"|\d+)/.exec(key)?.[1] ?? key.slice(2);
  return `[${names.replaceAll('"', "")}]`;
}

/** The value of a field as it is now; undefined: it is gone. */
function valueAt(object: KubeObject, path: string): string | undefined {
  let value: unknown = object;
  for (const [, name, item] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (item !== undefined)
      value = Array.isArray(value)
        ? value.find((each) => isJsonObject(each) && [each["name"], each["port"]].map(String).includes(item))
        : undefined;
    else value = isJsonObject(value) ? value[name ?? ""] : undefined;
  }
  return value === undefined ? undefined : shown(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}...` : text;
}

/** What each rollout has changed in a workload's template, the latest first: to a new one, or back to one that it had. */
function rolloutsOf(
  object: KubeObject,
  { from, revisions }: Pick<Scope, "from" | "revisions">,
): { at: number; kind: string; what: string }[] {
  const { uid } = object.metadata;
  const own = revisions.filter(({ owners }) => uid !== undefined && owners.includes(uid));
  const order = inOrder(own);
  const rollouts = order.flatMap((revision, place) => {
    const { template, at } = revision;
    const before = order[place - 1];
    if (before === undefined) return [];
    // When a workload went back to a template is in the write alone, or it was before the next one.
    const isBack = order.indexOf(revision) < place;
    const when = isBack ? (order[place + 1]?.at ?? lastWriteOf(object, before.at)) : at;
    return when < from ? [] : [{ at: when, kind: "rollout", what: changeOf(before.template, template) }];
  });
  return rollouts.reverse();
}

/** The revisions as the workload had them, one that it went back to several times. */
function inOrder(own: readonly Revision[]): Revision[] {
  const numbered = own.flatMap((revision) => revision.numbers.map((number) => ({ number, revision })));
  const byNumber = numbered.sort((a, b) => a.number - b.number).map(({ revision }) => revision);
  if (byNumber.length > own.length) return byNumber;
  const byAge = own.toSorted((a, b) => a.at - b.at);
  const present = byNumber.at(-1);
  return present === undefined || present === byAge.at(-1) ? byAge : [...byAge, present];
}

/** When its template, or else anything, was written last; not before `least`. */
function lastWriteOf(object: KubeObject, least: number): number {
  const writes = writesTo(object);
  const toTemplate = writes.filter(({ fields }) => fields.some(inTemplate));
  return Math.max(least, ...(toTemplate.length > 0 ? toTemplate : writes).map(({ at }) => at));
}

function changeOf(was: unknown, is: unknown): string {
  const differences = differencesOf(was, is).filter(({ path }) => !path.includes("pod-template-hash"));
  const named = differences
    .slice(0, maxFields)
    .map(({ path, was, is }) => `${path}: ${was ?? "absent"} -> ${is ?? "absent"}`);
  const more = differences.length > maxFields ? [`and ${differences.length - maxFields} more fields`] : [];
  return [...named, ...more].join("; ") || "the same template again";
}

interface Difference {
  readonly path: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

function differencesOf(was: unknown, is: unknown, path = "template"): Difference[] {
  if (isJsonObject(was) && isJsonObject(is)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
    return names.flatMap((name) => differencesOf(was[name], is[name], `${path}.${name}`));
  }
  if (Array.isArray(was) && Array.isArray(is)) {
    const length = Math.max(was.length, is.length);
    return Array.from({ length }, (_, place) => place).flatMap((place) => {
      const item: unknown = is[place] ?? was[place];
      const name = isJsonObject(item) && typeof item["name"] === "string" ? item["name"] : place;
      return differencesOf(was[place], is[place], `${path}[${name}]`);
    });
  }
  const same = JSON.stringify(was) === JSON.stringify(is);
  const text = (value: unknown) => (value === undefined ? undefined : shown(value));
  return same ? [] : [{ path, was: text(was), is: text(is) }];
}
